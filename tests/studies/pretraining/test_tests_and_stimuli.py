"""Made-up ratings, lists and vectors; slow versions go through one stimulus, network and draw at a
time."""

from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest

from studies.pretraining import tests_and_stimuli as study
from vlmbias import battery
from vlmbias.battery.tests import PICTURES, ROWS, TURNED
from vlmbias.external import study_table

# --- the 26 tests ---------------------------------------------------------------------------------


def test_eight_rows_in_four_orders_are_26_tests():
    table = battery.listed()
    assert len(table) == 26 == table["test"].nunique() and len(ROWS) == 8
    assert table.groupby("order", sort=False).size().to_dict() == {
        "all-image": 5,
        "all-text": 8,
        "image-target": 5,
        "text-target": 8,
    }
    assert table.groupby("category").size().to_dict() == {
        "age": 4,
        "flower-insect": 4,
        "gender": 6,
        "instrument-weapon": 4,
        "race": 8,
    }
    text = table[table["kind"] == "text"].groupby("category")["n"].agg(list).to_dict()
    assert (
        text["race"] == [256, 128, 195] * 2
        and text["gender"] == [64, 80] * 2
        and text["age"] == [64] * 2
    )
    pictures = table[table["kind"] == "image"]
    assert pictures.dropna(subset="n").groupby("category")["n"].first().to_dict() == PICTURES
    assert set(pictures.loc[pictures["n"].isna(), "category"]) == {
        "instrument-weapon"
    } and TURNED == ("gender",)
    assert pictures[pictures["source"] == ""]["category"].eq("instrument-weapon").all()
    assert (table.query("order == 'image-target'")["against"] == "text").all()
    assert (table.query("order == 'text-target'")["kind"] == "text").all()


def test_the_names_are_those_of_the_released_table():
    for row in battery.listed().itertuples():
        assert row.test == study_table.name_of_test(row.category, row.order, row.targets)
        called = study_table.PICTURES[row.category] if row.kind == "image" else None
        assert row.targets == (called or study_table.TEXT_FILES[f"{row.source}.jsonl"][1])


# --- choosing -------------------------------------------------------------------------------------


def test_both_ends_are_what_the_script_takes():
    rng = np.random.default_rng(0)
    for _ in range(20):
        rated = pd.DataFrame({"valence": rng.integers(1, 8, 30).astype(float), "name": range(30)})
        order = sorted(rated.index, key=rated["valence"].get, reverse=True)  # the authors' own way
        high, low = study.extremes(rated, 6)
        assert high.index.tolist() == order[:6] and low.index.tolist() == order[-6:]
        ties = study.tied(rated, 6)
        rest = rated.loc[order[6:-6], "valence"]
        assert ties == {
            "positive": sum(rest == rated.loc[order[5], "valence"]),
            "negative": sum(rest == rated.loc[order[-6], "valence"]),
        }


def test_more_than_half_would_overlap():
    with pytest.raises(
        ValueError, match="6 from each end of 11 stimuli would overlap; choose at most 5"
    ):
        study.extremes(pd.DataFrame({"valence": np.arange(11.0)}), 6)


def test_balance_and_the_mildest():
    rated = pd.DataFrame({"valence": [6.0, 5.0, 4.5, 4.0, 3.8, 2.0, 1.0]})
    found = study.balance(rated[:2], rated[-2:], middle=4)
    assert found.to_dict() == {"positive": 1.5, "negative": 2.5, "difference": -1.0}
    high, low = study.middling(rated, 2, middle=4)
    assert high["valence"].tolist() == [4.5, 5.0] and low["valence"].tolist() == [3.8, 2.0]


def test_raters_round_stay_within_the_scale_and_average():
    exact = study.rate([-9.0, -2.0, 0.0, 0.5, 9.0], raters=3, sd=0, seed=1)
    assert exact.tolist() == [1.0, 2.0, 4.0, 4.0, 7.0]  # 4 + .75 * v, rounded to even
    noisy = study.rate(np.zeros(400), raters=9, sd=1.5, seed=1)
    steps = np.random.default_rng(2).normal(0, 1.5, 200_000)
    expected = np.clip(np.round(4 + steps), 1, 7).std() / 3
    assert abs(noisy.std() - expected) < 0.05 and abs(noisy.mean() - 4) < 0.1
    assert np.allclose(noisy * 9, np.round(noisy * 9))


# --- what is in a list ----------------------------------------------------------------------------


