"""Made-up cells, vectors and networks in which everything differs; slow versions take one score at
a time."""

import itertools
import math
from dataclasses import dataclass, replace

import numpy as np
import pandas as pd
import pytest

import vlmbias as vb
from greenhouse.retrained import Vectors
from studies.pretraining import effect_sizes as study
from studies.pretraining.effect_sizes import ORDERS, Targets


def d_of(x, y):
    """The effect size, from its definition."""
    both = [*x, *y]
    centre = sum(both) / len(both)
    spread = math.sqrt(sum((one - centre) ** 2 for one in both) / (len(both) - 1))
    return (sum(x) / len(x) - sum(y) / len(y)) / spread


# --- the printed cells ----------------------------------------------------------------------------


def table_of_cells():
    rng = np.random.default_rng(0)
    return pd.DataFrame(
        [
            {
                "stimuli": which,
                "category": category,
                "order": order,
                "n": int(rng.integers(3, 9)),
                "mean": rng.normal(),
                "sd": rng.uniform(0.2, 1),
            }
            for which in ("new", "old")
            for category in study.CATEGORIES
            for order in ORDERS
        ]
    )


def cases_of(cells):
    """Values with exactly these means and standard deviations."""
    for row in cells.itertuples():
        z = np.random.default_rng(row.Index).normal(size=row.n)
        yield from row.mean + row.sd * (z - z.mean()) / z.std(ddof=1)


def test_cells_are_the_printed_ones_in_the_figures_order():
    claims = pd.DataFrame(
        [
            ("effect_sizes.old.race.all-text.mean", "−.265", 393),
            ("effect_sizes.old.race.all-text.sd", ".427", 393),
            ("effect_sizes.new.race.text-target.sd", ".450", 393),
            ("effect_sizes.new.race.text-target.mean", ".242", 393),
            ("effect_sizes.new.age.all-image.mean", "-.368", 131),
            ("effect_sizes.new.age.all-image.sd", ".797", 131),
            ("effect_sizes.models", "131", None),
            ("effect_sizes.table2.age.mean", "0.007", None),
        ],
        columns=["id", "value", "n"],
    )
    assert study.cells(claims).values.tolist() == [
        ["new", "race", "text-target", 393, 0.242, 0.450],
        ["new", "age", "all-image", 131, -0.368, 0.797],
        ["old", "race", "all-text", 393, -0.265, 0.427],
    ]


def test_the_ledgers_cells_are_all_there():
    cells = study.cells(vb.ledger.load("pretraining"))
    assert len(cells) == 40 and cells.groupby("stimuli")["n"].sum().eq(3406).all()
    assert cells["category"].tolist()[:8] == ["flower-insect"] * 4 + ["instrument-weapon"] * 4


def test_the_variance_is_that_of_all_cases_and_splits_into_two_parts():
    cells = table_of_cells()
    found, cases = study.variance(cells), list(cases_of(cells))
    assert found["overall"] == pytest.approx(np.var(cases, ddof=1))
    within = sum((row.n - 1) * row.sd**2 for row in cells.itertuples()) / (len(cases) - 1)
    assert found["within"] == pytest.approx(within)
    assert found["between"] == pytest.approx(np.var(cases, ddof=1) - within)


def test_changes_are_shares_of_the_earlier_variance_order_by_order():
    cells = table_of_cells()
    found = study.changes(cells)
    assert list(found.index) == ["all", *ORDERS]
    own = cells[cells["order"] == "all-text"]
    new, old = (
        np.var(list(cases_of(own[own["stimuli"] == which])), ddof=1) for which in ("new", "old")
    )
    row = found.loc["all-text"]
    assert row["overall", "new"] == pytest.approx(new) and row["overall", "old"] == pytest.approx(
        old
    )
    assert row["overall", "change"] == pytest.approx(new / old - 1)
    assert row["within", "change"] + row["between", "change"] == pytest.approx(new / old - 1)
    assert row["within", "change"] == pytest.approx(
        (row["within", "new"] - row["within", "old"]) / old
    )
    everything = [
        np.var(list(cases_of(cells[cells["stimuli"] == which])), ddof=1) for which in ("new", "old")
    ]
    assert found.loc["all", ("overall", "change")] == pytest.approx(
        everything[0] / everything[1] - 1
    )


