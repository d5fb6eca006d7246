"""Against fits row by row, statsmodels' own formulas, and data in which the answer is known."""

import numpy as np
import pandas as pd
import pytest
import statsmodels.formula.api as smf

import vlmbias as vb
from studies.pretraining import downstream, effect_sizes, twin, upstream

CLAIMS = vb.ledger.load("pretraining")
CELLS, R = effect_sizes.cells(CLAIMS), downstream.printed(CLAIMS)["r"].to_dict()


@pytest.fixture(scope="module")
def small():
    """30 models, seven tests in five groups; two factors that matter by known amounts."""
    rng = np.random.default_rng(11)
    models = pd.DataFrame({"model": [f"m{number:02d}" for number in range(30)]}).assign(
        architecture=["vit", "resnet", "eva"] * 10,
        dataset=list("a" * 12 + "b" * 10 + "c" * 7 + "d"),
        parameters=rng.uniform(100, 900, 30),
        dataset_size=rng.uniform(10, 5000, 30),
        own=rng.normal(0, 0.2, 30),
    )
    names = "race/all-text/a race/all-text/b age/all-text/a race/image-target/a age/image-target/a"
    names = [*names.split(), "race/text-target/a", "race/text-target/b"]
    tests = pd.DataFrame(
        [name.split("/") for name in names], columns=["category", "order", "targets"]
    )
    table = models.merge(tests.assign(test=names), how="cross")
    effect = table["dataset"].map({"a": 0, "b": 0.5, "c": -0.3, "d": 1.0}) + table["own"]
    effect += 0.1 * (table["architecture"] == "vit") + 0.4 * (table["category"] == "age")
    table = upstream.prepared(table.assign(effect_size=effect + rng.normal(0, 0.3, len(table))))
    effects = rng.normal(size=(5, 3)) @ [[0.6, 0.1, -0.1], [0, 0.4, 0.1], [0, 0, 0.4]]
    own = effects[pd.factorize(table["group"])[0]]
    slopes = own[:, 0] + own[:, 1] * table["log_params"] + own[:, 2] * table["log_dataset_size"]
    return table.assign(effect_size=table["effect_size"] + slopes)


@pytest.fixture(scope="module")
def simulated():
    return upstream.prepared(twin.generate(CELLS, R, shared=0.5, seed=1))


def test_the_printed_table_is_read_term_by_term():
    table = upstream.printed(CLAIMS)
    assert len(table) == 19
    assert list(table) == ["coef", "se", "z", "p", "low", "high"]
    assert table.notna().all(axis=None)
    assert table.loc["dataset.dfn"].tolist() == [0.608, 0.116, 5.234, 0.0, 0.380, 0.835]
    assert table.loc["dataset.yfcc15m", "p"] == 0.028
    assert table.loc["log-params", "coef"] == 0.010
    assert table.index[0] == "intercept"
    assert table.index[-1] == "log-dataset-size"


def test_a_prepared_table_has_standardised_logarithms_and_groups(small):
    raw = small.drop(columns=["group", "log_params", "log_dataset_size"])
    logs = np.log(raw["parameters"])
    assert np.allclose(small["log_params"], (logs - logs.mean()) / logs.std(ddof=0))
    assert small["log_dataset_size"].std(ddof=0) == pytest.approx(1)
    assert small["group"].nunique() == 5
    lacking = raw.assign(dataset_size=raw["dataset_size"].where(raw["model"] != "m03"))
    assert set(raw["model"]) - set(upstream.prepared(lacking)["model"]) == {"m03"}


def test_the_published_specification_is_the_formula_of_the_authors_notebook(small):
    own = upstream.published(small)
    formula = "effect_size ~ log_params + architecture + dataset + log_dataset_size"
    theirs = smf.mixedlm(
        formula, small, groups=small["group"], re_formula="~ log_params + log_dataset_size"
    )
    fit = theirs.fit(reml=True, method="lbfgs", maxiter=1000)
    names = {
        f"{factor}[{level}]": f"{factor}[T.{level}]"
        for factor, levels in (("architecture", ["resnet", "vit"]), ("dataset", "bcd"))
        for level in levels
    }
    table = own.coefficients.rename(index=names)
    assert own.tried.loc["lbfgs", "log_likelihood"] == pytest.approx(fit.llf)
    assert np.allclose(table["coef"], fit.fe_params[table.index], atol=0.01)
    assert np.allclose(table["se"], fit.bse_fe[table.index], rtol=0.05)
    assert own.remarks == ()
    printed = np.array(fit.summary().tables[1]["Std.Err."].iloc[-6:], float)
    assert np.allclose(own.random_se["group"].to_numpy()[np.tril_indices(3)], printed, atol=0.01)


def test_the_share_of_models_is_within_groups_of_tests(small):
    fit = upstream.fitted(small, ["model"])
    group, model = (fit.random_covariance[name].iloc[0, 0] for name in ("group", "model"))
    share = upstream.share_of_models(fit)
    assert share == pytest.approx(model / (model + fit.scale))
    assert share > model / (group + model + fit.scale)


