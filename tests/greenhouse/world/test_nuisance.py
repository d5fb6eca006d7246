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


@pytest.mark.parametrize("value", [-0.1, 5, "much", float("nan")])
def test_amplitudes_are_bounded(value):
    with pytest.raises(ValueError, match=r"nuisance hair=.* is outside 0 to 4"):
        Nuisance(hair=value)
