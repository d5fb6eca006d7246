"""What the first page says of the whole book, `` {summary}`checks` ``, `` {summary}`real` `` and
`{summary} run`; the figures of the page on targets, `{summary} figure causalface …`, by paper.

Comes in: the ledger's checks, `_build/results.json` and the records of the book's runs, as
`studies.summary` reads them. Goes out: the directive `{summary}`. May not: hold a number of its
own, or need a result: without any, the page says *not run*.
"""

from __future__ import annotations

import json
import os

import pandas as pd
from claims_on_pages import NAMES, depend
from docutils import nodes
from sphinx.application import Sphinx
from sphinx.util.docutils import SphinxDirective, SphinxRole

import vlmbias as vb
from studies import summary, words
from vlmbias import ledger, paths
from vlmbias.external import facts
from vlmbias.figures import showing
from vlmbias.ledger.results import at_hand, runs
from vlmbias.notes import NOT_RUN
from vlmbias.papers import PAPERS
from vlmbias.sources.catalogue import catalogue

ABOUT = {name for name, paper in PAPERS.items() if not paper.part}
NAME = "what-counts-as-a-case"  # the figure's anchor
LIMITS = "book/greenhouse/limits"
WIDTH = 4.6  # inches: narrower than the house's, for a phone
WHY = (
    "The models are large downloads, and the papers' faces have to be requested. The book contains"
    " neither"
)
PLACES = (
    "four chapters: [same data](../notebooks/real/same_data.ipynb),"
    " [other data](../notebooks/real/other_data.ipynb), [faces](../notebooks/real/faces.ipynb) and"
    " [answers](../notebooks/real/answers.ipynb)"
)
COMMAND = (
    "With an internet connection, [one command](first-light) downloads what is free and runs it."
)


def _table() -> pd.DataFrame:
    """What there is to draw; without rows where nothing was run."""
    collected = paths.build() / "results.json"
    table = summary.null_results(
        json.loads(collected.read_text("utf-8")) if collected.exists() else {}
    )
    return table.assign(title=table["paper"].map(NAMES) + "\n" + table["title"])


def _alt(table: pd.DataFrame) -> str:
    """The same numbers in words."""
    parts = []
    for title, own in table.groupby("title", sort=False):
        listed = ", ".join(
            f"{row.cases} {row.rate:.0%} ({row.low:.0%} to {row.high:.0%})"
            for row in own.itertuples()
        )
        parts.append(
            f"{', '.join(title.splitlines())}: {listed}; the significance level allows"
            f" {own['level'].iloc[0]:.0%}"
        )
    return (
        "How often a test is significant where nothing was planted, by what counts as one"
        " observation. " + ". ".join(parts) + "."
    )


def _figure(page: str, papers: list[str]) -> list[nodes.Node]:
    table = _table()
    table = table[table["paper"].isin(papers)]
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
        value_label="% significant where nothing was planted",
    )
    figure.set_figwidth(WIDTH)
    shown = table["paper"].unique()
    lines = "; ".join(
        f"for {NAMES[paper]}, {summary.PANELS[paper].lines}"
        if len(shown) > 1
        else summary.PANELS[paper].lines
        for paper in shown
    )
    caption = (
        "How often a test is significant where nothing was planted. Dashed: what the significance"
        f" level allows. Points and lines: {lines}."
    )
    name = f"{NAME}-{papers[0]}"
    text = showing.to_html(figure, alt=_alt(table), caption=caption, source="greenhouse", name=name)
    place = os.path.relpath(f"{LIMITS}.html", os.path.dirname(page))
    return [nodes.raw("", text.replace(showing.LIMITS, place), format="html")]


