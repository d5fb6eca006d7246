"""Stress: deals in proportion, quick fits against full ones, worlds in which one thing alone
depends on performance."""

from fractions import Fraction
from math import erf

import numpy as np
import pandas as pd
import pytest

import vlmbias as vb
from studies.pretraining import stress, upstream
from vlmbias.inference import clustered, mixed_models

COUNTS = {"alone": 1, "many": 11, "some": 4, "two": 2}
CELLS = [
    (category, order)
    for category in ("race", "age", "gender")
    for order in ("all-text", "image-target")
]


def made_up(n_models=24, *, between=0.5, seed=0):
    """A study table in which models differ and families do nothing."""
    rng, rows = np.random.default_rng(seed), []
    for k in range(n_models):
        own, about = (
            between * rng.normal(),
            {
                "model": f"m{k:02d}",
                "architecture": "abc"[k % 3],
                "dataset": "x",
                "parameters": 1.0 + k % 4,
                "dataset_size": 10.0 + k % 5,
                "performance": float(rng.uniform(0.4, 0.8)),
            },
        )
        for number, (category, order) in enumerate(CELLS):
            for targets in ("one", "two"):
                gap, within = own + 0.2 * number + 0.3 * rng.normal(), float(rng.uniform(0.5, 1.5))
                d = stress.from_parts(np.array(gap), np.array(within), np.array(8), np.array(6))
                rows.append(
                    {
                        "test": f"{category}/{order}/{targets}",
                        "category": category,
                        "order": order,
                        "targets": targets,
                        "n_x": 8,
                        "n_y": 6,
                        "effect_size": float(d),
                        "gap": gap,
                        "within": within,
                        **about,
                    }
                )
    return pd.DataFrame(rows)


@pytest.fixture(scope="module")
def null():
    return upstream.prepared(made_up())


@pytest.fixture(scope="module")
def weights(null):
    X = upstream.design(null, factors=["architecture"])
    fits = {
        name: mixed_models.crossed(
            null,
            X,
            outcome="effect_size",
            random={"group": upstream.NUMBERS, **dict.fromkeys(more, ())},
        )
        for name, more in (("published", []), ("model", ["model"]))
    }
    return {name: stress.weighed(null, fit) for name, fit in fits.items()}


@pytest.mark.parametrize(
    ("n", "expected"),
    [(18, [1, 11, 4, 2]), (36, [2, 22, 8, 4]), (4, [1, 1, 1, 1]), (9, [1, 5, 2, 1])],
)
def test_deals_keep_proportions_and_leave_no_family_empty(n, expected):
    assert stress.sizes([1, 11, 4, 2], n) == expected
    families = stress.random_labels(
        [f"m{k}" for k in range(n)], COUNTS, rng=np.random.default_rng(3)
    )
    assert list(families) == [f"m{k}" for k in range(n)]
    assert [list(families.values()).count(name) for name in COUNTS] == expected


@pytest.mark.parametrize("n", [10, 37, 58, 60, 131])
def test_remainders_go_to_the_largest_among_families_that_were_not_lifted(n):
    counts = [1, 58, 20, 13, 11, 11, 7, 4, 4, 2]
    share = [Fraction(one * n, 131) for one in counts]
    expected = [max(1, int(one)) for one in share]
    rest = sorted(
        (k for k in range(10) if share[k] >= 1), key=lambda k: (-(share[k] - int(share[k])), k)
    )
    for k in rest[: max(0, n - sum(expected))]:
        expected[k] += 1
    while sum(expected) > n:
        expected[expected.index(max(expected))] -= 1
    assert stress.sizes(counts, n) == expected and sum(expected) == n


def test_a_family_that_was_lifted_to_one_model_takes_no_remainder():
    assert stress.sizes([1, 58, 20, 13, 11, 11, 7, 4, 4, 2], 60) == [1, 26, 9, 6, 5, 5, 3, 2, 2, 1]


def test_more_families_than_models_are_refused():
    with pytest.raises(ValueError, match="3 models cannot be shared among 4 families"):
        stress.sizes([1, 11, 4, 2], 3)


