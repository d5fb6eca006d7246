"""Made-up samples in which every attribute goes along with another, and networks whose effects are
known."""

from itertools import product

import numpy as np
import pandas as pd
import pytest
from scipy import stats

from greenhouse.retrained import COLUMNS, Scores
from greenhouse.world import grammar as grammars
from greenhouse.world import grid, truth
from studies.greenhouse import confounds
from studies.greenhouse.confounds import DIMENSIONS, METHODS, UNRECORDED
from studies.shown import Shown

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


# --- pictures


def world():
    """Portraits as the readers return them: a grid with series of four identities, leaks of two of
    them, a sample."""
    table = grid.causalface(5)
    table = table[table["seed"].lt(4) | table["subset"].eq("prototype")].assign(
        set="grid", leak=0.0
    )
    leaking = [
        table[table["seed"].lt(2) & table["subset"].isin([name, "prototype"])].assign(
            set="leak", subset=name, leak=leak
        )
        for name, leak in product(("age", "smiling"), (0.5, 1.0))
    ]
    images = pd.concat([table, *leaking, FOUND.drop(columns=BIAS.looks)], ignore_index=True)
    networks = pd.DataFrame(
        {
            "condition": ["none"] * 5 + ["neutral"],
            "b": [0.0, 1.0, 0.0, 1.0, 1.0, 0.0],
            "shows": [True] * 4 + [False, True],
            "seed": range(6),
            "logit_scale": 10.0,
        }
    )
    scores = (
        np.random.default_rng(2)
        .normal(0.3, 0.02, (6, len(images), len(COLUMNS)))
        .astype(np.float32)
    )
    return Scores(networks, images, scores, COLUMNS)


PORTRAITS = world()
SEEN = confounds.everything(PORTRAITS, BIAS)
SAMPLES = {"fairface": confounds.sample(SEEN.images, "fairface", youngest=20)}


def test_everything_is_what_the_networks_that_saw_all_sets_make_of_it():
    assert SEEN.networks["seed"].tolist() == [0, 1, 2, 3] and SEEN.dimensions == DIMENSIONS
    k = COLUMNS.index("neutral")
    assert np.allclose(
        SEEN.logits[2, :, 3],
        10 * (PORTRAITS.scores[2, :, 3] - PORTRAITS.scores[2, :, k]),
        atol=1e-5,
    )
    assert np.allclose(SEEN.images[UNRECORDED], BIAS.feature(UNRECORDED, PORTRAITS.images))
    used = SEEN.images[SAMPLES["fairface"]]
    by_hand = FOUND[(FOUND["race"] != "lime") & (FOUND["years"] >= 20)]
    assert sorted(used["seed"]) == sorted(by_hand["seed"]) and 0 < len(used) < len(FOUND)
    assert [b for b, _ in confounds.by_strength(SEEN)] == [1.0, 0.0]
    assert [part.networks["seed"].tolist() for _, part in confounds.by_strength(SEEN)] == [
        [1, 3],
        [0, 2],
    ]


def test_series_are_of_the_leaking_identities_or_of_all_others():
    images = SEEN.images
    for name, others in product(("age", "smiling"), (False, True)):
        rows = images[confounds.series(images, name, others=others)]
        assert set(rows["set"]) == {"grid"} and set(rows["subset"]) == {name, "prototype"}
        assert set(rows["seed"]) == ({2, 3} if others else {0, 1}), (
            "the fifth identity has no series"
        )
    rows = images[confounds.series(images, "age", leak=0.5)]
    assert (
        set(rows["set"]) == {"leak"}
        and set(rows["leak"]) == {0.5}
        and set(rows["subset"]) == {"age"}
    )


def test_correlations_name_what_goes_together():
    table = confounds.correlations(FOUND, BIAS)
    for row, column in (("lighting", "age"), ("smiling", UNRECORDED)):
        wanted = np.corrcoef(FOUND[row], FOUND[column])[0, 1]
        assert table.loc[row, column] == pytest.approx(wanted)
    amber, eared = FOUND["race"] == grid.HUES[1], FOUND["gender"] == grid.CRESTS[1]
    assert table.loc[grid.HUES[1], "age"] == pytest.approx(stats.pearsonr(amber, FOUND["age"])[0])
    assert table.loc[grid.CRESTS[1], "smiling"] == pytest.approx(
        stats.pearsonr(eared, FOUND["smiling"])[0]
    )


