"""The figure on what counts as one observation: its rows against counting by hand, and against what
the chapters say in words."""

import json
import re

import numpy as np
import pytest
from scipy import stats

from studies import summary
from vlmbias import paths
from vlmbias.notes import NOT_RUN

RESULTS = {
    "greenhouse/sensitivity": {
        "alarms.picture": 20.0,
        "alarms_low.picture": 1.0,
        "alarms_high.picture": 60.0,
        "alarms.identity": 50.0,
        "alarms_low.identity": 30.0,
        "alarms_high.identity": 80.0,
        "rate.all": 2.0,
        "rate_all.min": 0.0,
        "rate_all.max": 6.0,
        "tests": 7,
        "n_null": 39,
        "level": 5.0,
    },
    "american_white/we_they": {
        "hits.faces": 3,
        "hits.words": 15,
        "hits.networks": 1,
        "n_null": 40,
        "nominal": 0.05,
    },
    "pretraining/stress": {
        "rate.published": 0.63,
        "rate.one-row": 0.02,
        "assignments": 200,
        "fleet": 60,
        "contrasts": 9,
        "nominal": 0.01,
    },
}


def without(page, name):
    """The results, less one value."""
    return {**RESULTS, page: {key: value for key, value in RESULTS[page].items() if key != name}}


def by_beta(k, n):
    """Clopper and Pearson's interval from the quantiles of the beta distribution."""
    low = stats.beta.ppf(0.025, k, n - k + 1) if k else 0.0
    return low, stats.beta.ppf(0.975, k + 1, n - k) if k < n else 1.0


def test_every_kind_of_case_has_a_row_with_its_rate_and_what_it_is_of():
    table = summary.null_results(RESULTS).set_index(["paper", "cases"])
    assert table["rate"].to_dict() == pytest.approx(
        {
            ("causalface", "pictures"): 0.2,
            ("causalface", "people"): 0.5,
            ("causalface", "networks"): 0.02,
            ("american_white", "faces"): 3 / 40,
            ("american_white", "words"): 15 / 40,
            ("american_white", "networks"): 1 / 40,
            ("pretraining", "rows"): 0.63,
            ("pretraining", "networks"): 0.02,
        }
    )
    assert table.loc[("causalface", "people"), ["low", "high"]].tolist() == pytest.approx(
        [0.3, 0.8]
    )
    assert table.loc[("causalface", "networks"), ["low", "high"]].tolist() == pytest.approx(
        [0.0, 0.06]
    )
    assert table.groupby("paper")[["n", "networks"]].first().to_dict("index") == {
        "causalface": {"n": 7, "networks": 39},
        "american_white": {"n": 40, "networks": 40},
        "pretraining": {"n": 200, "networks": 60},
    }
    assert (table["kind"] == summary.NETWORKS).tolist() == [
        False,
        False,
        True,
        False,
        False,
        True,
        False,
        True,
    ]


def test_intervals_are_exact_and_the_level_is_that_of_all_questions_together():
    table = summary.null_results(RESULTS).set_index(["paper", "cases"])
    for case, k, n in (
        (("american_white", "faces"), 3, 40),
        (("american_white", "networks"), 1, 40),
        (("pretraining", "rows"), 126, 200),
        (("pretraining", "networks"), 4, 200),
    ):
        assert table.loc[case, ["low", "high"]].tolist() == pytest.approx(by_beta(k, n)), case
    assert table.groupby("paper")["level"].agg(set).to_dict() == {
        "causalface": {0.05},
        "american_white": {0.05},
        "pretraining": {0.09},
    }


def test_a_paper_of_which_something_was_not_run_has_no_rows():
    assert len(summary.null_results({})) == 0
    assert "rate" in summary.null_results({})
    for page, name in (("american_white/we_they", "hits.words"), ("pretraining/stress", "fleet")):
        unfinished = {**RESULTS, page: {**RESULTS[page], name: NOT_RUN}}
        for results in (without(page, name), unfinished):
            kept = set(summary.null_results(results)["paper"])
            assert kept == set(summary.PANELS) - {page.split("/")[0]}


def test_models_are_those_of_the_runs_whose_second_section_ran():
    there, gone = {"available": True}, {"available": False}
    ours = {"models": [], "requires": [], "sources": {}}
    silent = {
        "models": ["RN50/cc12m"],
        "requires": ["weights of RN50/cc12m"],  # it records nothing in the ledger
        "sources": {"weights of RN50/cc12m": there},
    }
    note = {
        "models": ["slip/x"],
        "requires": ["cfd", "slip-weights"],
        "sources": {"cfd": gone, "slip-weights": there},
    }
    assert summary.models([ours, silent, silent, note]) == ["RN50/cc12m"]
    assert summary.models([ours, note]) == []
    assert summary.models([]) is None


def test_the_books_own_figure_agrees_with_the_words_of_its_chapters():
    """The chapters' sentences and intervals were made another way: by `words.among` and scipy's
    binomial test."""
    collected = paths.build() / "results.json"
    results = json.loads(collected.read_text("utf-8")) if collected.exists() else {}
    table = summary.null_results(results).set_index(["paper", "cases"])
    if set(table.index.get_level_values(0)) != set(summary.PANELS):
        pytest.skip("the book was not built, or not all of it was run")
    said = results["american_white/we_they"]
    for cases in ("faces", "words", "networks"):
        k, n = map(int, re.findall(r"\d+", said[f"{cases}.none"].replace("none of", "0 of")))
        row = table.loc[("american_white", cases)]
        assert row["rate"] == pytest.approx(k / n)
        assert (row["low"], row["high"]) == pytest.approx(
            tuple(stats.binomtest(k, n).proportion_ci(0.95))
        )
    fleet = results["pretraining/stress"]
    for cases, rule in (("rows", "published"), ("networks", "one-row")):
        row = table.loc[("pretraining", cases), ["rate", "low", "high"]]
        assert np.allclose(
            row.astype(float), [fleet[f"{end}.{rule}"] for end in ("rate", "low", "high")]
        )
    rate = table["rate"]  # in this order, the page on targets explains them
    assert rate["causalface", "people"] > rate["causalface", "pictures"] > 0.05
    assert rate["american_white", "words"] > 0.05 > rate["american_white", "networks"]
    assert rate["pretraining", "rows"] > 0.09 > rate["pretraining", "networks"]
    assert said["hits.faces"] <= 4, "the page says that so few may be chance"
    lean = results["greenhouse/sensitivity"]
    assert lean["rate.fixed"] > 2 * lean["rate.few"], "so the page on targets says"
    assert table.loc[("causalface", "pictures"), "rate"] == pytest.approx(
        lean["alarms.picture"] / 100
    )
