"""Against the equations written out, statsmodels, and fits draw by draw."""

import numpy as np
import pandas as pd
import pytest
import statsmodels.api as sm
from scipy import stats

from vlmbias.inference import clustered, mixed_models
from vlmbias.inference.resampling import cluster_weights


@pytest.fixture
def data():
    """60 models with six tests each; a factor with levels of 29, 30 and one model."""
    rng = np.random.default_rng(4)
    kinds = ["a"] * 29 + ["b"] * 30 + ["c"]
    models = pd.DataFrame({"u": rng.normal(size=60), "kind": kinds, "own": rng.normal(size=60)})
    rows = pd.MultiIndex.from_product([range(60), range(6)], names=["model", "test"]).to_frame(
        index=False
    )
    table = rows.join(models, on="model")
    y = (
        0.5 * table["u"]
        + 0.4 * (table["kind"] == "b")
        + table["own"]
        + 0.3 * table["test"]
        + rng.normal(size=360)
    )
    return table.assign(y=y).sample(frac=1, random_state=0).reset_index(drop=True)


def design(table):
    return mixed_models.design(table, ["u"], ["kind"])


def test_without_clusters_it_is_ordinary_least_squares(data):
    X, y = design(data), data["y"]
    found = clustered.least_squares(y, X)
    coef = np.linalg.lstsq(X, y, rcond=None)[0]
    variance = ((y - X @ coef) ** 2).sum() / 356 * np.linalg.inv(X.T @ X)
    t = coef / np.sqrt(np.diag(variance))
    assert np.allclose(found[["coef", "z"]].T, [coef, t])
    assert np.allclose(found["se"], coef / t) and np.allclose(
        found["p"], 2 * stats.t.sf(abs(t), 356)
    )
    assert np.allclose(found["high"] - found["low"], 2 * stats.t.ppf(0.975, 356) * found["se"])
    assert np.allclose(found["low"] + found["high"], 2 * coef)


def test_the_sandwich_is_that_of_the_equation(data):
    """Cluster by cluster, as the docstring has it; and it is not the table for independent rows."""
    X, y = design(data), data["y"]
    found = clustered.least_squares(y, X, clusters=data["model"])
    coef, bread = np.linalg.lstsq(X, y, rcond=None)[0], np.linalg.inv(X.T @ X)
    filling = np.zeros((4, 4))
    for model in range(60):
        own = (data["model"] == model).to_numpy()
        moment = X[own].T @ (y[own] - X[own] @ coef)
        filling += np.outer(moment, moment)
    se = np.sqrt(60 / 59 * 359 / 356 * np.diag(bread @ filling @ bread))
    assert np.allclose(found[["coef", "se"]].T, [coef, se])
    assert np.allclose(found["p"], 2 * stats.t.sf(abs(coef / se), 59))
    assert np.allclose(found["high"] - found["low"], 2 * stats.t.ppf(0.975, 59) * se)
    assert found.loc["u", "se"] > 1.5 * clustered.least_squares(y, X).loc["u", "se"]


def test_one_row_per_cluster_is_counted_and_keeps_the_coefficients(data):
    y, X = clustered.per_cluster(data["y"], design(data), data["model"])
    for model in (0, 29, 59):
        own = data["model"] == model
        assert y[model] == pytest.approx(data.loc[own, "y"].mean())
        assert np.array_equal(X.loc[model], design(data)[own].iloc[0])
    assert len(y) == len(X) == 60
    rows, means = clustered.least_squares(data["y"], design(data)), clustered.least_squares(y, X)
    assert np.allclose(rows["coef"], means["coef"])  # every model has the same tests
    with pytest.raises(ValueError, match="x"):
        clustered.per_cluster(data["y"], design(data).assign(x=data["test"]), data["model"])


