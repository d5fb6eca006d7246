"""Facts that ship: each table is made anew from its originals, where these are at hand, and is as
it is described."""

import hashlib
import re
import runpy
from itertools import combinations
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
import yaml

import vlmbias as vb
from runner import plan
from studies.calibration import ieat
from studies.pretraining import downstream, model_zoo
from vlmbias import ledger, paths
from vlmbias.external import facts, zero_shot

FOLDER = paths.root() / "data/published"
MIRROR = paths.mirror()
MAKE = runpy.run_path(str(FOLDER / "make.py"))
MADE = {make.__name__: make for make in MAKE["TABLES"]}
BY_HAND = {
    "scaling_laws",
    "clip_paper_rates",
}  # by `of_scaling_laws` and `among_runs`; from a printed page


# --- against the originals ------------------------------------------------------------------------


def mirrored(name):
    """The folder of the originals of a table, whose content is the one that was read."""
    about = facts.described()[name]
    if MIRROR is None or not (MIRROR / about.mirror).is_dir():
        pytest.skip(
            f"VLMBIAS_MIRROR has no folder {about.mirror}: the original of {name} is not here"
        )
    for one in about.originals:
        content = (MIRROR / about.mirror / one.path).read_bytes()
        assert hashlib.sha256(content).hexdigest() == one.sha256, one.path
    return MIRROR / about.mirror


@pytest.mark.mirror
@pytest.mark.parametrize(
    "name",
    [
        pytest.param(name, marks=pytest.mark.long) if name == "vit_l14_rankings" else name
        for name in MADE  # the rankings are resampled: three quarters of a minute
    ],
)
def test_a_table_is_made_anew_letter_by_letter(name):
    mirrored(name)
    made = MAKE["text"](MADE[name](MIRROR))
    assert made == (FOLDER / f"{name}.csv").read_text("utf-8")


def test_contrasts_are_differences_of_the_means_and_no_small_group_is_shown():
    means = facts.table("cfd_valence")
    assert means["n"].min() >= 20
    at = means.set_index(["unit", "what", "model", "group"])["mean"]
    for row in facts.table("cfd_contrasts").itertuples():
        place = row.unit, row.what, row.model
        assert row.difference == pytest.approx(
            at[(*place, row.group)] - at[(*place, row.minus)], abs=2e-5 * abs(at).max()
        )
        assert row.low <= row.difference <= row.high
    neutral = means.query("what == 'neutral' and unit == 'd' and model == 'RN50'")
    four = neutral[neutral["group"].str.split().str[0].isin(["Asian", "Black", "Latino", "White"])]
    assert four["n"].sum() == 597  # the portraits of Wolfe and Caliskan (2022)


def test_answers_from_either_order_of_the_options_are_those_that_the_authors_merged():
    one = facts.table("answers").set_index(["model", "measure"])
    other = facts.table("answers_by_change").query("changed == 'picture and word'")
    other = other.set_index(["model", "measure"])
    for measure in ("by answer", "by probability", "answer − probability"):
        both = (table.xs(measure, level="measure") for table in (one, other))
        merged, apart = (table[["value", "low", "high"]] for table in both)
        assert np.allclose(merged, apart.loc[merged.index], atol=0.005), measure
    places = [f"right answers, right option {place}" for place in ("first", "second")]
    first, second = (other.xs(place, level="measure")["value"] for place in places)
    right = one.xs("right answers", level="measure")["value"]
    assert np.allclose((first + second)[right.index] / 2, right, atol=0.01)
    moved = one.xs("right answers of an occupation moved by option order", level="measure")["value"]
    assert ((first - second).abs()[moved.index] <= moved + 0.01).all()


@pytest.mark.mirror
def test_gender_and_rankings_of_photographs_are_those_of_the_books_own_measures():
    mirrored("vit_l14_gender")
    labels, cosines = MAKE["fairface_cosines"](MIRROR)
    man, woman = MAKE["SENTENCES"]
    wrong = facts.table("vit_l14_gender").set_index(["training", "race", "gender"])
    own = cosines["OpenAI"]
    slow = sum(
        own.loc[file, woman] >= own.loc[file, man]
        for file, one in labels.iterrows()
        if (one["race"], one["gender"]) == ("Black", "men")
    )
    assert wrong.loc[("OpenAI", "Black", "men"), "wrong"] == slow
    assert wrong.groupby("training")["n"].sum().eq(len(labels)).all()
    found = facts.table("vit_l14_rankings")
    shares = labels["race"].value_counts(normalize=True)
    scores = cosines["LAION-2B"][man]
    mine = found.query("training == 'LAION-2B' and of == 'race' and sentence == @man")
    mine = mine.set_index("measure")["value"]
    for race, value in vb.skew_at_k(scores, labels["race"], 1000, desired=shares).items():
        assert mine[f"skew@1000 of {race}"] == pytest.approx(value, rel=1e-4)
    assert mine["NDKL"] == pytest.approx(vb.ndkl(scores, labels["race"], desired=shares), rel=1e-4)
    assert (found["low"] <= found["high"]).all() and (
        found["chance_low"] < found["chance_high"]
    ).all()


