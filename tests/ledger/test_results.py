"""Records and verdicts: only a notebook's own file is written, and only like is set beside like."""

import hashlib
import json
import os
from types import SimpleNamespace

import numpy as np
import pytest

from greenhouse import export
from vlmbias import ledger, paths
from vlmbias.ledger.results import OWN, rerun_verdict
from vlmbias.sources.catalogue import catalogue
from vlmbias.stimuli.images import images

from .conftest import WHOLE, executed

RESULTS = "_build/results/american_white/we_they.json"
CLAIM = "we_they.clip.wa.d"  # printed .46, on cfd with CLIP
CLIP = "ViT-B-32-quickgelu/openai"
SEEN = SimpleNamespace(stimuli="greenhouse/cfd", model=CLIP)  # as a Perception names both
MARKED = SimpleNamespace(
    stimuli="cfd", model=CLIP, source="greenhouse"
)  # numbers alone, and where they come from
SETS = ("causalface", "fairface", "utkface")
MIXED = SimpleNamespace(
    stimuli="cfd", model=CLIP, source="greenhouse", images=SimpleNamespace(source="cfd")
)


def record(value, claim=CLAIM, results=RESULTS, stimuli="cfd", model=CLIP, **options):
    ledger.record(claim, value, results=results, stimuli=stimuli, model=model, **options)
    if results.startswith("_build/results/"):
        executed(paths.root(), results.removeprefix("_build/results/").removesuffix(".json"))


def written(root):
    """The first record of the results file."""
    return json.loads((root / RESULTS).read_text())[0]


def rerun(claim=CLAIM):
    return ledger.scorecard().set_index("id").loc[claim, ["rerun", "found"]].tolist()


@pytest.mark.parametrize(
    ("described", "released", "verdict"),
    [
        (0.4649, None, "reproduced (as described)"),
        (np.float64(0.456), 0.9, "reproduced (as described)"),
        (0.47, 0.46, "reproduced (as released)"),
        (0.4651, None, "differs"),
        (-0.46, 0.47, "differs"),
    ],
)
def test_verdicts_follow_the_last_printed_digit(root, described, released, verdict):
    record(described)
    if released is not None:
        record(released, protocol="released")
    said, values = rerun()
    assert said == verdict and repr(float(described)) in values


@pytest.mark.parametrize(
    ("stimuli", "model"),
    [
        ("cfd", "greenhouse"),
        ("greenhouse/cfd", CLIP),
        ("fairface", CLIP),
        (SEEN, SEEN),
        # the names say nothing; the marks do: of a checkpoint in a folder, of an export
        (SimpleNamespace(name="cfd", source="greenhouse"), CLIP),
        ("cfd", SimpleNamespace(name=CLIP, source="greenhouse")),
        (MARKED, CLIP),
        (MIXED, MIXED),
        (["cfd", SimpleNamespace(name="cfd", source="greenhouse")], CLIP),
    ],
)
def test_other_stimuli_or_models_are_never_set_beside_the_printed_value(root, stimuli, model):
    record(0.46, stimuli=stimuli, model=model)
    verdict, found = rerun()
    assert verdict.startswith("not run (because it used the ") and found == ""
    assert written(root)["value"] == 0.46  # kept, with what it came from


SMALL = {"whole": False, "lacks": "24 of 597"}


@pytest.mark.parametrize(
    ("sources", "verdict"),
    [
        # another set may lack pictures: it is of other claims
        ({"cfd": WHOLE, "oasis": WHOLE | SMALL}, "reproduced (as described)"),
        ({"cfd": WHOLE | SMALL}, "not run (because its copy of cfd was not whole: 24 of 597)"),
        (
            {"cfd": WHOLE | {"drawn": True}},
            "not run (because its copy of cfd was drawn by the Greenhouse)",
        ),
        ({}, "not run (because nothing says which copy of cfd it used)"),
    ],
)
def test_only_a_set_that_is_all_there_gets_a_verdict(root, sources, verdict):
    record(0.46)
    executed(root, "american_white/we_they", sources=sources)
    inputs = root / "_build/inputs/notebooks/american_white/we_they.json"
    inputs.write_text(json.dumps(json.loads(inputs.read_text()) | {"sources": sources}))
    assert rerun() == [verdict, "0.46 as described" if verdict.startswith("reproduced") else ""]


