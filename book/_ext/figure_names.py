"""Let pages refer to a figure by the name given to `vb.figures.show`; where this edition could not
draw it, the reference says so."""

from __future__ import annotations

import re
from functools import cache

from docutils import nodes
from sphinx.application import Sphinx

from vlmbias import paths

PLACES = re.compile(r'(?:\bname="|^# \()([\w-]+)(?:"|\)=$)', re.MULTILINE)
NAMED = re.compile(r'<figure class="vb-figure" id="([^"]+)"')


def note_names(app: Sphinx, doctree: nodes.document) -> None:
    """Tell Sphinx of every named figure of the page that was just read."""
    standard, page = app.env.get_domain("std"), app.env.docname
    for output in doctree.findall(nodes.raw):
        for name in NAMED.findall(output.astext()):
            standard.data["labels"][name] = (page, name, "figure")
            standard.data["anonlabels"][name] = (page, name)


@cache
def planned() -> frozenset[str]:
    """The names that the notebooks give to figures and places, in this edition or not."""
    sources = [path.read_text("utf-8") for path in (paths.root() / "notebooks").glob("*/*.py")]
    return frozenset(name for text in sources for name in PLACES.findall(text))


def say_not_plotted(
    app: Sphinx, env, node: nodes.Element, contnode: nodes.Element
) -> nodes.Node | None:
    """In place of a reference to a figure that was not drawn, its words."""
    if node.get("reftype") != "ref" or node["reftarget"] not in planned():
        return None
    return nodes.inline("", "", nodes.Text(f"{contnode.astext()} (not drawn in this edition)"))


def setup(app: Sphinx) -> None:
    app.connect("doctree-read", note_names)
    app.connect("missing-reference", say_not_plotted)
