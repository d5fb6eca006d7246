"""Made-up tables in which every law holds, and in which one does not; the printed one against its
sentences."""

import numpy as np
import pandas as pd
import pytest

import vlmbias as vb
from studies.causalface import metrics_printed as printed

ROWS = printed.table(
    {
        f"metrics.{m}.{k}.{s}": "0"
        for k in printed.SETS
        for m in printed.BLOCKS
        for s in (
            "white",
            "black",
            "asian",
            "male",
            "female",
            "race",
            "gender",
            *map("_".join, printed.PAIRS),
        )
    }
).index


def lawful():
    """Three columns in which every law holds exactly: cosines 20 to 24, shares .5 .3 .2 and .6 .4,
    d that add up."""
    own = pd.Series(0.0, ROWS)
    own["markedness"] = [50.05, 1.5, 0.25, 2.9, 6.6]  # 1001, 30 and 5 of 2,000; 87 and 198 of 3,000
    own["cosine"] = [20.0, 24.0, 22.0, 21.5, 22.5]
    own["sc_weat"] = [0.3, 0.7, 0.4, -0.1]
    own["skew"] = [*np.log(3 * np.array([0.5, 0.3, 0.2])), *np.log(2 * np.array([0.6, 0.4]))]
    return pd.DataFrame({name: own for name in printed.SETS.values()})


def broken(values):
    found = printed.laws(values)
    return set(
        zip(found.loc[~found["holds"], "law"], found.loc[~found["holds"], "set"], strict=True)
    )


def test_the_table_has_the_printed_values_in_the_printed_order():
    claims = {
        f"metrics.{metric}.{key}.{subject}": f"{metric} {key} {subject}"
        for key in printed.SETS
        for metric, subject in ROWS
    }
    table = printed.table(claims)
    assert len(table) == 5 + 5 + 4 + 5 + 2 + 2 and list(table) == [
        "CausalFace",
        "FairFace",
        "UTKFace",
    ]
    for (metric, subject), row in table.iterrows():
        assert row.tolist() == [
            f"{metric} {key} {subject}" for key in ("causalface", "fairface", "utkface")
        ]
    assert list(table.loc["markedness"].index) == ["white", "asian", "black", "male", "female"]
    assert printed.numbers(pd.DataFrame({"a": ["−0.11", "-2.5", "3"]}))["a"].tolist() == [
        -0.11,
        -2.5,
        3.0,
    ]


def test_lawful_numbers_break_no_law_and_each_law_is_broken_alone():
    assert broken(lawful()) == set() and len(printed.laws(lawful())) == 3 * 4 + 1
    for law, entry, step in (
        ("balanced", ("cosine", "black"), 0.04),
        ("additive", ("sc_weat", "asian_white"), -0.02),
        ("shares race", ("skew", "asian"), 0.02),
        ("shares gender", ("skew", "male"), 0.02),
        ("counts", ("markedness", "male"), 0.014),
    ):
        name = "CausalFace" if law == "counts" else "UTKFace"
        values = lawful()
        values.loc[entry, name] += step
        assert broken(values) == {(law, name)}


def test_rounding_is_allowed_for_and_no_more():
    for entry, law, slack in (
        (("cosine", "male"), "balanced", 2 * 0.01),
        (("sc_weat", "asian_black"), "additive", 0.015),
    ):
        for step, holds in ((0.99, True), (1.01, False)):
            values = lawful()
            values.loc[entry, "FairFace"] += step * slack
            assert (broken(values) == set()) is holds, (law, step)
    values = lawful()
    values.loc[("skew", "white"), "FairFace"] += (
        0.0099  # half a digit in each of three skews is about a hundredth
    )
    assert broken(values) == set()
    values.loc["skew", "FairFace"] = values.loc["skew", "FairFace"].to_numpy() + 0.0051
    assert broken(values) == {("shares race", "FairFace"), ("shares gender", "FairFace")}


def test_shares_that_do_not_reach_one_are_means_over_queries_and_break_nothing():
    values = lawful()
    values.loc["skew"] = values.loc["skew"].to_numpy() - 0.3
    assert broken(values) == set()


def test_the_whole_numbers_behind_percentages():
    marked = lawful()["CausalFace"]["markedness"]
    counts = printed.counts(marked)
    assert counts.to_dict() == {"white": 1001, "asian": 30, "black": 5, "male": 87, "female": 198}


def test_a_decline_is_told_in_points_and_as_a_ratio():
    values = pd.DataFrame(
        {"FairFace": [60.0, 3.0, 5.0, 0.0, 8.0]},
        index=["white", "asian", "black", "male", "female"],
    )
    own = printed.decline(values).loc["FairFace"]
    assert own["all", "points"] == 60 - 4 and own["all", "times"] == 15
    assert own["races", "points"] == 56 and own["races", "times"] == 15
    own = printed.decline(values.replace(8.0, 2.0)).loc["FairFace"]
    assert (
        own["all", "points"] == 57.5 and own["all", "times"] == 24 and own["races", "times"] == 15
    )


def test_the_printed_table_is_what_the_page_says_of_it():
    claims = vb.ledger.table("causalface/metrics").set_index("claim")["printed"]
    values = printed.numbers(printed.table(claims))
    assert broken(values) == {
        ("balanced", "FairFace"),
        ("balanced", "UTKFace"),
        ("additive", "CausalFace"),
    }
    assert printed.counts(values.loc["markedness", "CausalFace"]).tolist() == [1023, 1, 20, 87, 199]
    decline = printed.decline(values.loc["markedness"])
    ahead = decline.loc["FairFace"] - decline.loc["CausalFace"]
    assert ahead["all", "points"] > 0 > ahead["races", "points"] and ahead["races", "times"] < 0
    assert decline.loc["FairFace", ("races", "points")] == pytest.approx(54.12 - (3.92 + 3.88) / 2)
