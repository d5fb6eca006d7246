"""The fleet's own zero-shot tasks: does a network name what a held-out picture shows?

Comes in: a model's view of held-out pictures. Goes out: an accuracy per task; their mean plays the
part of VTAB+. May not: ask for anything that is planted.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import pandas as pd

from greenhouse.train.gates import OBJECTS, describe
from greenhouse.train.held_out import View
from greenhouse.world import grid

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


def accuracies(view: View, *, renamed: Mapping[str, str] | None = None) -> dict[str, float]:
    """The share of right answers per task: the text with the highest mean cosine is the answer.

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
