"""A long step says how long it will take, and how far it is, in lines that a log file can show: on
the screen, or in the file that the process which runs a notebook reads (`VLMBIAS_PROGRESS`).
"""

import os
import sys
import time
from types import TracebackType

from tqdm import tqdm

PLACE = "VLMBIAS_PROGRESS"
_LONG = 20.0  # seconds; what is over sooner is not spoken of


def say(line: str) -> None:
    """Tell whoever waits one line."""
    if place := os.environ.get(PLACE):
        with open(place, "a", encoding="utf-8") as file:
            file.write(f"{line}\n")
    else:
        print(line, flush=True)


class Progress:
    """A context in which `update` counts `total` things, such as "images by greenhouse": a bar on a
    terminal, elsewhere a line at first and one each 10 %."""

    def __init__(self, total: int, what: str):
        self.total, self.what, self.done, self._told = total, what, 0, -1
        self._began = time.monotonic()
        lines = PLACE in os.environ or not sys.stderr.isatty()
        self._bar = None if lines else tqdm(total=total, desc=what, delay=2, leave=False)

    def __enter__(self) -> "Progress":
        return self

    def __exit__(
        self, kind: type | None, problem: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._bar is not None:
            self._bar.close()

    def update(self, n: int) -> None:
        """Count n more."""
        self.done += n
        if self._bar is not None:
            self._bar.update(n)
            return
        left = (time.monotonic() - self._began) / self.done * (self.total - self.done)
        tenth = 10 * self.done // self.total
        if self._told < 0 and left > _LONG:
            self._told = tenth
            say(f"▸ {self.total:,} {self.what}, about {spoken(left)}")
        elif 0 <= self._told < tenth < 10:
            self._told = tenth
            say(f"▸ {self.what}: {10 * tenth} %, about {spoken(left)} left")


def spoken(seconds: float) -> str:
    """A time as one says it, such as "40 minutes"."""
    for size, unit in ((3600, "hour"), (60, "minute")):
        if seconds >= 1.5 * size:
            return f"{seconds / size:.0f} {unit}s"
    return "a minute" if seconds >= 45 else f"{seconds:.0f} seconds"
