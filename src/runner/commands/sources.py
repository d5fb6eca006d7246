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


def register(commands) -> None:
    """Add the commands of `vlmbias sources`; what each does is set as `handler`."""
    fetch = commands.add_parser("fetch", help="download sources; without keys, the small open ones")
    fetch.add_argument("keys", nargs="*")
    fetch.add_argument("--timeout", type=float, default=10.0, help="seconds without an answer")
    fetch.set_defaults(handler=_fetch)
    commands.add_parser("status", help="what is at hand").set_defaults(handler=_status)
    check = commands.add_parser(
        "check", help="verify every file, or say whether a folder you supply is usable"
    )
    check.add_argument("key", nargs="?", help=f"one of {', '.join(folders.PLACES)}")
    check.add_argument("path", nargs="?", help="its folder; by default below VLMBIAS_DATA")
    check.set_defaults(handler=_check)
