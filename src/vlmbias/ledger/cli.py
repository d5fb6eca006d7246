"""`vlmbias ledger collate | audit | check`.

Comes in: the command line. Goes out: a printed table or the path written. May not: hold logic.
"""

from __future__ import annotations

import argparse

from vlmbias import ledger


def _audit(arguments: argparse.Namespace) -> None:
    checks = ledger.audit(arguments.paper)
    for _, row in checks[checks["rule"] != ""].iterrows():
        verdict = f"{row['verdict']} {row['severity']}"
        print(f"{row['claim']:42s} {row['printed'][:18]:>18s}  {verdict:23s} {row['reason']}")
    print(f"every record is well formed; {checks['verdict'].value_counts().to_dict()}")


def register(subparsers) -> None:
    """Add the `ledger` command to `vlmbias`; each sub-command is set as `handler`."""
    parser = subparsers.add_parser("ledger", help="claims, audit and verdicts")
    commands = parser.add_subparsers(metavar="command", required=True)
    collate = commands.add_parser("collate", help="merge results into _build/ledger.json")
    collate.set_defaults(handler=lambda arguments: print(ledger.collate()))
    for name, help in (("audit", "print every audit finding"), ("check", "the same, to check the records")):
        command = commands.add_parser(name, help=help)
        command.add_argument("--paper", help="only this paper")
        command.set_defaults(handler=_audit)
