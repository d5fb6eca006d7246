"""Runs of a notebook in folders of their own, each named by all that it is made from, so that it is
made once.
"""

import fcntl
from collections.abc import Callable, Collection, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from dataclasses import dataclass
from itertools import chain, islice
from multiprocessing import get_context
from pathlib import Path
from typing import Any

import nbformat
from nbformat import NotebookNode

from runner import execute, plan
from runner.parameters import Parameter
from vlmbias import kept, paths

SIDE_BY_SIDE = 2


@dataclass(frozen=True)
class Run:
    """A run that has ended: its executed notebook, and the file of what it recorded for claims."""

    notebook: NotebookNode
    results: Path

    @property
    def about(self) -> dict[str, Any]:
        """What it was made from."""
        return self.notebook.metadata["vlmbias"]


def folder(record: dict[str, Any]) -> Path:
    """Where a run is kept: a folder named by everything that it is made from."""
    return paths.build() / "runs" / record["notebook"] / kept.key(record)[:10]


def copy(record: dict[str, Any]) -> Path:
    """The executed notebook of a run; it is there only if every cell ran."""
    return folder(record) / "notebook.ipynb"


def ended(record: dict[str, Any]) -> Run:
    """A run that is kept."""
    return Run(nbformat.read(copy(record), as_version=4), folder(record) / "results.json")


def of_the_book(name: str) -> Run | None:
    """The book's own run of a notebook, if it is there."""
    if not (executed := paths.build() / f"executed/{name}.ipynb").is_file():
        return None
    results = paths.build() / f"results/{name}.json"
    return Run(nbformat.read(executed, as_version=4), results)


def one(record: dict[str, Any]) -> None:
    """Execute a notebook into its folder; who comes while it is executed elsewhere waits, and finds
    it there.
    """
    place = folder(record)
    place.mkdir(parents=True, exist_ok=True)
    with (place / ".lock").open("w") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            print("the same run is under way: waiting for it to end …", flush=True)
            fcntl.flock(lock, fcntl.LOCK_EX)
        if not copy(record).is_file():
            execute.run(
                record,
                executed=copy(record),
                results=place / "results.json",
                working=place / "failed.ipynb",
                excused=True,
            )


def make(
    wanted: Sequence[dict[str, Any]], called: Callable[[dict[str, Any]], str]
) -> dict[str, BaseException]:
    """Execute those that are not kept yet, two side by side; what went wrong, by what they are
    called.

    One that fails does not end the others. After an interruption, those that ended are kept.
    """
    missing = {folder(record): record for record in wanted if not copy(record).is_file()}
    failed: dict[str, BaseException] = {}
    if not missing:
        return failed
    with ProcessPoolExecutor(SIDE_BY_SIDE, get_context("spawn"), execute.end_with_parent) as pool:
        jobs = {pool.submit(one, record): called(record) for record in missing.values()}
        try:
            for done in as_completed(jobs):
                if problem := done.exception():
                    failed[jobs[done]] = problem
                print(f"  {jobs[done]}: {'failed' if problem else 'done'}", flush=True)
        except KeyboardInterrupt:
            pool.shutdown(wait=False, cancel_futures=True)
            raise
    return failed


def with_other_seeds(
    book: Run, taken: Collection[int], n: int, files: dict[str, str]
) -> list[dict[str, Any]]:
    """What the book's run is made from, with each of n other seeds: those after the book's that the
    parameter allows, without the taken ones.
    """
    name, chosen = book.about["notebook"], plan.settings(book.about["settings"])
    known, _ = plan.parameters(name, chosen)
    seeds = other_seeds(n, seed=known["seed"], book=book.about["parameters"]["seed"], taken=taken)
    return [plan.record(name, chosen, given={"seed": seed}, files=files) for seed in seeds]


def other_seeds(n: int, *, seed: Parameter, book: int, taken: Collection[int]) -> list[int]:
    """The n seeds after the book's, then those before it, that may be drawn."""
    candidates = chain(range(book + 1, book + 1 + n + len(taken)), range(book))
    return list(islice((s for s in candidates if s not in taken and not seed.problem(s)), n))
