"""The first page's figure and the sentence that says what was run: `{summary} figure`,
`{summary} run`.

Comes in: `_build/results.json` and the records of the book's runs, as `studies.summary` reads them.
Goes out: the directive `{summary}`. May not: hold a number of its own, or need a result: without
any, the page says *not run*.
"""

from __future__ import annotations

import json

import pandas as pd
from docutils import nodes
from ledger import NAMES, depend
from sphinx.application import Sphinx
from sphinx.util.docutils import SphinxDirective

import vlmbias as vb
from studies import summary
from vlmbias import paths
from vlmbias.figures import showing
from vlmbias.ledger.results import runs
from vlmbias.notes import NOT_RUN

NAME = "what-counts-as-a-case"  # the figure's anchor
LIMITS = "greenhouse/limits.html"  # from the first page
WIDTH = 4.6  # inches: narrower than the house's, as it stands in a box on a phone, too
# what the share of a panel's rows counts
ASKED = {
    "causalface": "{n} kinds of test between groups, {networks} networks",
    "american_white": "We/They test, {networks} networks",
    "pretraining": "any data family, {n} deals, {networks} networks",
}


def _table() -> pd.DataFrame:
    """What there is to draw; without rows where nothing was run."""
    collected = paths.build() / "results.json"
    table = summary.silence(json.loads(collected.read_text("utf-8")) if collected.exists() else {})
    asked = [ASKED[row["paper"]].format_map(row) for row in table.to_dict("records")]
    return table.assign(
        title=[f"{NAMES[paper]}\n{what}" for paper, what in zip(table["paper"], asked, strict=True)]
    )


def _alt(table: pd.DataFrame) -> str:
    """The same numbers in words."""
    parts = []
    for title, own in table.groupby("title", sort=False):
        said = ", ".join(
            f"{row.cases} {row.rate:.0%} ({row.low:.0%} to {row.high:.0%})"
            for row in own.itertuples()
        )
        parts.append(
            f"{', '.join(title.splitlines())}: {said}; the level allows {own['level'].iloc[0]:.0%}"
        )
    return (
        "How often a test alarms where nothing was planted, by what counts as a case. "
        + ". ".join(parts)
        + "."
    )


def _figure() -> list[nodes.Node]:
    table = _table()
    if table.empty:
        return [
            nodes.paragraph(
                "", "", nodes.emphasis("", f"The figure was {NOT_RUN}.", classes=["vb-not-run"])
            )
        ]
    figure = vb.figures.rates(
        table,
        rate="rate",
        low="low",
        high="high",
        label="cases",
        panel="title",
        group="kind",
        nominal="level",
        value_label="% that alarm where nothing was planted",
    )
    figure.set_figwidth(WIDTH)
    caption = (
        "What a test reports where nothing was planted, by what counts as a case. As statements"
        " about training all these alarms are false; in the first two panels an alarm can be true"
        " of the one network that it is about. Dashed: what the level of the tests allows. Lines:"
        " exact 95 % intervals; in the first panel the lowest and the highest of the tests, whose"
        " median is the point. The test over networks in the second panel keeps its level by"
        " construction; the deals of the third are of one fleet."
    )
    text = showing.to_html(figure, alt=_alt(table), caption=caption, source="greenhouse", name=NAME)
    return [nodes.raw("", text.replace(showing.LIMITS, LIMITS), format="html")]


def _run() -> str:
    """Whether any model but the Greenhouse's was run for one of the three papers."""
    names = summary.models(
        about for name, about, _ in runs() if name.partition("/")[0] in summary.PAGES
    )
    if names is None:
        return f"Which models were run: *{NOT_RUN}*."
    if names:
        return (
            "Models that were run for this edition, beside those of the Greenhouse:"
            f" {', '.join(names)}."
        )
    return (
        "**No CLIP was run for any of this.** It comes from the [Greenhouse](greenhouse/limits),"
        " tiny networks trained here on drawings and on captions that we wrote, and from numbers"
        " that the papers and others have published. The Greenhouse shows what a method can do; it"
        " says nothing about people, and no rate transfers to CLIP."
    )


class Summary(SphinxDirective):
    """`{summary} figure` or `{summary} run`."""

    required_arguments = 1

    def run(self) -> list[nodes.Node]:
        depend(self.env)
        self.env.note_dependency(str(paths.build() / "results.json"))
        if self.arguments[0] == "figure":
            return _figure()
        if self.arguments[0] == "run":
            return self.parse_text_to_nodes(_run())
        raise self.error(f"summary shows figure or run; got {self.arguments[0]}")


def setup(app: Sphinx) -> dict:
    app.add_directive("summary", Summary)
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}
