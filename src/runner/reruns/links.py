"""Links of a single page to the rest of the book.

Comes in: a page that refers to other pages, which are not built with it. Goes out: links to the
built book, beside `_build/runs`, where it has that page. May not: change what the page says.
"""

from __future__ import annotations

import posixpath
import re

from docutils import nodes
from sphinx import addnodes
from sphinx.application import Sphinx

from vlmbias import paths

SITE = "site/_build/html"
SEARCHES_NOTHING = "<style>.search-button { display: none }</style>"


def _address(target: str, page: str, notebook: str) -> str | None:
    """The address of a page of the book, from another's folder; None if it is not built.

    Parameters
    ----------
    target : the way to a source, as the notebook writes it from its own folder.
    page : the name of the page that is being made, below `_build/runs`.
    notebook : `<paper>/<name>`
    """
    way, _, part = target.partition("#")
    name = posixpath.normpath(
        posixpath.join("notebooks", posixpath.dirname(notebook), posixpath.splitext(way)[0])
    )
    if not way or not (paths.build() / SITE / f"{name}.html").is_file():
        return None
    return "../" * (page.count("/") + 1) + f"{SITE}/{name}.html" + (f"#{part}" if part else "")


def _notebook(page: str) -> str:
    return "/".join(page.split("/")[:2])


def link(app: Sphinx, doctree: nodes.document) -> None:
    """Give Markdown links to files of the book, which this build does not have, the address of the
    built page."""
    page = app.env.docname
    for node in list(doctree.findall(addnodes.pending_xref)):
        address = (
            _address(node["reftarget"], page, _notebook(page))
            if node["reftype"] == "myst"
            else None
        )
        if address is not None:
            words = node.astext() or posixpath.basename(address).partition(".")[0]
            node.replace_self(nodes.reference("", words, internal=False, refuri=address))


def finish(app: Sphinx, page: str, template: str, context: dict, doctree) -> None:
    """Figures are HTML, with links written for a notebook's folder; and one page needs no button
    that searches."""

    def moved(match: re.Match) -> str:
        address = _address(match[1], page, _notebook(page))
        return f'href="{address}"' if address else match[0]

    if "body" in context:
        context["body"] = SEARCHES_NOTHING + re.sub(
            r'href="((?:\.\./)+book/[^"]+)"', moved, context["body"]
        )


def setup(app: Sphinx) -> dict:
    app.setup_extension("sphinx.ext.intersphinx")
    app.connect("doctree-read", link)
    app.connect("html-page-context", finish)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
