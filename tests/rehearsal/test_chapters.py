"""A chapter under `paper` with a part of what a network and a reader would have brought: 24
drawings without marks stand where portraits would be, weights are random, sizes are those of
`smoke`, and the cells run in this process."""

import hashlib
import json

import exports
import in_process
import pytest

import vlmbias as vb
from greenhouse import export
from runner import plan
from vlmbias import paths, sources
from vlmbias.ledger.claims import claims
from vlmbias.ledger.results import recorded, rerun_verdict

REPOSITORY = paths.root()
HEADING = "## The protocol, run on "


@pytest.fixture
def root(tmp_path, monkeypatch):
    """The repository with a build folder and a catalogue of its own."""
    root = tmp_path / "root"
    (root / "data/sources").mkdir(parents=True)
    for folder in (REPOSITORY, REPOSITORY / "data", REPOSITORY / "data/sources"):
        for one in folder.iterdir():
            if one.name not in ("data", "sources", "_build", ".git", "index.yaml"):
                (root / one.relative_to(REPOSITORY)).symlink_to(one)
    (root / "data/sources/index.yaml").write_bytes(
        (REPOSITORY / "data/sources/index.yaml").read_bytes()
    )
    monkeypatch.setenv("VLMBIAS_ROOT", str(root))
    monkeypatch.delenv("VLMBIAS_MIRROR", raising=False)
    monkeypatch.setenv("VLMBIAS_IDENTITIES", "10")  # as with `smoke`
    return root


def run(name, settings, **given):
    """A chapter up to the laboratory's section, placed in the build as the graph would: its record,
    its heading and notes, and what it recorded."""
    chosen, smoke = plan.settings(settings), plan.settings("smoke").parameters
    known, _ = plan.parameters(name, chosen)
    small = {key: value for key, value in {**smoke, **given}.items() if key in known}
    own = chosen.notebooks.get(name, plan.Choice())
    choice = own.model_copy(update={"parameters": own.parameters | small})
    record = plan.record(name, chosen.model_copy(update={"notebooks": {name: choice}}), files={})
    record["protocol_only"] = True
    results = paths.build() / f"results/{name}.json"
    results.parent.mkdir(parents=True, exist_ok=True)
    cells = in_process.run(record, results, drawn=False)
    about = record | {"commit": "68bf64f0bd", "machine": "Linux", "seconds": 1.0, "versions": {}}
    about["results_sha256"] = hashlib.sha256(results.read_bytes()).hexdigest()
    for place, content in (
        (f"inputs/notebooks/{name}.json", record),
        (f"executed/{name}.ipynb", {"metadata": {"vlmbias": about}}),
    ):
        (paths.build() / place).parent.mkdir(parents=True, exist_ok=True)
        (paths.build() / place).write_text(json.dumps(content))
    prose = "\n".join(cell.source for cell in cells if cell.cell_type == "markdown")
    heading = prose.partition(HEADING)[2].partition("\n")[0]
    notes = [cell for cell in cells if "note" in cell.metadata.get("tags", [])]
    return record, heading, notes, json.loads(results.read_text())


def verdicts(notebook):
    """The verdicts on a chapter's records, without the checks of what is printed, which take
    long."""
    found = recorded()
    own = [one.id for one in claims().values() if one.notebook == notebook]
    return {name: rerun_verdict(claims()[name], found.get(name, []))[0] for name in own}


@pytest.fixture
def few_portraits(tmp_path, monkeypatch):
    """24 of 597 portraits in the published layout, which nothing tells from photographs."""
    monkeypatch.setitem(export.SIZES, "cfd", 64)
    export.write("cfd", tmp_path / "mine/cfd")
    for number, portrait in enumerate(sorted((tmp_path / "mine/cfd").glob("*/*.jpg"))):
        if number % 25:
            portrait.unlink()
    exports.unmarked(tmp_path / "mine/cfd")
    (tmp_path / "mine/weights").mkdir()
    for key in ("slip-weights", "blip-weights"):
        (tmp_path / "mine" / sources.folders.FILES[key][0]).write_bytes(b"")
    monkeypatch.setenv("VLMBIAS_DATA", str(tmp_path / "mine"))


def test_no_verdict_comes_of_a_part_of_the_portraits(root, hub, few_portraits, monkeypatch):
    noted, name = {}, "american_white/we_they"
    monkeypatch.setattr(vb, "note", lambda **own: noted.update(own))
    record, heading, notes, results = run(name, "paper", beside=[])
    assert heading.startswith("the Chicago Face Database")
    assert "Greenhouse" not in heading and not notes
    assert record["parameters"]["model"] == "ViT-B-32-quickgelu/openai"
    assert "24" in noted["shown"] and "portraits of the Chicago Face Database" in noted["shown"]
    of_portraits = {one["claim"] for one in results if one["stimuli"].startswith("cfd")}
    found = verdicts(name)
    judged = {claim for claim in of_portraits if not found[claim].startswith("not run")}
    assert of_portraits and not judged, f"judged by 24 of 597 portraits: {judged}"
