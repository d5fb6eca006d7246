"""Networks that answer or describe: one of another recipe or grammar is not taken for one of
today's."""

import json

import pytest

from greenhouse.study import speaking
from vlmbias import paths


@pytest.fixture
def workshop(tmp_path, monkeypatch):
    monkeypatch.setattr(paths, "build", lambda: tmp_path)
    return tmp_path


def keep(kind: str, seed: int, recipe_hash: str):
    folder = speaking.folder_of(kind, 0.0, seed)
    folder.mkdir(parents=True)
    (folder / "card.json").write_text(json.dumps({"kind": kind, "recipe_hash": recipe_hash}))
    (folder / "said.csv.gz").write_bytes(b"x")
    return folder


def test_what_another_recipe_made_is_discarded_and_asked_for_again(workshop):
    kind = "answers"
    own, other = keep(kind, 3, speaking.wanted(kind)), keep(kind, 4, "another")
    targets = speaking.prepare([3, 4])
    assert own.is_dir() and not other.exists()
    again = f"_build/greenhouse/speakers/{other.name}/said.csv.gz"
    assert again in targets and not any(own.name in one for one in targets)


def test_what_another_recipe_made_is_not_collected(workshop):
    keep("answers", 4, "another")
    with pytest.raises(ValueError, match="no network that answers or describes is there yet"):
        speaking.collect(workshop / "out")
