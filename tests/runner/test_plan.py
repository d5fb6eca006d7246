"""Input records: they change when, and only when, something a notebook is made from changes."""

import json
import os

import pytest

from runner import plan
from vlmbias import sources

RECORD = "_build/inputs/notebooks/paper/chapter.json"


def prepared(checkout, settings="greenhouse"):
    plan.prepare(settings)
    return (checkout / RECORD).read_text(), (checkout / RECORD).stat().st_mtime_ns


def test_touching_every_file_changes_nothing(checkout):
    before = prepared(checkout)
    for path in checkout.rglob("*"):
        if "_build" not in path.parts and path.is_file():
            os.utime(path)
    assert prepared(checkout) == before


READ = (
    *("notebooks/paper/chapter.py", "src/vlmbias/room.py", "src/runner/execute.py"),
    *("src/studies/paper/table.py", "requirements.lock", "data/stimuli/words.yaml"),
    *("data/claims/paper.yaml", "data/claims/paper.more.yaml", "data/sources/open_clip.csv"),
)
NOT_READ = (
    *("data/claims/other.yaml", "data/settings/smoke.yaml", "data/published/shares.csv"),
    *("data/sources/many.csv", "data/stimuli/own_images.yaml", "book/index.md", "_toc.yml"),
    *("src/runner/step.py", "src/greenhouse/train/fit.py", "src/studies/other/table.py"),
)


@pytest.mark.parametrize("name", READ)
def test_a_changed_input_changes_the_record_even_with_an_old_date(checkout, name):
    before = prepared(checkout)
    (checkout / name).write_text((checkout / name).read_text() + "\n# more\n")
    os.utime(checkout / name, (0, 0))
    after = prepared(checkout)
    assert after[0] != before[0] and after[1] > before[1]


@pytest.mark.parametrize("name", NOT_READ)
def test_a_notebook_does_not_depend_on_what_it_does_not_read(checkout, name):
    before, pages = prepared(checkout), (checkout / "_build/inputs/book.json").read_text()
    (checkout / name).write_text((checkout / name).read_text() + "\n# more\n")
    assert prepared(checkout) == before
    assert (checkout / "_build/inputs/book.json").read_text() != pages


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ('"other"', "data/claims/other.yaml"),
        ("ledger.load()", "data/claims/other.yaml"),
        ('"published:shares"', "data/published/shares.csv"),
    ],
)
def test_what_the_text_of_a_notebook_names_is_an_input(checkout, text, name):
    notebook = checkout / "notebooks/paper/chapter.py"
    notebook.write_text(notebook.read_text() + f"\n# %%\n{text}\n")
    assert name in json.loads(prepared(checkout)[0])["files"]


def test_settings_change_parameters_where_the_notebook_has_them(checkout):
    chapter = checkout / "notebooks/paper/chapter.py"
    other = chapter.read_text().replace("n = 3  #", "elsewhere = 1  # of this one alone\nn = 3  #")
    chapter.with_name("other.py").write_text(other)
    (checkout / "data/settings/smoke.yaml").write_text("parameters: {n: 2, elsewhere: 5}\n")
    record = json.loads(prepared(checkout, "smoke")[0])
    assert record["parameters"]["n"] == 2 and record["changed"] == ["n"]
    assert record["data"] == "the Greenhouse"  # whatever the settings are called


def test_what_is_kept_of_a_notebook_is_what_it_says(checkout, monkeypatch):
    """From the second time on nothing is parsed; another text, or another reader of it, is."""
    notebook = checkout / "notebooks/paper/chapter.py"
    notebook.write_text(notebook.read_text().replace("# how many", "# how many; at least 1"))
    first = plan.declared("paper/chapter")
    assert first.parameters["n"].low == 1 and first.needs == ["photos"]

    def parse(text):
        raise AssertionError("it was read before")

    plan._declared.cache_clear()
    monkeypatch.setattr(plan.cells, "parse", parse)
    assert plan.declared("paper/chapter") == first
    kept = checkout / "_build/declared/paper/chapter.json"
    text = kept.read_text()
    for damage in (text[:-9], "[]", text.replace('"needs"', '"need"')):
        kept.write_text(damage)
        plan._declared.cache_clear()
        with pytest.raises(AssertionError, match="read before"):
            plan.declared("paper/chapter")
    kept.write_text(text)
    notebook.write_text(notebook.read_text() + "# more\n")
    with pytest.raises(AssertionError, match="read before"):
        plan.declared("paper/chapter")


def test_a_source_at_hand_is_an_input(checkout, monkeypatch):
    before = prepared(checkout)
    monkeypatch.setattr(sources, "state", lambda key: {"available": True})
    assert prepared(checkout)[0] != before[0]


def test_a_broken_notebook_is_reported_by_its_own_job(checkout):
    (checkout / "notebooks/paper/broken.py").write_text("# %% [markdown]\n# # No parameters\n")
    prepared(checkout)
    record = json.loads((checkout / "_build/inputs/notebooks/paper/broken.json").read_text())
    assert "found 0 cells tagged 'parameters'" in record["error"]


def test_a_notebook_may_be_named_by_its_path_and_unknown_names_list_the_valid_ones(checkout):
    for name in ("paper/chapter", "notebooks/paper/chapter.py", "notebooks/paper/chapter.ipynb"):
        assert plan.source(name) == checkout / "notebooks/paper/chapter.py"
    with pytest.raises(ValueError, match="no settings 'large'; there are: greenhouse, smoke"):
        plan.settings("large")
    with pytest.raises(ValueError, match="no notebook 'paper/none'; there are: paper/chapter"):
        plan.source("paper/none")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("models: {paper: ['']}", r"'' is no model"),
        ("parameters: {m: 3}", "no notebook has a parameter 'm'"),
        ("parameters: {n: {deep: 1}}", r"n = \{'deep': 1\} is not a number"),
        ("notebooks: {paper/chapter: {parameters: {n: [[1]]}}}", r"n = \[\[1\]\] is not a number"),
        ("identities: 0", "identities: .*greater than or equal to 1"),
        (
            "notebooks: {paper/chapter: {}, paper/chaptre: {}}",
            r"odd\.yaml:1: notebooks: .* no notebook 'paper/chaptre'; there are: paper/chapter",
        ),
        ("dat: a little", r"odd\.yaml.*dat"),
    ],
)
def test_settings_name_what_there_is(checkout, text, message):
    (checkout / "data/settings/odd.yaml").write_text(f"{text}\n")
    with pytest.raises(ValueError, match=message):
        plan.prepare("odd")


def test_no_model_leads_out_of_its_folder(checkout):
    notebook = checkout / "notebooks/paper/chapter.py"
    notebook.write_text(notebook.read_text().replace("n = 3", 'model = "m"  # who looks\nn = 3'))
    chosen = plan.settings("greenhouse")
    assert plan.prepare_model("../x", "paper", chosen, {}) == ["..%2Fx/paper/chapter"]
    with pytest.raises(ValueError, match=r"'\.\.' is no model"):
        plan.prepare_model("..", "paper", chosen, {})


def test_a_notebook_that_is_gone_is_no_longer_planned(checkout):
    prepared(checkout)
    notebook = checkout / "notebooks/paper/chapter.py"
    notebook.rename(notebook.with_stem("renamed"))
    plan.prepare("greenhouse")
    assert [path.name for path in (checkout / "_build/inputs/notebooks/paper").iterdir()] == [
        "renamed.json"
    ]
