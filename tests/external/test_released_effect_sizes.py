"""The reader of the released effect sizes, on files of the simulated twin in the released layout,
whole and damaged."""

import numpy as np
import pandas as pd
import pytest
import released_layout
from hypothesis import given, settings
from hypothesis import strategies as st

import vlmbias as vb
from studies.pretraining import downstream, twin
from studies.pretraining import effect_sizes as study
from vlmbias.external import study_table

CLAIMS = vb.ledger.load("pretraining")
CELLS, R = study.cells(CLAIMS), downstream.printed(CLAIMS)["r"].to_dict()


@pytest.fixture(scope="module")
def whole(tmp_path_factory):
    path = tmp_path_factory.mktemp("released") / "table.csv"
    released_layout.write(twin.generate(CELLS, R), path)
    return path


@pytest.fixture(scope="module")
def few(whole, tmp_path_factory):
    """The rows of three models."""
    table = pd.read_csv(whole, index_col=0)
    path = tmp_path_factory.mktemp("few") / "few.csv"
    table[table["model"].isin(["simulated-001", "simulated-050", "simulated-131"])].to_csv(path)
    return path


@pytest.mark.parametrize("stimuli", ["new", "old"])
def test_what_the_twin_writes_is_read_as_the_twin(tmp_path, stimuli):
    table = twin.generate(CELLS, R, stimuli=stimuli, seed=2)
    released_layout.write(table, tmp_path / "table.csv")
    found = study_table.read(tmp_path / "table.csv")
    pd.testing.assert_frame_equal(found[list(table)], table)
    assert list(found)[:14] == list(study_table.COLUMNS) and found["p_value"].between(0, 1).all()
    name = {"new": "nrc-oasis", "old": "seat-ieat"}[stimuli]
    assert study_table.behind(found) == {"stimuli": f"simulated/{name}", "model": "simulated"}
    ends = ("half of the names", "names", "terms")
    named = {f"race/{order}/{end}" for order in ("all-text", "text-target") for end in ends}
    named |= {"race/all-image", "race/image-target"}
    assert set(found.loc[found["category"] == "race", "test"]) == named
    theirs = found.assign(stimuli=name)
    assert study_table.behind(theirs) == {"stimuli": name, "model": "131 CLIP models"}


def test_models_with_no_performance_keep_their_rows(few, tmp_path):
    table = pd.read_csv(few, index_col=0)
    table.loc[table["model"] == "simulated-050", "vtab+"] = np.nan
    table.to_csv(tmp_path / "table.csv")
    found = study_table.read(tmp_path / "table.csv", models=3)
    missing = found["performance"].isna().groupby(found["model"]).sum()
    assert missing.tolist() == [0, 26, 0]


def put(column, value, row=5):
    def change(table):
        table = table.astype({column: object})
        table.iloc[row, table.columns.get_loc(column)] = value
        return table

    return change


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda t: pd.concat([t, t.iloc[[3]]]), "simulated-001, .* twice, again in line 80"),
        (lambda t: t.iloc[1:], "26 tests of every model.* 25 of simulated-001"),
        (lambda t: t[t["order"] != "all text"], "26 tests of every model; it has 18"),
        (lambda t: t[t["model"] != "simulated-001"], "3 models.*; it has 2"),
        (put("effect_size", "2.5"), "effect_size in line 7 is '2.5', not a number from -2 to 2"),
        (put("nt", "6.5"), "nt in line 7 is '6.5', not a whole number from 2"),
        (put("vtab+", "62"), r"vtab\+ in line 7 is '62', not a number from 0 to 1"),
        (put("vtab+", ""), "simulated-001 disagree about its performance"),
        (put("architecture", "RN50"), "simulated-001 disagree about its architecture_name"),
        (put("params", "151290000"), "log_params in line 7 .* not the logarithm of params"),
        (put("pretraining_dataset_size", "1e9"), "not the logarithm of pretraining_dataset_size"),
        (put("order", "text"), "order in line 7 is 'text', not one of all image, all text"),
        (put("Image Test", "Religion/Valence"), "Image Test in line 7 is 'Religion/Valence'"),
        (put("Image Test", "Age/Valence", 0), "text_file in line 2 is .*same Image Test"),
        (put("naa", "215", 8), "mixes the attributes of NRC-VAD with others"),
    ],
)
def test_damage_is_named(few, tmp_path, change, message):
    change(pd.read_csv(few, index_col=0, dtype=str, keep_default_na=False)).to_csv(
        tmp_path / "table.csv"
    )
    with pytest.raises(ValueError, match=message):
        study_table.read(tmp_path / "table.csv", models=3)


@settings(max_examples=40, deadline=None)
@given(place=st.integers(0, 20_000), cut=st.integers(0, 40), new=st.binary(max_size=6))
def test_whatever_happens_to_a_file_it_is_refused_or_it_is_a_table(
    few, tmp_path_factory, place, cut, new
):
    content = few.read_bytes()
    place %= len(content)
    path = tmp_path_factory.getbasetemp() / "damaged.csv"
    path.write_bytes(content[:place] + new + content[place + cut :])
    try:
        found = study_table.read(path, models=3)
    except ValueError as problem:
        assert str(path) in str(problem)
        return
    assert len(found) == 78 and found["effect_size"].between(-2, 2).all()
    assert not found.duplicated(["model", "test"]).any()
    assert (
        found[["parameters", "dataset_size", "n_x"]].gt(0).all().all()
        and found["test"].nunique() == 26
    )
    assert (found.groupby("model")[["dataset", "performance"]].nunique() <= 1).all().all()


# --- families -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "family"),
    [
        ("coca_ViT-L-14", "CoCa Models"),
        ("EVA01-g-14-plus", "EVA Models"),
        ("nllb-clip-base-siglip", "NLLB-CLIP Models"),
        ("xlm-roberta-large-ViT-H-14", "Hybrid Models with Text Encoders"),
        ("convnext_large_d_320", "ConvNeXt Models"),
        ("RN50x64", "ResNet Models"),
        ("ViT-SO400M-14-SigLIP", "Specialized ViT Models"),
        ("ViT-H-14-378-quickgelu", "ViT Models"),
        ("MobileCLIP-S1", "Other Models"),
    ],
)
def test_the_first_rule_that_fits_names_the_architecture(name, family):
    assert study_table.architecture_family(name) == family


@pytest.mark.parametrize(
    ("name", "released", "described"),
    [
        ("commonpool_xl_laion_filtered", "laion", "commonpool"),
        ("commonpool_xl_clip_filtered", "commonpool", "commonpool"),
        ("mscoco_finetuned_laion2b", "laion", "laion"),
        ("dfn5b", "dfn", "dfn"),
        ("redcaps", "redcaps", "redcaps"),
    ],
)
def test_data_families_as_released_and_as_described(name, released, described):
    assert study_table.dataset_family(name) == released
    assert study_table.dataset_family(name, "ViT-L-14", rules="described") == described


def test_the_described_families_have_the_texts_counts(whole):
    found = (
        study_table.read(whole, rules="described")
        .drop_duplicates("model")["dataset"]
        .value_counts()
    )
    named = ["openai_wit", "commonpool", "laion", "webli", "not stated"]
    assert found[named].tolist() == [9, 21, 57, 9, 4]
    with pytest.raises(ValueError, match="rules must be one of released, described, got 'printed'"):
        study_table.dataset_family("laion2b", rules="printed")
