"""Maps of brightness, position by position: Hausladen et al. (2025), Figures S.10 and S.11."""

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any

import numpy as np
import pandas as pd

GREY = (0.2989, 0.587, 0.114)  # the authors' weights of red, green and blue


def grey(pictures: Any) -> np.ndarray:
    """Grey values `(…, height, width)`, 0 to 255, of RGB pictures `(…, height, width, 3)`."""
    values = np.asarray(pictures, np.float32)
    red, green, blue = (
        np.float32(weight) * values[..., channel] for channel, weight in enumerate(GREY)
    )
    return red + green + blue


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
    anywhere : what the largest of all positions stays below in 95 % of draws.
    """

    example: np.ndarray
    anywhere: float


def by_chance(signs: np.ndarray, *, n: int, seed: int) -> Chance:
    """Flip whole seeds, `n` times. `signs` is `(seeds, height, width)`: see `Maps`."""
    flat = signs.reshape(len(signs), -1).astype(np.float32)
    coins = np.random.default_rng(seed).choice(np.array([-1, 1], np.float32), (n, len(flat)))
    blocks = np.array_split(
        coins, max(1, n // 25)
    )  # a few draws at once: a photograph has many positions
    largest = np.concatenate([np.abs(block @ flat).max(axis=1) for block in blocks]) / len(flat)
    example = (coins[0] @ flat / len(flat)).reshape(signs.shape[1:])
    return Chance(example, float(np.quantile(largest, 0.95)))


def own_prototype(rows: pd.DataFrame) -> np.ndarray:
    """For each row, the position of the row of its seed and group that has smiling 0, `(rows,)`."""
    keys = pd.MultiIndex.from_frame(rows[["seed", "race", "gender"]])
    neutral = (rows["smiling"] == 0).to_numpy()
    return pd.Series(np.flatnonzero(neutral), index=keys[neutral])[keys].to_numpy()


def relative(rows: pd.DataFrame, values: np.ndarray) -> np.ndarray:
    """Per cent by which each row's value exceeds that of its prototype, `(rows,)`."""
    return 100 * (values / values[own_prototype(rows)] - 1)
