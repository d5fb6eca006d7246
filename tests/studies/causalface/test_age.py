"""Curves over age, against numpy's on made-up faces in which everything differs."""

import itertools
from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest
import worlds

import vlmbias as vb
from studies import roles
from studies.causalface import age
from vlmbias.papers import CAUSALFACE

WHO = roles.named(CAUSALFACE, {})
SPAN = (20.0, 60.0)
AGES = np.linspace(20, 60, 5)
DIMENSIONS = age.TRAITS
WITH_U = ("warmth", "positive_agency", "positive_communion")  # one U among inverse U's


def u_of(years):
    return (np.asarray(years, float) - 40) / 20


def curve(group, dimension):
    """Other coefficients for every group and dimension."""
    number = WHO.groups.index(group) * 8 + DIMENSIONS.index(dimension)
    return np.random.default_rng(number).normal(size=3)  # middle, slope, curvature


def height(group, dimension, years):
    return np.polynomial.polynomial.polyval(u_of(years), curve(group, dimension))


def table_of(ages=AGES, seeds=4, groups=WHO.groups):
    """Faces in the layout of the image sets: every seed in every group at every age."""
    cells = itertools.product(range(seeds), groups, ages)
    rows = [(seed, *group.split(), years, years) for seed, group, years in cells]
    return pd.DataFrame(rows, columns=["seed", "race", "gender", "age", "years"])


def values_of(faces, noise=0.0):
    pairs = list(zip(faces["race"] + " " + faces["gender"], faces["age"], strict=True))
    exact = pd.DataFrame(
        {name: [height(group, name, years) for group, years in pairs] for name in DIMENSIONS}
    )
    return exact + noise * np.random.default_rng(9).normal(size=exact.shape)


def pictured(noise=0.0, **layout):
    faces = table_of(**layout)
    return age.pictures(faces, values_of(faces, noise), WHO.groups)


def seen_of(table):
    words = dict.fromkeys(DIMENSIONS, 1)
    return worlds.seen(table, words, rng=np.random.default_rng(4))


# --- pictures


def test_the_controlled_faces_are_the_series_over_age_with_its_prototypes():
    table = table_of().assign(subset="age")
    table.loc[::3, "subset"] = "prototype"
    table.loc[1::7, "subset"] = "smiling"
    table.loc[5, "age"] = np.nan
    seen = seen_of(table)
    one = age.controlled(seen, WHO.groups, scale=seen.logit_scale)
    kept = np.flatnonzero((table["subset"] != "smiling") & table["age"].notna())
    assert np.allclose(one[DIMENSIONS], 3.0 * (seen.cosines[kept, :8] - seen.cosines[kept, 8:]))
    assert one["level"].tolist() == table["age"][kept].tolist()


def test_photographs_are_of_adults_of_the_groups_and_over_the_age_asked_for():
    groups = ("white male", "lime other", "black female")
    table = table_of(ages=[5.0, 19.9, 20.0, 45.0], groups=groups)
    table["age"] = table["years"] / 10
    seen = seen_of(table)
    one = age.photographs(seen, WHO.groups, min_count=None, seed=0, over="age")
    kept = np.flatnonzero((table["years"] >= 20) & (table["race"] != "lime"))
    assert one["level"].tolist() == table["age"][kept].tolist()
    assert one["person"].tolist() == table["seed"][kept].tolist()
    assert one["group"].tolist() == (table["race"] + " " + table["gender"])[kept].tolist()
    assert np.allclose(one[DIMENSIONS], 100 * (seen.cosines[kept, :8] - seen.cosines[kept, 8:]))


def test_equal_per_age_draws_as_many_of_each_age_that_is_common_enough():
    years = pd.Series([20.0] * 7 + [30.0] * 4 + [40.0] * 2 + [50.0] * 5)
    rows = age.equal_per_age(years, min_count=4, seed=1)
    assert years.iloc[rows].value_counts().to_dict() == {20.0: 4, 30.0: 4, 50.0: 4}
    assert len(set(rows)) == 12
    assert rows.tolist() == sorted(rows)
    with pytest.raises(ValueError, match=r"8 images; the commonest has 7\. Lower min_per_age"):
        age.equal_per_age(years, min_count=8, seed=1)


def test_balanced_photographs_are_drawn_before_groups_are_chosen():
    table = table_of(groups=("white male", "lime other"), seeds=12)
    few = table.drop(index=table.index[(table["age"] == 20) & (table["seed"] > 2)])
    one = age.photographs(seen_of(few), WHO.groups, min_count=6, seed=3)
    assert 0 < len(one) < 30  # six of each age, of whom some belong to the other group
    assert set(one["group"]) == {"white male"}


