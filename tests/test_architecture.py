"""What the architecture page says of files and of minutes is so."""

import json
import re

import pandas as pd
import pytest

from greenhouse.world.bias import DATA
from vlmbias import paths

PAGE = (paths.root() / "book/architecture.md").read_text("utf-8")
ROOTS = ("", "src/", "src/vlmbias/", "src/vlmbias/embedding/", "data/greenhouse/", "tests/ledger/")
FOLDERS = ("src/", "data/", "book/", "tests/", "notebooks/")


def expanded(name: str) -> list[str]:
    """A path with `{a,b}` as the paths that it stands for."""
    found = re.search(r"\{([^}]*)\}", name)
    if not found:
        return [name]
    parts = found[1].split(",")
    return [one for part in parts for one in expanded(name.replace(found[0], part, 1))]


def test_every_path_it_names_is_there():
    named = {name for name in re.findall(r"`([^`\s]+)`", PAGE) if name.startswith(FOLDERS)}
    every = [one for name in named if "<" not in name for one in expanded(name)]
    lost = [one for one in every if not [*paths.root().glob(one.rstrip("/"))]]
    assert len(every) > 60 and not lost, lost


def minutes() -> dict[str, float]:
    """Core-minutes of training, as the shipped records have them."""
    cards = {file.parent.name: json.loads(file.read_text()) for file in DATA.glob("*/card.json")}
    each = {name: card["training_core_seconds"] / 60 for name, card in cards.items()}
    speaking = pd.read_csv(DATA / "speaking/networks.csv")["training_core_seconds"]
    fleet = pd.read_csv(DATA / "fleet_models.csv")["core_seconds"]
    study = json.loads((DATA / "retrained/study.json").read_text())["core_seconds"]
    four = [f"{kind}{end}" for kind in ("answers", "captions") for end in ("", "-b0")]
    return {
        "dose-response": study / 60,
        "campaign speakers": speaking.sum() / 60,
        "vlmbias campaign fleet": fleet.sum() / 60,
        "train answers": sum(each[name] for name in four),
        "train resnet": each["resnet"],
    }


@pytest.mark.parametrize("command", minutes())
def test_the_minutes_of_training_are_those_of_the_records(command):
    (row,) = [line for line in PAGE.splitlines() if line.startswith("| `") and command in line]
    printed = row.rstrip("| ").rpartition("|")[2]
    assert float(printed) == pytest.approx(minutes()[command], abs=0.5), row
