"""Numbers on a page have one minus sign and one per cent sign, whatever program wrote them.

Comes in: the HTML of a page that is about to be written. Goes out: the same with − in front of
negative numbers, and % right after others. May not: change a program, or what is inside a formula
(see `vlmbias.number_signs`).
"""

from __future__ import annotations

from sphinx.application import Sphinx

from vlmbias import number_signs


def sign(app: Sphinx, pagename: str, templatename: str, context: dict, doctree) -> None:
    """Put the signs into the text of a page."""
    if body := context.get("body"):
        context["body"] = number_signs.in_html(body)


def setup(app: Sphinx) -> dict:
    app.connect("html-page-context", sign)
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}
