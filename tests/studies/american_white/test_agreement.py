"""How near networks find faces to words, against loops over made-up networks."""

import numpy as np
import pytest
import worlds

from studies.american_white import agreement

HUES = ["amber", "lime", "teal", "violet"]


@pytest.fixture
def made():
    """Four networks, one of them with an arm; each person twice in every group."""
    rng = np.random.default_rng(3)
    faces = worlds.faces(12, [f"{hue} {crest}" for hue in HUES for crest in ("a", "b")], rng=rng)
    models = worlds.networks([1, 0, 0, 1], rng=rng, condition=["none", "none", "marking", "none"])
    return worlds.panel(faces, models, ("they", "plain", "we"), rng=rng)


@pytest.mark.parametrize("against", ["they", ""])
def test_a_leaning_is_the_scale_times_a_difference_of_cosines(made, against):
    found, cases = agreement.leanings(made, "we", against)
    assert list(cases) == [(1.0, 5), (0.0, 6), (1.0, 8)]
    for (_, seed), row in zip(cases, found, strict=True):
        k = list(made.networks["seed"]).index(seed)
        value = made.scores[k, :, 2] - (made.scores[k, :, 0] if against else 0)
        assert row == pytest.approx(made.networks["logit_scale"][k] * value)


def test_effect_sizes_are_of_each_network_of_one_strength(made):
    found = agreement.effect_sizes(made, "we", b=1.0)
    each = []
    for k in (0, 3):
        x, y = (
            made.scores[k, (made.images["race"] == hue).to_numpy(), 2] for hue in ("lime", "violet")
        )
        each.append((x.mean() - y.mean()) / np.sqrt((x.var(ddof=1) + y.var(ddof=1)) / 2))
    assert list(found["lime", "violet"]) == pytest.approx(each)
    assert found.shape == (2, 6)
