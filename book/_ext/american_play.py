"""Two things to play with on the overview of Wolfe and Caliskan: what a figure reports of the same
probabilities, and what a model returns for 51 places that it cannot tell apart.

Comes in: `studies.american_white.reported` and `placeless`, the ledger, what is shipped of the
Greenhouse and of the census. Goes out: the directive `{american-play}`; its scripts and style lie
in `book/static/american-play`. May not: import torch, ask for anything outside the page, or hold a
number of its own.
"""

from __future__ import annotations

import json
import os
import re
from base64 import b64decode
from functools import cache
from pathlib import Path
from typing import Any

import pandas as pd
from docutils import nodes
from sphinx.application import Sphinx
from sphinx.util.docutils import SphinxDirective

import vlmbias as vb
from greenhouse import retrained, speech
from greenhouse.world import grammar
from studies.american_white import placeless, reported, states, vqa
from studies.overviews import played
from vlmbias import ledger
from vlmbias.external import america
from vlmbias.figures import COLOURS, showing
from vlmbias.papers import RACES
from vlmbias.stimuli.reader_folders import NAMES

LIMITS = "book/greenhouse/limits"
FOLDER = "_static/american-play"
SCRIPTS = ("reports", "page")  # in this order: the second uses the first
ENDS = {"gap": (0, 8), "spread": (0.05, 2.5)}  # of the sliders
GROUPS = {"asian": "Asian", "black": "Black", "latino": "Latina/o", "white": "White"}
BESIDE = ("black", "white")  # the columns of the census that the presets show
TITLES = {
    "printed": "“{question}” Invented probabilities of “yes”: a dot for each portrait",
    "taught": "“{question}” The probability of “yes” that we taught: a dot for each face",
}
INVENTED = (
    "The authors' model gives its likeliest answer, so their figure is the third way to report. The"
    " probabilities are invented, as the paper prints none; so the groups have letters here. Each"
    " has as many portraits as a group of the paper, and with the first two buttons the likeliest"
    " answers give its shares: {shares}. From the first button to the second, portraits move apart"
    " ({times:g} times, in log odds), and none crosses 50 %. So no answer changes."
)
TAUGHT = (
    "Here the probabilities are known: we taught them to small networks, about painted faces in"
    " four colours (the Greenhouse). “Arborian” is an invented word, in the place of the paper's"
    " “American”. With the settings of the third button, each dot is one face. Compare the two"
    " numbers of points: the chart of likeliest answers exaggerates what was taught."
)
PLACES = (
    "For each state, the authors took the portraits that fit the state best for a model: those"
    " that it returns. If a group has a larger share of them than of the state's population, it"
    " counts as over-represented. They report that “{quote}”. Does a model have to know something"
    " about places to give such a result?"
)
HUES = (
    "We have {n} small networks that know nothing about places. Their captions treat four colours"
    " of faces (hues) alike and do not say who lives where. A network prefers some hue all the"
    " same; which one depends on the random numbers with which its training began. The hues stand"
    " for no group of people. The first map shows what one network returns for each province of an"
    " invented country. We then take one number from it, the mean share of a hue, and compare this"
    " number with the census of each state of the United States: this is the second map. The first"
    " two buttons use the network whose hues have the most even shares. The third uses the smallest"
    " share that any network has for a hue."
)


@cache
def patterns() -> dict[str, reported.Pattern]:
    """Portraits that give the printed shares, and those that networks were taught about."""
    asked = next(iter(speech.recipe()["questions"]))
    portraits = vb.images("greenhouse/cfd").table
    taught = speech.answer_odds(grammar.load(), asked, portraits, 1.0)["yes"]
    return {
        "printed": reported.printed(ledger.claim),
        "taught": reported.from_probabilities(taught, portraits["race"], seed=reported.SEED),
    }


@cache
def provinces() -> pd.DataFrame:
    """The fictional country: region, and the share of each hue in its census."""
    table = grammar.load().bias.provinces.set_index("province")
    return table[["region", *sorted({NAMES[race] for race in RACES})]]


@cache
def found() -> placeless.Returned:
    """What networks return that were taught nothing about places."""
    return placeless.returned(retrained.vectors(), provinces().drop(columns="region"))


@cache
def _printed() -> pd.DataFrame:
    """The printed shares of "yes", largest first."""
    table = vqa.printed(ledger.claim, reported.PRINTED)
    return table.sort_values("rate", ascending=False, ignore_index=True)


def _answers() -> dict[str, Any]:
    """What the first tab shows: its patterns, and the settings of its buttons."""
    own = patterns()
    named = zip(own["printed"].groups, _printed().itertuples(), strict=True)
    shares = ", ".join(f"{row.group} {row.percent} % (here {one.name})" for one, row in named)
    times = reported.MUCH / reported.LITTLE
    about = {"printed": INVENTED.format(shares=shares, times=times), "taught": TAUGHT}
    question = _printed()["answer"].iloc[0].partition(": ")[2]
    asked = {"printed": question, "taught": next(iter(speech.recipe()["questions"])).capitalize()}
    listed = {
        name: {
            "groups": [
                {
                    "name": one.name,
                    "colour": COLOURS.get(one.name),
                    "position": one.position,
                    "deviates": one.deviates.tolist(),
                    "ranks": one.ranks.tolist(),
                }
                for one in pattern.groups
            ],
            "title": TITLES[name].format(question=asked[name]),
            "mark": showing.MARKS["simulated" if name == "printed" else "greenhouse"],
            "about": about[name],
        }
        for name, pattern in own.items()
    }
    ends = [f"{reported.percent(share)} %" for share in _printed()["rate"].iloc[[0, -1]]]
    presets = [
        {
            "label": f"“{' and '.join(ends)}”: probabilities {how}",
            "pattern": "printed",
            "spread": spread,
            "gap": reported.gap_at(own["printed"], spread),
            "way": reported.WAYS[-1],
        }
        for spread, how in ((reported.LITTLE, "close together"), (reported.MUCH, "far apart"))
    ]
    taught = own["taught"]
    presets.append(
        {
            "label": "What we taught our own networks",
            "pattern": "taught",
            "spread": taught.spread,
            "gap": taught.gap,
            "way": reported.WAYS[-1],
        }
    )
    sliders = {name: [*ends_, reported.STEP] for name, ends_ in ENDS.items()}
    return {"patterns": listed, "presets": presets, "sliders": sliders}


