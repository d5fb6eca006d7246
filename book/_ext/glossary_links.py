"""Link a term of the glossary where a page uses it first.

Comes in: the entries of `book/glossary.md`; pages. Goes out: one link per term and page, in prose.
May not: touch a heading, code, a caption or another link, or link words that are mostly used in
their everyday sense."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

from differences import NO_LINK_IN, within
from docutils import nodes
from sphinx import addnodes
from sphinx.application import Sphinx
from sphinx.transforms import SphinxTransform

GLOSSARY = Path(__file__).parents[1] / "glossary.md"
EVERYDAY = {
    "described",
    "released",
    "marked",
    "target",
    "seed",
    "attribute",
    "template",
    "audit",
    "pairing",
}
ELSEWHERE = (
    *NO_LINK_IN,
    nodes.emphasis,
    nodes.caption,
    nodes.rubric,
    nodes.citation,
    addnodes.glossary,
    nodes.term,
)


@cache
def words() -> dict[str, str]:
    """By word in lower case, the term of the glossary that explains it."""
    body = re.search(r":::\{glossary\}\n(.*?)\n:::", GLOSSARY.read_text("utf-8"), re.DOTALL)
    terms = re.findall(r"(?:\A|\n\n)(\S.*)(?=\n  )", body[1]) if body else []
    return {
        word.lower(): term
        for term in terms
        for word in term.split(", ")
        if word.lower() not in EVERYDAY
    }


@cache
def pattern() -> re.Pattern:
    """Any of the words, longest first; small letters may begin a sentence with a capital, and stand
    in the plural."""
    each = (re.escape(word) for word in sorted(words(), key=len, reverse=True))
    return re.compile(
        rf"(?<![\w@-])(?P<word>{'|'.join(each)})(?P<plural>s?)(?![\w@-])", re.IGNORECASE
    )


class LinkTerms(SphinxTransform):
    """Make a link of the first use of every term."""

    default_priority = 905

    def apply(self) -> None:
        page = self.env.docname
        if page in ("book/glossary", "book/references", "book/status", "book/index"):
            return
        seen: set[str] = set()
        for text in list(self.document.findall(nodes.Text)):
            if pattern().search(text) and not within(text, ELSEWHERE):
                text.parent.replace(text, _linked(text.astext(), seen, page))


def _linked(text: str, seen: set[str], page: str) -> list[nodes.Node]:
    """The text, with a link for each term in it that was not seen before."""
    found, end = [], 0
    for one in pattern().finditer(text):
        term = words()[one["word"].lower()]
        if term not in seen:
            seen.add(term)
            word = nodes.inline("", one[0], classes=["vb-term"])
            link = addnodes.pending_xref(
                "",
                word,
                refdomain="std",
                reftype="term",
                refexplicit=True,
                reftarget=term,
                refdoc=page,
                refwarn=True,
            )
            found += [nodes.Text(text[end : one.start()]), link]
            end = one.end()
    return [*found, nodes.Text(text[end:])]


def setup(app: Sphinx) -> dict:
    app.add_transform(LinkTerms)
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}
