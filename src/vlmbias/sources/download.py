"""Downloads: verified before anything reads them, whole or not at all.

Comes in: keys of open sources. Goes out: files in the cache, and what went wrong. May not: leave half a file, keep
one whose checksum is wrong, take more bytes or more time than the file should, or follow a way that is not https.
"""

import threading
import time
from collections.abc import Iterable
from typing import Any
from urllib.parse import urljoin

from tqdm import tqdm

from vlmbias import paths
from vlmbias.sources.catalogue import File, Source, catalogue, source
from vlmbias.sources.local_files import available, cached, damage, look
from vlmbias.whole_files import replacing, sweep

_A_DAY = 24 * 3600
_SECURE = ("https://",)  # how every address begins, those that a server sends us on to as well
_HOPS = 5
_PATIENCE, _SLOWEST = 30.0, 20_000  # a file may take this many seconds, and one more per so many bytes


def fetch(keys: Iterable[str], *, timeout: float = 10.0) -> list[str]:
    """Download what is not yet at hand of some sources.

    Parameters
    ----------
    keys : keys of `data/sources.yaml`.
    timeout : seconds without an answer after which the network counts as absent.

    Returns
    -------
    What went wrong, one message each; empty if everything is at hand. Without a network, one message.

    Raises
    ------
    ValueError
        For an unknown key, or one that only a person can obtain; its terms are named.
    """
    from requests.exceptions import ConnectionError, Timeout

    entries, problems = [source(key) for key in keys], []
    for entry in entries:
        if not entry.open:
            raise ValueError(f"{entry.key!r} cannot be downloaded for you: {entry.obtain} Licence: {entry.licence}")
    wanted = [(entry, file) for entry in entries for file in entry.files if not look(entry, file)[0]]
    sweep(paths.cache() / "sources")
    with tqdm(total=sum(file.bytes for _, file in wanted), unit="B", unit_scale=True, disable=None) as progress:
        for entry, file in wanted:
            progress.set_description(entry.key)
            try:
                _download(entry, file, timeout)
            except (ConnectionError, Timeout) as problem:
                return [*problems, f"no connection to {entry.base.split('/')[2]} ({type(problem).__name__})"]
            except (OSError, ValueError) as problem:
                problems.append(f"{entry.key}: {problem}")
            progress.update(file.bytes)
    return problems


def fetch_small(*, force: bool = False, timeout: float = 5.0) -> list[str]:
    """Try, visibly, to get the sources marked small. No network is no error, and no second try for a day.

    Parameters
    ----------
    force : try again even if a try failed within the last day.
    timeout : as for `fetch`.

    Returns
    -------
    What went wrong, one message each.
    """
    note = paths.cache() / "sources" / "last-failed-try"
    small = [entry.key for entry in catalogue().values() if entry.small and not available(entry.key)]
    if not small or (not force and note.is_file() and time.time() - note.stat().st_mtime < _A_DAY):
        return []
    print(f"fetching {', '.join(small)} (optional: each page says what it lacks) …", flush=True)
    problems = fetch(small, timeout=timeout)
    note.unlink(missing_ok=True)
    if problems:
        note.parent.mkdir(parents=True, exist_ok=True)
        note.touch()
        print(*problems, "going on without; `make sources` tries again", sep="\n", flush=True)
    return problems


def _download(entry: Source, file: File, timeout: float) -> None:
    content = _within(_PATIENCE + file.bytes / _SLOWEST, entry.base + file.path, file.bytes + 1, timeout)
    with replacing(cached(entry, file)) as temporary:
        temporary.write_bytes(content)
        if problem := damage(temporary, file):
            raise ValueError(f"what {entry.base}{file.path} sent is {problem}")


def _within(seconds: float, *about: Any) -> bytes:
    """What `_body` gives, or a `Timeout` after so many seconds, at whatever pace the server goes on sending."""
    from requests.exceptions import Timeout

    found: list[Any] = []

    def work() -> None:
        try:
            found.append(_body(*about))
        except Exception as problem:
            found.append(problem)

    worker = threading.Thread(target=work, daemon=True)  # a server that trickles keeps it, but not this process
    worker.start()
    worker.join(seconds)
    if not found:
        raise Timeout(f"not whole after {seconds:.0f} s")
    if isinstance(found[0], Exception):
        raise found[0]
    return found[0]


def _body(url: str, most: int, timeout: float) -> bytes:
    """The first `most` bytes, decoded, of what an address sends."""
    import requests

    for _ in range(_HOPS):
        if not url.startswith(_SECURE):
            raise ValueError(f"{url} does not begin with {_SECURE[0]}")
        with requests.get(url, stream=True, timeout=timeout, allow_redirects=False,
                          headers={"Accept-Encoding": "identity"}) as answer:
            if answer.is_redirect:
                url = urljoin(url, answer.headers["location"])
                continue
            answer.raise_for_status()
            content = bytearray()
            while len(content) < most and (some := answer.raw.read(min(1 << 16, most - len(content)),
                                                                    decode_content=True)):
                content += some
            return bytes(content)
    raise ValueError(f"more than {_HOPS} redirections, the last to {url}")
