"""What the papers print, whether it adds up, and whether it comes out again.

Comes in: the claims in `data/claims` and the values that notebooks record for them.
Goes out: tables of claims, audit findings, verdicts, `_build/ledger.json` and a CSV of it.
May not: write anything but a notebook's own results file and the ledger's own files, draw a verdict
from
a Greenhouse value, or import any other room but the catalogue of sources.
"""

from vlmbias.ledger.claims import LedgerError, claim
from vlmbias.ledger.collation import VERDICTS, audit, counts, findings, load, scorecard, show, table
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
    "write_csv",
    "write_schema",
]
