"""Holm's method against statsmodels, family by family."""

import gc

import numpy as np
import pytest
from statsmodels.stats import multitest

from vlmbias.inference import holm


@pytest.mark.parametrize("tests", [1, 2, 5, 9])
def test_each_family_is_corrected_as_by_statsmodels(tests, monkeypatch):
    monkeypatch.setattr(gc, "collect", lambda *_: 0)  # it collects at every call, seconds in all
    rng = np.random.default_rng(tests)
    p = rng.random((20, tests)) ** 3
    p[rng.random(p.shape) < 0.3] = 0.05  # ties
    expected = [multitest.multipletests(row, method="holm")[1] for row in p]
    np.testing.assert_allclose(holm(p), expected, rtol=1e-12)
    np.testing.assert_allclose(holm(p[0]), expected[0], rtol=1e-12)


def test_by_hand():
    np.testing.assert_allclose(holm([0.01, 0.04, 0.03]), [0.03, 0.06, 0.06])
    assert holm([0.5, 0.9]).tolist() == [1, 1]
