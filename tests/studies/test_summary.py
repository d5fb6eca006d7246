"""The figure on what counts as one observation: its rows against counting by hand."""

import pytest
import slow

from studies import summary
from vlmbias.notes import NOT_RUN

RESULTS = {
    "greenhouse/sensitivity": {
        **{"alarms.picture": 20.0, "alarms_low.picture": 1.0, "alarms_high.picture": 60.0},
        **{"alarms.identity": 50.0, "alarms_low.identity": 30.0, "alarms_high.identity": 80.0},
        **{"rate.all": 2.0, "rate_all.min": 0.0, "rate_all.max": 6.0},
        **{"tests": 7, "n_null": 39, "level": 5.0},
    },
    "american_white/we_they": {
        **{"hits.faces": 3, "hits.words": 15, "hits.networks": 1},
        **{"n_null": 40, "nominal": 0.05},
    },
    "pretraining/stress": {
        **{"rate.published": 0.63, "rate.one-row": 0.02},
        **{"assignments": 200, "fleet": 60, "contrasts": 9, "nominal": 0.01},
    },
}


def test_every_kind_of_case_has_a_row_with_its_rate_and_what_it_is_of():
    table = summary.null_results(RESULTS).set_index(["paper", "cases"])
    rates = {("causalface", "pictures"): 0.2, ("causalface", "people"): 0.5}
    rates |= {("causalface", "networks"): 0.02, ("american_white", "faces"): 3 / 40}
    rates |= {("american_white", "words"): 15 / 40, ("american_white", "networks"): 1 / 40}
    rates |= {("pretraining", "rows"): 0.63, ("pretraining", "networks"): 0.02}
    assert table["rate"].to_dict() == pytest.approx(rates)
    ends = table.loc["causalface", ["low", "high"]].T.to_dict("list")
    assert ends["people"] == pytest.approx([0.3, 0.8])
    assert ends["networks"] == pytest.approx([0.0, 0.06])
    assert table.groupby("paper")[["n", "networks"]].first().T.to_dict("list") == {
        "causalface": [7, 39],
        "american_white": [40, 40],
        "pretraining": [200, 60],
    }
    of_networks = table.index.get_level_values("cases") == "networks"
    assert ((table["kind"] == summary.NETWORKS) == of_networks).all()


def test_intervals_are_exact_and_the_level_is_that_of_all_questions_together():
    table = summary.null_results(RESULTS).set_index(["paper", "cases"])
    for case, k, n in (
        (("american_white", "faces"), 3, 40),
        (("american_white", "networks"), 1, 40),
        (("pretraining", "rows"), 126, 200),
        (("pretraining", "networks"), 4, 200),
    ):
        assert tuple(table.loc[case, ["low", "high"]]) == pytest.approx(slow.share_interval(k, n))
    levels = {"causalface": 0.05, "american_white": 0.05, "pretraining": 0.09}
    assert table.groupby("paper")["level"].agg(set).to_dict() == {k: {v} for k, v in levels.items()}


@pytest.mark.parametrize(
    ("page", "name"), [("american_white/we_they", "hits.words"), ("pretraining/stress", "fleet")]
)
def test_a_paper_of_which_something_was_not_run_has_no_rows(page, name):
    less = {key: value for key, value in RESULTS[page].items() if key != name}
    for unfinished in (less, {**RESULTS[page], name: NOT_RUN}):
        table = summary.null_results({**RESULTS, page: unfinished})
        assert set(table["paper"]) == set(summary.PANELS) - {page.split("/")[0]}
    assert "rate" in summary.null_results({})


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
