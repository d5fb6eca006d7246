"""One thing to play with: data families assigned at random, `{shuffle} play`,
`{shuffle} numbers` and `{shuffle} sentence`.

Comes in: `studies.pretraining.shuffle`. Goes out: the directive `{shuffle}`; its scripts and style
lie in `book/static/shuffle`, its dice in `book/static/explorer`. May not: ask for anything outside
the page, or hold a number of its own.
"""

from __future__ import annotations

import json
import os
from functools import cache
from typing import Any

import pandas as pd
from docutils import nodes
from sphinx.application import Sphinx
from sphinx.util.docutils import SphinxDirective

from greenhouse.world.bias import DATA
from studies.pretraining import shuffle
from vlmbias import paths
from vlmbias.figures import showing

LIMITS = "book/greenhouse/limits"
SCRIPTS = ("explorer/dice", "shuffle/fit", "shuffle/page")  # each uses those before it
WIDTH = 4.8  # inches of the still picture
MOST = 1000  # shuffles that the page counts
LABELS = {
    "null": "{n} networks whose captions treat all groups alike",
    "recipe": "{n} networks that all learned one and the same bias",
}
RULES = {
    "published": (
        "have at least one significant family, if the {tests} results of each network are taken as"
        " independent (the paper’s way of counting)"
    ),
    "networks": (
        "have at least one significant family, if each network counts once (with the mean of its"
        " {tests} results)"
    ),
}
SHORT = {"published": "as published", "networks": "each network once"}
RULE = (
    "These are small networks that we trained. Each took {tests} tests, as each model of the paper"
    " did. A shuffle gives every network a data family by chance: A to I, or R. Such a label cannot"
    " matter. So "
)
FALSE = "every significant family is a false positive."
TRIES = (
    ("1. Shuffle {shuffles} times", None),
    ("2. The same, but the results of a network have nothing in common", 0.0),
    ("3. The same, with a quarter in common", 0.25),
)
LISTED = (0.0, 0.05, 0.1, 0.25, 0.5)  # the shares at which the paper's table is simulated


def _fleet(name: str) -> dict[str, Any]:
    """One fleet as the page fits it."""
    fleet = shuffle.fleets()[name]
    groups = fleet.table["group"].to_numpy()[: fleet.tests]
    return {
        "label": LABELS[name].format(n=len(fleet.rows)),
        "rows": fleet.rows.to_numpy().tolist(),
        "results": fleet.results.tolist(),
        "groups": pd.factorize(groups)[0].tolist(),
        "sizes": shuffle.sizes(fleet),
        "critical": dict(shuffle.critical(fleet)),
        "own": fleet.stops().index(fleet.share),
        "stops": [
            {
                "share": share,
                "own": share == fleet.share,
                "variance": fleet.variance(share),
            }
            for share in fleet.stops()
        ],
    }


@cache
def content() -> dict[str, Any]:
    """Everything that the scripts show."""
    first = next(iter(shuffle.fleets().values()))
    return {
        "fleets": [_fleet(name) for name in shuffle.fleets()],
        "letters": list(shuffle.LETTERS),
        "rules": {rule: words.format(tests=first.tests) for rule, words in RULES.items()},
        "short": SHORT,
        "rule": RULE.format(tests=first.tests),
        "false": FALSE,
        "chance": round(100 * shuffle.ALPHA * len(shuffle.LETTERS)),
        "confidence": round(100 * (1 - shuffle.ALPHA)),
        "listed": [{"share": share, **shuffle.printed_twin(share)} for share in LISTED],
        "tests": first.tests,
        "level": f"{shuffle.ALPHA:.2f}".lstrip("0"),
        "most": MOST,
        "tries": [
            {
                "words": words.format(shuffles=shuffle.SHUFFLES),
                "share": share,
                "shuffles": shuffle.SHUFFLES,
            }
            for words, share in TRIES
        ],
    }


def _still(page: str) -> str:
    """The figure that is there without scripts, and on paper."""
    _, shown = shuffle.figure()
    shown.figure.set_figwidth(WIDTH)
    html = showing.to_html(shown.figure, alt=shown.alt, caption=shown.caption, source=shown.source)
    return html.replace(showing.LIMITS, os.path.relpath(f"{LIMITS}.html", os.path.dirname(page)))


