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
MIXED = SimpleNamespace(
    stimuli="cfd", model=CLIP, source="greenhouse", images=SimpleNamespace(source="cfd")
)


def record(value, claim=CLAIM, results=RESULTS, stimuli="cfd", model=CLIP, **options):
    ledger.record(claim, value, results=results, stimuli=stimuli, model=model, **options)
    if results.startswith("_build/results/"):
        executed(paths.root(), results.removeprefix("_build/results/").removesuffix(".json"))


def rerun(claim=CLAIM):
    return ledger.scorecard().set_index("id").loc[claim, ["rerun", "found"]].tolist()


def test_nothing_recorded_is_not_run(root):
    assert rerun()[0] == "not run (because american_white/we_they has recorded no value)"


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
    found = rerun()
    assert found[0] == verdict
    assert repr(float(described)) in found[1]


@pytest.mark.parametrize(
    ("stimuli", "model"),
    [
        ("cfd", "greenhouse"),
        ("greenhouse/cfd", CLIP),
        ("fairface", CLIP),
        ("cfd", "blip/itm-base-coco"),
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
    kept = json.loads((root / RESULTS).read_text())
    assert kept[0]["value"] == 0.46  # kept, with what it came from


SMALL = {"whole": False, "lacks": "24 of 597"}
NOT_WHOLE = "not run (because its copy of cfd was not whole: 24 of 597)"


@pytest.mark.parametrize(
    ("sources", "verdict"),
    [
        ({"cfd": WHOLE}, "reproduced (as described)"),
        (
            {"cfd": WHOLE, "oasis": {**WHOLE, **SMALL}},
            "reproduced (as described)",
        ),  # another set, of other claims
        ({"cfd": {**WHOLE, **SMALL}}, NOT_WHOLE),
        (
            {"cfd": {**WHOLE, "drawn": True}},
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


def found_verdict(claim, value, sources, *, stimuli, model="none"):
    about = ledger.claim(claim)
    found = {"claim": claim, "protocol": "described", "value": value, "model": model}
    return rerun_verdict(about, [{**found, "stimuli": stimuli, "sources": sources}])[0]


def test_a_count_of_a_set_that_is_not_whole_gets_no_verdict_though_the_claim_names_no_set(root):
    for stimuli, lacks, verdict in (
        ("open", True, "reproduced"),
        ("cfd", False, "reproduced"),
        ("cfd", True, "not"),
    ):
        sources = {"cfd": {**WHOLE, **SMALL} if lacks else WHOLE}
        said = found_verdict("effect_sizes.models", 131, sources, stimuli=stimuli)
        assert said.startswith(verdict)


def test_the_released_cosines_stand_for_the_sets_that_they_are_of(root):
    for cosines, verdict in (
        ({"causalface-cosines": WHOLE}, "reproduced"),
        (
            {"causalface-cosines": WHOLE | {"whole": False, "lacks": "17 of 18"}},
            "not run (because its copy of causalface-cosines was not whole: 17 of 18)",
        ),
        ({}, "not run (because nothing says which copy of fairface it used)"),
    ):
        said = found_verdict("stimuli.fairface.subset", 38_744, cosines, stimuli="fairface")
        assert said.startswith(verdict)


def test_a_source_with_a_checksum_is_the_listed_one(root):
    key, entry = next((key, one) for key, one in catalogue().items() if one.files)
    listed = hashlib.sha256(" ".join(file.sha256 for file in entry.files).encode()).hexdigest()
    for digest, says in ((listed, "reproduced"), ("c" * 64, "not run (because its copy of ")):
        sources = {"cfd": WHOLE, key: WHOLE | {"hash": digest}}
        said = found_verdict(CLAIM, 0.46, sources, stimuli="cfd", model=CLIP)
        assert said.startswith(says)


def test_a_verdict_names_the_weights(root):
    models = [SimpleNamespace(name=CLIP, weights="ab" * 32), SimpleNamespace(name=CLIP, weights="")]
    record(0.46, model=models[0])
    assert json.loads((root / RESULTS).read_text())[0]["weights"] == "ab" * 32
    assert rerun() == ["reproduced (as described)", "0.46 as described; weights abababababab"]
    record(0.46, model=models[1])
    assert (
        "weights" not in json.loads((root / RESULTS).read_text())[0]
        and rerun()[1] == "0.46 as described"
    )


# What may be sent to others


@pytest.mark.parametrize("place", ["my weights", "/home/ann/not here", "~/x"])
def test_no_results_file_names_a_checkpoint_of_the_readers(root, place):
    (root / "my weights").mkdir()
    place = place.format(root=root)
    record(0.46, model=SimpleNamespace(name=place, source=""))
    assert json.loads((root / RESULTS).read_text())[0]["model"] == OWN
    assert rerun()[0].startswith(f"not run (because it used the model {OWN}")
    record(0.46, model=[CLIP, SimpleNamespace(name=place, source="greenhouse")])
    assert json.loads((root / RESULTS).read_text())[0]["model"] == f"{CLIP}, greenhouse/{OWN}"


@pytest.mark.parametrize("name", ["data/greenhouse/resnet", "greenhouse/b0", CLIP, "none"])
def test_what_everybody_has_keeps_its_name(root, name):
    (root / "data/greenhouse/resnet").mkdir(parents=True)
    record(0.46, model=name)
    assert json.loads((root / RESULTS).read_text())[0]["model"] == name


def test_the_collated_ledger_says_how_a_chapter_was_run_and_names_nothing_of_the_readers(root):
    (root / "my weights").mkdir()
    record(0.46, model="my weights")
    missing = {"available": False, "note": "looked for /home/ann/faces", "hash": ""}
    change = {
        "parameters": {"root": "/home/ann/cfd", "model": "my weights"},
        "sources": {
            "cfd": WHOLE | {"note": "in /home/ann/cfd"},
            "oasis": missing,
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


def test_the_mark_of_the_images_is_theirs_and_the_rest_is_the_models(root):
    images = SimpleNamespace(source="greenhouse")
    seen = SimpleNamespace(stimuli="cfd", model=CLIP, source="greenhouse", images=images)
    record(0.46, stimuli=seen, model=seen)
    kept = json.loads((root / RESULTS).read_text())[0]
    assert (kept["stimuli"], kept["model"]) == ("greenhouse/cfd", CLIP)
    record(0.46, stimuli=MIXED, model=MIXED)
    kept = json.loads((root / RESULTS).read_text())[0]
    assert (kept["stimuli"], kept["model"]) == ("cfd", f"greenhouse/{CLIP}")


def test_no_verdict_comes_of_drawings_that_lie_in_files(root, tmp_path, monkeypatch):
    monkeypatch.setitem(export.SIZES, "cfd", 16)
    seen = images("cfd", export.write("cfd", tmp_path / "cfd", seeds=1))
    record(0.46, stimuli=[seen, seen.where(np.arange(len(seen)) < 3)])
    verdict, found = rerun()
    assert "the stimuli greenhouse/cfd" in verdict and not found


def test_several_sets_are_named_in_a_list(root):
    sets = [
        SimpleNamespace(name=name, source=name) for name in ("causalface", "fairface", "utkface")
    ]
    record(True, "metrics.white-preferred", "_build/results/causalface/metrics.json", sets)
    assert rerun("metrics.white-preferred")[0] == "reproduced (as described)"


def test_our_own_counts_are_no_claims_of_a_paper(root):
    place, claim = "_build/results/causalface/neutral_prompt.json", "neutral_prompt.words.warmth"
    record(6, claim, place, "social_perception", "none")
    assert "our own count, which no paper claims" in rerun(claim)[0]


def test_a_greenhouse_value_is_refused_where_the_claim_needs_no_data(root):
    place = "_build/results/pretraining/effect_sizes.json"
    for stimuli, verdict in (("greenhouse/x", "not run"), ("open", "reproduced (as described)")):
        record(131, "effect_sizes.models", place, stimuli, "none")
        assert rerun("effect_sizes.models")[0].startswith(verdict)


def test_a_statement_is_true_or_false(root):
    about = "variation.smiling-over-age"
    place = {
        "results": "_build/results/causalface/variation.json",
        "stimuli": "causalface",
        "model": CLIP,
    }
    with pytest.raises(ledger.LedgerError, match=r"record True or False \(a statement\), got 1"):
        ledger.record(about, 1, **place)
    ledger.record(about, np.bool_(True), **place)
    executed(root, "causalface/variation")
    assert rerun(about)[0] == "reproduced (as described)"
    ledger.record(about, False, **place)
    executed(root, "causalface/variation")
    assert rerun(about)[0] == "differs"


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


@pytest.mark.parametrize("content", ["", '{"a": 1}', '[{"claim": "x"}]', "[" * 100_000])
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
    executed(
        root, "american_white/strangers"
    )  # a notebook that was removed: its results stay, its plan does not
    (root / "_build/inputs/notebooks/american_white/strangers.json").unlink()
    assert rerun()[0].startswith("not run")


@pytest.mark.parametrize(
    "change",
    [
        {"parameters": {"n": 2}},
        {"files": {"notebooks/x.py": "2"}},
        {"results_sha256": "0" * 64},
    ],
)
def test_results_of_another_plan_or_changed_by_hand_get_no_verdict(root, change):
    record(0.46)
    executed(root, "american_white/we_they", **change)
    assert rerun()[0].startswith("not run")


def test_results_beside_a_truncated_copy_get_no_verdict(root):
    record(0.46)
    copy = root / "_build/executed/american_white/we_they.ipynb"
    for content in (b"", copy.read_bytes()[:-3], b"\xff", b"[]", b"{}"):
        copy.write_bytes(content)
        assert rerun()[0].startswith("not run")
    copy.unlink()
    assert rerun()[0].startswith("not run")
