"""Printed numbers, results and verdicts on the pages of the book.

Comes in: the ledger (`data/claims`, the notebooks' records) and `_build/results.json`. Goes out: the roles
`{claim}` and `{result}`, the directive `{scorecard}`. May not: hold a number or a verdict of its own.
"""

from __future__ import annotations

import json
from functools import cache

import pandas as pd
from docutils import nodes
from docutils.parsers.rst import directives
from sphinx.application import Sphinx
from sphinx.util.docutils import SphinxDirective, SphinxRole

from vlmbias import ledger, paths
from vlmbias.notes import NOT_RUN

NAMES = {
    "causalface": "Hausladen et al. 2025",
    "american_white": "Wolfe & Caliskan 2022",
    "pretraining": "Ghate et al. 2025",
    "calibration": "Calibration: Steed & Caliskan 2021",
}
AUDIT = ("consistent", "inconsistent", "not checkable")
RERUN = ("reproduced (as described)", "reproduced (as released)", "differs", "not run")


def _depend(env, paper: str | None = None) -> None:
    """The page changes when the claims, or what the notebooks recorded, change."""
    files = (paths.data() / "claims").glob(f"{paper or ''}*.yaml")
    for path in [*files, *([] if paper else [paths.build() / "ledger.json"])]:
        env.note_dependency(str(path))


class ClaimRole(SphinxRole):
    """`` {claim}`we_they.clip.wa.d` ``: the value exactly as printed, with its place in the paper as a hint."""

    def run(self) -> tuple[list[nodes.Node], list[nodes.system_message]]:
        try:
            claim = ledger.claim(self.text)
        except ledger.LedgerError as problem:
            message = self.inliner.reporter.error(f"claim role: {problem}", line=self.lineno)
            return [self.inliner.problematic(self.rawtext, self.rawtext, message)], [message]
        _depend(self.env, claim.paper)
        hint = f"{NAMES.get(claim.paper, claim.paper)}, {claim.where}: {claim.quantity}, {claim.subject}"
        return [nodes.abbreviation(self.rawtext, claim.value, explanation=hint, classes=["vb-claim"])], []


def _result(text: str) -> str | None:
    """The glued result `<paper>/<notebook>::<key>[:format]`; None where it was not run."""
    notebook, _, rest = text.partition("::")
    key, _, form = rest.partition(":")
    if not key or not (paths.root() / "notebooks" / f"{notebook}.py").exists():
        raise ValueError(f"{text!r} is not <paper>/<notebook>::<key>[:format] of a notebook that exists")
    collected = paths.build() / "results.json"
    values = json.loads(collected.read_text("utf-8")).get(notebook, {}) if collected.exists() else {}
    return format(values[key], form) if values.get(key, NOT_RUN) != NOT_RUN else None


class ResultRole(SphinxRole):
    """`` {result}`calibration/ieat::largest-difference:.1e` ``: a result of a chapter, or *not run*."""

    def run(self) -> tuple[list[nodes.Node], list[nodes.system_message]]:
        self.env.note_dependency(str(paths.build() / "results.json"))
        try:
            value = _result(self.text)
        except (ValueError, TypeError) as problem:
            message = self.inliner.reporter.error(f"result role: {problem}", line=self.lineno)
            return [self.inliner.problematic(self.rawtext, self.rawtext, message)], [message]
        if value is None:
            return [nodes.emphasis(self.rawtext, "not run", classes=["vb-not-run"])], []
        return [nodes.inline(self.rawtext, value, classes=["vb-result"])], []


