"""The explorer's data are made when something they are made from has changed, and at no other
time."""

import importlib
import json
from pathlib import Path

import numpy as np
import pytest

from vlmbias import paths


@pytest.fixture
def extension(monkeypatch, tmp_path):
    """The extension, with a build folder of its own; `made` are the folders it asked to be
    filled."""
    monkeypatch.syspath_prepend(str(paths.root() / "book/_ext"))
    found = importlib.import_module("explorer")
    monkeypatch.setattr(paths, "build", lambda: tmp_path)
    monkeypatch.setenv("VLMBIAS_IDENTITIES", "3")
    found.made = []

    def pretend(command, *, check, env):
        assert check and env["OMP_NUM_THREADS"] == "1" and "VLMBIAS_IDENTITIES" not in env
        assert Path(command[1]).name == "explorer_data.py"
        Path(command[2]).mkdir(exist_ok=True)
        found.made.append(command[2])

    monkeypatch.setattr(found.subprocess, "run", pretend)
    found.data.cache_clear()
    yield found
    found.data.cache_clear()


def test_data_are_made_once_for_one_state_of_their_sources(extension, monkeypatch):
    for expected in (1, 1):
        assert extension.data() == paths.build() / "explorer"
        assert len(extension.made) == expected
        extension.data.cache_clear()
    monkeypatch.setattr(
        extension.plan, "hashes", lambda patterns: {"data/greenhouse/b0/model.safetensors": "other"}
    )
    extension.data()
    assert len(extension.made) == 2


def test_networks_and_programs_that_the_data_are_made_from_are_watched(extension):
    watched = set(extension.plan.hashes(extension.MADE_FROM))
    assert {
        *(f"data/greenhouse/{one}/model.safetensors" for one in ("default", "b0", "b0-restart-4")),
        "src/greenhouse/world/face_parts.py",
        "src/vlmbias/measures/perception.py",
    } <= watched


def test_a_network_is_packed_without_loss(monkeypatch):
    monkeypatch.syspath_prepend(str(paths.root() / "book/_ext"))
    from base64 import b64decode

    from safetensors.numpy import load_file

    folder = paths.data() / "greenhouse" / "b0"
    packed = importlib.import_module("explorer_data").tower(folder)
    numbers = np.frombuffer(b64decode(packed["weights"]), "<f2")
    weights, start = load_file(folder / "model.safetensors"), 0
    for name, count in packed["arrays"]:
        np.testing.assert_array_equal(
            numbers[start : start + count], weights[f"visual.{name}"].ravel()
        )
        start += count
    sizes = [one.size for name, one in weights.items() if name.startswith("visual.")]
    assert start == len(numbers) == sum(sizes)
    config = json.loads((folder / "open_clip_config.json").read_text())["model_cfg"]
    assert packed["vision"]["layers"] == config["vision_cfg"]["layers"]
