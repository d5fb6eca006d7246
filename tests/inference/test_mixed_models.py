"""Against lme4 (stored values), statsmodels, and generalised least squares with the whole
covariance written out."""

from pathlib import Path

import numpy as np
import pandas as pd
import pytest
import simulated_sets
from patsy.highlevel import dmatrix
from scipy import stats
from statsmodels.regression.mixed_linear_model import MixedLM

from vlmbias.inference import mixed_models

LME4 = pd.read_csv(Path(__file__).parent / "lme4/values.csv", keep_default_na=False)


def fitted(name, table=None, engine=mixed_models.crossed):
    numbers, random = simulated_sets.MODELS[name]
    table = simulated_sets.drawn(name) if table is None else table
    X = mixed_models.design(table, numbers, ["kind"])
    return engine(table, X, outcome="y", random=random)


def at_boundary(found):
    return any("boundary" in remark for remark in found.remarks)


def of_lme4(name, quantity):
    return LME4[(LME4["set"] == name) & (LME4["quantity"] == quantity)]["value"].to_numpy(float)


@pytest.mark.parametrize("name", simulated_sets.MODELS)
def test_lme4_finds_the_same_optimum(name):
    found = fitted(name)
    assert found.log_likelihood == pytest.approx(of_lme4(name, "log_likelihood")[0], abs=1e-5)
    assert np.allclose(found.coefficients["coef"], of_lme4(name, "coef"), atol=1e-6)
    assert np.allclose(found.coefficients["se"], of_lme4(name, "se"), rtol=1e-5)
    assert found.scale == pytest.approx(of_lme4(name, "scale")[0], rel=1e-5)
    assert at_boundary(found) == bool(of_lme4(name, "singular")[0])
    for grouping, covariance in found.random_covariance.items():
        lower = covariance.to_numpy()[np.tril_indices(len(covariance))]
        assert np.allclose(lower, of_lme4(name, f"covariance {grouping}"), atol=1e-5)
    assert found.tried["converged"].all()
    assert np.allclose(found.tried["log_likelihood"], found.log_likelihood, atol=1e-5)


def test_statsmodels_and_our_own_engine_agree_and_both_say_which_optimisers_were_tried():
    own, theirs = fitted("slopes"), fitted("slopes", engine=mixed_models.fit)
    assert list(theirs.tried.index) == ["lbfgs", "powell"] and theirs.remarks == ()
    assert theirs.log_likelihood == theirs.tried["log_likelihood"].max()
    assert theirs.log_likelihood == pytest.approx(own.log_likelihood, abs=1e-4)
    assert np.allclose(theirs.coefficients["coef"], own.coefficients["coef"], atol=1e-5)
    assert np.allclose(theirs.coefficients["se"], own.coefficients["se"], rtol=1e-3)
    assert np.allclose(theirs.random_covariance["group"], own.random_covariance["group"], atol=1e-3)
    assert theirs.n == 480


def test_standard_errors_of_variances_are_statsmodels_own():
    """Of a standard deviation of about one half, so that errors without the scale would be twice as
    large."""
    table = simulated_sets.drawn("slopes")
    numbers, random = simulated_sets.MODELS["slopes"]
    X = mixed_models.design(table, numbers, ["kind"])
    own = mixed_models.fit(table, X, outcome="y", random=random).random_se["group"]
    effects = X[["Intercept", *numbers]]
    theirs = MixedLM(table["y"], X, groups=table["group"], exog_re=effects).fit(
        reml=True, method="lbfgs"
    )
    assert own.to_numpy()[np.tril_indices(3)] == pytest.approx(theirs.bse_re.to_numpy(), rel=0.05)
    assert own.equals(own.T) and list(own) == list(effects)


def test_everything_follows_from_the_covariance_written_out():
    table = simulated_sets.drawn("everything")
    found, numbers = fitted("everything", table), simulated_sets.MODELS["everything"][0]
    X, y, n = (
        mixed_models.design(table, numbers, ["kind"]).to_numpy(),
        table["y"].to_numpy(),
        len(table),
    )
    effects = np.column_stack([np.ones(n), table["u"], table["v"]])
    V = found.scale * np.eye(n)
    for grouping, Z in (("group", effects), ("family", effects[:, :1]), ("model", effects[:, :1])):
        same = table[grouping].to_numpy()[:, None] == table[grouping].to_numpy()
        V += same * (Z @ found.random_covariance[grouping].to_numpy() @ Z.T)
    inverse = np.linalg.inv(V)
    covariance = np.linalg.inv(X.T @ inverse @ X)
    coef = covariance @ X.T @ inverse @ y
    rest = y - X @ coef
    determinants = np.linalg.slogdet(V)[1] - np.linalg.slogdet(covariance)[1]
    height = -(determinants + rest @ inverse @ rest + (n - X.shape[1]) * np.log(2 * np.pi)) / 2
    assert np.allclose(found.coefficients["coef"], coef)
    assert np.allclose(found.coefficients["se"], np.sqrt(np.diag(covariance)))
    assert found.log_likelihood == pytest.approx(height)


def test_the_table_is_walds():
    table = fitted("crossed").coefficients
    row = table.loc["u"]
    assert row["z"] == row["coef"] / row["se"] and row["p"] == pytest.approx(
        2 * stats.norm.sf(abs(row["z"]))
    )
    assert row["low"] == pytest.approx(row["coef"] - stats.norm.ppf(0.975) * row["se"])
    assert row["high"] == pytest.approx(row["coef"] + stats.norm.ppf(0.975) * row["se"])
    low = mixed_models.wald(pd.Series({"a": 2.0}), [[0.25]], df=4).loc["a"]
    assert low["p"] == pytest.approx(2 * stats.t.sf(4, 4)) and low["low"] == pytest.approx(
        2 - stats.t.ppf(0.975, 4) / 2
    )


