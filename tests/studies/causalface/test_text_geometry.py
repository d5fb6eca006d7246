"""Made-up words and images in which every pole, word and template differs; slow versions go pair by
pair."""

import itertools
from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest
import slow
from scipy import stats
from sklearn.metrics import silhouette_score

import vlmbias as vb
from studies.causalface import text_geometry
from vlmbias.papers import CAUSALFACE

POLES = list(text_geometry.POLES)
TEMPLATES = ("a {} one", "one {}", "{}")
SIZE = {pole: 4 if "belief" in pole else 6 for pole in POLES} | {"warmth": 6, "competence": 5}


def unit(rows):
    return rows / np.linalg.norm(rows, axis=-1, keepdims=True)


def words(apart=1.0, noise=1.0):
    """Words around a middle of their pole; one word of warmth is also the first of positive
    communion."""
    rng, rows, vectors = np.random.default_rng(1), [], []
    for number, (pole, size) in enumerate(SIZE.items()):
        middle = apart * np.random.default_rng(100 + number).normal(size=8)
        for k in range(size):
            name = "positive_communion 0" if (pole, k) == ("warmth", 2) else f"{pole} {k}"
            place = middle + noise * rng.normal(size=8)
            for template in TEMPLATES:
                rows.append({"dimension": pole, "word": name, "template": template})
                vectors.append(place + 0.3 * rng.normal(size=8))
    return text_geometry.Adjectives(pd.DataFrame(rows), unit(np.array(vectors)))


def word_vector(own, pole, k):
    rows = own.table.index[
        (own.table["dimension"] == pole) & (own.table["word"] == own.words(pole)[k])
    ]
    return unit(np.mean([own.vectors[row] for row in rows], axis=0))


def test_words_are_read_per_template_and_averaged_in_the_order_of_the_prompts():
    own = words()
    mixed = own.table.sample(frac=1, random_state=0)
    shuffled = text_geometry.Adjectives(mixed.reset_index(drop=True), own.vectors[mixed.index])
    assert own.templates == 3 and own.words(POLES[2]) == [f"{POLES[2]} {k}" for k in range(4)]
    for one in (own, shuffled):
        assert one.per_template("competence").shape == (5, 3, 8)
        for k in range(5):
            assert np.allclose(one.mean("competence")[k], word_vector(one, "competence", k))


def test_neutral_prompts_are_no_adjectives():
    table = pd.DataFrame(
        {
            "dimension": ["warmth", "neutral"],
            "word": ["warm", ""],
            "template": ["{}", "{}"],
            "neutral": [False, True],
        }
    )

    class Texts(SimpleNamespace):
        def __array__(self, dtype=None, copy=None):
            return np.array([[3.0, 4.0], [1.0, 0.0]], dtype)

    own = text_geometry.adjectives(Texts(table=table))
    assert own.vectors.tolist() == [[0.6, 0.8]] and own.table["word"].tolist() == ["warm"]


def test_a_printed_p_gives_back_the_difference_behind_it():
    rng = np.random.default_rng(2)
    within, across = rng.normal(size=15) + 0.4, rng.normal(size=36)
    t, p = stats.ttest_ind(within, across, alternative="greater")
    n = {"agency": 6, "belief": 4}
    table = text_geometry.implied({("agency", "pos"): p, ("belief", "neg"): 0.8}, n).set_index(
        "dimension"
    )
    assert table.loc["agency", "d"] == pytest.approx(t * np.sqrt(1 / 15 + 1 / 36))
    for end, tail in (("low", 0.025), ("high", 0.975)):
        own = table.loc["agency", end] / np.sqrt(1 / 15 + 1 / 36)
        assert stats.nct.sf(t, 49, own) == pytest.approx(tail, abs=1e-6)
    assert table.loc["belief", "d"] < 0


