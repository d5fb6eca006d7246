"""Made-up faces in which every group, level and dimension differs; slow versions take one cell or
pair at a time."""

import itertools

import numpy as np
import pandas as pd
import pytest
import slow
import worlds
from scipy import stats

import vlmbias as vb
from studies import roles
from studies.causalface import smiling
from studies.causalface.smiling import Trajectory
from vlmbias.papers import CAUSALFACE

WHO = roles.named(CAUSALFACE, {})
DIMENSIONS = CAUSALFACE.dimensions
LEVELS = {name: worlds.LEVELS[name] for name in smiling.VARIED}
WORDS = dict.fromkeys(DIMENSIONS, 2)
WORDS |= {DIMENSIONS[0]: ["honest", "warm"], DIMENSIONS[-1]: ["cold", "dishonest"]}


def faces_of(seeds=4):
    return worlds.faces(seeds, WHO.groups, LEVELS, rng=np.random.default_rng(3))


def seen_of(faces):
    return worlds.seen(faces, WORDS, rng=np.random.default_rng(4))


def values_of(faces, seed=1):
    noise = np.random.default_rng(seed).normal(size=(len(faces), len(DIMENSIONS)))
    return pd.DataFrame(noise, columns=list(DIMENSIONS))


def noise_course(versions=41, groups=WHO.groups, levels=(-2.0, -1.0, 0.5, 4.0), seed=2):
    shape = (versions, len(groups), len(levels), len(DIMENSIONS))
    return Trajectory(
        np.random.default_rng(seed).normal(size=shape), np.array(levels), tuple(groups), DIMENSIONS
    )


# --- level means


def test_a_series_has_its_prototypes_and_no_identity_without_one():
    faces = faces_of()
    faces.loc[(faces["seed"] == 102) & (faces["subset"] == "pose"), "subset"] = "age"
    faces.loc[(faces["seed"] == 101) & (faces["subset"] == "prototype"), "pose"] = np.nan
    for attribute in smiling.VARIED:
        used = smiling.series(faces, attribute)
        for k, row in faces.iterrows():
            expected = (
                row["subset"] in (attribute, "prototype") and row[attribute] == row[attribute]
            )
            assert used[k] == (expected and not (attribute == "pose" and row["seed"] == 102))


def test_level_means_are_those_of_each_cell():
    faces = faces_of()
    values = values_of(faces)
    for attribute, groups in itertools.product(
        smiling.VARIED, (None, ("asian male", "black female"))
    ):
        own = smiling.trajectory(values, faces, attribute, groups=groups)
        assert own.levels.tolist() == list(LEVELS[attribute]) and own.groups == (groups or ("all",))
        for name, level in itertools.product(own.groups, own.levels):
            cell = faces["subset"].isin([attribute, "prototype"]) & (faces[attribute] == level)
            if groups:
                cell &= faces["race"] + " " + faces["gender"] == name
            assert np.allclose(own.mean(name).loc[level], values[cell].mean())


def test_identities_are_drawn_for_all_groups_and_levels_at_once():
    faces = faces_of()
    values = values_of(faces)
    own = smiling.trajectory(values, faces, "smiling", groups=WHO.groups, n=6, seed=5)
    used = np.flatnonzero(smiling.series(faces, "smiling"))
    order = pd.factorize(faces["seed"].iloc[used])[1]
    times = vb.cluster_weights(np.arange(4), n_resamples=6, seed=5)
    for draw, group, (k, level) in itertools.product(range(6), WHO.groups, enumerate(own.levels)):
        rows = []
        for seed, count in zip(order, times[draw], strict=True):
            cell = (faces["seed"] == seed) & (faces["smiling"] == level) & faces.index.isin(used)
            rows += [values[cell & (faces["race"] + " " + faces["gender"] == group)]] * count
        expected = pd.concat(rows).mean()
        assert np.allclose(own.values[draw + 1, own.groups.index(group), k], expected)


def test_a_draw_without_an_image_has_no_mean():
    faces = faces_of(seeds=3)
    gone = (faces["subset"] == "pose") & (faces["pose"] == 3) & faces["seed"].isin([100, 101])
    faces = faces[~gone].reset_index(drop=True)
    own = smiling.trajectory(values_of(faces), faces, "pose", n=60, seed=1)
    without = np.isnan(own.values[:, 0]).any(axis=2)
    assert without[:, 4].any() and not without[:, :4].any() and not without[0].any()


