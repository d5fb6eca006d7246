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


def _notebook(*cells: tuple[str, str]) -> nbformat.NotebookNode:
    """A notebook as the runner leaves it: executed; of each cell its prose, or what it shows."""
    new, made = nbformat.v4, []
    for prose, shown in cells:
        output = new.new_output("display_data", data={"text/html": shown})
        ran = {"outputs": [output], "execution_count": 1}
        made.append(new.new_markdown_cell(prose) if prose else new.new_code_cell("show()", **ran))
    kernel = {"name": "python3", "display_name": "Python 3", "language": "python"}
    return new.new_notebook(cells=made, metadata={"kernelspec": kernel})


def _page() -> nbformat.NotebookNode:
    """A formula, a picture, a wide table."""
    line, ((axes,),) = figures.panels()
    axes.plot([0, 1], [0, 1])
    words = {"alt": "Something that rises from left to right.", "caption": "It rises."}
    shown = to_html(line, **words, source="greenhouse", name="the-line")
    names = [f"a long column {i}" for i in range(20)]
    wide = pd.DataFrame(np.arange(60).reshape(3, 20), columns=names)
    formula = "# A page\n\nA formula, $d = \\frac{a}{b}$, and {ref}`a line <the-line>`."
    return _notebook((formula, ""), ("", shown), ("", wide.to_html()))


def _played() -> nbformat.NotebookNode:
    """What a chapter holds of the thing to play with: its still picture, and the directive."""
    from studies.greenhouse import collection

    _, drawn = collection.figure()
    words = {"alt": drawn.alt, "caption": drawn.caption, "source": drawn.source}
    shown = to_html(drawn.figure, **words, name="confounds-dial")
    play = (
        "```{play} collection\n```\n\n:::{dropdown} Numbers\n```{play} collection numbers\n```\n:::"
    )
    return _notebook(("# A page to play on", ""), ("", shown), (play, ""))


def _without_missing_pages(toc: str, folder: Path) -> str:
    """The table of contents, less the pages that only a run of the notebooks makes, plus ours."""
    kept = []
    for line in toc.splitlines():
        named = re.match(r"\s+- file: (\S+)", line)
        if not named or list(folder.glob(f"{named[1]}.*")):
            kept.append(line)
    kept += ["  - caption: Test", "    chapters:"]
    kept += [f"      - file: notebooks/test/{name}" for name in ("page", "played")]
    return re.sub(r"  - caption: .*\n    chapters:\n(?=  - )", "", "\n".join([*kept, ""]))


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
    build = [Path(sys.executable).with_name("jupyter-book"), "build", "-q"]
    command = [*build, "--path-output", stage.with_name("site"), stage]
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
    return max(one.stat().st_mtime for one in files if one.is_file() and one.suffix != ".pyc")


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
