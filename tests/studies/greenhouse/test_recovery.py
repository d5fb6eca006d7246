"""Made-up levels, readings and vectors in which everything differs, against loops."""

from itertools import combinations

import numpy as np
import pandas as pd
import pytest
from scipy import stats

from greenhouse.world import grammar as grammars
from greenhouse.world import grid, truth
from studies.greenhouse import recovery

SPOKEN = grammars.load()
BIAS = SPOKEN.bias
GROUPS = {"hue": grid.HUES, "crest": grid.CRESTS}


def people(n=12):
    """The same faces in all eight groups, with attributes as captions know them."""
    one_each = truth.population(n, first_seed=20_400_000, seed=7)
    return pd.concat(
        [one_each.assign(race=hue, gender=crest) for hue in grid.HUES for crest in grid.CRESTS],
        ignore_index=True,
    )


PEOPLE = people()


def lean(shared, networks=24, axes=10, seed=0):
    """Networks with gaps of their own, and one that they all share."""
    rng = np.random.default_rng(seed)
    return {
        name: rng.normal(size=(networks, axes, len(groups)))
        + shared * rng.normal(size=(axes, len(groups)))
        for name, groups in GROUPS.items()
    }


def test_names_are_exchanged_within_a_network_alike_on_all_axes():
    levels = lean(0.0, networks=3, axes=3)
    orders, rng = set(), np.random.default_rng(1)
    for _ in range(40):
        mixed = recovery.exchanged(levels, rng=rng)
        for attribute, values in levels.items():
            for network in range(3):
                new = mixed[attribute][network, 0]
                order = [int(np.flatnonzero(np.isclose(values[network, 0], one))[0]) for one in new]
                assert np.allclose(mixed[attribute][network], values[network][:, order])
                orders.add((attribute, network, tuple(order)))
    assert len({order for kind, network, order in orders if kind == "crest" and network == 0}) == 2
    assert len({order for kind, network, order in orders if kind == "hue" and network == 2}) > 12


def test_rejections_are_those_of_t_tests_over_subsets():
    rng = np.random.default_rng(2)
    values = rng.normal(size=(9, 30)) + np.linspace(-1.5, 1.5, 30)
    chosen = rng.permuted(np.tile(np.arange(9) < 6, (5, 1)), axis=1)
    p = np.array([stats.ttest_1samp(values[subset], 0).pvalue for subset in chosen])
    rate, holm = recovery.rejections(values, chosen, alpha=0.05)
    assert rate == pytest.approx((p < 0.05).mean())
    assert 0 < rate < 1
    assert holm == pytest.approx((p.min(axis=1) < 0.05 / 30).mean())


def test_exchangeable_networks_alarm_at_the_level_and_a_shared_lean_does_not():
    silent = recovery.false_positive_rates(lean(0.0), [8, 24], seed=3, n_draws=120)
    assert silent["n"].tolist() == [8, 24]
    assert ((silent["low"] <= silent["rate"]) & (silent["rate"] <= silent["high"])).all()
    assert np.allclose(silent["expected"], 0.05, atol=0.02)
    assert silent["holm_expected"].lt(0.12).all()
    leaning = recovery.false_positive_rates(lean(1.0), [24], seed=3, n_draws=60).iloc[0]
    assert leaning["rate"] > 2 * leaning["high"]
    assert leaning["holm"] == 1.0
    assert leaning["expected"] == pytest.approx(0.05, abs=0.025)
    with pytest.raises(ValueError, match="subsets of 25 networks; from 2 to 24"):
        recovery.false_positive_rates(lean(0.0), [25], seed=0)


def test_networks_with_a_shared_lean_are_alike():
    own = lean(0.0, networks=6)
    found = recovery.likeness(own, seed=2, n_draws=80)
    flat = [np.concatenate([own[name][k].ravel() for name in own]) for k in range(6)]
    assert found["r"] == pytest.approx(
        np.mean([np.corrcoef(one, other)[0, 1] for one, other in combinations(flat, 2)])
    )
    assert found["low"] <= found["r"] <= found["high"]
    leaning = recovery.likeness(lean(1.0, networks=6), seed=2, n_draws=80)
    assert leaning["r"] > 2 * leaning["high"] > 0


def readings(effects, faces=PEOPLE, networks=1, noise=0.0):
    """Readings on one axis: the sum of effects {feature: effect}, each for a hue or None and a
    crest or None."""
    value = np.zeros(len(faces))
    for (hue, crest), own in effects:
        here = (faces["race"].eq(hue) if hue else True) & (
            faces["gender"].eq(crest) if crest else True
        )
        for name, effect in own.items():
            value += (
                effect * np.asarray(here & pd.Series(True, faces.index)) * BIAS.feature(name, faces)
            )
    rng = np.random.default_rng(5)
    return (value + noise * rng.normal(size=(networks, len(faces))))[:, :, None]


HUE, CREST = BIAS.outlier["race"], BIAS.outlier["gender"]
OTHER_CREST = next(crest for crest in grid.CRESTS if crest != CREST)


def test_slopes_are_least_squares_within_each_group():
    values = readings([((HUE, None), {"age": 1.0})], networks=2, noise=1.0)
    found = recovery.three_way(values, PEOPLE, BIAS)
    for network in range(2):
        slow = {}
        for group, own in PEOPLE.groupby(["race", "gender"]):
            design = np.column_stack([BIAS.feature(name, own) for name in recovery.FEATURES])
            slow[group] = np.linalg.lstsq(design, values[network, own.index, 0], rcond=None)[0]
        apart = {hue: slow[hue, CREST] - slow[hue, OTHER_CREST] for hue in grid.HUES}
        others = np.mean([apart[hue] for hue in grid.HUES if hue != HUE], axis=0)
        assert np.allclose(found[network, 0], apart[HUE] - others)


def test_the_contrast_of_planted_weights_is_the_entry_of_the_bias_table():
    weights = [BIAS.scores(axis, PEOPLE, 0.5) for axis in recovery.DIMENSIONS]
    found = recovery.three_way(np.stack(weights, axis=1)[None], PEOPLE, BIAS)[0]
    for axis, own in zip(recovery.DIMENSIONS, found, strict=True):
        entries = [
            each for each in BIAS.axes[axis].get("interactions", ()) if len(each["who"]) == 2
        ]
        planted = [sum(each.get(name, 0.0) for each in entries) for name in recovery.FEATURES]
        assert own == pytest.approx(0.5 * np.array(planted), abs=1e-9)
