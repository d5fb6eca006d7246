"""`vlmbias run`: one notebook with other parameters, or with several values of one: run, compared
with the book's run and with other seeds, and shown.
"""

import os
import shlex
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import nbformat
from nbformat import NotebookNode

from runner import plan
from runner.reruns import page, report, runs
from runner.reruns.runs import Run
from vlmbias import kept, paths
from vlmbias.number_signs import counted

NO_BOOK = "Nothing to compare with: run `make book` first."
THIS_RUN = "this run"


def check_book(notebook: str) -> None:
    """Raise if there is no run of the book to set several runs beside."""
    if runs.of_the_book(notebook) is None:
        raise ValueError(f"several values are compared with the book's run. {NO_BOOK}")


def rerun(
    notebook: str,
    wanted: Sequence[Mapping[str, str]],
    *,
    settings: str,
    seeds: int,
    here: Path | None = None,
) -> str:
    """Run a notebook with other parameters, each run in `_build/runs/<notebook>/<key>`; say where
    the page is, and what changed.

    Parameters
    ----------
    notebook : `<paper>/<name>`, or its path.
    wanted : of each run, value by parameter, as text; of several, all but one are the same.
    settings : name of the settings.
    seeds : how many other seeds of the book's own run show what is noise; 0 leaves the question
        open.
    here : where the reader stands, from where the paths that are told can be opened; default the
        root.

    Raises
    ------
    ValueError : a run failed. Those that ended are kept.
    """
    files, chosen = plan.hashes(plan.INPUTS), plan.settings(settings)
    records = [plan.record(notebook, chosen, given=dict(one), files=files) for one in wanted]
    name = records[0]["notebook"]
    book = runs.of_the_book(name)
    titles = _titles(wanted)
    _run(records, titles)
    ended = [runs.ended(record) for record in records]
    if book is None:
        message, made = NO_BOOK, None
    else:
        others, why = _other_seeds(book, records, seeds, files)
        message = " ".join(filter(None, (_other_pictures(book, ended), why, _older(book, files))))
        made = report.made(book, dict(zip(titles, ended, strict=True)), others)
    print("▸ the page …", flush=True)
    own = book.about if book else plan.record(name, chosen, files=files)
    whose = "the book" if book else f"settings {settings}"
    top = _top(ended, own, whose, _command(name, wanted, settings, seeds), message, made)
    if len(records) == 1:
        shown, place = page.composed(ended[0].notebook, top), runs.folder(records[0])
        places = [runs.copy(records[0])]
    else:
        shown, place, places = _side_by_side(ended[0], titles, top), _together(records), []
    places.append(page.write(shown, place, name))
    if here not in (None, paths.root()):
        told = [str(place) for place in places]
    else:
        told = [os.path.relpath(place, paths.root()) for place in places]
    parts = [*told, *(["", report.text(made)] if made else []), message]
    return "\n".join(parts).rstrip()


def _titles(wanted: Sequence[Mapping[str, str]]) -> list[str]:
    """What each run is called: by its value of the parameter that has several."""
    if len(wanted) == 1:
        return [THIS_RUN]
    (name,) = (name for name in wanted[0] if wanted[0][name] != wanted[1][name])
    return [f"{name} = {one[name]}" for one in wanted]


def _run(records: Sequence[dict[str, Any]], titles: Sequence[str]) -> None:
    """Execute what is not kept."""
    for record in records:
        changed = ", ".join(f"{key} = {record['parameters'][key]!r}" for key in record["changed"])
        ended = ": run before, and kept" if runs.copy(record).is_file() else " …"
        print(f"▸ {record['notebook']} with {changed or 'its defaults'}{ended}", flush=True)
    called = {runs.folder(one): title for one, title in zip(records, titles, strict=True)}
    failed = runs.make(records, lambda one: called[runs.folder(one)])
    if failed:
        others = "; the runs that ended are kept" if len(records) > 1 else ""
        raise ValueError("\n".join(map(str, failed.values())) + others)


