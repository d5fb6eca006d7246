"""`vlmbias greenhouse …` and `vlmbias fleet`: the one place where the runner uses the Greenhouse.

Comes in: the command line. Goes out: an exit status. May not: import the Greenhouse before a
command is asked for.
"""

import argparse
import os

from runner.commands import graph
from runner.commands.shared_options import PROFILE, SNAKEMAKE
from vlmbias import paths


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


def register(add) -> None:
    """Add the commands; `add` is described in `runner.commands`."""
    from greenhouse import commands

    command = add("fleet", fleet)
    command.add_argument("--profile", **PROFILE)
    command.add_argument("snakemake", **SNAKEMAKE)
    commands.register(add)
