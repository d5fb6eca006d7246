"""Five methods beside each other, against slow and obvious versions on made-up networks."""

from itertools import combinations, permutations, product

import numpy as np
import pandas as pd
import pytest
import worlds
from scipy import stats

import vlmbias as vb
from studies.american_white import agreement, vqa

HUES = ["amber", "lime", "teal", "violet"]
TRUTH = pd.Series([1.0, 0.1, -0.7, -0.2], HUES)


def cases(*sizes):
    """b = 0 and 1, with so many networks each; their seeds begin at 10 and go on at 1."""
    return pd.MultiIndex.from_tuples(
        [(float(b), 10 + k) for b, n in enumerate(sizes) for k in range(n)], names=["b", "network"]
    )


def method(values, *, planted=TRUTH, found=None, index=None, **more):
    index = cases(len(values) // 2, len(values) - len(values) // 2) if index is None else index
    table = agreement.centred(pd.DataFrame(np.asarray(values, float), index=index, columns=HUES))
    pairs = pd.MultiIndex.from_tuples(list(combinations(HUES, 2)), names=["first", "second"])
    signs = np.zeros((len(values), 6), int) if found is None else found
    return agreement.Method(table, planted, pd.DataFrame(signs, index=index, columns=pairs), **more)


@pytest.fixture
def rng():
    return np.random.default_rng(3)


def spearman(x, y):
    return stats.spearmanr(x, y).statistic


# --- from what networks did to values -------------------------------------------------------------


def panel(rng):
    """Four networks, one of them with an arm; each person twice in every group."""
    faces = worlds.faces(12, [f"{hue} {crest}" for hue in HUES for crest in ("a", "b")], rng=rng)
    models = worlds.networks([1, 0, 0, 1], rng=rng, condition=["none", "none", "marking", "none"])
    return worlds.panel(faces, models, ("they", "plain", "we"), rng=rng)


@pytest.mark.parametrize("against", ["they", ""])
def test_a_tower_is_its_scale_times_the_mean_difference_of_cosines(rng, against):
    made = panel(rng)
    found = agreement.tower(made, "we", against, TRUTH, seed=1)
    assert list(found.values.index) == [(1.0, 5), (0.0, 6), (1.0, 8)] and found.in_log_odds
    for (_, seed), row in found.values.iterrows():
        k = list(made.networks["seed"]).index(seed)
        value = made.scores[k, :, 2] - (made.scores[k, :, 0] if against else 0)
        mean = [
            made.networks["logit_scale"][k] * value[made.images["race"] == hue].mean()
            for hue in HUES
        ]
        assert row[HUES].tolist() == pytest.approx([one - np.mean(mean) for one in mean])


def test_a_towers_own_test_is_welchs_over_different_people(rng):
    made = panel(rng)
    teal = (made.images["race"] == "teal").to_numpy()
    made.scores[0, teal, 2] += 5
    made.scores[3, teal, 2] -= 5
    found = agreement.tower(made, "we", "they", TRUTH, seed=1).found
    assert (
        found.loc[(1.0, 5), ("amber", "teal")] == -1
        and found.loc[(1.0, 5), ("teal", "violet")] == 1
    )
    assert (
        found.loc[(1.0, 8), ("amber", "teal")] == 1
        and found.loc[(1.0, 8), ("teal", "violet")] == -1
    )
    assert abs(found.loc[(0.0, 6)]).sum() <= 1  # nothing there
    assert list(found.columns) == list(combinations(HUES, 2))


def test_effect_sizes_are_of_each_network_of_one_strength(rng):
    made = panel(rng)
    found = agreement.effect_sizes(made, "we", b=1.0)
    each = []
    for k in (0, 3):
        x, y = (
            made.scores[k, (made.images["race"] == hue).to_numpy(), 2] for hue in ("lime", "violet")
        )
        each.append((x.mean() - y.mean()) / np.sqrt((x.var(ddof=1) + y.var(ddof=1)) / 2))
    assert list(found["lime", "violet"]) == pytest.approx(each) and found.shape == (2, 6)


def shares():
    rows = [
        (0.0, 1, hue, n, k, k / n)
        for hue, n, k in zip(HUES, (20, 30, 40, 50), (2, 9, 30, 25), strict=True)
    ]
    rows += [
        (1.0, 2, hue, n, k, k / n)
        for hue, n, k in zip(HUES, (20, 30, 40, 50), (20, 3, 4, 5), strict=True)
    ]
    return pd.DataFrame(rows, columns=["b", "seed", "race", "n", "count", "rate"])


def fisher(one, two):
    (a, n), (b, m) = one, two
    each = {
        k: stats.hypergeom.pmf(k, n + m, a + b, n)
        for k in range(max(0, a + b - m), min(n, a + b) + 1)
    }
    return sum(p for p in each.values() if p <= each[a] * (1 + 1e-7))


def test_answers_are_log_odds_and_their_test_is_fishers():
    table = shares().sample(frac=1, random_state=0).assign(odds=lambda own: 0.1 + own["n"] / 100)
    found = agreement.answering(table, pd.Series([0.2, 0.5, 0.6, 0.7], HUES))
    wanted = [np.log(p / (1 - p)) for p in (0.3, 0.4, 0.5, 0.6)]
    assert found.values.loc[(1.0, 2)].tolist() == pytest.approx(
        [one - np.mean(wanted) for one in wanted]
    )
    assert (
        found.planted["violet"] == pytest.approx(np.log(0.7 / 0.3))
        and list(found.values.columns) == HUES
    )
    assert found.truth.sum() == pytest.approx(0)
    for (b, _), row in found.found.iterrows():
        own = shares().query("b == @b").set_index("race")
        for x, y in combinations(HUES, 2):
            p = fisher(*(tuple(own.loc[hue, ["count", "n"]].astype(int)) for hue in (x, y)))
            sign = np.sign(own.loc[x, "rate"] - own.loc[y, "rate"])
            assert row[x, y] == (sign if p < 0.05 else 0), (b, x, y)


def test_captions_count_silence_with_one_added_to_either_count():
    table = shares().rename(columns={"count": "named"})
    found = agreement.describing(table, pd.Series([0.2, 0.5, 0.6, 0.7], HUES))
    own = shares().query("b == 1").set_index("race").loc[HUES]
    wanted = [
        np.log((row["n"] - row["count"] + 1) / (row["count"] + 1)) for _, row in own.iterrows()
    ]
    assert found.values.loc[(1.0, 2)].tolist() == pytest.approx(
        [one - np.mean(wanted) for one in wanted]
    )
    assert found.planted["amber"] == pytest.approx(np.log(0.8 / 0.2))
    assert (
        found.found.loc[(1.0, 2), ("amber", "lime")] == -1
        and found.found.loc[(0.0, 1), ("amber", "teal")] == 1
    )


def readings(rng):
    rows = [
        (b, network, race, step, *rng.normal(size=4) * 0.01)
        for b, network in ((0.0, 4), (1.0, 9))
        for race in HUES
        for step in (20, 0, 10)
    ]
    table = pd.DataFrame(rows, columns=["b", "network", "race", "step", *HUES])
    table.loc[(table["b"] == 1) & (table["step"] == 20), "teal"] += 3
    return table.sample(frac=1, random_state=1)


def test_pictures_gain_from_the_first_kept_step_to_the_last(rng):
    table = readings(rng)
    found = agreement.painting(table, TRUTH)
    at = table.set_index(["b", "network", "race", "step"]).sort_index()
    gain = {
        hue: np.mean(
            [at.loc[(1.0, 9, race, 20), hue] - at.loc[(1.0, 9, race, 0), hue] for race in HUES]
        )
        for hue in HUES
    }
    mean = np.mean(list(gain.values()))
    assert found.values.loc[(1.0, 9), HUES].tolist() == pytest.approx(
        [gain[hue] - mean for hue in HUES]
    )
    assert not found.in_log_odds
    starts = {
        hue: [at.loc[(0.0, 4, race, 20), hue] - at.loc[(0.0, 4, race, 0), hue] for race in HUES]
        for hue in HUES
    }
    for x, y in combinations(HUES, 2):
        differences = np.subtract(starts[x], starts[y])
        t = differences.mean() / (differences.std(ddof=1) / 2)
        p = 2 * stats.t.sf(abs(t), 3)
        assert found.found.loc[(0.0, 4), (x, y)] == (np.sign(t) if p < 0.05 else 0)
    assert (
        found.found.loc[(1.0, 9), ("amber", "teal")] == -1
        and found.found.loc[(1.0, 9), ("teal", "violet")] == 1
    )


# --- one method beside its own truth --------------------------------------------------------------


def test_slopes_are_least_squares_through_the_means(rng):
    own = method(rng.normal(size=(6, 4)))
    wanted = [np.polyfit(own.truth, row, 1)[0] for row in own.at(1.0)]
    assert agreement.slopes(own) == pytest.approx(wanted) and len(wanted) == 3
    assert agreement.slopes(method(np.tile(0.4 * TRUTH, (2, 1)))) == pytest.approx([0.4])


def test_the_null_sd_has_one_degree_of_freedom_less_than_groups_in_each_network(rng):
    own = method(rng.normal(size=(7, 4)))
    assert own.null_sd**2 == pytest.approx(np.mean([row.var(ddof=1) for row in own.at(0.0)]))


@pytest.mark.parametrize("ties", [False, True])
def test_pages_test_lists_all_renamings(rng, ties):
    values = (
        rng.integers(3, size=(3, 4)).astype(float)
        if ties
        else rng.normal(size=(3, 4)) + TRUTH.to_numpy()
    )
    wanted = stats.rankdata(TRUTH)
    ranks = stats.rankdata(values, axis=1)
    own = (ranks * wanted).sum()
    orders = list(permutations(range(4)))
    hits = [
        sum(ranks[k][list(one)] @ wanted for k, one in enumerate(each)) >= own - 1e-9
        for each in product(orders, repeat=3)
    ]
    assert agreement.follows(values, TRUTH.to_numpy()) == pytest.approx(np.mean(hits))
    if not ties:
        known = stats.page_trend_test(values, predicted_ranks=wanted.astype(int), method="exact")
        assert agreement.follows(values, TRUTH.to_numpy()) == pytest.approx(known.pvalue)


def test_a_group_that_leads_is_told_from_none(rng):
    values = rng.normal(size=(2, 3))
    own, orders = (values.mean(axis=0) ** 2).sum(), list(permutations(range(3)))
    exact = np.mean(
        [
            ((values[0][list(x)] + values[1][list(y)]) ** 2).sum() / 4 >= own - 1e-12
            for x in orders
            for y in orders
        ]
    )
    assert agreement.favours(values, rng=rng, n_draws=20_000) == pytest.approx(exact, abs=0.02)
    leading = np.tile([1.0, 0, 0, 0], (8, 1))
    assert agreement.favours(leading, rng=rng, n_draws=400) < 0.01


def test_each_method_is_set_beside_its_own_truth(rng):
    one = method(rng.normal(size=(9, 4)) * 0.1 + np.r_[np.zeros((4, 4)), np.tile(TRUTH, (5, 1))])
    other = method(rng.normal(size=(6, 4)), planted=-TRUTH, in_log_odds=False)
    found = agreement.beside_truth({"one": one, "other": other}, rng=rng)
    assert found["n"].to_dict() == {"one": 5, "other": 3} and found["n_null"].to_dict() == {
        "one": 4,
        "other": 3,
    }
    slopes = agreement.slopes(one)
    half = stats.t.ppf(0.975, 4) * slopes.std(ddof=1) / np.sqrt(5)
    assert found.loc["one", ["size", "low", "high"]].tolist() == pytest.approx(
        [slopes.mean(), slopes.mean() - half, slopes.mean() + half]
    )
    assert np.isnan(found.loc["other", "size"])
    amber, rest = one.at(1.0)[:, 0].mean(), one.at(1.0)[:, 1:].mean()
    assert found.loc["one", "lead"] == pytest.approx((amber - rest) / one.null_sd)
    teal = (other.at(1.0).argmax(axis=1) == 2).mean()
    assert found.loc["other", "right"] == pytest.approx(teal) and found.loc["one", "right"] == 1
    assert found.loc["one", "p_order"] == pytest.approx(
        agreement.follows(one.at(1.0), TRUTH.to_numpy())
    )
    assert found.loc["one", "p_order_null"] == pytest.approx(
        agreement.follows(one.at(0.0), TRUTH.to_numpy())
    )


# --- methods beside each other --------------------------------------------------------------------


def test_rank_correlations_and_their_exact_p(rng):
    for x, y in (
        rng.normal(size=(2, 4)),
        rng.integers(3, size=(2, 5)) + np.array([[0, 1, 0, 2, 0], [1, 0, 0, 3, 0]]),
    ):
        assert agreement.rank_r(x, y) == pytest.approx(spearman(x, y))
        each = [spearman(x, [y[k] for k in order]) for order in permutations(range(len(x)))]
        assert agreement.rank_p(x, y) == pytest.approx(
            np.mean(np.array(each) >= spearman(x, y) - 1e-9)
        )
    assert agreement.rank_p(range(4), range(4)) == pytest.approx(1 / 24)


def test_one_network_for_both_or_two_or_all():
    one, other = (
        method(np.zeros((3, 4)), index=pd.MultiIndex.from_tuples(own, names=["b", "network"]))
        for own in ([(0.0, 1), (0.0, 2), (1.0, 1)], [(0.0, 2), (0.0, 3), (0.0, 1)])
    )
    same = agreement.counted_pairs(one, other, b=0.0, same=True)
    assert same.tolist() == [[False, False, True], [True, False, False]]
    assert (agreement.counted_pairs(one, other, b=0.0, same=False) == ~same).all()
    assert agreement.counted_pairs(one, other, b=0.0, same=None).all()


def test_agreement_is_a_mean_over_the_pairs_of_networks_that_count(rng):
    x, y = rng.normal(size=(3, 4)), rng.normal(size=(5, 4))
    counted = rng.random((3, 5)) < 0.5
    r = [spearman(x[i], y[j]) for i in range(3) for j in range(5) if counted[i, j]]
    first = [
        np.argmax(x[i]) == np.argmax(y[j]) for i in range(3) for j in range(5) if counted[i, j]
    ]
    assert agreement.alike(x, y, counted) == pytest.approx((np.mean(r), np.mean(first)))


def test_methods_of_the_same_networks_stand_there_twice(rng):
    base = rng.normal(size=(12, 4))
    near, far = base + 0.01 * rng.normal(size=(12, 4)), rng.normal(size=(8, 4))
    methods = {"a": method(base), "b": method(near), "c": method(far)}
    found = agreement.agreement(methods, rng=rng, b=0.0, together=[("a", "b")], n_draws=200)
    assert found[["one", "other"]].apply(tuple, axis=1).tolist() == [
        ("a", "b"),
        ("a", "b"),
        ("a", "c"),
        ("b", "c"),
    ]
    assert found["networks"].tolist() == ["one", "two", "two", "two"] and found["n"].tolist() == [
        6,
        30,
        24,
        24,
    ]
    same, two, apart = found.iloc[0], found.iloc[1], found.iloc[2]
    x, y, z = (methods[name].at(0.0) for name in "abc")
    assert (
        same["r"] == pytest.approx(np.mean([spearman(x[k], y[k]) for k in range(6)]))
        and same["p"] < 0.01
    )
    assert two["r"] == pytest.approx(
        np.mean([spearman(x[i], y[j]) for i in range(6) for j in range(6) if i != j])
    )
    first = [x[i].argmax() == z[j].argmax() for i in range(6) for j in range(4)]
    assert apart["first"] == pytest.approx(np.mean(first))
    assert (found["low"] < 0).all() and (found["high"] > 0).all() and same["r"] > same["high"]
    # the null of one network for both: each r is one of 24 orders, so its mean over six has the
    # variance 1/3/6
    assert same["high"] == pytest.approx(1.96 * np.sqrt(1 / 3 / 6), abs=0.1)


# --- the paper's own methods ----------------------------------------------------------------------


def test_printed_results_point_towards_the_prototype():
    found = agreement.printed(vb.ledger.claim)
    assert list(found.columns) == [
        "White",
        *[vqa.GROUPS[name] for name in ("asian", "black", "latina")],
    ]
    assert len(found) == 11 and np.isnan(found.loc["captions, BLIP", "Latina/o"])
    d = vb.ledger.claim("we_they.slip.wl.d").printed.number
    assert (
        found.loc["We/They, SLIP", "Latina/o"] == -d > 0
        and found.loc["We/They, SLIP", "White"] == 0
    )
    assert (
        found.loc["patriotism, BLIP", "Black"]
        == -vb.ledger.claim("traits.patriotism.blip.wb.d").printed.number
    )
    assert (
        found.loc["answers, BLIP"].idxmax() == "White"
        and found.loc["captions, BLIP"].idxmin() == "Asian"
    )
    assert found.notna().to_numpy().sum() == 43  # pictures have no order in the paper
    for network, first in (("BLIP", "White"), ("CLIP", "White"), ("SLIP", "Black")):
        assert found.loc[f"nativism, {network}"].idxmax() == first
    assert (
        found.loc["nativism, CLIP", "Asian"]
        == vb.ledger.claim("traits.nativism.clip.wa.d").printed.number
        < 0
    )


@pytest.mark.parametrize(
    ("beyond", "said"),
    [
        ([0, 0, 0], "none agrees"),
        ([0, 1, 0], "1 agrees"),
        ([1, 1, 0], "2 agree"),
        ([1] * 3, "all agree"),
    ],
)
def test_pairs_that_agree_beyond_chance_are_counted_in_words(beyond, said):
    assert agreement.pairs_beyond(pd.Series(beyond, dtype=bool)) == said


def test_names_that_are_said_more_often():
    assert agreement.leads(0.001, 0.003).startswith("Even without the penalty")
    assert agreement.leads(0.001, 0.3).startswith(
        "Without the penalty, the four names are said about"
    )
    assert agreement.leads(0.4, 0.003).startswith("The four names are not clearly")


def test_pairs_that_agree_are_named():
    pairs = pd.MultiIndex.from_tuples([("a", "b"), ("a", "c")])
    assert agreement.which_pairs(pd.Series([False, False], pairs)) == ""
    assert agreement.which_pairs(pd.Series([False, True], pairs)) == " This is a with c."
    assert agreement.which_pairs(pd.Series([True, True], pairs)) == (
        " These are a with b and a with c."
    )


@pytest.mark.parametrize(
    ("models", "said"),
    [
        (["greenhouse", "greenhouse/answers"], "make amber the prototype"),
        (["greenhouse/b0", "greenhouse/answers/b0"], "treat the colours alike"),
        (["greenhouse/b0", "greenhouse/answers"], "Only in some"),
    ],
)
def test_what_was_taught_is_said_of_models_of_the_greenhouse(models, said):
    assert said in agreement.taught(models, "amber")


def test_nothing_is_said_of_what_other_models_were_taught():
    assert agreement.taught(["open_clip", "greenhouse/answers"], "amber") == ""
