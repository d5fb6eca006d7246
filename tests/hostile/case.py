"""One hostile try in a process of its own, and how it is judged.

Handled is: refused with one message that names value and rule, or done right; in time and memory,
with nothing half-written, and nothing run that the file holds."""

import contextlib
import os
import re
import resource
import signal
import sys
import traceback
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

LIMIT, MEMORY, LONGEST = 60, 2_000_000, 1_500  # seconds; kB; characters of a message
CLEAR = (ValueError, OSError, FloatingPointError)
CANARY = "executed"
"""What code that comes with a file would write; its name stands in the payloads."""


@dataclass(frozen=True)
class Case:
    """A try: what is done in a folder (it asserts itself what has to be right), and what the
    message of a refusal has to contain, as patterns; none if the right outcome is a result."""

    name: str
    do: Callable[[Path], Any]
    says: tuple[str, ...] = ()


def judged(case: Case, folder: Path) -> str:
    """ "handled", or in a line what was wrong."""
    read, write = os.pipe()
    if not (child := os.fork()):
        os.setpgid(0, 0)
        signal.signal(signal.SIGALRM, signal.SIG_DFL)
        signal.alarm(LIMIT)
        sys.stdout = sys.stderr = (folder / "printed").open("w")
        os.environ |= {
            "VLMBIAS_CACHE": str(folder / "cache"),
            "HOSTILE_CANARY": str(folder / CANARY),
        }
        os.environ.pop("VLMBIAS_MIRROR", None)
        os.write(write, _tried(case, folder).encode()[:60_000])
        os._exit(0)
    os.close(write)
    with os.fdopen(read, "rb") as pipe:
        said = pipe.read().decode(errors="replace")
    _, status, used = os.wait4(child, 0)
    with contextlib.suppress(ProcessLookupError):
        os.killpg(child, signal.SIGKILL)  # what it left running
    if os.WIFSIGNALED(status):
        hung = os.WTERMSIG(status) == signal.SIGALRM
        return f"HUNG: over {LIMIT} s" if hung else f"CRASHED: signal {os.WTERMSIG(status)}"
    if (folder / CANARY).exists():
        return "EXECUTED: code that came with the file was run"
    if used.ru_maxrss > resource.getrusage(resource.RUSAGE_SELF).ru_maxrss + MEMORY:
        return f"MEMORY: {used.ru_maxrss / 1e6:.1f} GB"
    if half := [path for path in folder.rglob(".*") if re.search(r"\.\d+$", path.name)]:
        return f"HALF-WRITTEN: {half[0].name}"
    return said or "CRASHED: it ended without a word"


def _tried(case: Case, folder: Path) -> str:
    try:
        found = case.do(folder)
    except BaseException as problem:
        return _refused(case, problem)
    return f"ACCEPTED: {found!r:.200}" if case.says else "handled"


def _refused(case: Case, problem: BaseException) -> str:
    said = str(problem)
    where = "".join(traceback.format_tb(problem.__traceback__)[-1:]).strip().partition("\n")[0]
    told = f"{type(problem).__name__}: {said[:300]} ({where})"
    if not case.says:
        return f"REFUSED, and should not be: {told}"
    if not isinstance(problem, CLEAR) or isinstance(problem, UnicodeError):
        return f"UNCLEAR: {told}"
    if missing := [one for one in case.says if not re.search(one, said, re.DOTALL)]:
        return f"UNCLEAR: does not say {missing[0]!r}: {told}"
    if len(said) > LONGEST or "Traceback" in said:
        return f"UNCLEAR: {len(said):,} characters: {said[:200]}"
    return "handled"
