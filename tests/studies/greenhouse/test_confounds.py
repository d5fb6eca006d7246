"""Four estimates, on made-up samples in which attributes go together and effects are known."""

from itertools import product

import numpy as np
import pandas as pd
import pytest
import worlds
from scipy import stats

from greenhouse.retrained import COLUMNS, Scores
from greenhouse.world import grammar as grammars
from greenhouse.world import grid, truth
from studies.greenhouse import confounds
from studies.greenhouse.confounds import DIMENSIONS, UNRECORDED

SPOKEN = grammars.load()
BIAS = SPOKEN.bias
RNG = np.random.default_rng(6)
BETA = RNG.normal(size=(4, 8))  # of age, smiling, lighting and the garment, per dimension


def found_faces(n=260, seed=3):
    """An uncontrolled sample with the columns of `score_images`, and the looks that no data set
    records."""
    table = grid.fairface(n, seed).assign(set="fairface", subset="observational", leak=0.0)
    return BIAS.with_looks(table).reset_index(drop=True)


def read(rows, networks=3, gap=0.0):
    """What networks show: effects of BETA, scaled by the network, plus noise; `gap` per hue."""
    rng = np.random.default_rng(9)
    x = np.column_stack(
        [BIAS.feature(name, rows) for name in ("age", "smiling", "lighting", UNRECORDED)]
    )
    hue = pd.Categorical(rows["race"], grid.HUES).codes[:, None]
    scale = np.arange(1, networks + 1)[:, None, None]
    return scale * (x @ BETA + gap * hue)[None] + 0.05 * rng.normal(size=(networks, len(rows), 8))


FOUND = found_faces()


def world():
    """Portraits as the readers return them: a grid with series of four identities, leaks of two of
    them, a sample."""
    table = grid.causalface(5).assign(set="grid", leak=0.0)
    table = table[table["seed"].lt(4) | table["subset"].eq("prototype")]
    two = table[table["seed"].lt(2)].assign(set="leak")
    leaking = [
        two[two["subset"].isin([name, "prototype"])].assign(subset=name, leak=leak)
        for name, leak in product(("age", "smiling"), (0.5, 1.0))
    ]
    images = pd.concat([table, *leaking, FOUND.drop(columns=BIAS.looks)], ignore_index=True)
    rng = np.random.default_rng(2)
    networks = worlds.networks([0, 1, 0, 1, 1, 0], rng=rng, condition=["none"] * 5 + ["neutral"])
    networks = networks.assign(shows=networks.index != 4)
    scores = rng.normal(0.3, 0.02, (6, len(images), len(COLUMNS))).astype(np.float32)
    return Scores(networks, images, scores, COLUMNS)


PORTRAITS = world()
SEEN = confounds.everything(PORTRAITS, BIAS)
SAMPLES = {"fairface": confounds.sample(SEEN.images, "fairface", youngest=20)}


def test_everything_is_what_the_networks_that_saw_all_sets_make_of_it():
    assert SEEN.networks["seed"].tolist() == [5, 6, 7, 8]
    assert SEEN.dimensions == DIMENSIONS
    k = COLUMNS.index("neutral")
    assert np.allclose(
        SEEN.logits[2, :, 3],
        SEEN.networks["logit_scale"][2] * (PORTRAITS.scores[2, :, 3] - PORTRAITS.scores[2, :, k]),
        atol=1e-5,
    )
    assert np.allclose(SEEN.images[UNRECORDED], BIAS.feature(UNRECORDED, PORTRAITS.images))
    used = SEEN.images[SAMPLES["fairface"]]
    by_hand = FOUND[(FOUND["race"] != "lime") & (FOUND["years"] >= 20)]
    assert sorted(used["seed"]) == sorted(by_hand["seed"])
    assert 0 < len(used) < len(FOUND)


def test_series_are_of_the_leaking_identities_or_of_all_others():
    images = SEEN.images
    for name, others in product(("age", "smiling"), (False, True)):
        rows = images[confounds.series(images, name, others=others)]
        assert set(rows["set"]) == {"grid"}
        assert set(rows["subset"]) == {name, "prototype"}
        assert set(rows["seed"]) == ({2, 3} if others else {0, 1}), (
            "the fifth identity has no series"
        )
    rows = images[confounds.series(images, "age", leak=0.5)]
    assert set(rows["set"]) == {"leak"}
    assert set(rows["leak"]) == {0.5}
    assert set(rows["subset"]) == {"age"}


def least_squares(y, columns):
    return np.linalg.lstsq(np.column_stack([*columns, np.ones(len(y))]), y, rcond=None)[0][0]


def slow_matched(y, x, high, low, strata, near):
    """Every face with its nearest of the other side and its own stratum, both ways."""
    near = (near - near.mean(axis=0)) / near.std(axis=0)
    gaps, steps = [], []
    for one, sides in ((1, (high, low)), (-1, (low, high))):
        for face in np.flatnonzero(sides[0]):
            partners = np.flatnonzero(sides[1] & (strata == strata[face]))
            if len(partners):
                partner = partners[np.argmin(((near[partners] - near[face]) ** 2).sum(axis=1))]
                gaps.append(one * (y[face] - y[partner]))
                steps.append(one * (x[face] - x[partner]))
    return np.mean(gaps), np.mean(steps)


