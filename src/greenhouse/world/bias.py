"""The bias table: what an attribute does to the weight of a word, legitimately and as planted."""

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
from greenhouse.world.groups import CRESTS, HUES, THREE

DATA = Path(__file__).resolve().parents[3] / "data" / "greenhouse"
CATEGORIES = ("race", "gender", "category")
PARTS = ("legitimate", "planted", "interactions")
LEVELS = {"race": THREE, "gender": CRESTS}  # among whom roles are drawn


@dataclass(frozen=True, eq=False)
class BiasTable:
    """What bias.yaml and provinces.csv say, roles replaced by who plays them. `features`: how each
    is computed from a column or a look, so that it runs from about -1 to 1; `axes`: axis →
    "legitimate" and "planted" effects and "interactions" (a province is an axis, too); `outlier`:
    the one group with a three-way effect; `shares` and `arms` say what moves the shares of groups
    of captions."""

    roles: Mapping[str, str]
    features: Mapping[str, Mapping]
    axes: Mapping[str, Mapping]
    outlier: Mapping[str, str]
    unplanted: tuple[str, ...]
    provinces: pd.DataFrame
    shares: Mapping[str, Any]
    arms: Mapping[str, Any]

    def feature(self, name: str, rows: pd.DataFrame) -> np.ndarray:
        """A continuous feature `(n,)`: -1 to 1 over CausalFace's ranges (looks: a little beyond); 0
        if missing."""
        how = self.features[name]
        if name == "constant":
            return np.ones(len(rows))
        if name in rows:
            value = rows[name].to_numpy(float)
            if "identity" in how:
                return np.nan_to_num(value)
        elif "identity" in how:
            return self._looks([name], rows)[name]
        elif how.get("column") in rows:
            value = rows[how["column"]].to_numpy(float)
        else:
            return np.zeros(len(rows))
        value = np.abs(value) if how.get("absolute") else value
        value = (value - how["centre"]) / how["half_range"]
        return np.nan_to_num(1 - 2 * value**2 if how.get("squared") else value)

    def _looks(self, names: list[str], rows: pd.DataFrame) -> dict[str, np.ndarray]:
        found = {name: np.zeros(len(rows)) for name in names}
        known = rows["seed"].notna().to_numpy() if "seed" in rows else np.zeros(len(rows), bool)
        if not known.any():
            return found
        drawn = identity.of_seed(rows["seed"].loc[known].to_numpy(np.int64), nuisance.load())
        for name in names:
            how = self.features[name]
            seen = drawn[how["identity"]].reshape(known.sum(), -1)
            value = seen[:, 0] - seen[:, 2] if how["of"] == "warmth" else seen.mean(axis=1)
            found[name][known] = (value - how["centre"]) / how["half_range"]
        return found

    @property
    def looks(self) -> list[str]:
        """The features that belong to an identity."""
        return [name for name, how in self.features.items() if "identity" in how]

    def with_looks(self, rows: pd.DataFrame) -> pd.DataFrame:
        """The rows with one column per look, so that many scores need them drawn only once."""
        missing = [name for name in self.looks if name not in rows]
        return rows.assign(**self._looks(missing, rows)) if missing else rows

    def total(self, effects: Mapping, rows: pd.DataFrame) -> np.ndarray:
        """The sum of effects over the features and categories of each row, `(n,)`."""
        total = np.zeros(len(rows))
        for name, effect in effects.items():
            if name not in CATEGORIES:
                total += effect * self.feature(name, rows)
            elif name in rows:
                total += rows[name].map(effect).fillna(0.0).to_numpy(float)
        return total

    def scores(self, axis: str, rows: pd.DataFrame, b: float) -> np.ndarray:
        """The shift of the log weight of the axis's words, `(n,)`.

        Parameters
        ----------
        axis : an axis of bias.yaml or a province of provinces.csv.
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
        total = self.total(entry["legitimate"], rows)
        if b:
            total += b * self.total(entry.get("planted", {}), rows)
            for each in entry.get("interactions", ()):
                effects = {name: effect for name, effect in each.items() if name != "who"}
                total += b * belongs(rows, each["who"]) * self.total(effects, rows)
        return total


def belongs(rows: pd.DataFrame, who: Mapping[str, str]) -> np.ndarray:
    """Whether each row has all the values of `who`, `(n,)` bool."""
    member = np.ones(len(rows), bool)
    for column, level in who.items():
        member &= (rows[column] == level).to_numpy() if column in rows else False
    return member


def draw_roles(plan: Mapping[str, Any]) -> dict[str, str]:
    """Who plays which role: hues and crests in an order drawn with the stated seed."""
    rng = np.random.default_rng(plan["seed"])
    drawn = {
        role: str(level)
        for column, levels in LEVELS.items()
        for role, level in zip(plan[column], rng.permutation(levels), strict=True)
    }
    return drawn | {"fourth": plan["fourth"]}


def _played(effects: Any, roles: Mapping[str, str]) -> Any:
    """The same effects with roles replaced by who plays them."""
    if isinstance(effects, Mapping):
        return {roles.get(name, name): _played(value, roles) for name, value in effects.items()}
    if isinstance(effects, list):
        return [_played(each, roles) for each in effects]
    return roles.get(effects, effects) if isinstance(effects, str) else effects


def _outlier(axes: Mapping) -> dict[str, str]:
    """The one group that three-way effects name."""
    named = {
        tuple(each["who"].items())
        for entry in axes.values()
        for each in entry.get("interactions", ())
        if len(each["who"]) == 2
    }
    (who,) = named
    return dict(who)


def _provinces(content: Mapping, roles: Mapping[str, str], table: pd.DataFrame) -> dict[str, dict]:
    """One axis per province: how much likelier each hue is said to live there than in the mean
    province."""
    shares = table[list(HUES)]
    planted = content["race"] * np.log(shares / shares.mean())
    distorted = _played(content["distorted"]["race"], roles)
    for hue, shift in distorted.items():
        planted.loc[table["region"] == content["distorted"]["region"], hue] += shift
    return {
        row["province"]: {
            "legitimate": {"lighting": row["lighting"], "age": row["age"]},
            "planted": {"race": effect},
        }
        for row, effect in zip(table.to_dict("records"), planted.to_dict("records"), strict=True)
    }


@lru_cache(maxsize=4)
def load(folder: Path = DATA) -> BiasTable:
    """The bias table of a folder with bias.yaml and provinces.csv."""
    content = yaml.safe_load((folder / "bias.yaml").read_text(encoding="utf-8"))
    provinces = pd.read_csv(folder / "provinces.csv")
    roles = draw_roles(content["roles"])
    axes = _played(content["axes"], roles)
    axes |= _provinces(content["provinces"], roles, provinces)
    return BiasTable(
        roles,
        content["features"],
        axes,
        _outlier(axes),
        tuple(content["unplanted"]),
        provinces,
        content["shares"],
        _played(content["arms"], roles),
    )
