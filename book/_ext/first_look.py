"""The one thing to see on the first page: one face, two networks, a switch: `{first-look} play` and
`{first-look} numbers`.

Comes in: `studies.greenhouse.two_networks` and the Greenhouse's renderer. Goes out: the directive
`{first-look}`; its script and style lie in `book/static/first-look`. May not: import torch, ask for
anything outside the page, or hold a number of its own.
"""

from __future__ import annotations

import io
import json
import os
from base64 import b64encode
from functools import cache
from typing import Any

import numpy as np
import pandas as pd
from docutils import nodes
from PIL import Image
from sphinx.application import Sphinx
from sphinx.util.docutils import SphinxDirective

import vlmbias as vb
from greenhouse import retrained
from greenhouse.world import faces, grid, groups
from studies import words
from studies.greenhouse import explorer, two_networks
from vlmbias import paths
from vlmbias.figures import showing

EDGE, COLOURS = 160, 96  # of a painted face: pixels, and colours that are kept
WIDTH, HEIGHT = 4.2, 1.7  # inches of the still picture, and of a row of it
LIMITS = "book/greenhouse/limits"
STEP = "Another network, trained alike"
STILL = (
    "One network (above)",
    "Another network (below), trained by the same rules,",
)
LAMP, DARK = vb.figures.COLOURS[groups.HUES[1]], vb.figures.COLOURS["muted"]
UNLIKE = 0.0001  # a p-value below it is printed as such


@cache
def found() -> tuple[pd.DataFrame, pd.DataFrame, pd.DataFrame]:
    """The pictures of the first identity in the two hues, all comparisons, and the question that is
    shown."""
    seen = two_networks.scores()
    table = two_networks.comparisons(seen)
    question = two_networks.question_shown(table)
    groups = list(question.loc[0, ["first", "second"]])
    rows = [np.flatnonzero(explorer.members(seen.images, name)) for name in groups]
    kept = seen.images.loc[[own[seen.images["seed"].to_numpy()[own].argmin()] for own in rows]]
    columns = ["seed", "race", "gender", *grid.RANGES]
    return kept[columns].reset_index(drop=True), table, question


def _chance(p: float) -> str:
    return f"p < {UNLIKE}" if p < UNLIKE else f"p = {p:.2g}"


def _said(row: pd.Series, who: str) -> str:
    """What one lamp that is on says."""
    first, second = row["first"], row["second"]
    higher, lower = (first, second) if row["lamp"] > 0 else (second, first)
    count = row["first_higher"] if row["lamp"] > 0 else row["second_higher"]
    return (
        f"{who} finds {higher} faces warmer: of {row['n']} people, {count} score higher in"
        f" {higher} than in {lower}."
    )


def _states(one: str = "This network", other: str = "The other network") -> list[dict[str, Any]]:
    """The two states of the switch: where the lamp is on, and what is said of each network."""
    rows = two_networks.shown(found()[2])
    return [
        {"on": 0 if row["lamp"] > 0 else 1, "said": _said(row, who)}
        for row, who in zip(rows, (one, other), strict=True)
    ]


def _painted() -> list[Image.Image]:
    """The two faces, in few enough colours for a page."""
    painted = faces.render(found()[0], size=EDGE)
    return [Image.fromarray(face).quantize(COLOURS, dither=Image.Dither.NONE) for face in painted]


def _picture(face: Image.Image) -> str:
    file = io.BytesIO()
    face.save(file, "PNG", optimize=True)
    return f"data:image/png;base64,{b64encode(file.getvalue()).decode('ascii')}"


def content() -> dict[str, Any]:
    """Everything that the script shows."""
    shown, _, question = found()
    listed = [
        {"name": name, "picture": _picture(face), "alt": f"A drawn face painted {name}."}
        for name, face in zip(shown["race"], _painted(), strict=True)
    ]
    return {"faces": listed, "states": _states(), "switch": STEP, "rule": _rule(question)}


def _rule(question: pd.DataFrame) -> str:
    """Which networks are shown, and when a lamp is on."""
    return (
        f"Of our {len(question)} networks, these two differ most. Lamps: p < {explorer.ALPHA:g},"
        f" over {question.loc[0, 'n']} people."
    )


def _still(page: str) -> str:
    """Both states in one picture, for readers without scripts and on paper."""
    shown, _, question = found()
    states = _states(*STILL)
    painted = [face.convert("RGB") for face in _painted()]
    with vb.figures.style():
        figure, axes = vb.figures.panels(2, 2, height=2 * HEIGHT)
        figure.set_figwidth(WIDTH)
        for row, state in enumerate(states):
            for column, (face, name) in enumerate(zip(painted, shown["race"], strict=True)):
                panel, lit = axes[row][column], state["on"] == column
                panel.imshow(face)
                panel.set_axis_off()
                panel.scatter(
                    [1.14], [0.5], transform=panel.transAxes, clip_on=False, s=110,
                    facecolor=LAMP if lit else "none", edgecolor=LAMP if lit else DARK,
                )  # fmt: skip
                panel.set_title(f"{name}: lamp {'on' if lit else 'off'}")
    sentences = " ".join(state["said"] for state in states)
    first, second = shown["race"]
    alt = (
        f"One drawn face in {first} and in {second}, with a lamp beside each: in the upper row as"
        f" one network sees them, in the lower row as another one does. {sentences}"
    )
    html = showing.to_html(
        figure, alt=alt, caption=f"{sentences} {_rule(question)}", source="greenhouse"
    )
    return html.replace(showing.LIMITS, os.path.relpath(f"{LIMITS}.html", os.path.dirname(page)))


