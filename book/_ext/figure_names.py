"""Let pages refer to a figure by the name given to `vb.figures.show`.

Comes in: pages whose outputs hold `<figure … id="name">`. Goes out: targets for `` {ref}`words <name>` ``.
May not: change a page.
"""

from __future__ import annotations

import re

from docutils import nodes
from sphinx.application import Sphinx

NAMED = re.compile(r'<figure class="vb-figure" id="([^"]+)"')


def note_names(app: Sphinx, doctree: nodes.document) -> None:
    """Tell Sphinx of every named figure of the page that was just read."""
    standard, page = app.env.get_domain("std"), app.env.docname
    for output in doctree.findall(nodes.raw):
        for name in NAMED.findall(output.astext()):
            standard.data["labels"][name] = (page, name, "figure")
            standard.data["anonlabels"][name] = (page, name)


def setup(app: Sphinx) -> dict:
    app.connect("doctree-read", note_names)
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}