# --- curves


def test_bends_are_those_of_the_parabolas_that_were_put_in():
    bent = age.bends(pictured(), span=SPAN)
    for group, dimension in itertools.product(WHO.groups, DIMENSIONS):
        assert bent.loc[dimension, group] == pytest.approx(curve(group, dimension)[2])
    gap = age.excess(bent, "black female")
    for dimension in DIMENSIONS:
        rest = [curve(group, dimension)[2] for group in WHO.groups if group != "black female"]
        assert gap[dimension] == pytest.approx(curve("black female", dimension)[2] - sum(rest) / 5)


def test_a_group_with_two_ages_has_no_curve_and_disturbs_no_other():
    one = pictured()
    kept = one[(one["group"] != "asian male") | (one["level"] <= 30)]
    bent = age.bends(kept)
    assert bent["asian male"].isna().all()
    assert bent.shape[1] == 6
    assert np.allclose(bent.drop(columns="asian male"), age.bends(one).drop(columns="asian male"))
    assert age.resampled(kept.reset_index(drop=True), n=3, seed=0)["asian male"].isna().all()


def test_resampling_repeats_whole_people_in_all_groups_at_once():
    one = pictured(noise=1.0)
    draws = age.resampled(one, n=20, seed=7)
    weights = vb.cluster_weights(np.repeat(range(4), 5), n_resamples=20, seed=7)
    for group in WHO.groups:
        own = one[one["group"] == group]
        for draw, weight in enumerate(weights):
            again = own.loc[np.repeat(own.index, weight)]
            expected = np.polyfit(u_of(again["level"]), again[DIMENSIONS], 2)[0]
            assert np.allclose(draws.loc[draw + 1, group], expected)
        assert np.allclose(draws.loc[0, group], age.bends(one).loc[DIMENSIONS, group])


def test_photographs_are_drawn_for_each_group_apart():
    one = pictured(noise=1.0)
    alone = one.assign(person=range(len(one)))
    draws = age.resampled(alone, n=3, seed=7)
    own = one[one["group"] == "asian male"]
    number = list(one["group"].unique()).index("asian male")
    weights = vb.cluster_weights(own.index, n_resamples=3, seed=[7, number])
    again = own.loc[np.repeat(own.index, weights[2])]
    expected = np.polyfit(u_of(again["level"]), again[DIMENSIONS], 2)[0]
    assert np.allclose(draws.loc[3, "asian male"], expected)


# --- claims: each on a world in which it holds, and on one in which it does not


def fit_of(coefficients):
    """A fit from (middle, slope, curvature) by (group, dimension), or by group; what is not given
    is (0, 0, -1)."""
    rows = []
    for group, dimension in itertools.product(WHO.groups, DIMENSIONS):
        whole = coefficients.get((group, None), (0, 0, -1))
        rows.append((group, dimension, *coefficients.get((group, dimension), whole)))
    return pd.DataFrame(rows, columns=["group", "dimension", "middle", "slope", "curvature"])


OUTLIER, WHITE = "black female", "white female"
AS_PRINTED = {
    **{
        (OUTLIER, name): (-5, 0, 2)
        for name in (*WITH_U, "negative_communion", "progressive_belief")
    },
    (OUTLIER, "competence"): (-5, -3, 0.5),
    (WHITE, "competence"): (0, -1, -0.1),
    **{(group, "competence"): (0, 0.1, -0.1) for group in WHO.having("male")},
    **{(group, "warmth"): (0, 0.5, -1) for group in WHO.having("male")},
    **{(group, "progressive_belief"): (0, 0, -1) for group in WHO.others},
}
NOTHING = fit_of({(group, None): (0, 0, -1) for group in WHO.groups})
WIDTHS = {"CausalFace": 0.1, "FairFace": 0.5, "UTKFace": 0.5}


def held(controlled=None, photographs=NOTHING, widths=WIDTHS):
    fits = {
        "CausalFace": fit_of(AS_PRINTED | (controlled or {})),
        "FairFace": NOTHING,
        "UTKFace": photographs,
    }
    return age.claims(fits, WHO, widths=widths)


def test_every_claim_holds_in_a_world_as_printed():
    assert [name for name, holds in held().items() if not holds] == []


