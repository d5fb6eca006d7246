"""The ledger's own files: `_build/ledger.json`, which readers may send, a CSV of the whole ledger,
and the schema that editors check claim files with."""

import csv
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from vlmbias import paths, whole_files
from vlmbias.ledger.claims import SCHEMA, schema
from vlmbias.ledger.collation import audit, counts, findings, scorecard
from vlmbias.ledger.results import at_hand, runs

# the columns of the CSV, in order; `printed` is empty where the value is ours
COLUMNS = (
    *("paper", "notebook", "id", "where", "quote", "quantity", "subject", "printed", "ours"),
    *("inferred", "relation", "unit", "n", "data", "model", "target", "audit", "verdict"),
    *("severity", "finding", "reason", "criterion", "note", "rerun", "found"),
)


def collate() -> Path:
    """Merge every results file with the claims, and how it came about, into `_build/ledger.json`;
    return its path."""
    card, checks, path = scorecard(), audit(), paths.build() / "ledger.json"
    plain = card.astype(object).where(card.notna(), None)
    tables = {"claims": plain, "checks": checks, "findings": findings(checks)}
    tables["counts"] = counts(card)
    merged = {name: rows.to_dict("records") for name, rows in tables.items()}
    merged["runs"] = [{"notebook": name, **_told(about)} for name, about, _ in runs()]
    whole_files.write_json(path, merged)
    return path


def _told(about: Mapping[str, Any]) -> dict[str, Any]:
    """How a notebook was run, so that others can repeat it; not its parameters, nor what is said of
    missing data, which may name folders of the reader's."""
    data = {
        key: {name: state[name] for name in ("hash", "whole", "drawn", "lacks")}
        for key, state in at_hand(about).items()
    }
    how = {name: about[name] for name in ("settings", "commit", "machine", "versions")}
    return how | {"data": data}


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
    """Write `data/claims/schema.json`, which editors read; return its path."""
    path = paths.data() / SCHEMA
    whole_files.write_json(path, schema())
    return path
