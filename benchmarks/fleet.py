"""How fast 131 networks take 26 tests from their embeddings: `python benchmarks/fleet.py`.

CPU time on one thread, with 10,000 permutations a test: one draw for all networks, against a draw
for each network. Vectors are random; what they cost does not depend on what they show.
"""

from __future__ import annotations

# isort: off
from _goals import finish  # before numpy, as it sets one thread
# isort: on

import time

import numpy as np
import pandas as pd

import vlmbias as vb
from greenhouse import association_tests, panel
from greenhouse.world import grammar

NETWORKS, DIMENSIONS, ALONE = 131, 64, 5


def unit(rng: np.random.Generator, n: int) -> np.ndarray:
    """Random unit rows, `(n, d)`."""
    found = rng.standard_normal((n, DIMENSIONS)).astype(np.float32)
    return found / np.linalg.norm(found, axis=1, keepdims=True)


def main() -> None:
    """Both ways agree where they should; then seconds of each, the second counted up from a few
    networks."""
    rng, spoken = np.random.default_rng(0), grammar.load()
    sizes = len(panel.images()), len(panel.words(spoken)[0])
    embedded = [[unit(rng, n) for n in sizes] for _ in range(NETWORKS)]
    start = time.process_time()
    every = [association_tests.scores(spoken, *both) for both in embedded]
    table = association_tests.table(every, np.ones(NETWORKS), spoken)
    shared = time.process_time() - start
    start, rows = time.process_time(), []
    for network, (images, words) in enumerate(embedded[:ALONE]):
        own = {"image": images, "text": words}
        for test in association_tests.tests(spoken):
            good, bad = association_tests.attributes(spoken)[test.against]
            sides = own[test.kind][test.X], own[test.kind][test.Y]
            found = vb.eat(*sides, own[test.against][good], own[test.against][bad])
            rows.append((network, test.name, found.effect_size, found.statistic, found.p_value))
    alone = (time.process_time() - start) * NETWORKS / ALONE
    agree(table, rows)
    print(f"{len(table):,} tests of {NETWORKS} networks: with a draw for each {alone:.0f} s")
    finish([], limits=[("with one draw for all", shared, 10)])


def agree(table: pd.DataFrame, rows: list[tuple]) -> None:
    """d and gap to rounding, and p as far as two draws of 10,000 permutations can."""
    alone = pd.DataFrame(rows, columns=["network", "test", "effect_size", "gap_cosine", "p"])
    both = alone.merge(table, on=["network", "test"], validate="1:1")
    assert len(both) == len(alone) == 26 * ALONE
    for name in ("effect_size", "gap_cosine"):
        np.testing.assert_allclose(both[f"{name}_x"], both[f"{name}_y"], atol=1e-6, err_msg=name)
    error = np.sqrt(2 * both["p_y"] * (1 - both["p_y"]) / 10_000)
    assert ((both["p_x"] - both["p_y"]).abs() <= 5 * error + 1e-4).all()


if __name__ == "__main__":
    main()
