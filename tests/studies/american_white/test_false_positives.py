"""False positives at one size, against simulation."""

from itertools import combinations

import numpy as np
import pandas as pd
import pytest
import worlds

from studies import associations
from studies.american_white import agreement, false_positives

HUES = ["amber", "lime", "teal"]


def panel(*, between):
    """Null networks that lean towards groups with SD `between`, and two in which much was
    planted."""
    rng = np.random.default_rng(0)
    planted = pd.DataFrame({"one": 50.0 * np.arange(len(HUES))}, HUES)
    models = worlds.networks([0] * 60 + [1, 1], rng=rng)
    faces = worlds.faces(60, HUES, rng=rng)
    return worlds.panel(faces, models, ("one", "other"), rng=rng, planted=planted, between=between)


def simulated(portraits, size):
    """The share that Welch's test gives, people assigned to groups at random."""
    leaning, cases = agreement.leanings(portraits, "one")
    null, people = leaning[cases.get_level_values("b") == 0], associations.people(portraits.images)
    rng, hits = np.random.default_rng(1), []
    for _ in range(4):
        for first, second in combinations(HUES, 2):
            x, y = associations.different_people(null, people[first], people[second], rng=rng)
            hits.append(associations.over_faces(x[:, :size], y[:, :size])["p"] < 0.05)
    return np.mean(hits)


def test_more_faces_are_more_false_positives_where_networks_lean():
    made = panel(between=0.3)
    expected = [
        false_positives.expected_of_faces(made, "one", sizes=dict.fromkeys(HUES, size))
        for size in (8, 30)
    ]
    assert expected[1] > expected[0] + 0.1
    assert [simulated(made, size) for size in (8, 30)] == pytest.approx(expected, abs=0.07)
