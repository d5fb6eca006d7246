"""Data that the repository does not hold: found, checked, and downloaded only when asked to."""

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
