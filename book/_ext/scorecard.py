"""The scorecard: every record of the ledger with its verdicts, findings first, with a filter and a
CSV file.

Comes in: the ledger. Goes out: the directive `{scorecard}` and, beside the pages,
`_static/ledger.csv`. May not: hold a number or a verdict of its own, or need a server: the filter
(`scorecard.js`) is part of the page.
"""

from __future__ import annotations

from functools import cache
from html import escape
from pathlib import Path

import pandas as pd
from claims_on_pages import NAMES, depend
from docutils import nodes
from record_tables import counted, folded, html_table
from sphinx.application import Sphinx
from sphinx.util.docutils import SphinxDirective

from vlmbias import ledger

CLAIMED = tuple(verdict for verdict in ledger.VERDICTS if verdict != "input")
RERUN = ("reproduced (as described)", "reproduced (as released)", "differs", "not run")
CSV = "ledger.csv"
EARLIER = "earlier appendix"
SUPERSEDED = (
    f"These are about the appendix of an earlier version of {NAMES['causalface']}, with numbers"
    " that the published paper does not give. The published paper no longer prints it."
)
# why nothing was set beside a printed value, as the ledger words it, and in a few words
REASONS = {
    "because it used": "another data set or model was used",
    "recorded no value": "its chapter records no value",
    "our own count": "the value is our own count",
}


@cache
def _card() -> pd.DataFrame:
    return ledger.scorecard()


@cache
def _checks() -> pd.DataFrame:
    checks = ledger.audit()
    return checks[checks["rule"] != ""]


def _anchor(claim: str) -> str:
    return f"record-{claim.replace('.', '-')}"


def _html(text: str) -> list[nodes.Node]:
    return [nodes.raw("", text, format="html")]


def _list(items: list[str]) -> str:
    return f"<ul>{''.join(f'<li>{item}</li>' for item in items)}</ul>" if items else "<p>None.</p>"


def _link(claim: str, page: str = "", text: str = "") -> str:
    shown = text or f"<code>{claim}</code>"
    return f'<a class="vb-record" href="{page}#{_anchor(claim)}">{shown}</a>'


def _of(table: pd.DataFrame, paper: str | None) -> pd.DataFrame:
    """The rows about one paper; all of them if none is named."""
    return table if paper is None else table[table["paper"] == paper]


def _printed(card: pd.DataFrame) -> pd.DataFrame:
    """The records of what a paper prints; the others are values of ours, inputs of checks."""
    return card[card["inferred"] == "paper"]


def _apart(table: pd.DataFrame) -> tuple[pd.DataFrame, pd.DataFrame]:
    """The rows about the published papers, and those about the earlier version's appendix."""
    earlier = table["where"].str.contains(EARLIER, case=False)
    return table[~earlier], table[earlier]


def _reconciled(paper: str | None = None, **_: str) -> list[nodes.Node]:
    """Findings, records and checks in one sentence."""
    card, checks = _of(_card(), paper), _of(_checks(), paper)
    found = counted(len(ledger.findings(checks)), "finding")
    hold, but, failed = (
        int((checks["verdict"] == verdict).sum())
        for verdict in ("consistent", "consistent but for", "inconsistent")
    )
    concerned, part, nothing = (
        int((card["audit"] == verdict).sum())
        for verdict in ("inconsistent", "checked as part of", "not checkable")
    )
    printed = len(_printed(card))
    texts = (
        f"The ledger holds {counted(printed, 'printed claim')}{' of this paper' if paper else ''},"
        f" set against one another by {counted(len(checks), 'check')}.",
        f"Of these checks, {hold} hold, {but} hold but for exceptions that are named, and {failed}"
        " do not hold.",
        f"The checks that do not hold come down to {found}, one for each cause, on"
        f" {counted(concerned, 'claim')}. Of the other claims, {part} serve only to check another"
        f" one, and {nothing} cannot be checked."
        " The rest agree, some with named exceptions.",
        f"Besides, {counted(len(card) - printed, 'value')} are ours: we counted them, or read them"
        " off a figure, because a check or a redrawn figure needs them. They are no claims of the"
        " papers, so they get no verdict.",
    )
    return [nodes.paragraph(text=text) for text in texts]


