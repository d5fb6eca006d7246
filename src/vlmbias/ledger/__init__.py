"""What the papers print, whether it adds up, and whether it comes out again."""

from vlmbias.ledger.claims import LedgerError, claim
from vlmbias.ledger.collation import (
    VERDICTS,
    audit,
    counts,
    findings,
    load,
    scorecard,
    show,
    table,
    tally,
)
from vlmbias.ledger.files import collate, write_csv, write_schema
from vlmbias.ledger.other_models import compared
from vlmbias.ledger.results import record

__all__ = [
    "VERDICTS",
    "LedgerError",
    "audit",
    "claim",
    "collate",
    "compared",
    "counts",
    "findings",
    "load",
    "record",
    "scorecard",
    "show",
    "table",
    "tally",
    "write_csv",
    "write_schema",
]