def test_the_cloud_holds_every_word_once_by_its_first_pole():
    own = words()
    table, share = text_geometry.cloud(own)
    assert len(table) == sum(SIZE.values()) - 1 and table["word"].is_unique
    poles = table.set_index("word")["pole"]
    assert poles["positive_communion 0"] == "positive_communion" and poles["warmth 1"] == ""
    first = {
        word: word_vector(own, pole, k)
        for pole in reversed(SIZE)
        for k, word in enumerate(own.words(pole))
    }
    points = np.stack([first[word] for word in table["word"]])
    values, axes = np.linalg.eigh(np.cov(points.T))
    assert np.allclose(share[:8], values[::-1] / values.sum())
    for k in range(3):
        along = (points - points.mean(axis=0)) @ axes[:, -1 - k]
        assert abs(np.corrcoef(along, table[f"pc{k + 1}"])[0, 1]) == pytest.approx(1)
        assert table[f"pc{k + 1}"].std() == pytest.approx(np.sqrt(values[-1 - k]))
    inside = table[table["pole"] != ""]
    slow = silhouette_score(inside[["pc1", "pc2", "pc3"]], inside["pole"])
    assert text_geometry.silhouette(table) == pytest.approx(slow)


def test_similarities_count_each_pair_within_once_and_all_across():
    own, table = words(), text_geometry.similarities(words())
    for dimension, (plus, minus) in text_geometry.DIMENSIONS.items():
        n = SIZE[plus]
        for pole in (plus, minus):
            pairs = itertools.combinations(range(n), 2)
            slow = [word_vector(own, pole, i) @ word_vector(own, pole, j) for i, j in pairs]
            found = table[(table["pole"] == pole) & (table["kind"] == "within")]
            assert np.allclose(found["cosine"], slow) and set(found["dimension"]) == {dimension}
            named = itertools.combinations(own.words(pole), 2)
            assert list(zip(found["one"], found["other"], strict=True)) == list(named)
        slow = [
            word_vector(own, plus, i) @ word_vector(own, minus, j)
            for i in range(n)
            for j in range(n)
        ]
        assert np.allclose(
            table[(table["dimension"] == dimension) & (table["kind"] == "across")]["cosine"], slow
        )


def test_every_reading_of_the_t_test_agrees_with_pairs_listed_one_by_one():
    own, (plus, minus) = words(apart=0.3), CAUSALFACE.poles["agency"]
    listed = {
        "once": [(i, j) for i in range(6) for j in range(6) if i < j],
        "both ways": [(i, j) for i in range(6) for j in range(6) if i != j],
        "with itself": [(i, j) for i in range(6) for j in range(6)],
    }
    for average, (pairs, inner), welch in itertools.product(
        (True, False), listed.items(), (True, False)
    ):
        layers = [None] if average else range(3)

        def vector(pole, k, layer):
            return word_vector(own, pole, k) if layer is None else own.per_template(pole)[k, layer]

        within = [
            vector(minus, i, layer) @ vector(minus, j, layer) for layer in layers for i, j in inner
        ]
        across = [
            vector(minus, i, layer) @ vector(plus, j, layer)
            for layer in layers
            for i in range(6)
            for j in range(6)
        ]
        slow = stats.ttest_ind(within, across, equal_var=not welch, alternative="greater").pvalue
        found = text_geometry.t_test(own, minus, plus, average=average, pairs=pairs, welch=welch)
        assert found == pytest.approx(slow)
    with pytest.raises(ValueError, match="pairs='twice'; there are once, both ways, with itself"):
        text_geometry.t_test(own, plus, minus, average=True, pairs="twice", welch=False)


def test_readings_are_tests_of_each_pole_against_the_other():
    own, choice = words(apart=0.3), dict(average=True, pairs="once", welch=False)
    table = text_geometry.readings(own, {"described": choice})
    for dimension, (plus, minus) in text_geometry.DIMENSIONS.items():
        assert table.loc["described", (dimension, "pos")] == text_geometry.t_test(
            own, plus, minus, **choice
        )
        assert table.loc["described", (dimension, "neg")] == text_geometry.t_test(
            own, minus, plus, **choice
        )
    assert table.shape == (1, 6) and table.iloc[0].nunique() == 6


