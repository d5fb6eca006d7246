"""Which name stands for which look: the pairing of hue names with paints, and of crest names with
drawings. Networks of the study draw their own, as networks that all see "teal" painted teal share
whatever that paint does to a small image tower."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
import pandas as pd

from .groups import CRESTS, HUES

PAINTS, DRAWINGS = HUES, CRESTS  # a look is named after the group that it fits


@dataclass(frozen=True)
class Pairing:
    """Who is painted and drawn how: the paint of each of `PAINTS`, and the drawing of each of
    `DRAWINGS`, by name."""

    paints: tuple[str, ...] = PAINTS
    drawings: tuple[str, ...] = DRAWINGS

    def __post_init__(self):
        for given, known in ((self.paints, PAINTS), (self.drawings, DRAWINGS)):
            if sorted(given) != sorted(known):
                raise ValueError(
                    f"a pairing uses each of {', '.join(known)} once, got"
                    f" {', '.join(map(str, given))}"
                )

    @property
    def is_plain(self) -> bool:
        """Whether every name has the look it is named after."""
        return self == Pairing()

    def shown(self, table: pd.DataFrame) -> pd.DataFrame:
        """The table with paints for race and drawings for gender, as the renderer takes them."""
        if self.is_plain or not len(table):
            return table
        paint, drawing = (dict(looks) for looks in self.record().values())
        return table.assign(
            race=[paint[name] for name in table["race"]],
            gender=[drawing[name] for name in table["gender"]],
        )

    def record(self) -> dict[str, dict[str, str]]:
        """For a card: name -> paint, name -> drawing."""
        return {
            "paints": dict(zip(PAINTS, self.paints, strict=True)),
            "drawings": dict(zip(DRAWINGS, self.drawings, strict=True)),
        }


def of_record(record: Mapping[str, Mapping[str, str]]) -> Pairing:
    """The pairing that a card records.

    Raises
    ------
    ValueError : a name is missing, or a look is used twice.
    """
    try:
        return Pairing(
            tuple(record["paints"][name] for name in PAINTS),
            tuple(record["drawings"][name] for name in DRAWINGS),
        )
    except (KeyError, TypeError) as problem:
        raise ValueError(
            f"a pairing records a paint for each of {', '.join(PAINTS)} and a drawing for each of "
            f"{', '.join(DRAWINGS)}; {problem} is missing"
        ) from None


def random_pairing(seed: int) -> Pairing:
    """One of the 48 pairings, each equally likely."""
    rng = np.random.default_rng([seed, 48])
    return Pairing(
        tuple(map(str, rng.permutation(PAINTS))), tuple(map(str, rng.permutation(DRAWINGS)))
    )
