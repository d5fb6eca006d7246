"""The scorecard: every record of the ledger with its verdicts, findings first, with a filter
(`scorecard.js`) and a CSV file: the directive `{scorecard}`."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from functools import cache
from html import escape
from pathlib import Path
from typing import Any

import computed
import pandas as pd
from claims_on_pages import NAMES
from sphinx.application import Sphinx

from vlmbias import ledger, paths
from vlmbias.number_signs import counted

CLAIMED = tuple(verdict for verdict in ledger.VERDICTS if verdict != "input")
NOT_RUN = "not run"
RERUN = ("reproduced (as described)", "reproduced (as released)", "differs", NOT_RUN)
CSV = "ledger.csv"
EARLIER = "earlier appendix"
# reasons that say no more than the verdict beside them
SAY_NO_MORE = ("nothing printed to set it against", "a value of ours, no claim of the paper")
SUPERSEDED = (
    f"These are about the appendix of an earlier version of {NAMES['causalface']}, with numbers"
    " that the published paper does not give. The published paper no longer prints it."
)
# why nothing was set beside a printed value, as the ledger words it, and in a few words
REASONS = {
    "it used": "another data set or model was used",
    "recorded no value": "its chapter records no value",
    "our own count": "the value is our own count",
}


@cache
def _card() -> pd.DataFrame:
    """The ledger's card, with a rerun's verdict and its reason in brackets apart."""
    card = ledger.scorecard()
    parts = card["rerun"].str.partition(" (because ")
    return card.assign(rerun=parts[0], why=parts[2].str.removesuffix(")"))


@cache
def _checks() -> pd.DataFrame:
    checks = ledger.audit()
    return checks[checks["rule"] != ""]


def _anchor(claim: str) -> str:
    return f"record-{claim.replace('.', '-')}"


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


def _reconciled(paper: str | None = None) -> str:
    """Findings, records and checks in one sentence."""
    card, checks = _of(_card(), paper), _of(_checks(), paper)
    found = counted(len(ledger.findings(checks)), "finding")
    out = ledger.tally(checks)
    concerned, part, nothing = (
        int((card["audit"] == verdict).sum())
        for verdict in ("inconsistent", "checked as part of", "not checkable")
    )
    printed = len(_printed(card))
    return "".join(
        f"<p>{text}</p>"
        for text in (
            f"The ledger holds {counted(printed, 'printed claim')}"
            f"{' of this paper' if paper else ''}, set against one another by"
            f" {counted(out['n'], 'check')}.",
            f"Of these checks, {out['hold']} hold, {out['but_for']} hold but for exceptions that"
            f" are named, and {out['fail']} do not hold.",
            f"The checks that do not hold come down to {found}, one for each cause, on"
            f" {counted(concerned, 'claim')}. Of the other claims, {part} serve only to check"
            f" another one, and {nothing} cannot be checked. The rest agree, some with named"
            " exceptions.",
            f"Besides, {counted(len(card) - printed, 'value')} are ours: we counted them, or read"
            " them off a figure, because a check or a redrawn figure needs them. They are no"
            " claims of the papers, so they get no verdict.",
        )
    )


def _findings(paper: str | None = None) -> str:
    """One line and one link per finding, the gravest first; those about the earlier appendix
    apart."""
    parts = _apart(ledger.findings(_of(_checks(), paper)))
    return _published_and_earlier(*(_lines(part, paper) for part in parts))


def _published_and_earlier(published: list[str], earlier: list[str]) -> str:
    return _list(published) + (f"<p>{SUPERSEDED}</p>" + _list(earlier) if earlier else "")


def _lines(found: pd.DataFrame, paper: str | None) -> list[str]:
    items = []
    for row in found.to_dict("records"):
        (first, *others), finding = row["claims"], escape(row["finding"])
        if paper:  # names of records say nothing to readers of a paper's page
            whose, linked = "", _link(first, "scorecard.html", finding)
        else:
            whose = f"{escape(NAMES.get(row['paper'], row['paper']))}, "
            more = f" and {counted(len(others), 'more record')}" if others else ""
            linked = f"{finding}: {_link(first)}{more}"
        place = whose + escape(row["where"])
        items.append(f"<strong>{row['severity']}</strong> · {place}: {linked}")
    return items


def _reruns() -> str:
    """What has been computed anew, with the value found beside the printed one; and why the rest
    has not."""
    card = _card()
    run = card[card["rerun"] != NOT_RUN]
    claimed, read = len(_printed(run)), len(run) - len(_printed(run))
    card = run.to_dict("records")
    rows = [[escape(row["rerun"]), _record(row), _value(row), escape(_found(row))] for row in card]
    why = _printed(_card().drop(run.index))["why"].map(
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
    return line + folded(["verdict", "record", "printed", "found"], rows, card)


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


def _exceptions() -> str:
    """Sentences that hold but for what is named."""
    card = _card()
    excepted = card[card["audit"] == "consistent but for"]
    return _published_and_earlier(*(_excepted(part) for part in _apart(excepted)))


def _excepted(card: pd.DataFrame) -> list[str]:
    items = []
    for row in card.to_dict("records"):
        place = f"{escape(NAMES.get(row['paper'], row['paper']))}, {escape(row['where'])}"
        words = escape(row["value"])
        quoted = f"“{words}”" if ledger.claim(row["id"]).verbatim else words
        items.append(f"{place}, {quoted}: {escape(row['verdict'])}: {_link(row['id'])}")
    return items


def _summary() -> str:
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
    return text


def _record(row: dict, *, place: bool = True) -> str:
    where = f"{escape(row['where'])}: " if place else ""
    return f"<code>{row['id']}</code><br>{where}{escape(row['quantity'])}, {escape(row['subject'])}"


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


def _records() -> str:
    """Every record with both verdicts, folded by chapter; the page's script filters, at first to
    what does not hold."""
    card, said, rows, marks = _card().to_dict("records"), {}, [], []
    for row, told in zip(card, _told(_card()), strict=True):
        severity = f" ({row['severity']})" if row["severity"] else ""
        verdict = f"<strong>{escape(row['verdict'])}{severity}</strong>"
        ran = "" if row["rerun"] == NOT_RUN else row["rerun"]  # that is said for a whole chapter
        rerun = "; ".join(filter(None, (ran, row["found"])))
        first = said.setdefault((row["notebook"], told), row["id"])
        repeated = first != row["id"] and len(told.split()) > 4
        short = repeated and row["audit"] not in ("inconsistent", "consistent but for")
        found = f"as {_link(first)}" if short else escape(told)
        record = _record(row, place=False)  # it stands above the row
        rows.append([verdict, record, _value(row), escape(rerun), found])
        marks.append(
            {
                "id": _anchor(row["id"]),
                "data-paper": NAMES.get(row["paper"], row["paper"]),
                "data-chapter": row["notebook"],
                "data-audit": row["audit"],
                "data-rerun": row["rerun"],
            }
        )
    head = ["verdict", "record", "printed", "found by a rerun", "what was found"]
    folds = folded(head, rows, card, name="records", marks=marks)
    script = Path(__file__).with_suffix(".js").read_text("utf-8")
    return f'<div class="vb-filter" hidden></div>{folds}<script>{script}</script>'


def _told(card: pd.DataFrame) -> list[str]:
    """What the checks of each record found, and how it was read, without what its verdict says."""
    own = _checks().groupby("claim")
    readings, notes = own["reading"].agg(_joined), own["note"].agg(lambda one: _joined(one, " "))
    texts = []
    for row in card.to_dict("records"):
        reason = "" if row["reason"] in SAY_NO_MORE else row["reason"].replace("; not: none", "")
        reading = readings.get(row["id"], "")
        parts = [
            ("", reason),
            ("Tested: ", row["criterion"]),
            ("Read as: ", "" if f"fits {reading}" in reason else reading),
            ("", notes.get(row["id"], "") or row["note"]),
        ]
        texts.append(". ".join(words + text.rstrip(".") for words, text in parts if text))
    return texts


def _not_run(card: Sequence[Mapping[str, Any]]) -> str:
    """Why records of one chapter were not found by a rerun, each reason once, with their number."""
    reasons = Counter(row["why"].replace(row["notebook"], "it") for row in card)
    told = [f"{counted(n, 'record')} because {reason}" for reason, n in reasons.items() if reason]
    return f"<p>Not run in this chapter: {escape('; '.join(told))}.</p>" if told else ""


def _joined(texts: pd.Series, by: str = "; ") -> str:
    """Texts that are not empty, each once."""
    return by.join(dict.fromkeys(filter(None, texts)))


# --- tables of records ----------------------------------------------------------------------------


def html_table(
    header: Sequence[str],
    rows: Sequence[Sequence[str]],
    classes: str,
    marks: Sequence[Mapping[str, str]] = (),
    places: Sequence[str] = (),
) -> str:
    """A table of cells in HTML; every cell carries its column's name, for narrow screens, every row
    its marks. Rows that follow each other in one place stand under a heading that names it."""
    parts: list[list[str]] = []
    for number, row in enumerate(rows):
        own = marks[number].items() if marks else ()
        attributes = "".join(f' {mark}="{escape(text)}"' for mark, text in own)
        cells = zip(header, row, strict=True)
        shown = "".join(f'<td data-label="{column}">{cell}</td>' for column, cell in cells)
        if not number or (places and places[number] != places[number - 1]):
            parts.append([])
            if places:
                place = f'colspan="{len(header)}" scope="rowgroup">{escape(places[number])}'
                parts[-1].append(f'<tr class="vb-place"><th {place}</th></tr>')
        parts[-1].append(f"<tr{attributes}>{shown}</tr>")
    head = "".join(f"<th>{column}</th>" if column else "<td></td>" for column in header)
    bodies = "".join(f"<tbody>{''.join(part)}</tbody>" for part in parts)
    return (
        f'<div class="vb-scroll"><table class="table vb-ledger {classes}">'
        f"<thead><tr>{head}</tr></thead>{bodies}</table></div>"
    )


def folded(
    header: Sequence[str],
    rows: Sequence[Sequence[str]],
    card: Sequence[Mapping[str, Any]],
    *,
    name: str = "",
    marks: Sequence[Mapping[str, str]] = (),
) -> str:
    """The rows of records, folded by chapter in the order in which they come; how many do not hold
    stands outside."""
    parts: dict[str, list[int]] = {}
    for number, row in enumerate(card):
        parts.setdefault(row["notebook"], []).append(number)
    folds = []
    for notebook, own in parts.items():
        paper = NAMES.get(card[own[0]]["paper"], card[own[0]]["paper"])
        where = ", ".join(filter(None, (paper, notebook and title(notebook))))
        failed = sum(card[n]["audit"] == "inconsistent" for n in own)
        held = f"{counted(len(own), 'record')}, {failed or 'none'} inconsistent"
        shown = html_table(
            *_without_empty(header, [rows[n] for n in own]),
            "vb-cards",
            [marks[n] for n in own] if marks else (),
            [card[n]["where"] for n in own] if name else (),
        )
        ident = f' id="{name}-of-{notebook.replace("/", "-")}"' if name else ""
        folds.append(
            f'<details class="vb-chapter-records"{ident}><summary>{escape(where)}:'
            f' <span class="vb-shown">{held}</span></summary>'
            f"{_not_run([card[n] for n in own])}{shown}</details>"
        )
    ident = f' id="{name}"' if name else ""
    return f'<div class="vb-folds"{ident}>{"".join(folds)}</div>' if folds else ""


def _without_empty(
    header: Sequence[str], rows: Sequence[Sequence[str]]
) -> tuple[list[str], list[list[str]]]:
    """A table without the columns in which no row has anything."""
    kept = [column for column in range(len(header)) if any(row[column] for row in rows)]
    return [header[column] for column in kept], [[row[column] for column in kept] for row in rows]


def title(notebook: str) -> str:
    """The title of a chapter."""
    source = paths.root() / "notebooks" / f"{notebook}.py"
    text = source.read_text("utf-8") if source.is_file() else ""
    heading = re.search(r"^# # (.+)$", text, re.MULTILINE)
    return heading[1] if heading else notebook


# --- on the page ----------------------------------------------------------------------------------

VIEWS = {
    "sentence": _reconciled,
    "findings": _findings,
    "reruns": _reruns,
    "exceptions": _exceptions,
    "summary": _summary,
    "records": _records,
}


ONE_PAPER = ("sentence", "findings")


def scorecard(page: str, view: str, paper: str = "") -> str:
    """`{scorecard}` with one of the `VIEWS`, or `download`: a link to the ledger as a CSV file.

    `sentence` and `findings` can be asked of one paper: `{scorecard} findings pretraining`.
    """
    if view == "download":
        place = f"{computed.up(page)}_static/{CSV}"
        return f'<p><a href="{place}" download>The whole ledger as a CSV file</a></p>'
    if view not in VIEWS:
        raise ValueError(f"the views are download, {', '.join(VIEWS)}")
    if not paper:
        return VIEWS[view]()
    if view not in ONE_PAPER or paper not in NAMES:
        raise ValueError(f"of one paper there are {', '.join(ONE_PAPER)}, of {', '.join(NAMES)}")
    return VIEWS[view](paper)


def write_csv(app: Sphinx, error: Exception | None) -> None:
    """The ledger as a file beside the pages."""
    if not error and app.builder.format == "html":
        ledger.write_csv(Path(app.outdir, "_static", CSV))


def setup(app: Sphinx) -> None:
    computed.directive(app, "scorecard", lambda *asked: computed.html(scorecard(*asked)))
    app.connect("build-finished", write_csv)
