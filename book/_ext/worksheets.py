"""The worksheets' tables and their computed answers, the directive `{worksheet}`, and the data as a
file beside the pages."""

from __future__ import annotations

from functools import cache, partial
from pathlib import Path

import computed
import pandas as pd
from claims_on_pages import NAMES
from sphinx.application import Sphinx

from greenhouse import retrained
from studies import words
from studies.calibration import ieat
from studies.greenhouse import worksheet
from vlmbias import ledger
from vlmbias.whole_files import replacing

# twelve sentences for session 2; two that stand together are given to one pair: one of each kind
SENTENCES = (
    "variation.lighting-as-age",
    "downstream.higher",
    "we_they.abstract",
    "we_they.latina",
    "states.over-black-clip",
    "states.overestimated",
    "upstream.filters-worse",
    "age.discussion-one-group",
    "traits.intro-egalitarianism",
    "captions.white.none",
    "metrics.white-preferred",
    "effect_sizes.unaffected",
)
ABOUT = {"model": "this model", "training": "such models"}
VARY = {"model": "people, and their pictures", "training": "trained models"}
VARY_MORE = {  # sentences that name a cause, a relation, or more that was chosen
    "states.over-black-clip": "people, their pictures, and the states",
    "metrics.white-preferred": "people, their pictures, and the prompts",
    "states.overestimated": "trained models, and the descriptions from which they learn",
    "effect_sizes.unaffected": "trained models, each tested with pictures and with texts",
    "downstream.higher": "trained models that differ in performance and in bias",
    "upstream.filters-worse": "trained models that differ in nothing but the filter of their data",
}
REMARKS = {  # what the number of models does not say
    "we_they.latina": "Three models were measured, but the sentence names each of them.",
    "traits.intro-egalitarianism": (
        "The three models disagree: for two of the three groups, SLIP's result is the opposite"
        " ([the chapter](../../notebooks/american_white/traits.ipynb))."
    ),
    "downstream.higher": (
        "The paper does not print for how many models performance was available"
        " ([the chapter](../../notebooks/pretraining/downstream.ipynb))."
    ),
}
AT_MOST = ("downstream.higher",)
FIRST = 6  # words by which the key names a sentence
PAGE, FILE = "book/teach/worksheet-2", "book/teach/perceptions.csv"


@cache
def table() -> pd.DataFrame:
    """The perceptions that the worksheets are about."""
    return worksheet.perceptions(retrained.scores("grid"))


def _signed(value: float) -> str:
    return f"{value:+.2f}"


def _small(p: float) -> str:
    return f"{p:.3f}" if p >= 0.001 else "under 0.001"


def _hand() -> str:
    """The eight invented targets, with room for what is to be computed."""
    rows = [
        [kind, name, a, b, "&nbsp;"]
        for kind, own in worksheet.INVENTED.items()
        for name, (a, b) in own.items()
    ]
    return computed.table(["", "", "pleasant", "unpleasant", "s"], rows)


def _hand_solution() -> str:
    """Both effect sizes and the exact p of the eight."""
    found = worksheet.by_hand()
    scores = {
        kind: ", ".join(str(a - b) for a, b in own.values())
        for kind, own in worksheet.INVENTED.items()
    }
    rows = [[f"s of the {kind}s, in hundredths", text] for kind, text in scores.items()]
    gap = found["mean_x"] - found["mean_y"]
    rows += [
        ["means", f"{found['mean_x']:.2f} and {found['mean_y']:.2f}; difference {gap:.2f}"],
        ["SD of all eight (divisor N − 1)", f"{found['sd_all']:.3f}"],
        ["d with that SD", f"**{found['d']:.2f}**"],
        ["pooled SD inside the groups", f"{found['sd_within']:.3f}"],
        ["d with that SD", f"**{found['d_within']:.2f}**"],
        [
            "splits into four and four",
            f"{found['splits']:.0f}; {found['hits']:.0f} of them have a difference as large",
        ],
        ["exact one-sided p", f"{found['hits']:.0f}/{found['splits']:.0f} = {found['p']:.3f}"],
    ]
    return computed.table(["", ""], rows)


