"""Last touches to the HTML of every page: names for the controls to which the theme gives none,
signs of numbers, and lines of programs that wrap as code should."""

from __future__ import annotations

import re
from typing import Any

from sphinx.application import Sphinx
from sphinx.jinja2glue import BuiltinTemplateLoader

from vlmbias import number_signs

# what the theme writes, and what a screen reader needs
NAMES = {
    r'<summary>(?=\s*<span[^>]*role="presentation")': (
        '<summary aria-label="pages under this one">'
    ),
    # its words, "Show code cell source", say more
    r'<summary aria-label="Toggle hidden content">': "<summary>",
    # its words: Search, Ctrl + K
    r'(<button class="btn search-button-field[^>]*?) aria-label="[^"]*"': r"\1",
    r'<div class="bd-sidebar-primary ': (
        '<div role="complementary" aria-label="the book" class="bd-sidebar-primary '
    ),
    # an empty head heads nothing
    r"<th(| [^>]*)>(?:\s|&nbsp;|&#160;|\xa0|<p>\s*</p>)*</th>": r"<td\1></td>",
}
PROGRAM = re.compile(
    r'(<div class="highlight-(?:ipython3?|python3?|bash|console|shell|sh|yaml|pycon)[^>]*>'
    r'<div class="highlight"><pre>)(.*?)(</pre>)',
    re.DOTALL,
)
# a long chain of calls may break before a dot and after a bracket or a comma
BREAK = re.compile(r'(?=<span class="o">\.</span>)|(?<=[(\[,]</span>)')


def named(html: str) -> str:
    """A page in which every control has a name."""
    for found, with_name in NAMES.items():
        html = re.sub(found, with_name, html)
    return html


class Templates(BuiltinTemplateLoader):
    """Sphinx's own templates (`template_bridge` in `_config.yml`): what they render gets names."""

    def render(self, template: str, context: dict[str, Any]) -> str:  # type: ignore[override]
        return named(super().render(template, context))


def wrapped(program: re.Match) -> str:
    """Highlighted code (no mark of Pygments goes over a line's end), each line in an element that
    knows how far it is indented: the rest of a long one stands further in."""
    lines = []
    for line in program[2].removesuffix("\n").split("\n"):
        words = re.sub(r"<[^>]*>", "", line)
        depth = len(words) - len(words.lstrip())
        broken = BREAK.sub("<wbr>", line)
        lines.append(f'<span class="vb-line" style="--in:{depth}">{broken}\n</span>')
    return program[1] + "".join(lines) + program[3]


def finish(app: Sphinx, pagename: str, templatename: str, context: dict, doctree: Any) -> None:
    """Sign the numbers of a page and wrap its programs."""
    if body := context.get("body"):
        context["body"] = PROGRAM.sub(wrapped, number_signs.in_html(body))


def setup(app: Sphinx) -> None:
    app.connect("html-page-context", finish)