@pytest.mark.parametrize(("n_x", "n_y"), [(2, 2), (3, 5), (7, 4)])
def test_no_scores_give_a_larger_d_than_the_ceiling(n_x, n_y):
    assert study.ceiling(n_x, n_y) == pytest.approx(d_of([1.0] * n_x, [0.0] * n_y))
    rng = np.random.default_rng(n_x)
    assert max(
        d_of(rng.normal(9, 1, n_x), rng.normal(0, 1, n_y)) for _ in range(50)
    ) < study.ceiling(n_x, n_y)


@pytest.mark.parametrize(("n_x", "n_y"), [(3, 3), (3, 5)])
def test_labels_dealt_out_at_random_spread_d_as_said(n_x, n_y):
    scores = np.random.default_rng(1).exponential(size=n_x + n_y)
    every = [
        d_of(scores[list(x)], np.delete(scores, list(x)))
        for x in itertools.combinations(range(n_x + n_y), n_x)
    ]
    assert study.spread_by_chance(n_x, n_y) == pytest.approx(np.std(every))
    assert study.spread_by_chance([n_x, 6], [n_y, 6])[1] == pytest.approx(math.sqrt(1 / 3))


# --- the tests on one model -----------------------------------------------------------------------


@dataclass(frozen=True)
class Stimuli:
    """Images or prompts, as far as a study knows them."""

    table: pd.DataFrame

    def __len__(self):
        return len(self.table)

    def where(self, mask):
        return Stimuli(self.table[np.asarray(mask)].reset_index(drop=True))


@dataclass(frozen=True)
class Embedded(Stimuli):
    """Vectors that depend on the text (or the name) alone."""

    def __array__(self, dtype=None, copy=None):
        names = self.table["text"] if "text" in self.table else self.table["name"]
        seeds = [[*str(name).encode()] for name in names]
        vectors = np.array([np.random.default_rng(own).normal(size=4) for own in seeds])
        return vectors if dtype is None else vectors.astype(dtype)


def embed(stimuli):
    return Embedded(stimuli.table)


def sentences(side, n_words, n_sentences=2):
    rows = [
        (side, f"{side}{word}", f"{side}{word} {k}")
        for word in range(n_words)
        for k in range(n_sentences)
    ]
    return Stimuli(pd.DataFrame(rows, columns=["dimension", "word", "text"]))


def pictures(side, n):
    return Stimuli(pd.DataFrame({"name": [f"{side}{k}" for k in range(n)]}))


ATTRIBUTES = {
    "image": (pictures("fair", 3), pictures("foul", 4)),
    "text": (sentences("good", 2), sentences("bad", 3)),
}
TARGETS = [
    Targets("race", "image", "faces", pictures("x", 6), pictures("y", 7)),
    Targets("gender", "text", "names", sentences("she", 6), sentences("he", 5)),
    Targets("gender", "text", "terms", sentences("her", 2), sentences("him", 3)),
]
CHOICES = dict(n_resamples=50, seed=3, alternative="greater", n_permutations=300)


def scored(side, attributes, end=""):
    """s of every item, from cosines one at a time."""
    W, A, B = (
        np.asarray(
            embed(
                one
                if "text" not in one.table
                else Stimuli(one.table.assign(text=one.table["text"] + end))
            )
        )
        for one in (side, *attributes)
    )
    cosine = lambda a, b: a @ b / np.sqrt((a @ a) * (b @ b))  # noqa: E731
    return [np.mean([cosine(w, a) for a in A]) - np.mean([cosine(w, b) for b in B]) for w in W]


