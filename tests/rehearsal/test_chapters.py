"""Chapters under `open` and `paper` with what a network would have brought: what their pages and
the ledger say.

Weights are random, the released table is the simulated twin's with other names, and 24 drawings
without marks stand where portraits would be. The cells run in this process, with the sizes of
`smoke`.
"""

import hashlib
import json

import exports
import in_process
import pandas as pd
import pytest

import vlmbias as vb
from greenhouse import export
from runner import plan
from vlmbias import paths, sources
from vlmbias.ledger.claims import claims
from vlmbias.ledger.results import recorded, rerun_verdict

CLIP = "ViT-B-32-quickgelu/openai"
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


def run(name, settings, *, to_the_end=False, **given):
    """A chapter, placed in the build as the graph would: its record, cells and values. It ends
    before the laboratory's own section, unless this is asked for, too."""
    chosen, smoke = plan.settings(settings), plan.settings("smoke").parameters
    known, _ = plan.parameters(name, chosen)
    small = {key: value for key, value in {**smoke, **given}.items() if key in known}
    own = chosen.notebooks.get(name, plan.Choice())
    choice = own.model_copy(update={"parameters": own.parameters | small})
    record = plan.record(name, chosen.model_copy(update={"notebooks": {name: choice}}), files={})
    record["protocol_only"] = not to_the_end
    results = paths.build() / f"results/{name}.json"
    results.parent.mkdir(parents=True, exist_ok=True)
    cells = in_process.run(record, results)
    if not results.is_file():
        results.write_text("[]")
    about = record | {
        "commit": "68bf64f0bd",
        "machine": "Linux x86_64, 2 cores",
        "seconds": 1.0,
        "versions": {},
        "results_sha256": hashlib.sha256(results.read_bytes()).hexdigest(),
    }
    for place, content in (
        (f"inputs/notebooks/{name}.json", record),
        (f"executed/{name}.ipynb", {"metadata": {"vlmbias": about}}),
    ):
        (paths.build() / place).parent.mkdir(parents=True, exist_ok=True)
        (paths.build() / place).write_text(json.dumps(content))
    return record, cells, json.loads(results.read_text())


def section(cells):
    """Heading and notes of the second section."""
    (heading,) = (
        line
        for cell in cells
        if cell.cell_type == "markdown"
        for line in cell.source.splitlines()
        if line.startswith(HEADING)
    )
    return heading.removeprefix(HEADING), [
        cell for cell in cells if "note" in cell.metadata.get("tags", [])
    ]


def verdicts(notebook):
    """The verdicts on a chapter's records, without the checks of what is printed, which take
    long."""
    found = recorded()
    return pd.Series(
        {
            one.id: rerun_verdict(one, found.get(one.id, []))[0]
            for one in claims().values()
            if one.notebook == notebook
        }
    )


def test_the_words_of_a_model_from_the_hub_are_compared_without_faces(root, hub):
    name = "causalface/neutral_prompt"
    record, cells, results = run(name, "open", to_the_end=True)
    assert record["sources"][f"weights of {CLIP}"]["available"]
    assert not record["sources"]["causalface-cosines"]["available"] and section(cells)[1]
    of_the_model = [one["claim"] for one in results if one["model"] == f"{CLIP} (untrained)"]
    assert "neutral_prompt.table_c3.agency.pos" in of_the_model
    refused = f"not run (because it used the model {CLIP} (untrained), and the claim is about "
    found = verdicts(name)
    assert all(found[claim].startswith(refused) for claim in of_the_model)


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
    noted = {}
    monkeypatch.setattr(vb, "note", lambda **own: noted.update(own))
    record, cells, results = run("american_white/we_they", "paper", beside=[])
    heading, notes = section(cells)
    assert (
        heading.startswith("the Chicago Face Database")
        and "Greenhouse" not in heading
        and not notes
    )
    assert record["parameters"]["model"] == CLIP
    assert "24" in noted["shown"] and "portraits of the Chicago Face Database" in noted["shown"]
    of_portraits = {one["claim"] for one in results if one["stimuli"].startswith("cfd")}
    assert of_portraits
    here = verdicts("american_white/we_they")
    judged = {claim: here[claim] for claim in of_portraits if not here[claim].startswith("not run")}
    assert not judged, f"judged by 24 of 597 portraits: {judged}"