def test_relabelling_agrees_with_a_loop_over_all_ways():
    rng = np.random.default_rng(4)
    one, other = unit(rng.normal(size=(3, 5))), unit(rng.normal(size=(4, 5)))
    found, every, slow = text_geometry.relabelled(one, other), np.vstack([one, other]), []
    for picks in itertools.combinations(range(7), 3):
        rest = [k for k in range(7) if k not in picks]
        plus, minus = (
            np.mean([every[i] @ every[j] for i, j in itertools.combinations(own, 2)])
            for own in (picks, rest)
        )
        cross = np.mean([every[i] @ every[j] for i in picks for j in rest])
        slow.append([(plus + minus) / 2 - cross, plus - cross, minus - cross])
    assert np.allclose(found, slow) and len(found) == 35


def test_words_are_tested_by_all_their_relabellings():
    apart, alike = (
        text_geometry.word_tests(words(apart=3.0)),
        text_geometry.word_tests(words(apart=0.0)),
    )
    assert apart["relabellings"].tolist() == [924] * 3 + [70] * 3 + [924] * 3
    both = apart[apart["pole"] == "both"].set_index("dimension")
    assert both.loc["agency", "p"] == pytest.approx(2 / 924) and both.loc[
        "belief", "p"
    ] == pytest.approx(2 / 70)
    assert alike.loc[alike["pole"] == "both", "p"].min() > 0.02
    assert np.allclose(apart["p_holm"], slow.holm(apart["p"]))
    own = words(apart=3.0)
    first = text_geometry.relabelled(own.mean("positive_agency"), own.mean("negative_agency"))[0]
    assert np.allclose(apart.loc[apart["dimension"] == "agency", "difference"], first)


# --- images


def perception(n=120):
    """Images of three groups; each pole's two words share something of their own."""
    rng = np.random.default_rng(5)
    named = [*np.repeat(POLES, 2), "neutral", "neutral"]
    table = pd.DataFrame(
        {
            "race": rng.choice(["white", "asian", "black"], n),
            "gender": rng.choice(["male", "female"], n),
        }
    )
    listed = pd.DataFrame(
        {"dimension": named, "word": [f"{name} {k}" for k, name in enumerate(named)]}
    )
    listed["neutral"] = listed["dimension"] == "neutral"
    cosines = 0.2 + 0.05 * rng.normal(size=(n, len(named))) + 0.03 * rng.normal(size=(n, 1))
    return vb.Perception(table, listed, cosines, "made up")


def slow_values(seen, way, pole):
    own = seen.cosines[:, 2 * POLES.index(pole) : 2 * POLES.index(pole) + 2].mean(axis=1)
    every = seen.cosines[:, :12].mean(axis=1)
    return own - {"raw": 0, "delta": seen.cosines[:, -2:].mean(axis=1), "centred": every}[way]


def test_correlations_are_pearsons_r_within_each_group():
    seen = perception()
    weights = np.random.default_rng(6).integers(0, 3, (4, len(seen)))
    found, again = text_geometry.correlations(seen), text_geometry.correlations(seen, weights)
    assert len(found) == 3 * 6 * 3
    for (_, row), (_, drawn) in zip(found.iterrows(), again.iterrows(), strict=True):
        own = (
            (seen.table["race"] == row["race"]) & (seen.table["gender"] == row["gender"])
        ).to_numpy()
        x, y = (
            slow_values(seen, row["way"], pole)
            for pole in text_geometry.DIMENSIONS[row["dimension"]]
        )
        assert row["r"] == pytest.approx(np.corrcoef(x[own], y[own])[0, 1])
        for number, times in enumerate(weights):
            rows = np.repeat(np.flatnonzero(own), times[own])
            assert drawn["r"][number] == pytest.approx(np.corrcoef(x[rows], y[rows])[0, 1])


def test_the_covariance_of_differences_is_the_sum_of_its_terms():
    seen = perception()
    neutral = slow_values(seen, "raw", POLES[0]) - slow_values(seen, "delta", POLES[0])
    for row in text_geometry.covariances(seen).itertuples():
        x, y = (slow_values(seen, "raw", pole) for pole in text_geometry.DIMENSIONS[row.dimension])
        assert row.raw == pytest.approx(np.cov(x, y)[0, 1])
        assert row.neutral_variance == pytest.approx(neutral.var(ddof=1))
        assert row.less_positive == pytest.approx(-np.cov(x, neutral)[0, 1])
        assert row.less_negative == pytest.approx(-np.cov(y, neutral)[0, 1])
        assert row.delta == pytest.approx(np.cov(x - neutral, y - neutral)[0, 1])


