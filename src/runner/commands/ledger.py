"""`vlmbias ledger collate | audit | check`.

Comes in: the command line. Goes out: a printed table or the path written. May not: hold logic.
"""

import argparse

from vlmbias import ledger


def _audit(arguments: argparse.Namespace) -> None:
    checks = ledger.audit()
    for _, row in checks[checks["rule"] != ""].iterrows():
        print(f"{row['claim']:38s} {row['printed'][:18]:>18s}  {row['verdict']} {row['severity']:10s} {row['reason']}")
    print(f"every record is well formed; {checks['verdict'].value_counts().to_dict()}")


def register(commands) -> None:
    """Add the commands of `vlmbias ledger`; what each does is set as `handler`."""
    for name, handler, help in (
        ("collate", lambda arguments: print(ledger.collate()), "merge results into _build/ledger.json"),
        ("audit", _audit, "check every record and print every audit finding"),
        ("check", lambda arguments: print(f"{len(ledger.audit())} findings, all records well formed"), "check records"),
    ):
        commands.add_parser(name, help=help, description=help).set_defaults(handler=handler)
