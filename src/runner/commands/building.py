"""`vlmbias book | pair | pdf`: from the notebooks to the pages."""

import os
from collections.abc import Iterable
from typing import Annotated

import typer

from runner.commands import graph
from runner.commands.graph import Profile, Settings, Snakemake
from vlmbias import paths


def book(
    settings: Settings = "greenhouse",
    profile: Profile = "default",
    snakemake: Snakemake = None,
) -> None:
    """Execute what changed, and build the book (make book).

    \b
    Examples:
      vlmbias book
      vlmbias book --settings smoke
      vlmbias book --profile slurm -- --dry-run
    """
    from runner import plan
    from vlmbias import sources

    words = snakemake or []
    os.chdir(paths.root())
    graph.check_targets(words)
    plan.settings(settings)  # a wrong name is said before anything is waited for or fetched
    graph.only_one()
    sources.fetch_small()
    plan.prepare(settings)
    if not words and plan.up_to_date():
        print("the book is as its sources ask for it: nothing to do")
        return
    if gone := mend(plan.notebooks()):
        print("not of one run, made anew:", *gone, sep="\n  ", flush=True)
        plan.prepare(settings)  # pages are made from what other models found, too
    graph.become_snakemake(profile, *words)


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


def pair(
    check: Annotated[
        bool, typer.Option("--check", help="write nothing; name those that are not up to date")
    ] = False,
) -> None:
    """Write the .ipynb of every notebook.

    \b
    Examples:
      vlmbias pair
      vlmbias pair --check
    """
    from runner import pairs, plan

    stale = pairs.pair([plan.source(name) for name in plan.notebooks()], check=check)
    if check and stale:
        raise ValueError(f"not the pair of its .py; run `make pair`: {', '.join(stale)}")
    print("\n".join(f"wrote {name}" for name in stale) or "every pair is up to date")


def pdf() -> None:
    """Print the built book into one PDF beside its pages.

    \b
    Example:
      vlmbias pdf
    """
    from runner import pdf as printing

    made = printing.make()
    print(f"wrote {made.relative_to(paths.root())} ({made.stat().st_size / 1e6:.0f} MB)")
