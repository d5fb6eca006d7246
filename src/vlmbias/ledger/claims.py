"""The claims: what a file of `data/claims` may hold, and reading it.

Comes in: the claim files. Goes out: frozen `Claim`s by id, in file order, or a `LedgerError` that gives
file, line and rule. May not: judge whether a claim holds, or accept an unknown key or a value that YAML
has turned from what is printed into a number.
"""

from difflib import get_close_matches
from fnmatch import fnmatchcase
from functools import lru_cache
from pathlib import Path
from typing import Any, Literal

from pydantic import BaseModel, Field, computed_field, model_validator

from audit.printed import Printed, parse
from audit.rules import RULES
from vlmbias import paths, whole_files

Word = Field(min_length=1)


class LedgerError(ValueError):
    """A claim file, a record or a question to the ledger breaks a rule; the message says which."""


class Check(BaseModel, extra="forbid", frozen=True):
    """One audit rule applied to a claim; `of` names the other claims (ids, `*` patterns) or constants."""

    rule: str = Field(pattern=f"^({'|'.join(sorted(RULES))})$")
    of: dict[str, str | list[str]]
    severity: Literal["conclusion", "number", "wording"] = "number"
    note: str = ""

    def beside(self) -> tuple[str, ...]:
        """The claims it sets against its own one to one: a finding concerns them as much."""
        return tuple(n for n in self.of.values() if isinstance(n, str) and "*" not in n and parse(n) is None)


class Claim(BaseModel, extra="forbid", frozen=True, allow_inf_nan=False):
    """One printed number, sign, ordering or significance statement.

    `value` is printed exactly as in the paper; `unit: statement` marks words, `unit: count` an exact
    integer. `data` and `model` are names of `vb.images` and `vb.encoder`, or "none" where the claim
    does not depend on one. `inferred` says whether the paper prints the value or we read it elsewhere.
    """

    id: str = Field(pattern=r"^[a-z][a-z0-9_]*(\.[a-z0-9][a-z0-9_-]*)+$")
    where: str = Word
    quote: str = Field(default="", max_length=500)  # one sentence at most
    quantity: str = Word
    subject: str = Word
    value: str = Word
    unit: str = Word
    relation: Literal["=", "<", ">", "≤", "≥"] = "="
    n: int | None = Field(default=None, gt=0)
    draws: int | None = Field(default=None, gt=0)
    tolerance: float | None = Field(default=None, ge=0)
    model: str = Word
    data: str = Word
    target: Literal["model", "training", "data", "none"]
    notebook: str = Field(pattern=r"^[a-z0-9_]+/[a-z0-9_]+$")
    inferred: Literal["paper", "us"] = "paper"
    note: str = ""
    audit: tuple[Check, ...] = ()

    @model_validator(mode="after")
    def _readable(self) -> "Claim":
        if self.unit != "statement" and self.printed is None:
            raise ValueError(f"value {self.value!r} is not a number; write words with `unit: statement`")
        return self

    @computed_field
    @property
    def paper(self) -> str:
        """Short name of the paper: the folder of its notebooks, what its claim files' names begin with."""
        return self.notebook.partition("/")[0]

    @property
    def printed(self) -> Printed | None:
        """The printed number with its interval; None for a statement in words."""
        tolerance = 0.0 if self.tolerance is None and self.unit == "count" else self.tolerance
        return None if self.unit == "statement" else parse(self.value, self.relation, tolerance, self.draws, self.n)


class ClaimFile(BaseModel, extra="forbid", frozen=True):
    """One file: how to cite the paper, what claims share (as YAML anchors), and the claims."""

    citation: str = Word
    shared: list[dict[str, Any]] = []
    claims: list[Claim]


def _error(path: Path, place: tuple[str | int, ...], rule: str) -> LedgerError:
    return LedgerError(whole_files.located(path, place, rule))


def read(path: Path) -> list[Claim]:
    """The claims of one file, in order.

    Raises
    ------
    LedgerError : with file, line and rule, for anything that is not a well-formed claim file.
    """
    claims, seen = whole_files.read_yaml(path, ClaimFile.model_validate, LedgerError).claims, set()
    paper = path.name.partition(".")[0]  # of causalface.yaml and of causalface.appendix.yaml: causalface
    for number, claim in enumerate(claims):
        if claim.id in seen or claim.paper != paper:
            rule = f"claim {claim.id}: an id is given once, and its notebook is {paper}/…"
            raise _error(path, ("claims", number, "id"), rule)
        seen.add(claim.id)
    return claims


@lru_cache(maxsize=4)
def _read_all(sheets: tuple[Path, ...], changed: tuple[int, ...]) -> dict[str, Claim]:
    found: dict[str, Claim] = {}
    for path in sheets:
        for number, claim in enumerate(read(path)):
            if found.setdefault(claim.id, claim) is not claim:
                rule = f"claim {claim.id}: already in claims/{found[claim.id].paper}.yaml"
                raise _error(path, ("claims", number, "id"), rule)
    return found


def claims(paper: str | None = None) -> dict[str, Claim]:
    """Every claim by id, in file order; of one paper where `paper` is given (an unknown one is an error)."""
    sheets = tuple(sorted((paths.data() / "claims").glob("*.yaml"), key=lambda sheet: sheet.stem))
    everything = _read_all(sheets, tuple(sheet.stat().st_mtime_ns for sheet in sheets))
    if paper is not None and paper not in (known := sorted({claim.paper for claim in everything.values()})):
        raise LedgerError(f"no paper {paper!r} in data/claims; there are: {', '.join(known)}")
    return {name: claim for name, claim in everything.items() if paper in (None, claim.paper)}


def claim(claim_id: str) -> Claim:
    """The claim of this id; an unknown one is an error that lists near matches."""
    if (known := claims()) and claim_id in known:
        return known[claim_id]
    near = ", ".join(get_close_matches(claim_id, known, n=4, cutoff=0.4)) or "none"
    raise LedgerError(f"no claim {claim_id!r} among the {len(known)} in data/claims; near matches: {near}")


def matching(pattern: str) -> list[Claim]:
    """The claims whose id fits `pattern`, in file order; none that fits is an error."""
    return [one for name, one in claims().items() if fnmatchcase(name, pattern)] or [claim(pattern)]


def misapplied(about: Claim, rule: str, problem: Exception) -> LedgerError:
    """The error for an audit rule that cannot be applied to a claim, with its place."""
    sheets = {path: [one.id for one in read(path)] for path in (paths.data() / "claims").glob(f"{about.paper}*.yaml")}
    path = next(path for path, ids in sheets.items() if about.id in ids)
    place = ("claims", sheets[path].index(about.id), "audit")
    return _error(path, place, f"claim {about.id}: rule {rule} cannot be applied: {problem}")