def _audit(solved: bool) -> str:
    """The printed rows that pairs audit, one of them with a misprint of ours, with room for what is
    to be found, or with it."""
    printed = ledger.table("calibration/ieat").set_index("claim")["printed"].astype(float)
    printed[worksheet.MISPRINT[0]] = worksheet.misprinted(printed[worksheet.MISPRINT[0]])
    rows = []
    for row in ieat.limits(printed).query("test != 'Weapon'").itertuples():
        splits = ieat.splits(row.n)
        fits = "yes" if row.within and row.whole else "no"
        found = (
            [f"{splits:,}", f"{row.counted:g}", f"{row.ceiling:.3f}", fits]
            if solved
            else ["&nbsp;"] * 4
        )
        p = printed[f"ieat.{row.network}.{row.test.lower()}.p"]
        rows.append([f"{row.test}, {row.network}", row.n, f"{row.d:.3f}", f"{p:.6g}", *found])
    head = ["test", "images on each side, n", "d", "p"]
    return computed.table([*head, "splits tried", "p × splits", "largest d", "possible?"], rows)


def _codebook() -> str:
    shown = table()
    rows = [[f"`{name}`", meaning] for name, meaning in worksheet.CODEBOOK.items()]
    return f"{len(shown)} rows, one per picture and network.\n\n" + computed.table(
        ["column", "meaning"], rows
    )


def _two_solution() -> str:
    """What moves one network's perception, without and with sign."""
    rows = [
        [
            dimension,
            change,
            int(row["pairs"]),
            f"{row['absdiff']:.2f}",
            _signed(row["signed"]),
            *(int(row[way]) for way in ("up", "down")),
        ]
        for dimension in worksheet.DIMENSIONS
        for change, row in worksheet.in_one_network(table(), dimension).iterrows()
    ]
    head = ["dimension", "change", "pairs", "median without sign", "mean with sign", "up", "down"]
    steps = [
        f"*Step 1:* {'; '.join(_first_steps())}.",
        f"*Steps 4 and 5:* {' '.join(_orders())}",
    ]
    return "\n\n".join([computed.table(head, rows), *steps])


def _orders() -> list[str]:
    """Per dimension a sentence: the changes, the largest median without sign first, and whether hue
    has a direction."""
    found = []
    for dimension in worksheet.DIMENSIONS:
        own = worksheet.in_one_network(table(), dimension).sort_values("absdiff", ascending=False)
        up, down = (int(own.loc["hue", way]) for way in ("up", "down"))
        ways = "both directions" if min(up, down) else "one direction"
        found.append(
            f"For {dimension}, the order is {', '.join(own.index)}; hue moves it in {ways} ({up}"
            f" up, {down} down)."
        )
    return found


def _first_steps() -> list[str]:
    """The subtraction of step 1, per dimension: the first person in the first hue."""
    first = table().query("network == 1 and identity == 1 and hue == @worksheet.HUES[0]")
    scores, steps = first.set_index("picture"), []
    for dimension in worksheet.DIMENSIONS:
        frown, smile = (float(scores.loc[name, dimension]) for name in worksheet.CHANGES["smile"])
        other = f"{frown:.2f}" if frown >= 0 else f"({frown:.2f})"
        steps.append(f"{dimension} {smile:.2f} − {other} = {smile - frown:.2f}")
    return steps


def _three_solution() -> str:
    """The difference between the hues, network by network, and over networks."""
    (first, second), rows, sums = worksheet.HUES, [], []
    for dimension in worksheet.DIMENSIONS:
        found = worksheet.over_identities(table(), dimension)
        rows += [
            [dimension, one.network, _signed(one.difference), _small(one.p)]
            for one in found.itertuples()
        ]
        hits = found.loc[found["p"] < 0.05, "difference"]
        mean, p = worksheet.over_networks(table(), dimension)
        low, high = worksheet.interval_over_networks(table(), dimension)
        counts = [words.among(len(hits), len(found)), (hits > 0).sum(), (hits < 0).sum()]
        over = [f"{_signed(mean)} ({_signed(low)} to {_signed(high)})", f"{p:.2f}"]
        sums.append([dimension, *counts, *over, _small(worksheet.all_in_one(table(), dimension))])
    head = ["dimension", "networks with p < .05, over people"]
    head += [f"in which {hue} scores higher" for hue in (second, first)]
    each = ["dimension", "network", f"{second} − {first}", "p, over people"]
    return "\n\n".join(
        [
            computed.table(
                [
                    *head,
                    "mean over networks (95 % interval)",
                    "p, over networks",
                    "p, all rows in one test (wrong)",
                ],
                sums,
            ),
            "The single networks:",
            computed.table(each, rows),
        ]
    )


