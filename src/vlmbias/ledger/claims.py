"""The claims that the papers print: what a file of `data/claims` may hold, and reading it. What
else a record has to keep is a test's (`tests/ledger/test_records.py`)."""

from collections.abc import Mapping
from difflib import get_close_matches
from fnmatch import fnmatchcase
from functools import lru_cache
from pathlib import Path
from types import MappingProxyType
from typing import Annotated, Any, Literal

from pydantic import BaseModel, Field, computed_field

from audit.findings import SAYS
from audit.printed import Printed, parse
from audit.rules import RULES
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
            not self.quote or plain(self.value) in plain(self.quote)
        )

    @property
    def printed(self) -> Printed | None:
        """The number with its interval, printed or ours; None for a statement in words."""
        tolerance = 0.0 if self.tolerance is None and self.unit == "count" else self.tolerance
        number = parse(
            self.value, tolerance=tolerance, draws=self.draws, n=self.n, name=self.subject
        )
        return None if self.unit == "statement" else number


def plain(text: str) -> str:
    """Printed words in small letters, with one sign for minus."""
    return text.replace("−", "-").replace("–", "-").lower()


class ClaimFile(BaseModel, extra="forbid", frozen=True):
    """One file: how to cite the paper, what claims share (as YAML anchors), and the claims."""

    citation: Word
    shared: list[dict[str, Any]] = []
    claims: list[Claim]


def read(path: Path) -> list[Claim]:
    """The claims of one file, in order; a `LedgerError` with file, line and rule for anything that
    is not a well-formed claim file."""
    found = whole_files.read_yaml(path, ClaimFile.model_validate, LedgerError).claims
    paper = path.name.partition(".")[0]  # of causalface.yaml and causalface.appendix.yaml alike
    ids = [one.id for one in found]
    for number, one in enumerate(found):
        if one.id in ids[:number] or one.paper != paper:
            rule = f"claim {one.id}: an id is given once, and its notebook is {paper}/…"
            raise LedgerError(whole_files.located(path, ("claims", number, "id"), rule))
    return found


def _sheets() -> list[Path]:
    return sorted(paths.matching(paths.data() / "claims", "*.yaml"), key=lambda sheet: sheet.stem)


def state() -> tuple:
    """By what the claims are known while nobody changes them: names, sizes and times of their
    files, wherever these lie."""
    about = [(sheet.name, sheet.stat()) for sheet in _sheets()]
    return tuple((name, one.st_size, one.st_mtime_ns) for name, one in about)


@lru_cache(maxsize=4)
def _read_all(of: tuple) -> dict[str, Claim]:
    """Every claim of the files in this state."""
    found: dict[str, Claim] = {}
    for path in _sheets():
        for one in read(path):
            if found.setdefault(one.id, one) is not one:
                raise LedgerError(
                    f"claims/{path.name}: {one.id} is in claims/{found[one.id].paper}.yaml already"
                )
    return found


def claims(paper: str | None = None) -> Mapping[str, Claim]:
    """Every claim by id, in file order; of one paper where `paper` is given (an unknown one is an
    error)."""
    everything = _read_all(state())
    if paper is None:
        return MappingProxyType(everything)
    if own := {name: one for name, one in everything.items() if one.paper == paper}:
        return own
    known = sorted({one.paper for one in everything.values()})
    raise LedgerError(f"no paper {paper!r} in data/claims; there are: {', '.join(known)}")


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
