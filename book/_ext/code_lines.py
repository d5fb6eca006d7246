"""Lines of code that wrap as code should: the rest of a long line stands further in than the line
itself.

Comes in: the HTML of a page, with highlighted code. Goes out: each line of a program in an element
of its own that knows how far it is indented. May not: change what is copied, or touch what a
program printed.
"""

from __future__ import annotations

import re

from sphinx.application import Sphinx

PROGRAM = re.compile(
    r'(<div class="highlight-(?:ipython3?|python3?|bash|console|shell|sh|yaml|pycon)[^>]*>'
    r'<div class="highlight"><pre>)(.*?)(</pre>)',
    re.DOTALL,
)
TAG = re.compile(r"<[^>]*>")
# a long chain of calls may break before a dot and after a bracket or a comma
DOT, AFTER = re.compile(r'(?=<span class="o">\.</span>)'), re.compile(r"(?<=[(\[,]</span>)")


def wrapped(code: str) -> str:
    """The lines of highlighted code (no mark of Pygments goes over a line's end), each in an
    element."""
    lines = []
    for line in code.removesuffix("\n").split("\n"):
        words = TAG.sub("", line)
        broken = AFTER.sub("<wbr>", DOT.sub("<wbr>", line))
        lines.append(
            '<span class="vb-line"'
            f' style="--in:{len(words) - len(words.lstrip())}">{broken}\n</span>'
        )
    return "".join(lines)


def wrap(app: Sphinx, pagename: str, templatename: str, context: dict, doctree) -> None:
    """Wrap the programs of a page that is about to be written."""
    if body := context.get("body"):
        context["body"] = PROGRAM.sub(lambda found: found[1] + wrapped(found[2]) + found[3], body)


def setup(app: Sphinx) -> dict:
    app.connect("html-page-context", wrap)
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}
