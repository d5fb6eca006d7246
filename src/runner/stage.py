"""The staged book: prose, executed notebooks, the page that says how each was made; then the site,
which replaces the last one only if it was built without a warning."""

import contextlib
import os
import shutil
import sys
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import nbformat

from runner import plan, statements
from runner.glued_values import glued
from vlmbias import kept, paths
from vlmbias.whole_files import write_json

BOX = """````{{admonition}} How this page was made
:class: dropdown note vb-made

```{{list-table}}
{}
```
````"""
LINE = (
    "*Run on {} at commit `{}` with the settings `{}`. {{ref}}`Parameters, packages and hashes of"
    " every run <runs>`.*"
)


def table(rows: list[tuple[Any, ...]]) -> str:
    """The rows of a list-table."""
    return "\n".join("* - " + "\n  - ".join(map(str, row)) for row in rows)


def provenance(about: dict[str, Any]) -> str:
    """The collapsed box that ends a page which stands alone: how it was made."""
    return BOX.format(table(list(_made(about).items())))


def line(about: dict[str, Any]) -> str:
    """The line that ends a page of the book; the rest is in the file of all runs."""
    return LINE.format(about["started"][:10], about["commit"], about["settings"])


def _made(about: dict[str, Any]) -> dict[str, str]:
    """What there is to say of one run, by what it is called on a page."""
    data = {name: digest for name, digest in about["files"].items() if name.startswith("data/")}
    parameters = (f"`{name} = {value!r}`" for name, value in about["parameters"].items())
    rows = {
        "settings": f"`{about['settings']}`",
        "parameters": " · ".join(parameters),
        "commit": f"`{about['commit']}`",
        "run": f"{about['started']}, {about['seconds']} s",
        "machine": f"{about['threads']} thread(s), {about['machine']}",
        "packages": " · ".join(f"{name} {number}" for name, number in about["versions"].items()),
        **{f"yours: `{name}` (sha256)": digest[:12] for name, digest in about["supplied"].items()},
        f"the book's data, {len(data)} files (sha256)": kept.key(data)[:12],
        "code, lock and the book's data (sha256)": (
            f"{kept.key(about['files'])[:12]}; of each file in the executed notebook,"
            " `metadata.vlmbias.files`"
        ),
    }
    for key, state in about["sources"].items():
        known = state["hash"][:12] if state["available"] else "not available here"
        rows[f"source `{key}`"] = known
    return rows


def times(about: dict[str, dict[str, Any]]) -> str:
    """The rows of the status page: every notebook, when, at which commit and in how many seconds it
    ran."""
    rows = [
        (
            f"{{doc}}`../notebooks/{name}`",
            one["started"][:16].replace("T", " "),
            one["seconds"],
            f"`{one['commit']}`",
            f"`{one['settings']}`",
            ", ".join(key for key, state in one["sources"].items() if not state["available"])
            or "none",
        )
        for name, one in about.items()
    ]
    return table(rows)


def stage() -> Path:
    """Lay out `_build/stage` anew and return it."""
    root, target, executed = paths.root(), paths.build() / "stage", paths.build() / "executed"
    shutil.rmtree(target, ignore_errors=True)
    shutil.copytree(root / "book", target / "book", ignore=shutil.ignore_patterns("__pycache__"))
    for name in ("_config.yml", "_toc.yml"):
        shutil.copy(root / name, target / name)
    notebooks = {
        name: nbformat.read(executed / f"{name}.ipynb", as_version=4) for name in plan.notebooks()
    }
    about = {name: notebook.metadata["vlmbias"] for name, notebook in notebooks.items()}
    results = {name: glued(notebook) for name, notebook in notebooks.items()}
    wrong = []
    for name, notebook in notebooks.items():
        page, found = statements.settled_notebook(notebook, results)
        wrong += _wrong(f"notebooks/{name}", found)
        page.cells.append(nbformat.v4.new_markdown_cell(line(about[name]), id="provenance"))
        place = target / "notebooks" / f"{name}.ipynb"
        place.parent.mkdir(parents=True, exist_ok=True)
        nbformat.write(page, place)
    known, lacks = statements.of_chapters(results), statements.lacking({}, results)
    for place in sorted((target / "book").rglob("*.m*d*")):
        found = statements.settled(place.read_text("utf-8"), known, lacks)
        wrong += _wrong(place.relative_to(target).as_posix(), [found])
        place.write_text(found.text, "utf-8")
    if wrong:
        raise RuntimeError("\n".join(wrong))
    status = target / "book" / "status.md"
    status.write_text(status.read_text("utf-8").replace("{times}", times(about)), "utf-8")
    write_json(target / "book/runs.json", about)
    write_json(paths.build() / "results.json", results)
    return target


def _wrong(page: str, found: list[statements.Settled]) -> list[str]:
    """What has to be mended in a page. A sentence that does not hold is an error in continuous
    integration alone; a reader with another processor or Python gets the page, with it marked."""
    false = [words for one in found for words in one.false]
    if not os.environ.get("CI"):
        for words in false:
            print(f"▸ {page} does not hold in this run: {words}", file=sys.stderr)
        false = []
    errors = [f"the page says what this run does not show: {words}" for words in false]
    return [f"{page}: {words}" for words in [*errors, *(one for own in found for one in own.wrong)]]


def _swap(new: Path, place: Path) -> None:
    """Put a folder in the place of another; where a kill leaves none, the other is `<place>.last`
    (see `mend`)."""
    last = place.with_name(f"{place.name}.last")
    shutil.rmtree(last, ignore_errors=True)
    if place.exists():
        place.rename(last)
    new.rename(place)
    shutil.rmtree(last, ignore_errors=True)


def build() -> None:
    """Render the staged book, warnings as errors, and put it in the place of the last one.

    Always from nothing: a repeated build of a broken book fails again, and no page outlives its
    source.

    Raises
    ------
    RuntimeError
        If the build warned; the pages as far as they got are in `_build/site.failed`.
    """
    from jupyter_book.cli.main import main as jupyter_book

    made_from = plan.fingerprint()
    source, site, failed = stage(), paths.build() / "site", paths.build() / "site.failed"
    shutil.rmtree(failed, ignore_errors=True)
    command = ["build", "-q", "-W", "--keep-going", "--path-output", str(failed), str(source)]
    try:  # in this process, so that it ends when this one is killed; warnings are on stderr
        with open(os.devnull, "w") as nowhere, contextlib.redirect_stdout(nowhere):
            jupyter_book(command, standalone_mode=False)
    except (Exception, SystemExit):
        place = "its pages are in _build/site.failed, the last good book stays"
        raise RuntimeError(f"the book has warnings (above); {place}") from None
    about = {"built": datetime.now(UTC).isoformat(timespec="seconds"), "made_from": made_from}
    write_json(failed / "built.json", about)
    _swap(failed, site)
