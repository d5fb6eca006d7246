"""How long `make book` takes where nothing changed, beside asking Snakemake whether anything did.

Run with `python benchmarks/nothing_to_do.py` after `make book`. Times are the CPU times of the
processes, so that other work on the machine disturbs them little.
"""

from __future__ import annotations

import resource
import statistics
import subprocess
import sys

from _goals import Row, finish

from runner import plan
from runner.commands import graph
from vlmbias import paths

BOOK = [sys.executable, "-m", "vlmbias", "book"]


def milliseconds(command: list[str], repeats: int = 5) -> float:
    """Median CPU time of a process and its children, which has to print that nothing is done."""
    times = []
    for _ in range(repeats):
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        done = subprocess.run(command, cwd=paths.root(), check=True, text=True, capture_output=True)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        if "▸" in done.stdout:
            sys.exit("something had changed; run this again")
        times.append(after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)
    return 1000 * statistics.median(times)


def main() -> None:
    if not plan.up_to_date():
        print("the book is not built here as its sources ask for it; first run `make book`")
        return
    milliseconds(BOOK, 1)  # warm up
    asked = milliseconds([*graph.snakemake("default"), "--dry-run"])
    finish([Row("make book, nothing to do", "Snakemake, dry run", milliseconds(BOOK), asked, 2)])


if __name__ == "__main__":
    main()
