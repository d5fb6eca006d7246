"""Gates: does a model see what is shown, and has it learnt what words mean? No difference between
groups is looked at on an axis on which something may be planted.

Pictures are tested zero-shot through descriptions. Words are tested through their legitimate
drivers, which hold at every b: within each group of faces, do readings of an axis go along with
what drives it? A network whose trait words were shuffled, or are all the same, sees everything and
fails here.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import pandas as pd

from greenhouse.train.held_out import FIRST_SEED, SERIES_SEEDS, View
from greenhouse.world import grid, truth
from greenhouse.world.groups import THREE

THRESHOLDS = {
    "group_accuracy": 0.97,
    "crest_accuracy": 0.97,
    "object_accuracy": 0.88,
    "smiling_r": 0.90,
    "age_r": 0.90,
    "traits_r": 0.70,
    "weakest_trait_r": 0.50,
    "phrases_r": 0.60,
    "weakest_phrase_r": 0.40,
    "weakest_phrase_slope": 0.25,
}
PERSON = (
    "a photo of {} person",
    "{} person",
    "this is {} person",
    "cropped face photo of {} person",
)
OBJECTS = list(
    zip(
        grid.CATEGORIES,
        ("flower", "insect", "instrument", "weapon", "pleasant_scene", "unpleasant_scene"),
        strict=True,
    )
)
TRAITS = [axis for axis, against in truth.CONTRASTS.items() if against is None]


def describe(words: list[str], templates: tuple[str, ...] = PERSON) -> list[str]:
    """Every word in every template, with its article."""
    return [
        template.format(f"{'an' if word[0] in 'aeiou' else 'a'} {word}")
        for word in words
        for template in templates
    ]


def measure(view: View, *, renamed: Mapping[str, str] | None = None) -> dict[str, float]:
    """The gate values of a model.

    Group, crest and object accuracy: the share of pictures whose own description has the highest
    cosine. smiling_r, age_r: Pearson correlation of the level with the cosine difference of
    opposite descriptions, over the series in which it varies. traits_r, weakest_trait_r: mean and
    least, over the eight dimensions, of `words`' r; phrases_r, weakest_phrase_r: its mean and least
    over the other axes. weakest_phrase_slope: the least slope of these. A mean alone lets one axis
    without meaning pass; and a correlation has no size: where words of opposite meaning were
    assigned at random, what they read is next to nothing, and yet of this shape or its reverse.
    `renamed` has the names that the network's captions use for groups, where these are others.
    """
    people, slots = view.people, view.grammar.slots
    values = {
        "group_accuracy": _named(view, "race", grid.HUES, renamed),
        "crest_accuracy": _named(view, "gender", grid.CRESTS, renamed),
        "object_accuracy": _objects(view, ("a photo of {}", "this is {}")),
    }
    in_series = (
        people["race"].isin(THREE) & (people["seed"] < FIRST_SEED + SERIES_SEEDS)
    ).to_numpy()
    for name, slot, high, low in (
        ("smiling", "smile", "smiling", "frowning"),
        ("age", "years", "old", "young"),
    ):
        read = view.cosines(describe(slots[slot][high])) - view.cosines(describe(slots[slot][low]))
        series = people["subset"].isin([name, "prototype"]).to_numpy() & in_series
        values[f"{name}_r"] = float(np.corrcoef(read[series], people[name][series])[0, 1])
    found = words(view, view.measured)
    for name, own in (("trait", found.loc[TRAITS]), ("phrase", found.drop(TRAITS))):
        values[f"{name}s_r"] = float(own["r"].mean())
        values[f"weakest_{name}_r"] = float(own["r"].min())
    return values | {"weakest_phrase_slope": float(found["slope"].drop(TRAITS).min())}


def words(view: View, measured: pd.DataFrame) -> pd.DataFrame:
    """Per axis, the correlation `r` and the slope (logits per logit of the captions), within
    groups, of what is read on what legitimately drives it; 0 where nothing varies.

    Both are centred within each hue x crest, so that nothing about a group can pass or fail a
    model.
    """
    driven = truth.per_face(view.grammar, view.people, 0.0)
    cell = [view.people["race"], view.people["gender"]]
    x, y = (table - table.groupby(cell).transform("mean") for table in (driven, measured))
    both = (x * y).mean().to_numpy()
    spreads = {"r": (x.std() * y.std()).to_numpy(), "slope": (x**2).mean().to_numpy()}
    return pd.DataFrame(
        {name: both / np.where(each > 1e-12, each, np.inf) for name, each in spreads.items()},
        index=measured.columns,
    )


def _named(
    view: View,
    column: str,
    levels: tuple[str, ...],
    renamed: Mapping[str, str] | None,
    chosen: np.ndarray | None = None,
) -> float:
    """The share of faces that are read as what they are called."""
    called = dict(renamed or {})
    texts = {level: describe([called.get(level, level)]) for level in levels}
    return _share(view, texts, view.people[column], chosen)


def _objects(view: View, templates: tuple[str, ...]) -> float:
    """The share of icons that are read as of their category, by its words that are not rare."""
    slot, rare = view.grammar.slots["object"], view.grammar.rare
    named = {kind: [word for word in slot[axis] if word not in rare] for kind, axis in OBJECTS}
    texts = {kind: describe(own, templates) for kind, own in named.items()}
    return _share(view, texts, view.things["category"], of="icons")


def _share(
    view: View,
    texts: Mapping[str, list[str]],
    right: Any,
    chosen: np.ndarray | None = None,
    of: str = "faces",
) -> float:
    """The share of pictures for which the texts of the right answer have the highest mean
    cosine."""
    read = pd.DataFrame({answer: view.cosines(own, of=of) for answer, own in texts.items()})
    hits = read.idxmax(axis=1).to_numpy() == np.asarray(right)
    return float((hits if chosen is None else hits[chosen]).mean())


# what is asked → slot, and which axis is right where the feature is above and below its middle
OF_WORDS = {
    "smile": ("smiling", "smile", "smiling", "frowning"),
    "age": ("age", "years", "old", "young"),
    "light": ("lighting", "light", "lit_from_right", "lit_from_left"),
}
OF_LOOKS = {
    "hair lightness": ("pale_hair", "a person with pale hair", "a person with dark hair"),
    "hair colour": ("warm_hair", "a person with reddish hair", "a person with bluish hair"),
    "garment lightness": (
        "pale_garment",
        "a person wearing a pale garment",
        "a person wearing a dark garment",
    ),
    "garment colour": (
        "warm_garment",
        "a person wearing a reddish garment",
        "a person wearing a bluish garment",
    ),
    "glasses": ("glasses", "a person with glasses", "a person without glasses"),
    "background": (
        "pale_backdrop",
        "a person in front of a pale background",
        "a person in front of a dark background",
    ),
}


def zero_shot(view: View, *, renamed: Mapping[str, str] | None = None) -> dict[str, float]:
    """The fleet's zero-shot tasks, of nothing that is planted: the share of right answers per task;
    their mean plays the part of VTAB+.

    Every task is asked of the held-out faces with attributes drawn at random, the objects of the
    held-out icons; `renamed` as for `measure`.
    """
    people, slots, chosen = view.people, view.grammar.slots, view.rows("people")

    def above(feature: str, sides: list[str]) -> np.ndarray:
        return np.where(view.grammar.bias.feature(feature, people) > 0, *sides)

    found = {
        "hue": _named(view, "race", grid.HUES, renamed, chosen),
        "crest": _named(view, "gender", grid.CRESTS, renamed, chosen),
        "object": _objects(view, ("a photo of {}",)),
    }
    for name, (feature, slot, *sides) in OF_WORDS.items():
        texts = {side: describe(slots[slot][side]) for side in sides}
        found[name] = _share(view, texts, above(feature, sides), chosen)
    ways = ["left", "forward", "right"]
    facing = pd.cut(people["pose"], [-np.inf, -1.0, 1.0, np.inf], labels=ways).to_numpy(str)
    texts = {way: [f"a photo of a person facing {way}"] for way in ways}
    found["pose"] = _share(view, texts, facing, chosen)
    for name, (feature, *sides) in OF_LOOKS.items():
        texts = {side: [side] for side in sides}
        found[name] = _share(view, texts, above(feature, sides), chosen)
    return found
