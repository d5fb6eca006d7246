"""`vlmbias …`: the command line. Each command is a function whose arguments and docstring typer
reads; what it needs is imported when it runs, so that `--help` comes at once.
"""

import io
import os
import sys
from typing import Any

import typer

from runner import surroundings
from runner.commands import building, jobs, laboratory, sources, sweep
from runner.commands import ledger as claims
from runner.commands.run import run

app = typer.Typer(
    help="Run, rerun and build the book.",
    epilog="vlmbias COMMAND --help says what a command does, with examples.",
    add_completion=False,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
)
app.command()(run)
app.command()(building.book)
app.command()(sweep.sweep)
app.command()(laboratory.train)
app.command()(laboratory.campaign)
app.command()(sources.sources)
app.command()(building.pair)
app.command()(laboratory.example_folder)
app.command()(building.pdf)
ledger = typer.Typer(help="Check the claims that are recorded.", rich_markup_mode=None)
ledger.command()(claims.audit)
app.add_typer(ledger, name="ledger")

# the steps of the graph, which the Snakefile starts and nobody types
for job in (
    *(jobs.run_notebook, jobs.embed, jobs.collate, jobs.stage),
    *(laboratory.train_network, sweep.sweep_model, sweep.sweep_collect),
):
    app.command(hidden=True)(job)

# what a command is called now
GONE = {
    "fleet": "campaign fleet",
    "greenhouse": "train, campaign or example-folder",
    "greenhouse train": "train",
    "greenhouse train-speaker": "train answers, or train captions",
    "greenhouse train-decoder": "train decoder",
    "greenhouse gates": "train, which prints the gates and keeps them in card.json",
    "greenhouse dose-response": "campaign dose-response",
    "greenhouse speakers": "campaign speakers",
    "greenhouse paint": "campaign paintings",
    "greenhouse export": "example-folder",
    "models": "run PAPER -p model=A -p model=B",
    "ledger check": "ledger audit",
    "ledger collate": "book, which collates the claims",
    "sources status": "sources",
    "sources fetch": "sources --fetch",
    "sources check": "sources --check",
}


def main(arguments: list[str] | None = None) -> None:
    """Run one command; an error a reader can mend is one message, not a traceback."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")  # a terminal that knows no "▸" shows another sign
    surroundings.prepare()
    words = sys.argv[1:] if arguments is None else arguments
    try:
        _refuse_what_is_gone(words)
        sys.exit(app(words or ["--help"], prog_name="vlmbias", standalone_mode=False))
    except KeyboardInterrupt:
        sys.exit(130)
    except typer.TyperException as error:  # a word that the command does not take
        print(f"✗ {_said(error)}", file=sys.stderr)
        sys.exit(error.exit_code)
    except Exception as error:
        if os.environ.get("VLMBIAS_TRACEBACK"):
            raise
        sys.exit(f"✗ {error}")


def _said(error: typer.TyperException) -> str:
    """What is wrong, with the value that typer's message leaves out, and where the rules stand."""
    found, context = error.format_message(), getattr(error, "ctx", None)
    cause: Any = error.__cause__  # where pydantic refused the value
    given = repr(cause.errors()[0]["input"]) if hasattr(cause, "errors") else ""
    got = f", got {given}" if given not in found else ""
    command = context.command_path if context else "vlmbias"
    return f"{found.rstrip('.')}{got}; see `{command} --help`"


def _refuse_what_is_gone(words: list[str]) -> None:
    for old in (" ".join(words[:2]), *words[:1]):
        if old in GONE:
            raise ValueError(f"`vlmbias {old}` is gone; there is `vlmbias {GONE[old]}`")