# --- the poles of a pair


def test_correlations_contrasts_and_ranges_are_pair_by_pair():
    own = noise_course()
    for group, (pair, (one, other)) in itertools.product(range(6), CAUSALFACE.poles.items()):
        for version in (0, 7):
            x, y = own.of(one)[version, group], own.of(other)[version, group]
            assert smiling.correlations(own, group)[pair][version] == pytest.approx(
                np.corrcoef(x, y)[0, 1]
            )
            gap = smiling.contrasts(own, group)[pair][version]
            assert np.allclose(gap, (x - y) - np.mean(x - y))
            assert smiling.ranges(own, group)[pair][version] == pytest.approx(
                (x - y).max() - (x - y).min()
            )


def test_a_pole_that_does_not_move_has_no_correlation():
    own = noise_course()
    own.values[..., DIMENSIONS.index("negative_agency")] = 0.3
    r = smiling.correlations(own)
    assert r["agency"].isna().all() and r[["belief", "communion"]].notna().all(axis=None)


def test_alike_is_the_wald_test_over_resamples():
    rng = np.random.default_rng(3)
    draws = rng.normal([0.0, 0.3, 0.1], [1.0, 2.0, 0.5], size=(400, 3))
    matrix = np.array([[1, -1, 0], [0, 1, -1]])
    gap, covariance = matrix @ draws[0], matrix @ np.cov(draws[1:], rowvar=False) @ matrix.T
    expected = stats.chi2.sf(gap @ np.linalg.inv(covariance) @ gap, 2)
    assert smiling.alike(draws) == pytest.approx(expected) and 0.001 < expected < 0.99
    # a quantity that is told twice adds nothing
    for twice in itertools.product(range(3), repeat=2):
        assert smiling.alike(np.column_stack([draws, draws[:, list(twice)]])) == pytest.approx(
            expected
        )


def test_alike_keeps_its_level():
    rng, p = np.random.default_rng(4), []
    for _ in range(200):
        data = rng.normal(size=(60, 4))
        weights = rng.multinomial(60, np.full(60, 1 / 60), 200) / 60
        p.append(smiling.alike(np.vstack([data.mean(axis=0), weights @ data])))
    assert np.mean(np.array(p) < 0.05) == pytest.approx(0.05, abs=0.05)


def test_table_s2_has_r_its_intervals_and_both_tests():
    courses = {
        name: noise_course(groups=("all",), levels=LEVELS[name], seed=k)
        for k, name in enumerate(LEVELS)
    }
    table = smiling.poles(courses)
    order = list(zip(table["attribute"], table["pair"], strict=True))
    assert order == list(itertools.product(LEVELS, CAUSALFACE.poles))
    for row in table.itertuples():
        own = courses[row.attribute]
        r = smiling.correlations(own)[row.pair]
        assert (row.n, row.r) == (len(own.levels), r[0])
        assert (row.low, row.high) == pytest.approx(tuple(np.quantile(r[1:], [0.025, 0.975])))
        assert row.p == pytest.approx(float(vb.correlations.p_value(r[0], row.n)))
        assert row.p_constant == pytest.approx(smiling.alike(smiling.contrasts(own)[row.pair]))
        assert row.range == smiling.ranges(own)[row.pair][0]
    assert np.allclose(table["p_holm"], slow.holm(table["p"]))
    assert np.allclose(table["p_constant_holm"], slow.holm(table["p_constant"]))


# --- groups


def test_slopes_are_the_linear_terms_of_quadratics_through_the_means():
    own = noise_course(versions=3)
    u = (2 * own.levels - 2.0) / 6.0
    for version, group, k in itertools.product(range(3), range(6), range(8)):
        expected = np.polyfit(u, own.values[version, group, :, k], 2)[1]
        assert smiling.slopes(own)[version, group, k] == pytest.approx(expected)


def test_beyond_and_steepest_compare_groups():
    slope = np.random.default_rng(5).normal(size=(4, 6, 8))
    gap, won = smiling.beyond(slope, WHO.groups, "asian male"), smiling.steepest(slope)
    at = WHO.groups.index("asian male")
    for version in range(4):
        for k in range(8):
            rest = [slope[version, g, k] for g in range(6) if g != at]
            assert gap[version, k] == pytest.approx(slope[version, at, k] - sum(rest) / 5)
        wins = [
            sum(max(range(6), key=lambda g, k=k: slope[version, g, k]) == group for k in range(8))
            for group in range(6)
        ]
        assert won[version].tolist() == wins


