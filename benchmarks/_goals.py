"""What the benchmarks share: CPU time on one thread, and goals that decide the exit status.

Import it before numpy, as it sets one thread. A script that misses one of its goals says so and
ends with status 1. Ratios compare within one run; milliseconds depend on the machine.
"""

from __future__ import annotations

import os

os.environ.update(OMP_NUM_THREADS="1", OPENBLAS_NUM_THREADS="1", MKL_NUM_THREADS="1")

import statistics
import sys
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass


def milliseconds(task: Callable[[], object], repeats: int) -> float:
    """Median CPU time of one call, after one call to warm up."""
    task()
    times = []
    for _ in range(repeats):
        start = time.process_time()
        task()
        times.append(1000 * (time.process_time() - start))
    return statistics.median(times)


@dataclass(frozen=True)
class Row:
    """One comparison: how long ours and the peer take, in ms, and how many times faster ours has
    to be; None where there is no goal."""

    measure: str
    peer: str
    ours: float
    theirs: float
    goal: float | None = None

    @property
    def ratio(self) -> float:
        return self.theirs / self.ours


def finish(rows: Iterable[Row], *, limits: Iterable[tuple[str, float, float]] = ()) -> None:
    """Print one line per row, then end with status 1 if a goal is missed.

    Parameters
    ----------
    rows : of ratios.
    limits : what may take so long and no longer: name, seconds, seconds at most.
    """
    print(f"{'':31}{'beside':36}{'ours, ms':>10}{'peer, ms':>12}{'ratio':>9}{'goal':>7}")
    missed = []
    for row in rows:
        shown = "–" if row.goal is None else f"{row.goal:,g}"
        print(
            f"{row.measure:31}{row.peer:36}{row.ours:10.2f}{row.theirs:12.1f}"
            f"{row.ratio:9,.2f}{shown:>7}"
        )
        if row.goal is not None and row.ratio < row.goal:
            missed.append(f"{row.measure}: {row.ratio:,.2f} times {row.peer}, not {row.goal:,g}")
    for name, seconds, most in limits:
        print(f"{name}: {seconds:.2f} s (at most {most:g})")
        if seconds > most:
            missed.append(f"{name}: {seconds:.2f} s, not {most:g}")
    if missed:
        sys.exit("missed: " + "; ".join(missed))
