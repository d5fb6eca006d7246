"""The dice: numbers that depend on (seed, name) alone, and amplitudes read from a file."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from greenhouse.world.nuisance import Nuisance, uniform


def split_mix(x: int) -> int:
    """SplitMix64's finaliser in plain integers."""
    mask = 2**64 - 1
    x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9 & mask
    x = (x ^ (x >> 27)) * 0x94D049BB133111EB & mask
    return x ^ (x >> 31)


@given(st.integers(0, 2**32 - 1), st.text(max_size=12))
def test_uniform_is_the_slow_definition(seed, name):
    import zlib

    counter = seed << 32 | zlib.crc32(name.encode())
    bits = split_mix((split_mix(counter) + 0x9E3779B97F4A7C15) % 2**64) >> 40
    assert uniform(seed, name)[0] == np.float32(bits / 2**24)


def test_uniform_is_uniform_and_names_are_unrelated():
    seeds = np.arange(20_000)
    first, second = uniform(seeds, "first"), uniform(seeds, "second")
    counts = np.histogram(first, bins=20, range=(0, 1))[0]
    assert first.dtype == np.float32 and first.min() >= 0 and first.max() < 1
    assert ((counts - 1000) ** 2 / 1000).sum() < 45  # chi-square, 19 degrees of freedom
    assert abs(np.corrcoef(first, second)[0, 1]) < 0.03
    assert abs(np.corrcoef(first[1:], first[:-1])[0, 1]) < 0.03


@pytest.mark.parametrize("value", [-0.1, 5, "much", float("nan")])
def test_amplitudes_are_bounded(value):
    with pytest.raises(ValueError, match=r"nuisance hair=.* is outside 0 to 4"):
        Nuisance(hair=value)
