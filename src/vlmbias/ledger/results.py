"""What a notebook found, claim by claim, and the verdict on it.

Comes in: one value per claim with the stimuli and model behind it. Goes out: the notebook's own results
file, and a verdict per claim. May not: write any other file, or set a Greenhouse value beside a printed one.
"""

from __future__ import annotations

import json
import math
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from vlmbias import paths
from vlmbias.ledger.loading import LedgerError, claim
from vlmbias.ledger.schema import Claim

PROTOCOLS = ("described", "released")


def write_json(path: Path, content: Any) -> None:
    """Write a JSON file whole or not at all: under a temporary name in the same folder, then renamed."""
    path.parent.mkdir(parents=True, exist_ok=True)
    temporary = path.with_name(f".{path.name}.{os.getpid()}")
    temporary.write_text(json.dumps(content, indent=1, ensure_ascii=False, allow_nan=False) + "\n", "utf-8")
    os.replace(temporary, path)


def read_results(path: Path) -> list[dict[str, Any]]:
    """The records in a results file; one that `record` did not write is an error that names it."""
    try:
        records = json.loads(path.read_text("utf-8"))
    except (ValueError, RecursionError) as problem:
        raise LedgerError(f"{path}: not a results file ({problem}); delete it and run its notebook") from problem
    needed = {"claim", "protocol", "value", "stimuli", "model"}
    if not isinstance(records, list) or not all(isinstance(r, dict) and needed <= r.keys() for r in records):
        raise LedgerError(f"{path}: not a list of records; delete it and run its notebook")
    return records


def _name(thing: Any, what: str) -> str:
    """The name of an image set or encoder, given as such or as a string; Greenhouse stays Greenhouse."""
    if (source := getattr(thing, "source", "")) == "greenhouse":
        return thing.name if thing.name.startswith("greenhouse") else f"greenhouse/{thing.name}"
    name = thing if isinstance(thing, str) else getattr(thing, "name", None)
    if not isinstance(name, str) or not name:
        raise LedgerError(f"{what} is a name (or has one, and a source), got {thing!r} {source}".strip())
    return name


def _value(about: Claim, value: Any) -> float | bool:
    value = value.item() if hasattr(value, "item") else value
    if about.unit == "statement":
        if not isinstance(value, bool):
            raise LedgerError(f"{about.id} is a statement: record True where it holds, else False; got {value!r}")
    elif isinstance(value, bool) or not isinstance(value, int | float) or not math.isfinite(value):
        raise LedgerError(f"{about.id} is a number: record a finite one; got {value!r}")
    return value


def record(
    claim_id: str,
    value: Any,
    *,
    results: str | Path,
    stimuli: Any,
    model: Any,
    protocol: str = "described",
) -> None:
    """Write what a notebook found for one claim into the notebook's own results file.

    Parameters
    ----------
    claim_id : id of a claim in `data/claims`; an unknown one is an error that lists near matches.
    value : a finite number in the claim's unit; True or False for a statement.
    results : path of the notebook's results file, relative to the repository root.
    stimuli, model : names of the image set and encoder the value comes from, or the objects themselves.
    protocol : "described" (what the paper says) or "released" (what the authors' code does).

    Raises
    ------
    LedgerError : unknown claim or protocol; a value of the wrong kind; a results file outside the
        repository, or one that belongs to another notebook than the claim.
    """
    about = claim(claim_id)
    if protocol not in PROTOCOLS:
        raise LedgerError(f"protocol must be one of {', '.join(PROTOCOLS)}, got {protocol!r}")
    path = (paths.root() / results).resolve()
    own = paths.build() / "results" / f"{about.notebook}.json"
    inside = path.is_relative_to(paths.root()) and path.suffix == ".json"
    if not inside or (path.is_relative_to(paths.build() / "results") and path != own.resolve()):
        raise LedgerError(f"{claim_id} is recorded by {about.notebook} in {own}, or in a rerun's folder; got {path}")
    fresh = {
        "claim": claim_id,
        "protocol": protocol,
        "value": _value(about, value),
        "stimuli": _name(stimuli, "stimuli"),
        "model": _name(model, "model"),
    }
    earlier = read_results(path) if path.exists() else []
    kept = [r for r in earlier if (r["claim"], r["protocol"]) != (claim_id, protocol)]
    write_json(path, [*kept, fresh])


def _unmet(about: Claim, found: Mapping[str, Any]) -> str:
    """Why a recorded value is not about the claim; empty where it is."""
    for kind, needed, used in (("stimuli", about.data, found["stimuli"]), ("model", about.model, found["model"])):
        if str(used).startswith("greenhouse") or (needed != "none" and used != needed):
            return f"because the {kind} of the run are {used}; the claim is about {needed}"
    return ""


def _reproduced(about: Claim, value: float | bool) -> bool:
    return bool(value) if about.printed is None else value in about.printed


def rerun_verdict(about: Claim, records: list[dict[str, Any]]) -> tuple[str, str]:
    """Verdict and reason for one claim from the records that name it.

    "reproduced (as described)", "reproduced (as released)", "differs" or "not run (because …)". A value
    from other stimuli or another model than the claim's is never set beside the printed one.
    """
    if not records:
        return f"not run (because {about.notebook} has recorded no value)", ""
    usable = [r for r in records if not _unmet(about, r)]
    if not usable:
        return f"not run ({_unmet(about, records[0])})", ""
    values = "; ".join(f"{r['value']!r} as {r['protocol']}" for r in usable)
    for protocol in PROTOCOLS:
        if any(r["protocol"] == protocol and _reproduced(about, r["value"]) for r in usable):
            return f"reproduced (as {protocol})", values
    return "differs", values