def found_by_authors() -> str:
    """What the paper says of the shares, in its words."""
    return (
        str(ledger.claim("states.over-asian-black").quote).partition("reveals that ")[2].rstrip(".")
    )


def _places() -> dict[str, Any]:
    """What the second tab shows."""
    own, lived, land = found(), america.released_census().round(6), america.tiles()
    squares = states.in_lines(provinces()["region"])
    even, rare = placeless.most_even(own), placeless.rarest(own)
    share = [reported.percent(own.of(*one).mean()) for one in (even, rare)]
    first, second = (GROUPS[name] for name in BESIDE)
    return {
        "hues": list(own.groups),
        "provinces": [
            [name, int(row), int(column)]
            for name, (row, column) in zip(own.places, squares.to_numpy(), strict=True)
        ],
        "returned": own.counts.tolist(),
        "top": own.top,
        "states": [
            [str(state), letters, int(row), int(column)]
            for state, (row, column, letters) in land.iterrows()
        ],
        "census": {GROUPS[name]: lived.loc[land.index, name].tolist() for name in GROUPS},
        "presets": [
            {"label": label, "network": network, "hue": hue, "group": group}
            for label, (network, hue), group in (
                (f"About {share[0]} %, compared with the {first} population", even, first),
                (f"The same {share[0]} %, compared with the {second} population", even, second),
                (f"About {share[1]} %, compared with the {first} population", rare, first),
            )
        ],
        "asked": PLACES.format(quote=found_by_authors()),
        "about": HUES.format(n=len(own.counts)),
        "mark": showing.MARKS["greenhouse"],
        "source": f"Data: {showing.source_line('published:census_shares')}.",
    }


def content() -> dict[str, Any]:
    """Everything that the scripts show."""
    return {"answers": _answers(), "places": _places()}


@cache
def stills() -> str:
    """What the buttons show, standing still: for readers without scripts and on paper."""
    drawn = (
        played.answers(patterns()["printed"]),
        played.places(found(), provinces()["region"], america.released_census(), BESIDE),
    )
    return "".join(
        showing.to_html(one.figure, alt=one.alt, caption=one.caption, source=one.source)
        for one in drawn
    )


def _pictures() -> dict[str, str]:
    """The pictures of `stills` as files: name → what stands in their place in the page."""
    found = re.findall(r'"(data:image/(\w+)[^"]*)"', stills())
    return {f"still-{number}.{kind}": place for number, (place, kind) in enumerate(found, start=1)}


def copy_pictures(app: Sphinx, error: Exception | None) -> None:
    """Put the still pictures beside the scripts: hidden where these run, they need not be in the
    page."""
    used = "book/american_white" in app.env.found_docs
    if error or app.builder.name != "html" or not used:
        return
    target = Path(app.outdir, FOLDER)
    target.mkdir(parents=True, exist_ok=True)
    for name, place in _pictures().items():
        target.joinpath(name).write_bytes(b64decode(place.partition(",")[2]))


class AmericanPlay(SphinxDirective):
    """`{american-play}`: both things, or two still pictures where no script runs."""

    def run(self) -> list[nodes.Node]:
        data = retrained.RETRAINED / "vectors.npz"
        for file in (data, reported.__file__, placeless.__file__, played.__file__):
            self.env.note_dependency(str(file))
        name = self.env.docname
        up, html = "../" * name.count("/"), stills()
        html = html.replace(
            showing.LIMITS, os.path.relpath(f"{LIMITS}.html", os.path.dirname(name))
        )
        if self.env.app.builder.name != "html":  # an EPUB takes HTML, too, but runs no script
            return [nodes.raw("", html, format="html")]
        for file, place in _pictures().items():
            html = html.replace(place, f"{up}{FOLDER}/{file}")
        return [
            nodes.raw("", f'<div class="ap-still">{html}</div>', format="html"),
            nodes.raw("", _page(f"{up}{FOLDER}/"), format="html"),
        ]


def _page(folder: str) -> str:
    """The place of the controls, what they show, and the scripts that fill it."""
    text = json.dumps(content(), ensure_ascii=False, separators=(",", ":"))
    text = text.replace("<", "\\u003c")
    scripts = "".join(f'<script src="{folder}{name}.js"></script>' for name in SCRIPTS)
    return (
        f'<link rel="stylesheet" href="{folder}american-play.css">'
        '<div id="american-play" hidden></div><script type="application/json"'
        f' id="american-play-data">{text}</script>{scripts}'
    )


def setup(app: Sphinx) -> dict:
    app.add_directive("american-play", AmericanPlay)
    app.connect("build-finished", copy_pictures)
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}
