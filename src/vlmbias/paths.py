"""Where things are: the repository, its data, what is built, the reader's cache and own data."""

import os
from collections.abc import Iterable
from pathlib import Path


def root() -> Path:
    """The repository root: `VLMBIAS_ROOT` if set, else the checkout this package is installed
    from."""
    if named := os.environ.get("VLMBIAS_ROOT"):
        return Path(named).expanduser().resolve()
    return Path(__file__).resolve().parents[2]


def _place(named: str) -> Path:
    """A folder that a variable names: relative to the root; `~` is the reader's own."""
    return (root() / Path(named).expanduser()).resolve()


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
    folder = _place(named)
    return folder if folder.is_dir() else None


def cache() -> Path:
    """Where downloads and embeddings are kept: `VLMBIAS_CACHE`, else `_build/cache`."""
    if named := os.environ.get("VLMBIAS_CACHE"):
        return _place(named)
    return build() / "cache"


def meant_by(name: str | Path) -> tuple[Path, Path]:
    """Where a file or folder of this name may lie: a notebook runs in its own folder, the command
    line in the root, and both mean the same one."""
    given = Path(name).expanduser()
    return given, root() / given


def looked_for(places: Iterable[Path]) -> str:
    """Places in which nothing was found, as a message names them."""
    return f"looked for {' and '.join(dict.fromkeys(str(one.absolute()) for one in places))}"


_LEFT = {"@eaDir", "#recycle", "__MACOSX", "$RECYCLE.BIN", "System Volume Information"}


def left_behind(name: str) -> bool:
    """Whether a file or folder of this name is hidden, or was left by a system: no data of
    anybody."""
    return name.startswith((".", "~$")) or name in _LEFT


def matching(folder: Path, pattern: str) -> list[Path]:
    """What of a folder matches a glob pattern, in order, less what is `left_behind` in it."""
    found = {path: path.relative_to(folder).parts for path in folder.glob(pattern)}
    return sorted(path for path, parts in found.items() if not any(map(left_behind, parts)))


def reader_data() -> Path:
    """Where a reader puts data that only a person can obtain: `VLMBIAS_DATA`, else `data` in the
    cache."""
    if named := os.environ.get("VLMBIAS_DATA"):
        return _place(named)
    return cache() / "data"
