"""`python -m greenhouse.train …`: the same as `vlmbias greenhouse …`."""

import sys

from runner.commands import main

main(["greenhouse", *sys.argv[1:]])
