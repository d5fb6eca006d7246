"""Made-up faces in which every group, dimension and set differs; slow versions fit one curve at a
time with numpy."""

import itertools
from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest
import worlds

import vlmbias as vb
from studies import roles
from studies.causalface import age, age_claims
from studies.shown import Shown
from vlmbias.papers import CAUSALFACE

WHO = roles.named(CAUSALFACE, {})
SPAN = (20.0, 60.0)
AGES = np.linspace(20, 60, 5)
DIMENSIONS = list(CAUSALFACE.dimensions)


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


def faces_sample(noise=0.0, **layout):
    faces = table_of(**layout)
    return age.sample(faces, values_of(faces, noise), WHO.groups)


def seen_of(table):
    words = dict.fromkeys(DIMENSIONS, 1)
    return worlds.seen(table, words, rng=np.random.default_rng(4))


# --- samples


def test_a_sample_holds_the_rows_of_its_groups_in_order():
    faces = table_of(groups=("white male", "lime other", "black female"))
    values = pd.DataFrame({"warmth": np.arange(len(faces))})
    one = age.sample(faces, values, WHO.groups)
    kept = [k for k in range(len(faces)) if faces["race"][k] != "lime"]
    assert one.values["warmth"].tolist() == kept and one.n_sampled == len(faces)
    assert (
        one.age.tolist() == faces["age"][kept].tolist()
        and one.cluster.tolist() == faces["seed"][kept].tolist()
    )
    assert one.group.tolist() == [f"{faces['race'][k]} {faces['gender'][k]}" for k in kept]
    assert one.faces["years"].tolist() == faces["years"][kept].tolist()


def test_the_controlled_sample_is_the_series_over_age_with_its_prototypes():
    table = table_of().assign(subset="age")
    table.loc[::3, "subset"], table.loc[1::7, "subset"], table.loc[5, "age"] = (
        "prototype",
        "smiling",
        np.nan,
    )
    seen = seen_of(table)
    one = age.controlled(seen, WHO.groups, scale=seen.logit_scale)
    kept = [
        k
        for k in range(len(table))
        if table["subset"][k] != "smiling" and table["age"][k] == table["age"][k]
    ]
    assert np.allclose(one.values, 3.0 * (seen.cosines[kept, :8] - seen.cosines[kept, 8:]))
    assert one.age.tolist() == table["age"][kept].tolist()


def test_photographs_are_of_adults_and_over_the_age_asked_for():
    table = table_of(ages=[5.0, 19.9, 20.0, 45.0]).assign(age=lambda rows: rows["years"] / 10)
    seen = seen_of(table)
    one = age.photographs(seen, WHO.groups, min_count=None, seed=0, age="age")
    kept = [k for k in range(len(table)) if table["years"][k] >= 20]
    assert one.age.tolist() == [table["age"][k] for k in kept]
    assert np.allclose(one.values, 100 * (seen.cosines[kept, :8] - seen.cosines[kept, 8:]))


def test_equal_per_age_draws_as_many_of_each_age_that_is_common_enough():
    years = pd.Series([20.0] * 7 + [30.0] * 4 + [40.0] * 2 + [50.0] * 5)
    rows = age.equal_per_age(years, min_count=4, seed=1)
    assert years.iloc[rows].value_counts().to_dict() == {20.0: 4, 30.0: 4, 50.0: 4}
    assert len(set(rows)) == 12 and rows.tolist() == sorted(rows)
    assert {tuple(age.equal_per_age(years, min_count=4, seed=seed)) for seed in range(5)} != {
        tuple(rows)
    }
    with pytest.raises(
        ValueError, match=r"no age has 8 images; the commonest has 7\. Lower min_per_age"
    ):
        age.equal_per_age(years, min_count=8, seed=1)


