"""`python -m vlmbias` is the `vlmbias` command."""

from bindery.commands import main

main()
