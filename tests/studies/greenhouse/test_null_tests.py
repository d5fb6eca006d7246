"""Tests of groups, network by network and pair by pair, on made-up pictures."""

from itertools import combinations

import numpy as np
import pandas as pd
import pytest
from scipy import stats
from slow import share_interval

from greenhouse.retrained import COLUMNS, Scores
from greenhouse.world import grid
from studies.greenhouse import null_tests
from studies.greenhouse.null_tests import CRESTS, HUES

NETWORKS, PEOPLE = 3, 7
RNG = np.random.default_rng(11)


def values(*tail, levels=1, networks=NETWORKS, people=PEOPLE):
    """`(networks, identities, levels, hues, crests, …)` with a lean for each group and a look for
    each identity."""
    shape = (networks, people, levels, 3, 2, *tail)
    lean = RNG.normal(size=(networks, 1, levels, 3, 2, *tail))
    return (
        RNG.normal(size=shape)
        + 0.8 * lean
        + 2 * RNG.normal(size=(1, people, 1, 1, 1, *([1] * len(tail))))
    )


def pairs(array):
    """Slowly: attribute, then the values of both groups,
    `(networks, identities, levels, repeats, …)`."""
    for one, other in combinations(range(3), 2):
        yield "hue", one, other, array[:, :, :, one], array[:, :, :, other]
    yield "crest", 0, 1, array[:, :, :, :, 0], array[:, :, :, :, 1]


# --- pictures


def portraits():
    table = grid.causalface(4)
    table = table[table["seed"].lt(2) | table["subset"].eq("prototype")]
    images = pd.concat([table.assign(set="grid"), table.assign(set="other")]).sample(
        frac=1, random_state=1
    )
    images = images.reset_index(drop=True)
    networks = pd.DataFrame({"condition": "none", "b": [0.0, 1.0, 0.0]})
    return Scores(
        networks,
        images,
        RNG.normal(size=(3, len(images), len(COLUMNS))).astype(np.float32),
        COLUMNS,
    )


def test_pictures_are_ordered_by_who_and_how():
    seen = portraits()
    found = null_tests.pictures(seen, seen.networks["b"] == 0)
    assert found.prototypes.shape == (2, 4, 1, 3, 2, len(COLUMNS))
    own = seen.images[seen.images["set"] == "grid"]
    for name in null_tests.SERIES:
        levels = sorted(own.loc[own["seed"] < 2, name].unique())
        assert found.levels[name].tolist() == levels == sorted(grid.LEVELS[name])
        for person, step, hue, crest in ((0, 0, 0, 0), (1, 2, 2, 1), (0, len(levels) - 1, 1, 0)):
            rows = own[
                (own["seed"] == person)
                & (own[name] == levels[step])
                & (own["race"] == HUES[hue])
                & (own["gender"] == CRESTS[crest])
                & own["subset"].isin([name, "prototype"])
            ]
            assert len(rows) == 1
            assert np.allclose(
                found.series[name][:, person, step, hue, crest], seen.scores[[0, 2], rows.index[0]]
            )
    row = own[(own["seed"] == 3) & (own["race"] == HUES[1]) & (own["gender"] == CRESTS[1])].index[0]
    assert np.allclose(found.prototypes[1, 3, 0, 1, 1], seen.scores[2, row])


def test_dealt_labels_are_the_same_pictures_under_other_names_alike_at_all_levels():
    before = null_tests.Pictures(values(4), {"age": values(4, levels=3)}, {"age": np.arange(3)})
    after = before.relabelled(rng=np.random.default_rng(3))
    orders = set()
    for old, new in (
        (before.prototypes, after.prototypes),
        (before.series["age"], after.series["age"]),
    ):
        for network in range(NETWORKS):
            for person in range(PEOPLE):
                one, other = (
                    part[network, person].reshape(part.shape[2], 6, 4) for part in (old, new)
                )
                order = [
                    int(np.flatnonzero(np.isclose(one[0, :, 0], wanted))[0])
                    for wanted in other[0, :, 0]
                ]
                assert np.allclose(other, one[:, order])
                orders.add(tuple(order))
    assert len(orders) > 20, "anew for every identity and network"


# --- tests of groups


def assert_agrees(found, array, slowly, questions=2):
    """`slowly` says of one network, of two groups' values and of one question: p over pictures, p
    over identities, and by how much the groups differ."""
    for place, (attribute, one, other, *sides) in enumerate(pairs(array)):
        for question, network in np.ndindex(questions, NETWORKS):
            column, own = place * questions + question, found.levels[attribute][network, question]
            seen = found.picture[network, column], found.identity[network, column]
            wanted = slowly(*(side[network] for side in sides), question)
            assert (*seen, own[one] - own[other]) == pytest.approx(wanted)
    assert found.picture.shape == found.identity.shape == (NETWORKS, 4 * questions)