def test_a_deal_gives_every_model_every_family_equally_often():
    rng = np.random.default_rng(0)
    first = [
        stress.random_labels(["a", "b", "c", "d"], {"x": 3, "y": 1}, rng=rng)["a"]
        for _ in range(2000)
    ]
    assert first.count("y") / 2000 == pytest.approx(0.25, abs=0.04)


def test_a_family_that_is_an_architecture_is_dealt_again():
    rows = pd.DataFrame(
        {"Intercept": 1.0, "architecture[odd]": [0.0] * 5 + [1.0]},
        index=[f"m{k}" for k in range(6)],
    )
    for seed in range(30):
        families, design = stress.assign_families(
            rows, {"base": 5, "lone": 1}, "base", rng=np.random.default_rng(seed)
        )
        assert families["m5"] == "base" and list(families.values()).count("lone") == 1
        assert design["dataset[lone]"].tolist() == [
            float(one == "lone") for one in families.values()
        ]


@pytest.mark.parametrize("rule", ["published", "model"])
def test_quick_fits_are_generalised_least_squares_with_the_whole_matrix(null, weights, rule):
    small = null[null["model"] < "m10"].reset_index(drop=True)
    X = upstream.design(small, factors=["architecture"])
    more = ["model"] if rule == "model" else []
    fit = mixed_models.crossed(
        small,
        X,
        outcome="effect_size",
        random={"group": upstream.NUMBERS, **dict.fromkeys(more, ())},
    )
    known = stress.weighed(small, fit)
    families = stress.random_labels(known.models, COUNTS, rng=np.random.default_rng(1))
    design = stress.with_families(known.rows, families, "alone")
    V = np.eye(len(small)) * fit.scale
    for i, j in np.ndindex(V.shape):
        for grouping, own in fit.random_covariance.items():
            if small[grouping].iloc[i] == small[grouping].iloc[j]:
                one, other = (X[list(own.columns)].iloc[k].to_numpy() for k in (i, j))
                V[i, j] += one @ own.to_numpy() @ other
    whole = design.loc[small["model"]].to_numpy()
    inverse = np.linalg.inv(V)
    covariance = np.linalg.inv(whole.T @ inverse @ whole)
    coef = covariance @ whole.T @ inverse @ small["effect_size"].to_numpy()
    found = stress.generalised(known, design)
    np.testing.assert_allclose(found["coef"], coef, atol=1e-8)
    np.testing.assert_allclose(found["se"], np.sqrt(np.diag(covariance)), rtol=1e-6)
    two_sided = [1 - erf(abs(one) / np.sqrt(2)) for one in coef / found["se"]]
    np.testing.assert_allclose(found["p"], two_sided, atol=1e-9)
    assert list(design.columns[-3:]) == ["dataset[many]", "dataset[some]", "dataset[two]"]


def test_models_with_other_tests_are_refused(null, weights):
    own = null.drop(index=3).reset_index(drop=True)
    fit = mixed_models.crossed(
        own,
        upstream.design(own, factors=["architecture"]),
        outcome="effect_size",
        random={"group": upstream.NUMBERS},
    )
    with pytest.raises(ValueError, match="models have 11 to 12 rows; all must have the same tests"):
        stress.weighed(own, fit)


def test_the_sandwich_is_that_of_all_rows(null, weights):
    known = weights["published"]
    families = stress.random_labels(known.models, COUNTS, rng=np.random.default_rng(1))
    found = stress.sandwich(known, stress.with_families(known.rows, families, "alone"))
    own = null.assign(dataset=null["model"].map(families))
    expected = clustered.least_squares(
        own["effect_size"], upstream.design(own, {"dataset": "alone"}), clusters=own["model"]
    )
    for name in ("coef", "se", "p"):
        np.testing.assert_allclose(
            found[name], expected.loc[found.index, name], rtol=1e-6, atol=1e-9
        )