def test_themes_and_families():
    assert [
        study.theme(name) for name in ("Lake 12", "KKK rally 1", "baby1_cifar", "Dog", "roach 3")
    ] == ["Lake", "KKK rally", "baby", "Dog", "roach"]
    words = [
        "happy",
        "joys",
        "hugs",
        "very good",
        "happier",
        "joyful",
        "good",
        "extremely good",
        "hell",
        "hat",
        "he",
    ]
    assert sorted(map(sorted, study.families(words))) == sorted(
        map(
            sorted,
            [
                ["happy", "happier"],
                ["joys", "joyful"],
                ["hugs"],
                ["very good", "extremely good", "good"],
                ["hell"],
                ["hat"],
                ["he"],
            ],
        )
    )
    assert (
        len(study.families(["misbehave", "mistreated", "decay", "deceit"])) == 4
    )  # three letters are too few
    assert study.families(["murderer", "other", "murderous", "murd"]) == [
        ["other"],
        ["murderer", "murderous", "murd"],
    ]


def test_contents_count_kinds_and_the_largest():
    table = study.contents(
        {"w": ["happy", "hell", "happier"], "p": ["Dog 1", "Dog 2", "Cat 1", "Dog 3"]}, words=["w"]
    )
    assert table.loc["w"].tolist() == [3, 2, "happy", 2] and table.loc["p"].tolist() == [
        4,
        2,
        "Dog",
        3,
    ]


def test_entries_that_show_what_is_compared_are_named():
    sets = {"good": ["Baby 1", "Lake 2", "baby2_x", "Flower 3"], "bad": ["Fire 1"]}
    found = study.named(sets, {"age": ["baby"], "flower-insect": ["flower", "roach"]})
    assert found.values.tolist() == [
        ["good", "age", 2, "Baby (1), baby (1)"],
        ["good", "flower-insect", 1, "Flower (1)"],
    ]
    assert study.named({"bad": ["Fire 1"]}, {"age": ["baby"]}).empty


# --- what a choice does ---------------------------------------------------------------------------


@pytest.fixture(scope="module")
def panel():
    rng = np.random.default_rng(7)
    vectors = {name: rng.normal(size=(4, n, 5)) for name, n in (("image", 40), ("word", 12))}
    networks = pd.DataFrame({"b": [0.0, 0.0, 1.0, 1.0], "logit_scale": [10.0, 20.0, 30.0, 40.0]})
    return SimpleNamespace(
        networks=networks, image_vectors=vectors["image"], word_vectors=vectors["word"]
    )


TEST = study.Sides("faces", "image", np.arange(6), np.arange(6, 14), np.arange(14, 20))
NAMES = study.Sides("names", "text", np.arange(3), np.arange(3, 6), np.arange(14, 20))
A, B = np.arange(20, 30), np.arange(30, 38)


def slowly(panel, one, A, B, against="image"):
    of = {"image": panel.image_vectors, "text": panel.word_vectors}
    found = []
    for k in range(4):
        score = [
            np.mean([w @ a for a in of[against][k, A]])
            - np.mean([w @ b for b in of[against][k, B]])
            for w in of[one.kind][k, np.concatenate([one.X, one.Y])]
        ]
        x, y = score[: len(one.X)], score[len(one.X) :]
        gap = np.mean(x) - np.mean(y)
        found.append((gap / np.std(score, ddof=1), gap * panel.networks["logit_scale"][k]))
    return np.array(found).T


@pytest.mark.parametrize(
    ("one", "against", "sides"),
    [
        (TEST, "image", (A, B)),
        (TEST, "text", (np.arange(6, 9), np.arange(9, 12))),
        (NAMES, "image", (A, B)),
        (NAMES, "text", (np.arange(6, 8), np.arange(9, 12))),
    ],
)
def test_scores_are_those_of_one_network_at_a_time(panel, one, against, sides):
    d, gap = study.scored(panel, one, *sides, against=against)
    expected = slowly(panel, one, *sides, against=against)
    assert np.allclose(d, expected[0]) and np.allclose(gap, expected[1])


def test_ways_are_averaged_over_draws_and_networks_apart(panel):
    draws = [(A[:4], B[:4]), (A[4:8], B[4:8]), (A[2:6], B[3:7])]
    table = study.designs(panel, [TEST, NAMES], {"one": draws[:1], "three": draws})
    each = np.stack([slowly(panel, NAMES, *own) for own in draws])
    own = table.query("way == 'three' and test == 'names'")
    assert np.allclose(own["d"], each[:, 0].mean(axis=0)) and np.allclose(
        own["gap"], each[:, 1].mean(axis=0)
    )
    assert np.allclose(own["by_draw"], each[:, 0].std(axis=0, ddof=1))
    assert table.query("way == 'one'")["by_draw"].isna().all()
    over = study.over_networks(table).set_index(["way", "test", "b"])
    row = over.loc[("three", "names", 1.0)]
    d, spread = each[:, 0].mean(axis=0)[2:], each[:, 0].std(axis=0, ddof=1)[2:]
    assert (
        row["n"] == 2 and np.isclose(row["mean"], d.mean()) and np.isclose(row["sd"], d.std(ddof=1))
    )
    assert np.isclose(row["se"], d.std(ddof=1) / np.sqrt(2)) and np.isclose(
        row["by_draw"], np.sqrt((spread**2).mean())
    )
    gap = each[:, 1].mean(axis=0)[2:]
    assert np.isclose(row["gap"], gap.mean()) and np.isclose(row["gap_sd"], gap.std(ddof=1))


