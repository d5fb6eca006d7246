"""Whether pictures differ in one thing only: Hausladen et al. (2025), Section 2.2, Appendices C and
D.

Comes in: image sets with seed, race, gender and the varied attributes; roles. Goes out: brightness
maps beside maps of chance, brightness per level, what comes with whom in photographs, and
predicates of claims.
May not: hold more than a few hundred pictures, or name a fictional group.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any

import numpy as np
import pandas as pd
from scipy import stats

from studies.roles import Roles

VARIED = ("race", "gender", "age", "smiling", "lighting", "pose")
SERIES = VARIED[2:]  # varied in steps around each prototype
GREY = (0.2989, 0.587, 0.114)  # the authors' weights of red, green and blue
EARLIER_PER_SEED = (
    120  # pictures per seed in the makers' own study, as the paper's footnote 2 has it
)
_NORMAL = stats.norm.ppf(0.975)


def grey(pictures: Any) -> np.ndarray:
    """Grey values `(…, height, width)`, 0 to 255, of RGB pictures `(…, height, width, 3)`."""
    values = np.asarray(pictures, np.float32)
    red, green, blue = (
        np.float32(weight) * values[..., channel] for channel, weight in enumerate(GREY)
    )
    return red + green + blue


def decoded(images: Any, rows: Iterable[int]) -> np.ndarray:
    """The pictures of some rows of an image set, uint8 `(rows, height, width, 3)`."""
    chosen = list(rows)
    drawn = images.pixels(chosen)
    return (
        np.stack([np.asarray(picture) for picture in images.decode(chosen)])
        if drawn is None
        else drawn
    )


def in_grey(images: Any, rows: Iterable[int]) -> np.ndarray:
    """The grey values of some rows, `(rows, height, width)`; of files, only one is held in colour
    at a time."""
    chosen = list(rows)
    drawn = images.pixels(chosen)
    return (
        np.stack([grey(picture) for picture in images.decode(chosen)])
        if drawn is None
        else grey(drawn)
    )


# --- the grid -------------------------------------------------------------------------------------


def stacked(table: pd.DataFrame) -> int:
    """Rows of the authors' four tables: each varied attribute's series brings its own copy of the
    prototypes."""
    return sum(int(table["subset"].isin(["prototype", name]).sum()) for name in SERIES)


def grid_claims(images: Any) -> dict[str, float | bool]:
    """What the paper says of the grid, by the claim's id."""
    table = images.table
    varied = sum(table[name].nunique() > 1 for name in VARIED)
    return {
        "attributes": varied,
        "attributes-again": varied,
        "groups": len(table[["race", "gender"]].drop_duplicates()),
        "gender-values": table["gender"].nunique(),
        "smiling-values": table["smiling"].nunique(),
        "more-per-seed": bool(table.groupby("seed").size().median() > EARLIER_PER_SEED),
        "crop.size": images.decode(0).size[0],
    }


def examples(table: pd.DataFrame, *, levels: int = 3) -> pd.DataFrame:
    """Rows to look at: the prototypes of one seed, then one of them at some levels of each
    attribute.

    Returns
    -------
    The rows (their index kept) with a column label; an attribute with fewer than `levels` levels
    gives those it has."""
    seed = table[table["seed"] == table["seed"].iloc[0]]
    first = seed[seed["subset"] == "prototype"]
    parts = [first.assign(label=first["race"] + "\n" + first["gender"])]
    own = seed[(seed["race"] == seed["race"].iloc[0]) & (seed["gender"] == seed["gender"].iloc[0])]
    for name in SERIES:
        steps = own[own["subset"].isin(["prototype", name])].sort_values(name)
        steps = steps.iloc[
            np.linspace(0, len(steps) - 1, min(levels, len(steps))).round().astype(int)
        ]
        parts.append(steps.assign(label=[f"{name} {value:g}" for value in steps[name]]))
    return pd.concat(parts)


# --- brightness, position by position (Figures S.10 and S.11) -------------------------------------


@dataclass(frozen=True, eq=False)
class Maps:
    """Two groups compared position by position, seed by seed.

    Attributes
    ----------
    signs : `(seeds, height, width)`: per seed, the mean over its pairs of the sign of the grey
        difference (Eq. 13).
    size : `(height, width)`: the mean grey difference over seeds, first group minus second.
    pairs : pictures compared, over all seeds.
    """

    signs: np.ndarray
    size: np.ndarray
    pairs: int

    @property
    def seen(self) -> np.ndarray:
        """The map that the paper draws, `(height, width)`: Equation 12, with every seed weighing
        the same."""
        return self.signs.mean(axis=0)


def comparisons(table: pd.DataFrame) -> dict[str, tuple[str, str, str]]:
    """Every pair of genders and of races in the table's order, by a name: column, first and second
    group."""
    pairs = [
        (column, *pair)
        for column in ("gender", "race")
        for pair in combinations(table[column].unique(), 2)
    ]
    return {f"{one} − {other}": (column, one, other) for column, one, other in pairs}