def test_quick_fits_agree_with_reml_where_families_do_nothing(null, weights):
    both = stress.agreement(null, weights["published"], COUNTS, assignments=2, seed=4)
    assert set(both["assignment"]) == {0, 1} and len(both) == 6
    assert np.corrcoef(both["z"], both["z_quick"])[0, 1] > 0.99
    assert (both["z"] - both["z_quick"]).abs().max() < 0.25 * both["z"].abs().max()


def test_rows_as_cases_raise_false_alarms_and_models_as_cases_do_not(weights):
    table = stress.random_assignments(weights, COUNTS, n_assignments=150, seed=0)
    assert set(table["rule"]) == set(stress.RULES) and len(table) == 150 * 4 * 3
    found = stress.false_positive_rates(table)
    assert found.loc["published", "rate"] > 0.3 and found.loc["one-row", "rate"] < 0.1
    assert found.loc["model", "rate"] < 0.15 and (found["n"] == 150).all()
    own = table[table["rule"] == "one-row"]
    slow = np.mean([(deal["p"] < 0.01).any() for _, deal in own.groupby("assignment")])
    assert found.loc["one-row", "rate"] == pytest.approx(slow)
    largest = sorted(max(abs(deal["z"])) for _, deal in own.groupby("assignment"))
    assert found.loc["one-row", "needed"] == pytest.approx(
        largest[147] + 0.51 * (largest[148] - largest[147])
    )
    published = table[table["rule"] == "published"].groupby("assignment")
    positive = [((deal["p"] < 0.01) & (deal["coef"] > 0)).any() for _, deal in published]
    assert found.loc["published", "positive"] == pytest.approx(np.mean(positive))
    several = [((deal["p"] < 0.01) & (deal["models"] >= 2)).any() for _, deal in published]
    assert found.loc["published", "several"] == pytest.approx(np.mean(several))
    assert (found["positive"] <= found["rate"]).all() and (found["each"] <= found["rate"]).all()
    assert set(table.loc[table["term"] == "dataset[two]", "models"]) == {3}  # 2 of 18, among 24


def test_families_of_one_model_can_be_left_out_of_a_rate():
    rows = [
        (0, 1, 0.001),
        (0, 4, 0.5),
        (1, 1, 0.5),
        (1, 4, 0.002),
        (2, 1, 0.5),
        (2, 4, 0.5),
        (3, 1, 0.001),
        (3, 4, 0.9),
    ]
    table = pd.DataFrame(rows, columns=["assignment", "models", "p"]).assign(
        rule="published", coef=1.0, z=3.0
    )
    found = stress.false_positive_rates(table).loc["published"]
    assert found["rate"] == 0.75 and found["several"] == 0.25


def test_everything_can_be_dealt_out(weights):
    rows = weights["published"].rows
    _, design = stress.assign_families(
        rows, COUNTS, "alone", rng=np.random.default_rng(0), everything=True
    )
    own = design[rows.columns]
    assert sorted(map(tuple, own.to_numpy())) == sorted(
        map(tuple, rows.to_numpy())
    ) and not own.equals(rows)
    table = stress.random_assignments(weights, COUNTS, n_assignments=20, seed=0, everything=True)
    terms = {*design.columns} - {"Intercept"}
    assert set(table["term"]) == terms and len(table) == 20 * 4 * len(terms)
    assert table.loc[table["term"].str.startswith("dataset"), "models"].notna().all()


def test_an_interval_of_a_rate_holds_it():
    found = stress.rate(np.array([True] * 3 + [False] * 17))
    assert found["rate"] == 0.15 and found["n"] == 20
    assert found["low"] == pytest.approx(0.0321, abs=1e-3) and found["high"] == pytest.approx(
        0.3789, abs=1e-3
    )


def test_coefficients_that_are_found_are_counted_by_p_or_by_interval():
    table = pd.DataFrame(
        {
            "method": ["a"] * 3 + ["b"] * 3,
            "term": ["Intercept", "dataset[x]", "dataset[y]"] * 2,
            "p": [0.0, 0.009, 0.02, np.nan, np.nan, np.nan],
            "low": [1, -1, -1, 1, 0.1, -1],
            "high": [2, 1, 1, 2, 0.2, 1],
        }
    )
    found = stress.significant(table)
    assert found["found"].to_dict() == {"a": 1, "b": 1} and found["of"].to_dict() == {
        "a": 2,
        "b": 2,
    }


