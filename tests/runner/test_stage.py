"""The staged book and the site."""

import json

import forked
import nbformat
import pytest

from runner import execute, plan, stage


@pytest.fixture
def executed(checkout, monkeypatch):
    """A checkout whose notebook was run, but for its cells."""
    monkeypatch.setattr("papermill.execute_notebook", lambda *_, **__: None)
    files = plan.hashes(["data/**/*", "src/**/*"])
    record = plan.record("paper/chapter", plan.settings("smoke"), files=files)
    build = checkout / "_build"
    places = {"results": build / "results.json", "working": build / "working.ipynb"}
    execute.run(record, executed=build / "executed/paper/chapter.ipynb", **places)
    return checkout


def test_a_page_ends_with_its_run_and_a_link_to_how_it_was_made(executed):
    staged = stage.stage()
    page = nbformat.read(staged / "notebooks/paper/chapter.ipynb", as_version=4)
    last = page.cells[-1].source
    assert "`smoke`" in last and "<runs>" in last
    run = json.loads((staged / "book/runs.json").read_text())["paper/chapter"]
    assert run["parameters"]["n"] == 2 and run["threads"] == 1 and "numpy" in run["versions"]
    assert any(name.startswith("data/stimuli") for name in run["files"])
    assert any("run on the Greenhouse" in cell.source for cell in page.cells)
    assert "{doc}`../notebooks/paper/chapter`" in (staged / "book/status.md").read_text()


def test_the_box_of_a_rerun_has_the_readers_own_data_and_no_list_of_the_books(checkout):
    about = plan.record("paper/chapter", plan.settings("smoke"), files=plan.hashes(plan.INPUTS))
    about |= {"commit": "c", "started": "s", "seconds": 1, "threads": 1, "machine": "m"}
    about |= {"versions": {}, "supplied": {"root my/pictures": "b" * 64}}
    box = stage.provenance(about)
    assert "`root my/pictures` (sha256)" in box and "b" * 12 in box
    assert "data/stimuli/words.yaml" in about["files"] and "data/stimuli" not in box


def test_a_book_with_a_warning_fails_every_time_and_the_last_good_one_stays(executed):
    good = executed / "_build/site/_build/html/index.html"
    # built from nothing each time: what an earlier build had already warned of is warned of again
    left = executed / "_build/site.failed/_build/.doctrees/left by an earlier failure"
    for place in (good, left):
        place.parent.mkdir(parents=True)
        place.write_text("the last one")
    (executed / "book/index.md").write_text("# A book\n\n{doc}`nowhere`\n")
    ended, said = forked.vlmbias("stage")
    assert ended == 1 and "nowhere" in said and "the last good book stays" in said
    assert good.read_text() == "the last one"
    assert left.parents[2].is_dir() and not left.exists()
