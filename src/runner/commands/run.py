"""`vlmbias run`: one notebook with other parameters, or a paper's chapters with other models."""

import os
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import typer

from runner.commands import graph
from runner.commands.graph import Settings
from vlmbias import paths
from vlmbias.number_signs import counted


def _form(words: list[str]) -> list[str]:
    """The words behind `-p`, checked before a word too many is: of `-p seed 7`, it would be "7"."""
    from runner.parameters import runs

    runs(words)
    return words


def _gone(word: str | None) -> None:
    if word is not None:
        raise ValueError("--sweep is gone: repeat -p, such as -p seed=1 -p seed=2 -p seed=3")


def run(
    notebook: Annotated[
        str,
        typer.Argument(help="<paper>/<name>, or its path; or a paper: its chapters, other models"),
    ],
    parameter: Annotated[
        list[str] | None,
        typer.Option(
            "-p",
            "--parameter",
            metavar="NAME=VALUE",
            callback=lambda words: _form(words or []),
            help="another value of a parameter; may be repeated, also for the same parameter:"
            " then there is a run for each value, side by side on one page",
        ),
    ] = None,
    sweep: Annotated[str | None, typer.Option(hidden=True, callback=_gone)] = None,
    parameters: Annotated[
        bool,
        typer.Option(
            "--parameters",
            help="only list the parameters, with their rules, and what the notebook needs of a"
            " folder of your own pictures",
        ),
    ] = False,
    settings: Settings = "greenhouse",
    seeds: Annotated[
        int,
        typer.Option(
            min=0,
            max=100,
            help="other seeds of the book's own run, against which differences are judged; they"
            " are kept for the next rerun; 0 judges none",
        ),
    ] = 4,
    profile: Annotated[
        str, typer.Option(help="for a paper's chapters: a folder of profiles/")
    ] = "default",
) -> None:
    """Rerun a notebook with other parameters.

    Leave a page, and say what changed and whether another seed would have changed as much. With the
    name of a paper, run its chapters for other models, beside the book's own results.

    \b
    Examples:
      vlmbias run causalface/variation --parameters
      vlmbias run causalface/variation -p seed=7
      vlmbias run causalface/variation -p seed=1 -p seed=2 -p seed=3
      vlmbias run causalface/variation -p model=greenhouse/b0 -p n_pairs=5000 --seeds 0
      vlmbias run american_white/we_they -p model=ViT-B-32-quickgelu/openai --settings open
      vlmbias run causalface -p model=greenhouse/b0 -p model=data/greenhouse/resnet
    """
    from runner import names, pairs, plan, reruns
    from runner.parameters import runs
    from vlmbias.stimuli import own_folder

    wanted, here = runs(parameter or []), Path.cwd()
    if (paths.root() / "notebooks" / notebook).is_dir() and notebook.strip("./"):
        _paper(notebook.strip("/"), wanted, settings, profile)
        return
    source, chosen = plan.source(notebook), plan.settings(settings)
    name = source.relative_to(paths.root() / "notebooks").with_suffix("").as_posix()
    if parameters:
        known, values = plan.parameters(name, chosen)
        for key, one in known.items():
            own = values.get(key, one.default)
            if key != "results":
                print(one, f" (settings {settings}: {own!r})" if own != one.default else "")
        if needs := own_folder.declared().get(name):
            print(f"\n{needs}")
        return
    pairs.check_not_edited_alone(source)
    if len(wanted) > 1:
        reruns.check_book(name)
    declared, told = plan.declared(name).parameters, dict[str, None]()
    wanted = [names.from_here(declared, given) for given in wanted]
    for given in wanted:
        if wanted.count(given) > 1:
            raise ValueError(f"{', '.join(given.values())}: give each value once")
        names.takes_a_folder(name, given)
        known, values = plan.parameters(name, chosen, given)
        names.check(known, values, given=given, notebook=name)
        told |= dict.fromkeys(names.own_folder_in_words(name, known, values))
    if told:
        print(*told, sep="\n")
    os.chdir(paths.root())  # what a relative path is relative to from here on
    try:
        print(reruns.rerun(name, wanted, settings=settings, seeds=seeds, here=here))
    except KeyboardInterrupt:
        print(
            "interrupted: the runs that have ended are kept, and the same command goes on",
            file=sys.stderr,
        )
        raise


def _paper(paper: str, wanted: Sequence[dict[str, str]], settings: str, profile: str) -> None:
    """Run the chapters of a paper for other models, into `_build/models`; what is up to date
    stays.
    """
    from runner import embedded, names, plan
    from vlmbias import whole_files

    profile = graph.profile(profile)
    known, chosen = plan.chapters(paper), plan.settings(settings)
    if any(set(given) != {"model"} for given in wanted):
        raise ValueError(f"vlmbias run {paper}: give models alone, such as -p model=greenhouse/b0")
    models = [names.model_from_here(given["model"]) for given in wanted]
    from vlmbias.embedding import encoder  # after the names that cost nothing to check

    for model in models:
        encoder(model)  # a name that is none is one error, not one per chapter
    os.chdir(paths.root())
    files = plan.hashes(plan.INPUTS)
    graph.only_one()
    jobs = [job for one in models for job in plan.prepare_model(one, paper, chosen, files)]
    inputs = paths.build() / "inputs"
    whole_files.write_json(inputs / "models.json", jobs)
    embedded.prepare([inputs / f"models/{job}.json" for job in jobs], files)
    page = (
        "`make book` then shows them at the end of the page real/same_data"
        if paper == "causalface"  # the default of that page
        else f"`vlmbias run real/same_data -p paper={paper}` then shows them"
    )
    chapters = f"{counted(len(known), 'chapter')} of {paper}"
    print(f"{chapters} for {', '.join(models)}, into _build/models; {page}")
    graph.become_snakemake(profile, *(f"_build/models/{job}.json" for job in jobs))
