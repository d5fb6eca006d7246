"""`{play} explorer`: a face with sliders, six networks that look at it, and their lamps.

Its data are what `explorer_data.py` writes to `_build/explorer`, in a process of its own, as that
imports torch; anew only when something that they are made from has changed.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from base64 import b64encode
from functools import cache
from pathlib import Path
from typing import Any

import pandas as pd
from play import Play, markdown_table

from runner import plan
from studies.greenhouse import explorer
from vlmbias import kept, paths
from vlmbias.whole_files import write_json

MADE = "made.json"
MADE_FROM = (
    "book/_ext/explorer_data.py",
    "src/studies/greenhouse/explorer.py",
    "src/greenhouse/world/*.py",
    "src/vlmbias/embedding/*.py",
    "src/vlmbias/stimuli/*.py",
    "src/vlmbias/measures/*.py",
    "data/greenhouse/default/*",
    "data/greenhouse/b0*/*",
    "data/greenhouse/nuisance.yaml",
    "data/stimuli/social_perception.yaml",
    "requirements.lock",
)
ALT = (
    "Four rows of five drawn faces. In each row one face changes from left to right: from frowning"
    " to smiling, from young to old, lit from the left to lit from the right, turned left to turned"
    " right."
)


@cache
def data() -> Path:
    """The folder with the page's data, made if it is missing or was made from something else."""
    folder = paths.build() / "explorer"
    now = kept.key(plan.hashes(MADE_FROM))
    record = folder / MADE
    if not record.is_file() or json.loads(record.read_text("utf-8")) != now:
        # by a process of its own: it imports torch, whose threads wait for each other where the
        # cores are busy
        environment = {
            name: value for name, value in os.environ.items() if name != "VLMBIAS_IDENTITIES"
        }
        command = [sys.executable, str(Path(__file__).with_name("explorer_data.py")), str(folder)]
        subprocess.run(command, check=True, env={**environment, "OMP_NUM_THREADS": "1"})
        write_json(record, now)
    return folder


@cache
def world() -> dict[str, Any]:
    """What the painter and the page need to know besides the networks' weights."""
    return json.loads((data() / "world.json").read_text("utf-8"))


def _still() -> str:
    picture = b64encode((data() / "faces.jpg").read_bytes()).decode("ascii")
    return f'<img src="data:image/jpeg;base64,{picture}" alt="{ALT}">'


def _sentence() -> str:
    """How the lamps stand: over networks, over faces, by the other test; and how large the
    differences are."""
    table = pd.DataFrame(world()["comparisons"])
    default, first = table["network"] == explorer.NETWORKS[0], table["hundred"] == 0
    planted, null = (
        explorer.over_networks(table[default & first]),
        explorer.over_networks(table[~default & first]),
    )
    faces, size = explorer.over_faces(table[~default]), table["difference"].abs()
    return (
        f"**Other networks, same faces.** This page asks {null['questions']} questions: four pairs"
        f" of groups, eight dimensions. In the {len(explorer.NETWORKS) - 1} networks with nothing"
        f" planted, {null['on']} of {null['lamps']} lamps are on.\n\nIn {null['unlike']} of the"
        f" {null['questions']} questions, these networks do not all say the same. In"
        f" {null['opposed']} they contradict each other: the lamp is on for one group in one"
        " network, and for the other group in another.\n\n**Same network, other faces.** We"
        " asked the same questions with the first hundred identities and with the next hundred."
        f" Of {faces['on']} lamps that are on with the first, {faces['stay']} are on for the same"
        f" group with the next, and {faces['opposed']} for the other group.\n\n**Size.** In the"
        f" default network {planted['on']} of {planted['lamps']} lamps"
        f" are on, and the median size of a difference is {size[default & first].median():.4f}; in"
        f" the others it is {size[~default & first].median():.4f}. A lamp does not show"
        " this.\n\n**Another test.** Welch's test takes the two pictures of one identity for two"
        f" individuals, whose hair and clothes then count as chance. By it, {null['on_separate']}"
        f" of the {null['lamps']} lamps are on where nothing was planted, and"
        f" {planted['on_separate']} of {planted['lamps']} in the default network."
    )


def _tables() -> str:
    """One Markdown table per pair of groups: dimensions × networks."""
    table, parts = pd.DataFrame(world()["comparisons"]), []
    table = table[table["hundred"] == 0]
    labels = {one["name"]: one["label"] for one in world()["networks"]}
    head = ["dimension", *(label.split(", ")[-1].split(":")[0] for label in labels.values())]
    for (first, second), own in table.groupby(["first", "second"], sort=False):
        rows = []
        for dimension, row in own.groupby("dimension", sort=False):
            cells = row.set_index("network").loc[list(labels)]
            rows.append(
                [dimension.replace("_", " "), *map(_cell, cells["difference"], cells["on"])]
            )
        parts.append(f"**{first.capitalize()} less {second}**\n\n{markdown_table(head, rows)}")
    return "\n\n".join(parts)


def _cell(difference: float, lamp: int) -> str:
    return f"{difference:+.4f}{' ●' if lamp else ''}"


PLAY = Play(
    made_from=MADE_FROM,
    content=world,
    still=_still,
    libraries=("dice", "painting", "face", "model"),
    parts={"sentence": _sentence, "tables": _tables},
)