def test_t_tests_of_means():
    array = values(2)

    def slowly(one, other, question):
        a, b = one[:, 0, :, question], other[:, 0, :, question]
        paired = stats.ttest_rel(a.mean(axis=1), b.mean(axis=1)).pvalue
        return stats.ttest_ind(a.ravel(), b.ravel()).pvalue, paired, a.mean() - b.mean()

    assert_agrees(null_tests.means(null_tests.by_attribute(array)), array, slowly)
    groups = null_tests.means(null_tests.by_group(array))
    assert groups.identity.shape == (NETWORKS, 15 * 2)
    assert groups.levels["group"].shape == (NETWORKS, 2, 6)
    # the fifth and the sixth group
    last = stats.ttest_rel(array[1, :, 0, 2, 0, 1], array[1, :, 0, 2, 1, 1])
    assert groups.identity[1, -1] == pytest.approx(last.pvalue)


def test_permuted_means_agree_with_t_tests_and_count_themselves():
    array = values(2, people=12)

    def permuted(array, n):
        sides, rng = null_tests.by_attribute(array), np.random.default_rng(0)
        return null_tests.permuted_means(sides, rng=rng, n_permutations=n)

    exact, drawn = null_tests.means(null_tests.by_attribute(array)), permuted(array, 1_999)
    for unit in null_tests.UNITS:
        apart = np.abs(getattr(drawn, unit) - getattr(exact, unit))
        assert apart.max() < 0.08
        assert apart.mean() < 0.02
    assert drawn.levels["hue"] == pytest.approx(exact.levels["hue"])
    far = array.copy()
    far[:, :, :, 0] += 100
    assert permuted(far, 49).picture[:, :4] == pytest.approx(1 / 50)


def test_fishers_z_has_an_end_where_the_correlation_is_perfect():
    x = RNG.normal(size=(1, 6, 1))
    perfect = null_tests.fishers_z(x, 2 * x, np.full((1, 6), 1 / 6))
    assert perfect == pytest.approx(np.arctanh(null_tests.LARGEST_R))


@pytest.mark.parametrize("of_levels", [False, True])
def test_correlations_over_pictures_or_over_the_means_of_levels(of_levels):
    array, draws = values(4, levels=5 if of_levels else 1, people=9), 40
    sides, rng = null_tests.by_attribute(array), np.random.default_rng(5)
    found = null_tests.correlations(sides, rng=rng, of_levels=of_levels, n_resamples=draws)
    times = np.random.default_rng(5).multinomial(9, np.full(9, 1 / 9), draws)

    def z(side, question, who):
        """Fisher's z of one group, over the identities `who`."""
        own = side[who].mean(axis=(0, 2)) if of_levels else side[who].reshape(-1, 4)
        return np.arctanh(np.corrcoef(own[:, question], own[:, question + 2])[0, 1])

    def slowly(one, other, question):
        everybody = [np.arange(9), *(np.repeat(np.arange(9), row) for row in times)]
        size, *again = (z(one, question, who) - z(other, question, who) for who in everybody)
        n = 5 if of_levels else 9 * one.shape[2]
        by_formula = 2 * stats.norm.sf(abs(size) / np.sqrt(2 / (n - 3)))
        return by_formula, 2 * stats.t.sf(abs(size) / np.std(again, ddof=1), 8), size

    assert_agrees(found, array, slowly)


