"""The figures of the three overviews: the directive `{overview}`.

Comes in: the ledger, `_build/results.json`, as `studies.overviews` reads them. Goes out: one
figure, drawn when the book is built; nothing where a chapter that it needs was not run. May not:
draw anything itself.
"""

from __future__ import annotations

import json

from claims_on_pages import depend
from docutils import nodes
from sphinx.application import Sphinx
from sphinx.util.docutils import SphinxDirective

from studies import overviews
from vlmbias import paths
from vlmbias.figures import showing

LIMITS = "greenhouse/limits.html"  # from an overview


class Overview(SphinxDirective):
    """`{overview} pretraining found`, `{overview} pretraining lesson`."""

    required_arguments = 2

    def run(self) -> list[nodes.Node]:
        paper, kind = self.arguments
        if paper not in overviews.FOUND or kind not in overviews.KINDS:
            raise self.error(
                f"overview draws {' or '.join(overviews.KINDS)} of"
                f" {', '.join(overviews.FOUND)}; got {paper!r} {kind!r}"
            )
        collected = paths.build() / "results.json"
        depend(self.env)
        for file in (collected, overviews.__file__):
            self.env.note_dependency(str(file))
        results = json.loads(collected.read_text("utf-8")) if collected.exists() else {}
        one = overviews.figure(paper, kind, results)
        if one is None:
            return []
        text = showing.to_html(
            one.figure, alt=one.alt, caption=one.caption, source=one.source, name=f"{paper}-{kind}"
        )
        return [nodes.raw("", text.replace(showing.LIMITS, LIMITS), format="html")]


def setup(app: Sphinx) -> dict:
    app.add_directive("overview", Overview)
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}