@pytest.mark.parametrize("end", ["", "."])
def test_every_test_is_the_papers_formula_in_all_four_orders(end):
    found = study.run(TARGETS, ATTRIBUTES, embed, end=end, turned=(), ddof=1, **CHOICES)
    assert found["order"].tolist() == [
        "all-image",
        "all-text",
        "all-text",
        "image-target",
        "text-target",
        "text-target",
    ]
    for row in found.itertuples():
        target = next(one for one in TARGETS if one.called == row.targets)
        against = {
            "all-image": "image",
            "text-target": "image",
            "all-text": "text",
            "image-target": "text",
        }[row.order]
        x, y = (scored(side, ATTRIBUTES[against], end) for side in (target.X, target.Y))
        assert row.d == pytest.approx(d_of(x, y)) and row.gap == pytest.approx(
            np.mean(x) - np.mean(y)
        )
        assert row.largest == pytest.approx(study.ceiling(len(x), len(y)))
        assert row.category == target.category
    assert found["n"].tolist() == [6, 10, 4, 6, 10, 4] and found["units"].tolist() == [
        6,
        5,
        2,
        6,
        5,
        2,
    ]
    assert np.isnan(found["low"]).tolist() == [False, False, True, False, False, True]
    given = found.dropna()
    assert (given["low"] < given["d"]).all() and (given["d"] < given["high"]).all()


def test_a_turned_test_keeps_d_and_has_the_p_of_the_other_tail():
    plain = study.run(TARGETS, ATTRIBUTES, embed, end="", turned=(), ddof=1, **CHOICES)
    turned = study.run(TARGETS, ATTRIBUTES, embed, end="", turned=("gender",), ddof=1, **CHOICES)
    for name in ("d", "gap", "low", "high"):
        np.testing.assert_allclose(turned[name], plain[name])
    other = study.run(
        TARGETS, ATTRIBUTES, embed, end="", turned=(), ddof=1, **CHOICES | {"alternative": "less"}
    )
    exact = plain["exact"] & (plain["category"] == "gender")
    assert exact.any() and turned.loc[exact, "p"].tolist() == pytest.approx(
        other.loc[exact, "p"].tolist()
    )
    swapped = [
        replace(one, X=one.Y, Y=one.X) if one.category == "gender" else one for one in TARGETS
    ]
    assert (
        turned["p"].tolist()
        == study.run(swapped, ATTRIBUTES, embed, end="", turned=(), ddof=1, **CHOICES)["p"].tolist()
    )
    differ = study.that_differ({"described": plain, "released": turned})
    assert set(differ["category"]) == {"gender"} and len(differ) == 4
    assert list(differ) == [
        "category",
        "order",
        "targets",
        "d, described",
        "d, released",
        "p, described",
        "p, released",
    ]
    assert not len(study.that_differ({"described": plain, "released": plain}))


def test_the_divisor_is_the_one_asked_for():
    one, other = (
        study.run(TARGETS, ATTRIBUTES, embed, end="", turned=(), ddof=k, **CHOICES) for k in (0, 1)
    )
    n = np.array([13, 22, 10, 13, 22, 10])
    np.testing.assert_allclose(one["d"] / other["d"], np.sqrt(n / (n - 1)))


def test_an_interval_draws_units_with_all_their_items():
    rng = np.random.default_rng(2)
    scores, units = (
        [rng.normal(1, 1, 12), rng.normal(0, 1, 10)],
        [np.repeat(range(6), 2), np.repeat(range(5), 2)],
    )
    drawn = [vb.cluster_weights(own, n_resamples=80, seed=[7, k]) for k, own in enumerate(units)]
    slow = [
        d_of(np.repeat(scores[0], x), np.repeat(scores[1], y)) for x, y in zip(*drawn, strict=True)
    ]
    found = study.interval(scores, units, ddof=1, n_resamples=80, seed=7)
    assert found == pytest.approx(tuple(np.quantile(slow, [0.025, 0.975])))
    one, other = (study.interval(scores, units, ddof=k, n_resamples=80, seed=7)[0] for k in (0, 1))
    assert abs(one / other - 1) == pytest.approx(1 - math.sqrt(21 / 22), abs=0.01)
    assert np.isnan(study.interval(scores, units, ddof=1, n_resamples=80, seed=7, fewest=6)).all()


