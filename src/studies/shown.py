"""What retrained networks make of the pictures they were shown: arrays with the network first."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd


@dataclass(frozen=True, eq=False)
class Shown:
    """What networks that were trained alike make of one set of pictures.

    Attributes
    ----------
    networks : one row per network: what is known of it, such as b.
    images : one row per picture.
    logits : `(networks, images, dimensions)`: each network's scale x delta-cos.
    dimensions : names of the last axis.
    """

    networks: pd.DataFrame
    images: pd.DataFrame
    logits: np.ndarray
    dimensions: tuple[str, ...]

    def where(self, networks: Any) -> "Shown":
        """The networks where a mask, `(networks,)`, is True."""
        kept = np.flatnonzero(networks)
        return Shown(
            self.networks.iloc[kept].reset_index(drop=True),
            self.images,
            self.logits[kept],
            self.dimensions,
        )


def shown(portraits: Any, dimensions: Sequence[str], *, networks: Any, images: Any) -> Shown:
    """The chosen networks' logits of the chosen pictures; networks that were not shown one of them
    are left out.

    Parameters
    ----------
    portraits : networks (with logit_scale), images, scores `(networks, images, columns)`, columns
        (one is "neutral").
    dimensions : the columns to take, each beyond "neutral".
    networks, images : boolean masks over the rows of its `networks` and `images`.
    """
    columns = list(portraits.columns)
    at = [columns.index(name) for name in (*dimensions, "neutral")]
    rows, places = np.flatnonzero(networks), np.flatnonzero(images)
    scores = np.asarray(portraits.scores)[rows][:, places][:, :, at]
    rows, scores = (part[np.isfinite(scores).all(axis=(1, 2))] for part in (rows, scores))
    kept = portraits.networks.iloc[rows].reset_index(drop=True)
    logits = kept["logit_scale"].to_numpy()[:, None, None] * (scores[..., :-1] - scores[..., -1:])
    return Shown(
        kept, portraits.images.iloc[places].reset_index(drop=True), logits, tuple(dimensions)
    )
