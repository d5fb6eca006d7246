"""What is done once, where the book is published: its address, and its editions side by side.

Comes in: an address; built sites. Goes out: `_config.yml` and `CITATION.cff` with the address; one
folder with every edition and a switch between them. May not: import anything but the standard
library (a publishing job installs nothing), or change a built site.
"""
