"""Made-up faces whose value is a parabola of age plus what belongs to the person."""

import itertools

import numpy as np
import pandas as pd
import pytest

from studies import roles
from studies.causalface import age
from studies.causalface import age_precision as precision
from vlmbias.papers import CAUSALFACE

WHO = roles.named(CAUSALFACE, {})
SPAN = (20.0, 60.0)
LEVELS = np.array([5.0, 20.0, 30.0, 40.0, 50.0, 60.0])


def controlled(n_people=24, spread=1.0):
    """Everybody in every group at every age; people differ by `spread`, and in how they age."""
    cells = itertools.product(range(n_people), WHO.groups, LEVELS)
    faces = pd.DataFrame(
        [(seed, *group.split(), years) for seed, group, years in cells],
        columns=["seed", "race", "gender", "age"],
    )
    own = np.random.default_rng(1).normal(size=n_people) * spread
    u = (faces["age"] - 40) / 20
    bend = np.where((faces["race"] + " " + faces["gender"]) == WHO.outlier, 0.5, -0.2)
    return age.sample(faces, pd.DataFrame({"warmth": bend * u**2 + own[faces["seed"]]}), WHO.groups)


def photographs(n=900):
    rng = np.random.default_rng(2)
    group = rng.choice(WHO.groups, n)
    race, gender = zip(*(one.split() for one in group), strict=True)
    faces = pd.DataFrame(
        {"seed": range(n), "race": race, "gender": gender, "age": rng.uniform(19, 60, n)}
    )
    return age.sample(faces, pd.DataFrame({"warmth": rng.normal(size=n)}), WHO.groups)


def test_the_same_people_are_shown_at_every_age_and_in_every_group():
    one = controlled()
    rows = precision.of_same_people(one, 5, LEVELS[1:], rng=np.random.default_rng(0))
    seen = precision.taken(one, rows)
    assert len(rows) == 5 * 6 * 5 and len(np.unique(seen.cluster)) == 5
    counts = pd.crosstab([seen.group, seen.cluster], seen.age)
    assert (counts == 1).all(axis=None)


def test_other_people_are_shown_at_the_ages_asked_for_and_nobody_twice_before_all_once():
    one = controlled()
    group = np.repeat(WHO.groups[:2], [24, 30])
    ages = np.resize(LEVELS, 54)
    seen = precision.taken(
        one, precision.of_other_people(one, group, ages, rng=np.random.default_rng())
    )
    assert seen.group.tolist() == sorted(group)
    for name, n in zip(WHO.groups[:2], (24, 30), strict=True):
        own = seen.group == name
        assert sorted(seen.age[own]) == sorted(ages[group == name])
        times = pd.Series(seen.cluster[own]).value_counts()
        assert len(times) == 24 and times.sum() == n and times.max() <= 2
    assert (seen.faces["seed"] == seen.cluster).all()


def test_each_step_keeps_what_the_one_before_changed():
    one, photos = controlled(), photographs()
    found = precision.estimates(
        one, photos, WHO, dimension="warmth", n_pictures=150, n_sets=40, seed=3, span=SPAN
    )
    assert found["step"].unique().tolist() == list(precision.STEPS)
    table = precision.ranges(found).set_index("step")
    assert table["pictures"].tolist() == [150] * 4
    # a person adds the same at every age: with the same people the bend is exact, with others not
    same, other = precision.STEPS[:2]
    assert table.loc[same, "sd"] == pytest.approx(0, abs=1e-9)
    assert table.loc[same, "middle"] == pytest.approx(0.7)
    assert table.loc[other, "sd"] > 0.1
    alike = precision.estimates(
        controlled(spread=0.0),
        photos,
        WHO,
        dimension="warmth",
        n_pictures=144,
        n_sets=4,
        seed=3,
        span=SPAN,
    )
    kept = alike[alike["step"] != "photographs"]
    assert np.allclose(kept["excess"], 0.7)  # nobody differs: it does not matter who is shown


def test_only_ages_that_photographs_show_are_kept_as_often_as_they_are_there():
    one, photos = controlled(), photographs()
    steps = precision._steps(one, photos, 300)
    rng = np.random.default_rng(4)
    drawn = {step: precision.taken(own, rows(rng)) for step, (own, rows) in steps.items()}
    assert drawn["same people at every age"].age.min() == 20
    assert drawn["other people at every age"].age.min() == 20
    many = np.concatenate([steps[precision.STEPS[2]][1](rng) for _ in range(30)])
    there = pd.Series(one.age[many]).value_counts(normalize=True)
    nearest = LEVELS[1:][np.abs(photos.age[:, None] - LEVELS[1:]).argmin(axis=1)]
    assert np.allclose(
        there, pd.Series(nearest).value_counts(normalize=True)[there.index], atol=0.02
    )
    assert drawn["photographs"].faces["seed"].is_unique


def test_ranges_are_quantiles_of_each_step():
    values = np.random.default_rng(5).normal(size=200)
    table = pd.DataFrame({"step": ["b"] * 100 + ["a"] * 100, "pictures": 7, "excess": values})
    found = precision.ranges(table)
    assert found["step"].tolist() == ["b", "a"]
    assert found.loc[1, "low"] == pytest.approx(np.quantile(values[100:], 0.025))
    assert found.loc[0, "sd"] == pytest.approx(np.std(values[:100]))
