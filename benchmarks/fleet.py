"""How fast 131 networks take 26 tests from their embeddings: `python benchmarks/fleet.py`.

CPU time on one thread, with 10,000 permutations a test: one draw for all networks, against a draw
for each network. Vectors are random; what they cost does not depend on what they show.
"""

from __future__ import annotations

import os

os.environ.update(OMP_NUM_THREADS="1", OPENBLAS_NUM_THREADS="1", MKL_NUM_THREADS="1")

import time

import numpy as np

import vlmbias as vb
from greenhouse.fleet import association_tests
from greenhouse.study import vectors
from greenhouse.world import grammar

NETWORKS, DIMENSIONS, ALONE = 131, 64, 5


def unit(rng: np.random.Generator, n: int) -> np.ndarray:
    """Random unit rows, `(n, d)`."""
    found = rng.standard_normal((n, DIMENSIONS)).astype(np.float32)
    return found / np.linalg.norm(found, axis=1, keepdims=True)


def main() -> None:
    """Print seconds of both ways, the second extrapolated from a few networks."""
    rng, spoken = np.random.default_rng(0), grammar.load()
    sizes = len(vectors.images()), len(vectors.words(spoken)[0])
    embedded = [[unit(rng, n) for n in sizes] for _ in range(NETWORKS)]
    start = time.process_time()
    every = [association_tests.scores(spoken, *both) for both in embedded]
    table = association_tests.table(every, np.ones(NETWORKS), spoken)
    shared = time.process_time() - start
    start = time.process_time()
    for images, words in embedded[:ALONE]:
        own = {"image": images, "text": words}
        for test in association_tests.tests(spoken):
            good, bad = association_tests.attributes(spoken)[test.against]
            vb.eat(
                own[test.kind][test.X],
                own[test.kind][test.Y],
                own[test.against][good],
                own[test.against][bad],
            )
    alone = (time.process_time() - start) * NETWORKS / ALONE
    print(
        f"{len(table):,} tests of {NETWORKS} networks: {shared:.1f} s with one draw for all, "
        f"{alone:.0f} s with one for each"
    )


if __name__ == "__main__":
    main()