def test_balanced_photographs_are_drawn_before_groups_are_chosen():
    table = table_of(groups=("white male", "lime other"), seeds=6)
    one = age.photographs(seen_of(table), WHO.groups, min_count=12, seed=3)
    assert one.n_sampled == 60 and set(one.group) == {"white male"} and age.balanced(one)
    assert not age.balanced(age.sample(one.faces[1:], one.values[1:], WHO.groups))


# --- curves


def test_curves_and_their_bends_are_the_parabolas_that_were_put_in():
    bend = age.bends(age.curves(faces_sample(), span=SPAN))
    for group, dimension in itertools.product(WHO.groups, DIMENSIONS):
        assert bend.loc[group, dimension] == pytest.approx(curve(group, dimension)[2])
    gap = age.excess(bend, WHO)
    for dimension in DIMENSIONS:
        rest = [curve(group, dimension)[2] for group in WHO.groups if group != "black female"]
        assert gap[dimension] == pytest.approx(curve("black female", dimension)[2] - sum(rest) / 5)


def test_a_group_with_two_ages_has_no_curve_and_disturbs_no_other():
    one = faces_sample()
    few = (one.group == "asian male") & (one.age > 30)
    kept = age.sample(one.faces[~few], one.values[~few], WHO.groups)
    bend = age.bends(age.curves(kept))
    assert bend.loc["asian male"].isna().all() and len(bend) == 6
    assert np.allclose(
        bend.drop(index="asian male"), age.bends(age.curves(one)).drop(index="asian male")
    )
    assert np.isnan(age.resampled(kept, n=3, seed=0).coefficients["asian male"]).all()


def test_what_is_drawn_lies_on_the_curves_and_on_the_means():
    one = faces_sample()
    lines, dots = age.figure_data({"CausalFace": one}, ["warmth", "competence"], steps=5)
    assert len(lines) == len(dots) == 2 * 6 * 5
    assert set(lines["panel"]) == {"CausalFace: warmth", "CausalFace: competence"}
    for row in [*lines.itertuples(), *dots.itertuples()]:
        assert row.value == pytest.approx(height(row.group, row.panel.partition(": ")[2], row.age))


def test_resampling_repeats_whole_identities_in_all_groups_at_once():
    one = faces_sample(noise=1.0)
    draws = age.resampled(one, n=20, seed=7)
    weights = vb.cluster_weights(np.repeat(range(4), 5), n_resamples=20, seed=7)
    for group in WHO.groups:
        own = one.group == group
        repeated = [np.repeat(np.flatnonzero(own), weight) for weight in weights]
        for draw, rows in enumerate(repeated):
            expected = np.polyfit(u_of(one.age[rows]), one.values.iloc[rows], 2)[0]
            assert np.allclose(draws.curvature(group)[draw + 1], expected)
        assert np.allclose(
            draws.curvature(group)[0], age.bends(age.curves(one)).loc[group, DIMENSIONS]
        )


def test_photographs_are_drawn_for_each_group_apart():
    one = faces_sample(noise=1.0)
    alone = age.Sample(
        one.values, one.age, one.group, np.arange(len(one.age)), one.faces, one.n_sampled
    )
    draws = age.resampled(alone, n=3, seed=7)
    own = np.flatnonzero(one.group == "asian male")
    weights = vb.cluster_weights(
        own, n_resamples=3, seed=[7, list(dict.fromkeys(one.group)).index("asian male")]
    )
    rows = np.repeat(own, weights[2])
    assert np.allclose(
        draws.curvature("asian male")[3],
        np.polyfit(u_of(one.age[rows]), one.values.iloc[rows], 2)[0],
    )


# --- what a curvature is worth


@pytest.fixture(scope="module")
def draws():
    rng = np.random.default_rng(2)
    centre = {
        group: rng.normal(1.5 if group == WHO.outlier else -1.5, 1, 8) for group in WHO.groups
    }
    drawn = {
        group: [np.tile(own, (1, 3, 1)), rng.normal(own, 0.8, (200, 3, 8))]
        for group, own in centre.items()
    }
    return age.Draws(
        tuple(DIMENSIONS), {group: np.concatenate(parts) for group, parts in drawn.items()}
    )


