"""`vlmbias export-results` and `vlmbias ledger add`: what a reader found, as a bundle of numbers,
there and back.

Comes in: the command line, what this build recorded. Goes out: `_build/bundles/<paper>.json`; a
checked bundle in `data/contributed`. May not: put a picture, a vector or a way to one of the
reader's files into a bundle.
"""

from collections import Counter
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

from runner.commands.shared_options import PAPER
from vlmbias import paths

HIDDEN = "the reader's own"


@cache
def _kinds(notebook: str) -> dict[str, str]:
    """What each parameter of a notebook names: a folder, a model …"""
    from runner import notebooks, plan

    known = notebooks.parameters(notebooks.read(plan.source(notebook)), where=notebook)
    return {name: one.kind for name, one in known.items()}


def hidden(notebook: str, name: str, value: Any) -> Any:
    """A parameter's value, or `HIDDEN` where it is a way to something on this machine."""
    if isinstance(value, list):
        return [hidden(notebook, name, one) for one in value]
    kind = "model" if name == "model" else _kinds(notebook).get(name, "")
    ways = kind == "folder" or (
        kind.startswith("model") and isinstance(value, str) and _lies_here(value)
    )
    return HIDDEN if ways and value else value


def _lies_here(model: str) -> bool:
    """Whether a model, or one of several, is a folder or a file of this machine and not of the
    repository's data."""
    return any(
        (paths.root() / Path(one).expanduser()).exists() and not one.startswith("data/")
        for one in model.split(", ")
    )


def about_data(key: str, state: Mapping[str, Any]) -> dict[str, Any]:
    """A source as a bundle has it: the fingerprint that the run recorded, and whether it was all
    there.

    Raises
    ------
    ValueError
        If it has changed since the run.
    """
    from vlmbias import sources

    if (now := sources.state(key)["hash"]) != state["hash"]:
        raise ValueError(
            f"{key} has changed since the chapters ran ({state['hash'][:12]}, now {now[:12]}); run "
            "`make book` again, then export"
        )
    return {name: state[name] for name in ("hash", "whole", "drawn", "lacks")}


def export(options) -> None:
    """Write a bundle of what the chapters of a paper recorded in this build."""
    from vlmbias.ledger import bundles
    from vlmbias.whole_files import write_json

    bundle = bundles.bundled(options.paper, options.by, hidden=hidden, data=about_data)
    place = paths.build() / "bundles" / f"{options.paper}.json"
    write_json(place, bundle.model_dump())
    print(
        f"wrote {place.relative_to(paths.root())}: numbers, hashes, versions and parameters; look"
        " at it"
    )
    print(verdict_counts(bundle))


def add(options) -> None:
    """Check a bundle and keep it in `data/contributed`."""
    from vlmbias.ledger import bundles

    place, bundle = bundles.add(Path(options.bundle))
    print(f"kept as {place.relative_to(paths.root())}; `make book` shows it on the scorecard")
    print(verdict_counts(bundle))


def verdict_counts(bundle: Any) -> str:
    """How many values of a bundle get which verdict."""
    from vlmbias.ledger import bundles

    verdicts = Counter(row["verdict"] for row in bundles.with_verdicts(bundle))
    return "\n".join(f"  {n:,} × {verdict}" for verdict, n in verdicts.most_common())


def register(add_command) -> None:
    """Add `export-results`; `add_command` is the `add` described in `runner.commands`."""
    command = add_command("export-results", export)
    command.add_argument("paper", **PAPER)
    command.add_argument(
        "--by", required=True, help="who contributes it, as the scorecard shall print it"
    )
