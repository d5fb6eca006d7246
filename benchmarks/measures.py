"""How fast the measures are, each against a peer in the same run: `python benchmarks/measures.py`.

Medians of CPU time on one thread.
"""

from __future__ import annotations

# isort: off
from _goals import Row, finish, milliseconds  # before numpy, as it sets one thread
# isort: on

from types import SimpleNamespace

import numpy as np
import pandas as pd
from scipy.stats import permutation_test

import vlmbias as vb


def association() -> list[Row]:
    """2 × 40 targets, 2 × 55 attributes, d = 512, 10,000 permutations."""
    rng = np.random.default_rng(0)
    X, Y, A, B = (rng.standard_normal((n, 512)).astype(np.float32) for n in (40, 40, 55, 55))
    X[:, :40] += 0.1

    def unit(group: np.ndarray) -> np.ndarray:
        return group / np.linalg.norm(group, axis=1, keepdims=True)

    def scipy() -> object:
        x, y = (
            (unit(group) @ unit(A).T).mean(1) - (unit(group) @ unit(B).T).mean(1)
            for group in (X, Y)
        )
        return permutation_test(
            (x, y),
            lambda x, y, axis: x.mean(axis) - y.mean(axis),
            vectorized=True,
            n_resamples=9_999,
            alternative="greater",
            rng=0,
        )

    peer = milliseconds(scipy, 31)
    rows = []
    for method, goal in (("permutation", 6), ("saddlepoint", 60)):
        ours = milliseconds(lambda method=method: vb.eat(X, Y, A, B, method=method), 31)
        rows.append(Row(f"eat, {method}", "scipy permutation_test, vectorised", ours, peer, goal))
    return rows


def grid() -> pd.DataFrame:
    """18,000 rows laid out as the CausalFace grid: one attribute at a time leaves its neutral
    level."""
    neutral = {"age": 2.6, "smiling": 0.0, "lighting": 0.0, "pose": 0.0}
    levels = {
        "age": [0.8, 1.4, 2.0, 2.3, 2.9, 3.2, 3.5, 3.8, 4.4],
        "smiling": [-2.5, -1.5, -0.5, 0.5, 1.0, 1.5, 2.0, 3.0, 4.0],
        "lighting": [-1.0, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0],
        "pose": [-3.0, -1.5, 1.5, 3.0],
    }
    faces = [neutral] + [
        {**neutral, name: level} for name, values in levels.items() for level in values
    ]
    groups = [
        (s, r, g)
        for s in range(100)
        for r in ("teal", "amber", "violet")
        for g in ("budded", "eared")
    ]
    return pd.DataFrame(
        [{"seed": s, "race": r, "gender": g, **face} for s, r, g in groups for face in faces]
    )


def naive_pair(
    table: pd.DataFrame, by: str, attributes: list[str], rng: np.random.Generator
) -> tuple[int, int]:
    """One pair by one query over the whole table, as it is usually written."""
    while True:
        first = int(rng.integers(len(table)))
        row = table.iloc[first]
        mask = table[by] != row[by]
        for attribute in attributes:
            if attribute != by:
                mask &= table[attribute] == row[attribute]
        if mask.any():
            return first, int(rng.choice(np.flatnonzero(mask)))


def pairs() -> list[Row]:
    """Seven attributes × 1,000 pairs out of 18,000 images; the peer is timed on 10 pairs each."""
    images, rng = grid(), np.random.default_rng(0)
    attributes = list(images.columns)
    ours = milliseconds(
        lambda: [vb.one_apart(images, by=by, n=1000, seed=0) for by in attributes], 15
    )
    peer = 100 * milliseconds(
        lambda: [naive_pair(images, by, attributes, rng) for by in attributes for _ in range(10)], 3
    )
    return [Row("one_apart, 7 × 1,000 pairs", "a query per pair", ours, peer, 500)]


def perception() -> list[Row]:
    """18,000 images × 170 prompts of 42 words, d = 512, against the matrix product alone; no
    goal."""
    rng = np.random.default_rng(0)
    words = [(f"dimension {i % 8}", f"word {i}", False) for i in range(42)] + [("", "", True)]
    table = pd.DataFrame(
        [word for word in words for _ in range(4)], columns=["dimension", "word", "neutral"]
    )

    def embedded(n: int, table: pd.DataFrame) -> np.ndarray:
        vectors = rng.standard_normal((n, 512)).astype(np.float32)
        return np.asarray(vectors / np.linalg.norm(vectors, axis=1, keepdims=True)), table

    class Embedded(SimpleNamespace):
        def __array__(self, dtype: object = None, copy: object = None) -> np.ndarray:
            return self.vectors

    images, prompts = (
        Embedded(vectors=v, table=t)
        for v, t in (embedded(18_000, grid()), embedded(len(table), table))
    )
    product = milliseconds(lambda: images.vectors @ prompts.vectors.T, 5)
    bare = "the bare product, float32"
    return [
        Row(
            f"{task.__name__}, 18,000 × 172",
            bare,
            milliseconds(lambda task=task: task(images, prompts), 5),
            product,
        )
        for task in (vb.delta_cos, vb.cosines)
    ]


def main() -> None:
    """Print one row per measure: ours, the peer, their ratio and the goal."""
    finish([*association(), *pairs(), *perception()])


if __name__ == "__main__":
    main()