def test_curvature_has_the_data_and_the_quantiles_of_the_draws(draws):
    table = age.curvature(draws, WHO).set_index(["part", "dimension"])
    for k, dimension in enumerate(DIMENSIONS):
        own = draws.coefficients[WHO.outlier][:, 2, k]
        rest = np.mean([draws.coefficients[group][:, 2, k] for group in WHO.others], axis=0)
        for part, values in {"outlier": own, "others": rest, "excess": own - rest}.items():
            low, high = np.quantile(values[1:], [0.025, 0.975])
            assert np.allclose(
                table.loc[(part, dimension)], [values[0], low, high, np.std(values[1:])]
            )


def test_sets_are_compared_with_the_error_of_the_difference():
    def one(value, se):
        return pd.DataFrame(
            {
                "dimension": "warmth",
                "part": ["excess", "others"],
                "value": [value, 99],
                "se": [se, 9],
            }
        )

    tables = {"CausalFace": one(1.0, 0.3), "FairFace": one(3.0, 0.4), "UTKFace": one(-1.0, 0.0)}
    table = age.between(tables).set_index("set")
    for name, gap, half in (("FairFace", 2.0, 0.98), ("UTKFace", -2.0, 0.588)):
        row = table.loc[name, ["gap", "low", "high"]].astype(float)
        assert np.allclose(row, [gap, gap - half, gap + half], atol=1e-4)
    assert len(table) == 2


# --- claims: each on a world in which it holds, and on one in which it does not


def fit_of(coefficients):
    """A fit from (middle, slope, curvature) by (group, dimension); what is not given is (0, 0,
    -1)."""
    rows = [
        (
            group,
            dimension,
            *coefficients.get((group, dimension), coefficients.get((group, None), (0, 0, -1))),
        )
        for group in WHO.groups
        for dimension in DIMENSIONS
    ]
    return pd.DataFrame(rows, columns=["group", "dimension", "middle", "slope", "curvature"])


