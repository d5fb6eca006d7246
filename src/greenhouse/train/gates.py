"""Gates: does a model see what is shown, and has it learnt what words mean? No difference between
groups is looked at on an axis on which something may be planted.

Pictures are tested zero-shot through descriptions. Words are tested through their legitimate
drivers, which hold at every b: within each group of faces, do readings of an axis go along with
what drives it? A network whose trait words were shuffled, or are all the same, sees everything and
fails here.
"""

from __future__ import annotations

from collections.abc import Mapping

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
OBJECTS = dict(
    zip(
        grid.CATEGORIES,
        ("flower", "insect", "instrument", "weapon", "pleasant_scene", "unpleasant_scene"),
        strict=True,
    )
)
TRAITS = [axis for axis, against in truth.CONTRASTS.items() if against is None]


def article(word: str) -> str:
    """The word with "a" or "an" before it."""
    return f"{'an' if word[0] in 'aeiou' else 'a'} {word}"


def describe(words: list[str], templates: tuple[str, ...] = PERSON) -> list[str]:
    """Every word in every template, with its article."""
    return [template.format(article(word)) for word in words for template in templates]


def measure(
    view: View, measured: pd.DataFrame | None = None, *, renamed: Mapping[str, str] | None = None
) -> dict[str, float]:
    """The gate values of a model.

    Group, crest and object accuracy: the share of pictures whose own description has the highest
    cosine. smiling_r, age_r: Pearson correlation of the level with the cosine difference of
    opposite descriptions, over the series in which it varies. traits_r, weakest_trait_r: mean and
    least, over the eight dimensions, of `word_r`; phrases_r, weakest_phrase_r: its mean and least
    over the other axes. weakest_phrase_slope: the least `word_slope` over these. A mean alone lets
    one axis without meaning pass; and a correlation has no size: where words of opposite meaning
    were assigned at random, what they read is next to nothing, and yet of this shape or its
    reverse.

    Parameters
    ----------
    measured : `view.measured()`, where it is at hand.
    renamed : group -> the name that the network's captions use for it, if that is another.
    """
    people, grammar, called = view.people, view.grammar, dict(renamed or {})
    values = {}
    for name, column, levels in (("group", "race", grid.HUES), ("crest", "gender", grid.CRESTS)):
        cosines = pd.DataFrame(
            {level: view.cosines(describe([called.get(level, level)])) for level in levels}
        )
        values[f"{name}_accuracy"] = float((cosines.idxmax(axis=1) == people[column]).mean())
    names = {
        kind: [word for word in grammar.slots["object"][axis] if word not in grammar.rare]
        for kind, axis in OBJECTS.items()
    }
    cosines = pd.DataFrame(
        {
            kind: view.cosines(describe(words, ("a photo of {}", "this is {}")), of="icons")
            for kind, words in names.items()
        }
    )
    values["object_accuracy"] = float((cosines.idxmax(axis=1) == view.things["category"]).mean())
    in_series = (
        people["race"].isin(THREE) & (people["seed"] < FIRST_SEED + SERIES_SEEDS)
    ).to_numpy()
    for name, slot, high, low in (
        ("smiling", "smile", "smiling", "frowning"),
        ("age", "years", "old", "young"),
    ):
        read = view.cosines(describe(grammar.slots[slot][high])) - view.cosines(
            describe(grammar.slots[slot][low])
        )
        series = people["subset"].isin([name, "prototype"]).to_numpy() & in_series
        values[f"{name}_r"] = float(np.corrcoef(read[series], people[name][series])[0, 1])
    seen = view.measured() if measured is None else measured
    found = word_r(view, seen)
    values["traits_r"] = float(found[TRAITS].mean())
    values["weakest_trait_r"] = float(found[TRAITS].min())
    values["phrases_r"] = float(found.drop(TRAITS).mean())
    values["weakest_phrase_r"] = float(found.drop(TRAITS).min())
    values["weakest_phrase_slope"] = float(word_slope(view, seen).drop(TRAITS).min())
    return values


def word_r(view: View, measured: pd.DataFrame) -> pd.Series:
    """Per axis: correlation, within groups, of what is read with what legitimately drives it; 0
    where nothing varies.

    Both are centred within each hue x crest, so that nothing about a group can pass or fail a
    model.
    """
    x, y = _within_groups(view, measured)
    spread = (x.std() * y.std()).to_numpy()
    r = (x * y).mean().to_numpy() / np.where(spread > 1e-12, spread, np.inf)
    return pd.Series(r, index=measured.columns)


def word_slope(view: View, measured: pd.DataFrame) -> pd.Series:
    """As `word_r`, the slope of what is read on what drives it: logits per logit of the captions; 0
    where nothing varies."""
    x, y = _within_groups(view, measured)
    spread = (x**2).mean().to_numpy()
    return pd.Series(
        (x * y).mean().to_numpy() / np.where(spread > 1e-12, spread, np.inf), index=measured.columns
    )


def _within_groups(view: View, measured: pd.DataFrame) -> tuple[pd.DataFrame, pd.DataFrame]:
    """What drives each axis at b = 0, and what is read, both centred within each hue x crest."""
    driven = truth.per_face(view.grammar, view.people, 0.0)
    cell = [view.people["race"], view.people["gender"]]
    x, y = (table - table.groupby(cell).transform("mean") for table in (driven, measured))
    return x, y


def passed(values: dict[str, float]) -> bool:
    """Whether every gate value reaches its threshold."""
    return all(values[name] >= threshold for name, threshold in THRESHOLDS.items())


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
    their mean plays the part of VTAB+. The text with the highest mean cosine is the answer.

    Every task is asked of the held-out faces with attributes drawn at random, the objects of the
    held-out icons.

    Parameters
    ----------
    renamed : group → the name that the network's captions use for it, if that is another.
    """
    chosen, called = view.rows("people"), dict(renamed or {})
    people, slots = view.people.loc[chosen], view.grammar.slots

    def share(texts: Mapping[str, list[str]], right: np.ndarray, of: str = "faces") -> float:
        read = pd.DataFrame({level: view.cosines(own, of=of) for level, own in texts.items()})
        answers = read.loc[chosen] if of == "faces" else read
        return float((answers.idxmax(axis=1).to_numpy() == right).mean())

    found = {
        name: share(
            {level: describe([called.get(level, level)]) for level in levels},
            people[column].to_numpy(),
        )
        for name, column, levels in (("hue", "race", grid.HUES), ("crest", "gender", grid.CRESTS))
    }
    words = {
        kind: [word for word in slots["object"][axis] if word not in view.grammar.rare]
        for kind, axis in OBJECTS.items()
    }
    found["object"] = share(
        {kind: describe(own, ("a photo of {}",)) for kind, own in words.items()},
        view.things["category"].to_numpy(),
        of="icons",
    )
    for name, (feature, slot, *sides) in OF_WORDS.items():
        texts = {side: describe(slots[slot][side]) for side in sides}
        found[name] = share(texts, np.where(view.grammar.bias.feature(feature, people) > 0, *sides))
    facing = pd.cut(
        people["pose"], [-np.inf, -1.0, 1.0, np.inf], labels=["left", "forward", "right"]
    ).to_numpy(str)
    found["pose"] = share(
        {side: [f"a photo of a person facing {side}"] for side in ("left", "forward", "right")},
        facing,
    )
    for name, (feature, above, below) in OF_LOOKS.items():
        right = np.where(view.grammar.bias.feature(feature, people) > 0, above, below)
        found[name] = share({above: [above], below: [below]}, right)
    return found
