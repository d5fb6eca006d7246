"""Downloads: verified before anything reads them, whole or not at all.

Comes in: keys of open sources. Goes out: files in the cache, and what went wrong. May not: leave
half a file, keep one whose checksum is wrong, take more bytes or more time than the file should, or
follow a way that is not https."""

import re
import threading
import time
from collections.abc import Iterable
from contextlib import suppress
from typing import Any
from urllib.parse import urljoin

from tqdm import tqdm

from vlmbias import paths
from vlmbias.sources.catalogue import File, Source, catalogue, source
from vlmbias.sources.local_files import available, cached, damage, right_copy
from vlmbias.whole_files import replacing, sweep

_A_DAY = 24 * 3600
_SECURE = ("https://",)  # how every address begins, those that a server sends us on to as well
_HOPS = 5
_PATIENCE, _SLOWEST = (
    30.0,
    20_000,
)  # a file may take this many seconds, and one more per so many bytes


class _Broken(OSError):
    """A server answered, but did not send the whole file: the next server may."""


def fetch(keys: Iterable[str], *, timeout: float = 10.0) -> list[str]:
    """Download what is not yet at hand of some sources.

    Parameters
    ----------
    keys : keys of `data/sources.yaml`.
    timeout : seconds without an answer after which the network counts as absent.

    Returns
    -------
    What went wrong, one message each; empty if everything is at hand. Without a network, one
    message.

    Raises
    ------
    ValueError
        For an unknown key, or one that only a person can obtain; its terms are named.
    """
    return _listed(*_tried(keys, timeout))


def fetch_small(*, force: bool = False, timeout: float = 5.0) -> list[str]:
    """Try, visibly, to get the sources marked small. No network is no error, and no second try for
    a day.

    Parameters
    ----------
    force : try again even if a try failed within the last day.
    timeout : as for `fetch`.

    Returns
    -------
    What went wrong, one message each; printed is one line, which names the sources that will be
    missing.
    """
    note = paths.cache() / "sources" / "last-failed-try"
    small = [
        entry.key for entry in catalogue().values() if entry.small and not available(entry.key)
    ]
    if not small or (not force and note.is_file() and time.time() - note.stat().st_mtime < _A_DAY):
        return []
    print(f"fetching {', '.join(small)} (optional: each page says what it lacks) …", flush=True)
    failed = True
    try:
        problems, silent = _tried(small, timeout)
        failed = bool(problems or silent)
        if failed and (missing := [key for key in small if not available(key)]):
            print(
                _without({key: (problems.get(key) or ["no network"])[0] for key in missing}),
                flush=True,
            )
        return _listed(problems, silent)
    finally:
        with suppress(
            OSError
        ):  # where nothing can be written, the next try costs some seconds again
            note.unlink(missing_ok=True)
            if failed:
                note.parent.mkdir(parents=True, exist_ok=True)
                note.touch()


def _listed(problems: dict[str, list[str]], silent: str) -> list[str]:
    return [f"{key}: {why}" for key, own in problems.items() for why in own] + [silent] * bool(
        silent
    )


def _without(why: dict[str, str]) -> str:
    """One line: the sources that will be missing, each after the first clause of its reason."""
    reasons = {key: re.sub(r"\w+://\S*/", "", reason).split(": ")[0] for key, reason in why.items()}
    messages = (
        f"{reason}: going on without {', '.join(key for key in reasons if reasons[key] == reason)}"
        for reason in dict.fromkeys(reasons.values())
    )
    return f"{'; '.join(messages)} (optional; `make sources` tries again)"


