"""How near the faces of retrained networks are to words, in log-odds and in the paper's d."""

from itertools import combinations
from typing import Any

import numpy as np
import pandas as pd

import vlmbias as vb
from studies import associations


def leanings(portraits: Any, toward: str, against: str = "") -> tuple[np.ndarray, pd.MultiIndex]:
    """Logit scale × (cosine with `toward` − cosine with `against`) of every face.

    Parameters
    ----------
    portraits : of `greenhouse.retrained.scores("people")`; networks without a further condition
        are taken.
    toward, against : of its columns; without `against`, of a single-category test.

    Returns
    -------
    `(networks, faces)`, and the networks by b and seed ("network").
    """
    kept = (portraits.networks["condition"] == "none").to_numpy()
    networks, columns = portraits.networks[kept], list(portraits.columns)
    cosines = np.asarray(portraits.scores)[kept]
    leaning = cosines[:, :, columns.index(toward)].astype(float)
    if against:
        leaning = leaning - cosines[:, :, columns.index(against)]
    cases = pd.MultiIndex.from_arrays([networks["b"], networks["seed"]], names=["b", "network"])
    return networks["logit_scale"].to_numpy()[:, None] * leaning, cases


def effect_sizes(portraits: Any, toward: str, against: str = "", *, b: float) -> pd.DataFrame:
    """d of each network of one strength, in units of the pooled SD of faces, as the paper prints
    it: networks × pairs of groups."""
    leaning, cases = leanings(portraits, toward, against)
    own, rows = leaning[cases.get_level_values("b") == b], associations.people(portraits.images)
    of = {group: own[:, places.ravel()] for group, places in rows.items()}
    return pd.DataFrame(
        {(x, y): vb.effect_size(of[x], of[y], pooled=True) for x, y in combinations(rows, 2)}
    )
