"""The committed `.ipynb` of a notebook: what Jupyter, Binder and Colab open.

It has no outputs, its solutions are folded, and where `_config.yml` gives the repository's address,
a first cell installs the book.
"""

import re
from pathlib import Path

import nbformat
import yaml
from nbformat import NotebookNode

from runner.notebooks import INSTALLS, read
from vlmbias import paths

_INSTALL = """\
# Where the book's package is missing, as on Colab: fetch the book and install it. Elsewhere this
# does nothing.
import importlib.util, os, subprocess, sys
if importlib.util.find_spec("vlmbias") is None:
    if not os.path.isdir("vlmbias-book"):
        subprocess.run(["git", "clone", "--depth", "1", "{url}", "vlmbias-book"], check=True)
    subprocess.run([sys.executable, "-m", "pip", "install", "--quiet", "--ignore-requires-python",
                    "--editable", "vlmbias-book"], check=True)
    sys.path.insert(0, os.path.abspath("vlmbias-book/src"))"""


def address() -> str:
    """Where `_config.yml` says that the repository is published; empty if it says nothing."""
    config = paths.root() / "_config.yml"
    settings = yaml.safe_load(config.read_text("utf-8")) if config.is_file() else {}
    return settings.get("repository", {}).get("url", "").rstrip("/")


def install_cell(url: str) -> NotebookNode:
    """The first cell of a notebook that may be opened where nothing is installed, from the
    repository's address.
    """
    metadata = {"tags": [INSTALLS, "remove-cell"]}
    return nbformat.v4.new_code_cell(_INSTALL.format(url=url), id=INSTALLS, metadata=metadata)


def pair_text(path: Path) -> str:
    """The committed `.ipynb` of a source, as text: no outputs, the same bytes every time.

    Solutions are folded, as on the page. Where `_config.yml` has the repository's address, it
    begins with `install_cell`.
    """
    notebook = read(path)
    notebook.cells = _folded(notebook.cells)
    if url := address():
        notebook.cells.insert(0, install_cell(url))
    return nbformat.writes(notebook) + "\n"


def _folded(cells: list[NotebookNode]) -> list[NotebookNode]:
    """The cells, those of a solution hidden until a reader asks for them; a cell that goes on after
    it is split.
    """
    kept, inside = [], False
    for cell in cells:
        parts = (
            re.split(r"(?<=```{solution-end}\n```)\n*", cell.source, maxsplit=1)
            if inside
            else [cell.source]
        )
        for n, text in enumerate(part for part in parts if part):
            one = NotebookNode(
                cell, source=text, id=cell["id"] + f"-p{n}" * bool(n), metadata=dict(cell.metadata)
            )
            if inside and n == 0:
                one.metadata["jupyter"] = {"source_hidden": True}
            kept.append(one)
        if cell.cell_type == "markdown":
            inside = cell.source.rfind("{solution-start}") > cell.source.rfind("{solution-end}")
    return kept


def pair(sources: list[Path], *, check: bool = False) -> list[str]:
    """Write the `.ipynb` of every source that is not up to date, and name them; with `check`, only
    name them.
    """
    stale = []
    for source in sources:
        text, target = pair_text(source), source.with_suffix(".ipynb")
        if not target.is_file() or target.read_text("utf-8") != text:
            stale.append(target.name)
            if not check:
                target.write_text(text, "utf-8")
    return stale


def check_not_edited_alone(source: Path) -> None:
    """Raise if the `.ipynb` of a source says something else and was saved after it: the source is
    what runs, and the edit would have no effect."""
    target = source.with_suffix(".ipynb")
    if not target.is_file() or target.stat().st_mtime <= source.stat().st_mtime:
        return
    if pair([source], check=True):
        raise ValueError(
            f"{target.name} was edited, and {source.name} beside it is what runs: write it from the"
            f" edit first (jupytext --to py:percent {target.name}), or give the edit up (vlmbias"
            " pair)"
        )
