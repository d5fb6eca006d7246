"""The ledger as tables: claims, audit, scorecard, and the collated file.

Comes in: the claims and the notebooks' results files. Goes out: tidy DataFrames and `_build/ledger.json`.
May not: decide a verdict itself.
"""

from collections.abc import Callable
from dataclasses import asdict
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from audit.printed import Finding, parse
from audit.rules import RULES
from vlmbias import paths, whole_files
from vlmbias.ledger.claims import Check, Claim, LedgerError, claims, matching, misapplied
from vlmbias.ledger.results import recorded, rerun_verdict

VERDICTS = ("inconsistent", "consistent", "not checkable")  # the gravest first
NOTHING = "nothing printed to set it against"


def load(paper: str | None = None) -> pd.DataFrame:
    """One row per claim, one column per field of `Claim`; of one paper where `paper` is given."""
    return pd.DataFrame([one.model_dump(exclude={"audit"}) for one in claims(paper).values()])


def _numbers(given: str | list[str]) -> Any:
    """A check's argument as printed numbers: a list where a list or a pattern is given."""
    if isinstance(given, list):
        return [number for one in given for number in np.atleast_1d(_numbers(one))]
    if (constant := parse(given, tolerance=0)) is not None:
        return constant
    found = [one.printed for one in matching(given)]
    return found if "*" in given else found[0]


def _finding(about: Claim, check: Check) -> Finding:
    rule: Callable[..., Finding] = RULES[check.rule]
    try:
        return rule(about.printed, **{role: _numbers(given) for role, given in check.of.items()})
    except (LedgerError, AttributeError, KeyError, TypeError, ValueError, ZeroDivisionError) as problem:
        raise misapplied(about, check.rule, problem) from problem


def audit(paper: str | None = None) -> pd.DataFrame:
    """One row per audit check, and one per claim that no check concerns.

    Columns: paper, notebook, claim, where, subject, printed, beside (the claims it is set against one to
    one: the finding concerns them as much), rule, verdict (consistent, inconsistent or not checkable),
    severity (conclusion, number or wording; only for an inconsistent one), reading (the one under which
    it holds), reason, note.
    """
    rows, own = [], claims(paper).values()
    concerned = {name for one in own if one.printed for check in one.audit for name in check.beside()}
    for one in own:
        head = {name: getattr(one, name) for name in ("paper", "notebook", "where", "subject")}
        head |= {"claim": one.id, "printed": one.value, "beside": (), "rule": "", "severity": "", "reading": ""}
        for check in one.audit:
            row = head | asdict(_finding(one, check)) | {"rule": check.rule}
            row["beside"] = check.beside() if one.printed else ()  # words judged by numbers do not judge them
            severity = check.severity if row["verdict"] == "inconsistent" else ""
            rows.append(row | {"severity": severity, "note": check.note})
        if not one.audit and one.id not in concerned:
            rows.append(head | {"verdict": VERDICTS[-1], "reason": NOTHING, "note": one.note})
    return pd.DataFrame(rows)


def _per_claim(checks: pd.DataFrame) -> pd.DataFrame:
    """One row per claim: its gravest audit verdict with severity and reasons."""
    concerns = [(row["claim"], *row["beside"]) for _, row in checks.iterrows()]
    rows = {}
    for name, own in checks.assign(about=concerns).explode("about").groupby("about", sort=False):
        verdict = next(verdict for verdict in VERDICTS if verdict in set(own["verdict"]))
        own = own[own["verdict"] == verdict]
        rows[name] = {"audit": verdict, "severity": own["severity"].max(), "reason": "; ".join(own["reason"])}
    return pd.DataFrame.from_dict(rows, orient="index")


def table(notebook: str) -> pd.DataFrame:
    """The claims of one chapter, e.g. `table("american_white/we_they")`.

    Columns: claim, where, quantity, subject, printed, audit, severity, reason.
    """
    mine = [one for one in claims().values() if one.notebook == notebook]
    if not mine:
        known = ", ".join(sorted({one.notebook for one in claims().values()}))
        raise LedgerError(f"no claim names the notebook {notebook!r}; there are: {known}")
    rows = [(one.id, one.where, one.quantity, one.subject, one.value) for one in mine]
    head = pd.DataFrame(rows, columns=["claim", "where", "quantity", "subject", "printed"])
    return head.join(_per_claim(audit(mine[0].paper)), on="claim")


def show(chapter: pd.DataFrame) -> Any:
    """A chapter's claims as its page shows them: checks first, then, folded, what nothing can be set against.

    Parameters
    ----------
    chapter : rows of `table`, all of them or those of one part of the chapter.

    Returns
    -------
    IPython.display.HTML
    """
    from IPython.display import HTML

    columns = ["where", "subject", "quantity", "printed", "audit"]
    parts = []
    for verdict, rows in sorted(chapter.groupby("audit", sort=False), key=lambda part: VERDICTS.index(part[0])):
        shown = rows[columns[:-1]].assign(finding=rows["reason"]) if verdict == VERDICTS[0] else rows[columns[:-1]]
        body = shown.to_html(index=False, classes="claims", border=0)
        state = "" if verdict == VERDICTS[-1] else " open"
        parts.append(f"<details class='claims'{state}><summary>{verdict}: {len(rows)}</summary>{body}</details>")
    return HTML(f"<p>{len(chapter)} printed claims.</p>{''.join(parts)}")


def scorecard() -> pd.DataFrame:
    """One row per claim: the claim, its audit verdict and its rerun verdict, from what the book's notebooks found."""
    found = recorded()
    if unknown := found.keys() - claims().keys():
        raise LedgerError(f"_build/results records unknown claims: {', '.join(unknown)}; rerun the notebooks")
    card = load().join(_per_claim(audit()), on="id")
    verdicts = [rerun_verdict(one, found.get(name, [])) for name, one in claims().items()]
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
    tables = {"claims": plain, "checks": audit(), "counts": counts(card)}
    whole_files.write_json(path, {name: rows.to_dict("records") for name, rows in tables.items()})
    return path
