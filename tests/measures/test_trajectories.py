"""Parabolas along an attribute: against numpy, statsmodels and repetition."""

import numpy as np
import pandas as pd
import pytest
import statsmodels.api as sm
from hypothesis import given, settings
from hypothesis import strategies as st

import vlmbias as vb


def faces(seed, n=60):
    rng = np.random.default_rng(seed)
    x = rng.choice([0.8, 1.4, 2.0, 2.6, 4.4], n)
    x[:3], x[3:6] = [0.8, 2.0, 4.4], [0.8, 2.0, 4.4]  # every group has three levels, and the ends
    groups = np.array(["one"] * 3 + ["other"] * 3 + list(rng.choice(["one", "other"], n - 6)))
    values = pd.DataFrame(
        {
            name: rng.normal(size=n) + a * x + b * x**2
            for name, a, b in [("warmth", 0.3, -0.5), ("competence", -1.0, 0.7)]
        }
    )
    return values, x, groups


@settings(max_examples=25, deadline=None)
@given(st.integers(0, 10_000))
def test_trajectories_are_the_polynomials_of_numpy_and_the_errors_of_statsmodels(seed):
    values, x, groups = faces(seed)
    found = vb.trajectories(values, x, groups).set_index(["group", "dimension"])
    assert len(found) == 4
    for (group, dimension), row in found.iterrows():
        own = groups == group
        u = (x[own] - 2.6) / 1.8
        y = values.loc[own, dimension].to_numpy()
        assert np.allclose([row["curvature"], row["slope"], row["middle"]], np.polyfit(u, y, 2))
        fitted = sm.OLS(y, np.vander(u, 3, increasing=True)).fit()
        assert row["n"] == own.sum()
        assert np.allclose([row["slope_se"], row["curvature_se"]], fitted.bse[1:])
        assert np.isclose(row["r_squared"], fitted.rsquared)
        raw = np.polyfit(x[own], y, 2)
        assert np.isclose(row["vertex"], -raw[1] / (2 * raw[0]))


def test_the_error_of_the_vertex_is_that_of_many_repetitions():
    rng = np.random.default_rng(1)
    x = np.tile(np.linspace(20, 70, 6), 30)
    curve = 3 - (x - 50) ** 2 / 200
    many = vb.trajectories(curve[:, None] + rng.normal(size=(len(x), 1_000)), x)
    assert many["vertex"].mean() == pytest.approx(50, abs=0.3)
    assert many["vertex_se"].median() == pytest.approx(many["vertex"].std(), rel=0.1)


def test_coefficients_say_what_the_ends_and_the_middle_do():
    ages = np.array([20.0, 45.0, 70.0])
    (row,) = vb.trajectories(pd.DataFrame({"warmth": [5.0, 1.0, 3.0]}), ages).to_dict("records")
    assert row["group"] == "all"
    assert [row["middle"], row["slope"], row["curvature"]] == pytest.approx([1, -1, 3])
    assert np.isnan(row["curvature_se"])  # three points leave nothing to estimate noise from
    wider = vb.quadratics([[5.0], [1.0], [3.0]], ages, span=(-5, 95))
    assert np.allclose(
        wider.ravel(), [1.0, -2.0, 12.0]
    )  # the same parabola, read over twice the range


@settings(max_examples=25, deadline=None)
@given(st.integers(0, 10_000))
def test_a_weight_is_a_repetition(seed):
    values, x, _ = faces(seed)
    weights = np.random.default_rng(seed).integers(0, 4, (5, len(x)))
    weights[:, :3] += 1
    found = vb.quadratics(values, x, weights=weights)
    assert found.shape == (5, 3, 2)
    for row, times in zip(found, weights, strict=True):
        repeated = vb.quadratics(
            np.repeat(values.to_numpy(), times, axis=0), np.repeat(x, times), span=(0.8, 4.4)
        )
        assert np.allclose(row, repeated)


X = np.array([0.0, 1, 2, 3, 0, 1, 2, 3])


def test_a_straight_line_has_no_vertex_and_a_constant_no_share_explained():
    values = np.column_stack([2 * X - 1, np.zeros(8), -((X - 1) ** 2)])
    found = vb.trajectories(values, X)
    assert (
        found["vertex"].isna().tolist() == [True, True, False] == found["vertex_se"].isna().tolist()
    )
    assert found["vertex"][2] == pytest.approx(1)
    assert found["slope"].tolist() == pytest.approx([3, 0, -1.5])
    assert found["curvature"][0] == pytest.approx(0)
    assert found["r_squared"][0] == pytest.approx(1) and np.isnan(found["r_squared"][1])


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (dict(values=np.zeros((4, 1)), x=np.arange(3.0)), "4 rows and 3 levels"),
        (dict(values=np.zeros((4, 1)), x=np.arange(4.0), groups=["a"] * 3), "values, x and groups"),
        (dict(values=np.zeros((4, 1)), x=np.ones(4)), "span a range; got 1.0 to 1.0"),
        (
            dict(values=np.zeros((4, 1)), x=np.array([1.0, 1, 2, 2])),
            "three distinct levels.*levels given: 2",
        ),
        (dict(values=np.array([[0.0], [np.nan], [1], [2]]), x=np.arange(4.0)), "nan at 1, 0"),
        (dict(values=X[:, None], x=X, span=(0, np.nan)), r"span .* got 0 to nan"),
        (dict(values=X[:2, None], x=[0, np.nan], span=(0, 3)), r"x .*finite.* nan at 1"),
        (
            dict(values=X[:3, None], x=X[:3], groups=pd.Series(["a", "a", pd.NA], dtype=object)),
            "every row needs a group; row 2 of 3 has none",
        ),
    ],
)
def test_what_cannot_be_fitted_is_named(arguments, message):
    with pytest.raises(ValueError, match=message):
        vb.trajectories(**arguments)


def test_a_weighting_must_leave_three_levels():
    with pytest.raises(ValueError, match="weighting 1 of 2"):
        vb.quadratics(np.zeros((3, 1)), [0.0, 1, 2], weights=[[1, 1, 1], [1, 0, 1]])
    with pytest.raises(ValueError, match=r"weights must have shape \(r, 3\)"):
        vb.quadratics(np.zeros((3, 1)), [0.0, 1, 2], weights=[1, 1, 1])
