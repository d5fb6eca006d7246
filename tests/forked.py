"""`vlmbias …` in a copy of this process, for which all is imported already; it may become another
program."""

import os
import sys
from multiprocessing import get_context
from tempfile import NamedTemporaryFile

from runner import commands


def vlmbias(*words: str) -> tuple[int, str]:
    """How a command ended, and what it said."""
    with NamedTemporaryFile("r", encoding="utf-8") as said:
        process = get_context("fork").Process(target=_run, args=(said.name, words))
        process.start()
        process.join()
        assert process.exitcode is not None
        return process.exitcode, said.read()


def _run(place: str, words: tuple[str, ...]) -> None:
    said = os.open(place, os.O_WRONLY)
    for stream in (1, 2):  # what it starts says it there, too
        os.dup2(said, stream)
    sys.stdout = sys.stderr = os.fdopen(said, "w", buffering=1, encoding="utf-8")
    commands.main([*words])
