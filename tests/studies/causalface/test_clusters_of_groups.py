"""Groups as clusters, against slow versions on made-up faces in which everything differs."""

import itertools

import numpy as np
import pandas as pd
import pytest
import slow
import worlds
from matplotlib.patches import Ellipse
from scipy import stats

import vlmbias as vb
from studies.causalface import clusters
from vlmbias.papers import CAUSALFACE

RACES, GENDERS = ("white", "asian", "black"), ("male", "female")
GROUPS = [f"{race} {gender}" for race in RACES for gender in GENDERS]
AGES = (20.0, 30.0, 40.0, 50.0)
POLES = list(clusters.POLES)


def perception(table):
    """Two words a pole, one of another dimension, and a neutral prompt."""
    words = {**dict.fromkeys(POLES, 2), "warmth": 1}
    return worlds.seen(table, words, rng=np.random.default_rng(4))


def series():
    """A controlled set: series over age, and one over smiling that the figure does not use."""
    levels = {"age": AGES, "smiling": (0.0, 1.0)}
    return worlds.faces(5, GROUPS, levels, rng=np.random.default_rng(3))


def photographs(n=900, races=RACES):
    rng = np.random.default_rng(6)
    years = rng.integers(1, 90, n).astype(float)
    starts = [0, 3, *range(10, 71, 10), 200]
    names = [f"{low}-{high - 1}" for low, high in itertools.pairwise(starts[:-1])]
    bins = pd.cut(years, starts, right=False, labels=[*names, "more than 70"])
    columns = {"race": rng.choice(races, n), "gender": rng.choice(GENDERS, n)}
    columns |= {"age": years / 10, "years": years, "age_bin": bins.astype(str)}
    return pd.DataFrame({"seed": np.arange(n)} | columns)


def faces(seeds=8, noise=0.3, ages=AGES, spread=1.0):
    """Faces whose poles depend on group and age, each in its own way."""
    rng, k = np.random.default_rng(1), np.arange(6)
    cells = list(itertools.product(range(seeds), GROUPS, ages))
    table = pd.DataFrame(cells, columns=["identity", "group", "level"])
    table[["race", "gender"]] = table["group"].str.split(expand=True)
    number, years = table["group"].map(GROUPS.index), table["level"].to_numpy()
    values = spread * np.sin(3 * number.to_numpy()[:, None] + k) + 0.02 * np.outer(years, k + 1)
    table[POLES] = values + noise * rng.normal(size=values.shape)
    return table.assign(age=table["level"])


def ellipses(table, dimensions=("agency",)):
    return vb.figures.ellipses(
        clusters.by_dimension(table, dimensions),
        x="positive",
        y="negative",
        colour="race",
        shape="gender",
        panel="dimension",
        columns=2,
        x_label="+",
        y_label="-",
    )


# --- faces and markers


def test_faces_are_the_series_over_age_with_its_prototypes():
    seen = perception(series())
    found, relative = (clusters.faces(seen, relative=by) for by in (False, True))
    kept = np.flatnonzero(seen.table["subset"] != "smiling")
    own = seen.table.iloc[kept].reset_index(drop=True)
    assert found["identity"].tolist() == own["seed"].tolist()
    assert found["level"].tolist() == found["age"].tolist() == own["age"].tolist()
    assert found["group"].tolist() == (own["race"] + " " + own["gender"]).tolist()
    cosines, neutral = seen.cosines[kept], seen.cosines[kept, -1]
    for k, pole in enumerate(POLES):
        beyond = 100 * (cosines[:, 2 * k : 2 * k + 2].mean(axis=1) - neutral)
        assert np.allclose(found[pole], beyond)
        assert np.allclose(relative[pole], beyond / neutral)


