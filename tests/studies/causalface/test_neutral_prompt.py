"""The neutral prompt: tests between groups, spreads and gaps by three readings, against slow
versions."""

from itertools import combinations

import numpy as np
import pandas as pd
import pytest
import slow
import worlds
from scipy import stats

import vlmbias as vb
from studies import roles
from studies.causalface import neutral_prompt as study
from vlmbias.papers import CAUSALFACE

DIMENSIONS = CAUSALFACE.dimensions
WHO = roles.named(CAUSALFACE, {})
rng = np.random.default_rng


FACES = worlds.faces(20, WHO.groups, rng=rng(3))
GROUPS = sorted(set(study.groups_of(FACES)))
NO_WORD = {"dimension": "neutral", "word": "", "neutral": True}
WORDS = pd.DataFrame(
    [
        *[
            {"dimension": name, "word": f"{name} {k}", "neutral": False}
            for name in DIMENSIONS
            for k in (0, 1)
        ],
        NO_WORD,
    ]
)


def seen_of(neutral, noise=0.3, slope=1.0):
    """A perception whose words follow the neutral cosine with a slope."""
    draw = rng(7).normal(size=(len(FACES), len(WORDS) - 1)) * noise
    cosines = np.column_stack([slope * np.asarray(neutral)[:, None] + draw, neutral])
    return vb.Perception(FACES, WORDS, cosines, source="", stimuli="causalface", model="one")


def named_of(right=1.0):
    """Labels that fit a face for a share of the faces."""
    labels = ["white", "asian", "black", "male", "female"]
    fits = np.stack(
        [(FACES["race"] == label) | (FACES["gender"] == label) for label in labels], axis=1
    ).astype(float)
    fits[int(right * len(FACES)) :] *= -1
    words = pd.DataFrame(
        [{"dimension": "label", "word": label, "neutral": False} for label in labels] + [NO_WORD]
    )
    return vb.Perception(FACES, words, np.column_stack([fits, rng(2).normal(size=len(FACES))]))


NEUTRAL = 20 + rng(1).normal(size=len(FACES))


def test_values_stand_by_identity_and_group():
    wide = study.by_identity(NEUTRAL, FACES)
    assert wide.shape == (20, 6)
    for row in FACES.assign(value=NEUTRAL).itertuples():
        assert wide.at[row.seed, f"{row.race} {row.gender}"] == row.value
    assert len(study.places(FACES.iloc[1:])) == 19  # an identity that lacks one group is left out


def test_a_group_is_unlike_all_others_only_in_one_direction_and_with_every_p():
    names, differences = range(4), []
    means = np.array([[5.0, 1, 2, 3], [1, 2, 3, 4], [2, 2, 2, 2.0]])
    differences = np.stack([means[:, i] - means[:, j] for i, j in combinations(names, 2)], axis=1)
    small = np.full_like(differences, 0.01)
    assert study.unlike_all(small, differences, 4).tolist() == [
        [1, -1, 0, 0],
        [-1, 0, 0, 1],
        [0, 0, 0, 0],
    ]
    one_large = small.copy()
    one_large[0, 0] = 0.011  # the first against the second
    assert study.unlike_all(one_large, differences, 4)[0].tolist() == [0, 0, 0, 0]
    assert study.unlike_all(one_large, differences, 4, alpha=0.02)[0].tolist() == [1, -1, 0, 0]
    named = {"first": list("aaabbc"), "second": list("bcdcdd")}
    tests = pd.DataFrame({**named, "mean": differences[0], "p": 0.01, "q": 0.5})
    assert (
        study.extremes(tests) == {"above": ["a"], "below": ["b"]}
        and study.extremes(tests, "q")["above"] == []
    )


def test_correlations_and_their_intervals():
    wide = study.by_identity(NEUTRAL, FACES)
    table = study.correlations(wide)
    for row in table.itertuples():
        r = slow.r(wide[row.first], wide[row.second])
        assert (row.r, row.low, row.high) == pytest.approx((r, *slow.r_interval(r, len(wide))))


