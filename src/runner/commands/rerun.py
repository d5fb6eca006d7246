"""`vlmbias run`: one notebook with other parameters.

Comes in: the command line. Goes out: what changed, and a page. May not: run what a wrong name would
stop later.
"""

import argparse
import os
import sys

from runner.commands.by_argparse import SETTINGS
from vlmbias import paths
from vlmbias.options import whole


def run(options: argparse.Namespace) -> None:
    """Rerun one notebook with other parameters, and say how its results differ from the book's."""
    from runner import plan, reruns
    from runner.commands import named
    from runner.commands.values import behind, varied

    os.chdir(paths.root())  # what a relative folder is relative to, here and in every other command
    options.notebook = behind(options.notebook, options.parameter, plan.notebooks())
    if options.parameters:
        print(
            named.listed(
                *plan.parameters(options.notebook, plan.settings(options.settings)),
                options.settings,
            )
        )
        return
    given, several = varied(options.parameter, options.sweep)
    name = (
        plan.source(options.notebook)
        .relative_to(paths.root() / "notebooks")
        .with_suffix("")
        .as_posix()
    )
    for value in several[1] or [None]:
        once = given if value is None else given | {several[0]: value}
        named.takes_a_folder(name, once)
        named.check(
            *plan.parameters(name, plan.settings(options.settings), once), given=once, notebook=name
        )
    asked = {"settings": options.settings, "seeds": options.seeds}
    try:
        print(
            reruns.rerun_each(options.notebook, *several, given, **asked)
            if several[1]
            else reruns.rerun(options.notebook, given, **asked)
        )
    except KeyboardInterrupt:
        print(
            "interrupted: the runs that have ended are kept, and the same command goes on",
            file=sys.stderr,
        )
        raise


def register(add) -> None:
    """Add the command; `add` is described in `runner.commands`."""
    command = add("run", run)
    command.add_argument("notebook", nargs="?", help="<paper>/<name>, or the path of the notebook")
    command.add_argument(
        "-p",
        "--parameter",
        nargs="+",
        action="append",
        default=[],
        metavar=("NAME", "VALUE"),
        help="give a parameter another value, such as `-p seed 7`; may be repeated; with several "
        "values, such as `-p seed 7 8 9`, there is a run for each, side by side on one "
        "page",
    )
    command.add_argument(
        "--sweep", metavar="NAME=A,B,C", help="the same, for a parameter with several values"
    )
    command.add_argument(
        "--parameters", action="store_true", help="only list the parameters, with their rules"
    )
    command.add_argument("--settings", **SETTINGS)
    command.add_argument(
        "--seeds",
        type=whole(0, 100),
        default=4,
        metavar="N",
        help=(
            "other seeds of the book's own run, against which differences are judged; they are kept"
            " for the next rerun; 0 judges none (default: 4)"
        ),
    )