@pytest.mark.parametrize("name", ["age", "smiling"])
def test_effects_of_an_attribute_four_ways(name):
    shown = read(FOUND)
    found = confounds.effect_estimates(shown, FOUND, BIAS, name)
    x, other = (BIAS.feature(one, FOUND) for one in (name, "smiling" if name == "age" else "age"))
    groups = (FOUND["race"] + FOUND["gender"]).to_numpy()
    light, turned, garment = (
        BIAS.feature(one, FOUND) for one in ("lighting", "turned", UNRECORDED)
    )
    known = [
        *((groups == group).astype(float) for group in sorted(set(groups))[1:]),
        other,
        light,
        turned,
        other**2,
    ]
    near = np.column_stack([other, light, turned])
    high, low = x > np.quantile(x, 2 / 3), x < np.quantile(x, 1 / 3)
    for network, k in ((0, 0), (2, 5)):
        y = shown[network, :, k]
        gap, step = slow_matched(y, x, high, low, groups, near)
        slow = {
            "naive": stats.linregress(x, y).slope,
            "adjusted": least_squares(y, [x, *known]),
            "matched": gap / step,
            "all known": least_squares(y, [x, *known, garment]),
        }
        assert {method: values[network, k] for method, values in found.items()} == pytest.approx(
            slow
        )
    truly = np.arange(1, 4)[:, None] * BETA[0 if name == "age" else 1]
    missed = {method: np.abs(values - truly).max() for method, values in found.items()}
    assert missed["all known"] < 0.05 < 0.1 < missed["adjusted"], (
        "only who knows the garment finds it"
    )


def test_no_stratum_with_both_sides_is_an_error():
    high, strata = np.array([True, False]), np.array(["a", "b"])
    with pytest.raises(ValueError, match="no stratum has faces of both sides"):
        confounds.nearest(high, ~high, strata, np.array([[0.0], [1.0]]))


def test_what_is_planted_is_the_mean_change_of_log_odds_per_half_range():
    rows = FOUND.head(40)
    for name, b in (("age", 1.0), ("smiling", 0.0)):
        half = BIAS.features[name]["half_range"]
        slow = []
        for place in range(0, 40, 20):
            face = rows.iloc[[place]]
            moved = [face.assign(**{name: face[name] + sign * 1e-3 * half}) for sign in (1, -1)]
            more, less = (truth.per_face(SPOKEN, one, b, axes=DIMENSIONS) for one in moved)
            slow.append((more.to_numpy()[0] - less.to_numpy()[0]) / 2e-3)
        found = confounds.planted_effect(SPOKEN, rows.iloc[::20], name, b)
        assert found == pytest.approx(np.mean(slow, axis=0), abs=2e-3)
        assert np.abs(found).max() > 0.2
    assert np.allclose(
        confounds.log_odds(SPOKEN, rows, 0.5), truth.per_face(SPOKEN, rows, 0.5, axes=DIMENSIONS)
    )


@pytest.mark.parametrize(
    ("column", "other", "first", "second"),
    [("race", "gender", "teal", "violet"), ("gender", "race", *grid.CRESTS)],
)
def test_gaps_between_groups_four_ways(column, other, first, second):
    shown = read(FOUND, gap=0.3)
    found = confounds.gap_estimates(shown, FOUND, BIAS, column, first, second)
    here = FOUND[column].isin([first, second]).to_numpy()
    rows = FOUND[here]
    one, strata = (rows[column] == first).to_numpy(), rows[other].to_numpy()
    features = [BIAS.feature(name, rows) for name in ("age", "smiling", "lighting", "turned")]
    known = [(strata == name).astype(float) for name in sorted(set(strata))[1:]]
    known += [*features, features[0] ** 2, features[1] ** 2]
    for network, k in ((0, 0), (2, 5)):
        y = shown[network, here, k]
        slow = {
            "naive": y[one].mean() - y[~one].mean(),
            "adjusted": least_squares(y, [one, *known]),
            "matched": slow_matched(y, y, one, ~one, strata, np.column_stack(features))[0],
            "all known": least_squares(y, [one, *known, BIAS.feature(UNRECORDED, rows)]),
        }
        own = {method: values[network, k] for method, values in found.items()}
        assert own == pytest.approx(slow)


def test_a_planted_gap_is_a_count_of_captions_of_the_same_faces_in_either_group():
    rows = FOUND.head(60)
    counts = [
        truth.counted(SPOKEN, rows.assign(race=hue, all="all"), "all", 0.7, axes=DIMENSIONS)
        for hue in ("amber", "violet")
    ]
    found = confounds.planted_gap(SPOKEN, rows, "race", "amber", "violet", 0.7)
    assert found == pytest.approx((counts[0] - counts[1]).to_numpy()[0])
    assert np.abs(found).max() > 0.2
    none = confounds.planted_gap(SPOKEN, rows, "race", "amber", "violet", 0.0)
    assert none == pytest.approx(0)