def test_every_bootstrap_draw_is_a_fit_of_the_clusters_drawn(data):
    X = design(data)
    draws = clustered.bootstrap(data["y"], X, data["model"], n_resamples=40, seed=5)
    names = pd.unique(data["model"])
    weights = cluster_weights(np.arange(len(names)), n_resamples=40, seed=5)
    lost = 0
    for weight, found in zip(weights, draws.to_numpy(), strict=True):
        rows = np.repeat(np.arange(len(data)), pd.Series(weight, names)[data["model"]].to_numpy())
        drawn, y = X.iloc[rows], data["y"].iloc[rows]
        here = (drawn != 0).any()
        slow = np.linalg.lstsq(drawn.loc[:, here], y, rcond=None)[0]
        assert np.allclose(found[here], slow) and np.isnan(found[~here]).all()
        lost += not here["kind[c]"]
    told = clustered.intervals(draws)["identified"]
    assert told["kind[c]"] == 1 - lost / 40 and 5 < lost < 25 and told["u"] == 1


def test_without_the_reference_only_what_does_not_need_it_is_told(data):
    X = mixed_models.design(data, ["u"], {"kind": "c"})
    draws = clustered.bootstrap(data["y"], X, data["model"], n_resamples=60, seed=5)
    gone = draws["kind[a]"].isna()
    assert 10 < gone.sum() < 40 and draws.loc[gone, ["Intercept", "kind[b]"]].isna().all(axis=None)
    assert draws["u"].notna().all()


def test_the_joint_test_is_the_f_test_and_permutes_what_the_other_columns_leave(data):
    y, X = clustered.per_cluster(data["y"], design(data), data["model"])
    found = clustered.joint(y, X, ["kind[b]", "kind[c]"], n_permutations=99, seed=3)
    theirs = sm.OLS(y, X).fit().f_test(np.eye(4)[1:3])
    assert (found.F, found.p_value) == pytest.approx((theirs.fvalue, theirs.pvalue))
    rest = sm.OLS(y, X[["Intercept", "u"]]).fit().resid.to_numpy()
    rows = np.random.default_rng(3).permuted(np.tile(rest, (99, 1)), axis=1)
    slow = [sm.OLS(row, X).fit().f_test(np.eye(4)[1:3]).fvalue for row in rows]
    assert found.p_permuted == (1 + sum(one >= found.F for one in slow)) / 100
    assert 0.01 < found.p_permuted < 1 and found.df == (2, 56)
    assert np.isnan(clustered.joint(y, X, ["kind[b]"]).p_permuted)


def test_clusters_that_cannot_be_are_refused_by_all_three(data):
    X, y = design(data), data["y"]
    labels = data["model"].map("m{}".format).astype(object)
    labels[[4, 7, 9]] = [np.nan, None, np.nan]
    for call in (
        lambda given: clustered.least_squares(y, X, clusters=given),
        lambda given: clustered.bootstrap(y, X, given, n_resamples=3),
        lambda given: clustered.per_cluster(y, X, given),
    ):
        for given in (labels, list(labels), np.array(labels, dtype=object)):
            with pytest.raises(ValueError, match="3 of 360 have none, such as row 4"):
                call(given)
        with pytest.raises(ValueError, match=r"each of the 360 rows; got shape \(359,\)"):
            call(data["model"][1:])


def test_what_cannot_be_fitted_is_refused(data):
    X, y, one = design(data), data["y"], ["only"] * 360
    few = pd.DataFrame({"Intercept": 1.0, "u": [0.0, 1, 3], "v": [1.0, 0, 5]})
    none_left = "3 rows for 3 coefficients leave none to estimate a standard error from"
    for call, words in (
        (lambda: clustered.least_squares(y, X.assign(double=2 * X["u"])), "rank 4"),
        (lambda: clustered.least_squares(y[1:], X), "as many rows"),
        (lambda: clustered.least_squares(y, X, clusters=one), "takes at least 2; .* only"),
        (lambda: clustered.bootstrap(y, X, one, n_resamples=3), "takes at least 2; .* only"),
        (lambda: clustered.joint(y, X, ["kind[d]"]), "must be columns"),
        (lambda: clustered.least_squares([1.0, 2, 4], few), none_left),
        (lambda: clustered.least_squares([1.0, 2, 4], few, clusters=[1, 2, 3]), none_left),
        (lambda: clustered.joint([1.0, 2, 4], few, ["u"]), none_left),
    ):
        with pytest.raises(ValueError, match=words):
            call()
