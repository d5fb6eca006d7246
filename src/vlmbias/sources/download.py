"""Downloads: verified before anything reads them, whole or not at all.

Comes in: keys of open sources. Goes out: files in the cache, and what went wrong. May not: leave half a file,
or keep one whose checksum is wrong.
"""

import time
from collections.abc import Iterable

from tqdm import tqdm

from vlmbias import paths
from vlmbias.sources.catalogue import File, Source, catalogue, source
from vlmbias.sources.local_files import available, cached, damage, look
from vlmbias.whole_files import replacing

_A_DAY = 24 * 3600


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
    import pooch

    with replacing(cached(entry, file)) as temporary:
        pooch.HTTPDownloader(timeout=timeout)(entry.base + file.path, str(temporary), None)
        if problem := damage(temporary, file):
            raise ValueError(f"what {entry.base}{file.path} sent is {problem}")
