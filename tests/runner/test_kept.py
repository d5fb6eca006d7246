"""Kept work: done again when anything that it was made from is another, and not done again when
nothing is; each kind of input is changed in turn, with the size, the time and the name it had."""

import json
import os
import shutil
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from PIL import Image

import vlmbias as vb
from runner import plan
from runner.commands import sweep
from runner.reruns import runs
from vlmbias import kept, sources
from vlmbias.battery import sets
from vlmbias.stimuli.prompts import PromptSet

CHAPTER = """
stimuli = "greenhouse/icons"  # what is shown; an image set
root = ""  # where it lies; empty or a folder
model = "greenhouse"  # who looks; a model
table = ""  # numbers of others; empty or a table
spoken = ""  # words; empty or a prompt set
"""


def another(file: Path) -> None:
    """Other content of the same size, written as if at the same time."""
    before, content = file.stat(), bytearray(file.read_bytes())
    content[-1] = (content[-1] + 1) % 256
    file.write_bytes(content)
    os.utime(file, ns=(before.st_atime_ns, before.st_mtime_ns))


def picture(file: Path, shade: int) -> None:
    Image.fromarray(np.full((8, 8, 3), shade, np.uint8)).save(file)


@pytest.fixture
def own(checkout):
    """The checkout of one chapter that takes everything a reader may supply, and all of it."""
    notebook = checkout / "notebooks/paper/chapter.py"
    notebook.write_text(notebook.read_text().replace("n = 3", CHAPTER.strip() + "\nn = 3"))
    for folder in ("own/below", "network"):
        (checkout / folder).mkdir(parents=True)
    picture(checkout / "own/below/one.bmp", 1)
    (checkout / "own/metadata.csv").write_text("path,race\nbelow/one.bmp,a\n")
    (checkout / "numbers.csv").write_text("n\n1\n")
    (checkout / "spoken.yaml").write_text("d: 1\n")
    for name in ("model.safetensors", "open_clip_config.json", "words.txt"):
        (checkout / "network" / name).write_text("{}")
    return checkout


def run_of(checkout, **given):
    """Where a run of the chapter on what the reader supplies is kept."""
    asked = {"stimuli": "folder", "root": "own", "model": "network", "table": "numbers.csv"}
    asked["spoken"] = "spoken.yaml/released"
    record = plan.record(
        "paper/chapter",
        plan.settings("greenhouse"),
        given=asked | given,
        files=plan.hashes(plan.INPUTS),
    )
    return runs.folder(record)


FILES = (
    *("own/below/one.bmp", "numbers.csv", "network/model.safetensors", "data/stimuli/words.yaml"),
    *("src/vlmbias/room.py", "notebooks/paper/chapter.py", "requirements.lock", "spoken.yaml"),
)


def test_a_run_is_another_when_anything_is_that_it_is_made_from(own, monkeypatch):
    monkeypatch.chdir(own)
    runs = [run_of(own), run_of(own, n="4")]
    assert run_of(own) == runs[0]
    for name in FILES:
        another(own / name)
        runs.append(run_of(own))
    (own / "data/settings/greenhouse.yaml").write_text("identities: 10\n")
    runs.append(run_of(own))
    monkeypatch.setattr(kept, "kernel", lambda: {"python": "3.99"})
    runs.append(run_of(own))
    (own / "own/two.bmp").write_bytes((own / "own/below/one.bmp").read_bytes())
    runs.append(run_of(own))
    assert len(set(runs)) == len(runs) == len(FILES) + 5


def test_a_run_is_the_same_when_nothing_but_a_time_or_a_hidden_file_is_new(own, monkeypatch):
    monkeypatch.chdir(own)
    before = run_of(own)
    for path in own.rglob("*"):
        os.utime(path, (9, 9))
    (own / "own/.DS_Store").write_text("left by a system")
    os.mkfifo(own / "own/pipe")  # is never waited for
    assert run_of(own) == before


def test_a_source_of_the_readers_counts_by_its_content(own, monkeypatch):
    """Its state, which takes no time, knows names and sizes only."""
    monkeypatch.setenv("VLMBIAS_DATA", str(own / "data of mine"))
    portraits = own / "data of mine/cfd"
    portraits.mkdir(parents=True)
    picture(portraits / "one.bmp", 1)
    state = {"available": True, "hash": "names and sizes", "note": "", "drawn": False}
    monkeypatch.setattr(sources, "state", lambda key: dict(state))
    before = run_of(own, stimuli="cfd", root="", model="greenhouse")
    another(portraits / "one.bmp")
    assert run_of(own, stimuli="cfd", root="", model="greenhouse") != before


