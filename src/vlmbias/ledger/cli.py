"""`vlmbias ledger collate | audit | check`.

Comes in: the command line. Goes out: a printed table or the path written. May not: hold logic.
"""

from __future__ import annotations

import argparse

from vlmbias import ledger


def _collate(arguments: argparse.Namespace) -> int:
    print(ledger.collate())
    return 0


def _audit(arguments: argparse.Namespace) -> int:
    checks = ledger.audit(arguments.paper)
    for _, row in checks[checks["verdict"] != "not checkable"].iterrows():
        verdict = f"{row['verdict']} ({row['severity']})" if row["severity"] else row["verdict"]
        print(f"{row['claim']:45s} {row['printed']:>10s}  {verdict:26s} {row['reason']}")
    print(checks["verdict"].value_counts().to_string())
    return 0


def _check(arguments: argparse.Namespace) -> int:
    try:
        claims, checks = ledger.load(), ledger.audit()
    except ledger.LedgerError as problem:
        print(problem)
        return 1
    print(f"{len(claims)} claims, {(checks['rule'] != '').sum()} checks: every record is well formed")
    return 0


def register(subparsers) -> None:
    """Add the `ledger` command to `vlmbias`; each sub-command is set as `handler`."""
    parser = subparsers.add_parser("ledger", help="claims, audit and verdicts")
    commands = parser.add_subparsers(dest="ledger_command", required=True)
    commands.add_parser("collate", help="merge results into _build/ledger.json").set_defaults(handler=_collate)
    audit = commands.add_parser("audit", help="print every audit finding")
    audit.add_argument("--paper", help="only this paper")
    audit.set_defaults(handler=_audit)
    commands.add_parser("check", help="check that every claim record is well formed").set_defaults(handler=_check)
