"""The explorer page's data, still picture and tables.

Comes in: what `explorer_data.py` writes to `_build/explorer`, anew only when something that it is
made from has changed. Goes out: the directive `{explorer}`, and the page's scripts beside the other
static files. May not: import torch, or hold a number of its own.
"""

from __future__ import annotations

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
from vlmbias import kept, paths
from vlmbias.whole_files import write_json

PAGE, MADE = "book/explorer", "made.json"
SCRIPTS = (
    "dice",
    "painting",
    "face",
    "model",
    "world",
    "page",
)  # in this order: each uses those before it
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
def _comparisons() -> tuple[dict[str, str], pd.DataFrame]:
    """The labels of the networks by name, and the comparisons."""
    content = json.loads((data() / "comparisons.json").read_text("utf-8"))
    return content["labels"], pd.DataFrame(content["rows"])


def _sentence() -> str:
    """How the lamps stand: over networks, over faces, by the other test; and how large the
    differences are."""
    _, table = _comparisons()
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
    labels, table = _comparisons()
    table = table[table["hundred"] == 0].assign(lamp=explorer.on(table))
    parts = []
    for (first, second), own in table.groupby(["first", "second"], sort=False):
        head = ["dimension", *(label.split(", ")[-1].split(":")[0] for label in labels.values())]
        lines = [head, ["---"] * len(head)]
        for dimension, row in own.groupby("dimension", sort=False):
            cells = row.set_index("network").loc[list(labels)]
            lines.append(
                [dimension.replace("_", " "), *map(_cell, cells["difference"], cells["lamp"])]
            )
        text = "\n".join(f"| {' | '.join(line)} |" for line in lines)
        parts.append(f"**{first.capitalize()} less {second}**\n\n{text}")
    return "\n\n".join(parts)


def _cell(difference: float, lamp: int) -> str:
    return f"{difference:+.4f}{' ●' if lamp else ''}"


def _controls(up: str) -> str:
    """The place of the controls, and the scripts that fill it; `up` leads to the root of the
    site."""
    folder = f"{up}_static/explorer/"
    scripts = "".join(f'<script src="{folder}{name}.js"></script>' for name in SCRIPTS)
    return (
        f'<link rel="stylesheet" href="{folder}explorer.css"><div id="explorer"'
        f" hidden></div>{scripts}"
    )


class Explorer(SphinxDirective):
    """`{explorer}` with `page`: the controls, or a still picture where they cannot run; `sentence`:
    how the lamps stand; `tables`: those of identities 0 to 99."""

    required_arguments = 1

    def run(self) -> list[nodes.Node]:
        self.env.note_dependency(str(data() / MADE))
        (view,) = self.arguments
        if view == "page":
            return self._page()
        if view not in ("sentence", "tables"):
            raise self.error(f"explorer shows page, sentence or tables; got {view!r}")
        return self.parse_text_to_nodes(_sentence() if view == "sentence" else _tables())

    def _page(self) -> list[nodes.Node]:
        name = self.env.docname
        place = os.path.relpath(data() / "faces.png", Path(self.env.doc2path(name)).parent)
        still = nodes.image("", uri=place, alt=ALT, classes=["ex-still"])
        if self.env.app.builder.name != "html":  # an EPUB takes HTML, too, but runs no script
            return [still]
        return [still, nodes.raw("", _controls("../" * name.count("/")), format="html")]


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