@pytest.mark.parametrize("order", [1, 2])
def test_coefficients_are_those_of_polynomials_within_each_group(order):
    levels = np.array([-2.0, 0.0, 0.5, 1.0, 3.0])
    array = values(2, levels=5) + 0.7 * (levels**order)[:, None, None, None]
    found = null_tests.coefficients(null_tests.by_attribute(array), levels, order=order)

    def fit(values):
        """Coefficient, its variance, degrees of freedom, and the coefficient of each identity."""
        flat = values.transpose(0, 2, 1).ravel()
        x = np.tile(levels, len(flat) // len(levels))
        curve, covariance = np.polyfit(x, flat, order, cov=True)
        each = [np.polyfit(levels, person, order)[0] for person in values.mean(axis=2)]
        return curve[0], covariance[0, 0], len(flat) - order - 1, each

    def slowly(one, other, question):
        (a, var_a, n_a, each_a), (b, var_b, n_b, each_b) = (
            fit(side[..., question]) for side in (one, other)
        )
        t = abs(a - b) / np.sqrt(var_a + var_b)
        return 2 * stats.t.sf(t, n_a + n_b), stats.ttest_rel(each_a, each_b).pvalue, a - b

    assert_agrees(found, array, slowly)


# --- the paper's tests


def full(networks=6):
    """Cosines in which every column has groups of its own."""
    series = {
        name: values(len(COLUMNS), levels=len(grid.LEVELS[name]), networks=networks)
        for name in null_tests.SERIES
    }
    levels = {name: np.array(sorted(grid.LEVELS[name])) for name in null_tests.SERIES}
    return null_tests.Pictures(values(len(COLUMNS), networks=networks), series, levels)


SEEN = full()
ASKED = null_tests.ask(SEEN, seed=2, n_permutations=99, n_resamples=20)


def test_each_test_asks_the_papers_question():
    neutral, positive = (
        COLUMNS.index("neutral"),
        [COLUMNS.index(name) for name in null_tests.POSITIVE],
    )
    delta, ages = (
        seen[..., :8] - seen[..., [neutral]] for seen in (SEEN.prototypes, SEEN.series["age"])
    )
    expected = {
        "group means of Δcos": null_tests.means(null_tests.by_attribute(delta)),
        "S.13 neutral cosines": null_tests.means(
            null_tests.by_group(SEEN.prototypes[..., [neutral]])
        ),
        "Fig. 5 quadratics": null_tests.coefficients(
            null_tests.by_attribute(ages), SEEN.levels["age"], order=2
        ),
    }
    for name, wanted in expected.items():
        assert np.allclose(ASKED[name].picture, wanted.picture)
        assert np.allclose(ASKED[name].identity, wanted.identity)
    weat = null_tests.means(null_tests.by_attribute(SEEN.prototypes[..., positive]))
    assert np.allclose(ASKED["Table S.1 SC-WEAT"].levels["crest"], weat.levels["crest"])


def test_slopes_are_of_both_valences_over_halves_of_smile_and_pose_and_all_of_light():
    negative = [k for k in range(8) if COLUMNS[k] not in null_tests.POSITIVE]
    positive = [k for k in range(8) if k not in negative]
    own = ASKED["Table B.1 slopes"].levels["crest"]
    low, high = (lambda x: x <= 0), (lambda x: x >= 0)
    parts = [("smiling", low), ("smiling", high), ("lighting", np.isfinite)]
    parts += [("pose", low), ("pose", high)]
    for place, (name, inside) in enumerate(parts):
        x, seen = SEEN.levels[name], SEEN.series[name]
        for valence, columns in enumerate((positive, negative)):
            delta = seen[..., columns].mean(axis=-1) - seen[..., COLUMNS.index("neutral")]
            y = delta[4, :, :, :, 1].mean(axis=(0, 2))
            slope = np.polyfit(x[inside(x)], y[inside(x)], 1)[0]
            assert own[4, 2 * place + valence, 1] == pytest.approx(slope)


def test_correlations_are_of_the_two_ends_of_three_axes():
    own, delta_own = (
        ASKED[name].levels["hue"] for name in ("C.5 correlations", "Table S.2 correlations")
    )
    axes = [
        ("positive_agency", "negative_agency"),
        ("progressive_belief", "conservative_belief"),
        ("positive_communion", "negative_communion"),
    ]
    for question, axis in enumerate(axes):
        one, other = (COLUMNS.index(name) for name in axis)
        raw = [SEEN.prototypes[5, :, 0, 2, :, column].ravel() for column in (one, other)]
        assert own[5, question, 2] == pytest.approx(np.arctanh(np.corrcoef(*raw)[0, 1]))
        for place, name in enumerate(("smiling", "lighting", "pose")):
            seen = SEEN.series[name][5, :, :, 2]
            moved = (seen - seen[..., [COLUMNS.index("neutral")]]).mean(axis=(0, 2))
            z = np.arctanh(np.corrcoef(moved[:, one], moved[:, other])[0, 1])
            assert delta_own[5, 3 * place + question, 2] == pytest.approx(z)


# --- how often


def test_networks_are_counted_that_have_something_left_after_holm():
    p = np.array([[0.04, 0.2, 0.6], [0.01, 0.5, 0.9], [0.3, 0.3, 0.3], [0.001, 0.002, 0.9]])
    answers = {"a": null_tests.Answers(p, p[:2, :1], {})}
    table = null_tests.within_networks(answers, alpha=0.05).set_index("unit")
    found = table[["tests", "significant", "n", "hits"]].T.to_dict("list")
    assert found["picture"] == pytest.approx([3, 4 / 12, 4, 2])
    assert found["identity"] == pytest.approx([1, 2 / 2, 2, 2])
    low, _ = share_interval(2, 2)
    assert table.loc["identity", "low"] == pytest.approx(low)


def test_over_networks_a_shared_lean_alarms_and_a_drawn_one_does_not():
    rng = np.random.default_rng(8)
    own, lean, none = rng.normal(size=(30, 6, 3)), rng.normal(0, 2, (1, 6, 3)), np.empty(0)
    both = {"drawn": own, "shared": own + lean}
    answers = {name: null_tests.Answers(none, none, {"hue": one}) for name, one in both.items()}
    found = null_tests.over_networks(answers, [8, 30], seed=1, alpha=0.05, n_draws=60)
    table = found.set_index(["test", "n"])
    assert len(table) == 4
    shared, drawn = table.loc[("shared", 30)], table.loc[("drawn", 30)]
    tests = [
        stats.ttest_1samp(own[:, :, one] - own[:, :, other], 0).pvalue < 0.05
        for one, other in combinations(range(3), 2)
    ]
    assert drawn["rate"] == pytest.approx(np.mean(tests))
    assert drawn["rate"] <= drawn["high"]
    assert shared["rate"] > max(0.8, shared["high"])
