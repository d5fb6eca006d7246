"""Downloads, by `requests`: whole and with the right checksum before they have their name, within
the bytes and the time that a file may take, and over https alone."""

import threading
import time
from collections.abc import Iterable
from concurrent.futures import Future
from contextlib import suppress

from tqdm import tqdm

from vlmbias import paths
from vlmbias.sources.catalogue import File, Source, catalogue, source
from vlmbias.sources.local_files import available, cached, damage, right_copy
from vlmbias.whole_files import replacing, sweep

_A_DAY = 24 * 3600
_SECURE = ("https://",)  # how every address begins, those that a server sends us on to as well
_PATIENCE = 30.0  # seconds that a file may take,
_SLOWEST = 20_000  # and one more per so many bytes


class _Wrong(ValueError):
    """What a server sent is not the file."""


def fetch(keys: Iterable[str], *, timeout: float = 10.0) -> list[str]:
    """Download what is not yet at hand of some sources.

    A source is left at its first file that does not arrive, and the next one is tried; but none is
    where no server could be reached at all.

    Parameters
    ----------
    keys : keys of `data/sources/index.yaml`.
    timeout : seconds without an answer after which a server counts as absent.

    Returns
    -------
    What went wrong, one message each, with what to do; empty if everything is at hand.

    Raises
    ------
    ValueError
        For an unknown key, or one that only a person can obtain; its terms are named.
    """
    from urllib3.exceptions import HTTPError, MaxRetryError

    entries = [source(key) for key in keys]
    for entry in entries:
        if not entry.open:
            raise ValueError(
                f"{entry.key!r} cannot be downloaded for you: {entry.obtain} Licence:"
                f" {entry.licence}"
            )
    wanted = [(one, file) for one in entries for file in one.files if not right_copy(one, file)[0]]
    sweep(paths.cache() / "sources")
    problems: dict[str, str] = {}
    answered = False
    total = sum(file.bytes for _, file in wanted)
    with tqdm(total=total, unit="B", unit_scale=True, disable=None) as progress:
        for entry, file in wanted:
            if entry.key in problems:
                continue
            progress.set_description(entry.key)
            try:
                _download(entry, file, timeout)
            except (OSError, ValueError, HTTPError) as problem:
                why = f"{entry.base}{file.path} {_why(problem)}"
                if isinstance(next(iter(problem.args), None), MaxRetryError):
                    why = f"no connection to {entry.base.split('/')[2]}"
                    if not answered:
                        return [_message(dict.fromkeys(one.key for one, _ in wanted), why)]
                problems[entry.key] = _message([entry.key], why)
            answered = True
            progress.update(file.bytes)
    return [*problems.values()]


def _message(keys: Iterable[str], why: str) -> str:
    """What went wrong with sources, and what to do."""
    return (
        f"{', '.join(keys)}: {why}; nothing of it is kept, and `vlmbias sources --fetch"
        f" {' '.join(keys)}` tries again"
    )


def fetch_small(*, force: bool = False, timeout: float = 5.0) -> list[str]:
    """Try, visibly, to get the sources marked small; a failure is no error, and for a day no
    second try follows unless `force` asks for it. Returns, and prints, as `fetch`."""
    note = paths.cache() / "sources" / "last-failed-try"
    small = [one.key for one in catalogue().values() if one.small and not available(one.key)]
    if not small or (not force and note.is_file() and time.time() - note.stat().st_mtime < _A_DAY):
        return []
    print(f"fetching {', '.join(small)} (optional: each page says what it lacks) …", flush=True)
    with suppress(OSError):  # where nothing can be written, the next try costs some seconds again
        note.parent.mkdir(parents=True, exist_ok=True)
        note.touch()  # before the try, so that one that is killed counts
    problems = fetch(small, timeout=timeout)
    if not problems:
        note.unlink(missing_ok=True)
    for problem in problems:
        print("going on without", problem, flush=True)
    return problems


def _download(entry: Source, file: File, timeout: float) -> None:
    """Put a file into the cache, if it is the right one."""
    url, seconds = entry.base + file.path, _PATIENCE + file.bytes / _SLOWEST
    content: Future[bytes] = Future()

    def work() -> None:
        try:
            content.set_result(_body(url, file.bytes, timeout))
        except Exception as problem:
            content.set_exception(problem)

    # a server that trickles keeps the thread, and not this process
    threading.Thread(target=work, daemon=True).start()
    whole = content.result(seconds)
    with replacing(cached(entry, file)) as temporary:
        temporary.write_bytes(whole)
        if problem := damage(temporary, file):
            raise _Wrong(f"sent {problem}")


def _body(url: str, most: int, timeout: float) -> bytes:
    """What an address sends, decoded, if these are at most so many bytes."""
    import requests
    from requests.adapters import HTTPAdapter

    content = bytearray()
    with requests.Session() as session:
        session.adapters = dict.fromkeys(_SECURE, HTTPAdapter())
        # what comes with a redirection, which may have no end, is not read
        session.hooks["response"] = [lambda one, **_: one.close() if one.is_redirect else None]
        plain = {"Accept-Encoding": "identity"}
        with session.get(url, stream=True, timeout=timeout, headers=plain) as answer:
            answer.raise_for_status()
            for piece in answer.iter_content(1 << 16):
                content += piece
                if len(content) > most:
                    raise _Wrong(f"sends more than the {most:,} bytes that it should have")
    return bytes(content)


def _why(problem: Exception) -> str:
    """What went wrong with a download, after its address."""
    from requests import exceptions as of

    if isinstance(problem, _Wrong):
        return str(problem)
    if isinstance(problem, of.HTTPError):
        return f"answered with {str(problem).partition(' for url')[0]}"
    if isinstance(problem, of.InvalidSchema):
        return f"leads to what does not begin with {_SECURE[0]}: {problem}"
    if isinstance(problem, of.ContentDecodingError):
        return "sent what is not compressed as it says"
    if isinstance(problem, of.ChunkedEncodingError):
        return "was cut short"
    if isinstance(problem, of.ConnectionError | of.Timeout):
        return "stalled or hung up"
    return "was not whole in time" if isinstance(problem, TimeoutError) else f"failed: {problem}"
