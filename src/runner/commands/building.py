"""`vlmbias book | stage | pair | pdf`: from the notebooks to the pages."""

import argparse
import os
import time
from collections.abc import Iterable

from runner.commands import graph
from runner.commands.shared_options import PROFILE, SETTINGS, SNAKEMAKE
from vlmbias import paths


def book(options: argparse.Namespace) -> None:
    """Fetch the small open sources, write the input records, then become Snakemake if anything
    changed."""
    from runner import plan
    from vlmbias import sources

    os.chdir(paths.root())
    graph.check_targets(options.snakemake)
    plan.settings(options.settings)  # a wrong name is said before anything is waited for or fetched
    graph.only_one()
    sources.fetch_small()
    plan.prepare(options.settings)
    if not options.snakemake and plan.up_to_date():
        print("the book is as its sources ask for it: nothing to do")
        return
    if gone := mend(plan.notebooks()):
        print("not of one run, made anew:", *gone, sep="\n  ", flush=True)
        plan.prepare(options.settings)  # pages are made from what other models found, too
    graph.become_snakemake(options, *options.snakemake)


def mend(notebooks: Iterable[str]) -> list[str]:
    """Remove executed notebooks and results that one run did not leave together, as where a cell
    was run by hand, so that the graph makes them anew; name them."""
    from vlmbias.kept import made

    build, gone = paths.build(), []
    if (last := build / "site.last").is_dir() and not (site := build / "site").exists():
        last.rename(site)  # a kill came between the last site and its successor
    pairs = [
        (build / f"executed/{name}.ipynb", build / f"results/{name}.json") for name in notebooks
    ]
    pairs += [
        (path, path.with_suffix(".json")) for path in sorted(build.glob("models/*/*/*.ipynb"))
    ]
    for path in (path for pair in pairs if not made(*pair) for path in pair if path.exists()):
        path.unlink()
        gone.append(path.relative_to(paths.root()).as_posix())
    return gone


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


def pdf(options: argparse.Namespace) -> None:
    """Print the built book into one file beside its pages."""
    from runner.site import pdf as printing

    made = printing.make()
    print(f"wrote {made.relative_to(paths.root())} ({made.stat().st_size / 1e6:.0f} MB)")


def register(add) -> None:
    """Add the commands; `add` is described in `runner.commands`."""
    command = add("book", book)
    command.add_argument("--settings", **SETTINGS)
    command.add_argument("--profile", **PROFILE)
    command.add_argument("snakemake", **SNAKEMAKE)
    command = add("stage", stage)
    command.add_argument("--build", action="store_true", help="and render it into _build/site")
    command = add("pair", pair)
    command.add_argument(
        "--check", action="store_true", help="write nothing; name those that are not up to date"
    )
    add("pdf", pdf)
