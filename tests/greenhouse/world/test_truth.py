"""The truth: what captions say of a group by counting them, and of a single face by hand."""

import json

import caption_counts as oracle
import numpy as np
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


@pytest.fixture(
    scope="module",
    params=[("race", 1.0, {}, 5), ("gender", 1.0, {"neutral": 1.0}, 10), ("race", 0.0, {}, 5)],
    ids=["hues", "crests, neutral arm", "hues, nothing planted"],
)
def counted_out(request):
    """Some 300,000 captions of 60,000 faces, drawn by the oracle; twice as many for crests, about
    which captions differ less; and what the formula says of the same faces."""
    by, b, arms, rounds = request.param
    found = oracle.count(PEOPLE, by, SLOTS, b, arms=arms, rounds=rounds, seed=5)
    return by, b, arms, found, truth.counted(SPOKEN, PEOPLE, by, b, arms=arms)


def test_counted_is_what_counting_drawn_captions_gives(counted_out):
    _, b, arms, (words, counts, sizes, groups), formula = counted_out
    assert formula.index.tolist() == groups and list(formula) == list(truth.CONTRASTS)
    off, moved = [], 0
    for axis, against in truth.CONTRASTS.items():
        found, error = oracle.contrast(words, counts, sizes, SLOT[axis], axis, against)
        off += list((formula[axis].to_numpy() - found) / error)
        moved += (np.abs(found) > 6 * error).sum()
    assert (
        np.abs(off).max() < 4.5 and 0.4 < np.std(off) < 1.3
    )  # errors of the size that the counts allow
    assert (moved > 5) == bool(b or arms)  # and the comparison has something to find


def test_the_other_truth_is_not_what_counting_gives(counted_out):
    """The mean of log p is more extreme where odds differ a lot between faces: the count tells the
    two apart."""
    by, b, arms, (words, counts, sizes, _), _ = counted_out
    if not b:
        pytest.skip("nothing is planted")
    faces = truth.per_face(SPOKEN, PEOPLE, b, axes=["warmth", "negative_communion"], arms=arms)
    means = faces.groupby(PEOPLE[by]).mean()
    far = [
        np.abs(means[axis] - means[axis].mean() - (found - found.mean())).max() / error.max()
        for axis in means
        for found, error in [oracle.contrast(words, counts, sizes, SLOT[axis], axis, None)]
    ]
    assert max(far) > 6


def slow_per_face(axis, row, everyone, b, arms):
    """log p(caption | face) - log p(caption), one caption at a time, less the same of what the axis
    is set against."""

    def excess(name):
        slot = SPOKEN.slot_of(name) if name != "neutral" else None
        values = []
        for word in SPOKEN.slots[slot][name] if slot else [None]:
            p = []
            for rows in (row, everyone):
                share = SPOKEN.shares(rows, arms=arms)[
                    :, [template.group == (slot or "neutral") for template in SPOKEN.templates]
                ].sum(axis=1)
                said = (
                    np.exp(SPOKEN.log_probabilities(slot, rows, b))[
                        :, SPOKEN.words(slot).index(word)
                    ]
                    if slot
                    else 1
                )
                p.append((share * said).mean())
            values.append(np.log(p[0]) - np.log(p[1]))
        return sum(values) / len(values)

    return excess(axis) - excess(truth.CONTRASTS[axis] or "neutral")


@pytest.mark.parametrize(("b", "arms"), [(1.0, {}), (0.0, {"marking": 0.5})])
def test_per_face_is_what_a_slow_loop_gives(b, arms, everybody_is):
    everyone = PEOPLE.iloc[:500]
    everybody_is(everyone)
    found = truth.per_face(SPOKEN, FEW, b, axes=["we", "arborian", "progressive_belief"], arms=arms)
    assert found.index.equals(FEW.index)
    for axis in found:
        for k in (0, 5):
            expected = slow_per_face(axis, FEW.iloc[[k]], everyone, b, arms)
            assert found[axis].iloc[k] == pytest.approx(expected, abs=1e-9)


def test_where_a_group_is_one_face_both_truths_agree():
    one_each = truth.counted(SPOKEN, FEW, "seed", 1.0)
    np.testing.assert_allclose(
        one_each.to_numpy(), truth.per_face(SPOKEN, FEW, 1.0).to_numpy(), atol=1e-9
    )
    assert one_each.index.tolist() == FEW["seed"].tolist() and np.ptp(one_each["warmth"]) > 0.5


def test_of_many_faces_the_mean_of_logs_lies_below_the_log_of_the_mean():
    """Jensen's inequality, for axes of one word against the neutral prompts, whose share is the
    same for all."""
    found = truth._captions(SPOKEN, ["patriotic"], FEW, 1.0, None)["patriotic"]
    assert np.log(np.exp(found).mean()) > found.mean() + 1e-4


