"""Facts that ship: each table is made anew from its original, where that is at hand, and is as it
is described."""

import csv
import hashlib
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
import yaml

from runner import plan
from studies.calibration import ieat
from studies.pretraining import downstream, model_zoo
from vlmbias import ledger, paths
from vlmbias.external import america, facts, zero_shot

FOLDER = paths.root() / "data/published"
MIRROR = paths.mirror()
NAMES = ["census_shares", "open_clip_zero_shot", "scaling_laws", "ieat_results"]


# --- against the originals ------------------------------------------------------------------------


def originals(name):
    """The originals of a table in the mirror, whose content is the one that was read."""
    about, found = facts.described()[name], {}
    if MIRROR is None or not (MIRROR / about.mirror).is_dir():
        pytest.skip(
            f"VLMBIAS_MIRROR has no folder {about.mirror}: the original of {name} is not here"
        )
    for one in about.originals:
        content = (MIRROR / about.mirror / one.path).read_bytes()
        assert hashlib.sha256(content).hexdigest() == one.sha256, one.path
        found[one.path.rpartition("/")[2]] = list(csv.DictReader(content.decode().splitlines()))
    if about.notice:
        assert (FOLDER / about.notice).read_bytes() == (
            MIRROR / about.mirror / "LICENSE"
        ).read_bytes()
    return found


def shipped(name):
    """The rows of a table, digit by digit."""
    with open(FOLDER / f"{name}.csv", newline="", encoding="utf-8") as table:
        return [tuple(row.values()) for row in csv.DictReader(table)]


@pytest.mark.mirror
def test_the_census_shares_are_the_released_ones():
    rows = originals("census_shares")["race_stats_df_proportional.csv"]
    made = [
        tuple(row[name] for name in ("", "White", "Black", "Asian", "Hispanic")) for row in rows
    ]
    assert shipped("census_shares") == sorted(made) and len(made) == 51


@pytest.mark.mirror
def test_the_zero_shot_results_are_those_of_open_clips_documentation():
    rows = originals("open_clip_zero_shot")["openclip_results.csv"]
    made = [
        tuple(row[name] for name in ("name", "pretrained", "params (M)", *zero_shot.ALIKE))
        for row in rows
    ]
    assert shipped("open_clip_zero_shot") == made and len(made) == 121


@pytest.mark.mirror
def test_the_published_association_tests_are_those_of_their_authors():
    rows = originals("ieat_results")["results-full.csv"]
    made = [
        tuple(row[name] for name in ("Test", "Model", "X", "Y", "A", "B", "d", "p", "n_t", "n_a"))
        for row in rows
    ]
    assert shipped("ieat_results") == sorted(made, key=lambda row: row[:2]) and len(made) == 117


@pytest.mark.mirror
def test_what_ships_of_the_scaling_laws_is_what_the_chapters_compute_of_them():
    rows = originals("scaling_laws")
    own = facts.table("scaling_laws").set_index(["of", "quantity"])["value"]
    made = downstream.of_scaling_laws(zero_shot.scaling_laws()).set_index(["of", "quantity"])[
        "value"
    ]
    counts = model_zoo.among_runs(zero_shot.scaling_runs())
    for of, value in counts.items():
        made.loc[(of, "number")] = value
    assert set(made.index) == set(own.index) and np.allclose(
        made[own.index], own, rtol=1e-6, atol=1e-9
    )
    results = pd.DataFrame(rows["zeroshot_results.csv"]).query(
        "name != 'openai' and downstream_dataset == 'vtab+'"
    )
    seen = np.log(results["samples_seen"].astype(float))
    assert own["pairs seen", "alone"] == pytest.approx(
        np.corrcoef(seen, results["acc1"].astype(float))[0, 1] ** 2
    )
    assert own["models", "number"] == len(results) == len(rows["trained_models_info.csv"])
    theirs = {float(row["acc1"]) for row in rows["zeroshot_results.csv"] if row["acc1"]}
    assert not theirs & set(own), "no value of the originals ships"


# --- as described ---------------------------------------------------------------------------------


def test_every_table_is_described_and_every_description_has_its_table():
    known = facts.described()
    assert list(known) == NAMES
    notices = {one.notice for one in known.values() if one.notice}
    assert {path.name for path in FOLDER.iterdir()} == {
        f"{name}.csv" for name in NAMES
    } | notices | {"index.yaml", "README.md"}
    for name, about in known.items():
        table = facts.table(name)
        assert len(table) == about.rows and not table.isna().any(axis=None)


def test_what_asks_for_its_notice_has_it_in_full():
    for about in facts.described().values():
        if about.licence == "MIT":
            text = (FOLDER / about.notice).read_text()
            assert (
                "Copyright (c)" in text
                and "Permission is hereby granted" in text
                and "AS IS" in text
            )
    of_weights = paths.root() / "data/models/LICENSE-open_clip.txt"
    assert of_weights.read_bytes() == (FOLDER / "LICENSE-open_clip.txt").read_bytes()


@pytest.mark.parametrize("page", ["data/published/README.md", "book/data.md"])
def test_pages_name_every_table_with_its_licence(page):
    lines = (paths.root() / page).read_text().splitlines()
    for name, about in facts.described().items():
        (line,) = [line for line in lines if line.startswith("|") and f"`{name}.csv`" in line]
        assert about.licence in line or about.computed
        assert about.citation.partition(",")[0] in line


def test_the_licence_file_excepts_every_table_of_others():
    text = (paths.root() / "LICENSE").read_text()
    for name, about in facts.described().items():
        assert (f"data/published/{name}.csv" in text) != about.computed, name
        assert about.notice in text


