"""Table 2 with made-up cells; p-values are computed again from summaries, one at a time."""

from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest
from scipy import stats

import vlmbias as vb
from audit.printed import parse
from studies.american_white import we_they

SIZES = {"n-white": "90", "n-asian": "50", "n-black": "70", "n-latina": "40"}
# per network and group: d, p
CELLS = {
    "blip": [(".60", "< 10⁻²"), (".80", "< 10⁻³"), ("−.50", "< 10⁻¹")],
    "clip": [(".02", "n.s."), (".70", "< 10⁻⁹"), (".55", "< 10⁻⁴")],
    "slip": [("−.90", "< 10⁻⁵"), (".40", "< 10⁻¹⁹"), (".24", "< 10⁻¹")],
}


def claim(name):
    """As `vb.ledger.claim`."""
    key = name.removeprefix("we_they.")
    if key in SIZES:
        return SimpleNamespace(value=SIZES[key], printed=parse(SIZES[key]), subject="")
    network, group, quantity = key.split(".")
    d, p = CELLS[network]["abl".index(group[1])]
    value = d if quantity == "d" else p
    return SimpleNamespace(value=value, printed=parse(value), subject=f"{network} {group}")


@pytest.fixture(scope="module")
def cells():
    return we_they.printed_cells(claim, "we_they")


@pytest.fixture(scope="module")
def readings(cells):
    return we_they.readings(cells).set_index(["cell", "tail"])


def test_the_table_has_each_cell_with_its_own_sizes(cells):
    assert cells["cell"].tolist() == [
        f"{network} w{letter}" for network in CELLS for letter in "abl"
    ]
    assert cells["n_x"].unique() == [90]
    assert cells["n_y"].tolist() == [50, 70, 40] * 3
    assert cells["number"].tolist() == [0.6, 0.8, -0.5, 0.02, 0.7, 0.55, -0.9, 0.4, 0.24]
    assert cells["power"].fillna(0).tolist() == [-2, -3, -1, 0, -9, -4, -5, -19, -1]
    assert cells.loc[3, ["text", "p", "network"]].tolist() == [".02", "n.s.", "CLIP"]
    assert (cells.loc[6, "low"], cells.loc[6, "high"]) == we_they.implied(-0.9, 90, 50)


