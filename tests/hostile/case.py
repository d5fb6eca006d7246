"""One hostile try, and how it is judged.

Comes in: what is tried, in a folder of its own, and what the refusal has to name. Goes out:
"handled", or what was wrong. May not: let a try reach beyond its folder or its time.
"""

import os
import re
import resource
import signal
import sys
import time
import traceback
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

LIMIT, MEMORY, LONGEST = 90, 4_000_000, 1_500  # seconds; kB; characters of a message
CLEAR = (ValueError, OSError, SystemExit, FloatingPointError)
CANARY = "executed"
"""What code that comes with a file would write; its name stands in the payloads."""


@dataclass(frozen=True)
class Case:
    """A try.

    Attributes
    ----------
    kind : the class of faults that it is of.
    name : which one.
    do : what is done, in a folder; it asserts itself what has to be right.
    says : what the message of a refusal has to contain, as patterns: value, rule, file …; empty if
    the right outcome is
        a result.
    """

    kind: str
    name: str
    do: Callable[[Path], Any]
    says: tuple[str, ...] = ()


def judged(case: Case, folder: Path) -> str:
    """ "handled", or in a line what was wrong; the try runs in a process of its own."""
    folder.mkdir(parents=True)
    before = set(os.listdir(folder))
    began, (read, write) = time.monotonic(), os.pipe()
    if not (child := os.fork()):
        os.close(read)
        os.setpgid(0, 0)
        signal.signal(signal.SIGALRM, signal.SIG_DFL)
        signal.alarm(LIMIT)
        with (folder / "printed").open("w") as printed:
            os.dup2(printed.fileno(), 1)
            os.dup2(printed.fileno(), 2)
        os.environ |= {
            "VLMBIAS_CACHE": str(folder / "cache"),
            "VLMBIAS_DATA": str(folder / "reader"),
            "HOSTILE_CANARY": str(folder / CANARY),
        }
        os.environ.pop("VLMBIAS_MIRROR", None)
        os.write(write, _tried(case, folder).encode()[:60_000])
        sys.stdout.flush()
        os._exit(0)
    os.close(write)
    with os.fdopen(read, "rb") as pipe:
        said = pipe.read().decode(errors="replace")
    _, status, used = os.wait4(child, 0)
    with _nobody():
        os.killpg(child, signal.SIGKILL)
    if os.WIFSIGNALED(status):
        hung = os.WTERMSIG(status) == signal.SIGALRM
        return f"HUNG: over {LIMIT} s" if hung else f"CRASHED: signal {os.WTERMSIG(status)}"
    if (folder / CANARY).exists():
        return "EXECUTED: code that came with the file was run"
    if used.ru_maxrss > resource.getrusage(resource.RUSAGE_SELF).ru_maxrss + MEMORY:
        return f"MEMORY: {used.ru_maxrss / 1e6:.1f} GB after {time.monotonic() - began:.0f} s"
    half = [path for path in folder.rglob(".*") if re.search(r"\.\d+$", path.name)]
    if half and before is not None:
        return f"HALF-WRITTEN: {half[0].name}"
    return said or "CRASHED: it ended without a word"


class _nobody:
    """There may be no such process any more."""

    def __enter__(self) -> None:
        pass

    def __exit__(self, kind: Any, *_: Any) -> bool:
        return kind is not None and issubclass(kind, ProcessLookupError)


def _tried(case: Case, folder: Path) -> str:
    try:
        found = case.do(folder)
    except BaseException as problem:
        return _refused(case, problem)
    return f"ACCEPTED: {found!r:.200}" if case.says else "handled"


def _refused(case: Case, problem: BaseException) -> str:
    said = str(problem.code if isinstance(problem, SystemExit) else problem)
    if isinstance(problem, SystemExit) and isinstance(problem.code, int):
        sys.stdout.flush()
        said = (Path(os.environ["HOSTILE_CANARY"]).parent / "printed").read_text(errors="replace")
    where = "".join(traceback.format_tb(problem.__traceback__)[-1:]).strip().partition("\n")[0]
    if not case.says:
        return f"REFUSED, and should not be: {type(problem).__name__}: {said[:300]} ({where})"
    if not isinstance(problem, CLEAR) or type(problem) in (KeyError, IndexError):
        return f"UNCLEAR: {type(problem).__name__}: {said[:300]} ({where})"
    if isinstance(problem, UnicodeError):
        return f"UNCLEAR: {type(problem).__name__}: {said[:300]} ({where})"
    if missing := [one for one in case.says if not re.search(one, said, re.DOTALL)]:
        return f"UNCLEAR: does not say {missing[0]!r}: {said[:400]}"
    if len(said) > LONGEST or "Traceback" in said:
        return f"UNCLEAR: {len(said):,} characters: {said[:200]}"
    return "handled"
