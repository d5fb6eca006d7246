"""`python -m vlmbias` is the `vlmbias` command."""

from vlmbias.cli import main

main()
