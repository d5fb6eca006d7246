"""Audit rules for words: does one sentence of a paper name what another one names?"""

import re
from collections.abc import Sequence

from audit.findings import Finding, conclude
from audit.printed import Printed


def items(text: str) -> list[str]:
    """The entries of a printed list: "age, gender, and race" has three, "liberal versus
    conservative" two."""
    between = r",\s*(?:and\s+)?|\s+(?:and|versus)\s+"
    return [one for one in re.split(between, text.strip().lower()) if one]


def same_words(about: str, *, words: Sequence[str]) -> Finding:
    """The claim's own words are those of every other place that says the same."""
    other = [one for one in words if sorted(items(one)) != sorted(items(about))]
    against = [f"“{one}”" for one in other]
    reason = f"“{about}”; elsewhere {', '.join(f'“{one}”' for one in words)}"
    return conclude(not other, reason, exceptions=against, cases=len(words))


def among(about: str, *, words: Sequence[str]) -> Finding:
    """Every entry of the claim's own list is an entry of the others."""
    own, known = items(about), {entry for one in words for entry in items(one)}
    missing = [entry for entry in own if entry not in known]
    lacks = ", ".join(missing) or "none"
    reason = f"{len(own) - len(missing)} of {len(own)} are listed; not listed: {lacks}"
    return conclude(not missing, reason, exceptions=missing, cases=len(own))


def one_word(about: str, *, words: Sequence[str]) -> Finding:
    """Every printed answer is a single word."""
    longer = [f"“{one}”" for one in words if len(one.split()) > 1]
    against = ", ".join(longer) or "none"
    reason = f"{len(words) - len(longer)} of {len(words)} are one word; not: {against}"
    return conclude(not longer, reason, exceptions=longer, cases=len(words))


def entries(number: Printed, *, words: Sequence[str]) -> Finding:
    """A printed number is that of the entries of lists that are counted."""
    counted = [len(items(one)) for one in words]
    reason = f"printed {number}; listed {', '.join(map(str, counted))}"
    return conclude(all(number.meets(one, one) for one in counted), reason)


def count_of(about: str, *, number: Sequence) -> Finding:
    """A printed list has as many entries as a number printed elsewhere says."""
    own = len(items(about))
    reason = f"{own} entries; printed {', '.join(map(str, number))}"
    return conclude(all(one.meets(own, own) for one in number), reason)