def test_the_excess_is_tested_for_the_outlier_and_for_all_groups():
    own = noise_course(versions=201)
    own.values[:, :, 3] += 3.0 * (np.arange(6) == WHO.groups.index(WHO.outlier))[:, None]
    table = smiling.excess(own, WHO).set_index("dimension")
    slope = smiling.slopes(own)
    gap = smiling.beyond(slope, own.groups, WHO.outlier)
    for k, name in enumerate(DIMENSIONS):
        row = table.loc[name]
        low, high = np.quantile(gap[1:, k], [0.025, 0.975])
        assert (row["value"], row["low"], row["high"]) == pytest.approx((gap[0, k], low, high))
        z = gap[0, k] / np.std(gap[1:, k])
        assert row["p"] == pytest.approx(2 * (1 - stats.norm.cdf(abs(z))))
        assert row["p_alike"] == pytest.approx(smiling.alike(slope[:, :, k]))
    for p in ("p", "p_alike"):
        assert np.allclose(table[f"{p}_holm"], slow.holm(table[p]))


def test_words_are_compared_between_women_and_men_and_add_up():
    seen = seen_of(faces_of())
    table = smiling.gap_in_words(seen, WHO, n=30, seed=6)
    values = 100 * pd.DataFrame(
        {
            "honest": seen.word("honest") - seen.neutral(),
            "dishonest": seen.word("dishonest") - seen.neutral(),
            "negative communion": seen.delta()["negative_communion"],
        }
    )
    slope = smiling.slopes(
        smiling.trajectory(values, seen.table, "smiling", groups=WHO.groups, n=30, seed=6)
    )
    women, men = (
        [k for k, group in enumerate(WHO.groups) if group.endswith(f" {one}")]
        for one in ("female", "male")
    )
    gap = slope[:, women].mean(axis=1) - slope[:, men].mean(axis=1)
    gap = np.column_stack([gap, gap[:, 0] + gap[:, 1]])
    assert table["of"].tolist() == [
        "honest",
        "dishonest",
        "negative communion",
        "honest + dishonest",
    ]
    low, high = np.quantile(gap[1:], [0.025, 0.975], axis=0)
    assert np.allclose(table[["value", "low", "high"]], np.column_stack([gap[0], low, high]))
    assert table["differs"].tolist() == [a > 0 or b < 0 for a, b in zip(low, high, strict=True)]
    # a gap that is put in is found, with its sign
    wide = seen_of(seen.table)
    shift = np.where(seen.table["gender"] == "female", 0.5, -0.5) * seen.table["smiling"]
    wide.cosines[:, 0] += shift
    assert smiling.gap_in_words(wide, WHO, n=30, seed=6).query("of == 'honest'")["differs"].all()
    assert smiling.gap_in_words(wide, WHO, n=30, seed=6)["value"][0] > 50


def test_what_is_drawn_lies_on_the_means_and_on_their_quadratics():
    own = noise_course(versions=1)
    lines, dots = smiling.figure_data(own, steps=7)
    for table, group, name in itertools.product((lines, dots), WHO.groups[:2], DIMENSIONS[2:4]):
        part = table[(table["group"] == group) & (table["panel"] == name.replace("_", " "))]
        fit = np.polyfit(own.levels, own.mean(group)[name], 2)
        expected = (
            np.polyval(fit, part["level"])
            if table is lines
            else own.mean(group)[name].loc[part["level"]]
        )
        assert np.allclose(part["value"], expected)
        assert (part["level"].min(), part["level"].max()) == (-2.0, 4.0)


# --- retrained networks, and what captions show


