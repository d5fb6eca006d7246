"""Contrasts and measures, one number at a time on made-up networks."""

from dataclasses import replace
from itertools import product

import numpy as np
import pandas as pd
import pytest
import worlds
from slow import rank_p

import vlmbias as vb
from greenhouse.retrained import COLUMNS, Scores
from greenhouse.world import grammar as grammars
from greenhouse.world import grid, truth
from studies.greenhouse import sensitivity

SPOKEN = grammars.load()
ROLES = SPOKEN.bias.roles
EFFECTS = {
    "hue": sensitivity.Contrast(
        "prototype", "race", ROLES["favoured"], ROLES["disfavoured"], ROLES["middle"]
    ),
    "crest": sensitivity.Contrast(
        "prototype", "gender", ROLES["first"], ROLES["second"], ROLES["middle"]
    ),
    **{
        name: sensitivity.Contrast(column, column, grid.LEVELS[column][-1], grid.LEVELS[column][0])
        for name, column in (("smiling", "smiling"), ("age", "age"), ("side", "pose"))
    },
}


def portraits(strengths=(0.0,) * 5 + (0.5,) * 3 + (1.0,) * 4, people=6):
    """Networks that read each dimension, and the neutral prompts, with a lean of their own."""
    table = grid.causalface(people)
    table = table[table["seed"].eq(0) | table["subset"].eq("prototype")]
    images = pd.concat([table.assign(set="grid"), table.assign(set="other")], ignore_index=True)
    rng = np.random.default_rng(4)
    n = len(strengths)
    networks = worlds.networks(
        [*strengths, 0, 0], rng=rng, condition=["none"] * n + ["neutral"] * 2
    )
    hue, crest = (pd.factorize(images[column])[0] for column in ("race", "gender"))
    group = rng.normal(size=(len(networks), 3, 2, len(COLUMNS)))[:, hue, crest]
    attributes = images[["age", "smiling", "pose"]].to_numpy() @ rng.normal(
        0, 0.3, (3, len(COLUMNS))
    )
    noise = rng.normal(size=(len(networks), len(images), len(COLUMNS)))
    planted = 0.4 * networks["b"].to_numpy()[:, None, None] * hue[:, None]
    scores = 0.3 + 0.02 * (group + attributes + 0.5 * noise + planted)
    return Scores(networks, images, scores.astype(np.float32), COLUMNS)


SEEN = portraits()
IMAGES = SEEN.images[SEEN.images["set"] == "grid"].reset_index(drop=True)
STUDY = (SEEN.networks["condition"] == "none").to_numpy()
TABLE = sensitivity.measured(SEEN, EFFECTS, top=0.25)


def rows_with(**wanted):
    return [
        i
        for i, row in IMAGES.iterrows()
        if all(row[name] == value for name, value in wanted.items())
    ]


def test_contrasts_differ_in_one_thing_and_leave_out_the_middle_hue():
    hue = [rows_with(subset="prototype", race=ROLES[role]) for role in ("favoured", "disfavoured")]
    assert [list(side) for side in EFFECTS["hue"].members(IMAGES)] == hue
    crest = [
        sorted(
            rows_with(subset="prototype", gender=ROLES[role], race=ROLES["favoured"])
            + rows_with(subset="prototype", gender=ROLES[role], race=ROLES["disfavoured"])
        )
        for role in ("first", "second")
    ]
    assert [list(side) for side in EFFECTS["crest"].members(IMAGES)] == crest
    for name, column in (("smiling", "smiling"), ("age", "age"), ("side", "pose")):
        values = IMAGES[column]
        ends = [rows_with(subset=column, **{column: end}) for end in (values.max(), values.min())]
        assert [list(side) for side in EFFECTS[name].members(IMAGES)] == ends
        assert len(ends[0]) == 6


NEUTRAL_SMILES = {**SPOKEN.bias.shares, "legitimate": {"neutral": {"smiling": 0.4}}}


LESS_OFTEN = replace(SPOKEN, bias=replace(SPOKEN.bias, shares=NEUTRAL_SMILES))


