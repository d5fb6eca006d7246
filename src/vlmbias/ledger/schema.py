"""What a claim file may hold.

Comes in: one file of `data/claims` as plain dictionaries and strings. Goes out: frozen records, or the
rule that one breaks. May not: read files or judge whether a claim holds.
"""

from __future__ import annotations

from inspect import signature
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field, field_validator, model_validator

from vlmbias.ledger.printed import Printed, parse
from vlmbias.ledger.rules import RULES

Word = Field(min_length=1)


class _Record(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True, allow_inf_nan=False)


class Check(_Record):
    """One audit rule applied to a claim; `of` names the other claims (ids, `*` patterns) or constants."""

    rule: str
    of: dict[str, str | list[str]]
    severity: Literal["conclusion", "number", "wording"] = "number"
    note: str = ""

    @model_validator(mode="after")
    def _known_rule(self) -> Check:
        if self.rule not in RULES:
            raise ValueError(f"no audit rule {self.rule!r}; there are: {', '.join(sorted(RULES))}")
        try:
            signature(RULES[self.rule]).bind(None, **self.of)
        except TypeError as problem:
            raise ValueError(f"rule {self.rule}: {problem}") from problem
        return self

    def beside(self) -> tuple[str, ...]:
        """The claims it sets against its own one to one: a finding concerns them as much."""
        names = [name for name in self.of.values() if isinstance(name, str)]
        return tuple(name for name in names if "*" not in name and parse(name) is None)


class Claim(_Record):
    """One printed number, sign, ordering or significance statement.

    `value` is printed exactly as in the paper; `unit: statement` marks words, `unit: count` an exact
    integer. `data` and `model` are names of `vb.images` and `vb.encoder`, or "none" where the claim
    does not depend on one. `inferred` says whether the paper prints the value or we read it elsewhere.
    """

    id: str = Field(pattern=r"^[a-z][a-z0-9_]*(\.[a-z0-9][a-z0-9_-]*)+$")
    paper: str
    line: int
    where: str = Word
    quote: str = ""
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

    @field_validator("quote")
    @classmethod
    def _one_sentence(cls, quote: str) -> str:
        if len(quote.split()) > 60:
            raise ValueError(f"quote at most one sentence (60 words), this has {len(quote.split())}")
        return quote

    @model_validator(mode="after")
    def _readable(self) -> Claim:
        if self.unit != "statement" and self.printed is None:
            raise ValueError(f"value {self.value!r} is not a number; write words with `unit: statement`")
        return self

    @property
    def printed(self) -> Printed | None:
        """The printed number with its interval; None for a statement in words."""
        if self.unit == "statement":
            return None
        tolerance = 0.0 if self.tolerance is None and self.unit == "count" else self.tolerance
        return parse(self.value, relation=self.relation, tolerance=tolerance, draws=self.draws, n=self.n)


class Group(_Record):
    """Claims that share fields: what `shared` says holds for each claim that does not say otherwise."""

    shared: dict[str, Any] = {}
    claims: list[dict[str, Any]]


class ClaimFile(_Record):
    """One file: the paper's short name, how to cite it, and its claims in groups."""

    paper: str = Field(pattern=r"^[a-z][a-z0-9_]*$")
    citation: str = Word
    groups: list[Group]
