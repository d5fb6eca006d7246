"""`{play} first-look`: one face, two networks, a switch."""

from __future__ import annotations

import io
from base64 import b64encode
from functools import cache
from typing import Any

import numpy as np
import pandas as pd
from PIL import Image
from play import Play, markdown_table, still_figures

import vlmbias as vb
from greenhouse.world import faces, grid, groups
from studies import words
from studies.greenhouse import explorer, two_networks
from studies.overviews.illustration import Illustration

EDGE, COLOURS = 160, 96  # of a painted face: pixels, and colours that are kept
WIDTH, HEIGHT = 4.2, 1.7  # inches of the still picture, and of a row of it
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


def _still() -> str:
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
    return still_figures(Illustration(figure, alt, f"{sentences} {_rule(question)}", "greenhouse"))


def _answer() -> str:
    """How many networks find the first colour warmer, how many the second, and how many neither."""
    _, _, question = found()
    first, second = question.loc[0, ["first", "second"]]
    on = {name: int((question["lamp"] == lamp).sum()) for name, lamp in ((first, 1), (second, -1))}
    parts = [f"{n} find {name} faces warmer" for name, n in on.items() if n]
    off = len(question) - sum(on.values())
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

{markdown_table(columns, rows)}

The difference is the mean Δcos in {first} minus that in {second}. Faces with equal scores in both colours count for neither, so that the two counts of a row may add up to less than {n}.
"""  # noqa: E501


PLAY = Play(
    made_from=("data/greenhouse/retrained/*", "src/studies/greenhouse/two_networks.py"),
    content=content,
    still=_still,
    parts={"answer": _answer, "numbers": _numbers},
)
