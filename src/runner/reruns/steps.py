"""The command `vlmbias run`, step by step: run, compare, judge, show.

Comes in: a notebook's name, the values that a reader gives. Goes out: what to print. May not: hold
what a step does."""

import os
from collections.abc import Mapping
from typing import Any

import nbformat

from runner import plan
from runner.glued_values import glued
from runner.reruns import noise, page, tables, verdicts
from runner.reruns.labels import labels
from vlmbias import paths

SEEDS = 4
FIRST = "Nothing to compare it with: run `make book` first."


def rerun(notebook: str, given: Mapping[str, str], *, settings: str, seeds: int = SEEDS) -> str:
    """Run a notebook with other parameters in `_build/runs/<notebook>/<hash>`; say where, and what
    changed.

    Parameters
    ----------
    notebook : `<paper>/<name>`, or its path.
    given : value by parameter, as text.
    settings : name of the settings.
    seeds : how many other seeds of the book's own run show what is noise; 0 leaves the question
        open.

    Returns
    -------
    str
        The paths of notebook and page, the count of verdicts and the differences that surprise
        most.
    """
    if seeds < 0:
        raise ValueError(f"--seeds {seeds}: must be at least 0; 0 judges no difference")
    files = plan.hashes(plan.INPUTS)
    record = plan.record(notebook, plan.settings(settings), given=dict(given), files=files)
    executed = _executed(record)
    about, name = executed.metadata["vlmbias"], record["notebook"]
    canonical = paths.build() / f"executed/{name}.ipynb"
    book = nbformat.read(canonical, as_version=4) if canonical.is_file() else None
    here, table, said = glued(executed), None, FIRST
    known = labels(executed, here, name=name)
    if book is not None:
        others, why = _with_other_seeds(record, book.metadata["vlmbias"], files, seeds)
        table = verdicts.compared(glued(book), here, others)
        known = labels(book, glued(book), name=name) | known
        said = " ".join(
            filter(
                None, (verdicts.counted(table), why, _other_code(book.metadata["vlmbias"], files))
            )
        )
    own = None if book is None else book.metadata["vlmbias"]
    shown = page.composed(
        executed, page.head(about, own, _planned(name, settings), given, said, table, known)
    )
    print("▸ the page …", flush=True)
    where = page.write(shown, noise.folder(record))
    places = [os.path.relpath(path, paths.root()) for path in (noise.copy(record), where)]
    return "\n".join([*places, *([tables.text(table, known)] if table is not None else []), said])


def _planned(name: str, settings: str) -> dict[str, Any]:
    """The value of each parameter without a reader: of the settings, or the default."""
    known, values = plan.parameters(name, plan.settings(settings))
    return {key: values.get(key, one.default) for key, one in known.items()}


def _executed(record: dict[str, Any]) -> nbformat.NotebookNode:
    """The run, executed now, or as it is kept from an earlier time."""
    changed = ", ".join(f"{key} = {record['parameters'][key]!r}" for key in record["changed"])
    kept = noise.copy(record).is_file()
    print(
        f"▸ {record['notebook']} with {changed or 'its defaults'}"
        f"{': run before, and kept' if kept else ' …'}",
        flush=True,
    )
    if not kept:
        noise.run(record)
    return nbformat.read(noise.copy(record), as_version=4)


def _with_other_seeds(
    record: dict[str, Any], book: dict[str, Any], files: dict[str, str], seeds: int
) -> tuple[list[dict[str, Any]], str]:
    """What the book's run glues with other seeds; where nothing was tried or some failed, why."""
    if "seed" not in book["parameters"]:
        return [], "This notebook draws nothing at random."
    if not seeds:
        return [], "Not judged against other seeds (`--seeds 0`)."
    known, _ = plan.parameters(record["notebook"], plan.settings(book["settings"]))
    own, here = book["parameters"]["seed"], record["parameters"]["seed"]
    drawn = noise.other_seeds(known["seed"], book=own, here=here, n=seeds)
    wanted = noise.records(book, drawn, files)
    kept = sum(noise.copy(one).is_file() for one in wanted)
    print(
        f"▸ the book's own run with {len(drawn)} other seeds, {kept} kept from before (`--seeds 0`"
        " leaves this out)",
        flush=True,
    )
    for line in noise.run_missing(wanted):
        print(line, flush=True)
    there = [one for one in wanted if noise.copy(one).is_file()]
    failed = (
        f"Of {len(wanted)} other seeds {len(wanted) - len(there)} failed."
        if len(there) < len(wanted)
        else ""
    )
    return [glued(nbformat.read(noise.copy(one), as_version=4)) for one in there], failed


def _other_code(book: dict[str, Any], files: dict[str, str]) -> str:
    """A warning where the book's copy was made from other code or data than there are now."""
    changed = [name for name, digest in book["files"].items() if files.get(name, digest) != digest]
    if not changed:
        return ""
    return (
        f"The book's copy was made before `{changed[0]}`{' and others' * (len(changed) > 1)}"
        " changed; some differences may come from there: `make book` renews it."
    )
