"""A collection with a dial: correlation, weights, and a truth that knows nothing of it."""

import numpy as np
import pytest

from studies.greenhouse import collection, confounds

PAIRS = pytest.mark.parametrize("pair", list(confounds.pairs()))
METHODS = ("naive", "adjusted", "matched", "all known")


def logits(pair, b):
    seen = collection.seen()
    return seen.where(seen.networks["b"] == b).logits[:, collection.pool(pair)[1]]


@PAIRS
def test_smiling_and_the_group_correlate_as_the_dial_says(pair):
    own, _ = collection.pool(pair)
    for r in collection.STOPS:
        weights = own.weights(own.steepness(r))
        (a, both), (_, b) = np.cov(own.group, own.rows["smiling"], aweights=weights)
        assert both / np.sqrt(a * b) == pytest.approx(r, abs=1e-9)
        assert weights.sum() == pytest.approx(1)
        assert weights.min() > 0
        assert weights @ own.group == pytest.approx(own.group.mean()), "the groups keep their sizes"


def test_a_correlation_that_no_collection_has_is_refused():
    own, _ = collection.pool(collection.crests())
    with pytest.raises(ValueError, match="in no collection of these photographs do smiling"):
        own.steepness(0.999)


def test_a_photograph_with_twice_the_weight_counts_twice():
    pair = collection.crests()
    own, _ = collection.pool(pair)
    values, times = logits(pair, 0.0), np.random.default_rng(1).integers(1, 4, len(own.group))
    found = collection.estimates(own, values, times / times.sum())
    drawn = np.repeat(np.arange(len(times)), times)
    expected = confounds.gap_estimates(
        values[:, drawn],
        own.rows.iloc[drawn].reset_index(drop=True),
        collection.spoken().bias,
        own.column,
        own.first,
        own.second,
    )
    # of the matched one, distances are in units of the sample, whatever the collection
    expected["matched"] = np.mean(
        [(1 if own.group[k] else -1) * (values[:, k] - values[:, own.partner[k]]) for k in drawn],
        axis=0,
    )
    for method in METHODS:
        np.testing.assert_allclose(found[method], expected[method], atol=1e-10)


@pytest.mark.parametrize("pair", [next(iter(confounds.pairs())), collection.crests()])
def test_the_truth_and_the_experiment_stand_still(pair):
    for b in collection.STRENGTHS:
        table = collection.grid(pair, b)
        still = table[table["method"] == "controlled"].groupby("dimension")["mean"].nunique()
        assert (still == 1).all()
        assert (table.groupby(["dimension", "method"])["planted"].nunique() == 1).all()
        prototypes = collection.seen().images.query("set == 'grid' and subset == 'prototype'")
        aim = confounds.planted_gap(collection.spoken(), prototypes, *confounds.pairs()[pair], b)
        np.testing.assert_allclose(collection.planted(pair, b)["experiment"], aim)
        assert (np.abs(aim).max() > 0.1) == (b == 1)
    assert not np.any(collection.planted(pair, 0.0)["photographs"])


def test_a_mean_over_networks_has_their_interval():
    pair = collection.crests()
    table = collection.grid(pair, 1.0).set_index(["dimension", "r", "method"])
    own = collection.at(pair, 1.0, 0.3)["matched"][:, 2]
    row = table.loc[(collection.DIMENSIONS[2], 0.3, "matched")]
    half = 2.262157 * own.std(ddof=1) / np.sqrt(len(own))  # t on 9 degrees of freedom
    assert len(own) == 10
    assert row["mean"] == pytest.approx(own.mean())
    assert [row["low"], row["high"]] == pytest.approx([own.mean() - half, own.mean() + half])


def test_the_picture_shows_the_estimates():
    table, shown = collection.figure()
    (axes,) = shown.figure.axes
    lines = {line.get_label(): line for line in axes.lines}
    for method, own in table.groupby("method"):
        np.testing.assert_allclose(lines[method].get_ydata(), own["mean"])
        np.testing.assert_allclose(lines[method].get_xdata(), collection.STOPS)
        assert f"{own['mean'].iloc[-1]:+.2f}" in shown.alt
    assert set(table["method"]) == set(confounds.METHODS)
    assert "Planted: +0.00" in shown.alt


def test_pairs_that_are_corrected_for_what_is_left_are_compared_like_for_like():
    """Where values depend on the group and on what is known alone, nothing else is left."""
    own, _ = collection.pool(collection.crests())
    rng = np.random.default_rng(8)
    slopes = rng.normal(size=own.known.shape[1])
    values = (0.3 * own.group + own.known @ slopes)[None, :, None]
    weights = own.weights(own.steepness(0.4))
    assert collection.like_for_like(own, values, weights)[0, 0] == pytest.approx(0.3)
    assert abs(collection.estimates(own, values, weights)["matched"][0, 0] - 0.3) > 0.02
