"""The truth: what captions say of a group by counting them, and of a single face by hand."""

import json

import caption_counts as oracle
import numpy as np
import pandas as pd
import pytest

from greenhouse.world import bias, grammar, grid, truth

SPOKEN = grammar.load()
PEOPLE = truth.population()
FEW = truth.population(12, first_seed=70)
SLOT = {axis: SPOKEN.slot_of(axis) for axis in truth.CONTRASTS}
SLOTS = sorted(set(SLOT.values()))


@pytest.fixture
def everybody_is(monkeypatch):
    """Base rates are those of the given faces."""

    def set_to(people):
        monkeypatch.setattr(truth, "population", lambda: people)
        truth._base.cache_clear()

    yield set_to
    truth._base.cache_clear()


def test_the_population_is_large_enough_and_even():
    assert len(PEOPLE) >= 60_000 and PEOPLE["seed"].is_unique
    assert PEOPLE.groupby(["race", "gender"]).size().between(7_000, 8_000).all()
    for axis, (low, high) in grid.RANGES.items():
        assert PEOPLE[axis].between(low, high).all()
        assert PEOPLE[axis].mean() == pytest.approx((low + high) / 2, abs=0.02 * (high - low))


def test_another_seed_is_another_population_and_the_same_one_the_same():
    one, other = (truth.population(200, seed=seed) for seed in (1, 2))
    truth.population.cache_clear()
    assert one.equals(truth.population(200, seed=1))
    for column in one.columns.drop("seed"):
        assert not one[column].equals(other[column])


@pytest.mark.parametrize(
    ("by", "b", "arms"),
    [("race", 1.0, {}), ("gender", 1.0, {"neutral": 1.0}), ("race", 0.0, {"marking": 0.5})],
)
def test_counted_is_what_counting_captions_comes_to(by, b, arms, everybody_is):
    people = PEOPLE.iloc[::30]
    everybody_is(people)
    formula = truth.counted(SPOKEN, people, by, b, arms=arms)
    *counts, groups = oracle.count(people, by, SLOTS, b, arms)
    assert formula.index.tolist() == groups and list(formula) == list(truth.CONTRASTS)
    for axis, against in truth.CONTRASTS.items():
        expected = oracle.contrast(*counts, SLOT[axis], axis, against)
        np.testing.assert_allclose(formula[axis], expected, atol=1e-6, err_msg=axis)


@pytest.mark.parametrize("arms", [{}, {"marking": 0.5}])
def test_where_a_group_is_one_face_both_truths_agree(arms, everybody_is):
    everybody_is(PEOPLE.iloc[:500])
    each = truth.per_face(SPOKEN, FEW, 1.0, arms=arms)
    one_each = truth.counted(SPOKEN, FEW, "seed", 1.0, arms=arms)
    np.testing.assert_allclose(one_each.to_numpy(), each.to_numpy(), atol=1e-9)
    assert one_each.index.tolist() == FEW["seed"].tolist() and each.index.equals(FEW.index)


def test_only_the_listed_axes_differ_between_groups_at_b_1(everybody_is):
    people = grid.causalface(1, hues=grid.HUES)
    everybody_is(people)
    for table in (
        truth.counted(SPOKEN, people, "race", 1.0),
        truth.per_face(SPOKEN, people, 1.0).groupby(people["race"]).mean(),
    ):
        for axis in truth.CONTRASTS:
            assert (np.ptp(table[axis]) > 0.1) == (axis not in SPOKEN.bias.unplanted), axis


def test_gaps_list_every_pair_once_and_change_sign_with_its_order():
    values = np.random.default_rng(0).normal(size=(4, 2))
    table = pd.DataFrame(values, grid.HUES, columns=["warmth", "we"])
    forth, back = truth.gaps(table), truth.gaps(table.iloc[::-1])
    assert len(forth) == len(back) == 2 * 6
    backwards = {(row.second, row.first, row.axis): -row.gap for row in back.itertuples()}
    for row in forth.itertuples():
        gap = table.loc[row.first, row.axis] - table.loc[row.second, row.axis]
        assert backwards[row.first, row.second, row.axis] == row.gap == pytest.approx(gap)


@pytest.fixture(scope="module")
def stated():
    return json.loads(json.dumps(truth.statement(SPOKEN)))


def test_the_statement_has_every_pair_of_groups_in_both_quantities(stated):
    people = stated["faces"]
    assert people == len(PEOPLE) and set(stated["quantities"]) == {"counted", "per_face"}
    pairs = {
        f"{first} - {second}"
        for levels in (sorted(grid.HUES), sorted(grid.CRESTS))
        for k, first in enumerate(levels)
        for second in levels[k + 1 :]
    }
    some = ["warmth", "we", "arborian"]
    each = truth.per_face(SPOKEN, PEOPLE, 1.0, axes=some)
    tables = {
        column: (
            truth.counted(SPOKEN, PEOPLE, column, 1.0, axes=some),
            each.groupby(PEOPLE[column]).mean(),
        )
        for column in ("race", "gender")
    }
    for axis, entry in stated["axes"].items():
        assert set(entry["gaps"]) == pairs
        assert entry["against"] == (truth.CONTRASTS[axis] or "neutral prompts")
        for pair, both in entry["gaps"].items() if axis in some else ():
            first, second = pair.split(" - ")
            own = tables["race" if first in grid.HUES else "gender"]
            for quantity, table in zip(("counted", "per_face"), own, strict=True):
                gap = table.loc[first, axis] - table.loc[second, axis]
                assert both[quantity] == pytest.approx(gap, abs=6e-5)
    assert stated["roles"] == SPOKEN.bias.roles and stated["outlier"] == SPOKEN.bias.outlier
    nothing = {axis for axis, entry in stated["axes"].items() if not entry["planted_anything"]}
    assert nothing == set(SPOKEN.bias.unplanted) == set(stated["unplanted"])


@pytest.mark.skipif(
    not (bias.DATA / "retrained" / "study.json").is_file(),
    reason="the study has not been collected",
)
def test_the_shipped_truth_is_the_one_of_the_shipped_table(stated):
    assert json.loads((bias.DATA / "truth.json").read_text(encoding="utf-8")) == stated
