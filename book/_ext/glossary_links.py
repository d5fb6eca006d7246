"""Link a term of the glossary where a page uses it first, and say in the glossary which page of the
book that is.

Comes in: the entries of `book/glossary.md`; pages, in the order of the book. Goes out: one link per
term and page, in prose; below each entry, a link to the first page that uses the term. May not:
touch a heading, code, a caption or another link, or link words that are mostly used in their
everyday sense."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from differences import NO_LINK_IN, within
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
        _used(self.env)[page] = seen


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


# --- where a term is used first -------------------------------------------------------------------


def _used(env: BuildEnvironment) -> dict[str, set[str]]:
    """The terms that each page links, by page."""
    if not hasattr(env, "terms_used"):
        env.terms_used = {}  # pyright: ignore[reportAttributeAccessIssue]
    return env.terms_used  # pyright: ignore[reportAttributeAccessIssue]


def _forget(app: Sphinx, env: BuildEnvironment, page: str) -> None:
    _used(env).pop(page, None)


def _merge(app: Sphinx, env: BuildEnvironment, pages: set[str], other: BuildEnvironment) -> None:
    _used(env).update({page: _used(other)[page] for page in pages if page in _used(other)})


def _again(app: Sphinx, env: BuildEnvironment) -> list[str]:
    """The glossary is written anew with every build, since any page may use a term first."""
    return ["book/glossary"] if "book/glossary" in env.all_docs else []


def first_uses(order: list[str], used: dict[str, set[str]]) -> dict[str, str]:
    """By term, the first page in the book's order that uses it."""
    first: dict[str, str] = {}
    for page in order:
        for term in used.get(page, ()):
            first.setdefault(term, page)
    return first


def _say_where(app: Sphinx, document: nodes.document, page: str) -> None:
    """Below each entry of the glossary: the first page that uses its term."""
    if page != "book/glossary":
        return
    order = [app.config.root_doc, *_in_order(app.env, app.config.root_doc)]
    first = first_uses(order, _used(app.env))
    for entry in document.findall(nodes.definition_list_item):
        term = next(iter(entry.findall(nodes.term)), None)
        place = first.get(term.astext() if term else "")
        if place and app.builder is not None:
            link = nodes.reference(
                "",
                app.env.titles[place].astext(),
                internal=True,
                refuri=app.builder.get_relative_uri(page, place),
            )
            where = nodes.paragraph("", "First used in: ", link, classes=["vb-first-use"])
            next(iter(entry.findall(nodes.definition))).append(where)


def _in_order(env: BuildEnvironment, page: str) -> Iterator[str]:
    for child in env.toctree_includes.get(page, []):
        yield child
        yield from _in_order(env, child)


def setup(app: Sphinx) -> dict:
    app.add_transform(LinkTerms)
    app.connect("env-purge-doc", _forget)
    app.connect("env-merge-info", _merge)
    app.connect("env-updated", _again)
    app.connect("doctree-resolved", _say_where)
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}