def of_scaling_laws(laws):
    """All that ships of these models' results, which do not: value by what it is of and quantity.

    The authors' code averages a list of tasks that has one twice and one not at all.
    """
    factors = {"data size": "dataset_size", "parameters": "parameters", "pairs seen": "samples"}
    logs = {name: np.log(laws[column]) for name, column in factors.items()}
    parts = downstream.explained(
        laws.assign(**logs, performance=laws["published"]),
        {name: [name] for name in factors},
        n_resamples=200,
    )
    tasks = laws.iloc[:, 6:]
    tasks = tasks.loc[:, [tasks[name].between(0, 1).all() for name in tasks]]
    twice, omitted = "vtab/dsprites_label_x_position", "vtab/smallnorb_label_elevation"
    code = tasks[[name for name in tasks if name != omitted] + [twice]].mean(axis=1)
    apart = code - laws["published"]
    found = parts.set_index("factor").stack().rename_axis(["of", "quantity"])
    found["models", "number"], found["tasks", "number"] = tasks.shape
    found["released average", "mean difference"] = apart.mean()
    found["released average", "sd of the difference"] = apart.std()
    found["released average", "r"] = code.corr(laws["published"])
    distance = (tasks.mean(axis=1) - laws["published"]).abs()
    found["described average", "largest difference"] = distance.max()
    return found


@pytest.mark.mirror
def test_what_ships_of_the_scaling_laws_is_what_the_chapters_compute_of_them():
    folder, paths_of = mirrored("scaling_laws"), facts.described()["scaling_laws"].originals
    rows = {Path(one.path).name: pd.read_csv(folder / one.path) for one in paths_of}
    own = facts.table("scaling_laws").set_index(["of", "quantity"])["value"]
    made = of_scaling_laws(zero_shot.scaling_laws())
    runs = rows["trained_models_info.csv"]
    listed = {"data": "laion" + runs["data"].str.lower(), "samples": runs["samples_seen_pretty"]}
    trained = set(zip(runs["arch"], listed["data"], listed["samples"], strict=True))
    named = set(model_zoo.cherti().itertuples(index=False, name=None))
    made.loc[("runs", "number")] = len(trained)
    made.loc[("models among the runs", "number")] = len(trained & named)
    assert set(made.index) == set(own.index) and np.allclose(
        made[own.index], own, rtol=1e-6, atol=1e-9
    )
    assert not own.isin(rows["zeroshot_results.csv"]["acc1"]).any(), "no value of theirs ships"


# --- as described ---------------------------------------------------------------------------------


def test_every_table_is_described_and_every_description_has_its_table():
    known = facts.described()
    assert known.keys() == MADE.keys() | BY_HAND
    assert {path.stem for path in FOLDER.glob("*.csv")} == known.keys()
    for name, about in known.items():
        table = facts.table(name)
        assert len(table) == about.rows and not table.isna().any(axis=None)
        columns = list(pd.read_csv(FOLDER / f"{name}.csv", nrows=0))
        assert columns == list(about.columns) and {*about.key} <= {*columns}
        assert about.printed or (about.originals and re.fullmatch(r"[0-9a-f]{40}", about.commit))
        assert about.printed or about.repository.startswith("github.com/")


def test_the_licence_file_and_figures_except_every_table_of_others():
    text = (paths.root() / "LICENSE").read_text()
    for name, about in facts.described().items():
        assert f"{name}.csv" in text and about.notice in text, name
        free = about.licence.startswith(("MIT", "CC0", "CC BY 4"))
        assert free != about.not_cc_by or about.printed, (
            f"{name} has the licence {about.licence}: not_cc_by belongs to terms other than MIT,"
            " CC0 or CC BY 4.0"
        )
        if about.licence == "MIT":
            assert "Permission is hereby" in (FOLDER / about.notice).read_text()
        line = vb.figures.showing.source_line(f"published:{name}")
        assert ("not under CC BY" in line) == about.not_cc_by, name
        assert ("computed from" in line) == about.computed, name


def test_accuracies_of_the_worst_off_group_are_in_no_mean():
    table = facts.table("open_clip_zero_shot")
    worst = [column for column in table if column.endswith("(worst group)")]
    assert len(worst) == 3 and table[worst].notna().all(axis=None)
    trained = zero_shot.open_clip()
    assert not set(worst) & set(trained) and len(zero_shot.TASKS) == 28


