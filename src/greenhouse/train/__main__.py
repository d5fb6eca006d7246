"""`python -m greenhouse.train …`: the same as `vlmbias greenhouse …`."""

import sys

from vlmbias.cli import main

main(["greenhouse", *sys.argv[1:]])
