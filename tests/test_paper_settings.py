"""The chapters of the first two papers under `paper` and `open` settings, end to end, on exports of
the Greenhouse.

No real face and no real weights: three identities in CausalFace's layout at 512 pixels, small
FairFace, UTKFace and portraits, released cosines, all below VLMBIAS_DATA; the Greenhouse's own
models look. Sizes are those of `smoke`. The cells run in this process.
"""

import contextlib
import io
import json
import os
import warnings
from pathlib import Path

import exports
import in_process
import numpy as np
import pytest

import vlmbias as vb
from greenhouse import export
from runner import plan
from vlmbias import paths, sources
from vlmbias.external.america import STATES
from vlmbias.generation import guided
from vlmbias.ledger.claims import claims
from vlmbias.ledger.results import at_hand, rerun_verdict
from vlmbias.stimuli.reader_folders import MARK

CHAPTERS = [name for name in plan.notebooks() if name.startswith("causalface/")]
AGREEMENT = "american_white/agreement"  # no experiment of the paper, and no record
OF_AMERICA = [
    name for name in plan.notebooks() if name.startswith("american_white/") and name != AGREEMENT
]
LOST = (
    "the chapter records no value for these; let its claims() do so, or, if no run can decide them"
    " (a statement on design or on sources), add them to tests/ledger/unreachable.txt: "
)
UNREACHABLE = Path(__file__).parent / "ledger/unreachable.txt"
OF_PEOPLE = UNREACHABLE.with_name("not_on_drawings.txt")
OURS = {
    "model": "greenhouse",
    "text_model": "greenhouse",
    "labels": "greenhouse/labels",
}  # in place of CLIP and of words for people
# in place of models of people, of words that the Greenhouse has none for, of fifty-one states, and
# of long runs
STAND_IN = {
    "models": ["greenhouse", "greenhouse/b0", "greenhouse/b0-restart-1"],
    "places": "arboria",
    "beside": ["greenhouse/b0", "greenhouse/b0-restart-1"],
    "iat": "simulated",
    "prompts": "greenhouse/traits",
    "american": "is this person an arborian?",
    "race_words": "",
    "every": 2,
    "levels": [0.7, 0.9],
    "beams": 1,
    "painter": "greenhouse/decoder",
    "prompt": "an arborian person",
    "n_per_group": 1,
    "size": 32,
    "last_step": 10,
    "views": 2,
}
OWN = {
    "american_white/vqa": {"model": "greenhouse/answers"},
    "american_white/captions": {"model": "greenhouse/captions"},
    "american_white/we_they": {"prompts": "we_they"},
    AGREEMENT: {
        "phrases": "greenhouse/traits",
        "question": "is this person an arborian?",
        "model_answers": "greenhouse/answers",
        "model_captions": "greenhouse/captions",
    },
}


@pytest.fixture(scope="module")
def data(tmp_path_factory):
    """A reader's data folder, as the authors' `data/` and `results/` are laid out."""
    folder = tmp_path_factory.mktemp("data")
    exports.causal(folder / "causalface", seeds=2)
    for kind, name in (("fairface", "fairface"), ("utkface", "UTKFace")):
        exports.photographs(kind, folder / name, n=500)
    exports.cosines(folder / "results/clip_vit_b_32", exports.looked_at(seeds=2, n=500))
    return folder


@pytest.fixture(scope="module")
def portraits(tmp_path_factory):
    """A reader's folder for the second paper: every fourth portrait, photographs to compare them
    with, marked scores of respondents whom nobody asked, and weights by name only."""
    folder = tmp_path_factory.mktemp("portraits")
    with pytest.MonkeyPatch.context() as patch:
        patch.setitem(export.SIZES, "cfd", 64)
        export.write("cfd", folder / "cfd")
    for number, portrait in enumerate(sorted((folder / "cfd").glob("*/*.jpg"))):
        if number % 4:
            portrait.unlink()
    exports.photographs("fairface", folder / "fairface", n=300)
    (folder / "weights").mkdir()
    for key in ("slip-weights", "blip-weights", "vqgan-weights"):
        (folder / sources.folders.FILES[key][0]).write_bytes(b"")
    rows = [
        f"{state},{0.3 + 0.001 * len(name) * race},{race}"
        for state, name in STATES.items()
        for race in (5, 6)
    ]
    lines = [f"# {MARK}", "STATE,Implicit,raceomb", *rows]
    (folder / "raceiatdat.csv").write_text("\n".join(lines))
    return folder


