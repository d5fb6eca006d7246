"""Names for what stands around a page, where the theme gives none.

Comes in: the HTML of a page as the theme renders it. Goes out: the same, in which folds, buttons,
the sidebar and empty heads of tables say what they are. May not: add a control, or change what a
page says.
"""

from __future__ import annotations

import re

from sphinx.application import Sphinx

# what the theme writes, and what a screen reader needs
NAMES = (
    (
        r'<summary>(?=\s*<span[^>]*role="presentation")',
        '<summary aria-label="pages under this one">',
    ),
    (
        r'<summary aria-label="Toggle hidden content">',
        "<summary>",
    ),  # its words, "Show code cell source", say more
    (
        r'(<button class="btn search-button-field[^>]*?) aria-label="[^"]*"',
        r"\1",
    ),  # its words: Search, Ctrl + K
    (
        r'<div class="bd-sidebar-primary ',
        '<div role="complementary" aria-label="the book" class="bd-sidebar-primary ',
    ),
    (
        r"<th(| [^>]*)>(?:\s|&nbsp;|&#160;|\xa0|<p>\s*</p>)*</th>",
        r"<td\1></td>",
    ),  # an empty head heads nothing
)
_NAMED = [(re.compile(found), with_name) for found, with_name in NAMES]


def named(html: str) -> str:
    """A page in which every control has a name."""
    for found, with_name in _NAMED:
        html = found.sub(with_name, html)
    return html


def name_controls(app: Sphinx) -> None:
    """Look at every page that the builder renders, the theme's parts and ours together."""
    templates = getattr(app.builder, "templates", None)
    if app.builder.format == "html" and templates:
        render = templates.render
        templates.render = lambda template, context: named(render(template, context))


def setup(app: Sphinx) -> dict:
    app.connect("builder-inited", name_controls)
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}