def test_no_two_trainings_have_the_same_results_and_the_one_left_out_has_anothers():
    table = facts.table("open_clip_zero_shot").set_index("tag")
    results = table.columns[table.columns.get_loc("parameters") + 1 :]
    image, other = (
        table.loc[tag, results] for tag in ("commonpool_s_image_s13m_b4k", "datacomp_s_s13m_b4k")
    )
    assert (image == other).all() and round(100 * other["ImageNet 1k"], 1) == 3.9
    trained = zero_shot.open_clip()
    assert not trained.duplicated(list(zero_shot.TASKS)).any()
    assert "datacomp_s_s13m_b4k" in set(trained["tag"])
    assert "commonpool_s_image_s13m_b4k" not in set(trained["tag"])


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
    "key": ["name"],
    "columns": {"name": "text", "d": "number", "p": "share", "n": "count", "k": "whole"},
}
TABLE = "name,d,p,n,k\none,-0.5,0,3,0\ntwo,1e-3,1,40,7\n"


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
    assert found["d"].tolist() == [-0.5, 0.001] and found["name"].tolist() == ["one", "two"]
    for name, values in (("n", [3, 40]), ("k", [0, 7])):
        assert found[name].tolist() == values and found[name].dtype == int
    with pytest.raises(ValueError, match="no published facts 'other'; there are mine"):
        facts.table("other")


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("one,", " ,", "name in line 2 is ' ', not a text"),
        ("1e-3", "inf", "d in line 3 is 'inf', not a number"),
        (",1,40", ",1.01,40", "p in line 3 is '1.01', not a number from 0 to 1"),
        (",0,3", ",NA,3", "p in line 2 is 'NA', not a number from 0 to 1"),
        (",40", ",4.5", "n in line 3 is '4.5', not a whole number from 1 on"),
        (",0,3", ",0,0", "n in line 2 is '0', not a whole number from 1 on"),
        (",7", ",-1", "k in line 3 is '-1', not a whole number from 0 on"),
        ("two,", "one,", "the row one stands twice, again in line 3"),
        (",d,p,n,k", ",d,q,n,k", "own.csv lacks the column 'p'; it needs name, d, p, n, k"),
        (TABLE, "name,d,p,n,k\n", "own.csv has no row"),
        (TABLE, "", "own.csv cannot be read"),
    ],
)
def test_a_readers_own_table_is_held_to_the_same_columns(written, tmp_path, old, new, message):
    written()
    own = tmp_path / "own.csv"
    own.write_text(TABLE.replace(old, new, 1))
    with pytest.raises(ValueError, match=message):
        facts.table("mine", own)


def test_a_readers_own_table_may_have_other_rows_and_more_columns(written, tmp_path, monkeypatch):
    written()
    monkeypatch.setattr(paths, "root", lambda: tmp_path)  # a relative path starts at the repository
    (tmp_path / "own.csv").write_text("k,n,more,p,d,name\n1,2,x,0.5,3,only\n")
    assert facts.table("mine", "own.csv").to_dict("records") == [
        {"name": "only", "d": 3.0, "p": 0.5, "n": 2, "k": 1}
    ]


def test_the_program_of_a_computed_table_can_be_shown():
    shown = facts.made_by("vit_l14_gender")
    assert shown.startswith("def vit_l14_gender(") and "def " not in shown[4:]
    with pytest.raises(ValueError, match="has no function 'ieat'"):
        facts.made_by("ieat")
    for name, about in facts.described().items():
        assert not about.computed or name in BY_HAND or facts.made_by(name)


# --- what reruns ----------------------------------------------------------------------------------


def test_a_changed_table_reruns_the_notebooks_that_use_it_and_no_other():
    files = {f"data/published/{name}.csv": "0" for name in (*facts.described(), "README")}
    called = {"census_shares": "released_census(", "open_clip_zero_shot": "zero_shot.open_clip("}
    called |= {name: f'facts.table("{name}"' for name in facts.described() if name not in called}
    for notebook in plan.notebooks():
        record = plan.record(notebook, plan.settings("greenhouse"), files=files)
        read = {Path(name).stem for name in record["files"] if name.startswith("data/published/")}
        text = plan.source(notebook).read_text()
        assert read >= {name for name, call in called.items() if call in text}, notebook
        assert all(f'"{name}"' in text or f"published:{name}" in text for name in read), notebook


@pytest.mark.parametrize("seed", range(4))
def test_a_p_in_both_directions_is_twice_the_smaller_tail_of_all_splits(seed):
    scores = np.random.default_rng(seed).normal(size=7)
    splits = [
        scores[list(own)].mean() - np.delete(scores, own).mean()
        for own in map(list, combinations(range(7), 3))
    ]
    seen = splits[0]
    larger, smaller = (np.mean([sign * one >= sign * seen for one in splits]) for sign in (1, -1))
    row = pd.DataFrame({"p": [larger], "n_splits": [len(splits)]})
    assert facts.two_sided(row)[0] == pytest.approx(min(1, 2 * min(larger, smaller)))