def test_a_factor_that_varies_at_random_has_no_coefficients(small):
    fit = upstream.fitted(small, ["dataset", "model"])
    assert not fit.coefficients.index.str.startswith("dataset[").any()
    assert list(fit.random_covariance) == ["group", "dataset", "model"]
    assert fit.random_covariance["dataset"].iloc[0, 0] > 0


def test_both_ways_are_the_published_software_and_ordinary_least_squares(small):
    ways = upstream.both_ways(small)
    assert [list(fit.index) for fit in ways.values()] == [["b", "c", "d"]] * 2
    published = upstream.published(small).coefficients
    theirs = published.filter(like="dataset[", axis=0)
    assert np.allclose(ways["published"]["coef"], theirs["coef"], atol=0.02)
    factors = ["log_params", "log_dataset_size", "architecture", "dataset"]
    means = small.groupby("model").agg({"effect_size": "mean"} | dict.fromkeys(factors, "first"))
    by_hand = smf.ols(f"effect_size ~ {' + '.join(factors)}", means).fit()
    once = ways["networks"]
    names = [f"dataset[T.{level}]" for level in once.index]
    for ours, wanted in (("coef", by_hand.params), ("se", by_hand.bse), ("p", by_hand.pvalues)):
        assert np.allclose(once[ours], wanted[names])
    assert once.loc["b", "low"] < 0.5 < once.loc["b", "high"]
    other = upstream.both_ways(small, {"dataset": "b"})["networks"]
    assert other.loc["a", "coef"] == pytest.approx(-once.loc["b", "coef"])


def test_joint_tests_are_f_tests_of_nested_fits(small):
    found = upstream.joint(small, n_permutations=99, seed=2)
    full = "effect_size ~ log_params + log_dataset_size + architecture + dataset"
    first = dict.fromkeys(["log_params", "log_dataset_size", "architecture", "dataset"], "first")
    means = small.groupby("model").agg({"effect_size": "mean"} | first)
    fit = smf.ols(full, means).fit()
    for factor in upstream.FACTORS:
        F, p, _ = fit.compare_f_test(smf.ols(full.replace(f" + {factor}", ""), means).fit())
        assert found.loc[factor, ["F", "p"]].tolist() == pytest.approx([F, p])
    assert found.loc["dataset", "p_permuted"] <= 0.1
    assert upstream.joint(small)["p_permuted"].isna().all()


def test_every_claim_of_the_page_but_none_else_is_given_a_value(simulated):
    found = upstream.claims(upstream.published(simulated), simulated)
    own = CLAIMS[CLAIMS["id"].str.startswith("upstream.")].set_index("id")
    ids = set(own.index.str.removeprefix("upstream."))
    of_the_page = {"level", "interval", "families", "marginal-reference"}
    assert ids - set(found) == of_the_page
    assert set(found) < ids
    for name, value in found.items():
        assert isinstance(value, bool) == (own["unit"][f"upstream.{name}"] == "statement"), name
    assert found["significant-families"] == 8 > found["significant-families-by-model"]
    counts = {"rows": 3406, "groups": 20, "combinations": 20}
    counts |= {"group-smallest": 131, "group-largest": 393, "group-mean": 170.3}
    counts |= {"size-smallest": 1.4, "size-largest": 13.0}
    assert {name: found[name] for name in counts} == counts
    for name, coef, again in (
        ("dfn", 0.608, ("text.dfn", "text.dfn-intro")),
        ("openai-wit", 0.351, ("text.openai-wit",)),
    ):
        assert found[f"dataset.{name}.coef"] == pytest.approx(coef, abs=0.005)
        assert {found[one] for one in again} == {found[f"dataset.{name}.coef"]}
    assert found["random.intercept.intercept"] == found["group-variance-text"]
    assert found["group-variance-text"] > found["random.log-params.log-params"]


@pytest.mark.parametrize(
    ("term", "quantity", "value", "claim"),
    [
        ("dataset[webli]", "p", 0.02, "dataset-significant"),
        ("dataset[laion]", "coef", -0.4, "dataset-significant"),
        ("architecture[NLLB-CLIP Models]", "p", 0.009, "architecture-null"),
        ("log_params", "p", 0.001, "numbers-null"),
        ("architecture[ViT Models]", "coef", -0.01, "architecture-positive"),
        ("dataset[yfcc15m]", "p", 0.2, "marginal"),
        ("dataset[yfcc15m]", "p", 0.005, "marginal"),
        ("dataset[datacomp]", "coef", 0.7, "filters-worse"),
        ("log_dataset_size", "p", 0.0, "numbers-null"),
    ],
)
def test_each_statement_can_fail(simulated, term, quantity, value, claim):
    terms = {upstream.claim_of(name): name for name in upstream.design(simulated).columns}
    table = upstream.printed(CLAIMS).rename(index=terms)
    assert upstream.statements(table)[claim]  # as printed, it holds
    table.loc[term, quantity] = value
    assert not upstream.statements(table)[claim]