def test_networks_are_looked_at_over_whole_series_of_the_grid():
    faces = faces_of(seeds=3).assign(set="grid")
    stray = faces[faces["subset"] == "prototype"].assign(seed=99)
    elsewhere = faces[faces["seed"] == 100].assign(set="leak")
    rng, images = np.random.default_rng(7), pd.concat([stray, faces, elsewhere], ignore_index=True)
    columns = (*DIMENSIONS[::-1], "neutral")
    portraits = worlds.panel(images, worlds.networks([0, 1, 0], rng=rng), columns, rng=rng)
    networks, own = smiling.of_networks(
        portraits, "smiling", [True, False, True], groups=WHO.groups
    )
    assert networks["b"].tolist() == [0.0, 0.0] and own.dimensions == DIMENSIONS
    for row, network in enumerate((0, 2)):
        for group, (k, level), name in itertools.product(
            WHO.groups[:3], enumerate(own.levels), DIMENSIONS[:2]
        ):
            cell = (
                images["set"].eq("grid")
                & images["seed"].ne(99)
                & images["smiling"].eq(level)
                & images["subset"].isin(["smiling", "prototype"])
                & (images["race"] + " " + images["gender"]).eq(group)
            ).to_numpy()
            beyond = (
                portraits.scores[network][:, portraits.columns.index(name)]
                - portraits.scores[network][:, 8]
            )
            expected = portraits.networks["logit_scale"][network] * beyond[cell].mean()
            assert own.values[
                row, own.groups.index(group), k, DIMENSIONS.index(name)
            ] == pytest.approx(expected)


def test_the_truth_is_asked_of_the_series_and_put_in_the_order_of_the_groups():
    faces = faces_of(seeds=2)
    asked = []

    def said(rows):
        asked.append(len(rows))
        index = rows.groupby(["race", "gender", "smiling"]).size().index
        smile, race = (index.get_level_values(name) for name in ("smiling", "race"))
        table = pd.DataFrame(
            {name: smile * (k + 1) for k, name in enumerate(DIMENSIONS)}, index=index
        )
        return table.add(race.map({"white": 1, "asian": 20, "black": 300}), axis=0)

    own = smiling.of_truth(faces, said, "smiling", groups=WHO.groups)
    assert asked == [smiling.series(faces, "smiling").sum()]
    assert own.values[0, WHO.groups.index("asian female"), 4, 2] == 3 * 4.0 + 20
    assert own.values[0, WHO.groups.index("black male"), 0, 0] == -2.0 + 300

    def over_levels(rows):
        return said(rows).groupby("smiling").mean().iloc[::-1]

    assert smiling.of_truth(faces, over_levels, "smiling").values[0, 0, 0, 1] == -4.0 + 321 / 3


def test_table_s2_is_taken_in_every_network():
    networks = pd.DataFrame({"b": [0.0, 1.0, 0.5]})
    courses = {
        name: noise_course(3, ("all",), LEVELS[name], seed=k)
        for k, name in enumerate(("smiling", "lighting"))
    }
    table = smiling.poles_by_network({name: (networks, own) for name, own in courses.items()})
    assert len(table) == 2 * 3 * 3
    for (attribute, pair), part in table.groupby(["attribute", "pair"]):
        r = smiling.correlations(courses[attribute])[pair]
        assert part["r"].tolist() == r.tolist() and part["b"].tolist() == [0.0, 1.0, 0.5]
        assert part["significant"].tolist() == [
            vb.correlations.p_value(one, len(LEVELS[attribute])) < 0.05 for one in r
        ]
        assert part["range"].tolist() == smiling.ranges(courses[attribute])[pair].tolist()


def test_networks_stand_beside_what_captions_show():
    rng = np.random.default_rng(8)
    found = pd.DataFrame(
        itertools.product(["light", "pose"], ["belief", "agency"], range(9)),
        columns=["attribute", "pair", "n"],
    )
    found = found.assign(
        r=rng.normal(size=36), range=rng.uniform(size=36), significant=rng.random(36) < 0.5
    )
    counted = pd.DataFrame(
        {
            "attribute": ["pose", "light", "pose", "light"],
            "range": [0.5, 0.02, 0.011, 0.009],
            "pair": ["belief", "belief", "agency", "agency"],
            "r": [0.1, 0.2, 0.3, np.nan],
        }
    )
    table = smiling.beside_counts(found, counted)
    assert list(zip(table["attribute"], table["pair"], strict=True)) == [
        ("light", "belief"),
        ("light", "agency"),
        ("pose", "belief"),
        ("pose", "agency"),
    ]
    assert table["apart"].tolist() == [True, False, True, True]
    for row in table.itertuples():
        own = found[(found["attribute"] == row.attribute) & (found["pair"] == row.pair)]
        truth = counted[
            (counted["attribute"] == row.attribute) & (counted["pair"] == row.pair)
        ].iloc[0]
        assert row.r == own["r"].median() and row.range == own["range"].median()
        assert (row.n, row.hits) == (
            9,
            own["significant"].sum(),
        ) and row.low <= row.rate <= row.high
        assert row.counted_range == truth["range"]
