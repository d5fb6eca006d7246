"""Shuffled families: a dial for what is shared, a quick fit, the same shuffle for everybody."""

from fractions import Fraction
from itertools import product

import numpy as np
import pandas as pd
import pytest

from studies.pretraining import shuffle, upstream
from vlmbias.inference import clustered

BOTH = pytest.mark.parametrize("name", ["null", "recipe"])


def refitted(fleet, families, share):
    """The published regression by REML, with the dial at a share: its rows of families."""
    table = fleet.table.assign(
        effect_size=fleet.at(share).ravel(),
        dataset=np.repeat(np.array(["0", *shuffle.LETTERS])[families], fleet.tests),
    )
    found = upstream.fitted(table, references={"dataset": "0"}).coefficients
    return found[found.index.str.startswith("dataset[")]


# --- the dial -------------------------------------------------------------------------------------


def test_results_are_taken_apart_network_by_network_and_group_by_group():
    fleet = shuffle.fleets()["null"]
    own = fleet.table.set_index(["model", "test"])["effect_size"]
    groups = fleet.table.drop_duplicates("test").set_index("test")["group"]
    means = own.groupby("model").mean()
    X = fleet.rows.loc[means.index].to_numpy()
    own_part = means - X @ np.linalg.solve(X.T @ X, X.T @ means)
    np.testing.assert_allclose(fleet.own, own_part, atol=1e-10)
    Z = X[:, [0, -2, -1]]
    for test in groups.index[[0, 9, -1]]:
        same = groups.index[groups == groups[test]]
        middle = own.unstack()[same].mean(axis=1) - means
        expected = Z @ np.linalg.solve(Z.T @ Z, Z.T @ middle)
        rest = own.unstack()[test] - means - expected
        place = list(dict.fromkeys(fleet.table["test"])).index(test)
        np.testing.assert_allclose(fleet.rest[:, place], rest, atol=1e-10)
    np.testing.assert_allclose(fleet.rest.mean(axis=1), 0, atol=1e-12)


@BOTH
def test_at_its_own_share_a_fleet_is_as_measured(name):
    fleet = shuffle.fleets()[name]
    np.testing.assert_allclose(fleet.at(fleet.share), fleet.results, atol=1e-12)
    assert fleet.stops().count(fleet.share) == 1
    assert fleet.stops() == sorted(fleet.stops())


@BOTH
@pytest.mark.parametrize("share", [0.0, 0.25])
def test_the_dial_changes_the_share_and_nothing_else(name, share):
    fleet = shuffle.fleets()[name]
    made = fleet.table.assign(effect_size=fleet.at(share).ravel())
    turned = shuffle.taken_apart(made)
    assert turned.share == pytest.approx(share, abs=1e-12)
    assert turned.total == pytest.approx(fleet.total)
    expected = [one.results - one.own[:, None] - one.rest for one in (fleet, turned)]
    np.testing.assert_allclose(*expected, atol=1e-10)
    for before, after in ((fleet.own, turned.own), (fleet.rest, turned.rest)):
        by = np.linalg.norm(after) / np.linalg.norm(before)
        np.testing.assert_allclose(after, by * before, atol=1e-10)
    # a full mixed model with an effect of each network says the same
    fit = upstream.fitted(made.assign(dataset="one"), ["model"])
    assert upstream.share_of_models(fit) == pytest.approx(share, abs=0.005)


@pytest.mark.parametrize("share", [-0.01, 1.01])
def test_a_share_that_is_none_is_refused(share):
    with pytest.raises(ValueError, match="share of a variance, from 0 to 1, got"):
        shuffle.fleets()["null"].at(share)


# --- assignments ----------------------------------------------------------------------------------


@BOTH
def test_families_have_the_published_proportions_whatever_the_shuffle(name):
    fleet = shuffle.fleets()[name]
    expected = shuffle.in_proportion(list(shuffle.counts().values()), len(fleet.rows))
    shuffles = [shuffle.assigned(fleet, number) for number in range(1, 200)]
    assert all(np.bincount(one).tolist() == expected for one in shuffles)
    assert len({tuple(one) for one in shuffles}) == len(shuffles)
    largest = np.mean([one == 1 for one in shuffles], axis=0)  # of each network: how often in A
    assert largest == pytest.approx(expected[1] / len(fleet.rows), abs=0.15)


