"""What the papers print, whether it adds up, and whether it comes out again.

Comes in: the claims in `data/claims` and the values that notebooks record for them.
Goes out: tables of claims, audit findings, verdicts and `_build/ledger.json`.
May not: write anything but a notebook's own results file and the collated ledger, draw a verdict from
a Greenhouse value, or import any other room.
"""

from vlmbias.ledger.claims import LedgerError, claim
from vlmbias.ledger.comparisons import compared
from vlmbias.ledger.results import record
from vlmbias.ledger.tables import audit, collate, counts, load, scorecard, show, table

__all__ = ["LedgerError", "audit", "claim", "collate", "compared", "counts", "load", "record", "scorecard", "show",
           "table"]
