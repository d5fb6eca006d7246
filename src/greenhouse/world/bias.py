"""The bias table: what an attribute does to the weight of a word, legitimately and by planted bias.

Comes in: a DataFrame of faces or icons (columns seed, race, gender, age, smiling, lighting, pose; or category),
`data/greenhouse/bias.yaml` and `states.csv`, and a strength b.
Goes out: one score per row and axis: the shift of the log weight of that axis's words.
May not: draw anything at random, or know a caption.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import yaml

from greenhouse.world import identity, nuisance

DATA = Path(__file__).resolve().parents[3] / "data" / "greenhouse"
CATEGORIES = ("race", "gender", "category")


@dataclass(frozen=True, eq=False)
class BiasTable:
    """The bias table as data.

    Attributes
    ----------
    features : feature -> how it is computed from a column or a look, so that it runs from about -1 to 1.
    axes : axis -> {"legitimate": effects, "planted": effects, "intersection": effects}.
    intersection : the one group, {"race": ..., "gender": ...}, to which `intersection` effects apply.
    unplanted : axes on which nothing is planted at any b.
    states : the rows of states.csv; each state is an axis, too.
    arms : how an arm of the study changes the shares of captions: "shift", "captions" per arm, "taken_from".
    """

    features: Mapping[str, Mapping]
    axes: Mapping[str, Mapping]
    intersection: Mapping[str, str]
    unplanted: tuple[str, ...]
    states: pd.DataFrame
    arms: Mapping[str, Any]

    def feature(self, name: str, rows: pd.DataFrame) -> np.ndarray:
        """A continuous feature `(n,)`: -1 to 1 over CausalFace's ranges (looks: a little beyond); 0 if missing."""
        how = self.features[name]
        if name == "constant":
            return np.ones(len(rows))
        if name in rows:
            value = rows[name].to_numpy(float)
            if "identity" in how:
                return np.nan_to_num(value)
        elif "identity" in how:
            return np.nan_to_num(self._look(how, rows))
        elif how.get("column") in rows:
            value = rows[how["column"]].to_numpy(float)
        else:
            return np.zeros(len(rows))
        value = np.abs(value) if how.get("absolute") else value
        value = (value - how["centre"]) / how["half_range"]
        return np.nan_to_num(1 - 2 * value**2 if how.get("squared") else value)

    def _look(self, how: Mapping, rows: pd.DataFrame) -> np.ndarray:
        value = np.full(len(rows), np.nan)
        if "seed" in rows:
            known = rows["seed"].notna().to_numpy()
            drawn = identity.of_seed(rows["seed"].loc[known].to_numpy(np.int64), nuisance.load())[how["identity"]]
            shade = drawn.reshape(known.sum(), 3)
            value[known] = shade.mean(axis=1) if how["of"] == "lightness" else shade[:, 0] - shade[:, 2]
        return (value - how["centre"]) / how["half_range"]

    @property
    def looks(self) -> list[str]:
        """The features that belong to an identity."""
        return [name for name, how in self.features.items() if "identity" in how]

    def with_looks(self, rows: pd.DataFrame) -> pd.DataFrame:
        """The rows with one column per look, so that many scores need them drawn only once."""
        return rows.assign(**{name: self.feature(name, rows) for name in self.looks})

    def _total(self, effects: Mapping, rows: pd.DataFrame) -> np.ndarray:
        total = np.zeros(len(rows))
        for name, effect in effects.items():
            if name not in CATEGORIES:
                total += effect * self.feature(name, rows)
            elif name in rows:
                total += np.array([effect.get(level, 0.0) for level in rows[name]])
        return total

    def scores(self, axis: str, rows: pd.DataFrame, b: float) -> np.ndarray:
        """The shift of the log weight of the axis's words, `(n,)`.

        Parameters
        ----------
        axis : an axis of bias.yaml or a state of states.csv.
        rows : faces or icons; missing columns and values have no effect.
        b : strength of the planted effects, in [0, 1].

        Raises
        ------
        ValueError : for an unknown axis, or b outside [0, 1].
        """
        if not 0 <= b <= 1:
            raise ValueError(f"b must be in [0, 1], got {b!r}")
        if axis not in self.axes:
            raise ValueError(f"unknown axis {axis!r}; axes: {', '.join(self.axes)}")
        entry = self.axes[axis]
        total = self._total(entry["legitimate"], rows)
        if b and "planted" in entry:
            total += b * self._total(entry["planted"], rows)
        if b and "intersection" in entry:
            total += b * self.in_intersection(rows) * self._total(entry["intersection"], rows)
        return total

    def arm_shift(self, rows: pd.DataFrame) -> np.ndarray:
        """The shift of the log share of the captions that an arm concerns, at strength 1, `(n,)`; see `arms`."""
        return self._total(self.arms["shift"], rows)

    def in_intersection(self, rows: pd.DataFrame) -> np.ndarray:
        """Whether a row belongs to the one intersectional group, `(n,)` bool."""
        member = np.ones(len(rows), bool)
        for column, level in self.intersection.items():
            member &= (rows[column] == level).to_numpy() if column in rows else False
        return member

    def planted_axes(self) -> list[str]:
        """Axes with a planted effect, states excluded."""
        return [name for name, entry in self.axes.items()
                if "planted" in entry and name not in set(self.states["state"])]


def _check(axes: Mapping, features: Mapping, unplanted: tuple[str, ...]) -> None:
    for name, entry in axes.items():
        if not entry.get("legitimate"):
            raise ValueError(f"axis {name!r} of bias.yaml needs a `legitimate` driver, which b does not scale")
        for part, effects in entry.items():
            if part not in ("legitimate", "planted", "intersection"):
                raise ValueError(f"axis {name!r}: unknown part {part!r}; use legitimate, planted, intersection")
            unknown = set(effects) - set(features) - set(CATEGORIES)
            if unknown:
                raise ValueError(f"axis {name!r}: unknown features {sorted(unknown)} in {part!r}")
        if part := set(entry) - {"legitimate"} if name in unplanted else None:
            raise ValueError(f"axis {name!r} is listed as unplanted, but has {sorted(part)}")


@lru_cache(maxsize=4)
def load(folder: Path = DATA) -> BiasTable:
    """The bias table of a folder with bias.yaml and states.csv.

    Raises
    ------
    ValueError : if an axis has no legitimate driver, names an unknown feature, or contradicts `unplanted`.
    """
    content = yaml.safe_load((folder / "bias.yaml").read_text(encoding="utf-8"))
    states = pd.read_csv(folder / "states.csv")
    shares = states[["teal", "amber", "violet", "lime"]]
    planted = content["states"]["race"] * np.log(shares / shares.mean())
    axes = dict(content["axes"])
    for state, effect in zip(states.to_dict("records"), planted.to_dict("records"), strict=True):
        axes[state["state"]] = {"legitimate": {"lighting": state["lighting"], "age": state["age"]},
                                "planted": {"race": effect}}
    unplanted = tuple(content["unplanted"])
    _check(axes, content["features"], unplanted)
    return BiasTable(content["features"], axes, content["intersection"], unplanted, states,
                     content["arms"])