LISTED = next(key for key, one in catalogue().items() if one.files)
SUMS = " ".join(file.sha256 for file in catalogue()[LISTED].files)
LISTED_HASH = hashlib.sha256(SUMS.encode()).hexdigest()
COSINES = "causalface-cosines"
EACH = dict.fromkeys(SETS, WHOLE)
OURS = "neutral_prompt.words.warmth"


@pytest.mark.parametrize(
    ("claim", "value", "stimuli", "sources", "verdict"),
    [
        # a count of a set: the claim names none, the recorded value does
        ("effect_sizes.models", 131, "open", {"cfd": WHOLE | SMALL}, "reproduced"),
        ("effect_sizes.models", 131, "cfd", {"cfd": WHOLE}, "reproduced"),
        ("effect_sizes.models", 131, "cfd", {"cfd": WHOLE | SMALL}, "not run"),
        ("effect_sizes.models", 131, "greenhouse/x", {}, "not run (because it used"),
        # released cosines stand for the sets that they are of
        ("stimuli.fairface.subset", 38_744, "fairface", {COSINES: WHOLE}, "reproduced"),
        ("stimuli.fairface.subset", 38_744, "fairface", {COSINES: WHOLE | SMALL}, "not run"),
        ("stimuli.fairface.subset", 38_744, "fairface", {}, "not run"),
        # a source with a checksum is the listed one
        (CLAIM, 0.46, "cfd", {"cfd": WHOLE, LISTED: WHOLE | {"hash": LISTED_HASH}}, "reproduced"),
        (
            CLAIM,
            0.46,
            "cfd",
            {"cfd": WHOLE, LISTED: WHOLE},
            f"not run (because its copy of {LISTED}",
        ),
        # every one of several sets
        ("metrics.white-preferred", True, ", ".join(SETS), EACH, "reproduced"),
        ("metrics.white-preferred", True, "causalface", EACH, "not run"),
        # a count of our own is no claim
        (OURS, 6, "social_perception", {}, "not run (because the value is o"),
    ],
)
def test_a_verdict_needs_the_paper_s_own_data(root, claim, value, stimuli, sources, verdict):
    found = {"claim": claim, "protocol": "described", "value": value, "stimuli": stimuli}
    about = ledger.claim(claim)
    records = [found | {"model": about.model, "sources": sources}]
    assert rerun_verdict(about, records)[0].startswith(verdict)


def test_a_verdict_names_the_weights(root):
    record(0.46, model=SimpleNamespace(name=CLIP, weights="ab" * 32))
    assert written(root)["weights"] == "ab" * 32
    assert rerun() == ["reproduced (as described)", "0.46 as described; weights abababababab"]
    record(0.46, model=SimpleNamespace(name=CLIP, weights=""))
    assert "weights" not in written(root)
    assert rerun()[1] == "0.46 as described"


# What may be sent to others


@pytest.mark.parametrize(
    ("model", "named"),
    [
        *(("my weights", OWN), ("/home/ann/not here", OWN), ("~/x", OWN)),
        (
            [CLIP, SimpleNamespace(name="my weights", source="greenhouse")],
            f"{CLIP}, greenhouse/{OWN}",
        ),
        *((one, one) for one in ("data/greenhouse/resnet", "greenhouse/b0", CLIP, "none")),
    ],
)
def test_results_name_what_everybody_has_and_no_checkpoint_of_the_readers(root, model, named):
    for folder in ("my weights", "data/greenhouse/resnet"):
        (root / folder).mkdir(parents=True)
    record(0.46, model=model)
    assert written(root)["model"] == named
    if OWN in named:
        assert rerun()[0].startswith(f"not run (because it used the model {named}")


def test_the_collated_ledger_says_how_a_chapter_was_run_and_names_nothing_of_the_readers(root):
    (root / "my weights").mkdir()
    record(0.46, model="my weights")
    change = {
        "parameters": {"root": "/home/ann/cfd", "model": "my weights"},
        "sources": {
            "cfd": WHOLE | {"note": "in /home/ann/cfd"},
            "oasis": WHOLE | {"available": False, "note": "looked for /home/ann/faces"},
            "weights of my weights": WHOLE,
        },
    }
    planned = root / "_build/inputs/notebooks/american_white/we_they.json"
    executed(root, "american_white/we_they", **change)
    planned.write_text(json.dumps(json.loads(planned.read_text()) | change))
    written = ledger.collate().read_text()
    assert not any(secret in written for secret in ("/home", "ann/", "my weights", str(root)))
    (run,) = json.loads(written)["runs"]
    assert (run["notebook"], run["commit"]) == ("american_white/we_they", "c")
    assert run["data"] == {"cfd": {key: WHOLE[key] for key in ("hash", "whole", "drawn", "lacks")}}


