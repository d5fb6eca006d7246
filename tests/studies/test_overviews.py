"""The overviews: figures show printed numbers and results, and every claim says four things."""

import re

import matplotlib.pyplot as plt
import pytest
from overlaps import overlaps

from studies import overviews
from studies.overviews import authors
from vlmbias import ledger, paths
from vlmbias.notes import NOT_RUN

PARTS = ("> ", "**In short:**", "**Do the numbers agree?**", "**What would settle it.**")
EVIDENCE = r"\*\*(What we tested|What one may doubt|By calculation|In real models)|In drawings"
SHARES = {"published": (0.5, 0.4, 0.6), "one-row": (0.02, 0.01, 0.04)}
RESULTS = {
    "greenhouse/sensitivity": {
        **{f"gap.{k}": gap for k, gap in enumerate((0.4, -0.3, 0.1, -0.5))},
        **{f"gap_half.{k}": 0.2 for k in range(4)},
        **{"gap_mean": -0.08, "gap_mean_half": 0.6},
        **{"n_null": 4, "favoured": "amber", "disfavoured": "violet"},
    },
    "pretraining/stress": {
        **{
            f"{fleet}{end}.{rule}": value
            for fleet in ("", "second.")
            for rule, values in SHARES.items()
            for end, value in zip(("rate", "low", "high"), values, strict=True)
        },
        **{"fleet": 60, "recipe": 58, "assignments": 400, "contrasts": 9},
    },
    "american_white/vqa": {
        **{"most.planted": 0.8, "most.odds": 0.78, "most.rate": 0.97},
        **{"least.planted": 0.3, "least.odds": 0.31, "least.rate": 0.02},
        **{"top": "amber", "bottom": "teal", "networks": 9},
    },
}
READ = {
    "causalface": "greenhouse/sensitivity",
    "american_white": "american_white/vqa",
    "pretraining": "pretraining/stress",
}


def page(paper):
    return (paths.root() / "book" / f"{paper}.md").read_text("utf-8")


def sections(paper):
    """The claims of a page, heading and text."""
    text = page(paper).partition("claims, one by one")[2].partition("\n## ")[0]
    return re.findall(r"^### (.+?)\n(.*?)(?=^### |\Z)", text, re.MULTILINE | re.DOTALL)


@pytest.fixture(scope="module")
def drawn():
    return {
        (paper, kind): overviews.figure(paper, kind, RESULTS)
        for paper in overviews.FOUND
        for kind in overviews.KINDS
    }


def test_every_figure_has_words_and_nothing_in_it_hides_another(drawn):
    for name, one in drawn.items():
        assert len(one.alt) > 60 and one.caption.endswith("."), name
        assert overlaps(one.figure) == [], name
    plt.close("all")


def test_the_regression_holds_every_printed_coefficient():
    table = authors.coefficients().set_index("name")
    card = ledger.scorecard()
    records = [one for one in card["id"] if one.startswith("upstream.") and one.endswith(".coef")]
    assert len(table) == len(records) - 1  # the intercept is not drawn
    dfn = table.loc["DFN"]
    assert [f"{dfn[end]:.3f}" for end in ("coef", "low", "high")] == [
        ledger.claim(f"upstream.dataset.dfn.{end}").value for end in ("coef", "low", "high")
    ]
    assert (table["low"] < table["coef"]).all()
    assert (table["coef"] < table["high"]).all()
    for _, own in table.groupby("factor"):
        assert own["coef"].is_monotonic_decreasing


def test_what_is_never_said_counts_as_zero_and_other_words_as_no_number():
    assert authors.number("captions.white.none") == 0
    assert authors.number("vqa.american.asian") == pytest.approx(2.8)
    with pytest.raises(ValueError, match="could not convert"):
        authors.number("captions.order")


def test_a_lesson_shows_what_its_chapter_found(drawn):
    accidents = drawn["causalface", "lesson"]
    assert "4 null networks. Significant: amber higher in 1, violet in 2." in accidents.alt
    lines = {one.get_label(): one for one in accidents.figure.axes[0].containers}
    shown = {label: list(one.lines[0].get_ydata()) for label, one in lines.items()}
    assert shown == {
        "amber higher": [0.4],
        "violet higher": [-0.5, -0.3],
        "not significant": [0.1],
        "mean of all": [-0.08],
    }
    assert "97%" in drawn["american_white", "lesson"].alt
    assert "50.0%" in drawn["pretraining", "lesson"].alt
    texts = [text.get_text() for text in drawn["american_white", "lesson"].figure.axes[0].texts]
    assert texts == ["50 points", "47 points", "95 points"]


@pytest.mark.parametrize("paper", overviews.FOUND)
def test_every_claim_is_quoted_checked_tested_and_linked_to_its_chapter(paper):
    found = sections(paper)
    assert found
    for heading, text in found:
        places = [text.find(part) for part in PARTS]
        assert -1 not in places and re.search(EVIDENCE, text), heading
        assert places[:2] == sorted(places[:2]) and max(places) == places[-1], heading
        assert re.search(r"^> \((Abstract|Section \d)", text, re.MULTILINE), heading
        chapters = re.findall(r"\]\(\.\./(notebooks/\w+/\w+)\.ipynb\)", text[places[-1] :])
        assert chapters, heading
        assert all((paths.root() / f"{one}.py").is_file() for one in chapters), heading


@pytest.mark.parametrize("paper", overviews.LESSON)
def test_a_lesson_whose_chapter_lacks_a_result_is_not_drawn(paper):
    chapter, uses = READ[paper], ("assignments", "contrasts", "fleet", "recipe", "networks")
    assert overviews.figure(paper, "lesson", {}) is None
    for key in RESULTS[chapter]:
        less = {**RESULTS, chapter: {**RESULTS[chapter], key: NOT_RUN}}
        if not key.startswith(uses):
            assert overviews.figure(paper, "lesson", less) is None, key


@pytest.mark.parametrize("paper", overviews.FOUND)
def test_no_paragraph_in_the_open_holds_many_results(paper):
    """Numbers that are many stand in a table."""
    text = re.sub(r"^:::\{dropdown\}.*?^:::$", "", page(paper), flags=re.MULTILINE | re.DOTALL)
    for paragraph in text.split("\n\n"):
        table = paragraph.startswith("| ")
        assert table or len(re.findall(r"\{(?:result|claim)\}`", paragraph)) <= 5, paragraph


def test_captions_count_what_is_drawn(drawn):
    table = authors.coefficients()
    assert f" {(table['p'] < 0.01).sum()} coefficients" in drawn["pretraining", "found"].caption
    smile = authors.opposites().query("attribute == 'smile'")["r"]
    assert f"{(smile < 0).sum()} of the {len(smile)}" in drawn["causalface", "found"].caption
