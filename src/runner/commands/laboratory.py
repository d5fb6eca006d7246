"""`vlmbias greenhouse …` and `vlmbias fleet`: the one place where the runner uses the Greenhouse.

A command that trains many writes what their jobs are made from, asks Snakemake for what is missing,
and writes the tables.
"""

import argparse
import os
import time
from collections.abc import Callable

from runner.commands import graph
from runner.commands.shared_options import PROFILE, SNAKEMAKE
from vlmbias import paths
from vlmbias.options import positive, whole


def fleet(options: argparse.Namespace) -> int:
    """Train what is missing of the fleet, with the next seed for each network that fails a gate;
    write its tables."""
    from greenhouse import fleet

    os.chdir(paths.root())
    graph.check_targets(options.snakemake)
    plan = fleet.Plan()
    if not _all_there(options, plan.missing):
        return 1
    models = fleet.collect(plan)
    rejected, seconds = (~models["accepted"]).sum(), models["core_seconds"].sum()
    print(
        f"{len(models)} networks, {rejected} that failed a gate to the last, "
        f"{seconds / 60:.0f} core-minutes"
    )
    return 0


def dose_response(options: argparse.Namespace) -> int:
    """The same for the dose–response study."""
    from greenhouse import study

    plan = study.plan()
    if not options.collect and not _all_there(options, plan.missing):
        return 1
    print(study.collect(plan))
    return 0


def speakers(options: argparse.Namespace) -> int:
    """Train networks that answer or describe, and write the tables of all that are there."""
    from greenhouse import speaking

    seeds = range(options.first, options.first + options.networks)
    there = _all_there(options, lambda: speaking.jobs(seeds))
    networks = speaking.collect()
    rejected = (~networks["accepted"]).sum()
    print(f"{len(networks)} networks, {rejected} rejected: {speaking.SPEAKING}")
    return 0 if there else 1


def paint(options: argparse.Namespace) -> int:
    """Let the study's networks guide the decoder, and write what they painted."""
    from greenhouse import painted, paintings

    plan = paintings.plan()
    jobs = paintings.jobs(plan)
    if not _all_there(options, lambda: jobs):
        return 1
    paintings.collect(plan)
    print(painted.PAINTINGS)
    return 0


def _all_there(options: argparse.Namespace, wanted: Callable[[], list]) -> bool:
    """Ask Snakemake for what is missing until nothing is, a job fails, or the time is up; whether
    nothing is missing.

    `wanted` gives the jobs that are wanted now: a network that failed a gate brings another one
    about.
    """
    from greenhouse import campaign

    os.chdir(paths.root())
    graph.only_one()
    cores = options.jobs or os.cpu_count() or 1
    until = None if options.minutes is None else time.monotonic() + 60 * options.minutes
    asked: list[str] = []
    while targets := campaign.prepare(jobs := wanted()):
        left = None if until is None else until - time.monotonic()
        # the same again: a dry run, or a job that could not be done
        if targets == asked or (left is not None and left <= 0):
            break
        asked = targets
        missing = [job for job in jobs if job.done() is None]
        print(f"▸ {campaign.forecast(missing, cores)} …", flush=True)
        words = getattr(options, "snakemake", [])
        if not graph.ask_snakemake(
            options.profile, *targets, *words, jobs=options.jobs, seconds=left
        ):
            targets = campaign.prepare(wanted())
            break
    if targets:
        print("not all jobs are done yet; the same command goes on")
    return not targets


def register(add) -> None:
    """Add the commands; `add` is described in `runner.commands`."""
    from greenhouse import commands

    command = add("fleet", fleet)
    command.add_argument("--profile", **PROFILE)
    command.add_argument("snakemake", **SNAKEMAKE)
    command.set_defaults(jobs=None, minutes=None)
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
    painting.set_defaults(minutes=None)
    for command in (study, several, painting):
        command.add_argument(
            "--jobs",
            type=whole(1, 1024),
            help="networks at once, one core each; default: as many as the profile allows",
        )
        command.add_argument("--profile", **PROFILE)
    for command in (study, several):
        command.add_argument("--minutes", type=positive, help="start no network later than this")