def test_the_shipped_tables_are_plausible():
    shares = america.released_census()
    assert np.allclose(shares.sum(axis=1), 1) and shares["black"].idxmax() == "District of Columbia"
    accuracies = (
        facts.table("open_clip_zero_shot")
        .drop(columns=["tag", "parameters"])
        .set_index("architecture")
    )
    assert not facts.table("open_clip_zero_shot").duplicated(["architecture", "tag"]).any()
    assert accuracies["ImageNet 1k"].corr(accuracies["ImageNet v2"]) > 0.99
    rows = facts.table("ieat_results")
    assert (
        not rows.duplicated(["test", "model"]).any()
        and rows.groupby("test")["model"].nunique().eq(3).all()
    )


def test_the_ledgers_rows_of_the_calibration_are_among_the_shipped_ones():
    values = ledger.load("calibration").set_index("id")["value"].astype(float)
    rows = facts.table("ieat_results").set_index(["test", "model"])
    for name, test in ieat.TESTS.items():
        for network in ieat.NETWORKS:
            own = rows.loc[(name, network)]
            assert own["n_target"] == test.n
            assert [values[f"ieat.{network}.{name.lower()}.{q}"] for q in "dp"] == pytest.approx(
                [own["d"], own["p"]]
            )


# --- when something is wrong ----------------------------------------------------------------------

ABOUT = {
    "citation": "A (2020), B",
    "repository": "github.com/a/b",
    "commit": "a" * 40,
    "mirror": "b",
    "originals": [{"path": "x.csv", "sha256": "b" * 64}],
    "licence": "CC0",
    "taken": "all",
    "rows": 2,
    "columns": {"name": "text", "d": "number", "p": "share", "n": "count"},
}
TABLE = "name,d,p,n\none,-0.5,0,3\ntwo,1e-3,1,40\n"


@pytest.fixture
def written(tmp_path, monkeypatch):
    """Write a table and its description where `facts` looks."""
    monkeypatch.setattr(paths, "data", lambda: tmp_path)
    (tmp_path / "published").mkdir()

    def write(table=TABLE, **change):
        (tmp_path / "published/index.yaml").write_text(
            yaml.safe_dump({"mine": ABOUT | change}, sort_keys=False)
        )
        (tmp_path / "published/mine.csv").write_text(table)

    return write


def test_columns_come_in_their_types(written):
    written()
    found = facts.table("mine")
    assert (
        found["d"].tolist() == [-0.5, 0.001]
        and found["n"].tolist() == [3, 40]
        and found["n"].dtype == int
    )
    assert found["name"].tolist() == ["one", "two"] and found["p"].tolist() == [0, 1]


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        (
            "name,d,p,n",
            "name,d,q,n",
            "mine.csv must have 2 rows of name, d, p, n; it has 2 of name, d, q, n",
        ),
        ("two,1e-3,1,40\n", "", "must have 2 rows .* it has 1"),
        ("one,", ",", "name in line 2 is '', not a text"),
        ("-0.5", "", "d in line 2 is '', not a number"),
        ("1e-3", "inf", "d in line 3 is 'inf', not a number"),
        ("1e-3", "x", "d in line 3 is 'x', not a number"),
        (",1,40", ",1.01,40", "p in line 3 is '1.01', not a share"),
        (",0,3", ",NA,3", "p in line 2 is 'NA', not a share"),
        (",40", ",4.5", "n in line 3 is '4.5', not a count"),
        (",0,3", ",0,0", "n in line 2 is '0', not a count"),
    ],
)
def test_a_table_that_is_not_as_described_is_named(written, old, new, message):
    written(TABLE.replace(old, new, 1))
    with pytest.raises(ValueError, match=message):
        facts.table("mine")


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"licence": "MIT"}, "asks for its notice"),
        ({"commit": "abc"}, "commit"),
        ({"originals": []}, "originals"),
        ({"columns": {"name": "words"}}, "columns.name"),
        ({"licens": "x"}, "licens"),
        ({"rows": 0}, "rows"),
    ],
)
def test_a_malformed_description_names_file_and_rule(written, change, message):
    written(**change)
    with pytest.raises(ValueError, match=rf"published/index\.yaml:\d+: .*{message}"):
        facts.table("mine")


def test_an_unknown_name_lists_the_known_ones(written):
    written()
    with pytest.raises(ValueError, match="no published facts 'other'; there are mine"):
        facts.table("other")


# --- what reruns ----------------------------------------------------------------------------------

READ_BY = {"census_shares": "released_census(", "open_clip_zero_shot": "zero_shot.open_clip("}


@pytest.mark.parametrize("notebook", plan.notebooks())
def test_a_changed_table_reruns_the_notebooks_that_use_it_and_no_other(notebook):
    files = {f"data/published/{name}.csv": "0" for name in NAMES} | {
        "data/published/README.md": "0"
    }
    read = {
        Path(name).stem
        for name in plan.record(notebook, plan.settings("greenhouse"), files=files)["files"]
        if name.startswith("data/published/")
    }
    used = {
        "american_white/states": {"census_shares"},
        "american_white/implicit_bias": {"census_shares"},
        "pretraining/downstream": {"open_clip_zero_shot", "scaling_laws"},
        "pretraining/model_zoo": {"open_clip_zero_shot", "scaling_laws"},
        "calibration/ieat": {"ieat_results"},
    }
    assert read == used.get(notebook, set())
    text = plan.source(notebook).read_text()
    assert all(name in read for name, call in READ_BY.items() if call in text)
