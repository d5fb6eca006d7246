"""`vlmbias …`: the command line.

Comes in: arguments. Goes out: an exit status, and one clear line where something is wrong. May not:
import what a command needs before that command is asked for.

A command is a row of `COMMANDS` and a call of `add` in the function `register(add)` of its module::

    command = add("sources check", check, "verify every file")
    command.add_argument("key", nargs="?")

`add(name, handler, help="", job=False)` returns the parser of the command, to which the module adds
options. `name` is a name of `COMMANDS`, or one followed by that of a sub-command, which brings its
line of help; a `job` stands in no list. `handler(options)` does the work. Examples that `--help`
shows are in `examples.py`.
"""

import argparse
import io
import os
import sys
from collections.abc import Callable
from importlib import import_module
from typing import Any

from runner import surroundings
from runner.commands import examples

# command → the module of this package that has its `register`, and its line in the list of commands
COMMANDS = {
    "book": ("building", "execute what changed and build the book (make book)"),
    "fleet": (
        "laboratory",
        "train, test and tabulate the fleet of 131 networks and its null fleet; resumes",
    ),
    "sweep": ("sweep", "the 26 association tests on a list of models, one job per model"),
    "pdf": ("building", "print the built book into one PDF beside its pages"),
    "stage": ("building", "lay out the book in _build/stage"),
    "pair": ("building", "write the .ipynb of every notebook"),
    "ledger": ("ledger", "collate and audit the claims"),
    "sources": ("sources", "fetch and list the optional data"),
    "greenhouse": ("laboratory", "train and test the Greenhouse's models"),
}
# jobs of the graph, which the Snakefile starts and nobody types: they stand in no list
JOBS = dict.fromkeys(("run-notebook", "embed"), "jobs")
JOBS |= dict.fromkeys(("sweep-model", "sweep-collect"), "sweep")


def parser(command: str | None) -> argparse.ArgumentParser:
    """The parser of all commands, with the options of the one that is asked for."""
    top = argparse.ArgumentParser(
        prog="vlmbias",
        description="Run, rerun and build the book.",
        epilog="vlmbias COMMAND --help says what a command does, with examples.",
    )
    commands = top.add_subparsers(metavar="command", required=True)
    known = {
        name: commands.add_parser(name, help=help, description=help)
        for name, (_, help) in COMMANDS.items()
    } | {
        name: commands.add_parser(name, description="one job of the graph (used by the Snakefile)")
        for name in JOBS
    }
    groups = {}

    def add(
        name: str,
        handler: Callable[[argparse.Namespace], int | None],
        help: str = "",
        job: bool = False,
    ) -> argparse.ArgumentParser:
        first, _, below = name.partition(" ")
        command = known[first]
        if below:
            group = groups.get(first) or command.add_subparsers(metavar="command", required=True)
            groups[first] = group
            shown: dict[str, Any] = {} if job else {"help": help}
            command = group.add_parser(below, description=help, **shown)
        settings = os.environ.get("VLMBIAS_SETTINGS", "greenhouse")
        command.set_defaults(handler=handler, settings=settings)
        return command

    modules = {name: module for name, (module, _) in COMMANDS.items()} | JOBS
    if command in modules:
        import_module(f"runner.commands.{modules[command]}").register(add)
    examples.show(top)
    return top


def main(arguments: list[str] | None = None) -> None:
    """Run one command; an error a reader can mend is one message, not a traceback."""
    for stream in (
        sys.stdout,
        sys.stderr,
    ):  # a terminal that knows no "▸" shows another sign, and goes on
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")
    surroundings.prepare()
    words = sys.argv[1:] if arguments is None else arguments
    if words[:1] == ["run"]:
        _typer(words[1:])
    if words[:1] == ["models"]:
        sys.exit(
            "✗ `vlmbias models --paper PAPER A B` is now `vlmbias run PAPER -p model=A -p model=B`"
        )
    options = parser(words[0] if words and not words[0].startswith("-") else None).parse_args(words)
    try:
        sys.exit(options.handler(options))
    except KeyboardInterrupt:
        sys.exit(130)
    except Exception as error:
        if os.environ.get("VLMBIAS_TRACEBACK"):
            raise
        sys.exit(f"✗ {error}")


def _typer(words: list[str]) -> None:
    """The command `run`."""
    import typer

    from runner.commands.run import run

    app = typer.Typer(add_completion=False, rich_markup_mode=None, pretty_exceptions_enable=False)
    app.command()(run)
    try:
        app(words, prog_name="vlmbias run")
    except Exception as error:
        if os.environ.get("VLMBIAS_TRACEBACK"):
            raise
        sys.exit(f"✗ {error}")