def test_the_nearest_label_is_the_same_before_and_after_subtracting():
    scores = {"a": np.array([3.0, 1, 2]), "b": np.array([2.0, 5, 1]), "c": np.array([0.0, 0, 9])}
    assert study.nearest(scores, ["a", "b", "c"]) == 1
    assert study.nearest(scores, ["b", "b", "c"]) == pytest.approx(2 / 3)
    for right in (1.0, 0.5):
        for column in ("race", "gender"):
            found = [
                study.own_label(named_of(right), column, beyond_neutral=less)
                for less in (False, True)
            ]
            assert found[0] == found[1] == pytest.approx(right, abs=0.26 * (right < 1) + 1e-9)
    assert np.isnan(study.own_label(seen_of(NEUTRAL), "race", beyond_neutral=False))


def test_narrowing_follows_the_slope_within_groups():
    shifted = NEUTRAL + 3 * (FACES["race"] == "white")  # between groups: must not count
    seen = seen_of(shifted, noise=0.8, slope=0.7)
    table = study.narrowing(seen, n=200, seed=4)
    group = study.groups_of(FACES).to_numpy()
    for dimension, row in table.iterrows():
        w, n = seen.raw()[dimension].to_numpy().copy(), shifted.to_numpy().copy()
        relative, centred = (
            seen.delta(relative=True)[dimension] * n.mean() / 100,
            seen.centred()[dimension],
        )
        parts = [w, n, w - n, relative, centred]
        for name in GROUPS:
            for part in (parts := [np.array(part, float) for part in parts]):
                part[group == name] -= part[group == name].mean()
        w, n, delta, relative, centred = parts
        assert row["slope"] == pytest.approx(np.polyfit(n, w, 1)[0])
        assert row["Δcos"] == pytest.approx(delta.std() / w.std()) and (row["Δcos"] < 1) == (
            row["slope"] > 0.5
        )
        assert row["relative Δcos"] == pytest.approx(relative.std() / w.std())
        assert row["centred"] == pytest.approx(centred.std() / w.std())
        assert row["low"] < row["slope"] < row["high"]
        weights = vb.cluster_weights(FACES["seed"], n_resamples=200, seed=4)
        drawn = [(one * w * n).sum() / (one * n * n).sum() for one in weights]
        assert (row["low"], row["high"]) == pytest.approx(tuple(np.quantile(drawn, [0.025, 0.975])))


def test_transfer_is_the_slope_over_group_means():
    n, w = rng(1).normal(size=(2, 5, 6))
    slopes = study.transfer(n, w)
    assert slopes.shape == (5,)
    assert slopes == pytest.approx(
        [np.polyfit(own, other, 1)[0] for own, other in zip(n, w, strict=True)]
    )
    seen = seen_of(NEUTRAL)
    assert study.adjectives(seen) == pytest.approx(seen.cosines[:, :-1].mean(axis=1))


# --- claims

LEAN = {"asian female": 3.0, "black male": -3.0}


def held(lean=LEAN, *, slope=1.0, noise=0.05, right=1.0, identity=1.0, scale=1.0):
    group = study.groups_of(FACES)
    shared = FACES["seed"].map(
        dict(zip(FACES["seed"].unique(), rng(9).normal(size=20), strict=True))
    )
    own = 4 * rng(8).normal(size=len(FACES))
    neutral = 0.2 + scale * 0.01 * (group.map(lean).fillna(0.0) * 2 + 3 * identity * shared + own)
    return study.claims(seen_of(neutral, noise=noise * 0.01, slope=slope), named_of(right), WHO)


def test_claims_of_appendix_e():
    found = held({"asian female": 8.0, "black male": -8.0})
    broken = [name for name, value in found.items() if value is False]
    assert broken == ["small-bias"]  # a bias that no test can miss is not smaller than the spread
    assert (
        found["p"] == found["s13-p"] < 0.01
        and found["tests"] == 15
        and found["n"] == found["s12-n"] == 20
    )
    assert found["groups"] == 6 and -1 < found["r.smallest"] < found["r.largest"] < 1
    assert {f"neutral_prompt.{name}" for name in found} <= set(
        vb.ledger.table("causalface/neutral_prompt")["claim"]
    )
    assert set(found) > study.OF_PEOPLE


