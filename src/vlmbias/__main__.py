"""`python -m vlmbias` is the `vlmbias` command."""

from runner.commands import main

main()