def _tried(keys: Iterable[str], timeout: float) -> tuple[dict[str, list[str]], str]:
    """Download what is missing: by source what was wrong with its files; and why there is no
    network, if so.

    A source of which a file did not arrive whole is left at that file, and the next one is tried.
    Where no server has answered yet and one cannot be reached, none is.
    """
    from requests.exceptions import ConnectionError, Timeout

    entries = [source(key) for key in keys]
    for entry in entries:
        if not entry.open:
            raise ValueError(
                f"{entry.key!r} cannot be downloaded for you: {entry.obtain} Licence:"
                f" {entry.licence}"
            )
    wanted = [
        (entry, file) for entry in entries for file in entry.files if not right_copy(entry, file)[0]
    ]
    sweep(paths.cache() / "sources")
    problems: dict[str, list[str]] = {}
    answered, left = False, set()
    with tqdm(
        total=sum(file.bytes for _, file in wanted), unit="B", unit_scale=True, disable=None
    ) as progress:
        for entry, file in wanted:
            if entry.key in left:
                continue
            progress.set_description(entry.key)
            try:
                _download(entry, file, timeout)
                answered = True
            except (OSError, ValueError) as problem:
                reached, why = not isinstance(problem, ConnectionError | Timeout), str(problem)
                if not reached:
                    why = f"no connection to {entry.base.split('/')[2]} ({type(problem).__name__})"
                if not (reached or answered):
                    return problems, why
                answered = True
                problems.setdefault(entry.key, []).append(why)
                if not reached or isinstance(problem, _Broken):
                    left.add(entry.key)
            progress.update(file.bytes)
    return problems, ""


def _download(entry: Source, file: File, timeout: float) -> None:
    content = _within(
        _PATIENCE + file.bytes / _SLOWEST, entry.base + file.path, file.bytes + 1, timeout
    )
    with replacing(cached(entry, file)) as temporary:
        temporary.write_bytes(content)
        if problem := damage(temporary, file):
            raise ValueError(f"what {entry.base}{file.path} sent is {problem}")


def _within(seconds: float, *about: Any) -> bytes:
    """What `_body` gives, or `_Broken` after so many seconds, at whatever pace the server goes on
    sending."""
    found: list[Any] = []

    def work() -> None:
        try:
            found.append(_body(*about))
        except Exception as problem:
            found.append(problem)

    worker = threading.Thread(
        target=work, daemon=True
    )  # a server that trickles keeps it, but not this process
    worker.start()
    worker.join(seconds)
    if not found:
        raise _Broken(f"{about[0]} was not whole after {seconds:.0f} s")
    if isinstance(found[0], Exception):
        raise found[0]
    return found[0]


def _body(url: str, most: int, timeout: float) -> bytes:
    """The first `most` bytes, decoded, of what an address sends."""
    from urllib3.exceptions import (
        HTTPError,
    )  # what reading a body raises: requests does not translate it

    first = url
    for _ in range(_HOPS):
        if not url.startswith(_SECURE):
            sent = f", to which {first} leads," if url != first else ""
            raise ValueError(f"{url}{sent} does not begin with {_SECURE[0]}")
        with _answer(url, timeout) as answer:
            if answer.is_redirect:
                url = urljoin(url, answer.headers["location"])
                continue
            answer.raise_for_status()
            content = bytearray()
            try:
                while len(content) < most and (
                    some := answer.raw.read(min(1 << 16, most - len(content)), decode_content=True)
                ):
                    content += some
            except (HTTPError, ValueError) as problem:  # the latter of a chunk of negative size
                raise _Broken(f"{url} {_broke(problem)}") from problem
            return bytes(content)
    raise ValueError(f"more than {_HOPS} redirections, the last to {url}")


def _answer(url: str, timeout: float) -> Any:
    """The head of what an address sends."""
    import requests
    from urllib3.exceptions import ProtocolError

    try:
        return requests.get(
            url,
            stream=True,
            timeout=timeout,
            allow_redirects=False,
            headers={"Accept-Encoding": "identity"},
        )
    except requests.ConnectionError as problem:
        if problem.args and isinstance(problem.args[0], ProtocolError):  # connected, then hung up
            raise _Broken(f"{url} was cut short before it began") from problem
        raise
    except ValueError as problem:  # requests looks at once where it would be sent on to
        raise ValueError(f"{url} is no address, or leads to none ({problem})") from None


def _broke(problem: Exception) -> str:
    """What went wrong with a body, in words."""
    from urllib3.exceptions import DecodeError, ReadTimeoutError

    if isinstance(problem, DecodeError):
        return "sent what is not compressed as it says"
    return (
        "stalled" if isinstance(problem, ReadTimeoutError) else "was cut short"
    )  # broken chunks among them
