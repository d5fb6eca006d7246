"""`vlmbias models`: the chapters of a paper with other models, into `_build/models`."""

import argparse
import os

from runner.commands import graph
from runner.commands.by_argparse import PROFILE, SETTINGS
from vlmbias import paths


def models(options: argparse.Namespace) -> None:
    """Run the chapters of a paper for other models, beside the book's own results; what is up to
    date stays."""
    from runner import embedded, plan
    from vlmbias import whole_files

    os.chdir(paths.root())
    chosen, known = plan.settings(options.settings), plan.chapters(options.paper)
    from vlmbias.embedding import encoder  # after the names that cost nothing to check

    for model in options.model:
        encoder(model)  # a name that is none is one error, not one per chapter
    files = plan.hashes(plan.INPUTS)
    graph.only_one()
    jobs = [
        job
        for model in options.model
        for job in plan.prepare_model(model, options.paper, chosen, files)
    ]
    inputs = paths.build() / "inputs"
    whole_files.write_json(inputs / "models.json", jobs)
    embedded.prepare([inputs / f"models/{job}.json" for job in jobs], files)
    page = (
        "`make book` then shows them at the end of the page real/same_data"
        if options.paper == "causalface"  # the default of that page
        else f"`vlmbias run real/same_data -p paper {options.paper}` then shows them"
    )
    chapters = f"{len(known)} chapter{'s' * (len(known) > 1)} of {options.paper}"
    print(f"{chapters} for {', '.join(options.model)}, into _build/models; {page}")
    graph.become_snakemake(options.profile, *(f"_build/models/{job}.json" for job in jobs))


def register(add) -> None:
    """Add the command; `add` is described in `runner.commands`."""
    command = add("models", models)
    command.add_argument(
        "model", nargs="+", help="open_clip's architecture/weights, or a checkpoint's folder"
    )
    command.add_argument(
        "--paper", required=True, help="a folder of notebooks/, such as causalface"
    )
    command.add_argument("--settings", **SETTINGS)
    command.add_argument("--profile", **PROFILE)
