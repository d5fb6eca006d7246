"""A download that is killed at some moment, and the next try: more kills are in
`tests/campaign/kills.py`."""

import os
import signal
import time
from collections.abc import Iterator
from functools import partial
from pathlib import Path

from case import Case
from downloads import WANTED, head, prepare

SLOW = [
    head(Content_Length=len(WANTED)),
    *(part for k in range(0, len(WANTED), 400) for part in (WANTED[k : k + 400], 0.1)),
]


def _killed(after: float, folder: Path) -> None:
    from vlmbias import sources

    if not (child := os.fork()):
        prepare(SLOW, folder)
        sources.fetch(["first", "mine", "last"], timeout=5)
        os._exit(0)
    time.sleep(after)
    os.kill(child, signal.SIGKILL)
    os.waitpid(child, 0)
    assert all(path.read_bytes() == WANTED for path in folder.rglob("a.csv")), (
        "half a file under its name"
    )
    prepare([head() + WANTED], folder)
    assert sources.fetch(["first", "mine", "last"]) == []
    assert len(list(folder.rglob("a.csv"))) == 3


def cases() -> Iterator[Case]:
    """One per moment."""
    for moment in (0.05, 0.2, 0.4, 0.6, 0.8, 1.0):
        yield Case("kills", f"a download, after {moment} s", partial(_killed, moment))
