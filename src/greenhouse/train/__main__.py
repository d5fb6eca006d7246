"""`python -m greenhouse.train …`: the same as `vlmbias greenhouse …`."""

import sys

from bindery.commands import main

main(["greenhouse", *sys.argv[1:]])
