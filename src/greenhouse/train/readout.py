"""What a model shows, axis by axis, beside both truths; what it mixes up; and two published anchors
for how much identities should matter. None of it decides whether a model is accepted (gates do).

Anchors: Hausladen et al. 2025, Fig. 2 (of all that moves perception, the seed moves it most) and
Fig. S.14 (cosines with the neutral prompt correlate .26 to .66 between two groups' prototypes of
the same seed).
"""

from __future__ import annotations

from collections.abc import Mapping
from itertools import combinations
from typing import Any

import numpy as np
import pandas as pd

from greenhouse.train.gates import TRAITS
from greenhouse.train.held_out import SERIES_SEEDS, View
from greenhouse.world import grid, truth
from greenhouse.world.groups import THREE
from vlmbias.measures import one_apart

CELL = ["race", "gender", "subset", "age", "smiling", "lighting", "pose"]
READ = {  # what is read off a face, as the difference of two descriptions: feature -> (high, low)
    "smiling": (["a photo of a smiling person"], ["a photo of a frowning person"]),
    "age": (["a photo of an old person"], ["a photo of a young person"]),
    "pale_hair": (["a person with pale hair"], ["a person with dark hair"]),
    "warm_hair": (["a person with reddish hair"], ["a person with bluish hair"]),
    "pale_garment": (["a person wearing a pale garment"], ["a person wearing a dark garment"]),
    "warm_garment": (["a person wearing a reddish garment"], ["a person wearing a bluish garment"]),
}


def cells(view: View, b: float, arms: Mapping[str, float]) -> pd.DataFrame:
    """Per axis: r and slope of what is measured on `truth.per_face`, over the means of the cells of
    the grid."""
    chosen = _in_grid(view)
    people, found = view.people.loc[chosen], view.measured.loc[chosen]
    expected = truth.per_face(view.grammar, people, b, arms=arms)
    keys = people.groupby(CELL).ngroup().to_numpy()
    rows = []
    for axis in found:
        x, y = (np.bincount(keys, table[axis]) / np.bincount(keys) for table in (expected, found))
        rows.append({"axis": axis, "r": np.corrcoef(x, y)[0, 1], "slope": np.polyfit(x, y, 1)[0]})
    return pd.DataFrame(rows)


def _in_grid(view: View) -> np.ndarray:
    """The identities with series, in the three hues that have them, `(n,)` bool."""
    first = view.people["seed"] < view.people["seed"].min() + SERIES_SEEDS
    return view.rows("prototypes", "series") & (first & view.people["race"].isin(THREE)).to_numpy()


def gaps(view: View, b: float, arms: Mapping[str, float]) -> pd.DataFrame:
    """Per axis and pair of groups, over the same faces in every group: the gap measured, what both
    truths say, in logits, and `d`, the gap over the standard deviation of both groups' faces."""
    chosen = view.rows("people")
    people, found = view.people.loc[chosen], view.measured.loc[chosen]
    faces = truth.per_face(view.grammar, people, b, arms=arms)
    parts = []
    for column in ("race", "gender"):
        shown: Any = found.groupby(people[column]).mean()
        both = truth.gaps(shown, "measured")
        spread = {
            pair: found.loc[people[column].isin(pair)].std(ddof=1)
            for pair in both[["first", "second"]]
            .drop_duplicates()
            .itertuples(index=False, name=None)
        }
        both["d"] = [
            row["measured"] / spread[row["first"], row["second"]][row["axis"]]
            for row in both.to_dict("records")
        ]
        both["counted"] = truth.gaps(truth.counted(view.grammar, people, column, b, arms=arms))[
            "gap"
        ]
        expected: Any = faces.groupby(people[column]).mean()
        both["per_face"] = truth.gaps(expected)["gap"]
        parts.append(both)
    return pd.concat(parts, ignore_index=True)