# --- estimates of an effect


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
        for place in range(0, 40, 8):
            face = rows.iloc[[place]]
            moved = [face.assign(**{name: face[name] + sign * 1e-3 * half}) for sign in (1, -1)]
            more, less = (truth.per_face(SPOKEN, one, b, axes=DIMENSIONS) for one in moved)
            slow.append((more.to_numpy()[0] - less.to_numpy()[0]) / 2e-3)
        found = confounds.planted_effect(SPOKEN, rows.iloc[::8], name, b)
        assert found == pytest.approx(np.mean(slow, axis=0), abs=2e-3) and np.abs(found).max() > 0.2
    assert np.allclose(
        confounds.log_odds(SPOKEN, rows, 0.5), truth.per_face(SPOKEN, rows, 0.5, axes=DIMENSIONS)
    )


def test_the_table_of_effects_sets_each_estimate_beside_both_targets():
    keys = ["effect", "b", "sample", "method", "network", "dimension"]
    table = confounds.effects(SEEN, SPOKEN, SAMPLES).set_index(keys)
    assert table.index.is_unique and len(table) == 2 * 2 * 5 * 2 * 8
    images, rows, k = SEEN.images, SAMPLES["fairface"], 6
    for name, b, network in (("age", 1.0, 1), ("smiling", 0.0, 0)):
        logits = SEEN.logits[np.flatnonzero(SEEN.networks["b"] == b)[network]]

        def slope(mask, logits=logits, name=name):
            return stats.linregress(BIAS.feature(name, images[mask]), logits[mask, k]).slope

        clean, others = (confounds.series(images, name, others=one) for one in (False, True))
        made = table.loc[(name, b, "fairface", "controlled", network, DIMENSIONS[k])]
        assert (made["estimate"], made["own"]) == (
            pytest.approx(slope(clean)),
            pytest.approx(slope(others)),
        )
        assert made["planted"] == pytest.approx(
            confounds.planted_effect(SPOKEN, images[clean], name, b)[k]
        )
        naive = table.loc[(name, b, "fairface", "naive", network, DIMENSIONS[k])]
        assert (naive["estimate"], naive["own"]) == (
            pytest.approx(slope(rows)),
            pytest.approx(slope(others)),
        )
        assert naive["planted"] == pytest.approx(
            confounds.planted_effect(SPOKEN, images[rows], name, b)[k]
        )


def test_leaks_are_judged_by_the_clean_series():
    table = confounds.leaks(SEEN, SPOKEN).set_index(["effect", "leak", "network", "dimension"])
    assert sorted(table.index.unique("leak")) == [0.0, 0.5, 1.0] and len(table) == 2 * 3 * 2 * 8
    clean = confounds.effects(SEEN, SPOKEN, SAMPLES).query("method == 'controlled' and b == 1")
    clean = clean.set_index(["effect", "network", "dimension"])
    for name in ("age", "smiling"):
        key = (name, 1, "competence")
        assert table.loc[(name, 0.0, 1, "competence")].drop("method").to_dict() == pytest.approx(
            clean.loc[key, ["estimate", "planted", "own"]].to_dict()
        )
        mask = confounds.series(SEEN.images, name, leak=1.0)
        logits = SEEN.logits[np.flatnonzero(SEEN.networks["b"] == 1)[1], mask, 1]
        row = table.loc[(name, 1.0, 1, "competence")]
        assert row["estimate"] == pytest.approx(
            stats.linregress(BIAS.feature(name, SEEN.images[mask]), logits).slope
        )
        assert row["own"] == pytest.approx(clean.loc[key, "own"])


# --- estimates of a gap


@pytest.mark.parametrize(
    ("column", "first", "second"), [("race", "teal", "violet"), ("gender", *grid.CRESTS)]
)
def test_gaps_between_groups_four_ways(column, first, second):
    shown = read(FOUND, gap=0.3)
    found = confounds.gap_estimates(shown, FOUND, BIAS, column, first, second)
    here = FOUND[column].isin([first, second]).to_numpy()
    rows = FOUND[here]
    one, other = (
        (rows[column] == first).to_numpy(),
        rows["gender" if column == "race" else "race"].to_numpy(),
    )
    features = [BIAS.feature(name, rows) for name in ("age", "smiling", "lighting", "turned")]
    strata = [(other == name).astype(float) for name in sorted(set(other))[1:]]
    known = [*strata, *features, features[0] ** 2, features[1] ** 2]
    for network, k in ((0, 0), (2, 5)):
        y = shown[network, here, k]
        matched, _ = slow_matched(y, y, one, ~one, other, np.column_stack(features))
        slow = {
            "naive": y[one].mean() - y[~one].mean(),
            "adjusted": least_squares(y, [one, *known]),
            "matched": matched,
            "all known": least_squares(y, [one, *known, BIAS.feature(UNRECORDED, rows)]),
        }
        assert {method: values[network, k] for method, values in found.items()} == pytest.approx(
            slow
        )