def paired(rows: pd.DataFrame, column: str, one: str, other: str) -> pd.DataFrame:
    """Rows that differ in the group alone: seed, row_one, row_other (labels of the index).

    An age that is not known counts as the same age.
    """
    keys = ["seed", "gender" if column == "race" else "race", "age"]
    named = rows.fillna({"age": 0.0}).rename_axis("row").reset_index()
    left, right = (named.loc[named[column] == level, [*keys, "row"]] for level in (one, other))
    return left.merge(right, on=keys, suffixes=("_one", "_other"))[["seed", "row_one", "row_other"]]


def at_once(images: Any, *, positions: int = 2_000_000, minimum: int = 120) -> int:
    """How many pictures to read at once: drawings are small, and many of them are painted in less
    time each; of larger pictures fewer, but not less than `minimum`."""
    width, height = images.decode(0).size
    return max(minimum, positions // (width * height))


def seed_maps(
    images: Any, *, subsets: Collection[str], seeds: Sequence[int], block: int | None = None
) -> dict[str, Maps]:
    """The maps of every comparison, from the pictures of some subsets and seeds.

    `block` pictures are read at once (see `at_once`), but never less than a whole seed.
    """
    block = block or at_once(images)
    rows = images.table[images.table["subset"].isin(subsets) & images.table["seed"].isin(seeds)]
    pairs = {name: paired(rows, *sides) for name, sides in comparisons(rows).items()}
    found: dict[str, list] = {name: [] for name in pairs}
    for some in np.array_split(seeds, min(len(seeds), -(-len(rows) // block))):
        own = rows.index[rows["seed"].isin(some)]
        values, place = in_grey(images, own), pd.Series(np.arange(len(own)), index=own)
        for name, both in pairs.items():
            for _, mine in both[both["seed"].isin(some)].groupby("seed"):
                first, second = (place[mine[side]].to_numpy() for side in ("row_one", "row_other"))
                difference = values[first] - values[second]
                found[name].append(
                    (np.sign(difference).mean(axis=0), difference.mean(axis=0), len(mine))
                )
    columns = {name: list(zip(*parts, strict=True)) for name, parts in found.items()}
    return {
        name: Maps(np.array(signs), np.mean(sizes, axis=0), sum(counts))
        for name, (signs, sizes, counts) in columns.items()
    }


@dataclass(frozen=True, eq=False)
class Chance:
    """What a map would show if no group were systematically brighter: each seed's map with a sign
    drawn by coin.

    Attributes
    ----------
    example : `(height, width)`: one such map.
    single : `(height, width)`: what a position stays below in 95 % of draws (normal approximation).
    anywhere : what the largest of all positions stays below in 95 % of draws.
    """

    example: np.ndarray
    single: np.ndarray
    anywhere: float


def by_chance(signs: np.ndarray, *, n: int, seed: int) -> Chance:
    """Flip whole seeds, `n` times. `signs` is `(seeds, height, width)`: see `Maps`."""
    flat = signs.reshape(len(signs), -1).astype(np.float32)
    coins = np.random.default_rng(seed).choice(np.array([-1, 1], np.float32), (n, len(flat)))
    blocks = np.array_split(
        coins, max(1, n // 25)
    )  # a few draws at once: a photograph has many positions
    largest = np.concatenate([np.abs(block @ flat).max(axis=1) for block in blocks]) / len(flat)
    single = _NORMAL * np.sqrt((flat**2).sum(axis=0)) / len(flat)
    example = coins[0] @ flat / len(flat)
    example, single = (values.reshape(signs.shape[1:]) for values in (example, single))
    return Chance(example, single, float(np.quantile(largest, 0.95)))


def readings(maps: Mapping[str, Maps], *, n: int, seed: int) -> pd.DataFrame:
    """What each map shows against three bounds.

    Returns
    -------
    Indexed by comparison: pairs, seeds, largest (|X|); the bounds `bound pairs` (1.96 / √pairs, as
    if pairs were independent), `bound seeds` (median over positions of what flipping seeds allows
    each) and `bound anywhere` (what it allows the largest of all); and the shares of positions
    beyond each: `beyond pairs`, `beyond seeds`,
    `beyond anywhere`. A position at which no seed differs is beyond nothing.
    """
    rows = {}
    for name, one in maps.items():
        size, null, naive = (
            np.abs(one.seen),
            by_chance(one.signs, n=n, seed=seed),
            _NORMAL / np.sqrt(one.pairs),
        )
        differs = null.single > 0
        rows[name] = {
            "pairs": one.pairs,
            "seeds": len(one.signs),
            "largest": size.max(),
            "bound pairs": naive,
            "bound seeds": np.median(null.single[differs]) if differs.any() else 0.0,
            "bound anywhere": null.anywhere,
            "beyond pairs": (size > naive).mean(),
            "beyond seeds": (differs & (size > null.single)).mean(),
            "beyond anywhere": (size > null.anywhere + 1e-6).mean(),
        }
    return pd.DataFrame(rows).T.rename_axis("comparison").astype({"pairs": int, "seeds": int})


def corners(values: np.ndarray) -> float:
    """The mean over both upper corners (a quarter of the height, an eighth of the width each):
    background."""
    high, wide = values.shape[0] // 4, values.shape[1] // 8
    return float(np.concatenate([values[:high, :wide], values[:high, -wide:]]).mean())


def foot(values: np.ndarray) -> float:
    """The mean over the middle half of the lowest tenth: clothes."""
    high, wide = values.shape[0] // 10, values.shape[1] // 4
    return float(values[-high:, wide:-wide].mean())


def map_claims(
    maps: Mapping[str, Maps], table: pd.DataFrame, roles: Roles
) -> dict[str, float | bool]:
    """What the captions of Figures S.10 and S.11 say, by the claim's id; men come first, as in the
    figure.

    `gender-size` is in per cent of white: the larger of the mean differences in the corners and at
    the foot.
    """
    lighter: dict[str, float] = {}
    by_gender = []
    for name, (column, one, other) in comparisons(table).items():
        if column == "race":
            for group, sign in ((one, 1), (other, -1)):
                lighter[group] = lighter.get(group, 0.0) + sign * corners(maps[name].seen)
        else:
            by_gender.append((maps[name], 1 if one == roles.called["male"] else -1))
    ((men, sign),) = by_gender
    return {
        "gender-background": sign * corners(men.seen) > 0,
        "gender-clothing": sign * foot(men.seen) < 0,
        "gender-size": 100 * max(abs(corners(men.size)), abs(foot(men.size))) / 255,
        "race-lightest": max(lighter, key=lighter.__getitem__) == roles.called["asian"],
        "race-darkest": min(lighter, key=lighter.__getitem__) == roles.called["white"],
    }


# --- brightness and smiling -----------------------------------------------------------------------


def brightness(images: Any, rows: Sequence[int], *, block: int | None = None) -> np.ndarray:
    """Mean grey value of whole pictures, `(rows,)`; `block` of them are read at once (see
    `at_once`)."""
    block = block or at_once(images)
    parts = np.array_split(np.asarray(rows), -(-len(rows) // block))
    return np.concatenate([in_grey(images, part).mean(axis=(1, 2)) for part in parts])


def own_prototype(rows: pd.DataFrame) -> np.ndarray:
    """For each row, the position of the row of its seed and group that has smiling 0, `(rows,)`."""
    keys = pd.MultiIndex.from_frame(rows[["seed", "race", "gender"]])
    neutral = (rows["smiling"] == 0).to_numpy()
    return pd.Series(np.flatnonzero(neutral), index=keys[neutral])[keys].to_numpy()


def relative(rows: pd.DataFrame, values: np.ndarray) -> np.ndarray:
    """Per cent by which each row's value exceeds that of its prototype, `(rows,)`."""
    return 100 * (values / values[own_prototype(rows)] - 1)


def per_level(rows: pd.DataFrame, change: np.ndarray) -> pd.DataFrame:
    """Mean change per level of smiling, with 95 % intervals over seeds: smiling, value, low,
    high."""
    by_seed = (
        pd.Series(change)
        .groupby([rows["seed"].to_numpy(), rows["smiling"].to_numpy()])
        .mean()
        .unstack()
    )
    mean, half = by_seed.mean(), _NORMAL * by_seed.sem()
    table = pd.DataFrame({"value": mean, "low": mean - half, "high": mean + half})
    return table.rename_axis("smiling").reset_index()


# --- photographs ----------------------------------------------------------------------------------


def between_groups(rows: pd.DataFrame, column: str) -> float:
    """Share of a column's variance that lies between the race × gender groups (η²)."""
    grand, part = rows[column].mean(), rows.groupby(["race", "gender"])[column]
    return float(
        (part.size() * (part.mean() - grand) ** 2).sum() / ((rows[column] - grand) ** 2).sum()
    )


def comes_with(collections: Mapping[str, pd.DataFrame]) -> pd.DataFrame:
    """What goes along with whom in each set: set, images, unevenness (largest group over smallest),
    and the share of each attribute's variance between groups; NaN where a set does not record the
    attribute."""
    rows = []
    for name, table in collections.items():
        groups = table.groupby(["race", "gender"]).size()
        recorded = {"age": "years" if "years" in table else "age"} | {
            one: one for one in SERIES[1:]
        }
        shares = {
            one: between_groups(table, column) if column in table else np.nan
            for one, column in recorded.items()
        }
        rows.append(
            {"set": name, "images": len(table), "unevenness": groups.max() / groups.min()} | shares
        )
    return pd.DataFrame(rows)


def collection_claims(name: str, everyone: pd.DataFrame, used: pd.DataFrame) -> dict[str, float]:
    """What the paper counts in a set of photographs, by the claim's id."""
    counted = {"all": len(everyone), "subset": len(used), "age": float(used["years"].min())}
    if name == "fairface":
        counted |= {"races": everyone["race"].nunique(), "genders": everyone["gender"].nunique()}
    return {f"{name}.{what}": value for what, value in counted.items()}