def test_photographs_are_of_adults_in_decades():
    seen = perception(photographs())
    found = clusters.faces(seen)
    years = seen.table.loc[seen.table["years"] >= 20, "years"].to_numpy()
    assert found["identity"].tolist() == np.flatnonzero(seen.table["years"] >= 20).tolist()
    assert found["level"].tolist() == [min(int(age // 10), 7) - 2 for age in years]


def test_quotas_are_worked_out_over_all_races_before_three_are_chosen():
    seen = perception(photographs(races=("white", "asian", "black", "indian")))
    drawn = clusters.within_quotas(seen, RACES, seed=2).table
    # "3-9" comes after "20-29" as text
    passed = seen.table[~seen.table["age_bin"].isin(["0-2", "10-19"])]
    there, kept = (one.value_counts(["race", "gender"]) for one in (passed, drawn))
    for group in itertools.product(RACES, GENDERS):
        assert kept[group] == min(len(passed) // 8, there[group])
    assert set(drawn["race"]) == set(RACES)
    assert "3-9" in set(drawn["age_bin"])
    again, other = (clusters.within_quotas(seen, RACES, seed=seed).table for seed in (2, 3))
    assert drawn["seed"].tolist() == again["seed"].tolist() != other["seed"].tolist()


def test_markers_are_means_of_groups_at_ages():
    own = faces()
    table = clusters.markers(own)
    assert len(table) == len(GROUPS) * len(AGES)
    for row in table.itertuples():
        cell = own[(own["group"] == row.group) & (own["level"] == row.level)]
        assert row.conservative_belief == pytest.approx(
            sum(cell["conservative_belief"]) / len(cell)
        )
    long = clusters.by_dimension(table, ["belief", "communion"])
    assert long["dimension"].tolist() == ["belief"] * len(table) + ["communion"] * len(table)
    assert np.allclose(
        long["positive"], [*table["progressive_belief"], *table["positive_communion"]]
    )
    assert np.allclose(
        long["negative"], [*table["conservative_belief"], *table["negative_communion"]]
    )


def test_a_cube_has_whole_identities_in_the_order_asked_for():
    own = faces().sample(frac=1, random_state=0)
    short = own[~((own["identity"] == 3) & (own["group"] == GROUPS[1]) & (own["level"] == 30))]
    values = clusters.cube(short, GROUPS[::-1])
    assert values.shape == (7, 6, 4, 6)
    at = own.set_index(["identity", "group", "level"])
    for i, g, a, k in itertools.product(range(7), range(6), range(4), range(6)):
        assert (
            values[i, g, a, k]
            == at.loc[([0, 1, 2, 4, 5, 6, 7][i], GROUPS[::-1][g], AGES[a]), POLES[k]]
        )


# --- what a figure shows


def test_sigmas_are_those_of_the_ellipses_that_are_drawn():
    figure = ellipses(clusters.markers(faces()))
    assert np.allclose(clusters.sigmas(figure), 2.0)
    first, *others = (one for one in figure.axes[0].patches if isinstance(one, Ellipse))
    for patch in (first, *others):
        patch.set(width=0.65 * patch.width, height=0.65 * patch.height)
    assert np.allclose(clusters.sigmas(figure), 1.3)
    first.set_width(first.width * 2)
    assert clusters.sigmas(figure)[0] > 1.5


def test_a_figure_shows_differences_or_something_else():
    seen, pairs = perception(series()), [CAUSALFACE.poles["belief"], CAUSALFACE.poles["communion"]]
    table, cosines = seen.table, pd.DataFrame(seen.cosines)
    named, neutral = seen.words["dimension"].to_numpy(), seen.words["neutral"].to_numpy()
    for pole in POLES:  # the differences, taken anew
        own = cosines.loc[:, named == pole].mean(axis=1) - cosines.loc[:, neutral].mean(axis=1)
        table = table.assign(**{pole: 100 * own})
    used = table[table["subset"] != "smiling"]
    wanted = used.groupby(["race", "gender", "age"])[POLES].mean()
    plain, relative = (
        ellipses(clusters.markers(clusters.faces(seen, relative=by)), ("belief", "communion"))
        for by in (False, True)
    )
    assert clusters.shows(plain, wanted, pairs)
    assert not clusters.shows(relative, wanted, pairs)
    assert not clusters.shows(plain, wanted.iloc[1:], pairs)
    assert not clusters.shows(plain, wanted, [pairs[0][::-1], pairs[1]])
    assert not clusters.shows(plain, wanted, [pairs[0], CAUSALFACE.poles["agency"]])


def test_a_radius_is_that_of_a_circle_with_as_large_an_ellipse():
    points = np.random.default_rng(2).normal(size=(50, 2)) * [2.0, 0.5]
    a, b = np.sqrt(np.linalg.eigvalsh(np.cov(points.T)))
    assert clusters.radius(points) == pytest.approx(np.sqrt(a * b))


# --- how separate


def circles(*centres, radius=1.0):
    """Markers on circles whose 2σ ellipse has the given radius (ddof 1)."""
    angle = np.arange(8) * np.pi / 4
    size = radius / 2 / np.sqrt(np.cos(angle).var(ddof=1))
    parts = [
        pd.DataFrame(
            {
                "group": str(k),
                "level": np.arange(8),
                "plus": x + size * np.cos(angle),
                "minus": y + size * np.sin(angle),
            }
        )
        for k, (x, y) in enumerate(centres)
    ]
    return pd.concat(parts, ignore_index=True)


def test_overlap_counts_pairs_of_ellipses_that_touch():
    pair = ("plus", "minus")
    assert clusters.overlap(circles((0, 0), (1.9, 0), (5, 0)), pair) == pytest.approx(1 / 3)
    assert clusters.overlap(circles((0, 0), (2.1, 0), (5, 0)), pair) == 0
    assert clusters.overlap(circles((0, 0), (0.1, 0), (0.2, 0.1)), pair) == 1


def test_silhouettes_agree_with_a_loop():
    table = clusters.markers(faces(spread=0.4))
    points, group = table[list(clusters.AGENCY)].to_numpy(), table["group"].to_numpy()
    slow = []
    for k, point in enumerate(points):
        away = np.linalg.norm(points - point, axis=1)
        own = away[(group == group[k]) & (np.arange(len(points)) != k)].mean()
        other = min(away[group == name].mean() for name in set(group) - {group[k]})
        slow.append((other - own) / max(other, own))
    assert clusters.silhouette(table) == pytest.approx(np.mean(slow))


def test_age_order_is_tau_along_the_long_axis():
    table = clusters.markers(faces(noise=0.5, ages=tuple(range(20, 70, 5))))
    found = clusters.age_order(table)
    for group, own in table.groupby("group"):
        points = own[list(clusters.AGENCY)].to_numpy()
        along = (points - points.mean(axis=0)) @ np.linalg.svd(points - points.mean(axis=0))[2][0]
        pairs = list(itertools.combinations(range(len(own)), 2))
        level = own["level"].to_numpy()
        agree = sum(np.sign((along[i] - along[j]) * (level[i] - level[j])) for i, j in pairs)
        assert found[group] == pytest.approx(abs(agree) / len(pairs))


# --- claims


def test_impact_tests_each_attribute_on_the_same_faces():
    own = faces(seeds=9, noise=2.0)
    table = clusters.impact(own).set_index(["attribute", "pole"])
    pole = POLES[3]

    def by(column, names):
        return [
            [own[(own[column] == name) & (own["identity"] == k)][pole].mean() for k in range(9)]
            for name in names
        ]

    by_race, by_gender = by("race", sorted(RACES)), by("gender", GENDERS)
    assert table.loc[("race", pole), "p"] == pytest.approx(stats.friedmanchisquare(*by_race).pvalue)
    assert table.loc[("gender", pole), "p"] == pytest.approx(stats.wilcoxon(*by_gender).pvalue)
    assert len(table) == 18
    assert np.allclose(table["p_holm"], slow.holm(table["p"]))


def clear(spread=4.0, noise=0.1):
    """Faces of groups far apart that move in order with age."""
    return faces(noise=noise, spread=spread, ages=(20.0, 25.0, 30.0, 35.0, 40.0, 45.0), seeds=12)


def test_every_claim_holds_where_it_should_and_fails_where_it_should_not():
    blurred = {"FairFace": clear(spread=0.1, noise=2.0), "UTKFace": clear(spread=0.1, noise=2.5)}
    held = clusters.claims({"CausalFace": clear(), **blurred})
    assert held.pop("ages") == 6
    assert held.pop("groups") == 6
    assert all(value is True for value in held.values()), held
    mixed = clear()
    mixed[POLES] = np.random.default_rng(0).normal(size=(len(mixed), 6))
    failed = clusters.claims({"CausalFace": mixed, "FairFace": clear(), "UTKFace": clear()})
    assert not [name for name, value in failed.items() if value is True]
    assert set(failed) == set(held) | {"ages", "groups"}


HOLDS = {
    "overlap": (0.4, 0.6, 0.7),
    "silhouette": (0.5, 0.4, 0.3),
    "age_order": (0.95, 0.5, 0.6),
    "radius": (1.0, 2.0, 3.0),
}


@pytest.mark.parametrize(
    "measure, values, fail",
    [
        ("overlap", (0.5, 0.6, 0.7), {"separated"}),
        ("overlap", (0.4, 0.5, 0.7), set()),
        ("overlap", (0.4, 0.45, 0.7), {"no-longer"}),
        ("overlap", (0.4, 0.6, 0.39), {"no-longer", "caption", "larger-ellipses"}),
        ("silhouette", (0.5, 0.4, 0.51), {"less-clear", "title"}),
        ("age_order", (0.89, 0.5, 0.6), {"age-order"}),
        ("age_order", (0.95, 0.96, 0.6), {"order-less-evident"}),
        ("radius", (1.0, 2.0, 0.9), {"larger-ellipses"}),
    ],
)
def test_claims_turn_at_their_bounds(monkeypatch, measure, values, fail):
    sets = {
        name: faces(seeds=3, ages=AGES[:ages])
        for name, ages in zip(clusters.SETS, (4, 3, 2), strict=True)
    }
    # a set is known by the number of its markers, in all or of one group
    which = {24: 0, 18: 1, 12: 2, 4: 0, 3: 1, 2: 2}
    for name, own in (HOLDS | {measure: values}).items():

        def found(one, pair=None, own=own, name=name):
            value = own[which[len(one)]]
            return pd.Series([value]) if name == "age_order" else value

        monkeypatch.setattr(clusters, name, found)
    held = clusters.claims(sets)
    assert {claim for claim, value in held.items() if value is False} - {"systematic"} == fail


@pytest.mark.parametrize("poles, holds", [(3, True), (2, False)])
def test_systematic_is_half_of_the_poles_for_each_attribute(monkeypatch, poles, holds):
    rows = [
        {
            "attribute": attribute,
            "p_holm": 0.01 if k < (6 if attribute != "age" else poles) else 0.05,
        }
        for attribute in ("race", "gender", "age")
        for k in range(6)
    ]
    monkeypatch.setattr(clusters, "impact", lambda own: pd.DataFrame(rows))
    assert clusters.claims(dict.fromkeys(clusters.SETS, faces(seeds=3)))["systematic"] is holds


def test_a_claim_is_about_the_sets_that_it_names():
    assert clusters.about("separated") == ("CausalFace",) == clusters.about("sigma-s2")
    assert clusters.about("no-longer") == ("FairFace", "UTKFace")
    assert clusters.about("title") == clusters.SETS == clusters.about("sigma")