def answer(question: pd.DataFrame) -> str:
    """How many networks find the first colour warmer, how many the second, and how many neither."""
    first, second = question.loc[0, ["first", "second"]]
    found = {
        name: int((question["lamp"] == lamp).sum()) for name, lamp in ((first, 1), (second, -1))
    }
    parts = [f"{n} find {name} faces warmer" for name, n in found.items() if n]
    off = len(question) - sum(found.values())
    if off:
        parts.append(f"{off} show no significant difference")
    return f"We trained {len(question)} such networks. Of these, {words.listed(parts)}."


def _numbers() -> str:
    """The folded part: which faces, networks and test; how they were chosen; how usual it is."""
    _, table, question = found()
    one, other = two_networks.shown(question)
    own, every = two_networks.pairs(question["lamp"]), two_networks.over_questions(table)
    first, second = question.loc[0, ["first", "second"]]
    n, networks = question.loc[0, "n"], len(question)
    dimension = question.loc[0, "dimension"].replace("_", " ")
    columns = ["network", "difference", "p", f"higher in {first}", f"higher in {second}", "lamp"]
    rows = [
        [
            f"{row.network}{' (shown)' if row.network in (one.network, other.network) else ''}",
            f"{row.difference:+.4f}",
            _chance(row.p).removeprefix("p = ").removeprefix("p "),
            row.first_higher,
            row.second_higher,
            {1: first, 0: "off", -1: second}[row.lamp],
        ]
        for row in question.itertuples()
    ]
    lines = [columns, ["---"] * len(columns), *rows]
    listed = "\n".join(f"| {' | '.join(map(str, line))} |" for line in lines)
    return f"""
**Faces.** {n} identities on which no network was trained. Each is painted once in {first} and once in {second}, with everything else
equal. All networks are tested with these pictures.

**Networks.** There are {networks}, trained by one recipe. In their captions no trait has anything to do with a colour. They differ in their random
start, and in the training pictures that were painted for them by the same rules.

**Test.** The score is [Δcos](primers/perception) on {dimension}: how much nearer a face is to sentences about warm people than to a neutral sentence. A lamp is on if the mean difference is significant in a two-sided paired t-test (p < {explorer.ALPHA:g}):
each of the {n} faces is compared with itself in the other colour.

**Which two are shown.** There are three colours, which can be compared two by two. We took the two colours on which networks contradict each other most often about {dimension}. Of the networks we show
the one with the largest difference in favour of {first}, number {one.network}, and the one with the largest in favour of {second}, number {other.network}.

**How usual this is.** The {networks} networks make {own["pairs"]} pairs. In {own["turned"]} pairs the lamps contradict each other as above. In {own["same"]} both are on for the same
colour, and in {own["off"]} at least one is off. We also asked the same networks the {every["questions"]} questions of [the explorer](explorer). They are about eight traits, and compare either two colours or two kinds of crest, which the faces wear on their heads. Over all questions,
{100 * every["turned"] / every["pairs"]:.0f} % of the pairs of networks contradict each other. By question, between {every["fewest"]} and {every["most"]} of the {own["pairs"]} pairs do.

{listed}

The difference is the mean Δcos in {first} minus that in {second}. Faces with equal scores in both colours count for neither, so that the two counts of a row may add up to less than {n}.
"""  # noqa: E501


class FirstLook(SphinxDirective):
    """`{first-look} play`: the switch, or both states in one picture where no script runs;
    `answer`: what all such networks find; `numbers`: what stands behind the lamps."""

    required_arguments = 1

    def run(self) -> list[nodes.Node]:
        for name in ("scores.npz", "networks.csv", "score_images.csv"):
            self.env.note_dependency(str(retrained.RETRAINED / name))
        self.env.note_dependency(str(paths.root() / "src/studies/greenhouse/two_networks.py"))
        (view,) = self.arguments
        if view == "numbers":
            return self.parse_text_to_nodes(_numbers())
        if view == "answer":
            return self.parse_text_to_nodes(answer(found()[2]))
        if view != "play":
            raise self.error(f"first-look shows play, answer or numbers; got {view!r}")
        still = nodes.raw(
            "", f'<div class="fl-still">{_still(self.env.docname)}</div>', format="html"
        )
        if self.env.app.builder.name != "html":  # an EPUB takes HTML, too, but runs no script
            return [still]
        return [still, nodes.raw("", self._play(), format="html")]

    def _play(self) -> str:
        folder = f"{'../' * self.env.docname.count('/')}_static/first-look/first-look"
        text = json.dumps(content(), ensure_ascii=False).replace("<", "\\u003c")
        return (
            f'<link rel="stylesheet" href="{folder}.css"><div id="first-look" hidden></div>'
            f'<script type="application/json" id="first-look-data">{text}</script>'
            f'<script src="{folder}.js"></script>'
        )


def setup(app: Sphinx) -> dict:
    app.add_directive("first-look", FirstLook)
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}