def test_images_are_taken_in_turn_and_identities_once():
    rows = [
        (seed, race, gender, age)
        for race in "ab"
        for gender in "mf"
        for seed in range(3)
        for age in (1, 2, 3)
    ]
    faces = Stimuli(pd.DataFrame(rows, columns=["seed", "race", "gender", "age"]))
    taken = study.of_kind(faces, "race", "a", 5).table
    assert set(taken["race"]) == {"a"} and sorted(taken["gender"].value_counts()) == [2, 3]
    assert len(study.of_kind(faces, "race", "a", 99)) == 18
    plain = Stimuli(pd.DataFrame({"category": ["flower", "insect"] * 4, "number": range(8)}))
    assert study.of_kind(plain, "category", "insect", 3).table["number"].tolist() == [1, 3, 5]
    old = study.of_age(faces, [2, 3], 2, seed=1).table
    assert set(old["age"]) <= {2, 3} and old["seed"].is_unique and len(old) == 2
    both = pd.concat([study.of_age(faces, [2, 3], 3, seed=k).table for k in range(9)])
    assert set(both["age"]) == {2, 3}
    assert len(study.of_age(faces, [2, 3], 9, seed=1)) == 3


def test_prompts_of_one_side_or_of_its_first_words():
    both = Stimuli(
        pd.concat([sentences("she", 3).table, sentences("he", 4).table], ignore_index=True)
    )
    assert len(study.of_side(both, "he")) == 8
    assert study.of_side(both, "he", 2).table["word"].unique().tolist() == ["he0", "he1"]


# --- the tests on retrained networks --------------------------------------------------------------

HUES, CRESTS = ("red", "blue"), ("tall", "flat")


@pytest.fixture(scope="module")
def panel():
    rng = np.random.default_rng(4)
    faces = [
        ("face", "prototype", race, gender, 0.0, None)
        for race in (*HUES, "grey")
        for gender in CRESTS
    ] * 4
    faces += [("face", "age", race, "tall", age, None) for race in HUES for age in (-3.0, 1.0, 5.0)]
    icons = [
        ("icon", None, None, None, np.nan, one)
        for one in ("flower", "insect", "instrument", "weapon", "pleasant", "unpleasant")
        for _ in range(3)
    ]
    images = pd.DataFrame(
        faces + icons, columns=["kind", "subset", "race", "gender", "age", "category"]
    )
    slots = {
        "object": ("flower", "insect", "instrument", "weapon"),
        "race_kin": (*HUES, "grey"),
        "gender_kin": CRESTS,
        "race_name": ("red_name", "blue_name", "grey_name"),
        "gender_name": ("tall_name", "flat_name"),
        "age_name": ("young_name", "old_name"),
        "valence": ("pleasant", "unpleasant"),
    }
    said = [
        (slot, axis, f"{axis}{k}")
        for slot, axes in slots.items()
        for axis in axes
        for k in range(4 if slot.endswith("name") else 3)
    ]
    words = pd.DataFrame(said, columns=["slot", "axes", "word"])
    networks = pd.DataFrame(
        {"b": [0.0, 0.0, 1.0, 0.0, 1.0], "logit_scale": [2.0, 3.0, 5.0, 7.0, 11.0]}
    )
    vectors = [rng.normal(size=(5, len(rows), 6)) for rows in (images, words)]
    return Vectors(networks, images, words, *vectors)