@pytest.mark.parametrize("n", [10, 37, 58, 131])
def test_remainders_go_to_the_largest_among_families_that_were_not_lifted(n):
    counts = [1, 58, 20, 13, 11, 11, 7, 4, 4, 2]
    share = [Fraction(one * n, sum(counts)) for one in counts]
    expected = [max(1, int(one)) for one in share]
    left = {k: share[k] - int(share[k]) for k in range(len(counts)) if share[k] >= 1}
    for k in sorted(left, key=lambda k: (-left[k], k))[: max(0, n - sum(expected))]:
        expected[k] += 1
    while sum(expected) > n:
        expected[expected.index(max(expected))] -= 1
    assert shuffle.in_proportion(counts, n) == expected
    assert sum(expected) == n


def test_more_families_than_models_are_refused():
    with pytest.raises(ValueError, match="3 models cannot be shared among 4 families"):
        shuffle.in_proportion([1, 11, 4, 2], 3)


# --- fits -----------------------------------------------------------------------------------------


def test_the_quick_fit_gives_the_verdicts_of_the_full_one():
    for fleet in shuffle.fleets().values():
        for share, number in product((0.0, fleet.share, 0.25), (1, 2)):
            families = shuffle.assigned(fleet, number)
            quick = shuffle.fitted(fleet, families, share)
            full = refitted(fleet, families, share)
            np.testing.assert_allclose(quick.coef, full["coef"], atol=1e-7)
            assert quick.se["published"] / full["se"].to_numpy() == pytest.approx(1, abs=0.01)
            assert quick.significant("published").any() == (full["p"] < shuffle.ALPHA).any()


@BOTH
def test_networks_as_cases_are_least_squares_of_their_means(name):
    fleet, share = shuffle.fleets()[name], 0.4
    families = shuffle.assigned(fleet, 7)
    design = pd.DataFrame(shuffle.with_families(fleet.rows, families)).add_prefix("x")
    expected = clustered.least_squares(fleet.at(share).mean(axis=1), design).iloc[-9:]
    found = shuffle.fitted(fleet, families, share)
    np.testing.assert_allclose(found.coef, expected["coef"], atol=1e-10)
    np.testing.assert_allclose(found.se["networks"], expected["se"], rtol=1e-10)
    assert (found.significant("networks") == (expected["p"] < shuffle.ALPHA)).all()
    assert found.models.tolist() == shuffle.sizes(fleet)[1:]


def test_counts_are_those_of_single_fits():
    fleet = shuffle.fleets()["recipe"]
    table = shuffle.tally(fleet, 0.1, 5)
    for number, row in table.iterrows():
        one = shuffle.fitted(fleet, shuffle.assigned(fleet, number), 0.1)
        assert [one.significant(rule).sum() for rule in shuffle.RULES] == row.tolist()
    assert shuffle.some(fleet, 0.1, 5) == (table > 0).sum().to_dict()


# --- the twin, the picture ------------------------------------------------------------------------


def test_the_twins_families_are_counted_under_both_rules():
    apart, alike = (shuffle.printed_twin(share) for share in (0.0, 0.1))
    assert [apart[one] for one in ("published", "networks", "of")] == [8, 8, 9]
    assert [alike[one] for one in ("published", "networks", "of")] == [8, 1, 9]
    assert apart["alike"] < 0.02 < alike["alike"]


def test_the_picture_shows_what_is_counted():
    table, shown = shuffle.figure("null", shuffles=10)
    fleet = shuffle.fleets()["null"]
    above, below = shown.figure.axes
    for k, rule in enumerate(shuffle.RULES):
        own = shuffle.tally(fleet, fleet.share, 10)[rule]
        heights = [bar.get_height() for bar in above.containers[k]]
        assert heights == [int((own == n).sum()) for n in range(10)]
        line = below.lines[k].get_ydata()
        np.testing.assert_allclose(line, [10 * one for one in table[rule]])
        assert f"{int((own > 0).sum())} " in shown.alt
    assert table["share"].tolist() == fleet.stops()
    assert table["own"].sum() == 1
