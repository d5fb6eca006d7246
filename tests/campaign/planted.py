"""Faults planted one by one: does a test of the module notice? Run by hand.

    PYTHONPATH=src .venv/bin/python tests/campaign/planted.py                    # all of them
    PYTHONPATH=src .venv/bin/python tests/campaign/planted.py --only battery     # those called so
    PYTHONPATH=src .venv/bin/python tests/campaign/planted.py --sample 30 --seed 1   # some of them
    … --sample 30 --first test_sweep test_truth    # those of these tests, and others up to thirty

Comes in: `planted.toml`, in which a fault is a place in a file, what stands there instead, the
tests that belong to the module, and what a reader would see; `--only` takes parts of ids, files or
tests. Goes out: a line per fault that no test noticed, and the counts. May not: touch this
checkout: faults are planted in a copy of the tracked files, in a temporary folder.

The tests are those of `make test`, so without what is marked `long`.

A fault counts as found if the tests fail or are out of time; that they pass without it is checked
first, once for each set of tests. Blanks and line breaks between the words of a place do not
matter.
"""

import argparse
import contextlib
import importlib
import os
import random
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
LIMIT = 600  # seconds that the tests of one fault may take
COMMON = (
    "hypothesis",
    "numpy",
    "pandas",
    "PIL.Image",
    "pydantic",
    "scipy.stats",
    "statsmodels.api",
    "torch",
)
"""Imported once, before the process divides: most tests spend most of their time on these."""


def places(content: str, old: str) -> list[re.Match]:
    """Where the words of `old` stand one after another, with any blanks between them."""
    words = re.findall(r"\w+|[^\w\s]", old)
    return list(re.finditer(r"\s*".join(map(re.escape, words)), content))


def copied(folder: Path) -> Path:
    """The tracked files as they are now, and the environment."""
    names = subprocess.run(
        ["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, check=True
    ).stdout
    for name in filter(None, names.decode().split("\0")):
        if (ROOT / name).is_file():
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(ROOT / name, folder / name)
    (folder / ".venv").symlink_to((ROOT / ".venv").resolve())
    return folder


def tested(folder: Path, tests: list[str]) -> str:
    """How the tests end, in a process of their own: "passed", "timed out", or the first test that
    failed."""
    printed = folder.with_suffix(".txt")
    if not (child := os.fork()):
        with printed.open("w") as file:
            os.dup2(file.fileno(), 1)
            os.dup2(file.fileno(), 2)
        os.setpgid(0, 0)
        signal.alarm(LIMIT)
        os.chdir(folder)
        sys.path.insert(0, str(folder / "src"))
        os.environ["PYTHONPATH"] = str(folder / "src")
        plain = ["-q", "-x", "-p", "no:cacheprovider", "-p", "no:xdist", "-m", "not long"]
        os._exit(int(pytest.main([*plain, *tests])))
    ended = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    with contextlib.suppress(ProcessLookupError):
        os.killpg(child, signal.SIGKILL)  # what the tests left running
    if ended == -signal.SIGALRM:
        return "timed out"
    failed = re.search(
        r"^(?:FAILED|ERROR) (\S+)", printed.read_text(errors="replace"), re.MULTILINE
    )
    return "passed" if not ended else failed[1] if failed else f"status {ended}"


def called(fault: dict, parts: list[str]) -> bool:
    """Whether one of these parts stands in a fault's id, its file or its tests."""
    return any(part in f"{fault['id']} {fault['file']} {fault['tests']}" for part in parts)


def main() -> None:
    """Plant each fault, run its tests, and print what lived."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--only", nargs="+", default=[""], help="parts of ids, files or tests")
    parser.add_argument("--sample", type=int, help="so many of these, drawn at random")
    parser.add_argument("--seed", type=int, default=0, help="of the draw")
    parser.add_argument(
        "--first", nargs="+", default=[], help="parts of those that are taken before the draw"
    )
    options = parser.parse_args()
    with Path(__file__).with_suffix(".toml").open("rb") as file:
        faults = tomllib.load(file)["fault"]
    chosen = [one for one in faults if called(one, options.only)]
    if options.sample:
        first = [one["id"] for one in chosen if called(one, options.first)]
        others = [one["id"] for one in chosen if one["id"] not in first]
        more = random.Random(options.seed).sample(others, max(0, options.sample - len(first)))
        chosen = [one for one in chosen if one["id"] in first + more]
    outcome, sound = {}, {}
    os.environ |= {"OMP_NUM_THREADS": "1", "PYTHONDONTWRITEBYTECODE": "1"}
    os.environ.pop("VLMBIAS_MIRROR", None)
    for name in COMMON:
        importlib.import_module(name)
    with tempfile.TemporaryDirectory(prefix="planted-") as temporary:
        folder = copied(Path(temporary) / "tree")
        for fault in chosen:
            path, start = folder / fault["file"], time.monotonic()
            tests, content = tuple(fault["tests"]), path.read_text(encoding="utf-8")
            found = places(content, fault["old"])
            if len(found) != 1:
                outcome[fault["id"]] = (
                    f"not planted: {fault['old']!r} stands {len(found)} times in {fault['file']}"
                )
            else:
                if tests not in sound:
                    sound[tests] = tested(folder, [*tests])
                at, to = found[0].span()
                path.write_text(content[:at] + fault["new"] + content[to:], encoding="utf-8")
                outcome[fault["id"]] = (
                    tested(folder, [*tests]) if sound[tests] == "passed" else "unsound"
                )
                path.write_text(content, encoding="utf-8")
            print(
                f"{fault['id']:6} {time.monotonic() - start:5.0f} s  {outcome[fault['id']]}",
                flush=True,
            )
    lived = [one for one in chosen if outcome[one["id"]] == "passed"]
    for one in lived:
        print(f"LIVES {one['id']}: {one['file']}: {one['seen']}")
    lost = sum(how == "unsound" or how.startswith("not planted") for how in outcome.values())
    print(
        f"{len(chosen) - len(lived) - lost} of {len(chosen)} found, {len(lived)} live, "
        f"{lost} could not be judged"
    )
    sys.exit(bool(lived or lost))


if __name__ == "__main__":
    main()
