"""The ledger's own files: collated, as a spreadsheet, and the schema that editors check claim files
with.

Comes in: the tables. Goes out: `_build/ledger.json`, a CSV of the whole ledger,
`data/claims.schema.json`.
May not: compute a verdict.
"""

import csv
from pathlib import Path

from vlmbias import paths, whole_files
from vlmbias.ledger.bundles import contributed
from vlmbias.ledger.claims import SCHEMA, schema
from vlmbias.ledger.collation import audit, counts, findings, scorecard

# the columns of the CSV, in order; `printed` is empty where the value is ours
COLUMNS = (
    "paper",
    "notebook",
    "id",
    "where",
    "quote",
    "quantity",
    "subject",
    "printed",
    "ours",
    "inferred",
    "relation",
    "unit",
    "n",
    "data",
    "model",
    "target",
    "audit",
    "verdict",
    "severity",
    "finding",
    "reason",
    "criterion",
    "note",
    "rerun",
    "found",
)


def collate() -> Path:
    """Merge every results file and readers' bundles with the claims into `_build/ledger.json`;
    return its path."""
    card, checks, path = scorecard(), audit(), paths.build() / "ledger.json"
    plain = card.astype(object).where(card.notna(), None)
    tables = {
        "claims": plain,
        "checks": checks,
        "findings": findings(checks),
        "counts": counts(card),
        "contributed": contributed(),
    }
    whole_files.write_json(path, {name: rows.to_dict("records") for name, rows in tables.items()})
    return path


def write_csv(path: Path) -> Path:
    """Write the whole ledger as a CSV file, one row per claim, columns as in `COLUMNS`; return its
    path."""
    card = scorecard()
    ours = card["inferred"] == "us"
    card = card.assign(printed=card["value"].where(~ours, ""), ours=card["value"].where(ours, ""))
    with whole_files.replacing(path) as temporary:
        card[list(COLUMNS)].to_csv(
            temporary, index=False, quoting=csv.QUOTE_NONNUMERIC, lineterminator="\n"
        )
    return path


def write_schema() -> Path:
    """Write `data/claims.schema.json`, which editors read; return its path."""
    path = paths.data() / SCHEMA
    whole_files.write_json(path, schema())
    return path
