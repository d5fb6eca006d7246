"""The rule that finds race words in captions: Wolfe & Caliskan (2022), Figure 5."""

from collections.abc import Sequence

import numpy as np
import pandas as pd

NOUNS = ("person", "man", "woman")
AFRICAN_AMERICAN = ("african-american", "african american")
MIN_TOP_P = 0.45  # the text speaks of .5 to .9
FIGURE_TOP_P = {"asian": 0.7, "black": 0.8}  # the levels that the figure's caption names


def released(caption: str, words: Sequence[str]) -> bool:
    """The released rule: a word, a space and "person", "man" or "woman" somewhere in the caption,
    as letters.

    "a teal mantle" has "teal man" in it; "a teal smiling person" has no such string.
    """
    return any(f"{word} {noun}" in caption.lower() for word in words for noun in NOUNS)


def claims(share: pd.DataFrame, captions: pd.DataFrame | None = None) -> dict[str, float | bool]:
    """Values for the claims of Figure 5, by id without "captions.", in percent.

    Parameters
    ----------
    share : of captions in which the rule finds a race word, top-p × group ("asian", "black" …);
        only top-p from .5 on counts, as in the text.
    captions : one row each: group, top_p, caption and rule (it finds a race word); of Black
        people's with one, how many say "African American".
    """
    table = share[share.index > MIN_TOP_P]
    least, most = 100 * table.min(), 100 * table.max()
    found: dict[str, float | bool] = {
        "white.none": bool(most["white"] == 0),
        "order": bool((table["asian"] > table["black"]).all()),
    }
    for group, level in FIGURE_TOP_P.items():
        found |= {f"{group}.least": float(least[group]), f"{group}.most": float(most[group])}
        found[f"{group}.most.intro"] = float(most[group])
        if len(at := table.index[np.isclose(table.index, level)]):
            found[f"{group}.most.figure"] = 100 * float(table.loc[at[0], group])
    found["asian.most.abstract"] = found["asian.most"]
    if "asian.most.figure" in found:
        found["asian.most.discussion"] = found["asian.most.figure"]
    if captions is not None:
        own = captions.query("group == 'black' and top_p > @MIN_TOP_P and rule")
        if len(own):
            said = [released(text, AFRICAN_AMERICAN) for text in own["caption"]]
            found["african-american"] = 100 * float(np.mean(said))
    return found
