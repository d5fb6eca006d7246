"""Network by network and pair by pair, on made-up faces, words and networks."""

from itertools import combinations

import numpy as np
import pandas as pd
import pytest
import worlds
from scipy import stats

import vlmbias as vb
from studies import associations
from studies.associations import Spread

TOWARD = np.array([True, False, True, True, False])


@pytest.fixture
def rng():
    return np.random.default_rng(11)


def test_intervals_are_those_of_the_test_and_of_a_bootstrap_in_the_unit_given(rng):
    sizes = ((9, 0.3), (14, 0), (4, 0.5), (5, 0))
    X, Y, A, B = (rng.normal(size=(n, 6)) + shift for n, shift in sizes)
    tests = {
        ("x", "eat"): vb.eat(X, Y, A, B, method="welch", pooled=True),
        ("x", "one"): vb.sc_eat(A[0], X, Y, method="welch"),
    }
    table = associations.with_intervals(tests, scale=20.0, n_resamples=500, seed=3)
    assert table.index.tolist() == list(tests)
    for name, test in tests.items():
        row, draws = table.loc[name], np.random.default_rng(3)
        x, y = (draws.choice(own, (500, len(own))) for own in (test.scores[:9], test.scores[9:]))
        gaps = 20 * (x.mean(axis=1) - y.mean(axis=1))
        assert (row["d"], row["p"]) == (test.effect_size, test.p_value)
        assert row["difference"] == 20 * test.statistic
        ends = test.confidence_interval(0.95, n_resamples=500, seed=3)
        assert (row["d_low"], row["d_high"]) == ends
        ends = tuple(np.quantile(gaps, [0.025, 0.975]))
        assert (row["difference_low"], row["difference_high"]) == pytest.approx(ends)


def faces_of(n_people=6, groups=("red", "blue", "green"), each=2):
    faces = [worlds.faces(n_people, groups, rng=np.random.default_rng(k)) for k in range(each)]
    return pd.concat(faces, ignore_index=True)


def test_people_are_the_same_in_every_group():
    faces = faces_of()
    rows = associations.people(faces)
    assert set(rows) == {"red", "blue", "green"}
    for group, own in rows.items():
        assert own.shape == (6, 2)
        assert (faces["race"].to_numpy()[own] == group).all()
        assert (faces["seed"].to_numpy()[own] == np.arange(100, 106)[:, None]).all()
    for broken in (faces[1:], pd.concat([faces, faces[:1]])):
        with pytest.raises(ValueError, match="as many faces in every group of 'race'"):
            associations.people(broken)


def test_nobody_stands_in_both_groups_and_every_network_has_its_own_draw():
    faces, rng = faces_of(n_people=7), np.random.default_rng(0)
    rows = associations.people(faces)
    values = np.tile(np.arange(len(faces)), (40, 1))  # each score tells its row
    x, y = associations.different_people(values, rows["red"], rows["green"], rng=rng)
    assert x.shape == y.shape == (40, 3)
    for one, other in zip(x, y, strict=True):
        assert set(faces["race"][one]) == {"red"}
        assert set(faces["race"][other]) == {"green"}
        assert len({*faces["seed"][one], *faces["seed"][other]}) == 6
    assert len({tuple(one) for one in x}) > 30
    # and every face of everybody is drawn for some network
    assert set(x.ravel()) == set(rows["red"].ravel())
    assert set(y.ravel()) == set(rows["green"].ravel())


def test_faces_are_tested_in_each_network_by_itself(rng):
    x, y = rng.normal(size=(4, 9)) + 0.7, 2 * rng.normal(size=(4, 12))
    table = associations.over_faces(x, y)
    for k in range(4):
        pooled = np.sqrt((8 * x[k].var(ddof=1) + 11 * y[k].var(ddof=1)) / 19)
        assert table["difference"][k] == pytest.approx(x[k].mean() - y[k].mean())
        assert table["d"][k] == pytest.approx((x[k].mean() - y[k].mean()) / pooled)
        assert table["p"][k] == pytest.approx(stats.ttest_ind(x[k], y[k], equal_var=False).pvalue)


def test_every_split_of_the_words_is_counted(rng):
    for toward in (TOWARD, np.arange(8) % 2 == 0):
        gap = rng.normal(size=(5, len(toward))) + np.where(toward, 1.0, 0.0)
        p = associations.over_words(gap, toward)
        places = np.arange(len(toward))
        splits = [np.isin(places, one) for one in combinations(places, int(toward.sum()))]
        for own, found in zip(gap, p, strict=True):
            observed = abs(associations.scores(own, toward))
            reached = [abs(associations.scores(own, one)) >= observed - 1e-9 for one in splits]
            assert found == np.mean(reached)
    assert len(set(p)) > 2