# --- no silent optimum ----------------------------------------------------------------------------


def test_an_optimiser_that_stops_short_is_named(monkeypatch):
    monkeypatch.setattr(mixed_models, "STEPS", 1)
    short = fitted("slopes", engine=mixed_models.fit)
    assert not short.tried["converged"].all() and any(
        "did not converge" in remark for remark in short.remarks
    )


def test_a_point_from_which_the_likelihood_still_rises_is_no_silent_optimum(monkeypatch):
    real = mixed_models._minimum

    def claims_success(problem, optimiser, start=None):
        if start is not None:  # the record's own look further up
            return real(problem, optimiser, start)
        zero = 0 * problem.start()  # there the criterion is flat in θ
        return type("Result", (), {"success": True, "x": zero, "fun": problem.gradient(zero)[0]})()

    best = fitted("crossed")
    monkeypatch.setattr(mixed_models, "_minimum", claims_success)
    found = fitted("crossed")
    assert found.tried["converged"].all() and at_boundary(found)
    said = [
        remark
        for remark in found.remarks
        if remark.startswith("no optimum: the log-likelihood is ")
    ]
    assert len(said) == 1 and said[0].endswith(
        " higher nearby, with a larger variance of test, model"
    )
    missed = best.log_likelihood - found.log_likelihood
    assert float(said[0].split(" is ")[1].split()[0]) == pytest.approx(missed, rel=0.06)


def test_optimisers_that_disagree_are_named(monkeypatch):
    real = mixed_models._minimum

    def worse(problem, optimiser, start=None):
        result = real(problem, optimiser, start)
        if optimiser == "SLSQP":
            result.fun += 0.5
        return result

    monkeypatch.setattr(mixed_models, "_minimum", worse)
    found = fitted("crossed")
    assert found.remarks == ("the optimisers stopped 0.25 apart in log-likelihood",)
    assert found.log_likelihood == found.tried.loc["L-BFGS-B", "log_likelihood"]


def test_an_optimiser_caught_at_zero_starts_again(monkeypatch):
    real, starts = mixed_models.optimize.minimize, []

    def first_caught(function, start, **options):
        starts.append(start)
        if len(starts) == 1:
            return type(
                "Result", (), {"success": True, "x": 0 * start, "fun": function(0 * start)[0]}
            )()
        return real(function, start, **options)

    monkeypatch.setattr(mixed_models.optimize, "minimize", first_caught)
    problem_fit = fitted("everything")
    assert problem_fit.log_likelihood == pytest.approx(
        of_lme4("everything", "log_likelihood")[0], abs=1e-5
    )
    assert len(starts) >= 3 and problem_fit.remarks == ()


def test_a_variance_of_zero_is_named():
    found = fitted("boundary")
    assert found.remarks == ("at the boundary: a variance of model is estimated as zero",)


# --- what must not matter -------------------------------------------------------------------------


def test_the_design_is_patsys():
    table = pd.DataFrame({"f": list("babca"), "g": list("xyxyy"), "u": [1.0, 2, 4, 8, 16]})
    own = mixed_models.design(table, ["u"], {"f": "b", "g": None})
    assert list(own.columns) == ["Intercept", "f[a]", "f[c]", "g[y]", "u"]
    assert np.array_equal(own, dmatrix("C(f, Treatment('b')) + g + u", table))


def test_an_optimum_that_is_reached_is_called_none_however_steep_the_likelihood(monkeypatch):
    monkeypatch.setattr(mixed_models, "RISES", -1e9)  # every grouping is then climbed further
    for engine in (mixed_models.fit, mixed_models.crossed):
        assert "no optimum" not in " ".join(fitted("slopes", engine=engine).remarks)


@pytest.mark.parametrize(
    ("change", "options", "message"),
    [
        ({"kind": np.where(np.arange(300) > 0, "a", None)}, {}, "row 0"),
        ({"y": np.where(np.arange(300) > 1, 1.5, np.nan)}, {}, "y and the design must be finite"),
        ({"x": lambda table: table["u"] * 2}, {}, "rank 4"),
        ({"model": 0}, {}, "model must name a group"),
        ({"y": 2.0}, {}, "y is 2 in all 300 rows"),
        ({}, {"outcome": "height"}, r"\['height'\] are no columns of the table"),
        ({}, {"random": {"team": ()}}, r"\['team'\] are no columns of the table"),
        ({}, {"random": {"test": ["w"]}}, r"\['w'\] .* are no columns of the design"),
        ({}, {"random": {}}, "name a grouping column in `random`"),
        ({}, {"engine": mixed_models.fit}, "one grouping"),
        ({}, {"factors": {"kind": "z"}}, "no level of kind"),
        ({}, {"rows": slice(1, None)}, "same rows"),
    ],
)
def test_what_cannot_be_fitted_is_refused_by_name(change, options, message):
    table = simulated_sets.drawn("crossed").assign(**change)
    numbers, random = simulated_sets.MODELS["crossed"]
    given = {"engine": mixed_models.crossed, "factors": ["kind"], "rows": slice(None)}
    given |= {"outcome": "y", "random": random} | options
    with pytest.raises(ValueError, match=message):
        X = mixed_models.design(table, numbers, given["factors"])[given["rows"]]
        given["engine"](table, X, outcome=given["outcome"], random=given["random"])
