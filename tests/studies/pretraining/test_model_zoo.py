"""Made-up weights, counts and networks; slow versions go through one name, draw and network at a
time."""

import numpy as np
import pandas as pd
import pytest
from scipy import stats

import vlmbias as vb
from studies.pretraining import model_zoo as study
from vlmbias.external import registry, study_table

# --- names ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("architecture", "tag", "data", "filtered"),
    [
        ("RN50", "openai", "openai_wit", ""),
        ("ViT-B-32", "laion2b_e16", "laion2b", ""),
        ("ViT-B-32", "commonpool_s_clip_s13m_b4k", "commonpool_s", "clip"),
        ("ViT-B-32", "commonpool_s_s13m_b4k", "commonpool_s", ""),
        ("ViT-L-14", "commonpool_xl_laion_s13b_b90k", "commonpool_xl_laion_filtered", "laion"),
        ("ViT-L-14", "commonpool_xl_s13b_b90k", "commonpool_xl", ""),
        ("ViT-B-32", "datacomp_s_s13m_b4k", "datacomp_s", ""),
        ("ViT-B-32-256", "datacomp_s34b_b86k", "datacomp1b", ""),
        ("ViT-B-16", "datacomp_xl_s13b_b90k", "datacomp1b", ""),
        ("ViT-L-14-CLIPA", "datacomp1b", "datacomp1b", ""),
        ("coca_ViT-B-32", "mscoco_finetuned_laion2b_s13b_b90k", "mscoco_finetuned_laion2b", ""),
        ("xlm-roberta-large-ViT-H-14", "frozen_laion5b_s13b_b90k", "laion5b", ""),
        ("ViT-B-16-SigLIP", "webli", "webli", ""),
        ("ViT-B-16-SigLIP-i18n-256", "webli", "webli_multilingual", ""),
        ("nllb-clip-base", "v1", "openai_wit", ""),
        ("nllb-clip-large-siglip", "v1", "webli", ""),
        ("PE-Core-B-16", "meta", "", ""),
        ("convnext_base_w", "laion_aesthetic_s13b_b82k", "laion_aesthetic", ""),
    ],
)
def test_a_tag_says_data_and_filter(architecture, tag, data, filtered):
    assert registry.data_of(architecture, tag) == data and registry.filter_of(tag) == filtered


def test_the_rebuilt_list_has_the_printed_counts_but_for_four_laion_vits():
    listed = registry.listed("2.24.0")
    filtered = study.kept(listed)
    reasons = {
        "": 98,
        "also by Cherti et al.": 8,
        "same weights, QuickGELU": 7,
        "31 epochs": 5,
        "largest ConvNeXt": 3,
    }
    assert filtered["left_out"].value_counts().to_dict() == reasons
    assert (study.kept(listed, keep_frozen=False)["left_out"] == "frozen").sum() == 1
    models = pd.concat(
        [filtered[filtered["left_out"] == ""], study.cherti()], ignore_index=True
    ).fillna({"tag": ""})
    printed = vb.ledger.load("pretraining").set_index("id")["value"]
    assert set(models["data"]) == set(printed["model_zoo.datasets"].split(", "))
    assert set(models["architecture"]) == set(printed["model_zoo.architectures"].split(", "))
    found = study.claims(
        models, study_table.architecture_family, study_table.dataset_family, tests=26
    )
    off = {name: int(printed[f"model_zoo.{name}"]) - n for name, n in found.items()}
    assert {name: n for name, n in off.items() if n} == {"rows.vit": 4 * 26, "rows.laion": 4 * 26}
    assert len(off) == 2 + 8 + 10 and found["convolutional"] == 17 and found["openai-wit"] == 9


def test_models_are_looked_for_among_runs():
    models = study.cherti()
    runs = pd.concat(
        [models.head(3), models.head(1), models.tail(1).assign(samples="3B")], ignore_index=True
    )
    assert study.among_runs(runs).to_dict() == {"runs": 4, "models among the runs": 3}


