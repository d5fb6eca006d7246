"""Chapters under `open` and `paper` with what a network would have brought: what their pages and
the ledger say.

Weights are random, the released table is the simulated twin's with other names, and 24 drawings
without marks stand where portraits would be. The cells run in this process, with the sizes of
`smoke`.
"""

import hashlib
import json
import os

import exports
import in_process
import numpy as np
import pandas as pd
import pytest
import released_layout
import yaml

import vlmbias as vb
from greenhouse import export
from runner import execute, plan
from runner.commands import sweep as command
from studies.pretraining import downstream, twin
from studies.pretraining import effect_sizes as study
from vlmbias import ledger, paths, sources
from vlmbias.battery import sweep
from vlmbias.external import study_table
from vlmbias.ledger.claims import claims
from vlmbias.ledger.results import recorded, rerun_verdict
from vlmbias.whole_files import write_json

CLIP, RESNET = "ViT-B-32-quickgelu/openai", "RN50-quickgelu/cc12m"
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


@pytest.mark.parametrize(
    ("name", "model", "heading", "small"),
    [
        pytest.param(
            "pretraining/train_mode",
            RESNET,
            "the ResNet trained on CC12M",
            {"n_images": 4, "batch": 4, "n_passes": 2},
            marks=pytest.mark.long,
        ),
    ],
)
def test_open_chapters_run_on_weights_from_the_hub_and_name_them(
    root, hub, name, model, heading, small
):
    record, cells, results = run(name, "open", **small)
    assert (
        record["parameters"]["model"] == model
        and record["sources"][f"weights of {model}"]["available"]
    )
    shown, notes = section(cells)
    assert heading in shown and not notes
    noise = f"{model} (untrained)"
    assert {one["model"] for one in results if not one["model"].startswith("greenhouse")} <= {
        noise,
        "none",
    }
    if results:  # of noise, nothing may come out as the paper's, nor as other than the paper's
        found = verdicts(name)
        of_the_model = [one["claim"] for one in results if one["model"] == noise]
        assert of_the_model
        refused = f"not run (because it used the model {noise}, and the claim is about "
        assert all(found[claim].startswith(refused) for claim in of_the_model)


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


def test_without_the_hub_the_section_is_a_note_that_names_the_weights(root, hub):
    hub.files.clear()
    record = plan.record("pretraining/train_mode", plan.settings("open"), files={})
    page = execute.prepared(record, plan.source("pretraining/train_mode").read_text("utf-8"))
    _, (note,) = section(page.cells)
    assert RESNET in note.source and "could not be downloaded" in note.source


@pytest.fixture
def released(root, open_files):
    """The released table as a server sends it: the twin's values under names that no simulation
    bears."""
    printed = ledger.load("pretraining")
    cells, r = study.cells(printed), downstream.printed(printed)["r"].to_dict()
    entries, files = yaml.safe_load((root / "data/sources/index.yaml").read_text("utf-8")), []
    for stimuli, path in zip(("new", "old"), study_table.FILES.values(), strict=True):
        table = twin.generate(cells, r, stimuli=stimuli)
        origin = np.select(
            [table["model"] <= "simulated-009", table["model"] <= "simulated-038"],
            ["openai", "cherti"],
            "open_clip",
        )
        released_layout.write(
            table.assign(model=table["model"].str.replace("simulated", "network"), origin=origin),
            root / "table.csv",
        )
        content = (root / "table.csv").read_bytes()
        open_files.files[path] = content
        files.append(
            {"path": path, "bytes": len(content), "sha256": hashlib.sha256(content).hexdigest()}
        )
    entries[study_table.KEY]["files"] = files
    (root / "data/sources/index.yaml").write_text(yaml.safe_dump(entries))
    return open_files


