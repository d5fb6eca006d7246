"""One notebook, executed by this Python: from its input record (`plan.record`) to its executed
copy, which carries its own provenance, and its results; on failure, to the copy with the error."""

import hashlib
import os
import platform
import re
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import nbformat

from runner import notebooks, plan
from vlmbias import paths, progress
from vlmbias.processes import (
    end_with_parent as end_with_parent,
)  # of jobs of the graph, and of pools
from vlmbias.whole_files import write_json

NOTE = "```{{admonition}} Not run here\n:class: warning\n\n{}\n```"
SMALLER = """  Mostly this means that the memory is full. Try smaller numbers or a smaller model
  (`vlmbias run {0} --parameters` lists what can be chosen; `identities` stands in
  data/settings, `batch_size` is an option of vb.embed), or one job at a time
  (`vlmbias book -- --cores 1`)."""
ANSI = re.compile(r"\x1b\[[\d;]*m")
THREAD_VARIABLES = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS")


class NotebookFailed(Exception):
    """A cell raised or did not end, or its kernel died; the executed copy up to it is kept."""


def _core_seconds() -> float:
    """What this process and those it waited for, such as a kernel, have computed."""
    return sum(os.times()[:4])


@contextmanager
def _around_a_kernel(threads: int, identities: int | None) -> Iterator[None]:
    """The environment that a kernel started in the block has, and a listener that prints what it
    says of its long steps; afterwards this process has its own environment again."""
    before, ended = dict(os.environ), threading.Event()
    with TemporaryDirectory() as folder:
        said = Path(folder) / "progress"
        said.touch()
        listener = threading.Thread(target=_listen, args=(said, ended), daemon=True)
        listener.start()
        set_threads(threads)
        # this very Python, whatever kernels a reader has: a page's versions are of what computed it
        os.environ.pop("JUPYTER_PATH", None)
        os.environ["JUPYTER_PREFER_ENV_PATH"] = "1"
        os.environ["PYTHONHASHSEED"] = "0"
        os.environ["PYTHONWARNINGS"] = "ignore:IProgress not found"  # a page needs no such widget
        os.environ["VLMBIAS_IDENTITIES"] = str(identities or "")
        os.environ[progress.PLACE] = str(said)
        try:
            yield
        finally:
            os.environ.clear()
            os.environ.update(before)
            ended.set()
            listener.join()


def _listen(place: Path, ended: threading.Event) -> None:
    """Print a file as it grows, until its writer has ended."""
    with open(place, encoding="utf-8") as file:
        last = False
        while not last:
            last = ended.wait(0.5)
            print(file.read(), end="", flush=True)


def set_threads(threads: int) -> None:
    """How many threads the numerical libraries may use, in what is imported or started from here
    on."""
    os.environ.update(dict.fromkeys(THREAD_VARIABLES, str(threads)))


def commit() -> str:
    """The commit of the checkout, with `+dirty` if a tracked file differs or is new."""

    def git(*words: str) -> str:
        return subprocess.check_output(
            ["git", *words], cwd=paths.root(), text=True, stderr=subprocess.DEVNULL
        ).strip()

    try:
        head = git("rev-parse", "--short=10", "HEAD")
        return head + "+dirty" * bool(git("status", "--porcelain"))
    except (OSError, subprocess.CalledProcessError):
        return "not a git checkout"


def _check_as_planned(record: dict[str, Any], text: bytes | None = None) -> None:
    """Raise if a file that a run reads, or the `text` of its notebook that was read, is not the
    planned one: its page would count as fresh."""
    planned = record["files"] | record["supplied"]
    now = plan.hashes(record["files"]) | (plan.supplied_now(record) if record["supplied"] else {})
    if text is not None:
        now[f"notebooks/{record['notebook']}.py"] = hashlib.sha256(text).hexdigest()
    if changed := [name for name, digest in planned.items() if now.get(name) != digest]:
        some = ", ".join(changed[:3]) + ", …" * (len(changed) > 3)
        raise NotebookFailed(
            f"{record['notebook']}: changed since its run was planned: {some}; run it again"
        )


def prepared(record: dict[str, Any], text: str) -> nbformat.NotebookNode:
    """The notebook that a record asks for, from its source: with notes where a source is missing,
    not yet executed."""
    notes = {
        key: NOTE.format(state["note"])
        for key, state in record["sources"].items()
        if not state["available"]
    }
    whole = notebooks.for_reader(
        notebooks.parse(text), missing=notes, required=record["requires"], data=record["data"]
    )
    return notebooks.protocol_only(whole) if record.get("protocol_only") else whole


def _begun(cell: nbformat.NotebookNode) -> bool:
    """Whether a kernel was given this cell."""
    return bool(cell.metadata.get("papermill", {}).get("start_time"))


