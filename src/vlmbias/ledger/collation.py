"""The ledger as tables: claims, audit, scorecard; one row per claim, check or finding."""

from collections.abc import Callable
from dataclasses import asdict
from functools import lru_cache
from typing import Any

import pandas as pd

from audit.findings import Finding, qualified
from audit.printed import parse
from audit.rules import RULES
from vlmbias.ledger.claims import Check, Claim, LedgerError, claim, claims, matching, state
from vlmbias.ledger.results import recorded, rerun_verdict
from vlmbias.number_signs import counted

# the gravest first; "input" is for values of ours, which the checks use
VERDICTS = (
    "inconsistent",
    "consistent but for",
    "consistent",
    "checked as part of",
    "not checkable",
    "input",
)
# the same as words before a number, for readers who have not seen the scorecard
_SAID = (
    "at odds with what else it prints:",
    "in agreement but for a part:",
    "in agreement:",
    "checked together with another:",
    "not to be checked in this way:",
)
SEVERITIES = ("conclusion", "number", "wording", "")
_HEAD = ("paper", "notebook", "where", "quantity", "subject", "inferred", "relation", "criterion")


def load(paper: str | None = None) -> pd.DataFrame:
    """One row per claim, one column per field of `Claim`; of one paper where `paper` is given.

    Examples
    --------
    >>> claims = vb.ledger.load("causalface").set_index("id")
    >>> claims.loc["variation.seeds", ["where", "value", "unit"]].to_dict()
    {'where': 'Section 2.2', 'value': '100', 'unit': 'count'}
    """
    return pd.DataFrame([one.model_dump(exclude={"audit"}) for one in claims(paper).values()])


def _inputs(given: str | list[str]) -> list[Claim]:
    """The claims that a check's argument names; constants are none."""
    if isinstance(given, list):
        return [one for part in given for one in _inputs(part)]
    return [] if parse(given) else matching(given)


def _numbers(given: str | list[str]) -> Any:
    """A check's argument as printed numbers, or words; a list where a list or a pattern is
    given."""
    if isinstance(given, list):
        parts = [_numbers(one) for one in given]
        return [number for part in parts for number in (part if isinstance(part, list) else [part])]
    if (constant := parse(given, tolerance=0)) is not None:
        return constant
    found = [one.printed or one.value for one in matching(given)]
    return found if "*" in given else found[0]


def _finding(about: Claim, check: Check) -> Finding:
    """What a check's rule says of its claim."""
    rule: Callable[..., Finding] = RULES[check.rule]
    try:
        given = {role: _numbers(one) for role, one in check.of.items()}
        value = given.pop("value", about.printed or about.value)
        return qualified(rule(value, **given), check.says)
    except (AttributeError, KeyError, TypeError, ValueError, ZeroDivisionError) as problem:
        place = f"claims/{about.paper}*.yaml, claim {about.id}"
        raise LedgerError(f"{place}: rule {check.rule} cannot be applied: {problem}") from problem


def _head(one: Claim) -> dict[str, Any]:
    """What a row says of its claim; a value of ours never stands under "printed"."""
    ours = one.inferred == "us"
    about = {name: getattr(one, name) for name in _HEAD}
    value = {"printed": "" if ours else one.value, "ours": one.value if ours else ""}
    nothing = {"beside": (), **dict.fromkeys(("rule", "severity", "finding", "reading"), "")}
    return about | {"claim": one.id} | value | nothing | {"exceptions": ()}


def _beside(one: Claim, check: Check) -> tuple[str, ...]:
    """The printed claims that a check sets against its own one to one: a finding concerns them as
    much. Words judged by numbers do not judge them."""
    given = [name for name in check.of.values() if isinstance(name, str) and "*" not in name]
    named = [name for name in given if one.printed and parse(name) is None]
    return tuple(name for name in named if claim(name).inferred == "paper")


def _checks(one: Claim) -> list[dict[str, Any]]:
    """One row per check of a claim."""
    rows = []
    for check in one.audit:
        row = _head(one) | asdict(_finding(one, check))
        row |= {"rule": check.rule, "note": check.note or one.note, "beside": _beside(one, check)}
        if row["verdict"] == "inconsistent":
            row |= {"severity": check.severity, "finding": check.cause or one.id}
        rows.append(row)
    return rows


