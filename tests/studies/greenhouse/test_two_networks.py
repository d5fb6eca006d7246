"""The two networks of the first page, against obvious loops and a shipped network."""

from itertools import combinations

import numpy as np
import pandas as pd
import pytest
from scipy import stats

import vlmbias as vb
from greenhouse import retrained
from greenhouse.world import faces, grid
from studies.greenhouse import explorer, two_networks
from vlmbias.measures import Perception


@pytest.fixture(scope="module")
def seen():
    return two_networks.scores()


@pytest.fixture(scope="module")
def table(seen):
    return two_networks.comparisons(seen)


def test_the_shipped_scores_are_those_of_a_shipped_network(seen):
    encoder = vb.encoder("greenhouse/b0", device="cpu")
    rows = seen.images.iloc[:24][["seed", "race", "gender", *grid.RANGES]]
    vectors = encoder.encode_images(encoder.normalise(faces.render(rows)))
    words = vb.embed(encoder, vb.prompts("social_perception"), store=False)
    own = Perception.of(vectors, words).delta()
    neutral = seen.columns.index("neutral")
    for name in two_networks.DIMENSIONS:
        stored = seen.scores[0, :24, seen.columns.index(name)] - seen.scores[0, :24, neutral]
        assert np.abs(own[name] - stored).max() < 1.3 * retrained.QUANTUM
        assert np.abs(own[name] - stored).max() < own[name].std()


def test_comparisons_are_those_of_an_obvious_loop(seen, table):
    """For the hue pairs: identities take turns in the crest."""
    half, neutral = retrained.QUANTUM / 2, seen.columns.index("neutral")
    looks = seen.images[["seed", "race", "gender"]].itertuples(index=False, name=None)
    place, seeds = {look: k for k, look in enumerate(looks)}, seen.images["seed"].unique()
    for row in table[~table["first"].isin(grid.CRESTS)].sample(40, random_state=1).itertuples():
        scores = seen.scores[row.network - 1].astype(float)
        delta = scores[:, seen.columns.index(row.dimension)] - scores[:, neutral]
        first, second = (
            np.array([delta[place[seed, hue, grid.CRESTS[seed % 2]]] for seed in seeds])
            for hue in (row.first, row.second)
        )
        gaps = first - second
        counts = ((gaps > half).sum(), (gaps < -half).sum(), (abs(gaps) < half).sum())
        assert (row.first_higher, row.second_higher, row.equal) == counts
        t = gaps.mean() / (gaps.std(ddof=1) / len(gaps) ** 0.5)
        p = 2 * stats.t.sf(abs(t), len(gaps) - 1)
        assert row.difference == pytest.approx(gaps.mean(), abs=1e-7)
        assert row.p == pytest.approx(p, rel=1e-3)
        assert row.lamp == (np.sign(t) if p < 0.05 else 0)


def _question(first, second, lamps, differences=None, dimension="warmth"):
    return pd.DataFrame(
        {
            "first": first,
            "second": second,
            "dimension": dimension,
            "network": range(1, len(lamps) + 1),
            "lamp": lamps,
            "difference": differences if differences else [0.1 * one for one in lamps],
        }
    )


def test_the_question_is_the_one_about_hues_in_which_most_pairs_turn_round():
    asked = two_networks.question_shown(
        pd.concat(
            [
                _question("teal", "amber", [1, 0, -1, 0]),
                _question("teal", "violet", [1, 1, -1, 0]),
                _question("amber", "violet", [-1, -1, 1, 0]),  # as many, and listed later
                _question("budded", "eared", [1, 1, -1, -1]),  # no hues
                _question("teal", "amber", [1, 1, -1, -1], dimension="competence"),
            ],
            ignore_index=True,
        )
    )
    assert set(asked["second"]) == {"violet"}
    assert set(asked["first"]) == {"teal"}
    assert asked["lamp"].tolist() == [1, 1, -1, 0]


def test_the_networks_that_are_shown_have_the_largest_difference_on_either_side():
    question = _question("a", "b", [1, 1, -1, 0, -1], [0.1, 0.3, -0.2, 0.9, -0.1])
    one, other = two_networks.shown(question)
    assert (one["network"], other["network"]) == (2, 3)
    with pytest.raises(ValueError, match="none of 2 networks has its lamp on for b on warmth"):
        two_networks.shown(_question("a", "b", [1, 0]))


def test_pairs_are_counted_one_by_one(table):
    assert two_networks.pairs(pd.Series([1, 1, -1, 0])) == {
        "pairs": 6,
        "turned": 2,
        "same": 1,
        "off": 3,
    }
    every = two_networks.over_questions(table)
    turned = []
    for _, own in table.groupby(explorer.QUESTION):
        lamps = own["lamp"].tolist()
        turned.append(sum({one, other} == {1, -1} for one, other in combinations(lamps, 2)))
    assert every["turned"] == sum(turned)
    assert every["questions"] == len(turned) == 32
    assert (every["fewest"], every["most"]) == (min(turned), max(turned))
    assert every["pairs"] == every["turned"] + every["same"] + every["off"] == 32 * 66
