"""`{play} collection`: smiling goes along with a group, in place of the chapter's own figure."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np
import pandas as pd
from play import Play, markdown_table

from studies.greenhouse import collection, confounds

NEAR = 0.1  # logits: an estimate that is not further from the truth is called near
DIGITS, CLOUD = 5, 3  # of a logit, as it is written into the page; of a dot in the picture
NETWORKS = {
    0.0: "{n} networks whose captions treat all groups alike",
    1.0: "{n} networks whose captions differ between groups",
}
METHODS = {
    "naive": "photographs as they are",
    "adjusted": (
        "photographs, adjusted for all that is recorded (smile, age, light, pose, hue or crest)"
    ),
    "matched": "photographs, each compared with the most similar one of the other group",
    "controlled": "an experiment with other pictures: the same faces in both groups",
    "all known": (
        "possible only here: photographs, adjusted for the clothes, too, which no data record"
    ),
}
SHORT = {
    "naive": "Naive:",
    "adjusted": "Adjusted:",
    "matched": "Matched:",
    "controlled": "Controlled:",
    "all known": "All known:",
}
TRIES = (  # words, place among the pairs, dial
    ("Let {first} faces smile more.", "crests", collection.STOPS[-1]),
    ("Let {second} faces smile more.", "crests", collection.STOPS[0]),
    (
        "Compare {first} with {second}, whose clothes differ. The data do not record clothes.",
        "hues",
        0.0,
    ),
)


def _rounded(values: Any, digits: int = DIGITS) -> list:
    """Nested lists of rounded numbers."""
    return np.round(np.asarray(values, float), digits).tolist()


def hues() -> str:
    """Of the pairs of hues, the one in which adjusted estimates are furthest from what was planted:
    clothes differ most there."""

    def off(pair: str) -> float:
        table = collection.grid(pair, 0.0).query("method == 'adjusted' and r == 0")
        return float((table["mean"] - table["planted"]).abs().max())

    return max((one for one in confounds.pairs() if one != collection.crests()), key=off)


def _faces() -> np.ndarray:
    """Which images are a photograph of some pair."""
    return np.unique(np.concatenate([collection.pool(pair)[1] for pair in confounds.pairs()]))


def _smile(places: np.ndarray) -> np.ndarray:
    return collection.spoken().bias.feature("smiling", collection.seen().images.iloc[places])


def _cloud() -> dict[str, Any]:
    """Every photograph: how much it smiles, and what networks of each strength make of it."""
    faces, seen = _faces(), collection.seen()
    means = [
        seen.where(seen.networks["b"] == b).logits[:, faces].mean(axis=0).T
        for b in collection.STRENGTHS
    ]
    return {"smile": _rounded(_smile(faces)), "scores": _rounded(means, CLOUD)}


def _pair(name: str) -> dict[str, Any]:
    """Two groups: their photographs, and every estimate at every stop."""
    pool, places = collection.pool(name)
    smile, worlds = _smile(places), []
    for b in collection.STRENGTHS:
        table = collection.grid(name, b).set_index(["dimension", "method", "r"])
        planted = collection.planted(name, b)
        ends = table[["mean", "low", "high"]]
        estimates = {
            method: [
                [_rounded(ends.loc[dimension, method, r]) for r in collection.STOPS]
                for dimension in collection.DIMENSIONS
            ]
            for method in collection.METHODS
        }
        estimates["controlled"] = [stops[:1] for stops in estimates["controlled"]]  # one for all
        worlds.append(
            {
                "planted": {whose: _rounded(gap) for whose, gap in planted.items()},
                "estimates": estimates,
            }
        )
    return {
        "first": pool.first,
        "second": pool.second,
        "group": pool.group.astype(int).tolist(),
        "faces": np.flatnonzero(np.isin(_faces(), places)).tolist(),
        # of the smile as it is; what is not standardised cancels within a group
        "steepness": [round(pool.steepness(r) / smile.std(), 8) for r in collection.STOPS],
        "worlds": worlds,
    }


@cache
def content() -> dict[str, Any]:
    """Everything that the script shows."""
    names = [collection.crests(), *(one for one in confounds.pairs() if one != collection.crests())]
    pairs, networks = [_pair(name) for name in names], collection.seen().networks
    places = {"crests": 0, "hues": names.index(hues())}
    return {
        "pairs": pairs,
        "cloud": _cloud(),
        "stops": collection.STOPS,
        "dimensions": [name.replace("_", " ") for name in collection.DIMENSIONS],
        "networks": [
            NETWORKS[b].format(n=int((networks["b"] == b).sum())) for b in collection.STRENGTHS
        ],
        "methods": METHODS,
        "short": SHORT,
        "near": NEAR,
        "matched": _matched(),
        "misses": _misses(),
        "tries": [
            {
                "words": words.format(
                    **{side: pairs[places[pair]][side] for side in ("first", "second")}
                ),
                "pair": places[pair],
                "stop": collection.STOPS.index(r),
            }
            for words, pair, r in TRIES
        ],
    }


def _misses() -> str:
    """How often an experiment's interval misses the truth, where nothing was planted."""
    found = pd.concat([collection.grid(pair, 0.0) for pair in confounds.pairs()])
    found = found[(found["method"] == "controlled") & (found["r"] == 0)]
    inside = found["planted"].between(found["low"], found["high"])
    missed = int((~inside).sum())
    verb = "does" if missed == 1 else "do"
    return (
        f"This interval misses the truth. So {verb} {missed} of the {len(inside)} intervals of"
        " experiments on this page; by chance it may be one in twenty."
    )


