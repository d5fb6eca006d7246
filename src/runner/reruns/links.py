"""Links of a single page to the rest of the book.

Comes in: a page that refers to other pages, which are not built with it. Goes out: links to the
published book where its address is set (`html: baseurl`, or `VLMBIAS_BASEURL`), else to the one
that was built on this machine; they hold wherever the page is moved to. May not: change what the
page says.
"""

from __future__ import annotations

import os
import posixpath
import re
from pathlib import Path

import yaml
from docutils import nodes
from sphinx import addnodes
from sphinx.application import Sphinx

from vlmbias import paths

SEARCHES_NOTHING = (
    "<style>.search-button, .search-button__wrapper { display: none !important }</style>"
)
_TO_THE_BOOK = "in the book"


def pages() -> Path:
    """The folder of the built book's pages."""
    return paths.build() / "site/_build/html"


def book() -> str:
    """The address of the book, with a slash at its end: where it is published, else where it was
    built.
    """
    config = paths.root() / "_config.yml"
    html = (
        (yaml.safe_load(config.read_text("utf-8")) or {}).get("html") or {}
        if config.is_file()
        else {}
    )
    published = html.get("baseurl") or os.environ.get("VLMBIAS_BASEURL", "")
    return f"{published.rstrip('/')}/" if published else f"{pages().as_uri()}/"


def _address(target: str, notebook: str) -> str | None:
    """The address of a page of the book; None if it is not built.

    Parameters
    ----------
    target : the way to a source, as the notebook writes it from its own folder.
    notebook : `<paper>/<name>`
    """
    way, _, part = target.partition("#")
    name = posixpath.normpath(
        posixpath.join("notebooks", posixpath.dirname(notebook), posixpath.splitext(way)[0])
    )
    if not way or not (pages() / f"{name}.html").is_file():
        return None
    return f"{book()}{name}.html" + (f"#{part}" if part else "")


def _notebook(page: str) -> str:
    return "/".join(page.split("/")[:2])


def link(app: Sphinx, doctree: nodes.document) -> None:
    """Give Markdown links to files of the book, which this build does not have, the address of the
    built page."""
    page = app.env.docname
    for node in list(doctree.findall(addnodes.pending_xref)):
        address = (
            _address(node["reftarget"], _notebook(page)) if node["reftype"] == "myst" else None
        )
        if address is not None:
            words = node.astext() or posixpath.basename(address).partition(".")[0]
            node.replace_self(nodes.reference("", words, internal=False, refuri=address))


def name_the_book(app: Sphinx, doctree: nodes.document, page: str) -> None:
    """Of a link into the book, the note that shows on it says so: the book's list of places has no
    name of its own.
    """
    for node in doctree.findall(nodes.reference):
        if str(node.get("reftitle", "")).startswith("(in "):
            node["reftitle"] = _TO_THE_BOOK


def finish(app: Sphinx, page: str, template: str, context: dict, doctree) -> None:
    """Figures are HTML, with links written for a notebook's folder; and one page needs no button
    that searches."""

    def moved(match: re.Match) -> str:
        address = _address(match[1], _notebook(page))
        return f'href="{address}"' if address else match[0]

    if "body" in context:
        context["body"] = SEARCHES_NOTHING + re.sub(
            r'href="((?:\.\./)+book/[^"]+)"', moved, context["body"]
        )


def setup(app: Sphinx) -> dict:
    app.setup_extension("sphinx.ext.intersphinx")
    app.connect("doctree-read", link)
    app.connect("doctree-resolved", name_the_book)
    app.connect("html-page-context", finish)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
