"""Pictures are embedded before notebooks run, once for all of them, by every model that a page
names."""

import json
import os
from pathlib import Path

import forked
import pytest

import vlmbias as vb
from runner import embedded, plan, used
from vlmbias import paths, sources
from vlmbias.embedding import Encoder, store

CLIP = "ViT-B-32-quickgelu/openai"


@pytest.fixture
def everything_at_hand(monkeypatch):
    """Each source and all weights are there, whoever asks."""
    there = {"available": True, "note": "", "hash": "0" * 64, "whole": True, "lacks": ""}
    there["drawn"] = False
    monkeypatch.setattr(sources, "state", lambda key: there)
    monkeypatch.setattr(used, "_state", lambda kind, model: there)


def looked_at(settings):
    """Sets by model that the notebooks of the book ask for."""
    chosen = plan.settings(settings)
    return embedded.merged(
        *(plan.record(name, chosen, files={})["vectors"] for name in plan.notebooks())
    )


OURS = {"greenhouse", "greenhouse/b0"}


def test_with_all_data_every_encoder_of_a_page_has_a_step(everything_at_hand):
    paper = looked_at("paper")
    assert set(paper) == {*OURS, CLIP, "slip/vitb16-100ep", "blip/itm-base-coco"}
    assert set(paper[CLIP]) == {"cfd", "oasis", "causalface", "fairface/all", "utkface/all"}
    assert paper["slip/vitb16-100ep"] == ["cfd"]
    here = looked_at("open")
    assert set(here) == {*OURS, CLIP} and set(here[CLIP]) == {"fairface/as-cfd", "cfd", "oasis"}
    assert here["greenhouse"] == looked_at("greenhouse")["greenhouse"]
    # a page that draws its own batches, and one that paints
    for name in ("pretraining/train_mode", "american_white/generation"):
        assert set(plan.record(name, plan.settings("paper"), files={})["vectors"]) == OURS


def test_without_the_data_no_step_is_asked_for():
    """What greenhouse and smoke settings need is drawn; of others' sets, none is at hand here."""
    assert set(looked_at("paper")) == OURS


def test_a_folder_of_ones_own_is_left_to_the_notebook():
    record = plan.record(
        "american_white/traits", plan.settings("smoke"), given={"root": "/mine"}, files={}
    )
    assert record["vectors"] == {}


def test_another_model_has_its_step_too_and_no_laboratory(tmp_path, monkeypatch):
    monkeypatch.setattr(paths, "build", lambda: tmp_path)
    jobs = plan.prepare_model("greenhouse/b0", "causalface", plan.settings("greenhouse"), {})
    made = embedded.prepare(
        [tmp_path / f"inputs/models/{job}.json" for job in jobs], {"requirements.lock": "1"}
    )
    assert made == ["greenhouse%2Fb0"]
    record = json.loads((tmp_path / "inputs/vectors/greenhouse%2Fb0.json").read_text())
    sets = {"causalface", "fairface/all", "utkface/all"}
    assert set(record["images"]) == {f"greenhouse/{name}" for name in sets}
    assert record["files"] == {"requirements.lock": "1"} and record["identities"] is None


def test_a_step_is_asked_for_anew_when_its_pictures_or_weights_change(tmp_path, monkeypatch):
    monkeypatch.setattr(paths, "build", lambda: tmp_path)
    states = {"cfd": {"hash": "1"}, f"weights of {CLIP}": {"hash": "2"}, "oasis": {"hash": "3"}}
    record = {"vectors": {CLIP: ["cfd"]}, "identities": None, "sources": states}
    (tmp_path / "one.json").write_text(json.dumps(record))
    embedded.prepare([tmp_path / "one.json"], {})
    made = json.loads((tmp_path / f"inputs/vectors/{embedded.job(CLIP)}.json").read_text())
    assert made["sources"] == {f"weights of {CLIP}": "2", "cfd": "1"}


def test_a_killed_step_goes_on_where_it_was(checkout, tmp_path, monkeypatch):
    monkeypatch.setenv("VLMBIAS_CACHE", str(tmp_path / "cache"))
    (checkout / "data/greenhouse").symlink_to(Path(__file__).parents[2] / "data/greenhouse")
    settings = checkout / "data/settings/smoke.yaml"
    settings.write_text(settings.read_text() + "embedded: {greenhouse: [greenhouse/icons]}\n")
    plan.prepare("smoke")
    place = checkout / "_build/vectors/greenhouse.json"
    flush, encode = store.Store.flush, Encoder.encode_images

    def once(self):
        flush(self)
        if self._since and any(self.folder.glob("*.safetensors")):
            os._exit(9)  # as a kill: nothing is cleaned up

    with monkeypatch.context() as patch:
        patch.setattr(store.Store, "flush", once)
        patch.setattr(store, "_ROWS_PER_SHARD", 64)
        assert forked.vlmbias("embed", "greenhouse")[0] == 9 and not place.exists()
    monkeypatch.setattr(
        Encoder, "encode_images", lambda self, batch: print(len(batch)) or encode(self, batch)
    )
    ended, said = forked.vlmbias("embed", "greenhouse")
    assert ended == 0, said
    looked_at = sum(int(line) for line in said.splitlines() if line.isdecimal())
    icons = vb.images("greenhouse/icons")
    assert 0 < looked_at < len(set(icons.keys()))
    assert json.loads(place.read_text())["images"] == {"greenhouse/icons": len(icons)}
