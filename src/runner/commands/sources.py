"""`vlmbias sources`: what data are at hand, and how to get or check others."""

from typing import Annotated

import typer


def sources(
    keys: Annotated[
        list[str] | None,
        typer.Argument(help="sources to fetch; or a set of faces to check, and its folder"),
    ] = None,
    fetch: Annotated[
        bool, typer.Option("--fetch", help="download; without keys, the small open ones")
    ] = False,
    check: Annotated[
        bool,
        typer.Option(
            "--check",
            help="verify every file; or say whether a folder that you supply is usable, which by"
            " default lies below VLMBIAS_DATA",
        ),
    ] = False,
    timeout: Annotated[float, typer.Option(min=0, help="seconds without an answer")] = 10.0,
) -> int:
    """List the optional data, fetch them, or check them.

    \b
    Examples:
      vlmbias sources
      vlmbias sources --fetch
      vlmbias sources --fetch clip-bias-stimuli --timeout 60
      vlmbias sources --check
      vlmbias sources --check causalface where/it/is
    """
    if (fetch and check) or (keys and not fetch and not check):
        raise typer.BadParameter("say --fetch, or --check")
    if check and keys:
        return _check_folder(*keys)
    from vlmbias import sources

    problems = []
    if check:
        problems = [problem for problem in sources.status()["damaged"] if problem]
        said = "no damaged file"
    elif keys:
        problems = sources.fetch(keys, timeout=timeout)
        said = f"at hand: {', '.join(keys)}"
    else:
        if fetch:
            sources.fetch_small(force=True, timeout=timeout)
        shown = sources.status()[["at hand", "open", "small", "megabytes", "licence"]]
        said = shown.round(1).to_string()
    print("\n".join(problems) or said)
    return int(bool(problems))


def _check_folder(key: str, path: str | None = None, *more: str) -> int:
    """Say what can be done with a set of faces."""
    from vlmbias.sources import folders

    if more:
        raise typer.BadParameter(f"one set of faces and its folder at a time, got {more[0]!r}, too")
    report = folders.check(key, path)
    if not report.images:
        usable = "not usable: nothing to run on"
    elif report.lacks:
        usable = f"usable, not whole: no verdicts ({report.lacks})"
    else:
        usable = "usable"
    print(report, usable, sep="\n")
    return 0 if report.images else 1
