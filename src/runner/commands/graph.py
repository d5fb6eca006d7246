"""Snakemake's graph, as commands start it: one build at a time, with targets that there are; and
the options that several commands have."""

import fcntl
import os
import re
import signal
import subprocess
import sys
from pathlib import Path
from typing import Annotated

import typer

from vlmbias import paths


def only_one() -> None:
    """Hold the build lock until this process, whatever it becomes, ends; wait for another build."""
    paths.build().mkdir(exist_ok=True)
    lock = os.open(paths.build() / ".lock", os.O_RDWR | os.O_CREAT)
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        number = os.pread(lock, 20, 0).decode("ascii", "replace").strip()
        print(
            "another `make book` is running here"
            + f" (process {number})" * bool(number)
            + ": waiting for it to end …",
            flush=True,
        )
        fcntl.flock(lock, fcntl.LOCK_EX)
    os.ftruncate(lock, 0)
    os.pwrite(lock, f"{os.getpid()}\n".encode(), 0)  # whom the next one waits for
    # Snakemake, which this process becomes, keeps it; its jobs do not
    os.set_inheritable(lock, True)


def snakemake(profile: str, *words: str) -> list[str]:
    """The command that runs the graph; our own lock is held, so what a killed Snakemake locked is
    nobody's."""
    return [
        sys.executable,
        "-m",
        "snakemake",
        "--nolock",
        "--workflow-profile",
        f"profiles/{profile}",
        *words,
    ]


def profile(name: str) -> str:
    """The name of a folder of `profiles/`."""
    known = sorted(place.parent.name for place in (paths.root() / "profiles").glob("*/config.yaml"))
    if name not in known:
        raise ValueError(f"--profile: there is no profile {name!r}; there are {', '.join(known)}")
    return name


Settings = Annotated[
    str,
    typer.Option(
        envvar="VLMBIAS_SETTINGS",
        help="greenhouse, smoke, open or paper: which stimuli, models and sizes (data/settings)",
    ),
]
Profile = Annotated[str, typer.Option(callback=profile, help="a folder of profiles/")]
Snakemake = Annotated[
    list[str] | None, typer.Argument(help="after --, targets and options for Snakemake")
]


def check_targets(words: list[str]) -> None:
    """Raise for a word that Snakemake would take for a target, and that is none; it would end
    without a reason."""
    rules = re.findall(
        r"^(?:rule|checkpoint) (\w+):",
        (paths.root() / "Snakefile").read_text("utf-8"),
        re.MULTILINE,
    )
    for before, word in zip(["", *words], words, strict=False):
        known = word in rules or word.startswith("_build/") or Path(word).exists()
        if not word.startswith("-") and not before.startswith("-") and not known:
            raise ValueError(
                f"there is no target {word!r}; a target is a file below _build/, or one of "
                f"{', '.join(rules)}"
            )


def stale_vectors() -> list[str]:
    """The models whose vectors are missing, or older than what they are made from."""
    build, found = paths.build(), []
    for record in sorted((build / "inputs" / "vectors").glob("*.json")):
        made = build / "vectors" / record.name
        if not made.is_file() or made.stat().st_mtime_ns < record.stat().st_mtime_ns:
            found.append(record.stem)
    return found


def embed_first(profile: str, *words: str) -> None:
    """Make the vectors that targets need, where any are stale, in a graph of their own.

    A notebook is not run again because a model has looked at more, so that its vectors are
    `ancient`. If a job of the same graph makes such an input, Snakemake leaves out the jobs that
    depend on it, whatever else of theirs has changed, and ends as if all were done.
    """
    dry = {"-n", "--dry-run", "--dryrun"} & set(words)
    if stale_vectors() and not dry:
        sys.stdout.flush()
        subprocess.run(snakemake(profile, *words, "--until", "vectors"), close_fds=False)


def become_snakemake(profile: str, *words: str) -> None:
    """Make what is missing of all, or of the targets among the words, in place of this process."""
    embed_first(profile, *words)
    sys.stdout.flush()
    os.execv(sys.executable, snakemake(profile, *words))


def ask_snakemake(
    profile: str, *words: str, jobs: int | None = None, seconds: float | None = None
) -> bool:
    """Let Snakemake make targets, and come back: whether it made all of them.

    Parameters
    ----------
    jobs : cores that are used at once; default as the profile says.
    seconds : no job is started later than this; those that run are waited for. Default: none is
        held back.
    """
    cores = ["--cores", str(jobs)] if jobs else []
    sys.stdout.flush()
    # Snakemake keeps the build lock, too: it may outlive this process, and its jobs with it
    running = subprocess.Popen(snakemake(profile, *words, *cores), close_fds=False)
    # Ctrl-C reaches Snakemake by itself, which ends its jobs; this process waits for that
    before = signal.signal(signal.SIGINT, lambda *_: None)
    try:
        ended = running.wait(seconds)
    except subprocess.TimeoutExpired:
        running.terminate()  # to Snakemake: start nothing more, wait for what runs
        ended = running.wait()
    finally:
        signal.signal(signal.SIGINT, before)
    return ended == 0