def _other_seeds(
    book: Run, records: Sequence[dict[str, Any]], n: int, files: dict[str, str]
) -> tuple[list[Run], str]:
    """The book's run with other seeds; where nothing was tried or some failed, why."""
    if "seed" not in book.about["parameters"]:
        return [], "This notebook draws nothing at random."
    if not n:
        return [], "Not judged against other seeds (`--seeds 0`)."
    taken = {record["parameters"]["seed"] for record in records}
    wanted = runs.with_other_seeds(book, taken, n, files)
    there = sum(runs.copy(one).is_file() for one in wanted)
    print(
        f"▸ the book's own run with {counted(len(wanted), 'other seed')}, {there} kept from before"
        " (`--seeds 0` leaves this out)",
        flush=True,
    )
    failed = runs.make(wanted, lambda one: f"seed {one['parameters']['seed']}")
    for title, problem in failed.items():
        print(f"  {title}: {problem}", flush=True)
    ended = [runs.ended(one) for one in wanted if runs.copy(one).is_file()]
    return ended, f"Of {counted(len(wanted), 'other seed')} {len(failed)} failed." if failed else ""


def _other_pictures(book: Run, ended: Sequence[Run]) -> str:
    """A warning where a row sets a value of some pictures beside one of others."""
    own = book.about["parameters"].get("stimuli")
    if all(run.about["parameters"].get("stimuli") == own for run in ended):
        return ""
    return (
        "These are other pictures than the book's, and other groups: in each row, read this run's"
        " value by itself. How far it is from the book's, or from another seed's, says nothing"
        " of the model."
    )


def _older(book: Run, files: Mapping[str, str]) -> str:
    """A warning where the book's copy was made from other code or data than there are now."""
    made_from = book.about["files"].items()
    changed = [name for name, digest in made_from if files.get(name, digest) != digest]
    if not changed:
        return ""
    return (
        f"The book's copy was made before `{changed[0]}`{' and others' * (len(changed) > 1)}"
        " changed; some differences may come from there: `make book` renews it."
    )


def _command(notebook: str, wanted: Sequence[Mapping[str, str]], settings: str, seeds: int) -> str:
    """The command that runs this again."""
    given = dict.fromkeys(f"{name}={value}" for one in wanted for name, value in one.items())
    words = ["vlmbias", "run", notebook, *(word for one in given for word in ("-p", one))]
    words += ["--settings", settings] * (settings != "greenhouse")
    return shlex.join(words + ["--seeds", str(seeds)] * (seeds != 4))


def _changed(run: Run, own: Mapping[str, Any], whose: str) -> list[str]:
    """What a run was given other than the book, or the settings, one item each."""
    pairs = {
        name: (value, own["parameters"].get(name, value))
        for name, value in run.about["parameters"].items()
        if name != "results"
    }
    items = [f"`{name} = {a!r} ({whose}: {b!r})`" for name, (a, b) in pairs.items() if a != b]
    if own["settings"] != (settings := run.about["settings"]):
        items.append(f"`settings {settings} ({whose}: {own['settings']})`")
    return items


def _top(
    ended: Sequence[Run],
    own: Mapping[str, Any],
    whose: str,
    command: str,
    message: str,
    made: report.Report | None,
) -> str:
    """The Markdown that stands on top: what was changed, at which commit, and what that did."""
    about = ended[0].about
    name = about["notebook"]
    changed = dict.fromkeys(item for run in ended for item in _changed(run, own, whose))
    there = (page.pages() / f"notebooks/{name}.html").is_file()
    lines = [
        "::::{admonition} A rerun, not the book's page",
        ":class: important",
        "",
        f"**Changed:** {'; '.join(changed) or f'nothing: the parameters of {whose}'}.",
        "",
        f"**Run:** `{command}`, commit `{about['commit']}`, {about['started'][:16]} (UTC), "
        f"{sum(run.about['seconds'] for run in ended):.0f} s.",
        *["", f'<a href="../{name}.html">The book\'s own page</a>'] * there,
        *["", message] * bool(message),
        "::::",
    ]
    if made is not None:
        lines += ["", "````{raw} html", report.html(made), "````"]
    return "\n".join([*lines, ""])


def _side_by_side(run: Run, titles: Sequence[str], top: str) -> NotebookNode:
    """The page of several runs: what they changed, without a chapter."""
    source = run.notebook.cells[0].source
    title = next(line for line in source.splitlines() if line.startswith("# "))
    cell = nbformat.v4.new_markdown_cell(f"{title}: {', '.join(titles)}\n\n{top}")
    return nbformat.v4.new_notebook(cells=[cell])


def _together(records: Sequence[dict[str, Any]]) -> Path:
    """The folder of the page of several runs."""
    key = kept.key({"runs": list(records)})[:10]
    place = runs.folder(records[0]).with_name(f"several-{key}")
    place.mkdir(parents=True, exist_ok=True)
    return place
