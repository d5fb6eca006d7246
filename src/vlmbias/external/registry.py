"""Which weights open_clip's releases list, from its own registry: what an older release knew.

Comes in: `data/models/open_clip.csv`, made from the wheels of four releases (scripts and licence: MIT). Goes out: a
table. May not: import open_clip, whose installed release is another.
"""

import pandas as pd

from vlmbias import paths

RELEASES = ("2.16.0", "2.23.0", "2.24.0", "2.26.1")
"""The releases that were looked at, in order; none of them takes back a weight of an earlier one."""


def listed(release: str) -> pd.DataFrame:
    """The weights that a release of open_clip lists.

    Returns
    -------
    One row per weight, in the registry's order: architecture, tag, first (the earliest of `RELEASES` that lists it).

    Raises
    ------
    ValueError : for a release that was not looked at.
    """
    if release not in RELEASES:
        raise ValueError(f"no list of open_clip {release!r}; there are {', '.join(RELEASES)}")
    table = pd.read_csv(paths.data() / "models" / "open_clip.csv", dtype=str)
    known = RELEASES[: RELEASES.index(release) + 1]
    return table[table["first"].isin(known)].reset_index(drop=True)
