"""Link a term of the glossary where a page uses it first, and say in the glossary which page of the
book that is."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from differences import NO_LINK_IN, link, within
from docutils import nodes
from sphinx import addnodes
from sphinx.application import Sphinx
from sphinx.environment import BuildEnvironment
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
    "b",
    "planted",
    "recovered",
    "identity",
    "record",
    "significant",
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
        vars(self.env).setdefault("terms_used", {})[page] = seen


def _linked(text: str, seen: set[str], page: str) -> list[nodes.Node]:
    """The text, with a link for each term in it that was not seen before."""
    found, end = [], 0
    for one in pattern().finditer(text):
        term = words()[one["word"].lower()]
        if term not in seen:
            seen.add(term)
            word = nodes.inline("", one[0], classes=["vb-term"])
            to = link(word, page, to=term, kind="term")
            found += [nodes.Text(text[end : one.start()]), to]
            end = one.end()
    return [*found, nodes.Text(text[end:])]


def _say_where(app: Sphinx, document: nodes.document, page: str) -> None:
    """Below each entry of the glossary: the first page, in the book's order, that uses its term."""
    if page != "book/glossary":
        return
    used, first = vars(app.env)["terms_used"], {}
    for one in (app.config.root_doc, *_in_order(app.env, app.config.root_doc)):
        first |= {term: one for term in used.get(one, ()) if term not in first}
    for entry in document.findall(nodes.definition_list_item):
        term = next(iter(entry.findall(nodes.term)), None)
        place = first.get(term.astext() if term else "")
        if place:
            title, uri = app.env.titles[place].astext(), app.builder.get_relative_uri(page, place)
            first_page = nodes.reference("", title, internal=True, refuri=uri)
            where = nodes.paragraph("", "First used in: ", first_page, classes=["vb-first-use"])
            next(iter(entry.findall(nodes.definition))).append(where)


def _in_order(env: BuildEnvironment, page: str) -> Iterator[str]:
    for child in env.toctree_includes.get(page, []):
        yield child
        yield from _in_order(env, child)


def setup(app: Sphinx) -> None:
    app.add_transform(LinkTerms)
    app.connect("doctree-resolved", _say_where)
