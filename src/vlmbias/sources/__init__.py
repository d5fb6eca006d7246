"""Data that the repository does not hold: found, checked and fetched.

Comes in: `data/sources.yaml` and the key of a source. Goes out: paths of files whose checksum is
right, or one error that says what is missing and how to get it. May not: download unless asked to,
hand out a file it has
not checked, or store anything in the repository.
"""

from vlmbias.sources.catalogue import how
from vlmbias.sources.download import fetch, fetch_small
from vlmbias.sources.local_files import (
    SourceUnavailable,
    at_hand,
    available,
    path,
    state,
    status,
    supplied,
)

__all__ = [
    "SourceUnavailable",
    "at_hand",
    "available",
    "fetch",
    "fetch_small",
    "how",
    "path",
    "state",
    "status",
    "supplied",
]
