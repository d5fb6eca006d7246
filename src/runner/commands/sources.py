"""`vlmbias sources fetch | status | check`.

Comes in: the command line. Goes out: printed tables, files in the cache. May not: hold logic.
"""

from vlmbias import sources
from vlmbias.sources import folders


def _fetch(options) -> int:
    if options.keys:
        problems = sources.fetch(options.keys, timeout=options.timeout)
        print("\n".join(problems) or f"at hand: {', '.join(options.keys)}")
        return 1 if problems else 0
    sources.fetch_small(force=True, timeout=options.timeout)
    return _status(options)


def _status(options) -> int:
    print(
        sources.status()[["at hand", "open", "small", "megabytes", "licence"]].round(1).to_string()
    )
    return 0


def _check(options) -> int:
    if options.key:
        report = folders.check(options.key, options.path)
        print(report, _usable(report), sep="\n")
        return 0 if report.images else 1
    damaged = [problem for problem in sources.status()["damaged"] if problem]
    print("\n".join(damaged) or "no damaged file")
    return 1 if damaged else 0


def _usable(report) -> str:
    """What can be done with a folder, in a line."""
    if not report.images:
        return "not usable: nothing to run on"
    return f"usable, not whole: no verdicts ({report.lacks})" if report.lacks else "usable"


def register(add) -> None:
    """Add the commands of `vlmbias sources`; `add` is described in `runner.commands`."""
    command = add("sources fetch", _fetch, "download sources; without keys, the small open ones")
    command.add_argument("keys", nargs="*")
    command.add_argument("--timeout", type=float, default=10.0, help="seconds without an answer")
    add("sources status", _status, "what is at hand")
    command = add(
        "sources check",
        _check,
        "verify every file, or say whether a folder you supply is usable",
    )
    command.add_argument("key", nargs="?", help=f"one of {', '.join(folders.PLACES)}")
    command.add_argument("path", nargs="?", help="its folder; by default below VLMBIAS_DATA")
