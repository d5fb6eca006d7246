"""Correlations with performance against slow versions, on made-up models in which everything
differs."""

import itertools

import numpy as np
import pandas as pd
import pytest
import statsmodels.api as sm
from scipy import stats

import vlmbias as vb
from studies.pretraining import downstream as study


def made_up(seed=0, models=14):
    """Two cells, one of three tests and one of one, of models in four families."""
    rng = np.random.default_rng(seed)
    rows = []
    for n in range(models):
        about = {
            "model": f"m{n}",
            "architecture": "ABC"[n % 3],
            "dataset": "wxyz"[n * (n + 1) // 2 % 4],
            "parameters": 50.0 + 7 * n**2,
            "dataset_size": 900 / (n + 1),
            "performance": rng.uniform(0.2, 0.7),
        }
        for category, order, tests in (("race", "all-text", 3), ("age", "all-image", 1)):
            for test in range(tests):
                size = rng.normal() + 2 * about["performance"] * (category == "race") - 0.4
                rows.append(
                    about
                    | {
                        "category": category,
                        "order": order,
                        "test": f"{category}/{test}",
                        "effect_size": size,
                        "gap": size / 10,
                    }
                )
    return pd.DataFrame(rows)


def residuals(y, x, w):
    root = np.sqrt(w)
    return y - x @ np.linalg.lstsq(x * root[:, None], y * root, rcond=None)[0]


def slow_r(y, p, given, w):
    """Repeat each model as often as it counts; then residuals, then r."""
    times = np.repeat(np.arange(len(y)), w.astype(int))
    x = np.column_stack([np.ones(len(times)), given[times]])
    one, other = (residuals(v[times], x, np.ones(len(times))) for v in (y, p))
    return np.corrcoef(one, other)[0, 1]


# --- the printed correlations ---------------------------------------------------------------------


def test_printed_correlations_are_read_with_their_n_and_asterisk():
    claims = pd.DataFrame(
        [
            ("downstream.race.all-text.r", "−.07", 393),
            ("downstream.race.all-text.p", "≥ .05", 393),
            ("downstream.age.all-image.p", "< .05", 131),
            ("downstream.age.all-image.r", "−.18", 131),
            ("downstream.text.age.all-image", "0.5", 131),
            ("effect_sizes.models", "131", None),
        ],
        columns=["id", "value", "n"],
    )
    found = study.printed(claims)
    assert found.loc[("race", "all-text")].tolist() == pytest.approx(
        [-0.07, -0.075, -0.065, 393, False]
    )
    assert found.loc[("age", "all-image")].tolist() == pytest.approx(
        [-0.18, -0.185, -0.175, 131, True]
    )
    everything = study.printed(vb.ledger.load("pretraining"))
    assert (
        len(everything) == 20
        and everything["starred"].sum() == 15
        and everything["n"].sum() == 3406
    )


def test_each_asterisk_is_what_rows_as_cases_give():
    for row in study.printed(vb.ledger.load("pretraining")).itertuples():
        p = [
            2 * stats.t.sf(abs(r) * np.sqrt((row.n - 2) / (1 - r**2)), row.n - 2)
            for r in (row.low, row.high)
        ]
        assert (max(p) < 0.05) if row.starred else (min(p) >= 0.05)


# --- rows and models ------------------------------------------------------------------------------


def test_over_rows_every_row_is_a_case():
    table = made_up()
    found = study.over_rows(table)
    own = table[table["category"] == "race"]
    r, p = stats.pearsonr(own["effect_size"], own["performance"])
    assert found.loc[("race", "all-text")].tolist() == pytest.approx(
        [r, p, 42, np.corrcoef(np.abs(own["effect_size"]), own["performance"])[0, 1]]
    )
    assert found.loc[("age", "all-image"), "n"] == 14
    gone = table.assign(performance=table["performance"].where(table["model"] != "m3"))
    assert study.over_rows(gone)["n"].tolist() == [39, 13]


def test_by_model_averages_the_tests_of_a_cell():
    table = made_up().sample(frac=1, random_state=1)
    about, values = study.by_model(table)
    for model in ("m0", "m5"):
        own = table[(table["model"] == model) & (table["category"] == "race")]
        assert values.loc[model, ("race", "all-text")] == pytest.approx(
            own["effect_size"].sum() / 3
        )
        assert about.loc[model, "log_params"] == pytest.approx(np.log(own["parameters"].iloc[0]))
        assert about.loc[model, "log_dataset_size"] == pytest.approx(
            np.log(own["dataset_size"].iloc[0])
        )
    assert list(about.index) == list(values.index) and len(about) == 14
    _, gaps = study.by_model(table, "gap")
    assert np.allclose(gaps * 10, values)


@pytest.mark.parametrize("held", [0, 1, 2])
def test_correlations_under_weights_are_those_of_repeated_models(held):
    rng = np.random.default_rng(held)
    values, p, given = (
        rng.normal(size=(12, 3)) * [1, 9, 0.1] + 4,
        rng.normal(size=12) + 7,
        rng.normal(size=(12, held)),
    )
    values[:, 0] += p + given.sum(axis=1)
    weights = rng.integers(0, 3, size=(5, 12))
    weights[0] = 1
    found = study.r_given(values, p, given, weights)
    for (n, w), column in itertools.product(enumerate(weights), range(3)):
        assert found[n, column] == pytest.approx(slow_r(values[:, column], p, given, w), abs=1e-9)


def test_where_nothing_varies_there_is_no_correlation():
    weights = np.zeros((1, 6))
    weights[0, 2] = 4
    rng = np.random.default_rng(0)
    assert np.isnan(
        study.r_given(rng.normal(size=(6, 2)), rng.normal(size=6), np.empty((6, 0)), weights)
    ).all()


def test_over_models_with_and_without_what_is_held():
    table = made_up(2)
    about, values = study.by_model(table)
    plain = study.over_models(table, n_resamples=50)
    for cell in values:
        r, p = stats.pearsonr(values[cell], about["performance"])
        assert plain.loc[cell, ["r", "p", "n"]].tolist() == pytest.approx([r, p, 14])
        assert plain.loc[cell, "low"] < r < plain.loc[cell, "high"]
    assert plain["p_holm"].max() == pytest.approx(max(2 * plain["p"].min(), plain["p"].max()))
    held = study.over_models(table, given=["log_params", "architecture"], n_resamples=50)
    kinds = [about["architecture"] == one for one in "BC"]
    given = np.column_stack([about["log_params"], *kinds]).astype(float)
    for cell in values:
        r = slow_r(values[cell].to_numpy(), about["performance"].to_numpy(), given, np.ones(14))
        t = r * np.sqrt((14 - 2 - 3) / (1 - r**2))
        assert held.loc[cell, ["r", "p"]].tolist() == pytest.approx([r, 2 * stats.t.sf(abs(t), 9)])
    same = study.over_models(table, n_resamples=50)
    assert plain.equals(same) and not plain.equals(study.over_models(table, n_resamples=50, seed=1))


def test_the_bootstrap_draws_families_and_keeps_their_models_together():
    names = list("aabbbc")
    weights = study.families(names, n_resamples=200, seed=3)
    assert weights.shape == (200, 6) and (weights[:, 2:5].std(axis=1) == 0).all()
    assert (weights[:, 0] == weights[:, 1]).all()
    per_family = weights[:, [0, 2, 5]]
    assert (per_family.sum(axis=1) == 3).all() and per_family.std() > 0.5


def test_what_survives_is_counted_step_by_step():
    cells = list("abcd")
    rows = pd.DataFrame({"r": [0.4, -0.3, 0.2, 0.1], "p": [0.01, 0.04, 0.04, 0.3]}, cells)
    models = pd.DataFrame(
        {
            "r": [0.4, -0.3, 0.2, 0.1],
            "p": [0.01, 0.04, 0.06, 0.3],
            "p_holm": [0.04, 0.12, 0.2, 0.3],
            "low": [0.1, -0.4, -0.1, 0.05],
            "high": [0.6, -0.1, 0.5, 0.2],
        },
        cells,
    )
    held = models.assign(
        r=-models["r"], p_holm=[0.2, 0.01, 0.5, 0.5], low=-0.1, high=[0.1, 0.1, -0.05, 0.1]
    )
    found = study.surviving(rows, models, held)
    assert found[["positive", "negative", "of"]].values.tolist() == [
        [2, 1, 4],
        [1, 1, 4],
        [1, 0, 4],
        [2, 1, 4],
        [1, 0, 4],
        [0, 1, 4],
    ]


# --- what predicts performance --------------------------------------------------------------------


def test_adjusted_r2_is_that_of_statsmodels_and_near_zero_for_noise():
    rng = np.random.default_rng(5)
    for n, df in ((20, 3), (109, 18)):
        x, y = sm.add_constant(rng.normal(size=(n, df))), rng.normal(size=n)
        fit = sm.OLS(y, x).fit()
        assert study.adjusted(fit.rsquared, n=n, df=df) == pytest.approx(
            fit.rsquared_adj, abs=1e-12
        )
    noise = [
        sm.OLS(rng.normal(size=30), sm.add_constant(rng.normal(size=(30, 10)))).fit().rsquared
        for _ in range(300)
    ]
    assert (
        np.mean(noise) > 0.3
        and abs(np.mean([study.adjusted(one, n=30, df=10) for one in noise])) < 0.05
    )


def test_explained_is_the_r2_of_regressions_with_and_without():
    rng = np.random.default_rng(5)
    table = pd.DataFrame({"size": rng.normal(size=40), "kind": rng.choice(list("abc"), 40)})
    table["performance"] = table["size"] + 2 * (table["kind"] == "b") + rng.normal(size=40)

    def r2(*columns):
        x = np.column_stack([np.ones(40), *columns])
        rest = residuals(table["performance"].to_numpy(), x, np.ones(40))
        return 1 - rest.var() / table["performance"].var(ddof=0)

    kinds = [(table["kind"] == one).to_numpy(float) for one in "bc"]
    size = table["size"].to_numpy()
    found = study.explained(table, {"size": ["size"], "kind": ["kind"]}, n_resamples=40).set_index(
        "factor"
    )
    whole = r2(size, *kinds)
    assert found["alone"].tolist() == pytest.approx([r2(size), r2(*kinds), whole])
    assert found["unique"].tolist() == pytest.approx([whole - r2(*kinds), whole - r2(size), whole])
    assert found["df"].tolist() == [1, 2, 3]
    assert (found["unique_low"] < found["unique"]).all() and (
        found["unique"] < found["unique_high"]
    ).all()
    assert "unique_low" not in study.explained(table, {"size": ["size"]})


def test_averages_as_described_and_as_released():
    tasks = {"mnist": [0.9], study.TWICE: [0.3], study.OMITTED: [0.0]}
    table = pd.DataFrame(
        {
            "model": ["m"],
            "architecture_name": ["a"],
            "parameters": [0.5],
            "dataset_size": [0.5],
            "samples": [0.5],
            "published": [0.4],
            **tasks,
        }
    )
    assert study.tasks(table) == list(tasks)
    found = study.averages(table)
    assert found[["published", "described", "released"]].values.tolist() == [
        pytest.approx([0.4, 0.4, 0.5])
    ]


def test_numbers_of_the_scaling_laws_are_those_of_their_logarithms_and_averages():
    rng, n = np.random.default_rng(6), 25
    tasks = pd.DataFrame(rng.uniform(size=(n, 3)), columns=["mnist", study.TWICE, study.OMITTED])
    about = {
        "model": [f"m{k}" for k in range(n)],
        "architecture_name": "a",
        "parameters": np.exp(rng.normal(5, 1, n)),
        "dataset_size": np.exp(rng.normal(6, 1, n)),
        "samples": np.exp(rng.normal(9, 1, n)),
    }
    described = tasks.mean(axis=1)
    laws = pd.DataFrame({**about, "published": described, **tasks})
    found = study.of_scaling_laws(laws, n_resamples=30, seed=3)
    own = found.set_index(["of", "quantity"])["value"]
    alone = stats.pearsonr(np.log(laws["parameters"]), described)[0] ** 2
    assert own["parameters", "alone"] == pytest.approx(alone)
    assert own["models", "number"] == n and own["tasks", "number"] == 3
    apart = (tasks["mnist"] + 2 * tasks[study.TWICE]) / 3 - described
    assert own["released average", "mean difference"] == pytest.approx(apart.mean())
    assert own["released average", "sd of the difference"] == pytest.approx(apart.std(ddof=1))
    assert own["described average", "largest difference"] == pytest.approx(0, abs=1e-12)
    columns = {"size": "dataset_size", "width": "parameters", "seen": "samples"}
    logs = laws.assign(**{name: np.log(laws[column]) for name, column in columns.items()})
    parts = study.explained(logs, study.SCALES, performance="published", n_resamples=30, seed=3)
    for quantity in ("alone", "unique", "df"):
        expected = parts.set_index("factor")[quantity].to_dict()
        assert own.xs(quantity, level="quantity").to_dict() == pytest.approx(expected)


# --- nothing to find ------------------------------------------------------------------------------


def test_independent_models_keep_the_level_and_rows_and_families_do_not():
    names = np.repeat(np.arange(10), 13)
    free = study.false_positive_rate(names, shared=0.0, n_tests=3, draws=600, seed=1)
    bound = study.false_positive_rate(names, shared=0.6, n_tests=3, draws=600, seed=1)
    assert 0.03 < free["models"] < 0.08 < free["rows"] < 0.3
    assert (
        bound["models"] > 0.25
        and bound["rows"] > bound["models"]
        and bound["families"] < bound["models"] / 2
    )
    assert (
        study.false_positive_rate(names, shared=0.0, n_tests=1, alike=1.0, draws=600, seed=1)[
            "rows"
        ]
        < 0.08
    )


def test_families_of_one_model_each_are_models():
    found = study.false_positive_rate(
        np.arange(60), shared=0.6, n_tests=1, alike=1.0, draws=400, seed=2
    )
    assert (
        found["rows"] == found["models"] < 0.09 and abs(found["families"] - found["models"]) < 0.05
    )


def test_weighted_columns_correlate_as_repeated_ones():
    rng = np.random.default_rng(3)
    one, other, weights = (
        rng.normal(size=(9, 4)),
        rng.normal(size=(9, 4)),
        rng.integers(0, 4, size=(6, 9)),
    )
    found = study._weighted_r(one, other, weights)
    for n, column in itertools.product(range(6), range(4)):
        assert found[n, column] == pytest.approx(
            slow_r(one[:, column], other[:, column], np.empty((9, 0)), weights[n])
        )


# --- claims ---------------------------------------------------------------------------------------


def cells_with(r, n=60):
    """A study table whose cells correlate exactly so with performance."""
    rng = np.random.default_rng(0)
    p = stats.zscore(rng.normal(size=n))
    rows = []
    for number, ((category, order), own) in enumerate(r.items()):
        e = np.random.default_rng(number + 1).normal(size=n)
        e = stats.zscore(e - e.mean() - p * (e @ p) / n)
        d = 3.0 + own * p + np.sqrt(1 - own**2) * e
        rows.append(
            pd.DataFrame({"category": category, "order": order, "effect_size": d, "performance": p})
        )
    return pd.concat(rows, ignore_index=True)


EVERY = list(
    itertools.product(["flower-insect", "instrument-weapon", "race", "gender", "age"], study.ORDERS)
)


def test_claims_follow_the_correlations():
    high = {cell: 0.6 + 0.01 * n for n, cell in enumerate(EVERY)}
    found = study.claims(cells_with(high))
    assert [found["often"], found["higher"], found["non-human"], found["negative"]] == [
        True,
        True,
        True,
        False,
    ]
    assert found["across-the-board"]
    assert found["text.race.all-image"] == pytest.approx(high["race", "all-image"])
    assert found["discussion.gender.all-text"] == pytest.approx(high["gender", "all-text"])
    wanted = np.mean([high["instrument-weapon", order] for order in study.ORDERS])
    assert found["aggregate.instrument-weapon"] == pytest.approx(wanted)
    assert found["race.text-target.r"] == pytest.approx(high["race", "text-target"])
    assert found["race.text-target.p"] < 1e-6
    low = {cell: 0.05 if cell[0] == "gender" else 0.5 for cell in EVERY}
    low |= {("gender", "all-text"): -0.5, ("gender", "image-target"): -0.1}
    found = study.claims(cells_with(low))
    assert [found["higher"], found["negative"], found["non-human"]] == [False, True, True]
    assert not found["insignificant"] and not found["across-the-board"], "all of Gender"
    unnamed = study.claims(cells_with({**low, ("age", "all-image"): -0.5}))
    assert not unnamed["negative"], "a third one has an asterisk, too"
    other = {**low, ("gender", "image-target"): 0.1, ("flower-insect", "all-text"): -0.1}
    found = study.claims(cells_with(other))
    assert [found["negative"], found["non-human"]] == [False, False]
    few = {cell: 0.28 if cell[0] != "race" else 0.1 for cell in EVERY}
    found = study.claims(cells_with(few))
    assert [found["often"], found["insignificant"]] == [False, True]


def test_magnitude_is_told_from_signed_values():
    own = cells_with(dict.fromkeys(EVERY, 0.5))
    assert study.claims(own.assign(effect_size=own["effect_size"] + 20))["magnitude"]
    assert not study.claims(own.assign(effect_size=own["effect_size"] - 3))["magnitude"]


def test_every_claim_of_the_chapter_that_a_table_decides_is_computed():
    own = {
        name.removeprefix("downstream.")
        for name, one in vb.ledger.load("pretraining").set_index("id").iterrows()
        if one["notebook"] == "pretraining/downstream" and one["data"] == "nrc-oasis"
    }
    assert set(study.claims(cells_with(dict.fromkeys(EVERY, 0.5)))) == own


def test_printed_correlations_with_models_as_cases_and_corrected():
    printed = pd.DataFrame(
        {"r": [0.5, -0.2, 0.01], "low": 0, "high": 0, "n": [131, 393, 131], "starred": True}
    )
    found = study.corrected(printed, models=50)
    for row, r in zip(found.itertuples(), printed["r"], strict=True):
        t = abs(r) * np.sqrt(48 / (1 - r**2))
        assert row.p == pytest.approx(2 * stats.t.sf(t, 48))
        half = 1.959964 / np.sqrt(47)
        ends = np.tanh(np.arctanh(r) - half), np.tanh(np.arctanh(r) + half)
        assert (row.low, row.high) == pytest.approx(ends, rel=1e-5)
    assert found["p_holm"].tolist() == pytest.approx(
        [3 * found["p"][0], 2 * found["p"][1], found["p"][2]]
    )


def test_a_common_cause_goes_when_it_is_held_and_a_direct_effect_stays():
    alone, both = (study.common_cause(through=0.7, direct=direct, seed=1) for direct in (0.0, 0.5))
    assert (
        alone["r"] == pytest.approx(0.7 * 0.7 / np.sqrt(1.49), abs=0.02)
        and abs(alone["held"]) < 0.02
    )
    own = 0.5 * np.sqrt(1 - 0.49)
    assert (
        both["held"] == pytest.approx(own / np.sqrt(1 + own**2), abs=0.02)
        and both["r"] > alone["r"] + 0.1
    )