def test_the_highest_group_and_how_often_it_is_again():
    keys = {"way": "raw", "dimension": "agency", "gender": "male"}
    values = {"white": 0.1, "asian": 0.7, "black": 0.3}
    r = pd.DataFrame([keys | {"race": race, "r": value} for race, value in values.items()])
    again = r.assign(
        r=[
            np.array([0.1, 0.9, 0.1, 0.2]),
            np.array([0.8, 0.2, 0.6, 0.1]),
            np.array([0.0, 0.1, 0.2, 0.9]),
        ]
    )
    row = text_geometry.highest(r, again).iloc[0]
    assert (
        row["group"] == "asian male"
        and row["same"] == 0.5
        and (row["r"], row["lowest"]) == (0.7, 0.1)
    )


# --- claims


def test_words_are_counted():
    found = text_geometry.counts(words())
    assert found["words.agency-positive"] == 6 and found["words.belief-conservative"] == 4
    assert (found["words.all"], found["words.distinct"], found["words.abc"]) == (43, 42, 32)
    assert (found["words.warmth"], found["words.competence"]) == (6, 5)
    assert found["templates"] == found["appendix.templates"] == 3 and found["dimensions"] == 8
    inferred = vb.ledger.load("causalface").set_index("id")["inferred"]
    assert {inferred[f"text_geometry.{name}"] for name in found} == {"us"}, (
        "our copy of a list reproduces no claim"
    )


def test_close_needs_six_large_p_and_clustered_a_low_silhouette():
    index = pd.MultiIndex.from_product([text_geometry.DIMENSIONS, text_geometry.SIGNS])
    large = pd.Series([0.06, 0.3, 0.8, 0.1, 0.2, 0.5], index)
    found = text_geometry.of_words(large, 0.2)
    assert found["table_c3.belief.pos"] == 0.8 and found["table_c3.agency.neg"] == 0.3
    assert all(found[name] is True for name in ("never-lower", "caption", "close", "clustered"))
    one = text_geometry.of_words(large.where(large != 0.06, 0.04), 0.3)
    assert not any(one[name] for name in ("never-lower", "caption", "close", "clustered"))


def table_of(r):
    """r by dimension, the same for all groups but one, which is 0.1 higher (or lower, for
    whites)."""

    def shifted(race, gender):
        return 0.1 * ((race, gender) == ("asian", "male")) - 0.05 * (race == "white")

    rows = [
        {
            "way": way,
            "race": race,
            "gender": gender,
            "dimension": dimension,
            "r": sign * (value + shifted(race, gender)),
        }
        for way, sign in (("raw", 1), ("delta", -1))
        for dimension, value in r.items()
        for race in ("white", "asian", "black")
        for gender in ("male", "female")
    ]
    return pd.DataFrame(rows)


def test_what_is_read_off_the_heatmaps():
    r = table_of({"agency": 0.4, "belief": 0.6, "communion": 0.2})
    found = text_geometry.of_images(r, groups_named=True)
    assert set(found) == {
        "correlated",
        "belief-strongest",
        "communion-weakest",
        "asian-men",
        "white-lower",
    }
    assert all(value is True or value == np.True_ for value in found.values()), found
    assert "asian-men" not in text_geometry.of_images(r, groups_named=False)
    other = text_geometry.of_images(
        table_of({"agency": 0.1, "belief": 0.0, "communion": 0.3}), groups_named=True
    )
    assert not any(other[name] for name in ("correlated", "belief-strongest", "communion-weakest"))
    swapped = r.replace({"race": {"asian": "white", "white": "asian"}})
    found = text_geometry.of_images(swapped, groups_named=True)
    assert not found["asian-men"] and not found["white-lower"]


