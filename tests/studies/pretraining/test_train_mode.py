"""Made-up layers, configurations, tables and vectors; slow versions count one thing at a time."""

import hashlib
import json
from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest

from greenhouse.train import recipe
from greenhouse.world.bias import DATA
from studies.pretraining import train_mode as study

RESNET = {"vision_cfg": {"layers": [3, 4, 6, 3]}, "text_cfg": {}}
PLAIN = {
    "vision_cfg": {"layers": 12, "timm_drop": 0.0, "patch_dropout": None},
    "text_cfg": {"layers": 12},
}
STOCHASTIC = {
    "vision_cfg": {"timm_model_name": "convnext", "timm_drop": 0.0, "timm_drop_path": 0.1},
    "text_cfg": {},
}
HUGGING = {"vision_cfg": {"layers": 12}, "text_cfg": {"hf_model_name": "roberta-base"}}


@pytest.mark.parametrize(
    ("config", "expected"),
    [
        (RESNET, study.BATCH),
        (PLAIN, ""),
        (STOCHASTIC, study.CHANCE),
        (HUGGING, study.CHANCE),
        ({"vision_cfg": {"layers": 12}}, ""),
        ({"vision_cfg": {"layers": 12, "patch_dropout": 0.5}}, study.CHANCE),
    ],
)
def test_a_configuration_says_what_train_mode_depends_on(config, expected):
    assert study.of_architecture(config) == expected


def test_a_census_counts_weights_and_architectures():
    configs = {"RN50": RESNET, "RN101": RESNET, "ViT": PLAIN, "conv": STOCHASTIC, "nllb": HUGGING}
    weights = [
        ("RN50", "a"),
        ("RN50", "b"),
        ("ViT", "a"),
        ("ViT", "b"),
        ("RN50", "c"),
        ("RN101", "a"),
        ("nllb", "x"),
    ]
    found = study.census(weights, configs)
    assert found.loc[study.BATCH].tolist() == [4, 2, "RN50/a, RN50/b, RN50/c"]
    assert found.loc[study.CHANCE].tolist() == [1, 1, "nllb/x"]


def table_with(d, gap=None):
    table = pd.DataFrame(
        {
            "category": [f"c{k}" for k in range(len(d))],
            "order": "all-image",
            "targets": "faces",
            "d": d,
        }
    )
    return table.assign(gap=[one / 10 for one in d] if gap is None else gap, p=0.5)


def test_both_modes_stand_side_by_side_test_by_test():
    evaluated, trained = table_with([0.5, -1.0, 1.5]), table_with([0.4, 1.0, 1.5])
    found = study.compared(evaluated, trained.iloc[::-1])
    assert found["category"].tolist() == ["c0", "c1", "c2"]
    assert found["d, eval"].tolist() == [0.5, -1.0, 1.5] and found["d, train"].tolist() == [
        0.4,
        1.0,
        1.5,
    ]
    assert found["gap, train"].tolist() == pytest.approx([0.04, 0.1, 0.15])
    assert found["change"].tolist() == pytest.approx([-0.1, 2.0, 0.0])


def test_what_the_mode_does_to_all_tests_of_a_network():
    moved = study.compared(
        table_with([0.5, -1.0, 1.5, 0.1], gap=[3, -2, 1, 1]),
        table_with([0.1, 1.0, 1.5, 0.4], gap=[1, 4, 1, -2]),
    )
    same = study.compared(table_with([0.5, 0.3]), table_with([0.5 + 1e-7, 0.3], gap=[0.01, 0.01]))
    found = study.summary({"moved": moved, "same": same})
    row = found.loc["moved"]
    assert row[["tests", "changed", "turned", "shrunk"]].tolist() == [4, 3, 1, 1]
    assert row["typical"] == pytest.approx(np.sqrt((0.16 + 4 + 0.09) / 4)) and row[
        "largest"
    ] == pytest.approx(2.0)
    assert row["above, eval"] == 0.5 and row["above, train"] == 0.75
    assert found.loc["same", ["tests", "changed", "turned", "shrunk"]].tolist() == [2, 0, 0, 0]
    assert study.summary({"same": same}, exact=1e-9).loc["same", "changed"] == 1


def test_a_picture_is_found_again_or_not():
    evaluated = np.eye(3)
    trained = np.array([[0.6, 0.8, 0.0], [0.0, 1.0, 0.0], [0.0, 0.6, 0.8]])
    found = study.itself(evaluated, trained)
    assert found["same"] == pytest.approx((0.6 + 1 + 0.8) / 3) and found["found"] == pytest.approx(
        2 / 3
    )
    assert found["other"] == 0
    tilted = np.array([[1.0, 0.0], [0.6, 0.8], [0.0, 1.0]])
    assert study.itself(tilted, tilted)["other"] == pytest.approx((0.6 + 0 + 0.8) / 3)


@pytest.mark.parametrize("sorted_", [True, False])
def test_batches_hold_every_picture_once(sorted_):
    groups = ["teal"] * 7 + ["amber"] * 5
    found = study.batches(groups, 4, sorted_=sorted_, seed=1)
    assert sorted(np.concatenate(found).tolist()) == list(range(12)) and max(map(len, found)) == 4
    mixed = [len({groups[row] for row in rows}) > 1 for rows in found]
    assert any(mixed) is not sorted_
    assert [len(rows) for rows in found] == ([4, 3, 4, 1] if sorted_ else [4, 4, 4])
    again = study.batches(groups, 4, sorted_=sorted_, seed=2)
    assert [rows.tolist() for rows in again] != [rows.tolist() for rows in found]


def test_the_shipped_resnet_is_the_one_of_its_card_and_recipe():
    folder = DATA / "resnet"
    about = SimpleNamespace(**json.loads((folder / "card.json").read_text(encoding="utf-8")))
    assert (
        hashlib.sha256((folder / "model.safetensors").read_bytes()).hexdigest()
        == about.weights_sha256
    )
    assert about.recipe_hash == recipe.read("resnet").hash() and about.seed == 1
    assert about.accepted and about.b == 1 and (folder / "model.safetensors").stat().st_size < 3e6
    assert (
        about.truth["bias_sha256"] == hashlib.sha256((DATA / "bias.yaml").read_bytes()).hexdigest()
    )
