"""Which chapters take a reader's own folder of images, and what they need of it, on the pages.

Comes in: `data/stimuli/own_images.yaml`. Goes out: sentences at the end of each chapter's box
"Rerun this with your own parameters", with a list of what is needed; and the directive
`{own-images}`: `chapters`, a table of all of them, or `columns`, what metadata.csv may say. May
not: say more than the file does.
"""

from __future__ import annotations

import re

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.util.docutils import SphinxDirective

from vlmbias import paths
from vlmbias.papers import PAPERS
from vlmbias.stimuli import own_folder

BOX = "Rerun this"
HEADINGS = {name: paper.heading for name, paper in PAPERS.items()} | {
    "greenhouse": "The Greenhouse",
    "real": PAPERS["calibration"].heading,
}


def inline(text: str) -> list[nodes.Node]:
    """A sentence with `code` between backticks."""
    parts = re.split(r"`([^`]+)`", text)
    return [
        nodes.literal(part, part) if number % 2 else nodes.Text(part)
        for number, part in enumerate(parts)
        if part
    ]


def say(app: Sphinx, tree: nodes.document) -> None:
    """End the box of a chapter with what the chapter needs of a reader's own folder."""
    page = app.env.docname
    for box in tree.findall(nodes.admonition) if page.startswith("notebooks/") else ():
        if box.children and box.children[0].astext().startswith(BOX):
            app.env.note_dependency(str(paths.data() / "stimuli/own_images.yaml"))
            needs = own_folder.declared()[page.removeprefix("notebooks/")]
            box += nodes.paragraph("", "", *inline(needs.sentence()), classes=["vb-own-images"])
            if rules := [] if needs.why else needs.rules():
                items = (nodes.paragraph("", "", *inline(rule)) for rule in rules)
                box += nodes.bullet_list("", *(nodes.list_item("", item) for item in items))


def chapters() -> str:
    """The table of all chapters, as MyST."""
    rows = [("chapter", "your own folder?", "columns beside the picture's", "what else")]
    for name, needs in own_folder.declared().items():
        paper, _, _ = name.partition("/")
        columns = ", ".join(f"`{column}`" for column in needs.columns) or "–"
        rows.append(
            (
                f"{HEADINGS[paper]}: {{doc}}`../notebooks/{name}`",
                "no" if needs.why else "yes",
                columns,
                needs.why or "; ".join(needs.rules()) or "–",
            )
        )
    body = "\n".join("* - " + "\n  - ".join(row) for row in rows)
    return f":::{{list-table}}\n:header-rows: 1\n:class: vb-own-images\n\n{body}\n:::"


def columns() -> str:
    """The columns of metadata.csv, as MyST."""
    body = "\n".join(f"* - `{name}`\n  - {meaning}" for name, meaning in own_folder.COLUMNS.items())
    return f":::{{list-table}}\n:header-rows: 1\n\n* - column\n  - what it says\n{body}\n:::"


class OwnImages(SphinxDirective):
    """`{own-images} chapters` or `{own-images} columns`."""

    required_arguments = 1

    def run(self) -> list[nodes.Node]:
        self.env.note_dependency(str(paths.data() / "stimuli/own_images.yaml"))
        return self.parse_text_to_nodes(
            {"chapters": chapters, "columns": columns}[self.arguments[0]]()
        )


def setup(app: Sphinx) -> dict:
    app.add_directive("own-images", OwnImages)
    app.connect("doctree-read", say)
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}