@pytest.mark.parametrize(
    ("group", "trait", "terms", "broken"),
    [
        (
            OUTLIER,
            "warmth",
            (-5, 0, -2),
            "warmth-u caption-u warmth-black s3-u peculiar warmth-decline-black",
        ),
        (
            WHITE,
            "warmth",
            (0, 0, 1),
            "warmth-inverted warmth-white s3-others peculiar warmth-decline-white",
        ),
        ("asian male", "warmth", (0, -0.5, -1), "warmth-men"),
        (OUTLIER, "positive_agency", (-5, 0, -2), "u-extends s3-u peculiar"),
        (OUTLIER, "positive_communion", (-5, 5, 2), "u-extends s3-u"),
        ("white male", "positive_communion", (0, 3, -0.1), "s3-others"),
        (OUTLIER, "competence", (-5, -1.5, 2), "u-not-competence caption-decrease"),
        (
            OUTLIER,
            "competence",
            (-5, 3, 0.5),
            "competence-women competence-steepest caption-decrease caption-young",
        ),
        (WHITE, "competence", (0, 1, -0.1), "competence-women"),
        (WHITE, "competence", (0, -4, -0.1), "competence-steepest"),
        ("asian female", "competence", (0, -4, -0.1), "competence-steepest"),
        ("white male", "competence", (0, -1.6, -0.1), "competence-men"),
        ("asian male", "progressive_belief", (0, -9, -1), "discussion-others discussion-one-group"),
        (OUTLIER, "progressive_belief", (-5, 20, 2), "discussion-black discussion-one-group"),
    ],
)
def test_a_claim_fails_where_what_it_says_is_not_so(group, trait, terms, broken):
    found = held({(group, trait): terms})
    assert {name for name, holds in found.items() if not holds} == set(broken.split())


def test_claims_of_an_extreme_fail_where_two_groups_lie_beyond():
    """In competence, and in a trait of Figure S.3 alone."""
    middling = {"competence": (0.05, -0.5, 0), "progressive_belief": (-5, 0, 2)}
    broken = {
        "competence": {"outlier", "s3-extreme", "caption-extreme"},
        "progressive_belief": {"s3-extreme"},
    }
    for trait, terms in middling.items():
        beyond = {("white male", trait): (-99, 0.1, -0.1), ("black male", trait): (99, 0.1, -0.1)}
        found = held({(OUTLIER, trait): terms, (WHITE, "competence"): (0, -0.4, 0)} | beyond)
        assert {name for name, holds in found.items() if not holds} == broken[trait]


def test_shapes_are_read_off_the_drawn_curves():
    rng, u = np.random.default_rng(6), np.linspace(-1, 1, 4001)
    terms = {key: rng.normal(size=3) for key in itertools.product(WHO.groups, DIMENSIONS)}
    own, seen = age.shapes(fit_of(terms)), set()
    for name in DIMENSIONS:
        drawn = np.array(
            [np.polynomial.polynomial.polyval(u, terms[group, name]) for group in WHO.groups]
        )
        for k, group in enumerate(WHO.groups):
            low, high = (0 < find(drawn[k]) < 4000 for find in (np.argmin, np.argmax))
            assert (own.u.loc[name, group], own.hill.loc[name, group]) == (low, high)
            at = drawn[:, [0, 2000, 4000]]
            ends = (k in at.argmin(axis=0), k in at.argmax(axis=0))
            assert own.extreme.loc[name, group] == any(ends)
            seen |= {("u", low), ("hill", high), ("ends", ends)}
    assert len(seen) == 8  # every case occurred


def test_claims_about_photographs_look_at_photographs():
    lone = fit_of({(OUTLIER, dimension): (0, 0, 1) for dimension in WITH_U})
    one = fit_of({(OUTLIER, "warmth"): (0, 0, 1)})
    several = fit_of({(group, None): (0, 0, 1) for group in WHO.groups})
    names = ("not-evident", "caption-title", "caption-less-clear", "noisy")
    assert [held(photographs=lone)[name] for name in names] == [False, False, False, True]
    assert [held(photographs=one)[name] for name in names] == [False, False, True, True]
    assert [held(photographs=several)[name] for name in names] == [True, True, True, True]
    assert not held(widths=WIDTHS | {"UTKFace": 0.1})["noisy"]


def test_a_claim_is_about_the_sets_that_the_ledger_names():
    data = vb.ledger.load().set_index("id")["data"]
    for name in held():
        assert ", ".join(age.about(name)).lower() == data[f"age.{name}"]


# --- retrained networks


