"""False positives at one size, against simulation and against every possible count."""

from itertools import combinations

import numpy as np
import pandas as pd
import pytest
import worlds
from scipy import stats

from studies.american_white import false_positives

HUES = ["amber", "lime", "teal"]


def panel(*, between):
    """Null networks that lean towards groups with SD `between`, and two in which much was
    planted."""
    rng = np.random.default_rng(0)
    planted = pd.DataFrame({"one": 50.0 * np.arange(len(HUES))}, HUES)
    models = worlds.networks([0] * 60 + [1, 1], rng=rng)
    faces = worlds.faces(60, HUES, rng=rng)
    return worlds.panel(faces, models, ("one", "other"), rng=rng, planted=planted, between=between)


def test_faces_keep_their_level_where_networks_do_not_lean():
    level = false_positives.of_faces(panel(between=0.0), "one", size=20, draws=5, seed=1)
    assert level == pytest.approx(0.05, abs=0.025)


def test_more_faces_are_more_false_positives_where_networks_lean():
    made = panel(between=0.3)
    few, many = (
        false_positives.of_faces(made, "one", size=size, draws=4, seed=1) for size in (8, 30)
    )
    assert many > few + 0.1
    for size, found in ((8, few), (30, many)):
        expected = false_positives.expected_of_faces(made, "one", sizes=dict.fromkeys(HUES, size))
        assert found == pytest.approx(expected, abs=0.07)


def test_a_size_that_the_panel_does_not_have_is_named():
    with pytest.raises(ValueError, match=r"from 2 to 30.* got 31"):
        false_positives.of_faces(panel(between=0.0), "one", size=31, draws=1, seed=0)


def shares():
    rows = [
        (0.0, 1, 12, 3),
        (0.0, 1, 20, 15),
        (0.0, 1, 9, 2),
        (0.0, 2, 10, 5),
        (0.0, 2, 16, 8),
        (0.0, 2, 11, 1),
    ]
    rows += [(1.0, 3, 12, 12), (1.0, 3, 12, 0), (1.0, 3, 12, 6)]
    table = pd.DataFrame(rows, columns=["b", "seed", "n", "count"])
    return table.assign(race=HUES * 3)


def test_counts_are_thinned_without_replacement():
    found = false_positives.of_counts(shares(), size=8)
    rng, hits = np.random.default_rng(0), []
    p = {
        (a, b): stats.fisher_exact([[a, 8 - a], [b, 8 - b]]).pvalue
        for a in range(9)
        for b in range(9)
    }
    for _, own in shares().query("b == 0").groupby("seed"):
        drawn = [
            [rng.permutation(np.arange(n) < k)[:8].sum() for _ in range(3_000)]
            for n, k in own[["n", "count"]].to_numpy()
        ]
        for x, y in combinations(drawn, 2):
            hits += [p[a, b] < 0.05 for a, b in zip(x, y, strict=True)]
    assert found == pytest.approx(np.mean(hits), abs=0.01)
    assert 0.02 < found < 0.5
    with pytest.raises(ValueError, match=r"from 1 to 9.* got 10"):
        false_positives.of_counts(shares(), size=10)


def test_with_all_items_it_is_the_test_itself():
    table = shares().assign(n=20)
    hits = [
        stats.fisher_exact([[a, 20 - a], [b, 20 - b]]).pvalue < 0.05
        for _, own in table.query("b == 0").groupby("seed")
        for a, b in combinations(own["count"], 2)
    ]
    assert false_positives.of_counts(table, size=20) == pytest.approx(np.mean(hits))
    assert 0 < np.mean(hits) < 1