def test_at_b_0_groups_of_the_same_people_do_not_differ():
    people = grid.causalface(1, hues=grid.HUES)
    each = truth.per_face(SPOKEN, people, 0.0)
    for column in ("race", "gender"):
        assert np.ptp(truth.counted(SPOKEN, people, column, 0.0), axis=0).max() < 1e-9
        assert np.ptp(each.groupby(people[column]).mean(), axis=0).max() < 1e-9


def test_only_the_listed_axes_differ_between_groups_at_b_1():
    people = grid.causalface(1, hues=grid.HUES)
    for table in (
        truth.counted(SPOKEN, people, "race", 1.0),
        truth.per_face(SPOKEN, people, 1.0).groupby(people["race"]).mean(),
    ):
        for axis in truth.CONTRASTS:
            assert (np.ptp(table[axis]) > 0.1) == (axis not in SPOKEN.bias.unplanted), axis


def test_both_poles_of_communion_rise_with_lighting_at_every_b():
    """Not one against the other: captions about communion are likelier in good light, whatever they
    say."""
    for b in (0.0, 1.0):
        dim, bright = (
            truth.per_face(SPOKEN, PEOPLE.iloc[:500].assign(lighting=light), b)
            for light in (-1.0, 6.0)
        )
        rise = (bright - dim).mean()
        assert rise["positive_communion"] > 0.3 and rise["negative_communion"] > 0.1
        assert abs(rise["progressive_belief"]) < 1e-9  # no word beside it knows the light


@pytest.mark.parametrize(("arm", "moves"), [("neutral", -1.0), ("marking", 0.0)])
def test_an_arm_moves_what_is_set_against_neutral_captions_by_its_shift(arm, moves):
    """More neutral captions: less of everything beside them. More of traits too: no change. `we` is
    beside `they`."""
    plain, changed = (truth.per_face(SPOKEN, FEW, 0.0, arms=arms) for arms in ({}, {arm: 1.0}))
    shift = SPOKEN.bias.arms["shift"]
    expected = np.array(
        [shift["race"][row.race] + shift["gender"][row.gender] for row in FEW.itertuples()]
    )
    for axis, against in truth.CONTRASTS.items():
        difference = (changed - plain)[axis].to_numpy()
        difference, by_hand = difference - difference.mean(), moves * (expected - expected.mean())
        np.testing.assert_allclose(difference, 0 if against else by_hand, atol=1e-9, err_msg=axis)


def test_gaps_list_every_pair_once_and_change_sign_with_its_order():
    table = truth.counted(SPOKEN, FEW, "race", 1.0, axes=["warmth", "we"])
    forth, back = truth.gaps(table), truth.gaps(table.iloc[::-1])
    assert len(forth) == len(back) == 2 * len(table) * (len(table) - 1) / 2
    backwards = {(row.second, row.first, row.axis): -row.gap for row in back.itertuples()}
    for row in forth.itertuples():
        assert (
            backwards[row.first, row.second, row.axis]
            == row.gap
            == pytest.approx(table.loc[row.first, row.axis] - table.loc[row.second, row.axis])
        )
    assert forth["gap"].abs().max() > 0.1


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
    each = truth.per_face(SPOKEN, PEOPLE, 1.0)
    tables = {
        column: (truth.counted(SPOKEN, PEOPLE, column, 1.0), each.groupby(PEOPLE[column]).mean())
        for column in ("race", "gender")
    }
    for axis, entry in stated["axes"].items():
        assert set(entry["gaps"]) == pairs and entry["against"] == (
            truth.CONTRASTS[axis] or "neutral prompts"
        )
        for pair, both in entry["gaps"].items():
            first, second = pair.split(" - ")
            counted, faces = tables["race" if first in grid.HUES else "gender"]
            assert both["counted"] == pytest.approx(
                counted.loc[first, axis] - counted.loc[second, axis], abs=6e-5
            )
            assert both["per_face"] == pytest.approx(
                faces.loc[first, axis] - faces.loc[second, axis], abs=6e-5
            )
    assert stated["roles"] == SPOKEN.bias.roles and stated["outlier"] == SPOKEN.bias.outlier
    nothing = {axis for axis, entry in stated["axes"].items() if not entry["planted_anything"]}
    assert nothing == set(SPOKEN.bias.unplanted) == set(stated["unplanted"])


@pytest.mark.skipif(
    not (bias.DATA / "retrained" / "study.json").is_file(),
    reason="the study has not been collected",
)
def test_the_shipped_truth_is_the_one_of_the_shipped_table(stated):
    assert json.loads((bias.DATA / "truth.json").read_text(encoding="utf-8")) == stated