@pytest.fixture
def supplied(data, monkeypatch):
    monkeypatch.setenv("VLMBIAS_DATA", str(data))


@pytest.fixture
def asked_for(portraits, monkeypatch):
    monkeypatch.setenv("VLMBIAS_DATA", str(portraits))


@pytest.fixture
def unmarked(asked_for, monkeypatch):
    """As if the drawn portraits and photographs were of people: nobody sees the marks."""
    for reader in ("cfd", "fairface"):
        monkeypatch.setattr(f"vlmbias.stimuli.{reader}.of_greenhouse", lambda root, names: False)


@pytest.fixture
def painted(monkeypatch):
    """Every painting is finished at once, in colours drawn from its seed: 201 real steps of each
    would take minutes."""
    steps = np.arange(0, 201, 10)

    def paint(start, *, seed, **about):
        pictures = np.random.default_rng(seed).integers(
            0, 256, (len(steps), 64, 64, 3), dtype=np.uint8
        )
        return guided.Painting(steps, pictures, np.zeros(201))

    monkeypatch.setattr(guided, "paint", paint)


@pytest.fixture
def noted(monkeypatch):
    """What a chapter hands to its prose."""
    values = {}
    monkeypatch.setattr(vb, "note", lambda **own: values.update(own))
    return values


def run(name, settings, **ours):
    """The record of a run, its cells, and what it found; every value that ends a cell is shown, to
    nobody."""
    chosen, smoke = plan.settings(settings), plan.settings("smoke").parameters
    known = plan.record(name, chosen, files={})["parameters"]
    given = {key: value for key, value in {**smoke, **OURS, **ours}.items() if key in known}
    record = plan.record(name, chosen, given=given, files={})
    # the laboratory's section does not depend on the settings, and is run under `smoke`; a section
    # that compares words comes after it
    record["protocol_only"] = "text_model" not in known
    alone = os.environ.get(
        "PYTEST_XDIST_WORKER", "one"
    )  # two tests may run the same chapter at the same time
    results = paths.build() / "smoke" / alone / settings / name / "results.json"
    with mute():
        cells = in_process.run(record, results, drawn=False)
    return record, cells, json.loads(results.read_text()) if results.is_file() else []


@contextlib.contextmanager
def mute():
    """No warning and no display: the page would show them, a test does not."""
    with warnings.catch_warnings(), contextlib.redirect_stdout(io.StringIO()):
        warnings.simplefilter("ignore")
        yield


# `open` reads released cosines where `paper` reads faces, in the same cells: a chapter shows that
# it does
@pytest.mark.parametrize(
    ("name", "settings"),
    [
        *((name, "paper") for name in CHAPTERS),
        ("causalface/variation", "open"),
    ],
)
def test_a_chapter_runs_on_exports(supplied, name, settings):
    record, cells, results = run(name, settings)
    prose = [cell.source for cell in cells if cell.cell_type == "markdown"]
    headings = [line for one in prose for line in one.splitlines() if line.startswith("## ")]
    notes = [cell.source for cell in cells if "note" in cell.metadata.get("tags", [])]
    if settings == "paper":
        assert record["requires"] and record["parameters"]["stimuli"] == "causalface"
        own = {claim.id for claim in claims("causalface").values() if claim.notebook == name}
        reached = {found["claim"] for found in results}
        listed = set(UNREACHABLE.read_text("utf-8").split())
        of_people = set(OF_PEOPLE.read_text("utf-8").split())  # not evaluated on drawings
        lost = own - reached - listed - of_people
        assert not lost, f"{LOST}{sorted(lost)}"
        assert not (won := reached & of_people), f"recorded of drawings: {sorted(won)}"
        assert not (won := reached & listed), f"recorded now: take them off the list: {sorted(won)}"
    if record["requires"]:  # all there, so the second section is no note
        assert all(record["sources"][key]["available"] for key in record["requires"])
        assert not notes and f"## The protocol, run on {record['data']}" in headings
    for found in results:  # whatever the folder is called, what was seen is the Greenhouse
        seen = {name.split("/")[0] for name in found["stimuli"].split(", ")}
        assert (
            found["stimuli"].startswith("greenhouse")
            or not {"causalface", "fairface", "utkface"} & seen
        ), found