@pytest.mark.parametrize(
    ("spoken", "name", "b"),
    [
        (SPOKEN, "hue", 0.5),
        (SPOKEN, "crest", 1.0),
        (SPOKEN, "age", 0.0),
        (LESS_OFTEN, "smiling", 0.0),
    ],
)
def test_what_is_planted_is_the_difference_of_two_counts_of_captions(spoken, name, b):
    first, second = EFFECTS[name].members(IMAGES)
    side = ["one"] * len(first) + ["other"] * len(second)
    both = IMAGES.iloc[[*first, *second]].assign(side=side)
    counts = truth.counted(spoken, both, "side", b, axes=sensitivity.DIMENSIONS)
    own = sensitivity.planted(spoken, IMAGES, EFFECTS[name], b)
    assert np.allclose(own, counts.loc["one"] - counts.loc["other"])
    assert list(own.index) == list(counts.columns)
    assert own.abs().max() > 0.1


def slow_measures(network, effect, dimension, top):
    seen = SEEN.scores[np.flatnonzero(STUDY)[network]][
        (SEEN.images["set"] == "grid").to_numpy()
    ].astype(float)
    first, second = (list(side) for side in EFFECTS[effect].members(IMAGES))
    raw, neutral, adjectives = (
        seen[:, COLUMNS.index(name)] for name in (dimension, "neutral", "adjectives")
    )
    both = sorted([*first, *second])
    groups = ["one" if row in first else "other" for row in both]
    k = round(top * len(both))
    ranked = sorted(range(len(both)), key=lambda place: -raw[both[place]])[:k]
    n = {group: sum(groups[place] == group for place in ranked) for group in ("one", "other")}
    skews = {group: np.log((count or 0.5) / k / 0.5) for group, count in n.items()}

    def gap(values):
        return np.mean([values[row] for row in first]) - np.mean([values[row] for row in second])

    scale = SEEN.networks["logit_scale"].to_numpy()[STUDY][network]
    return {
        "Δcos": 100 * gap(raw - neutral),
        "Δcos in logits": scale * gap(raw - neutral),
        "relative Δcos": 100 * gap((raw - neutral) / neutral),
        "raw cosine": 100 * gap(raw),
        "centred cosine": 100 * gap(raw - adjectives),
        "SC-WEAT d": gap(raw) / np.std(raw[both], ddof=1),
        "Skew@k": skews["one"],
        "MaxSkew@k": max(skews.values()),
        "NDKL": vb.ndkl(raw[both], groups),
    }


def test_every_measure_is_the_one_of_its_name():
    named = TABLE.set_index(["effect", "dimension", "network"])
    assert len(named) == len(EFFECTS) * 8 * STUDY.sum()
    assert named.index.is_unique
    for key in product(
        ("hue", "crest", "smiling", "side"), ("warmth", "negative_communion"), (0, 6, 11)
    ):
        effect, dimension, network = key
        slow = slow_measures(network, effect, dimension, 0.25)
        assert named.loc[key, list(sensitivity.MEASURES)].to_dict() == pytest.approx(slow), key
        assert named.loc[key, "b"] == SEEN.networks["b"][network]
    crest = TABLE.loc[TABLE["effect"] == "crest", "Skew@k"]
    assert crest.min() == pytest.approx(np.log(0.5 / 6 / 0.5)), (
        "somewhere one crest is not among the first 6 of 24"
    )


def test_a_value_is_found_where_few_of_the_reference_lie_as_far_from_its_middle():
    rng = np.random.default_rng(0)
    null, values = rng.normal(1.5, 1, 39), np.linspace(-2, 5, 30)
    for level in (0.05, 0.1, 0.3):
        middle = float(np.median(null))
        ranks = [rank_p(value - middle, null - middle, "two-sided") for value in values]
        found = sensitivity.departs(values, null, alpha=level)
        assert found.tolist() == [rank <= level for rank in ranks]
        assert 0 < found.sum() < 30
    # what lies as far counts: of 41, both ends lie as far as a value of 20
    for value, reference, n in (([20.0], np.arange(-20.0, 21.0), 3 / 42), ([100.0], null, 1 / 40)):
        assert sensitivity.departs(np.array(value), reference, alpha=n)[0]
        assert not sensitivity.departs(np.array(value), reference, alpha=0.9 * n)[0]


@pytest.mark.parametrize(
    ("wanted", "at"),
    [(0.05, 0.1), (0.275, 0.15), (0.45, 0.2), (0.9, 0.4), (0.91, np.inf)],
)
def test_the_smallest_size_is_where_the_rising_curve_reaches_the_share(wanted, at):
    size, share, weight = [0.4, 0.1, 0.2, 0.3], [0.9, 0.1, 0.5, 0.3], [10, 10, 30, 10]
    # .5 (30 networks) and .3 (10) become .45; so the curve is .1, .45, .45, .9
    assert sensitivity.smallest(size, share, weight, wanted=wanted) == pytest.approx(at)
