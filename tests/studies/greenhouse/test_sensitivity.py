"""Made-up networks, pictures and dimensions that all differ; slow versions compute one number at a
time."""

from dataclasses import replace
from itertools import product

import numpy as np
import pandas as pd
import pytest
from scipy import stats

import vlmbias as vb
from greenhouse.retrained import COLUMNS, Scores
from greenhouse.world import grammar as grammars
from greenhouse.world import grid, truth
from studies.greenhouse import sensitivity

SPOKEN = grammars.load()
ROLES = SPOKEN.bias.roles
EFFECTS = sensitivity.contrasts(ROLES)


def portraits(strengths=(0.0,) * 5 + (0.5,) * 3 + (1.0,) * 4, people=6):
    """Networks that read each dimension, and the neutral prompts, with a lean of their own."""
    table = grid.causalface(people)
    table = table[table["seed"].eq(0) | table["subset"].eq("prototype")]
    images = pd.concat([table.assign(set="grid"), table.assign(set="other")], ignore_index=True)
    rng = np.random.default_rng(4)
    networks = pd.DataFrame(
        {"condition": "none", "b": strengths, "logit_scale": rng.uniform(10, 20, len(strengths))}
    )
    networks = pd.concat(
        [networks, networks.iloc[:2].assign(condition="neutral")], ignore_index=True
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
PLANTED = sensitivity.sizes(SEEN, SPOKEN, EFFECTS)


def rows_with(**wanted):
    return [
        i
        for i, row in IMAGES.iterrows()
        if all(row[name] == value for name, value in wanted.items())
    ]


# --- contrasts


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
        assert [list(side) for side in EFFECTS[name].members(IMAGES)] == ends and len(ends[0]) == 6


def test_what_is_planted_is_the_difference_of_two_counts_of_captions():
    for name, b in (("hue", 1.0), ("hue", 0.5), ("crest", 1.0), ("smiling", 0.0), ("age", 0.0)):
        first, second = EFFECTS[name].members(IMAGES)
        both = IMAGES.iloc[[*first, *second]].assign(
            side=["one"] * len(first) + ["other"] * len(second)
        )
        counts = truth.counted(SPOKEN, both, "side", b, axes=sensitivity.DIMENSIONS)
        own = sensitivity.planted(SPOKEN, IMAGES, EFFECTS[name], b)
        assert np.allclose(own, counts.loc["one"] - counts.loc["other"]) and list(
            own.index
        ) == list(counts.columns)
        assert own.abs().max() > 0.1
        listed = PLANTED[(PLANTED["effect"] == name) & (PLANTED["b"] == b)].set_index("dimension")[
            "planted"
        ]
        assert listed.to_dict() == pytest.approx(own.to_dict())
    assert set(PLANTED.groupby("effect")["b"].unique().map(tuple).items()) == {
        ("hue", (0.0, 0.5, 1.0)),
        ("crest", (0.0, 0.5, 1.0)),
        ("smiling", (0.0,)),
        ("age", (0.0,)),
    }


def test_faces_that_are_described_less_often_shift_every_dimension():
    shares = {**SPOKEN.bias.shares, "legitimate": {"neutral": {"smiling": 0.4}}}
    spoken = replace(SPOKEN, bias=replace(SPOKEN.bias, shares=shares))
    first, second = EFFECTS["smiling"].members(IMAGES)
    both = IMAGES.iloc[[*first, *second]].assign(
        side=["one"] * len(first) + ["other"] * len(second)
    )
    counts = truth.counted(spoken, both, "side", 0.0, axes=sensitivity.DIMENSIONS)
    own = sensitivity.planted(spoken, IMAGES, EFFECTS["smiling"], 0.0)
    assert np.allclose(own, counts.loc["one"] - counts.loc["other"])
    assert (own < sensitivity.planted(SPOKEN, IMAGES, EFFECTS["smiling"], 0.0) - 0.1).all()


# --- measures


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
    assert len(named) == len(EFFECTS) * 8 * STUDY.sum() and named.index.is_unique
    for key in product(
        ("hue", "crest", "smiling", "side"), ("warmth", "negative_communion"), (0, 6, 11)
    ):
        effect, dimension, network = key
        slow = slow_measures(network, effect, dimension, 0.25)
        assert named.loc[key, list(sensitivity.UNITS)].to_dict() == pytest.approx(slow), key
        assert named.loc[key, "b"] == SEEN.networks["b"][network]
    crest = TABLE.loc[TABLE["effect"] == "crest", "Skew@k"]
    assert crest.min() == pytest.approx(np.log(0.5 / 6 / 0.5)), (
        "somewhere one crest is not among the first 6 of 24"
    )


# --- found, and visible


def test_a_value_is_found_where_few_of_the_reference_lie_as_far_from_its_middle():
    rng = np.random.default_rng(0)
    null, values = rng.normal(1.5, 1, 39), np.linspace(-2, 5, 30)
    for level in (0.05, 0.1, 0.3):
        middle = float(np.median(null))
        ranks = [
            vb.networks.rank_p_value(value - middle, null - middle, alternative="two-sided")
            for value in values
        ]
        slow = [rank.p_value <= level for rank in ranks]
        found = sensitivity.departs(values, null, alpha=level)
        assert found.tolist() == slow and 0 < found.sum() < 30
    tied = np.arange(-20.0, 20.0 + 1)  # 41 of them; both ends lie as far as a value of 20
    assert sensitivity.departs(np.array([20.0]), tied, alpha=3 / 42)[0]
    assert not sensitivity.departs(np.array([20.0]), tied, alpha=2 / 42)[0], (
        "what lies as far counts"
    )
    far = np.array([100.0])
    assert (
        sensitivity.departs(far, null, alpha=1 / 40)[0]
        and not sensitivity.departs(far, null, alpha=1 / 41)[0]
    )


def test_hue_and_crest_are_set_against_nothing_planted_and_smiles_against_turning():
    found = sensitivity.detected(TABLE, PLANTED, alpha=0.17)
    assert len(found) == (2 * 2 + 2) * 8 * len(sensitivity.UNITS)
    assert not (found["effect"].eq("hue") & found["b"].eq(0)).any()
    values = TABLE.set_index(["effect", "dimension", "b"]).sort_index()
    for row in found.iloc[::7].itertuples():
        null = "side" if row.effect in ("smiling", "age") else row.effect
        own = values.loc[(row.effect, row.dimension, row.b), row.measure].to_numpy()
        reference = values.loc[(null, row.dimension, 0.0), row.measure].to_numpy()
        hits = sensitivity.departs(own, reference, alpha=0.17)
        assert (row.n, row.hits) == (len(own), hits.sum()) and row.low <= row.rate <= row.high
    assert 0 < found["hits"].sum() < found["n"].sum()
    all_found = found[found["hits"] == found["n"]]
    assert len(all_found) and (all_found["low"] < 1).all(), "the interval of all of all has a width"


def test_the_smallest_size_is_where_the_rising_curve_reaches_the_share():
    size, share, weight = [0.4, 0.1, 0.2, 0.3], [0.9, 0.1, 0.5, 0.3], [10, 10, 30, 10]
    # .5 (30 networks) and .3 (10) become .45; so the curve is .1, .45, .45, .9
    for wanted, at in (
        (0.05, 0.1),
        (0.1, 0.1),
        (0.275, 0.15),
        (0.45, 0.2),
        (0.675, 0.35),
        (0.9, 0.4),
        (0.91, np.inf),
    ):
        assert sensitivity.smallest(size, share, weight, wanted=wanted) == pytest.approx(at), wanted
    curve = sensitivity.rising_curve(np.array([0.1, 0.5, 0.3, 0.9]), np.array([10, 30, 10, 10]))
    assert np.allclose(curve, [0.1, 0.45, 0.45, 0.9])


def test_limits_have_intervals_off_the_exact_ends():
    sizes, hits = [-0.1, 0.2, -0.3, 0.4], [0, 4, 9, 10]
    rates = vb.networks.rates({k: np.arange(10) < n for k, n in enumerate(hits)}).reset_index(
        drop=True
    )
    table = rates.assign(effect="hue", measure="Δcos", planted=sizes)
    row = sensitivity.limits(table, wanted=0.5).iloc[0]
    between = {"limit": (0.2, 0.3, "rate"), "low": (0.1, 0.2, "high"), "high": (0.2, 0.3, "low")}
    for name, (below, above, column) in between.items():
        left, right = (rates[column][k] for k in (round(below * 10) - 1, round(above * 10) - 1))
        assert left < 0.5 <= right
        assert row[name] == pytest.approx(below + (above - below) * (0.5 - left) / (right - left))
    certain = sensitivity.limits(table, wanted=0.8).iloc[0]
    assert certain["limit"] < 0.3 and certain["high"] == np.inf, (
        "ten of ten do not settle four fifths"
    )
    drawn = sensitivity.curves(table)
    assert drawn["size"].tolist() == [0.1, 0.2, 0.3, 0.4] and drawn["rising"].tolist() == [
        0,
        0.4,
        0.9,
        1,
    ]


# --- units


def test_a_planted_logit_is_worth_the_slope_over_networks():
    worth = sensitivity.worth(TABLE, PLANTED, b=1.0).set_index("measure")
    at_1 = PLANTED[(PLANTED["b"] == 1) & PLANTED["effect"].isin(["hue", "crest"])]
    assert (
        list(worth.index) == list(sensitivity.UNITS) and worth["n"].eq(4).all() and len(at_1) == 16
    )
    for measure in ("Δcos in logits", "NDKL"):
        slopes, cells = [], []
        for network in range(8, 12):
            own = TABLE[TABLE["network"] == network].set_index(["effect", "dimension"])[measure]
            y = [own[row.effect, row.dimension] for row in at_1.itertuples()]
            x = at_1["planted"].abs() if measure == "NDKL" else at_1["planted"]
            slopes.append(stats.linregress(x, y).slope)
            cells.append(y)
        row = worth.loc[measure]
        assert row["mean"] == pytest.approx(np.mean(slopes)) and row["sd"] == pytest.approx(
            np.std(slopes, ddof=1)
        )
        assert (
            row["cv"] == pytest.approx(row["sd"] / abs(row["mean"]))
            and row["low"] < row["mean"] < row["high"]
        )
        assert row["r"] == pytest.approx(np.corrcoef(x, np.mean(cells, axis=0))[0, 1])


def test_averages_over_dimensions_are_found_against_networks_at_b_0():
    chosen = ("warmth", "negative_agency", "competence")
    found = sensitivity.averaged(TABLE, chosen, names=["Skew@k", "NDKL"], alpha=0.4)
    own = TABLE[TABLE["dimension"].isin(chosen)]
    for row in found.itertuples():

        def means(b, row=row):
            part = own[(own["effect"] == row.effect) & (own["b"] == b)]
            return np.array(
                [
                    part.loc[part["network"] == k, row.measure].mean()
                    for k in sorted(set(part["network"]))
                ]
            )

        values, null = means(row.b), means(0.0)
        hits = (
            sum(sensitivity.departs(null[[k]], np.delete(null, k), alpha=0.4)[0] for k in range(5))
            if row.b == 0
            else sensitivity.departs(values, null, alpha=0.4).sum()
        )
        assert (row.n, row.hits, row.mean) == (len(values), hits, pytest.approx(values.mean()))
    assert len(found) == 2 * 2 * 3 and set(found["effect"]) == {"hue", "crest"}
    assert 0 < found.loc[found["b"] > 0, "hits"].sum() < found.loc[found["b"] > 0, "n"].sum()
    assert found.loc[found["b"] == 0, "hits"].sum() > 0


def test_what_is_never_found_is_visible_at_no_size():
    assert sensitivity.visible_from(0.146) == "from 0.15 logits on"
    assert sensitivity.visible_from(np.inf) == "at no size that was planted"


def test_limits_differ_only_where_their_ranges_do_not_overlap():
    rough = sensitivity.which_is_easier((0.1, 0.3), (0.3, np.inf))
    assert "overlap, so we do not know" in rough
    assert sensitivity.which_is_easier((0.3, np.inf), (0.1, 0.3)) == rough
    for pair in (((0.1, 0.2), (0.3, 0.4)), ((0.3, 0.4), (0.1, 0.2))):
        assert "so the limits differ" in sensitivity.which_is_easier(*pair)