def _pictures() -> str:
    """Table 1 of the handout: the first network's hundred pictures, one person of one hue a row."""
    dimensions, pictures = list(worksheet.DIMENSIONS), list(worksheet.PICTURES)
    own = (
        table()
        .query("network == 1")
        .pivot(index=["identity", "hue"], columns="picture", values=dimensions)
    )
    columns = [(dimension, picture) for dimension in dimensions for picture in pictures]
    head = [
        f"{dimension}: {picture}" if picture == pictures[0] else picture
        for dimension, picture in columns
    ]
    rows = [[*index, *map(_signed, own.loc[index, columns])] for index in own.index]
    return computed.table(["person", "hue", *head], rows)


def _differences() -> str:
    """Table 2 of the handout: its fifty differences of a dimension, sorted by size, and their
    sums."""
    columns = [
        (dimension, change, values)
        for dimension in worksheet.DIMENSIONS
        for change, values in worksheet.sheet(table(), dimension).items()
    ]
    first = columns[0][1]
    head = ["place", *(f"{of}: {one}" if one == first else one for of, one, _ in columns)]
    longest = max(len(values) for *_, values in columns)
    rows = [
        [
            place + 1,
            *(_signed(values[place]) if place < len(values) else "" for *_, values in columns),
        ]
        for place in range(longest)
    ]
    return computed.table(
        head, [*rows, ["**sum**", *(f"**{_signed(sum(values))}**" for *_, values in columns)]]
    )


def measured(name: str) -> str:
    """How many models were measured for a sentence."""
    model = ledger.claim(name).model
    count = f"{len(model.split(', '))} models" if ", " in model else "1 model"
    count = model if model[0].isdigit() else count
    return f"at most {count}" if name in AT_MOST else count


def _sentences() -> str:
    """Sentences of the papers, each with its place, with room for what it is about."""
    rows = []
    for number, name in enumerate(SENTENCES, start=1):
        claim = ledger.claim(name)
        where = f"{NAMES[claim.paper]}, {claim.where}"
        rows.append([number, f"“{claim.quote}” ({where})", "&nbsp;", "&nbsp;"])
    return computed.table(["", "sentence", "about", "what would have to vary?"], rows)


def _sentences_solution() -> str:
    """Of each sentence its first words, what it is about, and what would have to vary."""
    rows, remarks = [], []
    for number, name in enumerate(SENTENCES, start=1):
        claim = ledger.claim(name)
        begins = " ".join(claim.quote.split()[:FIRST])
        vary = VARY_MORE.get(name, VARY[claim.target])
        rows.append([number, f"“{begins} …”", ABOUT[claim.target], vary, measured(name)])
        remarks += [f"*Sentence {number}:* {REMARKS[name]}"] if name in REMARKS else []
    head = ["", "sentence", "about", "what would have to vary?", "measured"]
    return "\n\n".join([computed.table(head, rows), *remarks])


def _sentences_key() -> str:
    """The verdicts alone, for a slide: the two sentences of a pair in one row."""
    cells = [
        [number, ABOUT[ledger.claim(name).target]] for number, name in enumerate(SENTENCES, start=1)
    ]
    rows = [first + second for first, second in zip(cells[::2], cells[1::2], strict=True)]
    return computed.table(["", "about"] * 2, rows)


VIEWS = {
    "pictures": _pictures,
    "differences": _differences,
    "sentences": _sentences,
    "sentences-solution": _sentences_solution,
    "sentences-key": _sentences_key,
    "hand": _hand,
    "hand-solution": _hand_solution,
    "audit": partial(_audit, False),
    "codebook": _codebook,
    "audit-solution": partial(_audit, True),
    "two-solution": _two_solution,
    "three-solution": _three_solution,
}


def _file(page: str) -> str:
    """The link to the data."""
    return f'<a href="{computed.up(page)}{FILE}">Download {Path(FILE).name}</a>'


def written(page: str, view: str) -> str:
    """`{worksheet} <view>`: one of the tables above; `file`, the link to the data; or `lines`, room
    to write."""
    if view == "file":
        return _file(page)
    if view == "lines":
        return '<div class="vb-write"></div>' * 2
    if view not in VIEWS:
        raise ValueError(f"the views are file, lines, {', '.join(VIEWS)}")
    return VIEWS[view]()


def write_file(app: Sphinx, error: Exception | None) -> None:
    """Put the data among the pages of the site."""
    if not error and app.builder.format == "html" and PAGE in app.env.found_docs:
        with replacing(Path(app.outdir, FILE)) as place:
            table().to_csv(place, index=False)


def setup(app: Sphinx) -> None:
    computed.directive(app, "worksheet", written)
    app.connect("build-finished", write_file)