def test_groups_of_two_genders_give_the_d_of_their_portraits():
    rng, rows, scores = np.random.default_rng(2), [], {}
    for race, n in {"Asian": 30, "Black": 50, "Latino": 25, "White": 40}.items():
        halves = rng.normal(len(race), 1 + len(race) / 9, n), rng.normal(0, 2, n // 2)
        scores[race] = np.concatenate(halves)
        for gender, own in zip(("men", "women"), halves, strict=True):
            about = {"unit": "cosine", "what": "neutral", "group": f"{race} {gender}"}
            rows.append(
                about | {"model": "m", "n": len(own), "mean": own.mean(), "sd": own.std(ddof=1)}
            )
    table = pd.DataFrame(rows)
    others = [table.assign(what="angry", mean=9.0), table.assign(unit="d", mean=9.0)]
    found = we_they.white_minus(pd.concat([table, *others]), "cosine").set_index("against")
    for race, row in found.iterrows():
        x, y = scores["White"], scores[race]
        assert row["d"] == pytest.approx(vb.effect_size(x, y, pooled=True))
        assert row["p"] == pytest.approx(stats.ttest_ind(x, y, equal_var=False).pvalue)
        assert (row["n_x"], row["n_y"]) == (len(x), len(y))
    assert len(we_they.white_minus(table.assign(group="White men"), "cosine")) == 0


def test_the_implied_interval_holds_the_effect_as_often_as_it_says():
    rng, n = np.random.default_rng(1), 3_000
    x, y = rng.normal(size=(n, 30)) + 1.2, rng.normal(size=(n, 45))
    ends = np.array(
        [
            we_they.implied(d, 30, 45, confidence_level=0.8)
            for d in vb.effect_size(x, y, pooled=True)
        ]
    )
    assert ((ends[:, 0] < 1.2) & (ends[:, 1] > 1.2)).mean() == pytest.approx(0.8, abs=0.02)
    low, high = we_they.implied(0.0, 30, 45)
    assert (low, high) == pytest.approx(
        (-1.96 * np.sqrt(1 / 30 + 1 / 45), 1.96 * np.sqrt(1 / 30 + 1 / 45)), rel=1e-4
    )


def welch(d, n_x, n_y, tail, ratio=1.0):
    pooled = np.sqrt(((n_x - 1) * ratio**2 + n_y - 1) / (n_x + n_y - 2))
    return stats.ttest_ind_from_stats(
        d * pooled, ratio, n_x, 0, 1, n_y, equal_var=False, alternative=tail
    ).pvalue


def ends_of(row):
    """The ends of what prints as d, with either divisor in d and in the test."""
    slack = np.sqrt(min(row.n_x, row.n_y) / (min(row.n_x, row.n_y) - 1))
    return [end * factor for end in (row.d.low, row.d.high) for factor in (slack, 1 / slack)]


def test_bounds_are_judged_by_every_tail(cells, readings):
    for row in cells[cells["power"].notna()].itertuples():
        for tail, (negative, positive) in we_they.TAILS.items():
            own, side = readings.loc[(row.cell, tail)], positive if row.number > 0 else negative
            p = [welch(d, row.n_x, row.n_y, side) for d in ends_of(row)]
            assert (own["low"], own["high"]) == pytest.approx((min(p), max(p)))
            assert own["equal"] == (own["low"] < 10.0**row.power)
    assert set(readings["equal"]) == {True, False}


def test_one_divisor_in_d_and_in_the_test_holds_fewer_bounds():
    printed = we_they.printed_cells(vb.ledger.claim, "we_they")
    found = we_they.readings(printed).set_index(["cell", "tail"])
    for row in printed[printed["power"].notna()].itertuples():
        ends = [number for number in (row.d.low, row.d.high)]
        x, y = (np.resize([-1.0, 1.0], n) for n in (row.n_x, row.n_y))
        p = []
        for ddof in (0, 1):  # scores with equal SDs and this d, by the definition
            one, other = x / x.std(ddof=ddof), y / y.std(ddof=ddof)
            for d in ends:
                shifted = one - one.mean() + d, other - other.mean()
                t = d / np.sqrt(sum(own.var(ddof=ddof) / len(own) for own in shifted))
                p.append(stats.t.sf(abs(t), row.n_x + row.n_y - 2))
        assert found.loc[(row.cell, "by its sign"), "alike"] == (min(p) < 10.0**row.power), row.cell
    by_sign = found.xs("by its sign", level="tail")
    assert (by_sign["equal"] | ~by_sign["alike"]).all()
    assert by_sign["alike"].sum() < by_sign["equal"].sum()


def test_the_ratio_is_the_one_nearest_to_equal_spreads(cells, readings):
    found = readings.dropna(subset="ratio")
    assert np.allclose(found.loc[found["equal"], "ratio"], 1)
    assert not found["equal"].all()
    rows = {row.cell: row for row in cells.itertuples()}
    for (cell, tail), own in found[~found["equal"]].iterrows():
        row = rows[cell]
        side = we_they.TAILS[tail][int(row.number > 0)]
        nearer = own["ratio"] ** 0.97
        for ratio, holds in ((own["ratio"], True), (nearer, False), (1 / nearer, False)):
            assert (
                min(welch(d, row.n_x, row.n_y, side, ratio) for d in ends_of(row)) < 10.0**row.power
            ) == holds
    impossible = readings.loc[("slip wb", "two-sided")]
    assert not impossible["free"]
    assert np.isnan(impossible["ratio"])


def test_an_order_of_magnitude_is_no_bound(readings):
    for own in readings.dropna(subset="power").itertuples():
        whole = range(int(np.floor(np.log10(own.low))), int(np.floor(np.log10(own.high))) + 1)
        assert own.magnitude == (own.power in whole)
    assert readings["magnitude"].any()


@pytest.mark.parametrize(
    ("d", "n_x", "n_y"),
    [(-1.09, 183, 108), (0.3, 40, 90), (2, 30, 30)],
)
def test_no_two_sds_give_a_p_below_the_bound_and_some_come_near(d, n_x, n_y):
    searched = min(
        welch(abs(d), n_x, n_y, "greater", ratio) for ratio in np.geomspace(1e-4, 1e4, 3001)
    )
    bound = we_they.smallest_p(d, n_x, n_y)
    assert bound <= searched * (1 + 1e-9)
    # with t at its limit and the degrees of freedom that it then has, the search is met
    larger = max(n_x, n_y)
    t = abs(d) * np.sqrt(larger * (larger - 1) / (n_x + n_y - 2))
    if n_x == n_y:
        assert bound == pytest.approx(welch(d, n_x, n_y, "greater")) == pytest.approx(searched)
    elif abs(d) > 0.9 and n_x > 100:
        assert searched == pytest.approx(stats.t.sf(t, larger - 1), rel=0.05)
        assert bound == pytest.approx(stats.t.sf(t, n_x + n_y - 2))
