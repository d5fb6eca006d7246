"""The list of differences between papers and code (`book/differences.yaml`), a link to it at every
code such as H7 in prose, and, where a chapter lists differences, what a code means."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

import computed
import yaml
from claims_on_pages import NAMES
from docutils import nodes
from sphinx import addnodes
from sphinx.application import Sphinx
from sphinx.transforms import SphinxTransform

from vlmbias import paths
from vlmbias.papers import PAPERS

LIST, PAGE = Path(__file__).parents[1] / "differences.yaml", "book/differences"
HEADING = "Where paper and code differ"
CODE = re.compile(rf"\b[{''.join(paper.letter for paper in PAPERS.values())}]\d{{1,2}}\b")
NO_LINK_IN = (
    nodes.title,
    nodes.reference,
    nodes.literal,
    nodes.literal_block,
    nodes.raw,
    nodes.math,
    nodes.math_block,
    addnodes.pending_xref,
)


@cache
def known() -> dict[str, dict[str, str]]:
    """By paper and code, what differs."""
    return yaml.safe_load(LIST.read_text("utf-8"))


def anchor(code: str) -> str:
    return f"difference-{code.lower()}"


def users(paper: str, code: str) -> list[str]:
    """The chapters of a paper that name a code."""
    chapters = sorted((paths.root() / "notebooks" / paper).glob("*.py"))
    return [one.stem for one in chapters if re.search(rf"\b{code}\b", one.read_text("utf-8"))]


def differences(page: str) -> str:
    """`{differences}`: a table per paper, each row an anchor."""
    text = []
    for paper, codes in known().items():
        rows = [
            [f"[]{{#{anchor(code)}}}**{code}**", words, _chapters(paper, code)]
            for code, words in codes.items()
        ]
        text += [f"## {NAMES[paper]}", computed.table(["", "what differs", "chapters"], rows)]
    return "\n\n".join(text)


def _chapters(paper: str, code: str) -> str:
    return ", ".join(f"{{doc}}`/notebooks/{paper}/{name}`" for name in users(paper, code))


class LinkCodes(SphinxTransform):
    """Make a link of every code in the prose of a page."""

    default_priority = 900

    def apply(self) -> None:
        codes = {code for codes in known().values() for code in codes}
        if self.env.docname == PAGE:
            return
        for text in list(self.document.findall(nodes.Text)):
            if CODE.search(text) and not within(text, NO_LINK_IN):
                text.parent.replace(text, _linked(text.astext(), codes, self.env.docname))


def within(node: nodes.Node, kinds: tuple[type, ...]) -> bool:
    while node := node.parent:
        if isinstance(node, kinds):
            return True
    return False


def link(words: nodes.Node, page: str, *, to: str, kind: str) -> addnodes.pending_xref:
    """A link with words of its own to a place of the book, resolved when all pages are read."""
    return addnodes.pending_xref(
        "",
        words,
        refdomain="std",
        reftype=kind,
        refexplicit=True,
        reftarget=to,
        refdoc=page,
        refwarn=True,
    )


def _linked(text: str, codes: set[str], page: str) -> list[nodes.Node]:
    """The text, with a link for each known code in it."""
    found, end = [], 0
    for one in CODE.finditer(text):
        if one[0] in codes:
            to = link(nodes.inline("", one[0]), page, to=anchor(one[0]), kind="ref")
            found += [nodes.Text(text[end : one.start()]), to]
            end = one.end()
    return [*found, nodes.Text(text[end:])]


def explain(app: Sphinx, tree: nodes.document) -> None:
    """Say, under the heading below which a page lists differences, what its codes mean."""
    codes = {code for codes in known().values() for code in codes}
    for section in tree.findall(nodes.section):
        if section.children[0].astext() != HEADING:
            continue
        found = (one for one in CODE.findall(section.astext()) if one in codes)
        if code := next(found, None):
            listed = nodes.inline("", "the full list")
            to = link(listed, app.env.docname, to=f"/{PAGE}", kind="doc")
            words = [nodes.Text(f"A code such as {code} is the number of a point in "), to]
            lists = (one for one in section.findall(nodes.container) if code in one.astext())
            folded = (one for one in lists if one.get("design_component") == "dropdown")
            place = next(folded, section)  # where the list is folded, inside it: after its title
            place.insert(1, nodes.paragraph("", "", *words, nodes.Text(".")))


def setup(app: Sphinx) -> None:
    computed.directive(app, "differences", differences)
    app.connect("doctree-read", explain)
    app.add_transform(LinkCodes)
