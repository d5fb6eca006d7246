"""`vlmbias sources fetch | status | check`.

Comes in: the command line. Goes out: printed tables, files in the cache. May not: hold logic.
"""

from __future__ import annotations

import argparse

from vlmbias import sources


def _fetch(options: argparse.Namespace) -> int:
    if options.keys:
        problems = sources.fetch(options.keys, timeout=options.timeout)
        print("\n".join(problems) or f"at hand: {', '.join(options.keys)}")
        return 1 if problems else 0
    if not sources.fetch_small(force=options.force, timeout=options.timeout):
        _status(options)
    return 0


def _status(options: argparse.Namespace) -> int:
    print(sources.status()[["state", "open", "small", "megabytes", "licence"]].to_string(max_colwidth=46))
    return 0


def _check(options: argparse.Namespace) -> int:
    table = sources.status()
    damaged = table.loc[table["problem"] != "", "problem"]
    print("\n".join(damaged) or "no damaged file")
    return 1 if len(damaged) else 0


def register(subparsers) -> None:
    """Add the `sources` command to `vlmbias`; each sub-command is set as `handler`."""
    parser = subparsers.add_parser("sources", help="fetch and list the optional data")
    commands = parser.add_subparsers(metavar="action", required=True)
    fetch = commands.add_parser("fetch", help="download sources; without keys, the small open ones")
    fetch.add_argument("keys", nargs="*")
    fetch.add_argument("--small", action="store_true", help="the small open sources (the default)")
    fetch.add_argument("--force", action="store_true", help="try even if a try failed within the last day")
    fetch.add_argument("--timeout", type=float, default=10.0, metavar="SECONDS")
    fetch.set_defaults(handler=_fetch)
    commands.add_parser("status", help="what is at hand").set_defaults(handler=_status)
    commands.add_parser("check", help="verify every file; exit 1 if one is damaged").set_defaults(handler=_check)