def audit(paper: str | None = None) -> pd.DataFrame:
    """One row per audit check, and one per claim that has none of its own; worked out once for the
    same claim files.

    Columns: paper, notebook, claim, where, quantity, subject, printed, ours (a value that we read
    or counted, which the paper does not print), inferred, relation, criterion, beside (the claims
    it is set against one to one: the finding concerns them as much), rule, verdict (one of
    `VERDICTS`; "input" for ours), exceptions (but for which; or in the checks of which claims),
    severity (conclusion, number or wording; only for an inconsistent one), finding (checks that
    fail for one cause share it), reading (the one under which it holds), reason, note.

    Examples
    --------
    >>> checks = vb.ledger.audit("causalface").set_index("claim")
    >>> checks.loc["age.only-agency", ["verdict", "severity"]].to_dict()
    {'verdict': 'inconsistent', 'severity': 'wording'}
    """
    return _audited(paper, state())[0].copy()


@lru_cache(maxsize=8)
def _audited(paper: str | None, of: tuple) -> tuple[pd.DataFrame, pd.DataFrame]:
    """The audit of claim files in this state, and `per_claim` of it."""
    rows, own = [], claims(paper).values()
    checked = {one.id: _checks(one) for one in own}
    concerned = {name for one in own for check in one.audit for name in _beside(one, check)}
    part_of: dict[str, list[str]] = {}
    for one in own:
        for used in (
            used for check in one.audit for given in check.of.values() for used in _inputs(given)
        ):
            part_of.setdefault(used.id, []).append(one.id)
    for one in own:
        rows += checked[one.id]
        if not one.audit and one.id not in concerned:
            checks = tuple(dict.fromkeys(part_of.get(one.id, ())))
            verdict, reason = "not checkable", "nothing printed to set it against"
            if one.inferred == "us":
                verdict, reason = "input", "a value of ours, no claim of the paper"
            elif checks:
                verdict, reason = "checked as part of", ""
            about = {"verdict": verdict, "exceptions": checks, "reason": reason, "note": one.note}
            rows.append(_head(one) | about)
    found = pd.DataFrame(rows).drop(columns="cases", errors="ignore")  # of no check there is no row
    return found, per_claim(found)


def tally(checks: pd.DataFrame) -> dict[str, int]:
    """How many checks there are, and how they come out: how many hold, hold but for exceptions that
    are named, and fail.

    Parameters
    ----------
    checks : rows of `audit` that have a rule, such as those of one chapter.

    Examples
    --------
    >>> checks = vb.ledger.audit("causalface").query("rule != ''")
    >>> of = vb.ledger.tally(checks[checks["notebook"] == "causalface/smiling"])
    >>> of["n"] == of["hold"] + of["but_for"] + of["fail"]
    True
    """
    called = {"hold": "consistent", "but_for": "consistent but for", "fail": "inconsistent"}
    counted_as = {name: int((checks["verdict"] == one).sum()) for name, one in called.items()}
    return {"n": len(checks), **counted_as}


def in_words(verdict: str, exceptions: tuple[str, ...]) -> str:
    """A verdict with what it names: "consistent but for A and B", "checked as part of c and 4
    more".

    An input is "used in the check of c", or "used in no check".
    """
    if len(exceptions) > 4:
        exceptions = (*exceptions[:3], f"{len(exceptions) - 3} more")
    between = "; " if any(", " in one for one in exceptions) else ", "
    named = " and ".join(filter(None, (between.join(exceptions[:-1]), *exceptions[-1:])))
    if verdict == "input":
        return f"used in the check of {named}" if named else "used in no check"
    return f"{verdict} {named}" if verdict.endswith((" for", " of")) else verdict


def per_claim(checks: pd.DataFrame) -> pd.DataFrame:
    """One row per claim: its gravest audit verdict, in one word and in words, with severity,
    finding and reasons."""
    concerns = [(row["claim"], *row["beside"]) for _, row in checks.iterrows()]
    rows = {}
    for name, own in checks.assign(about=concerns).explode("about").groupby("about", sort=False):
        verdict = next(verdict for verdict in VERDICTS if verdict in set(own["verdict"]))
        own = own[own["verdict"] == verdict]
        exceptions = tuple(dict.fromkeys(one for many in own["exceptions"] for one in many))
        rows[name] = {
            "audit": verdict,
            "verdict": in_words(verdict, exceptions),
            "severity": next(one for one in SEVERITIES if one in set(own["severity"])),
            "finding": next(iter(own["finding"])),
            "reason": "; ".join(dict.fromkeys(filter(None, own["reason"]))),
        }
    return pd.DataFrame.from_dict(rows, orient="index")


