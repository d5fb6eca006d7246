"""Files on the Hugging Face hub, by `huggingface_hub`: said before they are downloaded, verified
before they are used."""

import errno
import os
import re
import shutil
import socket
import sys
import traceback
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import urlsplit
from urllib.request import getproxies

from vlmbias.progress import say
from vlmbias.whole_files import checksum

# how the cache names what lies in the hub's large storage: by its SHA-256
_DIGEST = re.compile("[0-9a-f]{64}")


class NoRoom(OSError):
    """The disk cannot hold a file."""


class Damaged(ValueError):
    """A file is not what its name says."""


def fetched(repository: str, files: Sequence[str], *, name: str) -> Path:
    """A file of a repository, "owner/name", from the cache, or downloaded into it.

    `files` are the names that it may have there: one is tried if the repository has none of those
    before it. `name` is of the model, for messages. Raises `NoRoom`, `Damaged`, or what
    huggingface_hub raises for the first name.
    """
    from huggingface_hub import constants, hf_hub_download
    from huggingface_hub.errors import EntryNotFoundError, LocalEntryNotFoundError

    first: Exception = FileNotFoundError(f"no file of {repository} was asked for")
    with as_needed():
        for file in files:
            try:
                about = hf_hub_download(repository, file, dry_run=True)
                if about.will_download:
                    return _verified(_downloaded(repository, file, name, about.file_size or 0))
                return _verified(Path(about.local_path))
            except EntryNotFoundError as problem:
                first = problem if file == files[0] else first
                if isinstance(problem, LocalEntryNotFoundError):  # the hub cannot be asked
                    constants.HF_HUB_OFFLINE = True
    raise first


def _downloaded(repository: str, file: str, name: str, size: int) -> Path:
    """The file of a model, downloaded into the cache, if there is room for its bytes."""
    from huggingface_hub import constants, hf_hub_download

    if size > 1e6:
        say(f"▸ weights of {name}, {size / 1e6:,.0f} MB")
    cache = Path(constants.HF_HUB_CACHE)
    place = next(folder for folder in (cache, *cache.parents) if folder.is_dir())
    try:
        if size > shutil.disk_usage(place).free:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        return Path(hf_hub_download(repository, file))
    except KeyboardInterrupt:
        print(
            f"interrupted: of {name} nothing is kept of the file that was on its way, the next"
            " download of it starts anew; files that had arrived are kept",
            file=sys.stderr,
        )
        raise
    except Exception as problem:
        said = "".join(traceback.format_exception(problem))
        if any(os.strerror(code) in said for code in (errno.ENOSPC, errno.EDQUOT)):
            raise NoRoom(
                f"the disk is full: the weights of {name!r} need {size / 1e6:,.0f} MB in"
                f" {str(cache)!r}, where {shutil.disk_usage(place).free / 1e6:,.0f} MB are free;"
                " make room, or set HF_HOME to a folder on another disk"
            ) from problem
        raise


def _verified(path: Path) -> Path:
    """The file, if its content is what its name in the cache says: that to which the first link
    leads, no further. The hub's library compares sizes alone."""
    expected = Path(os.readlink(path)).name if path.is_symlink() else ""
    if _DIGEST.fullmatch(expected) and (found := checksum(path)) != expected:
        raise Damaged(
            f"{str(path.resolve())!r} is damaged: its SHA-256 should be {expected}, and is {found};"
            " delete that file and run the same command again, which downloads it anew"
        )
    return path


@contextmanager
def as_needed() -> Iterator[None]:
    """Tell huggingface_hub to ask for files and nothing else, and without a network for nothing:
    otherwise it tries for most of a minute, cached weights or not."""
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