def test_retrained_networks_are_looked_at_over_whole_series_and_over_adults():
    series = table_of(seeds=2).assign(set="grid", subset="age")
    series.loc[series["age"] == 40, "subset"] = "prototype"
    stray = table_of(seeds=1, ages=[40.0]).assign(set="grid", subset="prototype", seed=77)
    smiling = series.assign(subset="smiling", age=0.0)
    people = table_of(seeds=1, ages=[5.0, *AGES]).assign(subset="observational")
    photographs = [people.assign(set=name) for name in ("fairface", "utkface")]
    images = pd.concat([series, stray, smiling, *photographs], ignore_index=True)
    networks = pd.DataFrame({"b": [0.0, 1.0, 1.0], "logit_scale": [2.0, 4.0, 4.0]})
    bends = np.random.default_rng(8).normal(size=(3, 8, 6))
    group = (images["race"] + " " + images["gender"]).map(WHO.groups.index).to_numpy()
    # a picture that must not count would be seen, as the face without a series
    used = ((images["age"] >= 20) & (images["seed"] != 77)).to_numpy()[:, None]
    exact = bends[:, :, group].transpose(0, 2, 1) * u_of(images["age"])[None, :, None] ** 2
    scores = np.full((3, len(images), 9), 0.3)
    scores[..., :8] += np.where(used, exact, 1e3) / np.array([2.0, 4.0, 4.0])[:, None, None]
    scores[2, images["set"].to_numpy() == "utkface"] = np.nan  # one was not shown this set
    columns = (*DIMENSIONS, "neutral")
    portraits = SimpleNamespace(networks=networks, images=images, scores=scores, columns=columns)

    def found(name, chosen):
        return age.in_networks(portraits, name, WHO.groups, networks=chosen, span=SPAN)

    for name, n in {"CausalFace": 3, "FairFace": 3, "UTKFace": 2}.items():
        table = found(name, [True] * 3)
        assert len(table) == 8 * n
        for _, row in table.iterrows():
            own = bends[int(row["b"] + row["network"]), DIMENSIONS.index(row["dimension"])]
            assert row[list(WHO.groups)].tolist() == pytest.approx(list(own))
    assert len(found("UTKFace", [True, False, False])) == 8


# --- from controlled faces to photographs

LEVELS = np.array([5.0, 20.0, 30.0, 40.0, 50.0, 60.0])


def grown(n_people=24):
    """Everybody in every group at every age; a parabola of age, plus what belongs to the person."""
    faces = table_of(ages=LEVELS, seeds=n_people)
    own = np.random.default_rng(1).normal(size=n_people)
    bend = np.where((faces["race"] + " " + faces["gender"]) == WHO.outlier, 0.5, -0.2)
    values = pd.DataFrame({"warmth": bend * u_of(faces["age"]) ** 2 + own[faces["seed"]]})
    return age.pictures(faces, values, WHO.groups)


def photographed(n=900):
    rng = np.random.default_rng(2)
    group = rng.choice(WHO.groups, n)
    race, gender = zip(*(one.split() for one in group), strict=True)
    years = rng.uniform(19, 60, n)
    faces = pd.DataFrame({"seed": range(n), "race": race, "gender": gender, "age": years})
    return age.pictures(faces, pd.DataFrame({"warmth": rng.normal(size=n)}), WHO.groups)


def test_other_people_are_shown_at_the_ages_asked_for_and_nobody_twice_before_all_once():
    group, ages = np.repeat(WHO.groups[:2], [24, 30]), np.resize(LEVELS, 54)
    seen = age.of_other_people(
        grown(), age.whereabouts(grown()), group, ages, rng=np.random.default_rng()
    )
    assert seen["group"].tolist() == sorted(group)
    for name, n in zip(WHO.groups[:2], (24, 30), strict=True):
        own = seen[seen["group"] == name]
        assert sorted(own["level"]) == sorted(ages[group == name])
        times = own["person"].value_counts()
        assert len(times) == 24
        assert times.sum() == n
        assert times.max() <= 2


def test_only_ages_that_photographs_show_are_kept_as_often_as_they_are_there():
    one, photos, rng = grown(), photographed(), np.random.default_rng(4)
    same, other, common, last = age.steps(one, photos, 300).values()
    seen = same(rng)  # the same people at every age and in every group
    assert (len(seen), seen["person"].nunique(), seen["level"].min()) == (300, 10, 20)
    assert (pd.crosstab([seen["group"], seen["person"]], seen["level"]) == 1).all(axis=None)
    others = other(rng)
    assert (pd.crosstab(others["group"], others["level"]) == 300 / 6 / 5).all(axis=None)
    assert others["person"].nunique() == 24
    there = pd.concat([common(rng) for _ in range(30)])["level"].value_counts(normalize=True)
    distance = np.abs(photos["level"].to_numpy()[:, None] - LEVELS[1:])
    nearest = pd.Series(LEVELS[1:][distance.argmin(axis=1)])
    assert np.allclose(there, nearest.value_counts(normalize=True)[there.index], atol=0.02)
    assert last(rng)["person"].is_unique