# --- retrained networks


def test_text_sides_agree_with_pairs_of_words():
    rng = np.random.default_rng(7)
    rows = {
        pole: np.array([3 * k, 3 * k + 1, 3 * k + 2, 3 * (k + 1)]) for k, pole in enumerate(POLES)
    }  # a shared word
    vectors = SimpleNamespace(
        networks=pd.DataFrame({"b": [0.0, 1.0]}), word_vectors=rng.normal(size=(2, 20, 6)) + 1
    )
    told = {b: pd.DataFrame(rng.normal(size=(6, 6)), POLES, POLES) for b in (0.0, 1.0)}
    told = {b: own + own.T for b, own in told.items()}
    table = text_geometry.text_sides(vectors, rows, told)
    assert len(table) == 2 * 2 * 3
    for row in table.itertuples():
        own = vectors.word_vectors[row.network]
        used = sorted(
            {int(k) for words_ in rows.values() for k in words_}
        )  # word 19 is in no dimension
        own = unit(own - row.centred * own[used].mean(axis=0))

        def alike(one, other, own=own):
            return np.mean([own[i] @ own[j] for i in rows[one] for j in rows[other] if i != j])

        plus, minus = text_geometry.DIMENSIONS[row.dimension]
        assert (
            row.across == pytest.approx(alike(plus, minus))
            and row.expected == told[row.b].loc[plus, minus]
        )
        assert row.within == pytest.approx((alike(plus, plus) + alike(minus, minus)) / 2)
        pairs = list(itertools.combinations(POLES, 2))
        slow = np.corrcoef(
            [alike(*pair) for pair in pairs], [told[row.b].loc[pair] for pair in pairs]
        )[0, 1]
        assert row.agreement == pytest.approx(slow)


def test_image_sides_are_correlations_over_the_chosen_faces():
    rng = np.random.default_rng(8)
    columns = (*POLES, "neutral", "adjectives")
    networks = pd.DataFrame({"b": [0.0, 1.0, 1.0]})
    images = pd.DataFrame({"seed": range(9), "kept": [True] * 7 + [False] * 2})
    portraits = SimpleNamespace(
        networks=networks, images=images, columns=columns, scores=rng.normal(size=(3, 9, 8))
    )
    base = pd.DataFrame(rng.normal(size=(9, 6)), columns=POLES)

    def said(faces, b):
        assert faces["kept"].all()
        return base.iloc[faces["seed"]] + b * faces["seed"].to_numpy()[:, None]

    chosen = pd.Series([True, False, True])
    table = text_geometry.image_sides(portraits, chosen, images["kept"], said)
    assert len(table) == 2 * 3 * 3 and set(table["network"]) == {0, 2}
    for row in table.itertuples():
        own = portraits.scores[row.network, :7]
        less = {"raw": 0, "delta": own[:, 6], "centred": own[:, 7]}[row.way]
        plus, minus = text_geometry.DIMENSIONS[row.dimension]
        x, y = own[:, POLES.index(plus)] - less, own[:, POLES.index(minus)] - less
        assert row.r == pytest.approx(np.corrcoef(x, y)[0, 1])
        odds = said(images[:7], row.b)
        assert row.expected == pytest.approx(np.corrcoef(odds[plus], odds[minus])[0, 1])
        middle = odds.mean(axis=1)
        r = np.corrcoef(odds[plus] - middle, odds[minus] - middle)[0, 1]
        assert row.expected_centred == pytest.approx(r)


def test_the_sentence_on_images_has_a_form_for_all_none_and_some():
    table = pd.DataFrame({"way": ["raw", "raw", "delta"], "r": [0.2, 0.1, -0.5]})
    assert text_geometry.hidden(table).startswith("With raw scores, all correlations are positive")
    none = text_geometry.hidden(table.assign(r=[-0.2, 0.0, 0.5]))
    assert none.startswith("With raw scores, none of the correlations is positive")
    some = text_geometry.hidden(table.assign(r=[0.2, -0.1, 0.5]))
    assert some == "With raw scores, 1 of the 2 correlations is positive, as in the paper."