def findings(checks: pd.DataFrame) -> pd.DataFrame:
    """One row per finding: what fails for one cause.

    Columns: paper, finding (its cause, or the id of its one claim), severity (the gravest), claims
    (ids of the records that it concerns), checks (how many fail), where, about, printed, reason,
    note. The gravest come first, then the order of the papers.
    """
    failed = checks[checks["verdict"] == "inconsistent"]
    rows = []
    for finding, own in failed.groupby("finding", sort=False):
        first = own.iloc[0]
        severity = next(one for one in SEVERITIES if one in set(own["severity"]))
        printed, reason, note = (
            "; ".join(dict.fromkeys(filter(None, own[name])))
            for name in ("printed", "reason", "note")
        )
        concerned = [*own["claim"], *(one for many in own["beside"] for one in many)]
        row = {"paper": first["paper"], "finding": finding, "severity": severity}
        row |= {"where": ", ".join(dict.fromkeys(own["where"]))}
        row |= {"about": f"{first['quantity']}: {first['subject']}", "printed": printed}
        row |= {"reason": reason, "note": note, "claims": tuple(dict.fromkeys(concerned))}
        rows.append(row | {"checks": len(own)})
    columns = [*("paper", "finding", "severity", "where", "about"), *("printed", "reason", "note")]
    found = pd.DataFrame(rows, columns=[*columns, "claims", "checks"])
    return found.sort_values(
        "severity", key=lambda of: of.map(SEVERITIES.index), kind="stable", ignore_index=True
    )


def table(notebook: str) -> pd.DataFrame:
    """The claims of one chapter, e.g. `table("american_white/we_they")`.

    Columns: claim, where, quantity, subject, printed, ours, inferred, relation, audit (one of
    `VERDICTS`), verdict (the same, with what it names), severity, finding, reason, criterion, note.

    Examples
    --------
    >>> chapter = vb.ledger.table("causalface/age").set_index("claim")
    >>> chapter.loc["age.only-agency", ["printed", "audit", "severity"]].to_dict()
    {'printed': 'Agency', 'audit': 'inconsistent', 'severity': 'wording'}
    """
    mine = [one for one in claims().values() if one.notebook == notebook]
    if not mine:
        known = ", ".join(sorted({one.notebook for one in claims().values()}))
        raise LedgerError(f"no claim names the notebook {notebook!r}; there are: {known}")
    first = ["claim", "where", "quantity", "subject", "printed", "ours", "inferred", "relation"]
    head = pd.DataFrame([_head(one) for one in mine])[first]
    words = pd.DataFrame([{"criterion": one.criterion, "note": one.note} for one in mine])
    return head.join(_audited(mine[0].paper, state())[1], on="claim").join(words)


def show(chapter: pd.DataFrame) -> Any:
    """How many claims of a chapter have which verdict, and where each of them is listed.

    Parameters
    ----------
    chapter : rows of `table`, all of them or those of one part of the chapter.

    Returns
    -------
    IPython.display.HTML

    Examples
    --------
    >>> page = vb.ledger.show(vb.ledger.table("causalface/age"))
    >>> "numbers and statements of the paper" in page.data
    True
    """
    from IPython.display import HTML

    printed = chapter[chapter["inferred"] == "paper"]
    counts = printed["audit"].value_counts().reindex(VERDICTS, fill_value=0)
    words = dict(zip(VERDICTS, _SAID, strict=False))
    listed = ", ".join(f"{words[verdict]} {n}" for verdict, n in counts.items() if n)
    things = counted(len(printed), "number", "numbers and statements")
    place = claims()[chapter["claim"].iloc[0]].notebook.replace("/", "-")
    return HTML(
        f"<p class='claims'><a href='../../book/scorecard.html#records-of-{place}'>The scorecard"
        f"</a> lists {things} of the paper for this page ({listed}).</p>"
    )


def scorecard() -> pd.DataFrame:
    """One row per claim: the claim, its audit verdict and its rerun verdict, from what the book's
    notebooks found."""
    found = recorded()
    if unknown := found.keys() - claims().keys():
        raise LedgerError(
            f"_build/results records unknown claims: {', '.join(unknown)}; rerun the notebooks"
        )
    card = load().join(_audited(None, state())[1], on="id")
    reruns = [rerun_verdict(one, found.get(name, [])) for name, one in claims().items()]
    return card.join(pd.DataFrame(reruns, columns=["rerun", "found"]))


def counts(card: pd.DataFrame) -> pd.DataFrame:
    """Tidy counts of a scorecard: paper, kind (audit or rerun), verdict, claims."""
    short = card[["paper", "audit"]].assign(rerun=card["rerun"].str.partition(" (because")[0])
    long = short.melt(id_vars="paper", var_name="kind", value_name="verdict")
    each = long.groupby(["paper", "kind", "verdict"], sort=False).size()
    return each.reset_index(name="claims")
