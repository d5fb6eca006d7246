"""What an audit rule says, and the standard by which sentences with an exception are judged."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from audit.printed import Printed

SAYS = ("all", "most", "unqualified")


@dataclass(frozen=True)
class Finding:
    """What an audit rule found, with the numbers as its `reason`.

    It is "consistent" (under `reading`, if not the plain one), "consistent but for" or
    "inconsistent"; `exceptions` speak against the statement, out of so many `cases` (0 where they
    are no share of cases).
    """

    verdict: str
    reason: str
    reading: str = ""
    exceptions: tuple[str, ...] = ()
    cases: int = 0


def conclude(
    holds: bool, reason: str, reading: str = "", *, exceptions: Iterable = (), cases: int = 0
) -> Finding:
    """A finding: consistent where it holds."""
    against = tuple(map(str, exceptions))
    return Finding(
        "consistent" if holds else "inconsistent", reason, reading if holds else "", against, cases
    )


def qualified(found: Finding, says: str) -> Finding:
    """The verdict on a sentence, by what it `says`: one standard for every paper.

    An exception makes a sentence about all cases ("each", "consistently", a table's own numbers)
    inconsistent. A sentence about most ("mostly", "largely") holds as long as the exceptions are
    fewer than half. So does one without a qualifier, but its exceptions are named: consistent but
    for these.
    """
    few = not found.cases or 2 * len(found.exceptions) < found.cases
    if found.verdict == "consistent" or says == "all" or not found.exceptions or not few:
        return found
    return replace(found, verdict="consistent" if says == "most" else "consistent but for")


def span(low: float, high: float) -> str:
    """An interval in words."""
    return " to ".join(
        dict.fromkeys(f"{e:,.0f}" if float(e).is_integer() else f"{e:.4g}" for e in (low, high))
    )


def listed(numbers: Sequence[Printed]) -> str:
    """Printed numbers in a row, or "none"."""
    return ", ".join(number.text for number in numbers) or "none"