@pytest.mark.parametrize("name", OF_AMERICA)
def test_every_record_of_the_second_paper_is_reached(unmarked, painted, noted, name):
    """With portraits that nothing tells from the paper's, and with its models' names, every record
    has a verdict; none names a folder of the reader's."""
    record, _, results = run(name, "paper", **STAND_IN | OWN.get(name, {}))
    assert record["requires"]
    assert all(record["sources"][key]["available"] for key in record["requires"])
    assert "portraits of the Chicago Face Database" in noted["shown"]
    own = {one.id: one for one in claims("american_white").values() if one.notebook == name}
    counted = {
        one.id for one in own.values() if one.inferred == "us" and one.data == one.model == "none"
    }
    reached = {found["claim"] for found in results}
    lost = own.keys() - reached - set(UNREACHABLE.read_text("utf-8").split()) - counted
    assert not lost, f"{LOST}{sorted(lost)}"
    assert str(paths.reader_data()) not in json.dumps(results)
    for found in results:
        about, had = own[found["claim"]], at_hand(record)

        def verdict(about=about, found=found, **changed):
            return rerun_verdict(about, [found | changed])[0]

        if about.model != "none":
            assert verdict().startswith("not run"), "no tiny model is one of the paper's"
        if about.id in counted:
            continue
        theirs = {"stimuli": about.data, "model": about.model}
        if "cfd" in about.data:
            assert "its copy of cfd was not whole: " in verdict(**theirs, sources=had), found
        whole = had | {"cfd": had["cfd"] | {"whole": True}}
        assert not verdict(**theirs, sources=whole).startswith("not run"), found


LIGHT = ("american_white/traits", "american_white/vqa")  # one without and one with answers


@pytest.mark.parametrize(
    "name",
    [one if one in LIGHT else pytest.param(one, marks=pytest.mark.long) for one in OF_AMERICA],
)
def test_the_second_paper_runs_on_other_photographs_and_judges_nothing(unmarked, noted, name):
    record, cells, results = run(name, "open", **STAND_IN | OWN.get(name, {}))
    assert record["parameters"]["stimuli"] == "fairface/as-cfd" and "fairface" in record["requires"]
    assert record["data"].startswith("FairFace (for comparison), with ")
    assert any(
        cell.source.startswith("## The protocol, run on FairFace")
        and "{glue:text}`shown`" in cell.source
        for cell in cells
    )
    assert "photographs of FairFace" in noted["shown"] and "no verdict" in noted["shown"]
    every = claims("american_white")
    for found in results:
        about = every[found["claim"]]
        if about.data.startswith("cfd"):
            of_theirs = rerun_verdict(about, [{**found, "model": about.model}])[0]
            assert of_theirs.startswith("not run (because it used the stimuli fairface/as-cfd"), (
                found
            )


def test_the_page_on_agreement_runs_on_portraits(asked_for):
    record, cells, results = run(AGREEMENT, "paper", **STAND_IN | OWN[AGREEMENT])
    assert record["requires"] and not results
    assert not any("note" in cell.metadata.get("tags", []) for cell in cells)


def test_drawings_stay_drawings_in_the_layout_of_portraits(asked_for, noted):
    name = "american_white/we_they"
    _, _, results = run(name, "paper", **STAND_IN | OWN[name])
    assert "drawings of the Greenhouse" in noted["shown"] and results
    assert all(found["stimuli"].startswith("greenhouse/") for found in results)