def _why(error: Exception, name: str, working: Path) -> str:
    """What ended a notebook, and what can be done: a cell's own error, a cell that did not end, or
    a kernel that died (`DeadKernelError`)."""
    if hasattr(error, "ename"):
        said = f"{error.ename}: {error.evalue}"  # pyright: ignore[reportAttributeAccessIssue]
        if said.endswith(": "):  # a bare assert: its own line says most
            drawn = ANSI.sub("", "\n".join(getattr(error, "traceback", ())))
            said += "".join(re.findall(r"^-+> \d+ (.*)", drawn, re.MULTILINE)[-1:]).strip()
        return said
    cells = [one for one in nbformat.read(working, as_version=4).cells if one.cell_type == "code"]
    begun = [one for one in cells if _begun(one)]
    if not begun:
        return f"its kernel did not start ({error}); is ipykernel in {sys.executable}?"
    first = begun[-1].source.strip().partition("\n")[0]
    where = f"code cell {len(begun)} of {len(cells)} ({first!r:.70})"
    if isinstance(error, TimeoutError):
        limit = os.environ.get("VLMBIAS_TIMEOUT")
        return f"{where} took longer than {limit} s (VLMBIAS_TIMEOUT); raise it, or ask for less"
    return f"the kernel died in {where}: {error}.\n{SMALLER.format(name)}"


def run(
    record: dict[str, Any],
    *,
    executed: Path,
    results: Path,
    working: Path,
    threads: int = 1,
    excused: bool = False,
) -> dict[str, Any]:
    """Execute a notebook and move its copy and results into place only if every cell ran.

    Parameters
    ----------
    record : dict
        What `plan.record` returns.
    executed, results, working : Path
        Where the executed notebook and its results go; where it is written meanwhile, and stays if
        it fails.
    threads : int, default 1
        Threads of the numerical libraries.
    excused : bool, default False
        Whether a solution may fail: what it asserts is about the book's own values, and a reader
        may give others.

    Returns
    -------
    dict
        The record with commit, start, `seconds` from the first cell to the last, `core_seconds` of
        kernel and runner, threads, machine and versions: what the executed copy carries as its
        metadata.

    Raises
    ------
    NotebookFailed
        If a cell raised, took longer than the seconds in `VLMBIAS_TIMEOUT` (default: no limit), or
        its kernel died; the message names the notebook, the cell and the copy. If a file that it is
        made from changed after the record was written, before or while it ran.
    """
    import papermill
    from nbclient.exceptions import CellTimeoutError
    from papermill.exceptions import PapermillExecutionError

    name, started = record["notebook"], datetime.now(UTC)
    if "error" in record:
        raise NotebookFailed(f"{name} cannot run: {record['error']}")
    text = plan.source(name).read_bytes()
    _check_as_planned(record, text)
    content = prepared(record, text.decode("utf-8"))
    if excused:
        notebooks.excuse(content)
    for folder in (executed.parent, results.parent, working.parent):
        folder.mkdir(parents=True, exist_ok=True)
    results.unlink(missing_ok=True)
    working.write_text(nbformat.writes(content), "utf-8")

    changed = {key: record["parameters"][key] for key in record["changed"]}
    if (relative := os.path.relpath(results, paths.root())) != record["parameters"].get(
        "results", relative
    ):
        changed["results"] = relative
    clock, cores = time.perf_counter(), _core_seconds()
    for last in (False, True):
        try:
            with _around_a_kernel(threads, record["identities"]):
                papermill.execute_notebook(
                    str(working),
                    str(working),
                    parameters=changed,
                    kernel_name="python3",
                    cwd=str(plan.source(name).parent),
                    progress_bar=False,
                    execution_timeout=int(os.environ.get("VLMBIAS_TIMEOUT") or 0) or None,
                    # below: the interrupt by which every kernel is ended is an error to it
                    extra_arguments=["--log-level=CRITICAL"],
                )
            break
        except (PapermillExecutionError, CellTimeoutError, RuntimeError) as error:
            # two kernels that start at once may take the same port, and one of them ends
            if not last and not any(map(_begun, nbformat.read(working, as_version=4).cells)):
                continue
            copy = f"its copy up to there: {working}"
            raise NotebookFailed(f"{name} failed: {_why(error, name, working)}\n  {copy}") from None
    seconds, cores = time.perf_counter() - clock, _core_seconds() - cores
    _check_as_planned(record)
    if not results.is_file():
        write_json(results, [])

    content = nbformat.read(working, as_version=4)
    about = record | {
        "commit": commit(),
        "started": started.isoformat(timespec="seconds"),
        "seconds": round(seconds, 1),
        "core_seconds": round(cores, 1),
        "results_sha256": hashlib.sha256(results.read_bytes()).hexdigest(),
        "threads": threads,
        "machine": f"{platform.system()} {platform.machine()}, {os.cpu_count()} cores",
        "versions": record["kernel"],
    }
    content.metadata["vlmbias"] = about
    working.write_text(nbformat.writes(content), "utf-8")
    os.replace(working, executed)
    return about
