"""The book's own run of a notebook again, with other seeds: how much of a result is the draw.

Comes in: a notebook, and what the book's copy says of itself. Goes out: the executed notebooks,
kept below `_build/runs/<notebook>` under a name made from all that they are made of, so that they
are run once. May not: run more than two at a time.
"""

import fcntl
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, ProcessPoolExecutor, as_completed
from itertools import chain, islice
from multiprocessing import get_context
from pathlib import Path
from typing import Any

from runner import execute, plan
from runner.notebooks import Parameter
from vlmbias import kept, paths

SIDE_BY_SIDE = 2


def folder(record: dict[str, Any]) -> Path:
    """Where a run is kept: a folder named by everything that it is made from."""
    return paths.build() / "runs" / record["notebook"] / kept.key(record)[:10]


def copy(record: dict[str, Any]) -> Path:
    """The executed notebook of a run; it is there only if every cell ran."""
    return folder(record) / "notebook.ipynb"


def run(record: dict[str, Any]) -> None:
    """Execute one notebook into its folder; who comes while it is executed elsewhere waits, and
    finds it there."""
    place = folder(record)
    place.mkdir(parents=True, exist_ok=True)
    with (place / ".lock").open("w") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            print("the same run is under way: waiting for it to end …", flush=True)
            fcntl.flock(lock, fcntl.LOCK_EX)
        if not copy(record).is_file():
            _run(record, place)


def _run(record: dict[str, Any], place: Path) -> None:
    execute.run(
        record,
        executed=copy(record),
        results=place / "results.json",
        working=place / "failed.ipynb",
    )


def other_seeds(seed: Parameter, *, book: int, here: int, n: int) -> list[int]:
    """The n seeds after the book's that the parameter allows, without the rerun's own."""
    candidates = chain(range(book + 1, book + n + 2), range(book))
    return list(islice((one for one in candidates if one != here and not seed.problem(one)), n))


def records(
    about: dict[str, Any], seeds: Sequence[int], files: dict[str, str]
) -> list[dict[str, Any]]:
    """What the book's run is made from, once per seed."""
    chosen = plan.settings(about["settings"])
    return [
        plan.record(about["notebook"], chosen, given={"seed": seed}, files=files) for seed in seeds
    ]


def _seed(record: dict[str, Any]) -> str:
    return f"seed {record['parameters']['seed']}"


def run_missing(
    wanted: Sequence[dict[str, Any]], called: Callable[[dict[str, Any]], str] = _seed
) -> Iterator[str]:
    """Execute those that are not kept yet, two side by side; tell of each, `called` what, when it
    ends.

    One that fails does not end the others. After an interruption, those that ended are kept.
    """
    missing = [record for record in wanted if not copy(record).is_file()]
    if not missing:
        return
    with ProcessPoolExecutor(SIDE_BY_SIDE, get_context("spawn"), execute.end_with_parent) as pool:
        jobs: dict[Future[None], str] = {pool.submit(run, one): called(one) for one in missing}
        for done in as_completed(jobs):
            problem = done.exception()
            yield f"  {jobs[done]}: {'done' if problem is None else problem}"