def _numbers() -> str:
    """The folded part: what is assigned, what the dial changes, how it is fitted, and the numbers
    at every stop."""
    fleet = shuffle.fleets()["null"]
    columns = [
        "in common",
        "our networks: shuffles with a significant family, as published",
        "the same, each network once",
        "simulated table: significant families, as published",
        "the same, each model once",
        "simulated table: correlation of two results of a model",
    ]
    rows = []
    for one in shuffle.over_shares(fleet).itertuples():
        twin = shuffle.printed_twin(one.share)
        rows.append(
            [
                f"{100 * one.share:.0f} %{' (as measured)' if one.own else ''}",
                one.published,
                one.networks,
                *(f"{twin[rule]} of {twin['of']}" for rule in shuffle.RULES),
                f"{twin['alike']:.2f}",
            ]
        )
    lines = [columns, ["---"] * len(columns), *rows]
    listed = "\n".join(f"| {' | '.join(map(str, line))} |" for line in lines)
    sizes = shuffle.sizes(fleet)
    return f"""
**What is shuffled.** Each of the {len(fleet.rows)} networks keeps its {fleet.tests} results. It gets a data family at random. There are {len(sizes)} families, in the proportions of the paper.
The largest has {max(sizes)} of the {len(fleet.rows)} networks. The reference, with which all others are compared, has {sizes[0]} of them. Shuffle number 17 is the same for every reader.

**What is fitted.** The regression of the paper: families of data, families of architecture, and both sizes. Groups of tests may differ in their mean *d*, and in what the sizes do. The {fleet.tests} results of a network count as
independent. The other analysis takes the mean of these results, so that each network counts once. Both find the same differences between families. Only the standard errors differ. (To save time, the page estimates how much the groups of tests
vary only once, without families. The program was compared with a full fit.)

**What the slider changes.** A result is the sum of three parts. The first is what architecture, size and the kind of test lead one to expect. The second is the network’s own part, which is the same in all of its
{fleet.tests} results. The third is a rest, which is another one in each result. The slider enlarges the second part and shrinks the third, or the reverse, so that their common variance stays as it is. The percentage is the share of the second part in this
variance. In our networks as they are, it is {100 * fleet.share:.0f} %. At 0 %, the means of networks vary only as much as means of independent results would.

**The paper’s table.** The released table is not part of this book. Here, a simulated table stands for it: invented results of 131 models, in which all printed coefficients, means and correlations come out
([Upstream factors](../notebooks/pretraining/upstream.ipynb)). For this table, the percentage is a share of the noise that was added. Afterwards the table was adjusted to the printed results. So two results of a model correlate by a little less than the percentage: see the last column.

{listed}

Columns two and three count shuffles, out of the first {shuffle.SHUFFLES}: in how many is at least one family significant at {shuffle.ALPHA:g}? By chance alone, it may be up to {len(sizes) - 1}. Columns four and five count families in the simulated table.
No rate carries over to CLIP.
"""  # noqa: E501


def _sentence() -> str:
    """How often some family is significant, by what counts as one observation."""
    fleet = shuffle.fleets()["null"]
    table = shuffle.over_shares(fleet)
    own = table[table["own"]].iloc[0]
    return (
        f"If the {fleet.tests} results of a network are taken as independent, as in the published"
        f" regression, {own['published']} of {shuffle.SHUFFLES} shuffles have at least one"
        f" significant family. If each network counts once, it is {own['networks']} of"
        f" {shuffle.SHUFFLES}."
    )


class Shuffle(SphinxDirective):
    """`{shuffle} play`: the controls, or a picture where no script runs; `numbers`: what stands
    behind them; `sentence`: what they come to."""

    required_arguments = 1

    def run(self) -> list[nodes.Node]:
        for name in ("fleet.csv.gz", "fleet_models.csv"):
            self.env.note_dependency(str(DATA / name))
        self.env.note_dependency(str(paths.root() / "src/studies/pretraining/shuffle.py"))
        (view,) = self.arguments
        if view == "numbers":
            return self.parse_text_to_nodes(_numbers())
        if view == "sentence":
            return self.parse_text_to_nodes(_sentence())
        if view != "play":
            raise self.error(f"shuffle shows play, numbers or sentence; got {view!r}")
        still = nodes.raw(
            "", f'<div class="sh-still">{_still(self.env.docname)}</div>', format="html"
        )
        if self.env.app.builder.name != "html":  # an EPUB takes HTML, too, but runs no script
            return [still]
        return [still, nodes.raw("", self._play(), format="html")]

    def _play(self) -> str:
        static = f"{'../' * self.env.docname.count('/')}_static"
        text = json.dumps(content(), ensure_ascii=False, separators=(",", ":"))
        scripts = "".join(f'<script src="{static}/{name}.js"></script>' for name in SCRIPTS)
        return (
            f'<link rel="stylesheet" href="{static}/shuffle/shuffle.css"><div id="shuffle"'
            ' hidden></div><script type="application/json"'
            f' id="shuffle-data">{text.replace("<", chr(92) + "u003c")}</script>{scripts}'
        )


def setup(app: Sphinx) -> dict:
    app.add_directive("shuffle", Shuffle)
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}
