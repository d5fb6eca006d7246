"""The command `vlmbias run`, step by step: run, compare, judge, show.

Comes in: a notebook's name, the values that a reader gives. Goes out: what to print. May not: hold
what a step does."""

import os
from collections.abc import Mapping
from typing import Any

import nbformat

from runner import plan
from runner.reruns import difference_table, noise, page, report, verdicts
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
    here = _executed(record)
    about, name = here.notebook.metadata["vlmbias"], record["notebook"]
    book, made, message = book_run(name), None, FIRST
    own = None if book is None else book.notebook.metadata["vlmbias"]
    if book is not None and own is not None:
        others, why = with_other_seeds(record, own, files, seeds)
        made = report.made(book, here, others, name=name, given=differing(record, own))
        message = " ".join(
            filter(None, (verdicts.counted(made.table), why, other_code(own, files)))
        )
    shown = page.composed(
        here.notebook, page.head(about, own, _planned(name, settings), given, message, made)
    )
    print("▸ the page …", flush=True)
    where = page.write(shown, noise.folder(record))
    places = [os.path.relpath(path, paths.root()) for path in (noise.copy(record), where)]
    return "\n".join([*places, *([text(made)] if made is not None else []), message])


def text(made: report.Report) -> str:
    """A report for a terminal."""
    largest = [f"{n}. {one}" for n, one in enumerate(made.largest, start=1)]
    parts = [
        "\n".join(made.lines),
        "\n".join(["The largest changes:", *largest] if largest else []),
        "\n".join(report.pictures_text(made)),
        difference_table.text(made.table, made.labels),
    ]
    return "\n" + "\n\n".join(filter(None, parts)) + "\n"


def book_run(name: str) -> report.Run | None:
    """The book's own run of a notebook, if it is there."""
    canonical = paths.build() / f"executed/{name}.ipynb"
    if not canonical.is_file():
        return None
    with canonical.open(encoding="utf-8") as file:
        return report.Run(nbformat.read(file, as_version=4), paths.build() / f"results/{name}.json")


def kept(record: dict[str, Any]) -> report.Run:
    """A run that has ended."""
    with noise.copy(record).open(encoding="utf-8") as file:
        return report.Run(nbformat.read(file, as_version=4), noise.folder(record) / "results.json")


def differing(record: dict[str, Any], book: dict[str, Any]) -> list[str]:
    """The parameters in which a run and the book's differ."""
    return [
        name
        for name, value in record["parameters"].items()
        if name != "results" and book["parameters"].get(name, value) != value
    ]


def _planned(name: str, settings: str) -> dict[str, Any]:
    """The value of each parameter without a reader: of the settings, or the default."""
    known, values = plan.parameters(name, plan.settings(settings))
    return {key: values.get(key, one.default) for key, one in known.items()}


def _executed(record: dict[str, Any]) -> report.Run:
    """The run, executed now, or as it is kept from an earlier time."""
    changed = ", ".join(f"{key} = {record['parameters'][key]!r}" for key in record["changed"])
    before = noise.copy(record).is_file()
    print(
        f"▸ {record['notebook']} with {changed or 'its defaults'}"
        f"{': run before, and kept' if before else ' …'}",
        flush=True,
    )
    if not before:
        noise.run(record)
    return kept(record)


def with_other_seeds(
    record: dict[str, Any], book: dict[str, Any], files: dict[str, str], seeds: int
) -> tuple[list[report.Run], str]:
    """The book's run with other seeds; where nothing was tried or some failed, why."""
    if "seed" not in book["parameters"]:
        return [], "This notebook draws nothing at random."
    if not seeds:
        return [], "Not judged against other seeds (`--seeds 0`)."
    known, _ = plan.parameters(record["notebook"], plan.settings(book["settings"]))
    own, here = book["parameters"]["seed"], record["parameters"]["seed"]
    drawn = noise.other_seeds(known["seed"], book=own, here=here, n=seeds)
    wanted = noise.records(book, drawn, files)
    there = sum(noise.copy(one).is_file() for one in wanted)
    print(
        f"▸ the book's own run with {len(drawn)} other seeds, {there} kept from before "
        "(`--seeds 0` leaves this out)",
        flush=True,
    )
    for line in noise.run_missing(wanted):
        print(line, flush=True)
    ended = [one for one in wanted if noise.copy(one).is_file()]
    failed = (
        f"Of {len(wanted)} other seeds {len(wanted) - len(ended)} failed."
        if len(ended) < len(wanted)
        else ""
    )
    return [kept(one) for one in ended], failed


def other_code(book: dict[str, Any], files: dict[str, str]) -> str:
    """A warning where the book's copy was made from other code or data than there are now."""
    changed = [name for name, digest in book["files"].items() if files.get(name, digest) != digest]
    if not changed:
        return ""
    return (
        f"The book's copy was made before `{changed[0]}`{' and others' * (len(changed) > 1)}"
        " changed; some differences may come from there: `make book` renews it."
    )