def test_replacing_pictures_moves_what_it_must(panel):
    table = study.with_strangers(panel, TEST, A, B, [0, 2, 6], draws=400, seed=3)
    none, some = (table[table["n"] == n].set_index("network") for n in (0, 2))
    assert np.allclose(none["d"], slowly(panel, TEST, A, B)[0]) and (none["moved"] == 0).all()
    assert np.allclose(some["moved"], some["d"] - none["d"])
    rest = (
        panel.image_vectors[:, A].mean(axis=1) * 8
        + panel.image_vectors[:, TEST.strangers].mean(axis=1) * 2
    ) / 10
    way = rest - panel.image_vectors[:, B].mean(axis=1)  # what the gap is on average over draws
    x, y = (
        np.einsum("kid,kd->ki", panel.image_vectors[:, own], way).mean(axis=1)
        for own in (TEST.X, TEST.Y)
    )
    assert np.allclose(some["gap"], (x - y) * panel.networks["logit_scale"], atol=2)
    assert not np.allclose(some["gap"], none["gap"], atol=2)


def test_subsets_are_drawn_without_replacement_from_each_side():
    rng = np.random.default_rng(0)
    drawn = study.subsets([np.arange(5), np.arange(10, 16)], 4, draws=50, rng=rng)
    assert len(drawn) == 50 and all(len(set(own)) == 4 for pair in drawn for own in pair)
    assert {int(v) for pair in drawn for v in pair[0]} == set(range(5))
    assert {int(v) for pair in drawn for v in pair[1]} == set(range(10, 16))


def test_agreement_of_two_sets_of_attributes():
    one = pd.DataFrame({"test": ["a", "b", "c"], "d": [0.1, -0.5, 1.0]})
    other = pd.DataFrame({"test": ["c", "a", "b"], "d": [0.4, -0.3, -0.2]})
    (row,) = study.agreement({"x": one, "y": other}).to_dict("records")
    assert (row["first"], row["second"], row["tests"], row["turned"]) == ("x", "y", 3, 1)
    r = np.corrcoef([0.1, -0.5, 1.0], [-0.3, -0.2, 0.4])[0, 1]
    assert np.isclose(row["largest"], 0.6) and np.isclose(row["r"], r)


def test_targets_and_strangers_are_other_people():
    rows = [
        (race, gender, seed, age, "prototype")
        for race in ("r1", "r2")
        for gender in ("g1", "g2")
        for seed in range(4)
        for age in (2.6,)
    ]
    rows += [("r1", "g1", seed, age, "age") for seed in range(4) for age in (0.8, 4.4)]
    images = pd.DataFrame(rows, columns=["race", "gender", "seed", "age", "subset"]).astype(
        {"seed": "Int64"}
    )
    images = pd.concat(
        [images, pd.DataFrame({"race": [None], "seed": [pd.NA]}, dtype=object)], ignore_index=True
    )
    images = images.astype({"seed": "Int64", "age": float})
    panel = SimpleNamespace(images=images, words_of=lambda axis, slot: (axis, slot))
    found = {one.called: one for one in study.sides(panel, ["r1", "r2"], ["g2", "g1"])}
    assert list(found) == ["hue", "crest", "age", "hue, by names"]
    for name, column, pair in (("hue", "race", ("r1", "r2")), ("crest", "gender", ("g2", "g1"))):
        for rows, level in zip((found[name].X, found[name].Y), pair, strict=True):
            own = images.loc[rows]
            assert (own[column] == level).all() and (own["seed"] % 2 == 0).all() and len(own) == 4
        own = images.loc[found[name].strangers]
        assert (
            (own[column] == pair[0]).all()
            and (own["seed"] % 2 == 1).all()
            and set(own["subset"]) == {"prototype"}
        )
    assert (images.loc[found["age"].X, "age"] == 0.8).all() and (
        images.loc[found["age"].Y, "age"] == 4.4
    ).all()
    assert (
        found["hue, by names"].X == ("r1_name", "race_name")
        and found["hue, by names"].kind == "text"
    )
    assert (found["hue, by names"].strangers == found["hue"].strangers).all()
