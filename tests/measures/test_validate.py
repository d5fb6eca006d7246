"""What is matched by position, and what must come of one model."""

import numpy as np
import pandas as pd
import pytest

import vlmbias as vb
from vlmbias.inference import clustered
from vlmbias.rows import same_rows

SCORES = pd.Series([0.9, 0.8, 0.7, 0.1, 0.2, 0.3], index=list("abcdef"))
GROUPS = pd.Series(list("xxxyyy"), index=list("abcdef"))


@pytest.mark.parametrize("plain", [False, True], ids=["labels", "numbers"])
def test_rows_in_another_order_are_refused_and_aligned_ones_are_not(plain):
    scores, groups = (one.reset_index(drop=True) if plain else one for one in (SCORES, GROUPS))
    expected = vb.skew_at_k(SCORES.to_numpy(), GROUPS.to_numpy(), 3, zero=-1).to_dict()
    assert vb.skew_at_k(scores, groups, 3, zero=-1).to_dict() == expected
    turned = scores.sort_values()
    assert vb.skew_at_k(turned, groups.loc[turned.index], 3, zero=-1).to_dict() == expected
    for wrong in (turned, scores[::-1]):
        with pytest.raises(ValueError, match="matched by position"):
            vb.skew_at_k(wrong, groups, 3)


@pytest.mark.parametrize(
    "wrong",
    [
        lambda: vb.markedness(SCORES, SCORES.sort_values()),
        lambda: vb.ndkl(SCORES.sort_values(), GROUPS),
        lambda: vb.rankings(pd.DataFrame({"q": SCORES.sort_values()}), GROUPS),
        lambda: vb.trajectories(SCORES.to_frame(), SCORES.sort_values()),
        lambda: vb.quadratics(SCORES.to_frame(), SCORES.sort_values()),
        lambda: clustered.least_squares(
            SCORES.sort_values(), pd.DataFrame({"Intercept": 1.0}, SCORES.index)
        ),
        lambda: vb.images("greenhouse/causalface", seed=0, subset="prototype").where(
            pd.Series([True, False, True, False, True, False], index=[5, 4, 3, 2, 1, 0])
        ),
    ],
)
def test_each_measure_looks_at_the_index(wrong):
    with pytest.raises(ValueError, match="matched by position"):
        wrong()


def test_an_index_that_only_counts_says_nothing_of_other_rows():
    part = SCORES.reset_index(drop=True).set_axis([3, 5, 7, 9, 11, 13])
    same_rows(scores=part, groups=GROUPS.reset_index(drop=True))


def test_masked_values_are_no_values():
    with pytest.raises(ValueError, match="masked"):
        vb.skew_at_k(np.ma.masked_array([1.0, 2.0, 3.0], [False, True, False]), list("xyx"), 1)


class Known:
    """Vectors of which the model is known, as those of `vb.embed`."""

    def __init__(self, vectors, model):
        self.vectors, self.model = vectors, model

    def __array__(self, dtype=None, copy=None):
        return np.array(self.vectors, dtype=dtype, copy=copy)


def test_vectors_of_two_models_are_not_compared_even_with_one_dimension():
    rng = np.random.default_rng(0)
    own = {name: Known(rng.normal(size=(2, 4)), name) for name in ("a", "b")}
    X, A, B = (rng.normal(size=(2, 4)) for _ in range(3))
    with pytest.raises(ValueError, match="two models"):
        vb.eat(own["a"], X, own["b"], B)
    with pytest.raises(ValueError, match="two models"):
        vb.association_scores(own["a"], own["b"], A)
    vb.association_scores(own["a"], A, own["a"])
