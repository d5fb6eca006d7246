"""The explorer page's data, still picture and tables.

Comes in: what `explorer_data.py` writes to `_build/explorer`, anew only when something that it is made from has
changed. Goes out: the directive `{explorer}`, and the page's scripts beside the other static files. May not: import
torch, or hold a number of its own.
"""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import subprocess
import sys
from functools import cache
from pathlib import Path

import pandas as pd
from docutils import nodes
from sphinx.application import Sphinx
from sphinx.util.docutils import SphinxDirective

from runner import plan
from studies.greenhouse import explorer
from vlmbias import paths
from vlmbias.whole_files import write_json

PAGE, MADE = "book/explorer", "made.json"
MADE_FROM = ("book/_ext/explorer_data.py", "src/studies/greenhouse/explorer.py", "src/greenhouse/world/*.py",
             "src/vlmbias/embedding/*.py", "src/vlmbias/stimuli/*.py", "src/vlmbias/measures/*.py",
             "data/greenhouse/default/*", "data/greenhouse/b0*/*", "data/greenhouse/nuisance.yaml",
             "data/stimuli/social_perception.yaml", "requirements.lock")  # fmt: skip
ALT = ("Four rows of five drawn faces. In each row one face changes from left to right: from frowning to smiling, from "
       "young to old, lit from the left to lit from the right, turned left to turned right.")  # fmt: skip


@cache
def data() -> Path:
    """The folder with the page's data, made if it is missing or was made from something else."""
    folder = paths.build() / "explorer"
    now = hashlib.sha256(json.dumps(plan.hashes(MADE_FROM)).encode()).hexdigest()
    record = folder / MADE
    if not record.is_file() or json.loads(record.read_text("utf-8")) != now:
        # by a process of its own: it imports torch, whose threads wait for each other where the cores are busy
        environment = {name: value for name, value in os.environ.items() if name != "VLMBIAS_IDENTITIES"}
        command = [sys.executable, str(Path(__file__).with_name("explorer_data.py")), str(folder)]
        subprocess.run(command, check=True, env={**environment, "OMP_NUM_THREADS": "1"})
        write_json(record, now)
    return folder


@cache
def _comparisons() -> tuple[dict[str, str], pd.DataFrame]:
    """The labels of the networks by name, and the comparisons."""
    content = json.loads((data() / "comparisons.json").read_text("utf-8"))
    return content["labels"], pd.DataFrame(content["rows"])


def _sentence() -> str:
    """How the lamps stand, in the default network and in those with nothing planted."""
    _, table = _comparisons()
    default = table["network"] == explorer.NETWORKS[0]
    planted, null = explorer.summary(table[default]), explorer.summary(table[~default])
    return (
        f"On the {null['questions']} questions of this page (pairs of groups × dimensions), the lamps of the "
        f"{len(explorer.NETWORKS) - 1} networks with nothing planted are on in {null['on']} of {null['lamps']} cases; "
        f"in {null['flips']} questions they do not all stand alike, and in {null['opposed']} of these they contradict "
        f"each other: on for one group in one network, and for the other group in another. In the default network, "
        f"{planted['on']} of {planted['lamps']} are on. Welch's test, which takes the two pictures of an identity for two "
        f"individuals, leaves {null['on_separate']} of the {null['lamps']} on, and {planted['on_separate']} of the "
        f"{planted['lamps']}."
    )


def _tables() -> str:
    """One Markdown table per pair of groups: dimensions × networks."""
    labels, table = _comparisons()
    table = table.assign(lamp=explorer.on(table))
    parts = []
    for (first, second), own in table.groupby(["first", "second"], sort=False):
        head = ["dimension", *(label.split(", ")[-1].split(":")[0] for label in labels.values())]
        lines = [head, ["---"] * len(head)]
        for dimension, row in own.groupby("dimension", sort=False):
            cells = row.set_index("network").loc[list(labels)]
            lines.append([dimension.replace("_", " "), *map(_cell, cells["difference"], cells["lamp"])])
        text = "\n".join(f"| {' | '.join(line)} |" for line in lines)
        parts.append(f"**{first.capitalize()} less {second}**\n\n{text}")
    return "\n\n".join(parts)


def _cell(difference: float, lamp: int) -> str:
    return f"{difference:+.3f}{' ●' if lamp else ''}".replace("-", "−")


class Explorer(SphinxDirective):
    """`{explorer}` with `still`, the picture; `sentence`, how the lamps stand; or `tables`, all of them."""

    required_arguments = 1

    def run(self) -> list[nodes.Node]:
        self.env.note_dependency(str(data() / MADE))
        (view,) = self.arguments
        if view == "still":
            place = os.path.relpath(data() / "faces.png", Path(self.env.doc2path(self.env.docname)).parent)
            return [nodes.image("", uri=place, alt=ALT, classes=["ex-still"])]
        if view not in ("sentence", "tables"):
            raise self.error(f"explorer shows still, sentence or tables; got {view!r}")
        return self.parse_text_to_nodes(_sentence() if view == "sentence" else _tables())


def copy_scripts(app: Sphinx, error: Exception | None) -> None:
    """Put the data beside the scripts that read them."""
    if error or app.builder.format != "html" or PAGE not in app.env.found_docs:
        return
    target = Path(app.outdir, "_static", "explorer")
    target.mkdir(parents=True, exist_ok=True)
    for script in data().glob("*.js"):
        shutil.copy(script, target)


def setup(app: Sphinx) -> dict:
    app.add_directive("explorer", Explorer)
    app.connect("build-finished", copy_scripts)
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}
