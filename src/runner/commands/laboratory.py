"""`vlmbias greenhouse …` and `vlmbias fleet`: the one place where the runner uses the Greenhouse.

Comes in: the command line. Goes out: an exit status. May not: import the Greenhouse before a
command is asked for.

Networks of all studies are jobs of the Snakefile: a command writes what they are made from, asks
Snakemake for what is missing, and writes the tables.
"""

import argparse
import json
import os
import time
from collections.abc import Callable

from runner.commands import graph
from runner.commands.shared_options import PROFILE, SNAKEMAKE
from vlmbias import paths
from vlmbias.options import positive, whole

NOT_YET = "not all networks are there yet; the same command goes on"


def fleet(options: argparse.Namespace) -> None:
    """Say how long the fleet will take, write what each network is made from, then become
    Snakemake."""
    from greenhouse.fleet import plan, training

    os.chdir(paths.root())
    graph.check_targets(options.snakemake)
    networks = plan.read()
    print(training.forecast(networks, jobs=os.cpu_count() or 1), flush=True)
    graph.only_one()
    training.prepare(networks)
    graph.become_snakemake(options, "fleet", *options.snakemake)


def dose_response(options: argparse.Namespace) -> int:
    """Train what is missing of the study, with the next seed for each network that fails a gate;
    write its tables."""
    from greenhouse.study import dose_response as study
    from greenhouse.study import plan

    try:
        chosen = plan.read()
    except ValueError as problem:
        raise SystemExit(f"vlmbias greenhouse dose-response: {problem}") from None
    if not options.collect and not _all_there(options, lambda: study.prepare(chosen)):
        print(NOT_YET)
        return 1
    study.collect(chosen)
    about = json.loads((study.RETRAINED / "study.json").read_text(encoding="utf-8"))
    print(
        f"{about['networks']} networks, {about['rejected']} rejected, "
        f"{about['core_seconds'] / 60:.0f} core-minutes: {study.RETRAINED}"
    )
    return 0


def speakers(options: argparse.Namespace) -> int:
    """Train networks that answer or describe, and write the tables of all that are there."""
    from greenhouse.speaker_tables import SPEAKING
    from greenhouse.study import speaking

    seeds = range(options.first, options.first + options.networks)
    whole = _all_there(options, lambda: speaking.prepare(seeds))
    networks = speaking.collect()
    print(f"{len(networks)} networks, {(~networks['accepted']).sum()} rejected: {SPEAKING}")
    if not whole:
        print(NOT_YET)
    return 0 if whole else 1


def paint(options: argparse.Namespace) -> int:
    """Let the study's networks guide the decoder, and write what they painted."""
    from greenhouse import painted
    from greenhouse.study import paintings

    try:
        chosen = paintings.read()
        paintings.guides(chosen)
    except ValueError as problem:
        raise SystemExit(f"vlmbias greenhouse paint: {problem}") from None
    os.chdir(paths.root())
    graph.only_one()
    if not graph.ask_snakemake(options.profile, *paintings.prepare(chosen), jobs=options.jobs):
        print("not all networks have painted yet; the same command goes on")
        return 1
    paintings.collect(chosen)
    print(painted.PAINTINGS)
    return 0


def _all_there(options: argparse.Namespace, prepare: Callable[[], list[str]]) -> bool:
    """Ask Snakemake for what is missing until nothing is, a job fails, or the time is up; whether
    nothing is missing.

    `prepare` gives the files that are missing now: a network that failed a gate brings another one
    about.
    """
    os.chdir(paths.root())
    graph.only_one()
    until = None if options.minutes is None else time.monotonic() + 60 * options.minutes
    while targets := prepare():
        left = None if until is None else until - time.monotonic()
        if left is not None and left <= 0:
            return False
        print(f"▸ networks to train: {len(targets)} …", flush=True)
        whole = graph.ask_snakemake(options.profile, *targets, jobs=options.jobs, seconds=left)
        if not whole:
            return not prepare()
    return True


def register(add) -> None:
    """Add the commands; `add` is described in `runner.commands`."""
    from greenhouse import commands

    command = add("fleet", fleet)
    command.add_argument("--profile", **PROFILE)
    command.add_argument("snakemake", **SNAKEMAKE)
    commands.register(add)
    study = add(
        "greenhouse dose-response",
        dose_response,
        "train the networks of the study (over an hour on two cores)",
    )
    study.add_argument(
        "--collect", action="store_true", help="only write the tables from finished models"
    )
    several = add(
        "greenhouse speakers",
        speakers,
        "train speakers at b = 0 and 1 and write what they say as tables",
    )
    several.add_argument("--first", type=commands.seed, default=0, help="seed of the first network")
    several.add_argument(
        "--networks",
        type=whole(1, 1000),
        default=10,
        help="seeds, each at b = 0 and 1, for both kinds",
    )
    painting = add(
        "greenhouse paint",
        paint,
        "let the study's networks guide the decoder; an interrupted run resumes",
    )
    for command in (study, several, painting):
        command.add_argument(
            "--jobs",
            type=whole(1, 1024),
            help="networks at once, one core each; default: as many as the profile allows",
        )
        command.add_argument("--profile", **PROFILE)
    for command in (study, several):
        command.add_argument("--minutes", type=positive, help="start no network later than this")
