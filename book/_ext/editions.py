"""The place on every page in which published editions are listed.

Comes in: a page. Goes out: the same with an empty, hidden `<nav>` before its text;
`src/runner/editions.py` fills it where several editions are published together. May not:
claim that another edition exists.
"""

from __future__ import annotations

from sphinx.application import Sphinx

PLACE = '<nav class="vb-editions" aria-label="Editions" hidden></nav>'


def reserve(app: Sphinx, pagename: str, templatename: str, context: dict, doctree) -> None:
    """Put the place before the text of a page."""
    if doctree is not None and app.builder.format == "html":
        context["body"] = PLACE + context["body"]


def setup(app: Sphinx) -> dict:
    app.connect("html-page-context", reserve)
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}
