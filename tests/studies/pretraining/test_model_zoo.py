"""The list of models, against the counts that the authors printed."""

import pandas as pd
import pytest

import vlmbias as vb
from studies.pretraining import model_zoo as study
from vlmbias.external import registry, study_table


@pytest.mark.parametrize(
    ("architecture", "tag", "data", "filtered"),
    [
        ("ViT-B-32", "commonpool_s_clip_s13m_b4k", "commonpool_s", "clip"),
        ("ViT-L-14", "commonpool_xl_laion_s13b_b90k", "commonpool_xl_laion_filtered", "laion"),
        ("ViT-L-14", "commonpool_xl_s13b_b90k", "commonpool_xl", ""),
        ("ViT-B-32", "datacomp_s_s13m_b4k", "datacomp_s", ""),
        ("ViT-B-32-256", "datacomp_s34b_b86k", "datacomp1b", ""),
        ("ViT-B-16-SigLIP-i18n-256", "webli", "webli_multilingual", ""),
        ("nllb-clip-large-siglip", "v1", "webli", ""),
        ("PE-Core-B-16", "meta", "", ""),
        ("convnext_base_w", "laion_aesthetic_s13b_b82k", "laion_aesthetic", ""),
    ],
)
def test_a_tag_says_data_and_filter(architecture, tag, data, filtered):
    assert registry.data_of(architecture, tag) == data
    assert registry.filter_of(tag) == filtered


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
    here = pd.concat(
        [
            models["architecture"].map(study_table.architecture_family),
            models["data"].map(study_table.dataset_family),
        ]
    ).value_counts()
    rows = vb.ledger.load("pretraining").query("id.str.startswith('model_zoo.rows.')")
    off = rows.set_index("subject")["value"].astype(int) - 26 * here
    assert off[off != 0].to_dict() == {"ViT Models": 4 * 26, "laion": 4 * 26}
    assert len(off) == 8 + 10
    assert models["tag"].eq("openai").sum() == 9


def test_a_release_lists_what_it_and_earlier_ones_have():
    sizes = [len(registry.listed(release)) for release in registry.RELEASES]
    assert sizes == sorted(set(sizes))
    assert not registry.listed("2.16.0")["architecture"].str.contains("SigLIP").any()
    with pytest.raises(ValueError, match=r"no list of open_clip '2\.20\.0'; there are 2\.16\.0"):
        registry.listed("2.20.0")