def test_no_verdict_comes_of_drawings_that_lie_in_files(root, tmp_path, monkeypatch):
    monkeypatch.setitem(export.SIZES, "cfd", 16)
    seen = images("cfd", export.write("cfd", tmp_path / "cfd", seeds=1))
    record(0.46, stimuli=[seen, seen.where(np.arange(len(seen)) < 3)])
    verdict, found = rerun()
    assert "the stimuli greenhouse/cfd" in verdict and not found


def test_a_statement_is_true_or_false(root):
    about, place = "variation.smiling-over-age", "_build/results/causalface/variation.json"
    with pytest.raises(ledger.LedgerError, match=r"record True or False \(a statement\), got 1"):
        record(1, about, place, "causalface")
    for value, verdict in ((np.bool_(True), "reproduced (as described)"), (False, "differs")):
        record(value, about, place, "causalface")
        assert rerun(about)[0] == verdict


@pytest.mark.parametrize("value", [float("nan"), "0.46", True, [0.46]])
def test_values_that_are_no_numbers_are_refused(root, value):
    with pytest.raises(ledger.LedgerError, match="record a finite number, got"):
        record(value)
    assert not (root / RESULTS).exists()


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"claim": "we_they.clip.wa"}, r"near matches: .*we_they\.clip\.wa\.d"),
        ({"protocol": "published"}, "described, released, got 'published'"),
        ({"results": "../elsewhere.json"}, "rerun's own folder; got"),
        ({"results": "_build/results/causalface/variation.json"}, "american_white/we_they.json"),
        ({"stimuli": 3}, "got 3"),
    ],
)
def test_misuse_is_one_clear_error(root, options, message):
    with pytest.raises(ledger.LedgerError, match=message):
        record(0.46, **options)


def test_recording_again_replaces_and_a_rerun_has_its_own_file(root):
    record(0.1)
    record(0.2)
    record(0.3, protocol="released")
    record(0.4, results="_build/runs/other/results.json")
    kept = json.loads((root / RESULTS).read_text())
    assert [(r["protocol"], r["value"]) for r in kept] == [("described", 0.2), ("released", 0.3)]
    assert rerun()[0] == "differs"  # the rerun's .4 plays no part


def test_a_write_that_fails_leaves_the_old_file(root, monkeypatch):
    record(0.1)
    before = (root / RESULTS).read_bytes()

    def interrupted(*paths):
        raise KeyboardInterrupt

    monkeypatch.setattr(os, "replace", interrupted)
    with pytest.raises(KeyboardInterrupt):
        record(0.2)
    assert (root / RESULTS).read_bytes() == before


@pytest.mark.parametrize("content", ["", '{"a": 1}', '[{"claim": "x"}]'])
def test_a_damaged_results_file_is_named(root, content):
    path = root / RESULTS
    path.parent.mkdir(parents=True)
    path.write_text(content)
    executed(root, "american_white/we_they")
    with pytest.raises(ledger.LedgerError, match=r"we_they.json: not a list of records"):
        ledger.collate()


# Whose results count


def test_only_the_graphs_notebooks_get_a_verdict(root):
    record(0.46)
    assert rerun()[0] == "reproduced (as described)"
    stranger = root / "_build/results/american_white/strangers.json"
    (root / RESULTS).rename(stranger)
    assert rerun()[0] == "not run (because american_white/we_they has recorded no value)"
    executed(root, "american_white/strangers")
    # a notebook that was removed: its results stay, its plan does not
    (root / "_build/inputs/notebooks/american_white/strangers.json").unlink()
    assert rerun()[0].startswith("not run")


@pytest.mark.parametrize(
    "change",
    [{"parameters": {"n": 2}}, {"files": {"notebooks/x.py": "2"}}, {"results_sha256": "0" * 64}],
)
def test_results_of_another_plan_or_changed_by_hand_get_no_verdict(root, change):
    record(0.46)
    executed(root, "american_white/we_they", **change)
    assert rerun()[0].startswith("not run")


def test_results_beside_a_truncated_copy_get_no_verdict(root):
    record(0.46)
    copy = root / "_build/executed/american_white/we_they.ipynb"
    for content in (b"", copy.read_bytes()[:-3], b"\xff", b"[]"):
        copy.write_bytes(content)
        assert rerun()[0].startswith("not run")
    copy.unlink()
    assert rerun()[0].startswith("not run")