OUTLIER, WHITE = "black female", "white female"
AS_PRINTED = {
    **{
        (OUTLIER, name): (-5, 0, 2)
        for name in (*age.SINGLED_OUT, "negative_communion", "progressive_belief")
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
    return age_claims.claims(fits, WHO, widths=widths)


def test_every_claim_holds_in_a_world_as_printed():
    assert [name for name, holds in held().items() if not holds] == []


def test_every_recorded_claim_is_in_the_ledger():
    known = set(vb.ledger.table("causalface/age")["claim"])
    assert {f"age.{name}" for name in held()} < known


@pytest.mark.parametrize(
    ("change", "broken"),
    [
        (
            {(OUTLIER, "warmth"): (-5, 0, -2)},
            {"warmth-u", "caption-u", "warmth-black", "s3-u", "peculiar", "warmth-decline-black"},
        ),
        (
            {(OUTLIER, "warmth"): (-5, -5, 2)},
            {"warmth-u", "caption-u", "s3-u", "warmth-black"},
        ),  # vertex outside the ages
        ({(OUTLIER, "warmth"): (0, 0, 2)}, set()),  # higher, and of the same shape
        (
            {(WHITE, "warmth"): (0, 0, 1)},
            {"warmth-inverted", "warmth-white", "s3-others", "peculiar", "warmth-decline-white"},
        ),
        (
            {(WHITE, "warmth"): (0, -3, -1)},
            {"warmth-inverted", "warmth-white", "s3-others", "warmth-decline-white"},
        ),
        ({("asian male", "warmth"): (0, -0.5, -1)}, {"warmth-men"}),
        ({(OUTLIER, "positive_agency"): (-5, 0, -2)}, {"u-extends", "s3-u", "peculiar"}),
        ({(OUTLIER, "positive_communion"): (-5, 5, 2)}, {"u-extends", "s3-u"}),
        ({("white male", "positive_communion"): (0, 0, 0.1)}, {"s3-others", "peculiar"}),
        ({("white male", "positive_communion"): (0, 3, -0.1)}, {"s3-others"}),
        ({(OUTLIER, "competence"): (-5, -1.5, 2)}, {"u-not-competence", "caption-decrease"}),
        (
            {(OUTLIER, "competence"): (-5, 3, 0.5)},
            {"competence-women", "competence-steepest", "caption-decrease", "caption-young"},
        ),
        ({(WHITE, "competence"): (0, 1, -0.1)}, {"competence-women"}),
        ({(WHITE, "competence"): (0, -4, -0.1)}, {"competence-steepest"}),
        ({("asian female", "competence"): (0, -4, -0.1)}, {"competence-steepest"}),
        ({("white male", "competence"): (0, -1.6, -0.1)}, {"competence-men"}),
        (
            {
                (OUTLIER, "competence"): (0.05, -0.5, 0),
                ("white male", "competence"): (5, 0.1, 0),
                ("black male", "competence"): (-5, 0.1, 0),
                (WHITE, "competence"): (0, -0.4, 0),
            },
            {"outlier", "s3-extreme", "caption-extreme"},
        ),
        (
            {
                (OUTLIER, "progressive_belief"): (-5, 0, 2),
                ("white male", "progressive_belief"): (-99, 0, -1),
                ("black male", "progressive_belief"): (99, 0, -1),
            },
            {"s3-extreme"},
        ),
        (
            {("asian male", "progressive_belief"): (0, -9, -1)},
            {"discussion-others", "discussion-one-group"},
        ),
        (
            {(OUTLIER, "progressive_belief"): (-5, 20, 2)},
            {"discussion-black", "discussion-one-group"},
        ),
    ],
)
def test_a_claim_fails_where_what_it_says_is_not_so(change, broken):
    assert {name for name, holds in held(change).items() if not holds} == broken


def test_shapes_are_read_off_the_drawn_curves():
    rng, years = np.random.default_rng(6), np.linspace(-1, 1, 4001)
    fit = fit_of({(group, name): rng.normal(size=3) for group in WHO.groups for name in DIMENSIONS})
    own, seen = age_claims.Shapes.of(fit), set()
    at = fit.set_index(["group", "dimension"])
    for name, group in itertools.product(DIMENSIONS, WHO.groups):
        terms = {one: at.loc[(one, name)].to_numpy(float) for one in WHO.groups}
        drawn = {
            one: np.polynomial.polynomial.polyval(years, own_terms)
            for one, own_terms in terms.items()
        }
        lowest, highest = (0 < find(drawn[group]) < 4000 for find in (np.argmin, np.argmax))
        assert (own.u(name, group), own.hill(name, group)) == (lowest, highest)
        places = [sorted(WHO.groups, key=lambda one, k=k: drawn[one][k]) for k in (0, 2000, 4000)]
        ends = (
            any(order[0] == group for order in places),
            any(order[-1] == group for order in places),
        )
        assert own.extreme(name, group) == any(ends)
        seen |= {("u", lowest), ("hill", highest), ("ends", ends)}
    assert len(seen) == 8  # every case occurred


def test_claims_about_photographs_look_at_photographs():
    lone = fit_of({(OUTLIER, dimension): (0, 0, 1) for dimension in age.SINGLED_OUT})
    one = fit_of({(OUTLIER, "warmth"): (0, 0, 1)})
    several = fit_of({(group, None): (0, 0, 1) for group in WHO.groups})
    names = ("not-evident", "caption-title", "caption-less-clear", "noisy")
    assert [held(photographs=lone)[name] for name in names] == [False, False, False, True]
    assert [held(photographs=one)[name] for name in names] == [False, False, True, True]
    assert [held(photographs=several)[name] for name in names] == [True, True, True, True]
    assert not held(widths=WIDTHS | {"UTKFace": 0.1})["noisy"]


def test_a_claim_knows_its_sets():
    sets = {name: age_claims.about(name) for name in held()}
    assert sets["warmth-u"] == ("CausalFace",) and sets["noisy"] == ("FairFace", "UTKFace")
    assert sets["caption-title"] == age.SETS
    data = vb.ledger.load().set_index("id")["data"]
    assert all(data[f"age.{name}"] == ", ".join(own).lower() for name, own in sets.items())


# --- against what was planted


def said(faces):
    """A truth that depends on smiling, too."""
    group = faces["race"] + " " + faces["gender"]
    smiling = faces.get("smiling", pd.Series(0.0, faces.index))
    return pd.DataFrame(
        {
            name: [
                height(one, name, years) + smile * u_of(years) ** 2
                for one, years, smile in zip(group, faces["age"], smiling, strict=True)
            ]
            for name in reversed(DIMENSIONS)
        }
    )


def test_what_is_planted_is_the_excess_of_the_truth():
    faces = table_of().assign(smiling=lambda rows: np.where(rows["race"] == "black", 1.0, 0.0))
    plain = age.planted(faces.assign(smiling=0.0), said, WHO, span=SPAN)
    assert np.allclose(
        plain[DIMENSIONS],
        age.excess(age.bends(age.curves(faces_sample(), span=SPAN)), WHO)[DIMENSIONS],
    )
    assert np.allclose(age.planted(faces, said, WHO, span=SPAN) - plain, 1 - 1 / 5)


# --- retrained networks


def shown_curves(bends, groups=WHO.groups):
    """Networks whose curvature per dimension and group is as given:
    `(networks, dimensions, groups)`."""
    faces = table_of(seeds=1, groups=groups)
    group = (faces["race"] + " " + faces["gender"]).map(groups.index).to_numpy()
    logits = bends[:, :, group].transpose(0, 2, 1) * u_of(faces["age"])[None, :, None] ** 2
    networks = pd.DataFrame({"b": np.arange(len(bends)) % 2})
    return Shown(networks, faces, logits, tuple(DIMENSIONS[: bends.shape[1]]))


def test_every_network_and_dimension_has_its_own_curvature():
    bends = np.random.default_rng(1).normal(size=(3, 2, 6))
    table = age.bent_by_network(shown_curves(bends), WHO.groups, span=SPAN)
    assert (
        table["row"].tolist() == [0, 0, 1, 1, 2, 2]
        and table["dimension"].tolist() == DIMENSIONS[:2] * 3
    )
    assert np.allclose(table[list(WHO.groups)], bends.reshape(6, 6))


def test_who_bends_alone_is_counted_by_hand():
    bends = pd.DataFrame(np.random.default_rng(2).normal(size=(400, 6)), columns=list(WHO.groups))
    table = age.lone(bends, WHO)
    for (_, own), (_, row) in zip(bends.iterrows(), table.iterrows(), strict=True):
        ups = [group for group in WHO.groups if own[group] > 0]
        rest = [own[group] for group in WHO.groups if group != OUTLIER]
        assert row["excess"] == pytest.approx(own[OUTLIER] - sum(rest) / 5)
        assert (row["outlier_u"], row["only_outlier"]) == (OUTLIER in ups, ups == [OUTLIER])
        assert row["some_alone"] == (len(ups) in (1, 5))
    assert table["some_alone"].mean() == pytest.approx(2 * 6 / 2**6, abs=0.06)


def test_rates_are_those_of_the_dimension_that_was_named():
    found = pd.DataFrame(
        {
            "set": ["CausalFace"] * 4 + ["FairFace"] * 2,
            "b": [0, 0, 1, 1, 1, 1],
            "dimension": ["warmth", "competence"] * 3,
            "only": [True, False, False, True, True, False],
            "some": [False] * 6,
        }
    )
    table = age.lone_rates(found, "warmth", {"only": "alone", "some": "any"}).set_index(
        ["event", "set", "b"]
    )
    assert table.loc["alone", "rate"].to_dict() == {
        ("CausalFace", 0): 1,
        ("CausalFace", 1): 0,
        ("FairFace", 1): 1,
    }
    assert table.loc["any", "rate"].tolist() == [0, 0, 0] and (table["n"] == 1).all()


def test_networks_are_told_from_those_with_nothing_planted_set_by_set():
    rng, rows = np.random.default_rng(5), []
    for name, shift in (("CausalFace", 9.0), ("FairFace", 0.0)):
        rows += [(name, 0, "warmth", value) for value in rng.normal(size=19)]
        rows += [(name, 1, "warmth", value + shift) for value in rng.normal(size=40)]
        rows += [(name, b, "competence", 99.0 * b) for b in (0, 1)]
    found = pd.DataFrame(rows, columns=["set", "b", "dimension", "excess"])
    table = age.detection_rates(found, "warmth").set_index("set")
    assert table["n"].tolist() == [40, 40] and table.loc["CausalFace", "hits"] == 40
    own = found[(found["set"] == "FairFace") & (found["dimension"] == "warmth")]
    highest = own.loc[own["b"] == 0, "excess"].max()
    assert table.loc["FairFace", "hits"] == (own.loc[own["b"] == 1, "excess"] > highest).sum()
    with pytest.raises(
        ValueError, match=r"19 networks with nothing planted cannot give CausalFace a p of 0\.01"
    ):
        age.detection_rates(found, "warmth", alpha=0.01)


def test_retrained_networks_are_looked_at_over_whole_series_and_over_adults():
    series = table_of(seeds=2).assign(set="grid", subset="age")
    series.loc[series["age"] == 40, "subset"] = "prototype"
    stray = table_of(seeds=1, ages=[40.0]).assign(
        set="grid", subset="prototype", seed=77
    )  # a face without a series
    smiling = series.assign(subset="smiling", age=0.0)
    people = table_of(seeds=1, ages=[5.0, *AGES]).assign(subset="observational")
    images = pd.concat(
        [series, stray, smiling, people.assign(set="fairface"), people.assign(set="utkface")],
        ignore_index=True,
    )
    networks = pd.DataFrame({"b": [0.0, 1.0, 1.0], "logit_scale": [2.0, 4.0, 4.0]})
    bends = np.random.default_rng(8).normal(size=(3, 8, 6))
    group = (images["race"] + " " + images["gender"]).map(WHO.groups.index).to_numpy()
    used = (images["age"] >= 20) & (images["seed"] != 77)
    exact = bends[:, :, group].transpose(0, 2, 1) * u_of(images["age"])[None, :, None] ** 2
    logits = np.where(
        used.to_numpy()[None, :, None], exact, 1e3
    )  # a picture that must not count would be seen
    delta = (
        np.concatenate([logits, np.zeros((3, len(images), 1))], axis=2)
        / np.array([2.0, 4.0, 4.0])[:, None, None]
    )
    delta[2, images["set"].to_numpy() == "utkface"] = np.nan  # one network was not shown this set
    portraits = SimpleNamespace(
        networks=networks, images=images, scores=delta + 0.3, columns=(*DIMENSIONS, "neutral")
    )

    found = age.retrained(portraits, WHO, [True, True, True], span=SPAN)
    assert found.groupby("set").size().to_dict() == {
        "CausalFace": 24,
        "FairFace": 24,
        "UTKFace": 16,
    }
    for _, row in found.iterrows():
        own = bends[int(row["b"] + row["network"]), DIMENSIONS.index(row["dimension"])]
        assert row[list(WHO.groups)].tolist() == pytest.approx(list(own))
        rest = np.delete(own, WHO.groups.index(OUTLIER))
        assert row["excess"] == pytest.approx(own[WHO.groups.index(OUTLIER)] - rest.mean())
    assert len(age.retrained(portraits, WHO, [True, False, False], span=SPAN)) == 24