def test_another_seed_of_the_reference_moves_every_coefficient_alike():
    planted = made_up(20, between=0.0)
    planted["dataset"] = [
        "alone" if name == "m00" else ("many", "some")[int(name[1:]) % 2]
        for name in planted["model"]
    ]
    other = planted[planted["model"] == "m00"].assign(model="spare")
    other["effect_size"] = other["effect_size"] - 1.0
    found = stress.references(planted, other).set_index("model")
    assert found.index.tolist() == ["m00", "spare"] and (found["of"] == 2).all()
    assert found.loc["spare", "median"] - found.loc["m00", "median"] == pytest.approx(1.0, abs=0.02)
    assert found.loc["m00", "mean"] - found.loc["spare", "mean"] == pytest.approx(1.0)
    assert found.loc["spare", "rows"] == 2


def test_what_is_recovered_is_a_difference_to_the_base_family():
    models = pd.DataFrame(
        {
            "dataset": ["base"] * 3 + ["odd"] * 2 + ["one"],
            "pleasant_race": [1.0, 2, 3, 5, 6, 0],
            "pleasant_gender": 0.0,
            "pleasant_age": [0.0, 0, 0, 1, 1, 0],
        }
    )
    truth = pd.DataFrame(
        [
            {"dataset": name, "category": category, "counted": value}
            for name, values in (
                ("base", (1.0, 0.0, 0.0)),
                ("odd", (4.0, 0.0, 2.0)),
                ("one", (0, 0, 0)),
            )
            for category, value in zip(("race", "gender", "age"), values, strict=True)
        ]
    )
    found = stress.recovered(models, truth, "base", n_resamples=500, seed=0).set_index(
        ["dataset", "category"]
    )
    row = found.loc[("odd", "race")]
    assert (row["shown"], row["planted"], row["models"]) == (3.5, 3.0, 2) and 2 < row[
        "low"
    ] < 3.5 < row["high"] < 5
    assert np.isnan(found.loc[("one", "race"), "low"]) and found.loc[("one", "race"), "shown"] == -2
    assert found.loc[("odd", "age"), "planted"] == 2


def planted_and_shown(noise=0.2):
    """Networks that show twice what was planted; of the family "odd", four times."""
    rng, rows, truth = np.random.default_rng(5), [], []
    sizes = {"base": 8, "less": 5, "more": 6, "much": 4, "odd": 7, "pair": 2}
    for name, n in sizes.items():
        planted = rng.normal(size=3) * (name != "base")
        truth += [
            {"dataset": name, "category": category, "counted": 1 + value}
            for category, value in zip(("race", "gender", "age"), planted, strict=True)
        ]
        shown = (4 if name == "odd" else 2) * planted + noise * rng.normal(size=(n, 3))
        rows += [
            {"dataset": name, "pleasant_race": a, "pleasant_gender": b, "pleasant_age": c}
            for a, b, c in shown
        ]
    return pd.DataFrame(rows), pd.DataFrame(truth)


def test_the_line_of_shown_on_planted_is_that_of_least_squares():
    models, truth = planted_and_shown()
    found = stress.line(models, truth, "base", n_resamples=200, seed=0)
    points = stress.recovered(models, truth, "base", n_resamples=20, seed=0).query("models > 2")
    assert found["points"] == len(points) == 12 and found["families"] == 4
    assert found["slope"] == pytest.approx(np.polyfit(points["planted"], points["shown"], 1)[0])
    assert found["r"] == pytest.approx(np.corrcoef(points["planted"], points["shown"])[0, 1])
    assert (
        found["slope_low"] < found["slope"] < found["slope_high"]
        and found["r_low"] < found["r"] < found["r_high"]
    )


def test_one_family_that_shows_more_is_what_moves_the_slope():
    models, truth = planted_and_shown()
    every = stress.line(models, truth, "base", n_resamples=100, seed=0)
    without = stress.line(models, truth, "base", without=["odd"], n_resamples=100, seed=0)
    assert (
        without["families"] == 3
        and without["slope_low"] < 2 < without["slope_high"] < every["slope"]
    )


