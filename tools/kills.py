"""Kills at random moments: does the next run end where an undisturbed one ends, byte for byte? Run
by hand.

    PYTHONPATH=src .venv/bin/python tools/kills.py --builds 100 --embeddings 100 --seed 1

Comes in: how many kills. Goes out: a line per kill that did not end well, and the counts. May not:
touch this checkout: builds are of a small book, and stores of embeddings lie, in a temporary
folder.

A build is killed with SIGKILL, either its first process alone or everything it started, at a moment
drawn uniformly from the time that an undisturbed build takes; then `vlmbias book` runs once more,
undisturbed. Two writers embed the same pictures into one store, one picture at a time so that a
vector does not depend on its batch; one of them or both are killed; then both run once more. A
further failure of either is counted, too.
"""

import argparse
import json
import multiprocessing
import os
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import warnings
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[1] / "tests/runner"))
from small_book import build, write


def write_vectors(store: Path, target: Path, ready: Any) -> None:
    """A writer: embeds the same faces, one at a time, in shards of eight, and saves what it got."""
    import numpy as np

    import vlmbias as vb
    from vlmbias.embedding import store as stores

    warnings.filterwarnings("error", message="the stored embeddings|embeddings cannot be kept")
    stores._ROWS_PER_SHARD = 8
    encoder = vb.encoder("greenhouse", device="cpu")
    faces = vb.images("greenhouse/causalface", seed=range(2), race="teal")
    ready.set()
    np.save(target, vb.embed(encoder, faces, store=store, batch_size=1).vectors)


def results(folder: Path) -> dict[str, bytes]:
    """What a build found: result files, the ledger, and the outputs of every cell; not when it ran,
    nor how long."""
    found = {
        path.relative_to(folder).as_posix(): path.read_bytes()
        for path in [*folder.glob("_build/results/*/*.json"), folder / "_build/ledger.json"]
    }
    for path in folder.glob("_build/executed/*/*.ipynb"):
        cells = json.loads(path.read_bytes())["cells"]
        outputs = [[cell["source"], cell.get("outputs")] for cell in cells]
        found[path.relative_to(folder).as_posix()] = json.dumps(outputs).encode()
    for path in folder.glob("_build/site/_build/html/**/*.html"):
        found[path.relative_to(folder).as_posix()] = b"a page"
    return found


def kill(process: subprocess.Popen, everything: bool) -> None:
    """SIGKILL to one process, or to its whole session."""
    if everything:
        os.killpg(process.pid, signal.SIGKILL)
    else:
        process.kill()
    process.communicate()


def builds(number: int, rng: random.Random, scratch: Path) -> list[str]:
    """Kill `number` builds; what did not end as an undisturbed one."""
    folder, began = write(scratch / "book"), time.monotonic()
    done = build(folder)
    assert done.returncode == 0, done.stdout
    whole, expected = time.monotonic() - began, results(folder)
    problems = []
    for turn in range(number):
        if (
            rng.random() < 0.5
        ):  # else the last build's `_build` stays, and one notebook is to be run again
            shutil.rmtree(folder / "_build")
            shutil.rmtree(folder / ".snakemake", ignore_errors=True)
        else:
            (folder / "_build/executed/paper/one.ipynb").unlink()
        moment, everything = rng.uniform(0, whole), rng.random() < 0.5
        process = build(folder, wait=False)
        time.sleep(moment)
        kill(process, everything)
        again = build(folder)
        if again.returncode or results(folder) != expected:
            problems.append(f"build {turn}, killed after {moment:.2f} s: {again.stdout[-300:]}")
            shutil.rmtree(folder / "_build", ignore_errors=True)
            build(folder)
    return problems


def embeddings(number: int, rng: random.Random, scratch: Path) -> list[str]:
    """Kill writers of one store `number` times; what did not end as with one writer that was left
    alone."""
    forked = multiprocessing.get_context(
        "forkserver"
    )  # its server has imported what takes seconds to import
    forked.set_forkserver_preload(["vlmbias.embedding.encoders", "greenhouse.world.faces"])

    def start(store: Path, *targets: str) -> list[Any]:
        events = [forked.Event() for _ in targets]
        writers = [
            forked.Process(target=write_vectors, args=(store, scratch / target, event))
            for target, event in zip(targets, events, strict=True)
        ]
        for writer in writers:
            writer.start()
        assert all(event.wait(120) for event in events)
        return writers

    (alone,), began = start(scratch / "alone", "alone.npy"), time.monotonic()
    alone.join()
    whole, expected = time.monotonic() - began, (scratch / "alone.npy").read_bytes()
    problems, store = [], scratch / "store"
    for turn in range(number):
        if rng.random() < 0.5:
            shutil.rmtree(store, ignore_errors=True)
        pair = start(store, "0.npy", "1.npy")
        moment, both = rng.uniform(0, whole), rng.random() < 0.5
        time.sleep(moment)
        for writer in pair if both else pair[:1]:
            writer.kill()
        for writer in pair:
            writer.join()
        again = start(store, "0.npy", "1.npy")
        for writer in again:
            writer.join()
        fine = not any(writer.exitcode for writer in (*again, *([] if both else pair[1:])))
        if not fine or any((scratch / f"{k}.npy").read_bytes() != expected for k in range(2)):
            problems.append(
                f"embedding {turn}, killed after {moment:.2f} s: "
                f"ended with {[writer.exitcode for writer in (*pair, *again)]}"
            )
        if turn % 10 == 9:  # a long run that is itself cut off has told so much
            print(
                f"{turn + 1} of {number} embeddings killed, {len(problems)} did not end well",
                flush=True,
            )
    return problems


def main() -> None:
    """Both campaigns, and their counts."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--builds", type=int, default=100)
    parser.add_argument("--embeddings", type=int, default=100)
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    failed = 0
    for what, run in ((options.builds, builds), (options.embeddings, embeddings)):
        with tempfile.TemporaryDirectory() as scratch:
            problems = run(what, random.Random(options.seed), Path(scratch))
        print(
            *problems,
            f"{run.__name__}: {what - len(problems)} of {what} kills ended byte for byte as"
            " undisturbed",
            sep="\n",
            flush=True,
        )
        failed += len(problems)
    sys.exit(failed > 0)


if __name__ == "__main__":
    main()
