"""`vlmbias …`: the command line.

Comes in: arguments. Goes out: an exit status, and one clear line where something is wrong. May not:
import a room before its command is asked for, or hold logic that a notebook could want.
"""

import argparse
import io
import json
import os
import sys
import time
from urllib.parse import unquote

from runner import bytecode, home
from runner.commands import examples, graph, laboratory
from vlmbias import paths
from vlmbias.options import whole

# commands with sub-commands, and their help
ROOMS = {
    "ledger": "collate and audit the claims",
    "sources": "fetch and list the optional data",
    "greenhouse": "train and test the Greenhouse's models",
}


def _fill(room: str, commands) -> None:
    """Add the sub-commands of a room: only the room that is asked for is imported."""
    if room == "ledger":
        from runner.commands.ledger import register
    elif room == "sources":
        from runner.commands.sources import register
    else:
        from runner.commands.laboratory import register
    register(commands)


def book(options: argparse.Namespace) -> None:
    """Fetch the small open sources, write the input records, then become Snakemake if anything
    changed."""
    from runner import plan
    from runner import stage as staging
    from runner.commands.heal import heal
    from vlmbias import sources

    os.chdir(paths.root())
    graph.check_targets(options.snakemake)
    plan.settings(options.settings)  # a wrong name is said before anything is waited for or fetched
    graph.only_one()
    if damaged := heal():
        print("damaged, made anew:", *damaged, sep="\n  ", flush=True)
    sources.fetch_small()
    plan.prepare(options.settings)
    if not options.snakemake and staging.up_to_date():
        print("the book is as its sources ask for it: nothing to do")
        return
    graph.become_snakemake(options, *options.snakemake)


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
    pages = {
        True: f"`make book` then shows them on the page {options.paper}/models",
        False: f"`vlmbias run causalface/models -p paper {options.paper}` then shows them",
    }
    chapters = f"{len(known)} chapter{'s' * (len(known) > 1)} of {options.paper}"
    print(
        f"{chapters} for {', '.join(options.model)}, into _build/models; "
        f"{pages[f'{options.paper}/models' in plan.notebooks()]}"
    )
    graph.become_snakemake(options, *(f"_build/models/{job}.json" for job in jobs))


def keep_models(options: argparse.Namespace) -> None:
    """Write what `vlmbias models` found, numbers only, into `data/comparisons`, to be shipped."""
    from runner import plan
    from vlmbias.ledger import other_models
    from vlmbias.whole_files import write_json

    for model in options.model:
        chapters, wanted = other_models.run_here(options.paper, model), plan.chapters(options.paper)
        if missing := [name for name in wanted if name.partition("/")[2] not in chapters]:
            raise ValueError(
                f"{model} lacks {', '.join(missing)}; first run `vlmbias models {model} "
                f"--paper {options.paper}`"
            )
        write_json(other_models.bundle(options.paper, model), chapters)
        print(f"wrote {other_models.bundle(options.paper, model).relative_to(paths.root())}")


def pdf(options: argparse.Namespace) -> None:
    """Print the built book into one file beside its pages."""
    from runner.site import pdf as printing

    made = printing.make()
    print(f"wrote {made.relative_to(paths.root())} ({made.stat().st_size / 1e6:.0f} MB)")


def run_notebook(options: argparse.Namespace) -> None:
    """One job of the graph: a notebook, or its protocol for another model
    (`<model>/<paper>/<name>`)."""
    from runner import execute

    execute.end_with_parent()
    name, build = options.notebook, paths.build()
    inputs, executed, results, failed = (
        ("models", "models", "models", "failed/models")
        if options.model
        else ("notebooks", "executed", "results", "failed")
    )
    record = json.loads((build / f"inputs/{inputs}/{name}.json").read_text())
    shown = unquote(name)
    print(f"▸ {shown} …", flush=True)
    made = execute.run(
        record,
        executed=build / f"{executed}/{name}.ipynb",
        results=build / f"{results}/{name}.json",
        working=build / f"{failed}/{name}.ipynb",
        threads=options.threads,
    )
    print(
        f"✓ {shown} ({made['seconds']:.0f} s, {made['core_seconds']:.0f} core-seconds)", flush=True
    )