def test_a_picture_that_is_exchanged_while_the_cells_run_is_noticed(own, monkeypatch):
    from runner import execute

    monkeypatch.chdir(own)
    given = {"stimuli": "folder", "root": "own"}
    record = plan.record(
        "paper/chapter", plan.settings("greenhouse"), given=given, files=plan.hashes(plan.INPUTS)
    )
    execute._check_as_planned(record)
    another(own / "own/below/one.bmp")
    with pytest.raises(execute.NotebookFailed, match="root own"):
        execute._check_as_planned(record)


# --- vectors --------------------------------------------------------------------------------------


@pytest.fixture
def network(tmp_path, monkeypatch):
    from embedding.conftest import write_checkpoint

    monkeypatch.setenv("VLMBIAS_CACHE", str(tmp_path / "cache"))
    folder = write_checkpoint(tmp_path / "network")
    (tmp_path / "own").mkdir()
    for shade in (1, 2):
        picture(tmp_path / f"own/{shade}.bmp", shade)
    return folder


def looked_at(network, words=("a warm person",)) -> tuple[int, int]:
    """How many pictures and texts a model has to look at, with what is kept."""
    seen, encoder = [0, 0], vb.encoder(str(network), own=True)
    for n, name in enumerate(("encode_images", "encode_texts")):
        encode = getattr(encoder, name)
        setattr(
            encoder,
            name,
            lambda what, n=n, encode=encode: (
                seen.__setitem__(n, seen[n] + len(what)),
                encode(what),
            )[1],
        )
    vb.embed(encoder, vb.images("folder", root=network.with_name("own")))
    vb.embed(encoder, list(words))
    return seen[0], seen[1]


def change_weights(network):
    from safetensors.torch import load_file, save_file

    weights = load_file(network / "model.safetensors")
    weights["visual.proj"] += 0.5
    save_file(weights, network / "model.safetensors")


def change_config(network, part="preprocess_cfg", **entries):
    about = json.loads((network / "open_clip_config.json").read_text())
    about[part] |= entries
    (network / "open_clip_config.json").write_text(json.dumps(about))


CHANGES = (
    change_weights,
    lambda network: change_config(network, mean=[0.4, 0.5, 0.5]),
    lambda network: change_config(network, "model_cfg", quick_gelu=True),
)


def test_a_vector_is_made_again_when_its_model_is_another_and_not_when_it_was_moved(network):
    assert looked_at(network) == (2, 1) and looked_at(network) == (0, 0)
    moved = network.with_name("elsewhere") / "network"
    shutil.copytree(network, moved)
    shutil.copytree(network.with_name("own"), moved.with_name("own"))
    assert looked_at(moved) == (0, 0)
    for change in CHANGES:
        change(network)
        assert looked_at(network) == (2, 1)


def test_a_vector_is_made_again_for_another_picture_text_and_version(network, monkeypatch):
    assert looked_at(network) == (2, 1)
    another(network.with_name("own") / "1.bmp")
    assert looked_at(network) == (1, 0)
    assert looked_at(network, ["a warm photo", "a warm person"]) == (0, 1)
    monkeypatch.setattr(kept, "versions", lambda packages=(): {"torch": "99"})
    assert looked_at(network) == (2, 1)


# --- sweeps ---------------------------------------------------------------------------------------


def test_a_sweep_measures_again_what_is_made_of_something_else(own, monkeypatch):
    side = vb.images("folder", root=own / "own")
    words = PromptSet("words", pd.DataFrame({"text": ["kind", "cold"]}), "words")

    def asked():
        battery = sets.Battery({"race/all": (side, side, words, words)})
        monkeypatch.setattr(sets, "of", lambda stimuli: battery)
        sweep.prepare("greenhouse", [str(own / "network")])
        (record,) = (own / "_build/inputs/sweep/greenhouse").glob("*.json")
        return record.read_text()

    found = [asked()]
    assert asked() == found[0]
    for name in ("own/below/one.bmp", "network/model.safetensors", "requirements.lock"):
        another(own / name)
        found.append(asked())
    words.table.loc[0, "text"] += "!"
    found.append(asked())
    monkeypatch.setattr(kept, "kernel", lambda: {"python": "3.99"})
    found.append(asked())
    assert len(set(found)) == 6


# --- the key itself -------------------------------------------------------------------------------


def test_a_key_knows_every_content_by_its_name_and_no_order(tmp_path):
    files = [tmp_path / "a", tmp_path / "b"]
    for file in files:
        file.write_text("1")
    one = kept.key({"words": "x", "tables": "y"}, files[:1])
    assert kept.key({"tables": "y", "words": "x"}, files[:1]) == one
    others = [
        kept.key({"words": "y", "tables": "x"}, files[:1]),
        kept.key({"words": "x", "tables": "y"}, files[1:]),
        kept.key({"words": "x", "tables": "y"}),
        kept.key({"words": "x", "tables": ["y"]}, files[:1]),
    ]
    assert len({one, *others}) == 5
