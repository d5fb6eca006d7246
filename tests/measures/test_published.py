"""Published effect sizes and p-values, recomputed from the released embeddings (iEAT)."""

import math

import numpy as np
import pandas as pd
import pytest
from numpy.testing import assert_allclose

import vlmbias as vb
from vlmbias import paths

FOLDER = paths.mirror() and paths.mirror() / "ieat"
pytestmark = [
    pytest.mark.mirror,
    pytest.mark.skipif(
        not (FOLDER and FOLDER.is_dir()), reason="VLMBIAS_MIRROR has no folder ieat"
    ),
]
MODELS = {"igpt": "igpt_l_32", "simclr": "simclr_152_3x_sk1"}
CATEGORIES = {
    "Age": ("age", "valence"),
    "Gender-Career": ("gender", "gender"),
    "Insect-Flower": ("insect-flower", "valence"),
    "Weapon": ("weapon", "weapon"),
}


def vectors(category, name, model):
    table = pd.read_csv(
        FOLDER / "embeddings" / f"{category}_{name}_{MODELS[model]}.csv", index_col=0
    )
    return table.drop(columns="img", errors="ignore").to_numpy(np.float64)


@pytest.mark.parametrize("model", MODELS)
@pytest.mark.parametrize("test", CATEGORIES)
def test_published_values(test, model):
    published = (
        pd.read_csv(FOLDER / "output" / "results-full.csv")
        .set_index(["Test", "Model"])
        .loc[(test, model)]
    )
    targets, attributes = CATEGORIES[test]
    folders = {"X": targets, "Y": targets, "A": attributes, "B": attributes}
    groups = [vectors(folder, published[group], model) for group, folder in folders.items()]
    result = vb.eat(*groups)
    assert_allclose(result.effect_size, published["d"], rtol=0, atol=1e-9)
    other = vb.eat(*groups, ddof=0).effect_size  # the SD with N, which the chapter says it is not
    assert abs(other - published["d"]) > 1e-3
    if result.exact:  # one of the splits is the observed one: without it, there is one fewer
        assert_allclose(result.p_value, published["p"], rtol=0, atol=1e-9)
    else:  # two independent samples of 10,000
        p = max(result.p_value, 1e-4)
        assert abs(result.p_value - published["p"]) < 4 * math.sqrt(2 * p * (1 - p) / 10_000)
        approximate = vb.eat(*groups, method="saddlepoint").p_value
        assert abs(approximate - published["p"]) < 0.04 * approximate + 4 * math.sqrt(
            p * (1 - p) / 10_000
        )