def embed(options: argparse.Namespace) -> None:
    """One job of the graph: image sets through a model, into the store, so that notebooks only read
    vectors."""
    from runner import execute

    execute.end_with_parent()
    execute.set_threads(options.threads)
    record = json.loads((paths.build() / f"inputs/vectors/{options.job}.json").read_text())
    os.environ["VLMBIAS_IDENTITIES"] = str(record["identities"] or "")
    from vlmbias import embedding
    from vlmbias.embedding.forecast import forecast
    from vlmbias.stimuli.images import images
    from vlmbias.whole_files import write_json

    model = embedding.encoder(record["model"])
    sets = {name: images(name) for name in record["images"]}
    print(f"▸ {forecast(model, sets)} …", flush=True)
    counts = {name: len(embedding.embed(model, shown)) for name, shown in sets.items()}
    write_json(paths.build() / f"vectors/{options.job}.json", record | {"images": counts})
    print(f"✓ {sum(counts.values()):,} images by {model.name}", flush=True)


def run(options: argparse.Namespace) -> None:
    """Rerun one notebook with other parameters, and say how its results differ from the book's."""
    from runner import plan, reruns
    from runner.commands import named
    from runner.commands.values import behind, varied

    os.chdir(paths.root())  # what a relative folder is relative to, here and in every other command
    options.notebook = behind(options.notebook, options.parameter, plan.notebooks())
    if options.parameters:
        print(
            named.listed(
                *plan.parameters(options.notebook, plan.settings(options.settings)),
                options.settings,
            )
        )
        return
    given, several = varied(options.parameter, options.sweep)
    name = (
        plan.source(options.notebook)
        .relative_to(paths.root() / "notebooks")
        .with_suffix("")
        .as_posix()
    )
    for value in several[1] or [None]:
        once = given if value is None else given | {several[0]: value}
        named.takes_a_folder(name, once)
        named.check(
            *plan.parameters(name, plan.settings(options.settings), once), given=once, notebook=name
        )
    asked = {"settings": options.settings, "seeds": options.seeds}
    try:
        print(
            reruns.rerun_each(options.notebook, *several, given, **asked)
            if several[1]
            else reruns.rerun(options.notebook, given, **asked)
        )
    except KeyboardInterrupt:
        print(
            "interrupted: the runs that have ended are kept, and the same command goes on",
            file=sys.stderr,
        )
        raise


def stage(options: argparse.Namespace) -> None:
    """Lay out the book and, with --build, render it."""
    from runner import execute
    from runner import stage as staging

    if not options.build:
        print(staging.stage())
        return
    execute.end_with_parent()
    print("▸ building the pages …", flush=True)
    began = time.perf_counter()
    staging.build()
    print(f"✓ the book ({time.perf_counter() - began:.0f} s)")


def pair(options: argparse.Namespace) -> None:
    """Write (or check) the .ipynb of every notebook."""
    from runner import pairs, plan

    stale = pairs.pair([plan.source(name) for name in plan.notebooks()], check=options.check)
    if options.check and stale:
        raise ValueError(f"not the pair of its .py; run `make pair`: {', '.join(stale)}")
    print("\n".join(f"wrote {name}" for name in stale) or "every pair is up to date")


