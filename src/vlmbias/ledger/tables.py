"""The ledger as tables: claims, audit, scorecard, and the collated file.

Comes in: the claims and the notebooks' results files. Goes out: tidy DataFrames and `_build/ledger.json`.
May not: decide a verdict itself.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pandas as pd

from vlmbias import paths
from vlmbias.ledger import rules
from vlmbias.ledger.loading import LedgerError, claims, matching
from vlmbias.ledger.printed import parse
from vlmbias.ledger.results import read_results, rerun_verdict, write_json
from vlmbias.ledger.schema import Check, Claim

NOTHING = "nothing else printed to set it against"


def load(paper: str | None = None) -> pd.DataFrame:
    """One row per claim, one column per field of `Claim`; of one paper where `paper` is given."""
    return pd.DataFrame([one.model_dump(exclude={"audit"}) for one in claims(paper).values()])


def _numbers(given: str | list[str]) -> Any:
    """A check's argument as printed numbers: a list where a list or a pattern is given."""
    if isinstance(given, list):
        return [number for one in given for number in [_numbers(one)]]
    if (constant := parse(given)) is not None:
        return constant
    found = [one.printed for one in matching(given)]
    return found if "*" in given else found[0]


def _finding(about: Claim, check: Check) -> rules.Finding:
    return rules.RULES[check.rule](about.printed, **{role: _numbers(given) for role, given in check.of.items()})


def audit(paper: str | None = None) -> pd.DataFrame:
    """One row per audit check, and one per claim that no check concerns.

    Columns: paper, notebook, claim, beside (the claims it is set against one to one: the finding concerns
    them as much), where, subject, printed, rule, verdict (consistent, inconsistent or not checkable),
    severity (conclusion, number or wording; only for an inconsistent one), reading (the one under which
    it holds), reason, note.
    """
    rows = []
    own = claims(paper)
    concerned = {name for one in own.values() for check in one.audit for name in check.beside()}
    for one in own.values():
        head = {
            "paper": one.paper,
            "notebook": one.notebook,
            "claim": one.id,
            "beside": (),
            "where": one.where,
            "subject": one.subject,
            "printed": one.value,
        }
        for check in one.audit:
            found = _finding(one, check)
            severity = check.severity if found.verdict == "inconsistent" else ""
            row = {"beside": check.beside(), "rule": check.rule, "verdict": found.verdict, "severity": severity}
            rows.append({**head, **row, "reading": found.reading, "reason": found.reason, "note": check.note})
        if not one.audit and one.id not in concerned:
            row = {"rule": "", "verdict": "not checkable", "severity": "", "reading": "", "reason": NOTHING}
            rows.append({**head, **row, "note": one.note})
    return pd.DataFrame(rows)


def _per_claim(checks: pd.DataFrame) -> pd.DataFrame:
    """One row per claim: its gravest audit verdict and the reasons behind it."""
    order = ["inconsistent", "consistent", "not checkable"]
    rows = {}
    concerns = [(row["claim"], *row["beside"]) for _, row in checks.iterrows()]
    for name, own in checks.assign(about=concerns).explode("about").groupby("about", sort=False):
        verdict = next(verdict for verdict in order if verdict in set(own["verdict"]))
        decisive = own[own["verdict"] == verdict]
        severity = next((level for level in decisive["severity"] if level), "")
        rows[name] = {"audit": verdict, "severity": severity, "reason": "; ".join(decisive["reason"])}
    return pd.DataFrame.from_dict(rows, orient="index")


def table(notebook: str) -> pd.DataFrame:
    """The claims of one chapter, e.g. `table("american_white/we_they")`.

    Columns: claim, where, quantity, subject, printed, audit, severity, reason.
    """
    everything = claims()
    mine = [one for one in everything.values() if one.notebook == notebook]
    if not mine:
        known = sorted({one.notebook for one in everything.values()})
        raise LedgerError(f"no claim names the notebook {notebook!r}; there are: {', '.join(known)}")
    head = pd.DataFrame([one.model_dump(include={"where", "quantity", "subject"}) for one in mine])
    head.insert(0, "claim", [one.id for one in mine])
    head["printed"] = [one.value for one in mine]
    checks = audit(mine[0].paper)
    return head.join(_per_claim(checks.loc[checks["notebook"] == notebook]), on="claim")


def results_files() -> list[Path]:
    """The results files that the chapters have written."""
    return sorted((paths.build() / "results").glob("*/*.json"))


def scorecard() -> pd.DataFrame:
    """One row per claim: the claim, its audit verdict and its rerun verdict, from what has been run."""
    recorded: dict[str, list[dict[str, Any]]] = {}
    for path in results_files():
        for found in read_results(path):
            if found["claim"] not in claims():
                raise LedgerError(f"{path}: records the unknown claim {found['claim']!r}; run its notebook again")
            recorded.setdefault(found["claim"], []).append(found)
    card = load().join(_per_claim(audit()), on="id")
    verdicts = [rerun_verdict(one, recorded.get(name, [])) for name, one in claims().items()]
    return card.assign(rerun=[verdict for verdict, _ in verdicts], found=[values for _, values in verdicts])


def counts(card: pd.DataFrame) -> pd.DataFrame:
    """Tidy counts of a scorecard: paper, kind (audit or rerun), verdict, claims."""
    short = card.assign(rerun=card["rerun"].str.partition(" (because")[0])
    long = short.melt(id_vars="paper", value_vars=["audit", "rerun"], var_name="kind", value_name="verdict")
    return long.groupby(["paper", "kind", "verdict"], sort=False).size().to_frame("claims").reset_index()


def collate() -> Path:
    """Merge every results file with the claims into `_build/ledger.json`; return its path."""
    card, path = scorecard(), paths.build() / "ledger.json"
    plain = card.astype(object).where(card.notna(), None)
    checks = audit().to_dict("records")
    numbers = counts(card).to_dict("records")
    write_json(path, {"claims": plain.to_dict("records"), "checks": checks, "counts": numbers})
    return path
