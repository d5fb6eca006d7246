"""Printed numbers, results and verdicts on the pages of the book.

Comes in: the ledger (`data/claims`, the notebooks' records) and `_build/results.json`. Goes out:
the roles `{claim}` and `{result}`. May not: hold a number or a verdict of its own.
"""

from __future__ import annotations

import json

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.util.docutils import SphinxRole

from vlmbias import ledger, paths
from vlmbias.notes import NOT_RUN
from vlmbias.papers import PAPERS

NAMES = {name: paper.label for name, paper in PAPERS.items()}


def depend(env, paper: str | None = None) -> None:
    """The page changes when the claims, or what the notebooks recorded, change."""
    files = (paths.data() / "claims").glob(f"{paper or ''}*.yaml")
    for path in [*files, *([] if paper else [paths.build() / "ledger.json"])]:
        env.note_dependency(str(path))


class ClaimRole(SphinxRole):
    """`` {claim}`we_they.clip.wa.d` ``: the value exactly as printed, with its place in the paper
    as a hint."""

    def run(self) -> tuple[list[nodes.Node], list[nodes.system_message]]:
        try:
            claim = ledger.claim(self.text)
        except ledger.LedgerError as problem:
            message = self.inliner.reporter.error(f"claim role: {problem}", line=self.lineno)
            return [self.inliner.problematic(self.rawtext, self.rawtext, message)], [message]
        depend(self.env, claim.paper)
        own = " (read by us, not printed)" if claim.inferred == "us" else ""
        hint = (
            f"{NAMES.get(claim.paper, claim.paper)}, {claim.where}: {claim.quantity},"
            f" {claim.subject}{own}"
        )
        return [
            nodes.abbreviation(self.rawtext, claim.value, explanation=hint, classes=["vb-claim"])
        ], []


def result(text: str) -> str | None:
    """The glued result `<paper>/<notebook>::<key>[:format]`; None where it was not run."""
    notebook, _, rest = text.partition("::")
    key, _, form = rest.partition(":")
    if not key or not (paths.root() / "notebooks" / f"{notebook}.py").exists():
        raise ValueError(
            f"{text!r} is not <paper>/<notebook>::<key>[:format] of a notebook that exists"
        )
    collected = paths.build() / "results.json"
    values = (
        json.loads(collected.read_text("utf-8")).get(notebook, {}) if collected.exists() else {}
    )
    return format(values[key], form) if values.get(key, NOT_RUN) != NOT_RUN else None


class ResultRole(SphinxRole):
    """`` {result}`calibration/ieat::largest-difference:.1e` ``: a result of a chapter. Where it is
    missing, its sentence is not printed (`not_run`)."""

    def run(self) -> tuple[list[nodes.Node], list[nodes.system_message]]:
        self.env.note_dependency(str(paths.build() / "results.json"))
        try:
            value = result(self.text)
        except (ValueError, TypeError) as problem:
            message = self.inliner.reporter.error(f"result role: {problem}", line=self.lineno)
            return [self.inliner.problematic(self.rawtext, self.rawtext, message)], [message]
        if value is None:
            return [nodes.emphasis(self.rawtext, "not run", classes=["vb-not-run"])], []
        return [nodes.inline(self.rawtext, value, classes=["vb-result"])], []


def setup(app: Sphinx) -> dict:
    app.add_role("claim", ClaimRole())
    app.add_role("result", ResultRole())
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}
