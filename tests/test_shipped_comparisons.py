"""The shipped numbers of other models come out again: one chapter, run anew."""

import json

import in_process
import pytest

from runner import plan
from vlmbias import ledger, paths

PAPER, MODEL, CHAPTER = "causalface", "greenhouse/b0", "neutral_prompt"
AGAIN = "make it anew as the docstring of `vlmbias.ledger.other_models` says"
SHIPPED = sorted((paths.data() / "greenhouse/comparisons").glob("*/*.json"))


@pytest.mark.parametrize("path", SHIPPED, ids=lambda path: f"{path.parent.name}/{path.stem}")
def test_a_file_holds_every_chapter_of_its_paper_and_known_claims(path):
    chapters = json.loads(path.read_text("utf-8"))
    paper = path.parent.name
    assert [f"{paper}/{name}" for name in chapters] == plan.chapters(paper), AGAIN
    known = set(ledger.load(path.parent.name)["id"])
    assert {found["claim"] for made in chapters.values() for found in made["values"]} <= known


def test_a_shipped_chapter_comes_out_again(tmp_path):
    (path,) = (one for one in SHIPPED if one.parent.name == PAPER)
    shipped = json.loads(path.read_text("utf-8"))[CHAPTER]
    record = plan.record(
        f"{PAPER}/{CHAPTER}", plan.settings(shipped["settings"]), given={"model": MODEL}, files={}
    )
    record["protocol_only"] = True
    results = paths.build() / "comparisons" / PAPER / CHAPTER / "results.json"
    in_process.run(record, results, drawn=False)
    found = {
        (one["claim"], one["protocol"]): one["value"] for one in json.loads(results.read_text())
    }
    expected = {(one["claim"], one["protocol"]): one["value"] for one in shipped["values"]}
    assert expected and found == pytest.approx(expected, rel=1e-4, abs=1e-6), AGAIN