def _findings(paper: str | None = None, page: str = "") -> list[nodes.Node]:
    """One line and one link per finding, the gravest first; those about the earlier appendix
    apart."""
    published, earlier = _apart(ledger.findings(_of(_checks(), paper)))
    text = _list(_lines(published, paper, page))
    if len(earlier):
        text += f"<p>{SUPERSEDED}</p>" + _list(_lines(earlier, paper, page))
    return _html(text)


def _lines(found: pd.DataFrame, paper: str | None, page: str) -> list[str]:
    items = []
    for row in found.to_dict("records"):
        first, finding = row["claims"][0], escape(row["finding"])
        more = (
            f" and {counted(len(row['claims']) - 1, 'more record')}"
            if len(row["claims"]) > 1
            else ""
        )
        whose = "" if paper else f"{escape(NAMES.get(row['paper'], row['paper']))}, "
        linked = (
            _link(first, page, finding)
            if page  # names of records say nothing to readers of a paper's page
            else f"{finding}: {_link(first)}{more}"
        )
        items.append(
            f"<strong>{row['severity']}</strong> · {whose}{escape(row['where'])}: {linked}"
        )
    return items


def _reruns() -> list[nodes.Node]:
    """What has been computed anew, with the value found beside the printed one; and why the rest
    has not."""
    card = _card()
    run = card[~card["rerun"].str.startswith("not run")]
    claimed, read = len(_printed(run)), len(run) - len(_printed(run))
    card = run.to_dict("records")
    rows = [[escape(row["rerun"]), _record(row), _value(row), escape(_found(row))] for row in card]
    why = _printed(_card().drop(run.index))["rerun"].map(
        lambda text: next((words for key, words in REASONS.items() if key in text), text)
    )
    reasons = "; ".join(
        f"{counted(count, 'claim')}: {words}" for words, count in why.value_counts().items()
    )
    more = f", and {counted(read, 'value')} that we read off a figure" if read else ""
    line = (
        f"<p>{counted(claimed, 'printed claim')} computed anew{more}. Not run:"
        f" {escape(reasons or 'none')}.</p>"
    )
    return _html(
        line + (folded(["verdict", "record", "printed", "found"], rows, card) if rows else "")
    )


def _found(row: dict) -> str:
    """What was found; of a sentence, whether what was tested holds, and the note where it does
    not."""
    if row["unit"] != "statement":
        return row["found"]
    words = row["found"].replace("True", "holds").replace("False", "does not hold")
    tested = row["criterion"] and f": {row['criterion']}"
    return f"{words}{tested}" + (
        f". {row['note']}" if row["rerun"] == "differs" and row["note"] else ""
    )


def _exceptions() -> list[nodes.Node]:
    """Sentences that hold but for what is named."""
    card = _card()
    published, earlier = (
        _excepted(part) for part in _apart(card[card["audit"] == "consistent but for"])
    )
    return _html(_list(published) + (f"<p>{SUPERSEDED}</p>" + _list(earlier) if earlier else ""))


def _excepted(card: pd.DataFrame) -> list[str]:
    items = []
    for row in card.to_dict("records"):
        place = f"{escape(NAMES.get(row['paper'], row['paper']))}, {escape(row['where'])}"
        words = escape(row["value"])
        quoted = f"“{words}”" if ledger.claim(row["id"]).verbatim else words
        items.append(f"{place}, {quoted}: {escape(row['verdict'])}: {_link(row['id'])}")
    return items


def _summary() -> list[nodes.Node]:
    """Printed claims per paper and verdict, audit and rerun; the earlier appendix has a row of its
    own."""
    published, earlier = _apart(_printed(_card()))
    card = pd.concat([published, earlier.assign(paper=EARLIER)])
    wide = ledger.counts(card).pivot_table(
        index="paper", columns=["kind", "verdict"], values="claims", fill_value=0
    )
    text, names = "", {**NAMES, EARLIER: f"{NAMES['causalface']}, {EARLIER}"}
    for kind, verdicts, caption in (
        ("audit", CLAIMED, "Do the printed numbers agree with each other?"),
        ("rerun", RERUN, "Do they come out again?"),
    ):
        part = (
            wide[kind].reindex(index=list(names), columns=list(verdicts), fill_value=0).astype(int)
        )
        rows = [
            [names[str(name)], *map(str, row), str(sum(row))] for name, *row in part.itertuples()
        ]
        rows.append(["All", *map(str, part.sum()), str(int(part.to_numpy().sum()))])
        text += f'<p class="rubric">{caption}</p>' + html_table(
            ["", *verdicts, "claims"], rows, "vb-counts"
        )
    return _html(text)


