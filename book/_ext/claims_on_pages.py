"""Printed numbers and results on the pages of the book: the roles `{claim}` and `{result}`."""

from __future__ import annotations

import computed
from docutils import nodes
from sphinx.application import Sphinx
from sphinx.util import logging

from runner.glued_values import collected
from vlmbias import ledger, paths
from vlmbias.notes import NOT_RUN
from vlmbias.papers import PAPERS

NAMES = {name: paper.label for name, paper in PAPERS.items()}


def claim(page: str, text: str) -> nodes.Node:
    """`` {claim}`we_they.clip.wa.d` ``: the value exactly as printed, with its place in the paper
    as a hint."""
    one = ledger.claim(text)
    own = " (read by us, not printed)" if one.inferred == "us" else ""
    place = f"{NAMES.get(one.paper, one.paper)}, {one.where}"
    hint = f"{place}: {one.quantity}, {one.subject}{own}"
    return nodes.abbreviation("", one.value, explanation=hint, classes=["vb-claim"])


def result(text: str) -> str | None:
    """The glued result `<paper>/<notebook>::<key>[:format]`; None where it was not run."""
    notebook, _, rest = text.partition("::")
    key, _, form = rest.partition(":")
    if not key or not (paths.root() / "notebooks" / f"{notebook}.py").exists():
        raise ValueError(
            f"{text!r} is not <paper>/<notebook>::<key>[:format] of a notebook that exists"
        )
    value = collected().get(notebook, {}).get(key, NOT_RUN)
    return format(value, form) if value != NOT_RUN else None


def printed(page: str, text: str) -> nodes.Node:
    """`` {result}`calibration/ieat::largest-difference:.1e` ``: a result of a chapter. Sentences
    that lack one are left out where pages are staged (`runner.statements`)."""
    value = result(text)
    if value is None:
        logging.getLogger(__name__).warning("%s was not run", text, location=page)
        return nodes.emphasis("", NOT_RUN, classes=["vb-not-run"])
    return nodes.inline("", value, classes=["vb-result"])


def setup(app: Sphinx) -> None:
    computed.role(app, "claim", claim)
    computed.role(app, "result", printed)
