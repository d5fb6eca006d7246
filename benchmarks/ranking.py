"""How fast the ranking measures are, against pandas in the same run:
`python benchmarks/ranking.py`.

18,000 images in three groups × 48 queries: one call per query, and all queries in one call of
`vb.rankings`, which works out the groups once. The peers are the usual pandas forms, written
from the definitions: `nlargest` and `value_counts` for Skew@k, a cumulative sum of indicator
columns for NDKL. Both sides get the same column of groups: as strings, or as a categorical made
once for all queries. Medians of CPU time on one thread.
"""

from __future__ import annotations

# isort: off
from _goals import Row, finish, milliseconds  # before numpy, as it sets one thread
# isort: on

import numpy as np
import pandas as pd

import vlmbias as vb

IMAGES, QUERIES, K = 18_000, 48, 1_000
THIRDS = {"teal": 1 / 3, "amber": 1 / 3, "violet": 1 / 3}


def skew(table: pd.DataFrame, query: int) -> pd.Series:
    """Skew@k of every group."""
    shares = table.nlargest(K, query)["group"].value_counts(normalize=True)
    return np.log(shares / pd.Series(THIRDS))


def ndkl(table: pd.DataFrame, query: int) -> float:
    """NDKL from the shares at every rank."""
    groups = table.sort_values(query, ascending=False, kind="stable")["group"]
    rank = np.arange(1, len(groups) + 1)
    shares = pd.get_dummies(groups).cumsum().div(rank, axis=0)
    divergence = (shares * np.log(shares / pd.Series(THIRDS))).fillna(0).sum(axis=1)
    weights = 1 / np.log2(rank + 1)
    return float((divergence.to_numpy() * weights).sum() / weights.sum())


def main() -> None:
    """Print one row per measure: ours, the peer, their ratio and the goal."""
    rng = np.random.default_rng(0)
    strings = pd.Series(rng.permutation(np.repeat(list(THIRDS), IMAGES // 3)))
    values = (
        rng.normal(0.23, 0.01, (IMAGES, QUERIES)) + 0.004 * (strings == "teal").to_numpy()[:, None]
    )
    queries, rows = pd.DataFrame(values), []
    ways = (
        ("ndkl", 2.5, ndkl, lambda s, g: [vb.ndkl(one, g) for one in s]),
        ("rankings(…).ndkl", 2.5, ndkl, lambda s, g: vb.rankings(queries, g).ndkl()),
        ("skew_at_k, k = 1,000", 1.5, skew, lambda s, g: [vb.skew_at_k(one, g, K) for one in s]),
        ("rankings(…).skew_at_k", 5, skew, lambda s, g: vb.rankings(queries, g).skew_at_k(K)),
    )
    with np.errstate(divide="ignore", invalid="ignore"):
        for kind, groups in (("strings", strings), ("categorical", strings.astype("category"))):
            table = queries.assign(group=groups)
            scores = [table[query].to_numpy() for query in range(QUERIES)]
            assert np.isclose(vb.ndkl(scores[0], groups), ndkl(table, 0))
            assert np.allclose(
                vb.skew_at_k(scores[0], groups, K).sort_index(), skew(table, 0).sort_index()
            )
            for name, goal, peer, own in ways:
                ours = milliseconds(
                    lambda own=own, scores=scores, groups=groups: own(scores, groups), 7
                )
                theirs = milliseconds(
                    lambda peer=peer, table=table: [peer(table, q) for q in range(QUERIES)], 3
                )
                rows.append(Row(name, f"pandas, groups as {kind}", ours, theirs, goal))
    print(f"{IMAGES:,} images × {QUERIES} queries")
    finish(rows)


if __name__ == "__main__":
    main()
