"""Published zero-shot results: which rows are one training, which data a tag names, and the
published average."""

import numpy as np
import pandas as pd
import pytest

from vlmbias import sources
from vlmbias.external import zero_shot


@pytest.fixture
def written(tmp_path, monkeypatch):
    """Tables of our own in the place of the published ones."""

    def write(name, table):
        table.to_csv(tmp_path / name, index=False)

    monkeypatch.setattr(sources, "path", lambda key, file: tmp_path / file.rpartition("/")[2])
    return write


def test_one_row_per_training_and_the_mean_of_its_tasks():
    names = [
        ("RN50", "openai"),
        ("RN50-quickgelu", "openai"),
        ("ViT-B-32", "laion400m_e31"),
        ("ViT-B-32", "laion400m_e32"),
        ("ViT-B-32-quickgelu", "metaclip_400m"),
        ("ViT-H-14-quickgelu", "dfn5b"),
        ("ViT-B-32", "somebody_else"),
        ("ViT-B-32", "commonpool_s_image_s13m_b4k"),
    ]
    rng = np.random.default_rng(0)
    tasks = pd.DataFrame(rng.uniform(size=(8, 28)), columns=list(zero_shot.TASKS))
    table = pd.DataFrame(names, columns=["architecture", "tag"]).assign(
        **{"parameters": range(100, 108), "GeoDE": 9.0}, **tasks
    )
    found = zero_shot.trainings(table)
    assert found["model"].tolist() == [
        "RN50/openai",
        "ViT-B-32/laion400m_e32",
        "ViT-B-32-quickgelu/metaclip_400m",
        "ViT-H-14-quickgelu/dfn5b",
        "ViT-B-32/somebody_else",
    ]
    assert found["parameters"].tolist() == [100, 103, 104, 105, 106]
    assert found["performance"].tolist() == pytest.approx(
        [sum(row) / 28 for row in tasks.iloc[[0, 3, 4, 5, 6]].values.tolist()]
    )
    assert found["dataset"].tolist() == ["openai_wit", "laion", "metaclip", "dfn", "somebody_else"]


def test_the_scaling_laws_are_turned_into_one_row_per_model(written):
    long = [
        ("a.pt", "ViT-B-32", 3e9, "LAION-80M", task, 0.1 * n)
        for n, task in enumerate(["mnist", "vtab", "vtab+"], 1)
    ]
    long += [
        ("b.pt", "ViT-L-14", 13e9, "LAION-2B", task, 0.2 * n)
        for n, task in enumerate(["mnist", "vtab", "vtab+"], 1)
    ]
    long += [("openai", "ViT-L-14", 13e9, "CLIP-WIT", "mnist", 0.9)]
    columns = ["name", "arch", "samples_seen", "upstream_dataset", "downstream_dataset", "acc1"]
    written("zeroshot_results.csv", pd.DataFrame(long, columns=columns))
    written(
        "arch_info.csv",
        pd.DataFrame({"model": ["ViT-L-14", "ViT-B-32"], "mparams": [427.6, 151.3]}),
    )
    found = zero_shot.scaling_laws().set_index("model")
    assert found.loc["a.pt"].tolist() == ["ViT-B-32", 151.3, 80, 3000, pytest.approx(0.3), 0.1]
    assert found.loc["b.pt"].tolist() == ["ViT-L-14", 427.6, 2000, 13_000, pytest.approx(0.6), 0.2]
