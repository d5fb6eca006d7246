"""Which chapters take a reader's own folder of images: at the end of each chapter's box "Rerun this
with your own parameters"; what they need of it: as the tables `{own-images}`."""

from __future__ import annotations

import re

import computed
from docutils import nodes
from sphinx.addnodes import pending_xref
from sphinx.application import Sphinx

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
    """End the box of a chapter with whether the chapter takes a reader's own folder."""
    page = app.env.docname
    for box in tree.findall(nodes.admonition) if page.startswith("notebooks/") else ():
        if box.children and box.children[0].astext().startswith(BOX):
            needs = own_folder.declared()[page.removeprefix("notebooks/")]
            said = nodes.paragraph("", "", *inline(needs.sentence()))
            if not needs.why:
                link = {"reftype": "ref", "refdomain": "std", "refexplicit": True}
                words = nodes.inline("", "What this page needs of them.")
                said += pending_xref("", words, reftarget="own-folder", refdoc=page, **link)
            box += said


def chapters() -> str:
    """What each chapter needs."""
    rows = []
    for name, needs in own_folder.declared().items():
        paper = name.partition("/")[0]
        chapter = f"{HEADINGS[paper]}: {{doc}}`../notebooks/{name}`"
        columns = ", ".join(f"`{column}`" for column in needs.columns) or "–"
        taken, more = "no" if needs.why else "yes", needs.why or "; ".join(needs.rules()) or "–"
        rows.append([chapter, taken, columns, more])
    head = ["chapter", "your own folder?", "columns beside the picture's", "what else"]
    return computed.table(head, rows)


def columns() -> str:
    """What metadata.csv may say."""
    rows = ([f"`{name}`", meaning] for name, meaning in own_folder.COLUMNS.items())
    return computed.table(["column", "what it says"], rows)


def own_images(page: str, view: str) -> str:
    """`{own-images} chapters` or `{own-images} columns`."""
    return {"chapters": chapters, "columns": columns}[view]()


def setup(app: Sphinx) -> None:
    computed.directive(app, "own-images", own_images)
    app.connect("doctree-read", say)
