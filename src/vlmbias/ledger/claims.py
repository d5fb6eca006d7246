"""The claims: what a file of `data/claims` may hold, and reading it.

Comes in: the claim files. Goes out: frozen `Claim`s by id, in file order, or a `LedgerError` that
gives
file, line and rule. May not: judge whether a claim holds, or accept an unknown key or a value that
YAML
has turned from what is printed into a number.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from difflib import get_close_matches
from fnmatch import fnmatchcase
from functools import lru_cache
from hashlib import sha256
from pathlib import Path
from types import MappingProxyType
from typing import Annotated, Any, Literal

from pydantic import BaseModel, Field, computed_field, model_validator

from audit.findings import SAYS
from audit.printed import Printed, parse
from audit.rules import BY_CASE, RULES
from vlmbias import paths, whole_files

Word = Annotated[str, Field(min_length=1, pattern=r"^\S(.*\S)?$")]  # no blank at either end
SCHEMA = "claims/schema.json"


class LedgerError(ValueError):
    """A claim file, a record or a question to the ledger breaks a rule; the message says which."""


class Check(BaseModel, extra="forbid", frozen=True):
    """One audit rule applied to a claim.

    `of` names the other claims (ids, `*` patterns) or constants; for a statement, `value` among
    them is the number that the rule is about. `says` tells whether the claim speaks of all its
    cases, of most, or is unqualified. Checks with one `cause`, which says what is wrong, are one
    finding.
    """

    rule: str = Field(pattern=f"^({'|'.join(sorted(RULES))})$")
    of: dict[str, Word | list[Word]] = Field(min_length=1)
    says: str = Field(default=SAYS[0], pattern=f"^({'|'.join(SAYS)})$")
    cause: str = ""
    severity: Literal["conclusion", "number", "wording"] = "number"
    note: str = ""

    @model_validator(mode="after")
    def _cases(self) -> "Check":
        if self.says != SAYS[0] and self.rule not in BY_CASE:
            raise ValueError(
                f"`says: {self.says}` is for a rule that goes case by case: {', '.join(BY_CASE)}"
            )
        if empty := next((role for role, given in self.of.items() if not given), None):
            raise ValueError(f"rule {self.rule}: `{empty}` names no claim")
        return self

    def beside(self) -> tuple[str, ...]:
        """The claims it sets against its own one to one: a finding concerns them as much."""
        return tuple(
            n for n in self.of.values() if isinstance(n, str) and "*" not in n and parse(n) is None
        )


class Claim(BaseModel, extra="forbid", frozen=True, allow_inf_nan=False):
    """One printed number, sign, ordering or significance statement.

    `value` is printed exactly as in the paper; `unit: statement` marks words, `unit: count` an
    exact
    integer. `data` and `model` are names of `vb.images` and `vb.encoder`, or "none" where the claim
    does not depend on one. `inferred` says whether the paper prints the value or we read it
    elsewhere: the note then says where, and the value is an input of checks, no claim. `criterion`
    says what is tested where the words leave it open.
    """

    id: str = Field(pattern=r"^[a-z][a-z0-9_]*(\.[a-z0-9][a-z0-9_-]*)+$")
    where: Word
    quote: str = Field(default="", max_length=500)  # one sentence at most
    quantity: Word
    subject: Word
    value: Word
    unit: Word
    n: int | None = Field(default=None, gt=0)
    draws: int | None = Field(default=None, gt=0)
    tolerance: float | None = Field(default=None, ge=0)
    model: Word
    data: Word
    target: Literal["model", "training", "data", "none"]
    notebook: str = Field(pattern=r"^[a-z0-9_]+/[a-z0-9_]+$")
    inferred: Literal["paper", "us"] = "paper"
    criterion: str = ""
    note: str = ""
    audit: tuple[Check, ...] = ()

    @model_validator(mode="after")
    def _keeps_the_rules(self) -> "Claim":
        if broken := next(filter(None, _broken(self)), None):
            raise ValueError(broken)
        return self

    @computed_field
    @property
    def paper(self) -> str:
        """Short name of the paper: the folder of its notebooks, what its claim files' names begin
        with."""
        return self.notebook.partition("/")[0]

    @computed_field
    @property
    def relation(self) -> str:
        """The sign of inequality that is printed with the number, "=" without one; empty for
        words."""
        return self.printed.relation if self.printed else ""

    @property
    def verbatim(self) -> bool:
        """Whether the value stands in the paper as it is; words of ours for what a sentence says do
        not."""
        return self.inferred == "paper" and (
            not self.quote or _plain(self.value) in _plain(self.quote)
        )

    @property
    def printed(self) -> Printed | None:
        """The number with its interval, printed or ours; None for a statement in words."""
        tolerance = 0.0 if self.tolerance is None and self.unit == "count" else self.tolerance
        number = parse(
            self.value, tolerance=tolerance, draws=self.draws, n=self.n, name=self.subject
        )
        return None if self.unit == "statement" else number


def _plain(text: str) -> str:
    return text.replace("−", "-").replace("–", "-").lower()


def _broken(claim: Claim) -> Iterator[str]:
    """The rules that no single field can check: a sentence for each that the claim breaks."""
    words, ours, value = claim.unit == "statement", claim.inferred == "us", claim.value
    chapter = claim.notebook.partition("/")[2]
    in_table = claim.where.startswith("Table") and "caption" not in claim.where
    on_bars = claim.where.startswith("Figure") and claim.where.endswith("on the bars")
    if not words and claim.printed is None:
        yield f"value {value!r} is not a number; write words with `unit: statement`"
    if claim.unit == "count" and claim.printed and claim.printed.number % 1:
        yield f"value {value!r} is not a whole number, as `unit: count` is"
    if claim.unit == "p" and claim.printed and not 0 <= claim.printed.number <= 1:
        yield f"value {value!r} is no p-value: it lies outside 0 to 1"
    if words and (claim.tolerance is not None or claim.draws or claim.n):
        yield "words have no tolerance, draws or n; they are for numbers"
    if claim.draws and claim.unit != "p":
        yield f"draws are those behind a sampled p; the unit is {claim.unit}"
    if claim.id.partition(".")[0] != chapter:
        yield f"the id begins with the chapter, {chapter}., and the notebook is {claim.notebook}"
    if ours and not claim.note:
        yield "a value of ours (`inferred: us`) says in its note where it was read"
    if ours and claim.audit:
        yield "a value of ours (`inferred: us`) is an input; give the check to what is printed"
    if not ours and not claim.quote and not (in_table or on_bars) and ".csv" not in claim.where:
        yield "what is printed outside a table needs its sentence as `quote`"
    if not (words or ours or in_table or not claim.quote) and _plain(value) not in _plain(
        claim.quote
    ):
        yield f"value {value!r} does not occur in the quote; write it exactly as printed"
    if claim.model == "none" and claim.target in ("model", "training"):
        yield f"target {claim.target!r} needs the model that it is about, not `model: none`"
    for listed in (claim.model, claim.data):
        if "" in (parts := listed.split(", ")) or any(
            "," in part or part != part.strip() for part in parts
        ):
            yield f"{listed!r}: names are separated by a comma and one blank"
    for number, check in enumerate(claim.audit):
        named = {
            name
            for given in check.of.values()
            for name in ([given] if isinstance(given, str) else given)
        }
        if claim.id in named and check.rule in ("same", "total", "product"):
            yield f"rule {check.rule} sets the claim against itself"
        if "value" in check.of and not words:
            yield f"rule {check.rule}: `value` is for a statement; a number is its own value"
        if check in claim.audit[:number]:
            yield f"rule {check.rule} is given twice with the same numbers"


class ClaimFile(BaseModel, extra="forbid", frozen=True):
    """One file: how to cite the paper, what claims share (as YAML anchors), and the claims."""

    citation: Word
    shared: list[dict[str, Any]] = []
    claims: list[Claim]


def _error(path: Path, place: tuple[str | int, ...], rule: str) -> LedgerError:
    return LedgerError(whole_files.located(path, place, rule))


@dataclass(frozen=True)
class _Sheet:
    """A claim file, known by its name and its content, wherever it lies."""

    name: str
    digest: str
    path: Path = field(compare=False)


def read(path: Path) -> list[Claim]:
    """The claims of one file, in order; what was read before with the same content is not read
    again.

    Raises
    ------
    LedgerError : with file, line and rule, for anything that is not a well-formed claim file.
    """
    return [*_read(_Sheet(path.name, sha256(path.read_bytes()).hexdigest(), path))]


@lru_cache(maxsize=64)
def _read(sheet: _Sheet) -> tuple[Claim, ...]:
    path, seen = sheet.path, set()
    claims = whole_files.read_yaml(path, ClaimFile.model_validate, LedgerError).claims
    paper = sheet.name.partition(".")[0]  # of causalface.yaml and causalface.appendix.yaml alike
    for number, claim in enumerate(claims):
        if claim.id in seen or claim.paper != paper:
            rule = f"claim {claim.id}: an id is given once, and its notebook is {paper}/…"
            raise _error(path, ("claims", number, "id"), rule)
        seen.add(claim.id)
    return tuple(claims)


def _sheets() -> tuple[Path, ...]:
    return tuple(sorted((paths.data() / "claims").glob("*.yaml"), key=lambda sheet: sheet.stem))


def digest() -> str:
    """SHA-256 of all claim files, with their names."""
    found = sha256()
    for sheet in _sheets():
        found.update(sheet.name.encode() + b"\0" + sheet.read_bytes() + b"\0")
    return found.hexdigest()


@lru_cache(maxsize=4)
def _read_all(sheets: tuple[Path, ...], changed: tuple[int, ...]) -> dict[str, Claim]:
    found: dict[str, Claim] = {}
    for path in sheets:
        for number, claim in enumerate(read(path)):
            if found.setdefault(claim.id, claim) is not claim:
                rule = f"claim {claim.id}: already in claims/{found[claim.id].paper}.yaml"
                raise _error(path, ("claims", number, "id"), rule)
    return found


def claims(paper: str | None = None) -> Mapping[str, Claim]:
    """Every claim by id, in file order; of one paper where `paper` is given (an unknown one is an
    error)."""
    sheets = _sheets()
    everything = _read_all(sheets, tuple(sheet.stat().st_mtime_ns for sheet in sheets))
    if paper is not None and paper not in (
        known := sorted({claim.paper for claim in everything.values()})
    ):
        raise LedgerError(f"no paper {paper!r} in data/claims; there are: {', '.join(known)}")
    own = (
        everything
        if paper is None
        else {name: one for name, one in everything.items() if one.paper == paper}
    )
    return MappingProxyType(own)


def claim(claim_id: str) -> Claim:
    """The claim of this id; an unknown one is an error that lists near matches.

    Examples
    --------
    >>> seeds = vb.ledger.claim("variation.seeds")
    >>> seeds.value, seeds.where
    ('100', 'Section 2.2')
    >>> vb.ledger.claim("variation.seed")
    Traceback (most recent call last):
        ...
    vlmbias.ledger.claims.LedgerError: no claim 'variation.seed' among ...
    """
    if (known := claims()) and claim_id in known:
        return known[claim_id]
    near = ", ".join(get_close_matches(claim_id, known, n=4, cutoff=0.4)) or "none"
    raise LedgerError(
        f"no claim {claim_id!r} among the {len(known)} in data/claims; near matches: {near}"
    )


def matching(pattern: str) -> list[Claim]:
    """The claims whose id fits `pattern`, in file order; none that fits is an error."""
    fitting = (
        [one for name, one in claims().items() if fnmatchcase(name, pattern)]
        if "*" in pattern
        else []
    )
    return fitting or [claim(pattern)]


def schema() -> dict[str, Any]:
    """The JSON schema of a claim file, for editors; `data/claims/schema.json` holds it."""
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        **ClaimFile.model_json_schema(),
    }


def misapplied(about: Claim, rule: str, problem: Exception) -> LedgerError:
    """The error for an audit rule that cannot be applied to a claim, with its place."""
    sheets = {
        path: [one.id for one in read(path)]
        for path in (paths.data() / "claims").glob(f"{about.paper}*.yaml")
    }
    path = next(path for path, ids in sheets.items() if about.id in ids)
    place = ("claims", sheets[path].index(about.id), "audit")
    return _error(path, place, f"claim {about.id}: rule {rule} cannot be applied: {problem}")