def test_resampling_networks_gives_the_standard_error_of_their_means():
    models, truth = planted_and_shown(noise=1.0)
    found = stress.line(models, truth, "base", n_resamples=4000, seed=0)
    x = (
        stress.recovered(models, truth, "base", n_resamples=20, seed=0)
        .query("models > 2")["planted"]
        .to_numpy()
    )
    w = ((x - x.mean()) / ((x - x.mean()) ** 2).sum()).reshape(
        -1, 3
    )  # weights of the shown gaps in the slope
    names = ["less", "more", "much", "odd"]
    weights = {**dict(zip(names, w, strict=True)), "base": -w.sum(axis=0)}
    columns = ["pleasant_race", "pleasant_gender", "pleasant_age"]
    variance = sum(
        (models.loc[models["dataset"] == name, columns].to_numpy() @ own).var()
        / (models["dataset"] == name).sum()
        for name, own in weights.items()
    )
    assert found["slope_high"] - found["slope_low"] == pytest.approx(
        3.92 * np.sqrt(variance), rel=0.08
    )


def test_gap_and_d_are_compared_over_the_same_families():
    table = made_up(24, between=0.3)
    labels = ("base", "one", "two", "three", "four", "five")
    table["dataset"] = [labels[int(name[1:]) // 4] for name in table["model"]]
    planted = pd.Series(
        {"base": 0.0, "one": 1.0, "two": -1.0, "three": 0.5, "four": 2.0, "five": 3.0}
    )
    table["gap"] = table["gap"] + table["dataset"].map(planted)
    own = upstream.prepared(table)
    found = stress.outcomes(own, planted, "base", without=["five"])
    assert (
        found["families"].eq(4).all()
        and (found["low"] < found["r"]).all()
        and (found["r"] < found["high"]).all()
    )
    names = ["one", "two", "three", "four"]
    for outcome in found.index:
        means = own.groupby("model")[outcome].mean().to_numpy()
        X = upstream.design(own, {"dataset": "base"}).groupby(own["model"]).first()
        coef = dict(
            zip(X.columns, np.linalg.lstsq(X.to_numpy(), means, rcond=None)[0], strict=True)
        )
        r = np.corrcoef([coef[f"dataset[{name}]"] for name in names], planted[names])[0, 1]
        assert found.loc[outcome, "r"] == pytest.approx(r)
        assert np.arctanh(found.loc[outcome, "high"]) - np.arctanh(r) == pytest.approx(
            1.959964 / np.sqrt(1), rel=1e-6
        )
    assert found.loc["gap", "r"] > 0.95


def test_d_follows_from_gap_and_spread():
    rng = np.random.default_rng(0)
    x, y = rng.normal(0.4, 1, 9), rng.normal(0, 2, 5)
    within = np.sqrt((((x - x.mean()) ** 2).sum() + ((y - y.mean()) ** 2).sum()) / 12)
    d = stress.from_parts(x.mean() - y.mean(), within, np.array(9), np.array(5))
    assert d == pytest.approx(vb.measures.effect_size(x, y, ddof=1))


def test_a_sandwich_without_residuals_is_no_square_root_of_a_negative_number():
    """A reference family of one model has no residual: its variance is zero, and rounding must not
    make it negative."""
    rng, n = np.random.default_rng(0), 12
    models = [f"m{i:02}" for i in range(n)]
    families = dict.fromkeys(models, "many") | {"m00": "alone"}
    for _ in range(500):
        rows = pd.DataFrame(
            {"Intercept": 1.0, "size": np.arange(n) % 3 * rng.normal()}, index=models
        )
        known = stress.Weighed(tuple(models), rows, np.eye(n), np.zeros(n), rng.normal(size=n), 10)
        with np.errstate(invalid="raise"):
            found = stress.sandwich(known, stress.with_families(rows, families, "alone"))
        assert (found["se"] >= 0).all() and found.loc["Intercept", "se"] < 1e-6
