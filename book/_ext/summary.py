"""What the first page says of the whole book, the role and the directive `{summary}`, and the
figures of the page on targets, `{summary} figure causalface …`, by paper."""

from __future__ import annotations

import computed
import pandas as pd
from claims_on_pages import NAMES
from docutils import nodes
from play import markdown_table
from sphinx.application import Sphinx

import vlmbias as vb
from runner.glued_values import collected
from studies import summary, words
from studies.overviews.illustration import Illustration
from vlmbias import ledger
from vlmbias.external import facts, zero_shot
from vlmbias.ledger.results import at_hand, runs
from vlmbias.notes import NOT_RUN
from vlmbias.papers import PAPERS
from vlmbias.sources.catalogue import catalogue

ABOUT = {name for name, paper in PAPERS.items() if not paper.part}
NAME = "what-counts-as-a-case"  # the figure's anchor
WIDTH = 4.6  # inches: narrower than the house's, for a phone
WHY = (
    "The models are large downloads, and the papers' faces have to be requested. The book contains"
    " neither"
)
PLACES = (
    "these chapters: [same data](../notebooks/real/same_data.ipynb),"
    " [other data](../notebooks/real/other_data.ipynb), [faces](../notebooks/real/faces.ipynb) and"
    " [answers](../notebooks/real/answers.ipynb)"
)
PERFORMANCE = "../notebooks/pretraining/downstream.ipynb"
CALIBRATION = "../notebooks/calibration/ieat.ipynb"
COMMAND = (
    "With an internet connection, [one command](first-light) downloads what is free and runs it."
)


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


def _figure(page: str, *papers: str) -> list[nodes.Node]:
    """`{summary} figure` and the papers that are shown."""
    table = summary.null_results(collected()).query("paper in @papers")
    if table.empty:
        said = nodes.emphasis("", f"The figure was {NOT_RUN}.", classes=["vb-not-run"])
        return [nodes.paragraph("", "", said)]
    table = table.assign(title=table["paper"].map(NAMES) + "\n" + table["title"])
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
        f"for {NAMES[paper]}, " * (len(shown) > 1) + summary.PANELS[paper].lines for paper in shown
    )
    caption = (
        "How often a test is significant where nothing was planted. Dashed: what the significance"
        f" level allows. Points and lines: {lines}."
    )
    drawn = Illustration(figure, _alt(table), caption, "greenhouse")
    return computed.figure(page, drawn, name=f"{NAME}-{papers[0]}")


def real_models() -> dict[str, list[str]]:
    """The real models whose results others published and the book shows, by kind, each training
    once."""
    labels = facts.table("race_labels").query("compared == 'label sets'")
    trained = labels[["architecture", "of"]].drop_duplicates()
    theirs = (trained["of"] == "openai").sum()
    return {
        "CLIP models of OpenAI": list(facts.table("clip_image_tests")["model"].unique()),
        "MobileCLIPs (pairs of two recipes, and two without a partner)": list(
            facts.table("mobileclip_faces")["model"].unique()
        ),
        f"other models of open_clip (with {theirs} of OpenAI's, they are the {len(trained)} of the"
        " chapter on answers)": [
            f"{one.architecture} {one.of}" for one in trained.itertuples() if one.of != "openai"
        ],
        "models that answer questions": list(facts.table("answers")["model"].unique()),
    }


def _run() -> str:
    """Which models but the Greenhouse's were run for a paper of the book, and why not more."""
    done = list(runs())
    names = summary.models(about for name, about, _ in done if name.partition("/")[0] in ABOUT)
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
    found = real_models()
    kinds = [f"{len(models)} {kind}" for kind, models in found.items()]
    return (
        f"**We ran no CLIP model for this edition.** {WHY}{where}. {COMMAND}\n\nWhat the book shows"
        f" of people in {sum(map(len, found.values()))} real models are results that others"
        f" published: of {words.listed(kinds)}. They stand in {PLACES}. Two more chapters use"
        f" published results: of the [performance]({PERFORMANCE}) of {len(zero_shot.open_clip())}"
        f" models (some of them the same), and of [tests]({CALIBRATION}) with SimCLR and Image GPT."
    )


def _needs() -> str:
    """How many printed records are about which data and models, as a table."""
    card = ledger.scorecard().query("inferred != 'us'")
    about = card[(card["data"] != "none") | (card["model"] != "none")]
    rows = []
    for data, own in about.groupby("data"):
        models = sorted({one for names in own["model"] for one in names.split(", ")} - {"none"})
        called = (", ".join(f"`{one}`" for one in few) for few in (data.split(", "), models))
        rows.append([*(names.replace("`none`", "–") or "–" for names in called), len(own)])
    rows.sort(key=lambda row: -row[-1])
    return markdown_table(["pictures, words or scores", "models", "printed records"], rows)


def view(page: str, name: str, *papers: str) -> str | list[nodes.Node]:
    """`{summary} run`, `{summary} needs`, or `{summary} figure` and the papers that are shown."""
    if name == "figure" and papers and set(papers) <= ABOUT:
        return _figure(page, *papers)
    if name in ("run", "needs") and not papers:
        return _run() if name == "run" else _needs()
    raise ValueError(f"give run, needs, or figure and papers ({', '.join(sorted(ABOUT))})")


def number(page: str, name: str) -> str:
    """In a sentence: `real`, of how many real models results of others are shown; `checks` of
    printed numbers, and how many per cent of them `hold`."""
    if name == "real":
        return str(sum(map(len, real_models().values())))
    of = ledger.tally(ledger.audit().query("rule != ''"))
    return {"checks": f"{of['n']:,}", "hold": f"{of['hold'] / of['n']:.0%}"}[name]


def setup(app: Sphinx) -> None:
    computed.directive(app, "summary", view)
    computed.role(app, "summary", number)
