"""A notebook's source: its cells, and those for one reader's sources.

What converts a text is imported where one is converted: of a text that it has seen before, a build
knows what it declares (`plan.declared`).
"""

from __future__ import annotations

import hashlib
import re
from collections import Counter
from collections.abc import Mapping
from itertools import takewhile
from pathlib import Path
from textwrap import indent
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from nbformat import NotebookNode

INSTALLS = "installs"  # the tag of a cell that only the `.ipynb` has (`runner.pairs`)
SECOND_SECTION = "## The protocol, run on"
LABORATORY = "## What this method can see"


def read(path: Path) -> NotebookNode:
    """The notebook in a py:percent file, as `parse` makes it."""
    return parse(path.read_text("utf-8"))


def parse(text: str) -> NotebookNode:
    """The notebook that a py:percent text describes, with cell ids made from each cell's content:
    converting twice gives the same notebook, and editing one cell changes one id."""
    import jupytext

    notebook = jupytext.reads(text, fmt="py:percent")
    # the cell that a pair has alone; saved in Jupyter, it comes back
    notebook.cells = [cell for cell in notebook.cells if INSTALLS not in tags(cell)]
    seen: Counter[str] = Counter()
    for cell in notebook.cells:
        digest = hashlib.sha256(f"{cell.cell_type}\n{cell.source}".encode()).hexdigest()[:12]
        seen[digest] += 1
        cell["id"] = digest if seen[digest] == 1 else f"{digest}-{seen[digest]}"
    kernel = {"display_name": "Python 3", "language": "python", "name": "python3"}
    notebook.metadata = {"kernelspec": kernel, "language_info": {"name": "python"}}
    notebook.nbformat, notebook.nbformat_minor = 4, 5
    return notebook


def tags(cell: NotebookNode) -> list[str]:
    """The tags of a cell."""
    return list(cell.metadata.get("tags", []))


def needed(cell: NotebookNode) -> list[str]:
    """The sources that a cell needs: its tags `needs-<source>`."""
    return [tag.removeprefix("needs-") for tag in tags(cell) if tag.startswith("needs-")]


def needs(notebook: NotebookNode) -> list[str]:
    """The sources that some cells of a notebook need, in order of appearance."""
    return list(dict.fromkeys(source for cell in notebook.cells for source in needed(cell)))


def _split_at_sections(cells: list[NotebookNode]) -> list[NotebookNode]:
    """The cells, with a new Markdown cell at every `##` heading."""
    from nbformat import NotebookNode

    parts = []
    for cell in cells:
        pieces = (
            re.split(r"\n+(?=## )", cell.source) if cell.cell_type == "markdown" else [cell.source]
        )
        parts += [
            NotebookNode(cell, source=piece, id=cell["id"] if n == 0 else f"{cell['id']}-s{n}")
            for n, piece in enumerate(pieces)
        ]
    return parts


_EXCUSED = """\
try:
{}
except Exception as problem:
    said = f"{{type(problem).__name__}} {{problem}}".strip()
    print(f"This solution is written for the book's own values. With these, it ends in: {{said}}")
"""


def excuse(notebook: NotebookNode) -> None:
    """Let the code of a solution end in a message where it would end in an error."""
    for cell in notebook.cells:
        if cell.cell_type == "code" and "solution" in tags(cell):
            cell.source = _EXCUSED.format(indent(cell.source, "    "))


def for_reader(
    notebook: NotebookNode, *, missing: Mapping[str, str], required: list[str], data: str
) -> NotebookNode:
    """The notebook one reader can run: without the cells that need a missing source, and with its
    data named.

    Parameters
    ----------
    notebook : NotebookNode
        As `read` returns it; changed in place.
    missing : mapping
        Unavailable source → the standard note's text. Cells tagged `needs-<source>` go; the note
        stands once, where the first of them stood.
    required : list of str
        Sources without which the whole second section cannot run: it becomes the notes of the
        missing ones.
    data : str
        What `{data}` prints in the heading of the second section.
    """
    from nbformat.v4 import new_markdown_cell

    absent, noted, kept, inside = [key for key in required if key in missing], set(), [], False
    for cell in _split_at_sections(notebook.cells) if absent else notebook.cells:
        if cell.cell_type == "markdown":
            cell.source = cell.source.replace(
                f"{SECOND_SECTION} {{data}}", f"{SECOND_SECTION} {data}"
            )
        if opens := cell.cell_type == "markdown" and cell.source.startswith("## "):
            inside = bool(absent) and cell.source.startswith(SECOND_SECTION)
        if opens and inside:
            cell.source = cell.source.splitlines()[0]
        lacking = [key for key in needed(cell) if key in missing]
        if opens or not (lacking or inside):
            kept.append(cell)
        for key in absent if inside else lacking:
            if key not in noted:
                kept.append(new_markdown_cell(missing[key], metadata={"tags": ["note"]}))
            noted.add(key)
    notebook.cells = kept
    return notebook


def second_section(notebook: NotebookNode) -> list[NotebookNode]:
    """The cells of the paper's protocol, from its heading to the next."""
    found, inside = [], False
    for cell in _split_at_sections(notebook.cells):
        if cell.cell_type == "markdown" and cell.source.startswith("## "):
            inside = cell.source.startswith(SECOND_SECTION)
        found += [cell] * inside
    return found


def protocol_code(notebook: NotebookNode) -> str:
    """The code of that section."""
    cells = second_section(notebook)
    return "\n".join(cell.source for cell in cells if cell.cell_type == "code")


def protocol_only(notebook: NotebookNode) -> NotebookNode:
    """The notebook up to the laboratory's section, which looks at the laboratory's own models;
    changed in place."""
    cells = _split_at_sections(notebook.cells)
    notebook.cells = list(takewhile(lambda cell: not cell.source.startswith(LABORATORY), cells))
    return notebook
