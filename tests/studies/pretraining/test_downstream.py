"""Correlations with performance, against slow versions on made-up models."""

import itertools

import numpy as np
import pandas as pd
import pytest
from scipy import stats

import vlmbias as vb
from studies.pretraining import downstream as study


def made_up(seed=0, models=14):
    """Two cells, one of three tests and one of one, of models in four families."""
    rng, n = np.random.default_rng(seed), np.arange(models)
    about = pd.DataFrame({"model": [f"m{k}" for k in n]}).assign(
        architecture=np.array(list("ABC"))[n % 3],
        dataset=np.array(list("wxyz"))[n * (n + 1) // 2 % 4],
        parameters=50.0 + 7 * n**2,
        dataset_size=900 / (n + 1),
        performance=rng.uniform(0.2, 0.7, models),
    )
    cells = [("race", "all-text", k) for k in range(3)] + [("age", "all-image", 0)]
    tests = pd.DataFrame(cells, columns=["category", "order", "test"])
    tests["test"] = tests["category"] + "/" + tests["test"].astype(str)
    table = about.merge(tests, how="cross")
    size = rng.normal(size=len(table)) - 0.4
    size += 2 * table["performance"] * (table["category"] == "race")
    return table.assign(effect_size=size, gap=size / 10)


def residuals(y, x, w):
    root = np.sqrt(w)
    return y - x @ np.linalg.lstsq(x * root[:, None], y * root, rcond=None)[0]


def slow_r(y, p, given, w):
    """Repeat each model as often as it counts; then residuals, then r."""
    times = np.repeat(np.arange(len(y)), w.astype(int))
    x = np.column_stack([np.ones(len(times)), given[times]])
    one, other = (residuals(v[times], x, np.ones(len(times))) for v in (y, p))
    return np.corrcoef(one, other)[0, 1]


def test_printed_correlations_are_read_with_their_n_and_asterisk():
    rows = [
        ("downstream.race.all-text.r", "−.07", 393),
        ("downstream.race.all-text.p", "≥ .05", 393),
        ("downstream.age.all-image.p", "< .05", 131),
        ("downstream.age.all-image.r", "−.18", 131),
        ("downstream.text.age.all-image", "0.5", 131),
        ("effect_sizes.models", "131", None),
    ]
    found = study.printed(pd.DataFrame(rows, columns=["id", "value", "n"])).T.to_dict("list")
    assert found["race", "all-text"] == pytest.approx([-0.07, -0.075, -0.065, 393, False])
    assert found["age", "all-image"] == pytest.approx([-0.18, -0.185, -0.175, 131, True])
    everything = study.printed(vb.ledger.load("pretraining"))
    assert (len(everything), everything["starred"].sum(), everything["n"].sum()) == (20, 15, 3406)


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
    assert list(about.index) == list(values.index)
    assert len(about) == 14


@pytest.mark.parametrize("held", [0, 2])
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
    weights, rng = np.eye(6)[[2]] * 4, np.random.default_rng(0)
    found = study.r_given(rng.normal(size=(6, 2)), rng.normal(size=6), np.empty((6, 0)), weights)
    assert np.isnan(found).all()


def test_over_models_with_and_without_what_is_held():
    table = made_up(2)
    about, values = study.by_model(table)
    plain, performance = study.over_models(table, n_resamples=50), about["performance"].to_numpy()
    families = vb.cluster_weights(about["dataset"].to_numpy(str), n_resamples=50, seed=[0, 1])
    for cell in values:
        r, p = stats.pearsonr(values[cell], performance)
        assert plain.loc[cell, ["r", "p", "n"]].tolist() == pytest.approx([r, p, 14])
        draws = [
            slow_r(values[cell].to_numpy(), performance, np.empty((14, 0)), w) for w in families
        ]
        ends = np.nanquantile(draws, [0.025, 0.975])
        assert plain.loc[cell, ["low", "high"]].tolist() == pytest.approx(ends.tolist())
    assert plain["p_holm"].max() == pytest.approx(max(2 * plain["p"].min(), plain["p"].max()))
    held = study.over_models(table, given=["log_params", "architecture"], n_resamples=50)
    kinds = [about["architecture"] == one for one in "BC"]
    given = np.column_stack([about["log_params"], *kinds]).astype(float)
    for cell in values:
        r = slow_r(values[cell].to_numpy(), performance, given, np.ones(14))
        t = r * np.sqrt((14 - 2 - 3) / (1 - r**2))
        assert held.loc[cell, ["r", "p"]].tolist() == pytest.approx([r, 2 * stats.t.sf(abs(t), 9)])


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
    assert (found["unique_low"] < found["unique"]).all()
    assert (found["unique"] < found["unique_high"]).all()
    assert "unique_low" not in study.explained(table, {"size": ["size"]})


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
    assert all(found[one] for one in ("often", "higher", "non-human", "across-the-board"))
    assert not found["negative"]
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
