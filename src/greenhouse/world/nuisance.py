"""What varies between pictures without meaning anything, and its dice: numbers that depend on
(seed, name) alone, whatever the order, the batch or the machine."""

from __future__ import annotations

import zlib
from dataclasses import dataclass, fields
from functools import lru_cache
from pathlib import Path

import numpy as np
import yaml

DEFAULT_FILE = Path(__file__).resolve().parents[3] / "data" / "greenhouse" / "nuisance.yaml"


@dataclass(frozen=True)
class Nuisance:
    """Amplitudes of the nuisance; 0 switches a part off, 1 is the design's nominal strength.

    The first block belongs to the seed (an identity: the same in every picture of a seed, whatever
    its hue,
    crest or attributes), the second to the single photo (only rows with a `photo` number have it).
    """

    proportions: float = 1.0  # head, eyes, nose, mouth, brows
    skin: float = 1.0  # lightness and tint within a hue
    hair: float = 1.0  # colour, hairline and fringe
    accessories: float = 1.0  # share of identities with glasses, blush, freckles
    garment: float = 1.0  # colour and cut
    background: float = 1.0  # colours and pattern
    framing: float = 1.0  # where the head sits, and how large
    texture: float = 1.0  # grain of the picture
    photo_framing: float = 1.0
    photo_exposure: float = 1.0
    photo_tint: float = 1.0
    photo_noise: float = 1.0

    def __post_init__(self):
        for field in fields(self):
            value = getattr(self, field.name)
            if not (isinstance(value, int | float) and 0 <= value <= 4):
                raise ValueError(
                    f"nuisance {field.name}={value!r} is outside 0 to 4; 0 is off, 1 is nominal"
                )


@lru_cache(maxsize=8)
def load(path: Path | str = DEFAULT_FILE) -> Nuisance:
    """Amplitudes from a YAML file `name: number`; names are those of `Nuisance`, missing ones keep
    1."""
    return Nuisance(**(yaml.safe_load(Path(path).read_text(encoding="utf-8")) or {}))


def check_numbers(table, names) -> None:
    """Raise if a column of `names` that the table has holds anything but whole numbers of 32
    bits."""
    for name in names:
        if name in table:
            values = np.asarray(table[name], dtype=float)
            wrong = values[~((values >= 0) & (values < 2**32) & (values == np.floor(values)))]
            if len(wrong):
                raise ValueError(f"{name} {wrong[0]:g} is not a whole number from 0 to 4294967295")


def check_size(size) -> None:
    """Raise if `size` is not a number of pixels."""
    if not isinstance(size, int | np.integer) or size < 8:
        raise ValueError(f"size={size!r} must be a whole number of pixels, at least 8")


def _scramble(x: np.ndarray) -> np.ndarray:
    """The finaliser of SplitMix64 (Steele et al. 2014): a bijection of 64 bits in which every bit
    counts."""
    x = (x ^ (x >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    x = (x ^ (x >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return x ^ (x >> np.uint64(31))


def uniform(seed, name: str) -> np.ndarray:
    """Numbers in [0, 1), float32, one per seed `(n,)`; another name gives unrelated ones."""
    channel = np.uint64(zlib.crc32(name.encode()))
    counter = np.atleast_1d(np.asarray(seed)).astype(np.uint64) << np.uint64(32) | channel
    bits = _scramble(_scramble(counter) + np.uint64(0x9E3779B97F4A7C15)) >> np.uint64(40)
    return bits.astype(np.float32) * np.float32(2.0**-24)


def spread(seed, name: str, amplitude: float = 1.0) -> np.ndarray:
    """Numbers in [-amplitude, amplitude), float32, one per seed."""
    return (2 * uniform(seed, name) - 1) * np.float32(amplitude)


def tint(seed, name: str, low: float, high: float) -> np.ndarray:
    """Colours `(n, 3)` with channels in [low, high)."""
    channels = [uniform(seed, f"{name} {channel}") for channel in "rgb"]
    return np.stack(channels, axis=1) * np.float32(high - low) + np.float32(low)


@lru_cache(maxsize=4)
def noise_tile(edge: int = 256) -> np.ndarray:
    """A fixed square of noise in [-1, 1); pictures take windows of it at hashed offsets."""
    return spread(np.arange(edge * edge), "noise tile").reshape(edge, edge)


def noise(seed, name: str, size: int) -> np.ndarray:
    """One noise picture per seed, `(n, size, size)` in [-1, 1)."""
    edge = 256 if size <= 128 else 2 * size
    tile, room = noise_tile(edge), edge - size
    across = (uniform(seed, name + " across") * room).astype(int)
    down = (uniform(seed, name + " down") * room).astype(int)
    return np.stack([tile[j : j + size, i : i + size] for i, j in zip(across, down, strict=True)])
