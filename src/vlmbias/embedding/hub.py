"""Files on the Hugging Face hub: said before they are downloaded, and verified before they are
used.

Comes in: a repository and the names that a file may have there. Goes out: the local file, whose
content is what the hub's cache says it is. May not: pass on a damaged file, or report another error
than the first.
"""

import errno
import os
import re
import shutil
import socket
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import urlsplit
from urllib.request import getproxies

from vlmbias.progress import say
from vlmbias.whole_files import checksum

_DIGEST = re.compile(
    "[0-9a-f]{64}"
)  # how the cache names what lies in the hub's large storage: by its SHA-256


class NoRoom(OSError):
    """The disk cannot hold a file."""


class Damaged(ValueError):
    """A file is not what its name says."""


def fetched(repository: str, files: Sequence[str], *, name: str) -> Path:
    """A file of a repository, from the cache, or downloaded into it.

    Parameters
    ----------
    repository : "owner/name".
    files : names that it may have there; one is tried if the repository has none of those before
        it.
    name : of the model, for messages.

    Raises
    ------
    NoRoom
        With the bytes that are needed and free.
    Damaged
        If the content is not what the cache's name for it says; with what to do.
    Exception
        What huggingface_hub raises for the first file that is there, or for the last.
    """
    from huggingface_hub import hf_hub_download
    from huggingface_hub.errors import EntryNotFoundError, LocalEntryNotFoundError

    with as_needed():
        for file in files:
            try:
                about = hf_hub_download(repository, file, dry_run=True)
                if not about.will_download:
                    return _verified(Path(about.local_path))
                _announce(name, about.file_size or 0)
                return _verified(Path(_downloaded(repository, file, name, about.file_size or 0)))
            except EntryNotFoundError as problem:
                # where the hub cannot be asked, one that is cached may have the next name
                unasked = isinstance(problem, LocalEntryNotFoundError) and not _any_cached(
                    repository, files
                )
                if file == files[-1] or unasked:
                    raise
    raise FileNotFoundError(f"{repository} has none of {', '.join(files)}")


def _any_cached(repository: str, files: Sequence[str]) -> bool:
    from huggingface_hub import try_to_load_from_cache

    return any(isinstance(try_to_load_from_cache(repository, file), str) for file in files)


def _announce(name: str, size: int) -> None:
    from huggingface_hub import constants

    if size > 1e6:
        say(f"▸ weights of {name}, {size / 1e6:,.0f} MB")
    place = next(
        folder
        for folder in (Path(constants.HF_HUB_CACHE), *Path(constants.HF_HUB_CACHE).parents)
        if folder.is_dir()
    )
    if size > (free := shutil.disk_usage(place).free):
        raise _no_room(name, size, free)


def _no_room(name: str, size: int, free: int) -> NoRoom:
    from huggingface_hub import constants

    return NoRoom(
        f"the disk is full: the weights of {name!r} need {size / 1e6:,.0f} MB in"
        f" {str(constants.HF_HUB_CACHE)!r}, where {free / 1e6:,.0f} MB are free; make room, or set"
        " HF_HOME to a folder on another disk"
    )


def _downloaded(repository: str, file: str, name: str, size: int) -> str:
    from huggingface_hub import constants, hf_hub_download

    try:
        return hf_hub_download(repository, file)
    except KeyboardInterrupt:
        print(
            f"interrupted: of {name} nothing is kept of the file that was on its way, the next"
            " download of it starts anew; files that had arrived are kept",
            file=sys.stderr,
        )
        raise
    except Exception as problem:
        if _of_a_full_disk(problem):
            raise _no_room(name, size, shutil.disk_usage(constants.HF_HUB_CACHE).free) from problem
        raise


def _of_a_full_disk(problem: BaseException | None) -> bool:
    """Whether the cause of an error, or the cause of that, is a full disk."""
    while problem is not None:
        if getattr(problem, "errno", None) in (errno.ENOSPC, errno.EDQUOT):
            return True
        if os.strerror(errno.ENOSPC) in str(
            problem
        ):  # as the library of the hub's own storage reports it
            return True
        problem = problem.__cause__ or problem.__context__
    return False


def _verified(path: Path) -> Path:
    """The file, if its content is what its name in the cache says: that to which the first link
    leads, no further."""
    expected = Path(os.readlink(path)).name if path.is_symlink() else ""
    if _DIGEST.fullmatch(expected) and (found := checksum(path)) != expected:
        raise Damaged(
            f"{str(path.resolve())!r} is damaged: its SHA-256 should be {expected}, and is {found};"
            " delete that file and run the same command again, which downloads it anew"
        )
    return path


@contextmanager
def as_needed() -> Iterator[None]:
    """Tell huggingface_hub to ask for files and nothing else, and without a network for nothing.

    Otherwise it asks, once a day, for a list that its statistics need; and where no network is, it
    tries for most of a minute, cached weights or not.
    """
    from huggingface_hub import constants

    before = constants.HF_HUB_OFFLINE, constants.HF_HUB_DISABLE_TELEMETRY
    constants.HF_HUB_DISABLE_TELEMETRY = True
    try:
        if not getproxies():
            socket.getaddrinfo(urlsplit(constants.ENDPOINT).hostname, 443)
    except OSError:
        constants.HF_HUB_OFFLINE = True
    try:
        yield
    finally:
        constants.HF_HUB_OFFLINE, constants.HF_HUB_DISABLE_TELEMETRY = before
