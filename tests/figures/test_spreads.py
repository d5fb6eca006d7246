"""Ellipses of covariance: against the equation, and around just the points of each group."""

from itertools import product

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from matplotlib.patches import Ellipse

from vlmbias import figures


def outline(ellipse, n=200):
    """Points on the outline, from the patch's own transform."""
    turn = np.linspace(0, 2 * np.pi, n)
    return ellipse.get_patch_transform().transform(np.stack([np.cos(turn), np.sin(turn)], axis=1))


@given(st.integers(0, 10_000), st.floats(0.5, 3))
def test_the_outline_is_the_set_of_points_that_many_sigmas_from_the_mean(seed, sigmas):
    cloud = np.random.default_rng(seed).normal(size=(10, 2)) @ [[2.0, 0.7], [0.0, 0.4]] + [3, -1]
    inverse = np.linalg.inv(np.cov(cloud.T, ddof=1))
    away = outline(figures.covariance_ellipse(cloud, sigmas=sigmas)) - cloud.mean(axis=0)
    assert np.sqrt(np.einsum("ni,ij,nj->n", away, inverse, away)) == pytest.approx(
        np.full(200, sigmas), rel=1e-6
    )


def means(**changes):
    rng = np.random.default_rng(3)
    rows = product(("teal", "amber"), ("budded", "eared"), ("one set", "other"), range(6))
    table = pd.DataFrame(rows, columns=["race", "gender", "set", "age"])
    return table.assign(
        plus=rng.normal(size=len(table)), minus=rng.normal(size=len(table)), **changes
    )


def draw(table, **options):
    names = {"x": "plus", "y": "minus", "colour": "race", "shape": "gender"}
    return figures.ellipses(table, **names, x_label="+", y_label="−", **options)


def test_every_group_has_its_points_and_the_ellipse_of_just_these():
    table = means()
    shown = draw(table, panel="set", size="age", columns=2)
    for axes, (name, part) in zip(shown.axes, table.groupby("set", sort=False), strict=True):
        assert axes.get_title(loc="left") == name
        found = [one for one in axes.patches if isinstance(one, Ellipse)]
        wanted = [own[["plus", "minus"]] for _, own in part.groupby(["race", "gender"], sort=False)]
        for ellipse, points, own in zip(found, axes.collections, wanted, strict=True):
            expected = figures.covariance_ellipse(own)
            size = (expected.width, expected.height)
            assert ellipse.get_center() == pytest.approx(own.mean().tolist())
            assert (ellipse.width, ellipse.height) == pytest.approx(size)
            assert np.asarray(points.get_offsets()) == pytest.approx(own.to_numpy())
            assert (np.diff(points.get_sizes()) > 0).all(), "older is larger"
    named = [text.get_text() for text in shown.legends[0].get_texts()]
    assert named == ["teal", "amber", "budded", "eared"]


def test_what_cannot_be_drawn_is_an_error():
    for cloud in (np.zeros((1, 2)), [[0, np.nan], [1, 2]]):
        with pytest.raises(ValueError, match="two or more finite points in the plane"):
            figures.covariance_ellipse(cloud)
    with pytest.raises(ValueError, match="'gender' has 6 values, 5 have a marker"):
        draw(means(gender=[str(k % 6) for k in range(48)]))
    with pytest.raises(ValueError, match="48 missing values in 'age'"):
        draw(means(age=np.nan), size="age")