def test_releases_grow_and_the_stated_one_lacks_most():
    sizes = {release: len(registry.listed(release)) for release in registry.RELEASES}
    assert list(sizes.values()) == sorted(sizes.values()) and sizes == {
        "2.16.0": 55,
        "2.23.0": 115,
        "2.24.0": 121,
        "2.26.1": 142,
    }
    assert not registry.listed("2.16.0")["architecture"].str.contains("SigLIP").any()
    with pytest.raises(ValueError, match=r"no list of open_clip '2\.20\.0'; there are 2\.16\.0"):
        registry.listed("2.20.0")


def test_families_are_set_beside_the_printed_rows():
    models = pd.DataFrame({"data": ["a1", "a2", "b1", "c9"]})
    table = study.families(models, {"b": 4, "a": 6, "d": 2}, lambda name: name[0], "data", tests=2)
    assert table.to_dict("index") == {
        "a": {"printed": 3, "here": 2, "missing": 1},
        "b": {"printed": 2, "here": 1, "missing": 1},
        "d": {"printed": 1, "here": 0, "missing": 1},
    }
    assert table.index.tolist() == ["a", "b", "d"]


def test_names_with_several_keywords_and_models_alike():
    keywords = ("laion", "webli", "commonpool", "dfn")
    found = study.ambiguous(["x_laion", "commonpool_laion", "dfn", "laion_dfn_webli"], keywords)
    assert found.values.tolist() == [
        ["commonpool_laion", "laion", "commonpool"],
        ["laion_dfn_webli", "laion", "webli, dfn"],
    ]
    models = pd.DataFrame({"architecture": list("AABBBC"), "data": list("xxyyyz")})
    assert study.alike(models).to_dict() == {"models": 5, "groups": 2, "largest": 3}
    assert study.alike(models.assign(data=list("xyyyzz"))).to_dict() == {
        "models": 2,
        "groups": 1,
        "largest": 2,
    }


# --- families of networks -------------------------------------------------------------------------


@pytest.fixture(scope="module")
def networks():
    rng = np.random.default_rng(5)
    b = np.repeat([0.0, 1.0], [60, 12])
    return pd.DataFrame(
        {"b": b, "gap": 2 * b + rng.normal(0, 0.5, 72), "d": b + rng.normal(0, 0.5, 72)}
    )


def test_a_mixed_family_shows_its_share(networks):
    table = study.mixed(networks, size=10, shares=[0.0, 0.5, 1.0], draws=600, seed=1).set_index(
        ["quantity", "share"]
    )
    for name in ("gap", "d"):
        with_it, without = (networks.loc[networks["b"] == b, name].mean() for b in (1.0, 0.0))
        for share in (0.0, 0.5, 1.0):
            row = table.loc[(name, share)]
            assert (
                abs(row["mean"] - share * (with_it - without)) < 0.03
                and row["low"] < row["mean"] < row["high"]
            )
    found = table["found"].unstack("share")
    assert (
        (found[0.0] < 0.03).all()
        and (found[1.0] > 0.8).all()
        and (found[0.5].between(0.05, 0.99)).all()
    )
    assert found.loc["gap", 0.5] > found.loc["d", 0.5]


def test_found_is_welchs_test_on_the_same_draw(networks):
    uneven = networks.assign(d=np.where(networks["b"] == 1, 8, 1) * (networks["d"] - networks["b"]))
    rng = np.random.default_rng(3)
    with_it, without = (uneven.loc[uneven["b"] == b, ["gap", "d"]].to_numpy() for b in (1.0, 0.0))
    with_it, without = with_it[rng.permutation(12)], without[rng.permutation(60)]
    p, pooled = (
        stats.ttest_ind(with_it, without[:12], equal_var=same).pvalue[1] for same in (False, True)
    )
    level = (p + pooled) / 2
    assert pooled < level < p  # so that Student's test would find what Welch's does not
    whole = study.mixed(uneven, size=12, shares=[1.0], draws=1, seed=3, alpha=level).set_index(
        "quantity"
    )
    assert whole["found"].tolist() == [1.0, 0.0]
    assert np.allclose(whole["mean"], with_it.mean(axis=0) - without[:12].mean(axis=0))
    with pytest.raises(ValueError, match="13 networks with b = 1 are needed of 12"):
        study.mixed(networks, size=13, shares=[1.0], draws=1, seed=3)
    with pytest.raises(ValueError, match="62 networks with b = 0 are needed of 60"):
        study.mixed(networks, size=31, shares=[0.0], draws=1, seed=3)