def test_a_phrase_is_ranked_among_the_others(rng):
    gap, others = rng.normal(size=6), rng.normal(size=(6, 11))
    for value, rest, p in zip(gap, others, associations.over_phrases(gap, others), strict=True):
        away = np.abs(np.array([value, *rest]) - np.mean([value, *rest]))
        assert p == pytest.approx(np.mean(away >= away[0]))
    assert associations.over_phrases([9.0], np.zeros((1, 4)))[0] == pytest.approx(0.2)
    assert associations.over_phrases([0.5], np.full((1, 4), 0.5))[0] == 1


def test_the_spread_over_networks_is_without_the_noise_of_faces():
    rng = np.random.default_rng(5)
    rows = associations.people(faces_of(n_people=40, groups=("red", "blue")))
    own = 0.5 * rng.normal(size=(800, 1, 1))
    person = 2.0 * rng.normal(size=(800, 40, 1))  # each person in both groups
    values = np.empty((800, 160))
    values[:, rows["red"]] = person + 3.0 * rng.normal(size=(800, 40, 2))
    values[:, rows["blue"]] = person + rng.normal(size=(800, 40, 2))
    still = Spread.of(values, rows["red"], rows["blue"])
    values[:, rows["red"]] += own
    spread = Spread.of(values, rows["red"], rows["blue"])
    assert (spread.first, spread.second) == pytest.approx((np.sqrt(13), np.sqrt(5)), rel=0.02)
    assert spread.networks == pytest.approx(0.5, rel=0.1)
    assert still.networks < 0.15


def test_the_expected_share_of_alarms_is_what_networks_show():
    spread, rng = Spread(0.3, 2.0, 1.0), np.random.default_rng(6)
    assert Spread(0.0, 2.0, 1.0).false_positive_rate(30, 60) == pytest.approx(0.05)
    assert Spread(0.0, 2.0, 1.0).false_positive_rate(30, 60, alpha=0.2) == pytest.approx(0.2)
    for n_first, n_second in ((40, 90), (300, 30)):
        x = 2.0 * rng.normal(size=(6_000, n_first)) + 0.3 * rng.normal(size=(6_000, 1))
        y = rng.normal(size=(6_000, n_second))
        shown = (associations.over_faces(x, y)["p"] <= 0.05).mean()
        assert spread.false_positive_rate(n_first, n_second) == pytest.approx(shown, abs=0.015)


def test_rejections_are_counted_by_unit_and_strength():
    faces = {"unit": "faces", "b": [0, 0, 1, 0.5], "p": [0.05, 0.06, 0.01, 0.0]}
    words = {"unit": "words", "b": [0, 1, 1], "p": [0.2, 0.04, 0.3]}
    found = pd.concat([pd.DataFrame(faces), pd.DataFrame(words)])
    rates = associations.rejected(found, [0, 1]).set_index(["unit", "b"])["rate"]
    assert rates["faces"].to_dict() == {0: 0.5, 1: 1}
    assert rates["words"].to_dict() == {0: 0, 1: 0.5}
    assert associations.rejected(found, [0], alpha=0.06)["hits"].tolist() == [2, 0]


def test_wrong_labels_take_twice_their_share_from_the_difference(rng):
    x, y = rng.normal(size=40) + 2, rng.normal(size=20)
    table = associations.misfiled(x, y, [0, 0.25, 0.5], n_draws=2_000, seed=1, pooled=True)
    whole = x.mean() - y.mean()
    # x keeps 30 and gains 5 of y; y keeps 15 and gains 10 of x
    quarter = (30 * x.mean() + 5 * y.mean()) / 35 - (15 * y.mean() + 10 * x.mean()) / 25
    assert table["share"].tolist() == [0, 0.25, 0.5]
    assert table["difference"][0] == pytest.approx(whole)
    assert table["difference"][1] == pytest.approx(quarter, abs=0.02)
    assert table["d"][0] == pytest.approx(vb.effect_size(x, y, pooled=True))
    assert table["d"][1] < 0.7 * table["d"][0]
    every = associations.misfiled(x, y, [0], n_draws=2, seed=1, pooled=False)
    assert every["d"][0] == pytest.approx(vb.effect_size(x, y))
