"""Worked examples and figures that are computed when the book is built: of the pages on methods,
of the three overviews, and the legend of the drawings."""

from __future__ import annotations

import computed
from docutils import nodes
from sphinx.application import Sphinx

from runner.glued_values import collected
from studies import overviews, primer_examples, primers
from studies.greenhouse import legend
from studies.overviews.illustration import Illustration


def value(page: str, text: str) -> nodes.Node:
    """`` {primer}`association.d:.2f` ``: a value of a page's example, and its format."""
    name, _, form = text.partition(":")
    example, _, key = name.partition(".")
    found = format(primer_examples.example(example).values[key], form)
    return nodes.inline("", found, classes=["vb-result"])


def table(page: str, name: str) -> str:
    """`{primer-table} ranking.six`: a table of a page's example."""
    example, _, key = name.partition(".")
    found = primer_examples.example(example).tables[key]
    rows = ([first, *row] for first, row in zip(found.index, found.to_numpy(), strict=True))
    return computed.table([found.index.name or "", *found.columns], rows)


def primer(page: str, name: str) -> list[nodes.Node]:
    """`{primer-figure} association`."""
    if name not in primers.FIGURES:
        raise ValueError(f"the figures are {', '.join(primers.FIGURES)}")
    return computed.figure(page, primers.figure(name), name=f"primer-{name}")


def overview(page: str, paper: str, kind: str) -> list[nodes.Node]:
    """`{overview} pretraining found`, `{overview} pretraining lesson`; nothing where a chapter that
    the figure needs was not run."""
    if paper not in overviews.FOUND or kind not in overviews.KINDS:
        kinds, papers = " or ".join(overviews.KINDS), ", ".join(overviews.FOUND)
        raise ValueError(f"the figures are {kinds} of {papers}")
    drawn = overviews.figure(paper, kind, collected())
    return computed.figure(page, drawn, name=f"{paper}-{kind}") if drawn else []


def drawings(page: str) -> list[nodes.Node]:
    """`{legend}`: what the drawings show, and how their captions read."""
    caption = (
        "One invented person, drawn in four hues and with two crests, and with one other thing"
        " changed. Above each face, in quotation marks, stands one caption of those that a network"
        " learns from."
    )
    drawn = Illustration(legend.figure(), legend.alternative(), caption, "greenhouse")
    return computed.figure(page, drawn, name="greenhouse-legend")


def setup(app: Sphinx) -> None:
    computed.role(app, "primer", value)
    computed.directive(app, "primer-table", table)
    computed.directive(app, "primer-figure", primer)
    computed.directive(app, "overview", overview)
    computed.directive(app, "legend", drawings)
