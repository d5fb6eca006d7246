"""The staged book: prose, executed notebooks with their provenance, the status page; then the site.

Comes in: `_config.yml`, `_toc.yml`, `book/`, `_build/executed/`. Goes out: `_build/stage`, `_build/site`.
May not: change an executed notebook, or replace a good site by a failed one.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import shutil
from itertools import groupby
from pathlib import Path
from typing import Any

import nbformat

from vlmbias import paths
from vlmbias.running import plan


def _folder_hashes(files: dict[str, str]) -> dict[str, str]:
    """One short hash per data folder (two levels), the package and the lock."""
    def place(item: tuple[str, str]) -> str:
        parts = Path(item[0]).parts
        return "/".join(parts[:3]) if parts[0] == "data" else parts[0]
    digests = {}
    for name, items in groupby(sorted(files.items(), key=place), key=place):
        digests[name] = hashlib.sha256("".join(f"{k} {v}\n" for k, v in items).encode()).hexdigest()[:12]
    return digests


def provenance(about: dict[str, Any]) -> str:
    """The collapsed box that ends a page: how it was made."""
    rows = {
        "settings": f"`{about['settings']}`",
        "parameters": " · ".join(f"`{name} = {value!r}`" for name, value in about["parameters"].items()),
        "commit": f"`{about['commit']}`",
        "run": f"{about['started']}, {about['seconds']} s, {about['threads']} thread(s), {about['machine']}",
        "packages": " · ".join(f"{name} {number}" for name, number in about["versions"].items()),
        "inputs (sha256)": " · ".join(f"`{n}` {digest}" for n, digest in _folder_hashes(about["files"]).items()),
    }
    for key, state in about["sources"].items():
        rows[f"source `{key}`"] = f"{state['hash'][:12]}" if state["available"] else "not available here"
    body = "\n".join(f"* - {name}\n  - {text}" for name, text in rows.items())
    return f"````{{admonition}} How this page was made\n:class: dropdown note\n\n```{{list-table}}\n{body}\n```\n````"


def status_page(about: dict[str, dict[str, Any]]) -> str:
    """The page that lists every notebook, when, at which commit and in how many seconds it ran."""
    rows = []
    for name, one in about.items():
        absent = ", ".join(key for key, state in one["sources"].items() if not state["available"])
        cells = (f"{{doc}}`../notebooks/{name}`", one["started"][:16].replace("T", " "), one["seconds"],
                 f"`{one['commit']}`", f"`{one['settings']}`", absent or "none")  # fmt: skip
        rows.append("* - " + "\n  - ".join(map(str, cells)))
    return (
        "# Last run\n\nEvery notebook of this book was executed before the book was built, and runs again when its "
        "source,\nits parameters, its data, the packages or the locked environment change.\n\n"
        "```{list-table}\n:header-rows: 1\n\n* - notebook\n  - ran (UTC)\n  - seconds\n  - commit\n  - settings\n"
        "  - sources not available\n" + "\n".join(rows) + "\n```\n"
    )


def stage() -> Path:
    """Lay out `_build/stage` anew and return it."""
    target, about = paths.build() / "stage", {}
    shutil.rmtree(target, ignore_errors=True)
    shutil.copytree(paths.root() / "book", target / "book", ignore=shutil.ignore_patterns("__pycache__"))
    for name in ("_config.yml", "_toc.yml"):
        shutil.copy(paths.root() / name, target / name)
    for name in plan.notebooks():
        notebook = nbformat.read(paths.build() / "executed" / f"{name}.ipynb", as_version=4)
        about[name] = notebook.metadata["vlmbias"]
        notebook.cells.append(nbformat.v4.new_markdown_cell(provenance(about[name]), id="provenance"))
        place = target / "notebooks" / f"{name}.ipynb"
        place.parent.mkdir(parents=True, exist_ok=True)
        nbformat.write(notebook, place)
    (target / "book" / "status.md").write_text(status_page(about))
    return target


def build() -> Path:
    """Render the staged book, warnings as errors, and put it in the place of the last one.

    Always from nothing: a repeated build of a broken book fails again, and no page outlives its source.

    Raises
    ------
    RuntimeError
        If the build warned; the pages as far as they got are in `_build/site.failed`.
    """
    from jupyter_book.cli.main import main as jupyter_book

    source, site, failed = stage(), paths.build() / "site", paths.build() / "site.failed"
    shutil.rmtree(failed, ignore_errors=True)
    command = ["build", "-q", "-W", "--keep-going", "--path-output", str(failed), str(source)]
    try:  # in this process, so that it ends when this one is killed; warnings are on stderr
        with open(os.devnull, "w") as nowhere, contextlib.redirect_stdout(nowhere):
            jupyter_book(command, standalone_mode=False)
    except (Exception, SystemExit):
        kept = "its pages are in _build/site.failed, the last good book stays"
        raise RuntimeError(f"the book has warnings (above); {kept}") from None
    shutil.rmtree(site, ignore_errors=True)
    failed.rename(site)
    plan.write_json(site / "built.json", {"pages": len(list((site / "_build/html").rglob("*.html")))})
    return site / "_build/html/index.html"
