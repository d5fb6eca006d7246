"""Where things are: the repository root, its data folder, the build folder, the reader's cache and own data.

Comes in: environment variables (`VLMBIAS_ROOT`, `VLMBIAS_MIRROR`, `VLMBIAS_CACHE`, `VLMBIAS_DATA`) and this file's
place. Goes out: absolute paths. May not: create or read anything.
"""

import os
from pathlib import Path


def root() -> Path:
    """The repository root: `VLMBIAS_ROOT` if set, else the checkout this package is installed from."""
    if named := os.environ.get("VLMBIAS_ROOT"):
        return Path(named).resolve()
    return Path(__file__).resolve().parents[2]


def data() -> Path:
    """The versioned data folder."""
    return root() / "data"


def build() -> Path:
    """The folder of everything generated; never committed."""
    return root() / "_build"


def mirror() -> Path | None:
    """The local mirror of public files (`VLMBIAS_MIRROR`, relative to the root), or None."""
    if not (named := os.environ.get("VLMBIAS_MIRROR")):
        return None
    folder = (root() / named).resolve()
    return folder if folder.is_dir() else None


def cache() -> Path:
    """Where downloads and embeddings are kept: `VLMBIAS_CACHE`, else `_build/cache`."""
    if named := os.environ.get("VLMBIAS_CACHE"):
        return (root() / named).resolve()
    return build() / "cache"


def reader_data() -> Path:
    """Where a reader puts data that only a person can obtain: `VLMBIAS_DATA`, else `data` in the cache."""
    if named := os.environ.get("VLMBIAS_DATA"):
        return (root() / named).expanduser().resolve()
    return cache() / "data"