def _table(header: list[str], rows: list[list[str]], *, numbers_from: int | None = None) -> nodes.table:
    """A plain docutils table; columns from `numbers_from` on are numbers, aligned right."""
    group = nodes.tgroup(cols=len(header))
    group.extend(nodes.colspec(colwidth=1) for _ in header)
    head, body = nodes.thead(), nodes.tbody()
    for place, lines in ((head, [header]), (body, rows)):
        for line in lines:
            row = nodes.row()
            for column, text in enumerate(line):
                right = ["text-right"] if numbers_from is not None and column >= numbers_from else []
                row += nodes.entry("", nodes.paragraph(text=text), classes=right)
            place += row
    group.extend([head, body])
    return nodes.table("", group, classes=["vb-ledger"])


@cache
def _card() -> pd.DataFrame:
    return ledger.scorecard()


@cache
def _checks() -> pd.DataFrame:
    checks = ledger.audit()
    return checks[checks["rule"] != ""].merge(ledger.load()[["id", "quantity"]], left_on="claim", right_on="id")


def _summary(paper: str | None) -> list[nodes.Node]:
    """Claims per paper and verdict: audit and rerun."""
    wide = ledger.counts(_card()).pivot_table(index="paper", columns=["kind", "verdict"], values="claims", fill_value=0)
    result = []
    for kind, verdicts in (("audit", AUDIT), ("rerun", RERUN)):
        part = wide[kind].reindex(index=list(NAMES), columns=list(verdicts), fill_value=0).astype(int)
        rows = [[NAMES.get(str(name), str(name)), *map(str, row), str(sum(row))] for name, *row in part.itertuples()]
        totals = part.sum()
        rows.append(["All", *map(str, totals), str(totals.sum())])
        caption = {"audit": "Do the printed numbers agree with each other?", "rerun": "Do they come out again?"}[kind]
        result += [nodes.rubric(text=caption), _table(["", *verdicts, "claims"], rows, numbers_from=1)]
    return result


def _findings(paper: str | None) -> list[nodes.Node]:
    """Every check of a paper in one table, in the order of the paper, whether it holds or not."""
    checks = _checks()
    checks = checks[checks["paper"] == paper] if paper else checks
    hold = int((checks["verdict"] == "consistent").sum())
    not_ = len(checks) - hold
    line = f"{len(checks)} checks: {hold} hold, {not_} {'does' if not_ == 1 else 'do'} not."
    rows = []
    for row in checks.to_dict("records"):
        verdict = f"inconsistent ({row['severity']})" if row["severity"] else row["verdict"]
        reading = "" if row["reading"] in row["reason"] else f"Read as: {row['reading']}"
        found = ". ".join(filter(None, (row["reason"].rstrip("."), reading, row["note"])))
        rows.append([row["where"], f"{row['quantity']}: {row['subject']}", row["printed"], verdict, found])
    header = ["where", "claim", "printed", "verdict", "what was found"]
    return [nodes.paragraph(text=line), *([_table(header, rows)] if rows else [])]


def _claims(paper: str | None) -> list[nodes.Node]:
    """Every claim of a paper with both verdicts."""
    card = _card()
    rows = [
        [row["where"], f"{row['quantity']}: {row['subject']}", row["value"], row["audit"], row["rerun"]]
        for row in (card[card["paper"] == paper] if paper else card).to_dict("records")
    ]
    return [_table(["where", "claim", "printed", "audit", "rerun"], rows)]


class Scorecard(SphinxDirective):
    """`{scorecard} summary | findings | claims` with the option `:paper:`."""

    required_arguments = 1
    option_spec = {"paper": directives.unchanged}  # noqa: RUF012

    def run(self) -> list[nodes.Node]:
        _depend(self.env)
        views = {"summary": _summary, "findings": _findings, "claims": _claims}
        paper = self.options.get("paper")
        if self.arguments[0] not in views or paper not in (None, *ledger.load()["paper"]):
            raise self.error(f"scorecard shows {', '.join(views)} of a paper in data/claims; got {self.block_text}")
        return views[self.arguments[0]](paper)


def setup(app: Sphinx) -> dict:
    app.add_role("claim", ClaimRole())
    app.add_role("result", ResultRole())
    app.add_directive("scorecard", Scorecard)
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}