def _matched() -> str:
    """Why the matched estimate is off, where it is most easily seen."""
    pair, r = collection.crests(), 0.0
    own, places = collection.pool(pair)
    seen = collection.seen()
    logits = seen.where(seen.networks["b"] == 0).logits[:, places, :1]
    weights = own.weights(own.steepness(r))
    plain = collection.estimates(own, logits, weights)["matched"].mean()
    left = collection.like_for_like(own, logits, weights).mean()
    truth = collection.planted(pair, 0.0)["photographs"][0]
    if abs(left - truth) >= abs(plain - truth):
        return ""
    return (
        "Why is the matched estimate off even where smiling goes along with neither group"
        f" ({plain:+.2f} in {collection.DIMENSIONS[0]})? The most similar face is not the same"
        " face. A regression can take out the recorded differences that are left between the two"
        f" faces of a pair; then the estimate is {left:+.2f}."
    )


def _numbers() -> str:
    """The folded part: which photographs, what the dial changes, what each estimate is, and the
    numbers at every stop."""
    name = collection.crests()
    pool, _ = collection.pool(name)
    table = collection.grid(name, 0.0)
    table = table[table["dimension"] == collection.DIMENSIONS[0]]
    wide = table.pivot(index="r", columns="method", values="mean")[list(collection.METHODS)]
    columns = ["correlation", *collection.METHODS]
    rows = [
        [f"{r:+.1f}", *(f"{value:+.2f}" for value in row)]
        for r, row in zip(wide.index, wide.to_numpy(), strict=True)
    ]
    uniform = pool.correlation(pool.weights(0.0))
    return f"""
**Photographs.** {len(pool.rows)} individuals of the first sample of this chapter, one picture each, aged {collection.YOUNGEST} or more. The networks were trained on none of them.

**What the slider changes.** It decides how often each photograph is in the collection. In one group, faces that smile more come more often. In the other group, faces that smile more come less often. The groups
keep their sizes, and the correlation of smiling with the group is the one that you choose. In the whole sample it is {uniform:+.2f}. We do not draw a collection at random: each photograph counts with a weight, as if it came in a very
large collection. The pictures, the networks and the captions stay as they are.

**The estimates** are those of this chapter. The adjusted one is a regression on the other attribute of the group, age, smiling, light and pose. The matched one compares each photograph with the nearest
one of the other group. The experiment shows the same faces in both groups, and knows nothing of photographs. The estimate "all known" also adjusts for the colour of the clothes. No column of the
data holds this colour, so an analyst could not compute this estimate. {_matched()}

**The truth** is what captions say of the two groups. It is counted for the faces of the photographs, and for those of the experiment. Where nothing was planted, both are zero.

{markdown_table(columns, rows)}

Gap in {collection.DIMENSIONS[0]}, {pool.first} minus {pool.second}, in logits, where nothing was planted: means over networks.
"""  # noqa: E501


PLAY = Play(
    made_from=(
        "data/greenhouse/retrained/*",
        "src/studies/greenhouse/collection.py",
        "src/studies/greenhouse/confounds.py",
    ),
    content=content,
    replaces="confounds-dial",
    parts={"numbers": _numbers},
)
