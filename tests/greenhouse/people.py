"""Faces that many tests show: one of each group, any one, and a pairing in which no name fits."""

import pandas as pd
from hypothesis import strategies as st

from greenhouse.world import grid
from greenhouse.world.pairing import Pairing

TURNED = Pairing(("lime", "teal", "amber", "violet"), ("eared", "budded"))

any_face = st.fixed_dictionaries(
    {name: st.floats(*bounds) for name, bounds in grid.RANGES.items()}
    | {"seed": st.integers(0, 10**6)}
)


def of_every_group(**shown):
    """One person in each hue and crest, neutral but for what is `shown`."""
    person = {"seed": 3} | grid.NEUTRAL | shown
    return pd.DataFrame(
        [person | {"race": hue, "gender": crest} for hue in grid.HUES for crest in grid.CRESTS]
    )