def _record(row: dict) -> str:
    return (
        f"<code>{row['id']}</code><br>{escape(row['where'])}: {escape(row['quantity'])},"
        f" {escape(row['subject'])}"
    )


def _value(row: dict) -> str:
    """The value; marked where it is ours, or says in words of ours what a sentence says."""
    if row["inferred"] == "us":
        return f"<em>ours:</em> {escape(row['value'])}"
    mark = (
        ""
        if row["unit"] != "statement" or ledger.claim(row["id"]).verbatim
        else "<em>in our words:</em> "
    )
    return mark + escape(row["value"])


def _records() -> list[nodes.Node]:
    """Every record with both verdicts, folded by chapter; the page's script filters, at first to
    what does not hold."""
    readings = (
        _checks()
        .groupby("claim")["reading"]
        .agg(lambda own: "; ".join(dict.fromkeys(filter(None, own))))
    )
    notes = (
        _checks()
        .groupby("claim")["note"]
        .agg(lambda own: " ".join(dict.fromkeys(filter(None, own))))
    )
    header, rows, marks = (
        ["verdict", "record", "printed", "found by a rerun", "what was found"],
        [],
        [],
    )
    card = _card().to_dict("records")
    for row in card:
        severity = f" ({row['severity']})" if row["severity"] else ""
        parts = [
            ("", row["reason"]),
            ("Tested: ", row["criterion"]),
            ("Read as: ", readings.get(row["id"], "")),
            ("", notes.get(row["id"], "") or row["note"]),
        ]
        found = ". ".join(words + text.rstrip(".") for words, text in parts if text)
        rerun = "; ".join(filter(None, (row["rerun"], row["found"])))
        rows.append(
            [
                f"<strong>{escape(row['verdict'])}{severity}</strong>",
                _record(row),
                _value(row),
                escape(rerun),
                escape(found),
            ]
        )
        marks.append(
            {
                "id": _anchor(row["id"]),
                "data-paper": NAMES.get(row["paper"], row["paper"]),
                "data-chapter": row["notebook"],
                "data-audit": row["audit"],
                "data-rerun": row["rerun"].partition(" (because")[0],
            }
        )
    script = Path(__file__).with_suffix(".js").read_text("utf-8")
    folds = folded(header, rows, card, name="records", marks=marks)
    return _html(f'<div class="vb-filter" hidden></div>{folds}<script>{script}</script>')


VIEWS = {
    "sentence": _reconciled,
    "findings": _findings,
    "reruns": _reruns,
    "exceptions": _exceptions,
    "summary": _summary,
    "records": _records,
}


ONE_PAPER = ("sentence", "findings")


class Scorecard(SphinxDirective):
    """`{scorecard}` with one of the `VIEWS`, or `download`: a link to the ledger as a CSV file.

    `sentence` and `findings` can be asked of one paper: `{scorecard} findings pretraining`.
    """

    required_arguments, optional_arguments = 1, 1

    def run(self) -> list[nodes.Node]:
        depend(self.env)
        view, papers = self.arguments[0], self.arguments[1:]
        if view == "download":
            up = "../" * self.env.docname.count("/")
            return _html(
                f'<p><a href="{up}_static/{CSV}" download>The whole ledger as a CSV file</a></p>'
            )
        if view not in VIEWS:
            raise self.error(f"scorecard shows download, {', '.join(VIEWS)}; got {self.block_text}")
        if not papers:
            return VIEWS[view]()
        if view not in ONE_PAPER or papers[0] not in NAMES:
            raise self.error(
                f"scorecard: of one paper it shows {', '.join(ONE_PAPER)}, of {', '.join(NAMES)}; "
                f"got {self.block_text}"
            )
        return VIEWS[view](papers[0], page="scorecard.html")


def write_csv(app: Sphinx, error: Exception | None) -> None:
    """The ledger as a file beside the pages."""
    if not error and app.builder.format == "html":
        ledger.write_csv(Path(app.outdir, "_static", CSV))


def setup(app: Sphinx) -> dict:
    app.add_directive("scorecard", Scorecard)
    app.connect("build-finished", write_csv)
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}