def test_the_papers_sets_have_their_counterparts(panel):
    found = study.shown(panel, HUES, CRESTS)
    assert [one.kind for one in found] == ["image"] * 5 + ["text"] * 8
    assert {(one.category, one.called) for one in found if one.category == "race"} == {
        ("race", "faces"),
        ("race", "names"),
        ("race", "half of the names"),
        ("race", "terms"),
    }
    by = {(one.category, one.called): one for one in found}
    images, words = panel.images, panel.words
    for (category, called), column, levels in (
        (("flower-insect", "icons"), "category", ("flower", "insect")),
        (("race", "faces"), "race", HUES),
        (("instrument-weapon", "icons"), "category", ("instrument", "weapon")),
        (("gender", "faces"), "gender", CRESTS),
        (("age", "faces"), "age", (-3.0, 5.0)),
    ):
        for rows, level in zip(
            (by[category, called].X, by[category, called].Y), levels, strict=True
        ):
            assert set(images.loc[rows, column]) == {level}
            kept = {"race": "prototype", "gender": "prototype", "age": "age"}.get(column)
            assert kept is None or set(images.loc[rows, "subset"]) == {kept}
            assert (
                len(rows)
                == (images[column].eq(level) & (images["subset"].eq(kept) if kept else True)).sum()
            )
    for (category, called), slot, axes in (
        (("flower-insect", "words"), "object", ("flower", "insect")),
        (("race", "terms"), "race_kin", HUES),
        (("instrument-weapon", "words"), "object", ("instrument", "weapon")),
        (("race", "names"), "race_name", ("red_name", "blue_name")),
        (("gender", "terms"), "gender_kin", CRESTS),
        (("gender", "names"), "gender_name", ("tall_name", "flat_name")),
        (("age", "names"), "age_name", ("young_name", "old_name")),
    ):
        for rows, axis in zip((by[category, called].X, by[category, called].Y), axes, strict=True):
            assert set(words.loc[rows, "slot"]) == {slot} and set(words.loc[rows, "axes"]) == {axis}
    half, whole = by["race", "half of the names"], by["race", "names"]
    assert half.X.tolist() == whole.X.tolist()[:2] and half.Y.tolist() == whole.Y.tolist()[:2]


def test_every_network_takes_every_test(panel):
    targets = [
        Targets("age", "image", "faces", np.array([0, 3]), np.array([5, 8, 9])),
        Targets("race", "text", "names", np.array([12, 14]), np.array([2, 7, 1])),
    ]
    found = study.by_network(panel, targets)
    assert len(found) == 4 * 5
    for row in found.itertuples():
        k, target = row.network, targets[row.category == "race"]
        own = {"image": panel.image_vectors[k], "text": panel.word_vectors[k]}
        against = "image" if row.order in ("all-image", "text-target") else "text"
        table, column = (panel.images, "category") if against == "image" else (panel.words, "axes")
        good, bad = (
            own[against][np.flatnonzero(table[column] == one)] for one in ("pleasant", "unpleasant")
        )
        scale = panel.networks["logit_scale"][k]
        s = [
            scale * (np.mean([w @ a for a in good]) - np.mean([w @ a for a in bad]))
            for w in own[target.kind]
        ]
        x, y = ([s[place] for place in side] for side in (target.X, target.Y))
        assert row.gap == pytest.approx(np.mean(x) - np.mean(y)) and row.d == pytest.approx(
            d_of(x, y)
        )
        assert (row.n_x, row.n_y, row.b, row.targets) == (
            2,
            3,
            panel.networks["b"][k],
            target.called,
        )


@pytest.fixture(scope="module")
def table(panel):
    return study.by_network(panel, study.shown(panel, HUES, CRESTS))


def test_cells_over_networks_pool_their_tests_and_say_how_many_items(table):
    found = study.over_networks(table)
    assert len(found) == 2 * 20
    row = found.query("b == 0 and category == 'race' and order == 'all-text'").iloc[0]
    own = table.query("b == 0 and category == 'race' and order == 'all-text'")["d"].tolist()
    assert len(own) == 9 and row["tests"] == 3 and row["n"] == "4, 3, 2"
    assert row["mean"] == pytest.approx(sum(own) / 9) and row["sd"] == pytest.approx(
        np.std(own, ddof=1)
    )
    assert row["chance"] == pytest.approx(math.sqrt((2 / 4 + 2 / 3 + 2 / 2) / 3))


