"""The figure of a page on the methods, and the legend of the drawings: the directives
`{primer-figure}` and `{legend}`.

Comes in: a name of `studies.primers.FIGURES`; the drawings of `studies.greenhouse.legend`. Goes
out: the figure, drawn when the book is built. May not: draw anything itself.
"""

from __future__ import annotations

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.util.docutils import SphinxDirective

from studies import primers
from studies.greenhouse import legend
from vlmbias.figures import showing


class PrimerFigure(SphinxDirective):
    """`{primer-figure} association`."""

    required_arguments = 1

    def run(self) -> list[nodes.Node]:
        name = self.arguments[0]
        if name not in primers.FIGURES:
            raise self.error(f"primer-figure draws {', '.join(primers.FIGURES)}; got {name!r}")
        self.env.note_dependency(primers.__file__)
        drawn = primers.figure(name)
        text = showing.to_html(
            drawn.figure,
            alt=drawn.alt,
            caption=drawn.caption,
            source=drawn.source,
            name=f"primer-{name}",
        )
        return [nodes.raw("", text, format="html")]


class Legend(SphinxDirective):
    """`{legend}`: what the drawings show, and how their captions read."""

    def run(self) -> list[nodes.Node]:
        self.env.note_dependency(legend.__file__)
        text = showing.to_html(
            legend.figure(),
            alt=legend.alternative(),
            caption="One invented person, drawn in four hues and with two crests, and with one"
            " other thing changed. Above each face, in quotation marks, stands one caption of"
            " those that a network learns from.",
            source="greenhouse",
            name="greenhouse-legend",
        )
        return [nodes.raw("", text.replace(showing.LIMITS, "#"), format="html")]


def setup(app: Sphinx) -> dict:
    app.add_directive("primer-figure", PrimerFigure)
    app.add_directive("legend", Legend)
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}