def _checks(audited: pd.DataFrame) -> str:
    """How many of the checks of printed numbers hold, and whether one that does not touches a
    conclusion.

    Parameters
    ----------
    audited : a row per check, with its verdict and, where it does not hold, its severity.
    """
    n, hold = len(audited), int((audited["verdict"] == "consistent").sum())
    made = f"We made {n:,} checks, such as a percentage against its count;"
    if hold == n:
        return f"{made} all hold."
    percent = round(100 * hold / n)
    plain = 0 < percent < 100
    share = f"{made} " + (f"{percent} %" if plain else f"{hold:,} of them")
    touched = int((audited["severity"] == "conclusion").sum())
    if n - hold == 1:
        return (
            f"{share} hold. The other one is listed with its cause, and in our reading it touches"
            f" {'a' if touched else 'no'} headline conclusion."
        )
    some = "one of them touches" if touched == 1 else f"{touched:,} of them touch"
    return (
        f"{share} hold. The others are listed with their causes, and in our reading"
        f" {some if touched else 'none of them touches'} a headline conclusion."
    )


def _models() -> list[str] | None:
    """The models but the Greenhouse's that were run for a paper of the book; None without runs."""
    return summary.models(about for name, about, _ in runs() if name.partition("/")[0] in ABOUT)


def real_models() -> dict[str, list[str]]:
    """The real models whose results others published and the book shows, by kind, each once."""
    labels = facts.table("race_labels").query("compared == 'label sets'")
    trained = labels[["architecture", "of"]].drop_duplicates()
    return {
        "CLIP models of OpenAI": list(facts.table("clip_image_tests")["model"].unique()),
        "MobileCLIPs": list(facts.table("mobileclip_faces")["model"].unique()),
        "other models of open_clip": [
            f"{one.architecture} {one.of}" for one in trained.itertuples() if one.of != "openai"
        ],
        "models that answer questions": list(facts.table("answers")["model"].unique()),
    }


def _real() -> str:
    """How many real models these are."""
    return str(sum(map(len, real_models().values())))


def _run() -> str:
    """Which models but the Greenhouse's were run for a paper of the book, and why not more."""
    done = list(runs())
    names = _models()
    if names is None:
        return f"Which models were run: *{NOT_RUN}*."
    if names:
        return (
            "These models were run for this edition, beside those of the Greenhouse:"
            f" {', '.join(names)}. {WHY}. {COMMAND}"
        )
    here = {key for _, about, _ in done for key in at_hand(about)}
    offline = not any(catalogue()[key].open for key in here)
    where = (
        ", and the machine that built this edition has no internet connection" if offline else ""
    )
    kinds = [f"{len(models)} {kind}" for kind, models in real_models().items()]
    return (
        f"**We ran no CLIP model for this edition.** {WHY}{where}. {COMMAND}\n\nWhat the book shows"
        f" of {_real()} real models are results that others published: of {words.listed(kinds)}."
        f" They stand in {PLACES}."
    )


class Summary(SphinxDirective):
    """`{summary} run`, or `{summary} figure` and the papers that are shown."""

    required_arguments, optional_arguments = 1, len(ABOUT)

    def run(self) -> list[nodes.Node]:
        depend(self.env)
        self.env.note_dependency(str(paths.build() / "results.json"))
        view, *papers = self.arguments
        if view == "figure" and papers and set(papers) <= ABOUT:
            return _figure(self.env.docname, papers)
        if view == "run":
            return self.parse_text_to_nodes(_run())
        raise self.error(
            f"summary shows run, or figure and papers ({', '.join(sorted(ABOUT))}); got"
            f" {' '.join(self.arguments)}"
        )


class Sentence(SphinxRole):
    """In a sentence: `` {summary}`checks` ``, how many checks of printed numbers hold;
    `` {summary}`real` ``, of how many real models results of others are shown."""

    def run(self) -> tuple[list[nodes.Node], list[nodes.system_message]]:
        if self.text not in {"checks", "real"}:
            message = self.inliner.reporter.error(
                f"the role summary says checks or real; got {self.text!r}", line=self.lineno
            )
            return [self.inliner.problematic(self.rawtext, self.rawtext, message)], [message]
        depend(self.env)
        self.env.note_dependency(str(paths.build() / "results.json"))
        if self.text == "real":
            return [nodes.inline(self.rawtext, _real())], []
        audited = ledger.audit()
        return [nodes.inline(self.rawtext, _checks(audited[audited["rule"] != ""]))], []


def setup(app: Sphinx) -> dict:
    app.add_directive("summary", Summary)
    app.add_role("summary", Sentence())
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}