def test_shares_are_taken_network_by_network(table):
    kinds = {"all": list(study.CATEGORIES), "social": ["race", "gender"]}
    found = study.shares(table, kinds, above=0.1).set_index(["b", "tests"])
    for (b, called), row in found.iterrows():
        each = []
        for network in table.loc[table["b"] == b, "network"].unique():
            own = [
                one.d > 0.1
                for one in table.itertuples()
                if one.network == network and one.category in kinds[called]
            ]
            each.append(sum(own) / len(own))
        assert row["n"] == len(each) == {0: 3, 1: 2}[b]
        assert row["mean"] == pytest.approx(np.mean(each)) and row["sd"] == pytest.approx(
            np.std(each, ddof=1)
        )
    assert study.shares(table, kinds, above=-99)["mean"].eq(1).all()


def test_means_over_networks_stand_beside_shares_of_them():
    values = {
        ("a − b", "all-text"): [0.3, -0.4, 0.1, 0.5],
        ("a − b", "all-image"): [2.1, 2.2, 2.0, 2.15],
    }
    own = pd.concat(
        [
            pd.DataFrame({"category": pair, "order": order, "n_x": 8, "n_y": 9, "d": d})
            for (pair, order), d in values.items()
        ],
        ignore_index=True,
    )
    found = study.means(own).set_index("order")
    text = found.loc["all-text"]
    assert (text["above"], text["away"], text["mean"], text["n_x"], text["n_y"]) == (
        0.5,
        0.75,
        pytest.approx(0.125),
        8,
        9,
    )
    assert text["p"] > 0.05 and found.loc["all-image", "p_holm"] < 0.05
    assert found.loc["all-image", "p_holm"] == pytest.approx(2 * found.loc["all-image", "p"])
    strict = study.means(own, above=0.3).set_index("order").loc["all-text"]
    assert (strict["above"], strict["away"]) == (0.25, 0.5)


def test_a_pair_is_found_whichever_way_round_it_is_listed():
    listed = pd.DataFrame(
        [
            ("b0", 0.0, 1, "red", "blue", "pleasant", 0.5, 1.0, 0.1),
            ("b0", 0.0, 2, "blue", "red", "pleasant", 0.7, 1.4, 0.2),
            ("b0", 0.0, 2, "blue", "grey", "pleasant", 9, 9, 9),
            ("b1", 1.0, 3, "red", "blue", "warmth", 9, 9, 9),
        ],
        columns=["kind", "b", "seed", "first", "second", "axis", "measured", "d", "counted"],
    )
    found = study.of_pair(listed, "red", "blue")
    assert found[["seed", "gap", "d", "counted"]].values.tolist() == [
        [1, 0.5, 1.0, 0.1],
        [2, -0.7, -1.4, -0.2],
    ]
    assert study.of_pair(listed, "blue", "red")["gap"].tolist() == [-0.5, 0.7]
    assert study.of_pair(listed, "red", "blue", axis="warmth")["b"].tolist() == [1.0]


def test_the_papers_summaries_are_recorded_by_their_ids(table):
    own = table[table["b"] == 1]
    found, d = study.claims(own), own["d"].tolist()
    assert found["models"] == 2 and found["cases"] == 52 == len(d)
    assert found["congruent"] == pytest.approx(100 * sum(one > 0 for one in d) / 52)
    assert found["significant-new"] == pytest.approx(100 * sum(one > 0.2 for one in d) / 52)
    assert found["variance-new"] == pytest.approx(np.var(d, ddof=1))
    assert found["positive-cells"] == sum(
        found[name] > 0 for name in found if name.endswith(".mean")
    )
    cell = own.query("category == 'gender' and order == 'text-target'")["d"].tolist()
    assert found["new.gender.text-target.mean"] == pytest.approx(np.mean(cell))
    assert found["new.gender.text-target.sd"] == pytest.approx(np.std(cell, ddof=1))
    assert {f"effect_sizes.{name}" for name in found} <= set(vb.ledger.load("pretraining")["id"])