@pytest.mark.long
def test_the_released_table_is_fetched_checked_read_and_judged(root, released):
    first = next(iter(study_table.FILES.values()))
    released.wrong.add(first)
    (problem,) = sources.fetch([study_table.KEY])
    assert "not the file that was checked" in problem and not sources.available(study_table.KEY)
    released.wrong.clear()
    assert sources.fetch([study_table.KEY]) == [] and sources.available(study_table.KEY)
    asked = [path for path, _ in released.downloads()]
    assert sorted(asked.count(f"/open/{path}") for path in study_table.FILES.values()) == [1, 2], (
        "the whole one stays"
    )

    _, _, results = run("pretraining/effect_sizes", "open", to_the_end=True)
    found = verdicts("pretraining/effect_sizes")
    reached = {one["claim"] for one in results if one["stimuli"] in study_table.FILES}
    assert len(reached) > 100 and not found[sorted(reached)].str.startswith("not run").any()
    means = [
        claim for claim in reached if claim.endswith((".mean", ".sd")) and "table2" not in claim
    ]
    assert len(means) == 80 and found[means].str.startswith("reproduced").all(), (
        "the twin has the printed cells"
    )

    (root / "data/sources/index.yaml").write_bytes(
        (REPOSITORY / "data/sources/index.yaml").read_bytes()
    )
    refused = (
        "not run (because its copy of clip-bias-results is not the one in data/sources/index.yaml)"
    )
    assert set(verdicts("pretraining/effect_sizes")[means]) == {refused}


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


@pytest.mark.long
def test_a_sweep_of_three_models_with_one_missing_collects_its_table(
    hub, tmp_path, monkeypatch, capsys
):
    missing = "ViT-B-32/laion2b_s34b_b79k"
    monkeypatch.setattr(paths, "build", lambda: tmp_path)
    # this process measures, and goes on
    monkeypatch.setattr("vlmbias.processes.end_with_parent", os.getpid)
    monkeypatch.setenv("HF_ENDPOINT", hub.address)  # for the process that the missing model gets
    monkeypatch.setenv("HF_HOME", str(tmp_path / "home"))
    (tmp_path / "sweep/greenhouse").mkdir(parents=True)
    for model in ("greenhouse", CLIP):
        write_json(sweep.record_of("greenhouse", model), sweep.measured(model, "greenhouse"))
    with monkeypatch.context() as moved:
        moved.setenv("VLMBIAS_ROOT", str(REPOSITORY))
        command.sweep_model("greenhouse", missing.replace("/", "%2F"))
    command.sweep_collect("greenhouse")
    command.report("greenhouse", ["greenhouse", CLIP, missing])
    said = capsys.readouterr().out
    assert "2 models measured, 1 failed" in said and f"✗ {missing}" in said
    assert any(path.startswith("/laion/") for _, path, _ in hub.asked), "the hub was asked for it"
    table = (
        (sweep.folder("greenhouse").with_name("greenhouse.effect_sizes.csv"))
        .read_text()
        .splitlines()
    )
    assert len(table) == 1 + 2 * 26
    assert missing in sweep.folder("greenhouse").with_name("greenhouse.failures.csv").read_text()


@pytest.mark.long
@pytest.mark.skipif(not paths.mirror(), reason="needs the mirror of public files")
def test_random_weights_under_a_published_name_agree_with_nothing(
    hub, tmp_path, monkeypatch, capsys
):
    monkeypatch.setattr(paths, "build", lambda: tmp_path)
    monkeypatch.setattr("vlmbias.processes.end_with_parent", os.getpid)
    (tmp_path / "sweep/seat-ieat").mkdir(parents=True)
    write_json(sweep.record_of("seat-ieat", CLIP), sweep.measured(CLIP, "seat-ieat"))
    command.report("seat-ieat", [CLIP])
    said = capsys.readouterr().out
    assert "of 6 tests agree with what was published for ViT-B-32_openai" in said
    assert "these are not the weights (or not the stimuli)" in said
    assert "stimuli not listed" in said and "stimuli not at hand" in said
