"""The first paper, and chapters of the second, under `paper` and `open` settings, end to end, on exports of the
Greenhouse.

No real face and no real weights: three identities in CausalFace's layout at 512 pixels, small FairFace and
UTKFace, released cosines, all below VLMBIAS_DATA; the Greenhouse's own model looks. Sizes are those of `smoke`.
"""

import json
from pathlib import Path

import nbformat
import pytest

from greenhouse import export
from runner import execute, plan
from vlmbias import paths, sources
from vlmbias.external.states import STATES
from vlmbias.ledger.claims import claims
from vlmbias.ledger.results import rerun_verdict
from vlmbias.reader_folders import MARK

CHAPTERS = [name for name in plan.notebooks() if name.startswith("causalface/") and name != "causalface/models"]
UNREACHABLE = Path(__file__).parent / "ledger/unreachable.txt"
OF_PEOPLE = UNREACHABLE.with_name("not_on_drawings.txt")
OURS = {"model": "greenhouse", "labels": "greenhouse/labels"}  # in place of CLIP and of words for people


@pytest.fixture(scope="module")
def data(tmp_path_factory):
    """A reader's data folder, as the authors' `data/` and `results/` are laid out."""
    folder = tmp_path_factory.mktemp("data")
    export.write("causalface", folder / "causalface", seeds=3, detail=54)
    for kind, name in (("fairface", "fairface"), ("utkface", "UTKFace")):
        export.photographs(kind, folder / name, n=1_000, size=64)
    export.write("cosines", folder / "results/clip_vit_b_32", seeds=3, n=1_000)
    return folder


@pytest.fixture
def supplied(data, monkeypatch):
    monkeypatch.setenv("VLMBIAS_DATA", str(data))


def run(name, settings, **ours):
    chosen, smoke = plan.settings(settings), plan.settings("smoke").parameters
    known = plan.record(name, chosen, files={})["parameters"]
    given = {key: value for key, value in {**smoke, **OURS, **ours}.items() if key in known}
    record = plan.record(name, chosen, given=given, files={})
    record["protocol_only"] = True  # the laboratory's section does not depend on the settings, and is run under `smoke`
    folder = paths.build() / "smoke" / settings / name
    execute.run(record, executed=folder / "notebook.ipynb", results=folder / "results.json",
                working=folder / "failed.ipynb")  # fmt: skip
    return record, nbformat.read(folder / "notebook.ipynb", as_version=4), json.loads(
        (folder / "results.json").read_text())


@pytest.mark.parametrize("settings", ["paper", "open"])
@pytest.mark.parametrize("name", CHAPTERS)
def test_a_chapter_runs_on_exports(supplied, name, settings):
    record, executed, results = run(name, settings)
    headings = [cell.source.splitlines()[0] for cell in executed.cells if cell.source.startswith("## ")]
    notes = [cell.source for cell in executed.cells if "note" in cell.metadata.get("tags", [])]
    if settings == "paper":
        assert record["requires"] and record["parameters"]["stimuli"] == "causalface"
        own = {claim.id for claim in claims("causalface").values() if claim.notebook == name}
        reached, listed = {found["claim"] for found in results}, set(UNREACHABLE.read_text("utf-8").split())
        of_people = set(OF_PEOPLE.read_text("utf-8").split())  # about real groups: not evaluated on drawings
        lost = own - reached - listed - of_people
        assert not lost, f"no longer recorded, and the lists may only shrink: {sorted(lost)}"
        assert not (won := reached & of_people), f"recorded of drawings: {sorted(won)}"
        assert not (won := reached & listed), f"recorded now: take them off the list: {sorted(won)}"
    if record["requires"]:  # all there, so the second section is no note
        assert all(record["sources"][key]["available"] for key in record["requires"])
        assert not notes and f"## The protocol, run on {record['data']}" in headings
    for found in results:  # whatever the folder is called, what was seen is the Greenhouse
        seen = {name.split("/")[0] for name in found["stimuli"].split(", ")}
        assert found["stimuli"].startswith("greenhouse") or not {"causalface", "fairface", "utkface"} & seen, found


# in place of three models of people, and of fifty-one states that the Greenhouse has no words for
STAND_IN = {"models": ["greenhouse", "greenhouse/b0", "greenhouse/b0-restart-1"], "places": "arboria",
            "iat": "simulated"}  # fmt: skip
OF_PLACES = ["american_white/states", "american_white/implicit_bias"]


@pytest.fixture(scope="module")
def portraits(tmp_path_factory):
    """A reader's folder: portraits in the layout of the Chicago Face Database, marked scores of respondents whom nobody
    asked, and weights by name only."""
    folder = tmp_path_factory.mktemp("portraits")
    export.portraits(folder / "cfd", size=64)
    (folder / "weights").mkdir()
    for key in ("slip-weights", "blip-weights"):
        (folder / sources.folders.FILES[key][0]).write_bytes(b"")
    rows = [f"{state},{0.3 + 0.001 * len(name) * race},{race}" for state, name in STATES.items() for race in (5, 6)]
    lines = [f"# {MARK.decode()}", "STATE,Implicit,raceomb", *rows]
    (folder / "raceiatdat.csv").write_text("\n".join(lines))
    return folder


@pytest.mark.parametrize("name", OF_PLACES)
def test_every_record_of_a_chapter_on_places_is_reached(portraits, monkeypatch, name):
    if not sources.available("american-white-results"):
        pytest.skip("the released shares are not at hand (VLMBIAS_MIRROR)")
    monkeypatch.setenv("VLMBIAS_DATA", str(portraits))
    record, _, results = run(name, "paper", **STAND_IN)
    assert all(record["sources"][key]["available"] for key in record["requires"]) and record["requires"]
    own = {one.id: one for one in claims("american_white").values() if one.notebook == name}
    assert {found["claim"] for found in results} == set(own) - set(OF_PEOPLE.read_text("utf-8").split())
    for found in results:
        about = own[found["claim"]]
        if about.data != "none" or about.model != "none":
            assert rerun_verdict(about, [found])[0].startswith("not run"), "a drawing is never set beside a claim"
        # the same value from the paper's own portraits and models would be judged
        theirs = {**found, "stimuli": about.data, "model": about.model}
        counted = about.inferred == "us" and about.data == about.model == "none"
        assert counted or not rerun_verdict(about, [theirs])[0].startswith("not run"), found


def test_what_the_graph_records_changes_with_the_folder(supplied, data, tmp_path, monkeypatch):
    before = sources.state("utkface")
    copy = tmp_path / "UTKFace"
    copy.mkdir()
    for path in (data / "UTKFace").iterdir():
        (copy / path.name).symlink_to(path)
    monkeypatch.setenv("VLMBIAS_DATA", str(tmp_path))
    assert sources.state("utkface") == before and before["available"]
    next(copy.glob("*.jpg")).unlink()
    after = sources.state("utkface")
    assert after["available"] and after["hash"] != before["hash"]


def test_without_the_folders_the_second_section_is_a_note(tmp_path, monkeypatch):
    monkeypatch.setenv("VLMBIAS_DATA", str(tmp_path))
    record = plan.record("causalface/metrics", plan.settings("paper"), files={})
    assert [key for key, state in record["sources"].items() if not state["available"]] == record["requires"]
    assert all("VLMBIAS_DATA" in state["note"] for state in record["sources"].values())