def cross_talk(view: View) -> dict[str, dict[str, float]]:
    """By how much hue and crest are mistaken for a look or an expression: what is read of it is
    regressed on it within groups (`r` is their correlation); the largest difference between groups'
    mean readings of the same faces then is a share of the range of the feature, -1 to 1."""
    chosen = view.rows("people")
    people = view.people.loc[chosen]
    cell = [people["race"], people["gender"]]
    report = {}
    for name, (high, low) in READ.items():
        read = pd.Series((view.cosines(high) - view.cosines(low))[chosen], index=people.index)
        shown = pd.Series(view.grammar.bias.feature(name, people), index=people.index)
        x, y = (values - values.groupby(cell).transform("mean") for values in (shown, read))
        slope = float((x * y).sum() / (x * x).sum())
        gap = {}
        for column in ("race", "gender"):
            means: Any = read.groupby(people[column]).mean()
            gap[column] = float((means.max() - means.min()) / abs(2 * slope))
        report[name] = {
            "r": round(float(x.corr(y)), 4),
            **{key: round(value, 4) for key, value in gap.items()},
        }
    return report


def decoding(view: View) -> dict[str, float]:
    """R² of each look, read from image vectors by ridge regression, on identities that it was not
    fitted to."""
    from sklearn.linear_model import Ridge

    chosen = view.rows("prototypes")
    people, vectors = view.people.loc[chosen], view.faces[chosen]
    train = (people["seed"] - people["seed"].min()).to_numpy() % 2 == 0
    looks = ["pale_hair", "warm_hair", "pale_garment", "warm_garment", "pale_backdrop", "glasses"]
    shown = np.stack([view.grammar.bias.feature(name, people) for name in looks], axis=1)
    fitted = Ridge(alpha=0.01).fit(vectors[train], shown[train])
    error = shown[~train] - fitted.predict(vectors[~train])
    return dict(
        zip(
            looks,
            np.round(1 - error.var(axis=0) / shown[~train].var(axis=0), 4).tolist(),
            strict=True,
        )
    )


# Anchors

TARGET_LOW, TARGET_HIGH = 0.26, 0.66
MIN_GAP = {"age": 1.1, "smiling": 1.1}
PAIRS = 1_000


def anchors(view: View) -> dict:
    """Both anchors for one model: `variation` (attribute → median |difference of delta-cos| x 100
    over the eight dimensions, of pairs one attribute apart), `neutral_r` (of 15 correlations) and
    the targets."""
    chosen = _in_grid(view)
    variation = _variation(
        view.people.loc[chosen], view.measured.loc[chosen, TRAITS].to_numpy() / view.scale
    )
    first = view.people["race"].isin(THREE).to_numpy() & view.rows("prototypes")
    shown = view.people.loc[first].assign(cosine=view.cosines(["a photo of a person"])[first])
    wide = shown.pivot(index="seed", columns=["race", "gender"], values="cosine").to_numpy()
    r = [
        np.corrcoef(wide[:, a], wide[:, b])[0, 1] for a, b in combinations(range(wide.shape[1]), 2)
    ]
    return {
        "variation": variation,
        "seed_is_largest": max(variation, key=variation.__getitem__) == "seed",
        "neutral_r": {
            "minimum": float(min(r)),
            "mean": float(np.mean(r)),
            "maximum": float(max(r)),
        },
        "target": {"seed_is_largest": True, "neutral_r": [TARGET_LOW, TARGET_HIGH]},
    }


def _variation(people: pd.DataFrame, delta: np.ndarray) -> dict[str, float]:
    medians = {}
    for column in ("seed", "race", "gender", *grid.RANGES):
        pairs = one_apart(people, by=column, n=PAIRS, seed=42, min_gap=MIN_GAP.get(column))
        difference = np.abs(delta[pairs["first"].to_numpy()] - delta[pairs["second"].to_numpy()])
        medians[column] = float(100 * np.median(difference))
    return medians