def test_a_planted_gap_is_a_count_of_captions_of_the_same_faces_in_either_group():
    rows = FOUND.head(60)
    found = confounds.planted_gap(SPOKEN, rows, "race", "amber", "violet", 0.7)
    as_if = [rows.assign(race=hue, all="all") for hue in ("amber", "violet")]
    counts = [
        truth.counted(SPOKEN, own, "all", 0.7, axes=DIMENSIONS).to_numpy()[0] for own in as_if
    ]
    assert found == pytest.approx(counts[0] - counts[1]) and np.abs(found).max() > 0.2
    assert confounds.planted_gap(SPOKEN, rows, "race", "amber", "violet", 0.0) == pytest.approx(0)


def test_the_table_of_gaps_sets_each_estimate_beside_both_targets():
    others = pd.DataFrame(
        list(product(range(3), grid.HUES, grid.CRESTS)), columns=["seed", "race", "gender"]
    )
    logits = RNG.normal(size=(4, len(others), 8))
    people = Shown(SEEN.networks, others, logits, DIMENSIONS)
    table = confounds.gaps(SEEN, people, SPOKEN, SAMPLES).set_index(
        ["pair", "b", "method", "network", "dimension"]
    )
    assert table.index.is_unique and len(table) == 4 * 2 * 5 * 2 * 8
    prototypes = (SEEN.images["set"] == "grid") & (SEEN.images["subset"] == "prototype")
    for pair, (column, first, second) in confounds.pairs().items():
        for b, network, place in ((1.0, 1, 3), (0.0, 0, 0)):
            row = table.loc[(pair, b, "controlled", network, DIMENSIONS[4])]
            own = [logits[place, others[column] == group, 4].mean() for group in (first, second)]
            sides = [prototypes & (SEEN.images[column] == group) for group in (first, second)]
            made = [SEEN.logits[place, side, 4].mean() for side in sides]
            assert row["own"] == pytest.approx(own[0] - own[1]) and row[
                "estimate"
            ] == pytest.approx(made[0] - made[1])
            naive = table.loc[(pair, b, "naive", network, DIMENSIONS[4])]
            rows = SEEN.images[SAMPLES["fairface"]]
            for one, faces in ((row, SEEN.images[prototypes]), (naive, rows)):
                assert one["planted"] == pytest.approx(
                    confounds.planted_gap(SPOKEN, faces, column, first, second, b)[4]
                )
    assert len(confounds.pairs()) == 4
    with pytest.raises(ValueError, match="same networks"):
        confounds.gaps(SEEN, people.where([True, True, True, False]), SPOKEN, SAMPLES)


# --- errors


def made_up_estimates():
    estimates = {method: RNG.normal(size=(3, 8)) for method in METHODS[:2]}
    planted = {method: RNG.normal(size=8) for method in METHODS[:2]}
    return estimates, planted, RNG.normal(size=(3, 8))


def test_errors_are_root_mean_squares_over_dimensions_by_target():
    estimates, planted, own = made_up_estimates()
    table = confounds.tidy(estimates, planted, own)
    found = confounds.errors(table, ["method"]).set_index(["method", "network", "target"])["error"]
    for method, network in product(METHODS[:2], range(3)):
        for target, goal in (("planted", planted[method]), ("own", own[network])):
            slow = np.sqrt(
                np.mean([(estimates[method][network, k] - goal[k]) ** 2 for k in range(8)])
            )
            assert found[method, network, target] == pytest.approx(slow)
    assert len(found) == 2 * 3 * 2


def test_wrong_signs_count_only_what_was_clearly_planted():
    estimates, planted, own = made_up_estimates()
    found = confounds.wrong_signs(
        confounds.tidy(estimates, planted, own), ["method"], threshold=0.6
    )
    for method in METHODS[:2]:
        wrong = [
            np.sign(estimates[method][network, k]) != np.sign(planted[method][k])
            for network, k in product(range(3), range(8))
            if abs(planted[method][k]) > 0.6
        ]
        assert found[method] == pytest.approx(np.mean(wrong)) and 0 < len(wrong) < 24


def test_a_crossing_is_where_the_error_exceeds_the_goal_first():
    leak = [0.0, 0.25, 0.5, 1.0]
    curves = pd.DataFrame(
        [
            [0.1, 0.2, 0.4, 0.5],
            [0.1, 0.2, 0.2, 0.3],
            [0.4, 0.1, 0.1, 0.5],
            [0.1, 0.4, 0.1, 0.9],
            [0.1, 0.1, 0.1, 0.3],
        ],
        columns=leak,
    )
    goal = pd.Series([0.3, 0.3, 0.3, 0.2, 0.2])
    wanted = [
        0.25 + 0.25 * 0.5,
        np.inf,
        0.0,
        0.25 / 3,
        0.75,
    ]  # equal is not beyond; the first crossing counts
    assert confounds.crossings(curves, goal).tolist() == pytest.approx(wanted)
