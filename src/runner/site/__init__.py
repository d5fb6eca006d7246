"""What is made of the built site: the whole book as one PDF.

Comes in: `_build/site/_build/html`, `_toc.yml`. Goes out: one HTML file of all pages, the PDF
beside the site's pages. May not: build a page, or leave a link to a file that is not there.
"""
