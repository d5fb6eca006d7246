"""Courses over levels, cell by cell on made-up faces in which everything differs."""

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
        expected = faces["subset"].isin([attribute, "prototype"]) & faces[attribute].notna()
        if attribute == "pose":
            expected &= faces["seed"] != 102
        assert np.array_equal(smiling.series(faces, attribute), expected)


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
    assert without[:, 4].any()
    assert not without[:, :4].any()
    assert not without[0].any()


# --- the poles of a pair


def test_a_pole_that_does_not_move_has_no_correlation():
    own = noise_course()
    own.values[..., DIMENSIONS.index("negative_agency")] = 0.3
    r = smiling.correlations(own)
    assert r["agency"].isna().all()
    assert r[["belief", "communion"]].notna().all(axis=None)


def test_alike_is_the_wald_test_over_resamples():
    rng = np.random.default_rng(3)
    draws = rng.normal([0.0, 0.3, 0.1], [1.0, 2.0, 0.5], size=(400, 3))
    matrix = np.array([[1, -1, 0], [0, 1, -1]])
    gap, covariance = matrix @ draws[0], matrix @ np.cov(draws[1:], rowvar=False) @ matrix.T
    expected = stats.chi2.sf(gap @ np.linalg.inv(covariance) @ gap, 2)
    assert smiling.alike(draws) == pytest.approx(expected)
    assert 0.001 < expected < 0.99
    # a quantity that is told twice adds nothing
    for twice in itertools.product(range(3), repeat=2):
        assert smiling.alike(np.column_stack([draws, draws[:, list(twice)]])) == pytest.approx(
            expected
        )


def test_table_s2_has_r_its_intervals_and_both_tests():
    courses = {
        name: noise_course(groups=("all",), levels=LEVELS[name], seed=k)
        for k, name in enumerate(LEVELS)
    }
    table = smiling.poles(courses)
    order = list(zip(table["attribute"], table["pair"], strict=True))
    assert order == list(itertools.product(LEVELS, CAUSALFACE.poles))
    for row in table.itertuples():
        own, (one, other) = courses[row.attribute], CAUSALFACE.poles[row.pair]
        versions = list(zip(own.of(one)[:, 0], own.of(other)[:, 0], strict=True))
        r = [np.corrcoef(x, y)[0, 1] for x, y in versions]
        gap = np.array([x - y - np.mean(x - y) for x, y in versions])
        assert (row.n, row.r) == (len(own.levels), pytest.approx(r[0]))
        assert (row.low, row.high) == pytest.approx(tuple(np.quantile(r[1:], [0.025, 0.975])))
        assert row.p == pytest.approx(float(vb.correlations.p_value(r[0], row.n)))
        assert row.p_constant == pytest.approx(smiling.alike(gap))
        assert row.range == pytest.approx(np.ptp(gap[0]))
    assert np.allclose(table["p_holm"], slow.holm(table["p"]))
    assert np.allclose(table["p_constant_holm"], slow.holm(table["p_constant"]))


# --- groups


def test_slopes_are_the_linear_terms_of_quadratics_through_the_means():
    own = noise_course(versions=3)
    u = (2 * own.levels - 2.0) / 6.0
    for version, group, k in itertools.product(range(3), range(6), range(8)):
        expected = np.polyfit(u, own.values[version, group, :, k], 2)[1]
        assert smiling.slopes(own)[version, group, k] == pytest.approx(expected)


def test_the_excess_is_tested_for_the_outlier_and_for_all_groups():
    own = noise_course(versions=201)
    own.values[:, :, 3] += 3.0 * (np.arange(6) == WHO.groups.index(WHO.outlier))[:, None]
    table = smiling.excess(own, WHO.outlier).set_index("dimension")
    slope = smiling.slopes(own)
    rest = [k for k, group in enumerate(own.groups) if group != WHO.outlier]
    gap = slope[:, own.groups.index(WHO.outlier)] - slope[:, rest].mean(axis=1)
    for k, name in enumerate(DIMENSIONS):
        row = table.loc[name]
        low, high = np.quantile(gap[1:, k], [0.025, 0.975])
        assert (row["value"], row["low"], row["high"]) == pytest.approx((gap[0, k], low, high))
        z = gap[0, k] / np.std(gap[1:, k])
        assert row["p"] == pytest.approx(2 * (1 - stats.norm.cdf(abs(z))))
        assert row["p_alike"] == pytest.approx(smiling.alike(slope[:, :, k]))
    for p in ("p", "p_alike"):
        assert np.allclose(table[f"{p}_holm"], slow.holm(table[p]))


def test_words_are_compared_between_women_and_men():
    seen = seen_of(faces_of())
    table = smiling.women_beyond_men(seen, WHO, n=30, seed=6)
    values = pd.DataFrame({name: seen.word(name) for name in ("honest", "dishonest")})
    values = values.sub(seen.neutral(), axis=0)
    values["negative_communion"] = seen.delta()["negative_communion"]
    slope = smiling.slopes(
        smiling.trajectory(100 * values, seen.table, "smiling", groups=WHO.groups, n=30, seed=6)
    )
    women = np.array([group.endswith(" female") for group in WHO.groups])
    gap = slope[:, women].mean(axis=1) - slope[:, ~women].mean(axis=1)
    expected = np.vstack([gap[:1], np.quantile(gap[1:], [0.025, 0.975], axis=0)])
    assert table.index.tolist() == list(values)
    assert np.allclose(table[["value", "low", "high"]], expected.T)


# --- retrained networks


def test_networks_are_looked_at_over_whole_series_of_the_grid():
    faces = faces_of(seeds=3).assign(set="grid")
    stray = faces[faces["subset"] == "prototype"].assign(seed=99)
    elsewhere = faces[faces["seed"] == 100].assign(set="leak")
    rng, images = np.random.default_rng(7), pd.concat([stray, faces, elsewhere], ignore_index=True)
    columns = (*DIMENSIONS[::-1], "neutral")
    portraits = worlds.panel(images, worlds.networks([0, 1, 0], rng=rng), columns, rng=rng)
    own = smiling.of_networks(portraits, "smiling", [True, False, True], groups=WHO.groups)
    assert len(own.values) == 2
    assert own.dimensions == DIMENSIONS
    used = images["set"].eq("grid") & images["seed"].ne(99)
    used &= images["subset"].isin(["smiling", "prototype"])
    for (k, level), (g, group) in itertools.product(enumerate(own.levels), enumerate(own.groups)):
        cell = (used & images["smiling"].eq(level) & worlds.group_of(images).eq(group)).to_numpy()
        for row, network in enumerate((0, 2)):
            means = portraits.scores[network][cell].mean(axis=0)
            expected = portraits.networks["logit_scale"][network] * (means[:8] - means[8])
            assert own.values[row, g, k] == pytest.approx(expected[::-1])
