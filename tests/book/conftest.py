"""The pages that tests look at: a small site, built once per session, and the whole book where it
was built."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import nbformat
import numpy as np
import pandas as pd
import pytest
from devtools import CHROMIUM, QUIET, Browser

from vlmbias import figures, paths
from vlmbias.figures.showing import to_html


def _page() -> nbformat.NotebookNode:
    """A notebook as the runner leaves it: executed; a picture, a wide table."""
    line, ((axes,),) = figures.panels()
    axes.plot([0, 1], [0, 1])
    words = {
        "alt": "Something that rises from left to right.",
        "caption": "It rises.",
        "source": "greenhouse",
    }
    wide = pd.DataFrame(
        np.arange(60).reshape(3, 20), columns=[f"a long column {i}" for i in range(20)]
    )
    new = nbformat.v4
    cells: list = [
        new.new_markdown_cell(
            "# A page\n\nA formula, $d = \\frac{a}{b}$, and {ref}`a line <the-line>`."
        )
    ]
    for shown in (to_html(line, **words, name="the-line"), wide.to_html()):
        output = new.new_output("display_data", data={"text/html": shown})
        cells.append(new.new_code_cell("show()", outputs=[output], execution_count=1))
    kernel = {"name": "python3", "display_name": "Python 3", "language": "python"}
    return new.new_notebook(cells=cells, metadata={"kernelspec": kernel})


def _played() -> nbformat.NotebookNode:
    """What a chapter holds of the thing to play with: its still picture, and the directive."""
    from studies.greenhouse import collection

    _, drawn = collection.figure()
    words = {"alt": drawn.alt, "caption": drawn.caption, "source": drawn.source}
    shown = to_html(drawn.figure, **words, name="confounds-dial")
    new = nbformat.v4
    output = new.new_output("display_data", data={"text/html": shown})
    cells: list = [
        new.new_markdown_cell("# A page to play on"),
        new.new_code_cell("show()", outputs=[output], execution_count=1),
        new.new_markdown_cell(
            "```{play} collection\n```\n\n"
            ":::{dropdown} Numbers\n```{play} collection numbers\n```\n:::"
        ),
    ]
    kernel = {"name": "python3", "display_name": "Python 3", "language": "python"}
    return new.new_notebook(cells=cells, metadata={"kernelspec": kernel})


def _without_missing_pages(toc: str, folder: Path) -> str:
    """The table of contents, less the pages that only a run of the notebooks makes, plus ours."""
    kept = []
    for line in toc.splitlines():
        named = re.match(r"\s+- file: (\S+)", line)
        if not named or any(
            folder.joinpath(named[1] + suffix).exists() for suffix in (".md", ".ipynb")
        ):
            kept.append(line)
    text = "\n".join(
        [*kept, "  - caption: Test", "    chapters:"]
        + [f"      - file: notebooks/test/{name}" for name in ("page", "played")]
        + [""]
    )
    return re.sub(r"  - caption: .*\n    chapters:\n(?=  - )", "", text)


def _stage(folder: Path) -> Path:
    """`book/`, the settings, and two pages of our own, in a new folder."""
    root, stage = paths.root(), folder / "stage"
    shutil.copytree(root / "book", stage / "book", ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copy(root / "_config.yml", stage)
    stage.joinpath("notebooks/test").mkdir(parents=True)
    for name, page in {"page": _page(), "played": _played()}.items():
        nbformat.write(page, stage / f"notebooks/test/{name}.ipynb")
    return stage


def _built(stage: Path, toc: str) -> Path:
    """The HTML of the staged pages that a table of contents names."""
    (stage / "_toc.yml").write_text(toc)
    command = [
        Path(sys.executable).with_name("jupyter-book"),
        "build",
        "-q",
        "--path-output",
        stage.with_name("site"),
        stage,
    ]
    done = subprocess.run(command, capture_output=True, text=True)
    html = stage.with_name("site") / "_build" / "html"
    assert (html / "notebooks/test/page.html").exists(), done.stdout + done.stderr
    return html


@pytest.fixture(scope="session")
def site(tmp_path_factory) -> Path:
    """Folder of the built HTML, two pages of our own among it. It is the whole book where
    `make book` has built it from what is here now; else the pages that need no notebook.
    `VLMBIAS_SITE=_build/site/_build/html` looks at the whole book in any case."""
    folder = tmp_path_factory.mktemp("book")
    stage = _stage(folder)
    if not (whole := _whole()):
        return _built(stage, _without_missing_pages((paths.root() / "_toc.yml").read_text(), stage))
    (stage / "index.md").write_text("# A book\n")
    ours = _built(stage, "format: jb-book\nroot: index\nchapters:\n- glob: notebooks/test/*\n")
    html = shutil.copytree(whole, folder / "whole")
    for pages in ("notebooks/test", "_sources/notebooks/test"):
        shutil.copytree(ours / pages, html / pages)
    return html


@pytest.fixture(scope="session")
def own_page(site) -> Path:
    """The page with a formula, a picture, an interactive figure and a wide table."""
    return site / "notebooks" / "test" / "page.html"


@pytest.fixture(scope="module")
def browser(tmp_path_factory) -> Iterator[Browser]:
    """A browser of the module's own; a test that asks for it needs Chromium."""
    assert CHROMIUM, "skip the module where there is no Chromium"
    opened = Browser(CHROMIUM, QUIET, tmp_path_factory.mktemp("profile"))
    yield opened
    opened.close()


def _newest(*places: Path) -> float:
    files = [
        file for place in places for file in ([place] if place.is_file() else place.rglob("*"))
    ]
    return max(
        file.stat().st_mtime for file in files if file.is_file() and "__pycache__" not in file.parts
    )


def _whole() -> Path | None:
    """The folder of the whole book's pages, unless a page has changed since they were built."""
    root = paths.root()
    if named := os.environ.get("VLMBIAS_SITE"):
        return (root / named).resolve()
    built = paths.build() / "site" / "built.json"
    made_from = [root / "book", root / "_config.yml", root / "_toc.yml", paths.build() / "executed"]
    if not built.exists() or _newest(*made_from) > built.stat().st_mtime:
        return None
    return paths.build() / "site" / "_build" / "html"


@pytest.fixture(scope="session")
def whole() -> Path:
    """The folder of the whole book's pages."""
    return _whole() or pytest.skip("the whole book, as it is now, is not built here: make book")
