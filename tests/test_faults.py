"""The faults that `tools/faults.py` plants can be planted: each place stands once in its file.

One that cannot be planted any more is a fault that nobody looks for.
"""

import sys
from collections import Counter
from pathlib import Path

from vlmbias import paths

sys.path.append(str(paths.root() / "tools"))
import faults

PLANTED = faults.load("planted")


def test_a_fault_can_be_planted_and_its_tests_are_there():
    for fault in PLANTED:
        content = (paths.root() / fault["file"]).read_text(encoding="utf-8")
        (place,) = faults.found_in(content, fault)
        assert content[place["start"] : place["end"]] != fault["new"], fault["id"]
        named = [paths.root() / test.partition("::")[0] for test in fault["tests"]]
        assert all(map(Path.exists, named)), fault["id"]


def test_every_fault_has_a_name_of_its_own():
    names = Counter(one["id"] for one in PLANTED + faults.load("mutants"))
    assert not [name for name, n in names.items() if n > 1]


def test_every_operator_changes_what_a_program_does():
    """A program of all the operators' places: each mutant can be read by Python, and differs."""
    program = (
        "def f(a, b=2.5):\n    if a < 1 and not b:\n        g(a, key=True)\n"
        "    return a + b if a in b else a ** 2\n"
    )
    found = faults.Places(program).found
    operators = {place["operator"] for place in found}
    assert operators >= {"compare", "logic", "arithmetic", "condition", "number", "truth"}
    assert operators >= {"return", "call", "argument"}
    for place in found:
        mutant = program[: place["start"]] + place["new"] + program[place["end"] :]
        compile(mutant, "mutant", "exec")
        assert mutant != program