@pytest.mark.parametrize(
    ("change", "name", "value"),
    [
        (dict(lean={"black male": -8.0}), "asian-women", False),
        (dict(lean={"black male": -8.0}), "black-men", True),
        (dict(lean={"asian female": 8.0}), "s13-black-men", False),
        (dict(lean={"asian female": 8.0}), "s13-asian-women", True),
        (dict(lean={}), "bias", False),
        (dict(lean={}), "small-bias", True),
        (dict(slope=0.0, noise=1.0), "narrower", False),
        (
            dict(slope=np.repeat([0.0, *[1.0] * 7], 2)),
            "narrower",
            False,
        ),  # in all dimensions but one
        (dict(slope=0.0, noise=1.0, lean={"asian female": 8.0}), "removed", False),
        (dict(right=0.5), "classifies", False),
        (dict(identity=30.0), "notable-seed", False),
        (dict(scale=1e-9), "across-images", False),
    ],
)
def test_a_claim_follows_what_it_speaks_of(change, name, value):
    assert held(**change)[name] is value


def test_the_p_of_the_two_groups_is_their_largest():
    found, group = held(), study.groups_of(FACES)
    assert sorted(set(group)) == GROUPS
    wide = study.by_identity(100 * seen_of(NEUTRAL).neutral(), FACES)
    two = [
        stats.ttest_rel(wide[one], wide[other]).pvalue
        for one, other in combinations(GROUPS, 2)
        if {"asian female", "black male"} & {one, other}
    ]
    assert len(two) == 9 and study.claims(seen_of(NEUTRAL), named_of(), WHO)["p"] == pytest.approx(
        max(two)
    )
    assert found["p"] < max(two)


# --- retrained networks


IMAGES = pd.concat([FACES, FACES.assign(subset="age")], ignore_index=True)
NETWORKS = worlds.networks(
    [0, 0, 0, 0, 1, 0], rng=rng(4), condition=["none", "none", "x", "x", "none", "y"]
)
PORTRAITS = worlds.panel(IMAGES, NETWORKS, ("adjectives", *DIMENSIONS[:3], "neutral"), rng=rng(4))
ONE = study.shown(PORTRAITS, DIMENSIONS[:3], PORTRAITS.images["subset"] == "prototype")


def test_readings_subtract_the_neutral_prompt_or_the_adjectives():
    scores, scale = PORTRAITS.scores[:, : len(FACES)], PORTRAITS.networks["logit_scale"].to_numpy()
    for network, k in ((0, 2), (5, 1)):
        own = scale[network] * scores[network]
        assert np.allclose(ONE.reading("raw")[network, :, k], own[:, 1 + k])
        assert np.allclose(ONE.reading("Δcos")[network, :, k], own[:, 1 + k] - own[:, 4])
        assert np.allclose(ONE.reading("centred")[network, :, k], own[:, 1 + k] - own[:, 0])
        assert np.allclose(ONE.reading("neutral")[network, :, 0], own[:, 4])
    kept = ONE.where(ONE.networks["b"] == 1)
    assert np.array_equal(kept.raw, ONE.raw[4:5]) and np.array_equal(
        kept.adjectives, ONE.adjectives[4:5]
    )
    assert np.array_equal(kept.neutral, ONE.neutral[4:5]) and kept.networks["b"].tolist() == [1]
    grouped = ONE.of_groups(ONE.neutral)
    for network in range(6):
        assert np.allclose(grouped[network], study.by_identity(ONE.neutral[network], FACES))


def test_arms_are_means_over_networks_beside_what_was_planted():
    asked = []

    def shift(images, arms):
        asked.append(arms)
        (strength,) = arms.values()
        return pd.DataFrame(
            {
                name: strength * factor * (images["race"] == "asian")
                for name, factor in (
                    ("trait", 1.0),
                    ("delta", 2.0),
                    ("centred", 3.0),
                    ("neutral", 4.0),
                )
            }
        )

    contrast = ("race", "asian", "white")
    table = study.by_condition(
        ONE.where(ONE.networks["condition"] != "y"), {"one": contrast}, ["x"], shift
    )
    assert asked == [{"x": 1.0}] and table["strength"].tolist() == [0.0] * 4 + [1.0] * 4
    for row in table.itertuples():
        used = [0, 1] if row.strength == 0 else [2, 3]
        each = study.gap(ONE.reading(row.reading)[used], FACES, contrast)
        own = each.mean(axis=1)
        assert (row.n, row.mean, row.low, row.high) == pytest.approx(
            (2, own.mean(), *slow.mean_interval(own))
        )
        assert (
            row.rms == pytest.approx(np.sqrt((each**2).mean()))
            and row.negative == (each.mean(axis=0) < 0).sum()
        )
        factor = {"raw": 1, "Δcos": 2, "centred": 3, "neutral": 4}[row.reading]
        assert row.planted == pytest.approx(factor * row.strength)
