"""What networks return that cannot tell places apart, beside the shares of a census."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd

from studies.american_white import states


@dataclass(frozen=True, eq=False)
class Returned:
    """Portraits that networks return.

    Attributes
    ----------
    groups : in alphabetical order.
    places : names, in the order of the census that was given.
    counts : `(networks, places, groups)`, of the portraits that are returned for a place.
    top : how many these are.
    """

    groups: tuple[str, ...]
    places: tuple[str, ...]
    counts: np.ndarray
    top: int

    def of(self, network: int, group: str) -> np.ndarray:
        """The share that one group has of what one network returns, place by place, `(places,)`."""
        return self.counts[network, :, self.groups.index(group)] / self.top


def returned(vectors: Any, census: pd.DataFrame) -> Returned:
    """The networks in which nothing was planted, as `studies.american_white.states` reads them.

    Raises
    ------
    ValueError : the groups are not of one size, so that what is returned is no whole number.
    """
    null = (vectors.networks["b"] == 0).to_numpy()
    faces = vectors.images["kind"].eq("face") & vectors.images["subset"].eq("prototype")
    sizes = vectors.images.loc[faces, "race"].value_counts()
    top = int(sizes.iloc[0])  # a quarter of four groups
    if sizes.nunique() > 1 or len(sizes) != census.shape[1]:
        raise ValueError(f"portraits of groups of one size are needed, got {sizes.to_dict()}")
    counts = np.rint(top * states.returned_by(vectors, census)[null]).astype(int)
    return Returned(tuple(sorted(census)), tuple(map(str, census.index)), counts, top)


def beside(found: Returned, network: int, group: str, lived: Sequence[float]) -> dict[str, Any]:
    """One network's share of a group, as if it were returned in every place of a census.

    Parameters
    ----------
    lived : the share that some group has in the population of each place.

    Returns
    -------
    dict
        share (mean over the network's own places), least and most (of these), n (places of the
        census), over and under (in how many of them the mean share is above the census, and below).
    """
    own, there = found.of(network, group), np.asarray(lived, float)
    share = float(own.mean())
    return {
        "share": share,
        "least": float(own.min()),
        "most": float(own.max()),
        "n": len(there),
        "over": int((share > there).sum()),
        "under": int((share < there).sum()),
    }


def means(found: Returned) -> pd.DataFrame:
    """What each network returns on average over places: networks × groups."""
    return pd.DataFrame(found.counts.mean(axis=1) / found.top, columns=list(found.groups))


def most_even(found: Returned) -> tuple[int, str]:
    """The network whose groups are all nearest to an equal share, and its group that is nearest."""
    away = (means(found) - 1 / len(found.groups)).abs()
    network = int(away.max(axis=1).to_numpy().argmin())
    return network, str(away.loc[network].idxmin())


def rarest(found: Returned) -> tuple[int, str]:
    """The network and the group with the smallest share of all."""
    every = means(found)
    network = int(every.min(axis=1).to_numpy().argmin())
    return network, str(every.loc[network].idxmin())