def parser(asked: str | None) -> argparse.ArgumentParser:
    """The parser; a room's own sub-commands are added only when that room is asked for."""
    top = argparse.ArgumentParser(
        prog="vlmbias",
        description="Run, rerun and build the book.",
        epilog="vlmbias COMMAND --help says what a command does, with examples.",
    )
    commands = top.add_subparsers(metavar="command", required=True)

    def add(handler, name: str, help: str, *, job: bool = False) -> argparse.ArgumentParser:
        # a job of the graph, which nobody types, stands in no list
        command = (
            commands.add_parser(name, description=help)
            if job
            else commands.add_parser(name, description=help, help=help)
        )
        command.set_defaults(
            handler=handler, settings=os.environ.get("VLMBIAS_SETTINGS", "greenhouse")
        )
        return command

    settings = (
        "greenhouse (default), smoke, open or paper: which stimuli, models and sizes"
        " (data/settings)"
    )
    command = add(
        run, "run", "rerun one notebook with other parameters, say what changed, and leave a page"
    )
    command.add_argument("notebook", nargs="?", help="<paper>/<name>, or the path of the notebook")
    command.add_argument(
        "-p",
        "--parameter",
        nargs="+",
        action="append",
        default=[],
        metavar=("NAME", "VALUE"),
        help="give a parameter another value, such as `-p seed 7`; may be repeated; with several "
        "values, such as `-p seed 7 8 9`, there is a run for each, side by side on one "
        "page",
    )
    command.add_argument(
        "--sweep", metavar="NAME=A,B,C", help="the same, for a parameter with several values"
    )
    command.add_argument(
        "--parameters", action="store_true", help="only list the parameters, with their rules"
    )
    command.add_argument("--settings", help=settings)
    command.add_argument(
        "--seeds",
        type=whole(0, 100),
        default=4,
        metavar="N",
        help=(
            "other seeds of the book's own run, against which differences are judged; they are kept"
            " for the next rerun; 0 judges none (default: 4)"
        ),
    )
    command = add(book, "book", "execute what changed and build the book (make book)")
    command.add_argument("--settings", help=settings)
    command.add_argument(
        "--profile", type=graph.profile, default="default", help="a folder of profiles/"
    )
    command.add_argument("snakemake", nargs="*", help="after --, options for Snakemake")
    command = add(models, "models", "run the chapters of a paper for other models, to compare them")
    command.add_argument(
        "model", nargs="+", help="open_clip's architecture/weights, or a checkpoint's folder"
    )
    command.add_argument(
        "--paper", required=True, help="a folder of notebooks/, such as causalface"
    )
    command.add_argument("--settings", help=settings)
    command.add_argument(
        "--profile", type=graph.profile, default="default", help="a folder of profiles/"
    )
    command = add(
        laboratory.fleet,
        "fleet",
        "train, test and tabulate the fleet of 131 networks and its null fleet; resumes",
    )
    command.add_argument(
        "--profile", type=graph.profile, default="default", help="a folder of profiles/"
    )
    command.add_argument("snakemake", nargs="*", help="after --, options for Snakemake")
    if asked is None or asked.startswith("sweep"):
        from runner.commands import sweep

        sweep.register(add)
    if asked is None or asked == "first-light":
        from runner.commands import first_light

        first_light.register(add)
    add(pdf, "pdf", "print the built book into one PDF beside its pages")

    command = add(
        keep_models, "keep-models", "write the numbers that `models` found into data/comparisons"
    )
    command.add_argument("model", nargs="+", help="as `vlmbias models` was given it")
    command.add_argument(
        "--paper", required=True, help="a folder of notebooks/, such as causalface"
    )
    if asked is None or asked.startswith("export"):
        from runner.commands import contributing

        contributing.register(add)
    command = add(
        run_notebook, "run-notebook", "one job of the graph (used by the Snakefile)", job=True
    )
    command.add_argument("notebook")
    command.add_argument(
        "--model", action="store_true", help="the notebook is <model>/<paper>/<name>"
    )
    command.add_argument("--threads", type=int, default=1)
    command = add(embed, "embed", "one job of the graph (used by the Snakefile)", job=True)
    command.add_argument("job", help="the model, its slashes quoted")
    command.add_argument("--threads", type=int, default=1)
    command = add(stage, "stage", "lay out the book in _build/stage")
    command.add_argument("--build", action="store_true", help="and render it into _build/site")
    command = add(pair, "pair", "write the .ipynb of every notebook")
    command.add_argument(
        "--check", action="store_true", help="write nothing; name those that are not up to date"
    )
    for name, help in ROOMS.items():
        room = commands.add_parser(name, help=help, description=help)
        if asked == name:
            _fill(name, room.add_subparsers(metavar="command", required=True))
    examples.show(top)
    return top


def main(arguments: list[str] | None = None) -> None:
    """Run one command; an error a reader can mend is one message, not a traceback."""
    for stream in (
        sys.stdout,
        sys.stderr,
    ):  # a terminal that knows no "▸" shows another sign, and goes on
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")
    bytecode.keep()
    home.replace_unwritable()
    words = sys.argv[1:] if arguments is None else arguments
    options = parser(words[0] if words and not words[0].startswith("-") else None).parse_args(words)
    try:
        sys.exit(options.handler(options))
    except KeyboardInterrupt:
        sys.exit(130)
    except Exception as error:
        if os.environ.get("VLMBIAS_TRACEBACK"):
            raise
        sys.exit(f"✗ {error}")
