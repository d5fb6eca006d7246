"""A notebook's parameters: what its first cell declares, what may stand there, and what a reader
gives.
"""

from __future__ import annotations

import ast
import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import yaml
from pydantic import ConfigDict, ValidationError, create_model

if TYPE_CHECKING:
    from nbformat import NotebookNode

_RULE = re.compile(
    r".*; (?P<empty>empty or )?(?:one of: (?P<choices>.+)|from (?P<low>\S+) to (?P<high>\S+)"
    r"|at least (?P<least>\S+)|an? (?P<kind>(image|prompt) set|model( that"
    r" \w+s)?|folder|group|table|text))"
)


@dataclass(frozen=True)
class Parameter:
    """One line of the parameters cell: `name = default  # meaning`, and what may stand there.

    A comment may end in `; one of: described, released`, `; from 0 to 1`, `; at least 1`, or in
    what the value is the name of: `; an image set`, `; a prompt set`, `; a model`, `; a folder`
    (`runner.names` looks it up). A rule may begin with `empty or`. Of a list, it holds for each
    item.
    """

    name: str
    default: Any
    meaning: str
    choices: tuple[str, ...] = ()
    low: float = -math.inf
    high: float = math.inf
    kind: str = ""
    empty: bool = False

    @classmethod
    def read(cls, name: str, default: Any, comment: str) -> Parameter:
        """A parameter from its line; a rule that cannot be read, or that the default breaks, is a
        ValueError.
        """
        found = _RULE.fullmatch(comment)
        if not found:
            return cls(name, default, comment)
        choices = tuple(re.split(r", *", found["choices"])) if found["choices"] else ()
        low, high = found["low"] or found["least"] or -math.inf, found["high"] or math.inf
        kind, empty = found["kind"] or "", bool(found["empty"])
        one = cls(name, default, comment, choices, float(low), float(high), kind, empty)
        if broken := one.problem(default):
            raise ValueError(f"its default breaks its own rule: {broken}")
        return one

    @property
    def has_rule(self) -> bool:
        """Whether the line says what may stand there."""
        return bool(self.choices or self.kind) or (self.low, self.high) != (-math.inf, math.inf)

    def named(self, value: Any) -> list[Any]:
        """The items of a list, or the one value; without empty ones, where the line allows
        these.
        """
        items = value if isinstance(value, list) else [value]
        return [item for item in items if item != "" or not self.empty]

    def problem(self, value: Any) -> str:
        """Why a value of the right type may not stand there; empty if it may."""
        for item in self.named(value):
            if self.choices:
                allowed = str(item) in self.choices
                rule = f"{'empty or ' * self.empty}one of {', '.join(self.choices)}"
            else:
                allowed = not isinstance(item, int | float) or self.low <= item <= self.high
                rule = f"from {self.low:g} to {self.high:g}"
                rule = f"at least {self.low:g}" if self.high == math.inf else rule
            if not allowed:
                return f"{self.name} = {item!r}: must be {rule}"
        return ""

    def __str__(self) -> str:
        return f"{self.name} = {self.default!r}  # {self.meaning}"


def declared(notebook: NotebookNode, *, where: object) -> dict[str, Parameter]:
    """The parameters of a notebook, by name, from its cell tagged `parameters`.

    Raises
    ------
    ValueError
        If there is not exactly one such cell, a line is not `name = literal  # meaning`, or a
        declared rule does not read or is broken by the default.
    """
    from papermill.translators import PythonTranslator

    cells = [one for one in notebook.cells if "parameters" in one.metadata.get("tags", [])]
    if len(cells) != 1:
        raise ValueError(
            f"{where}: found {len(cells)} cells tagged 'parameters'; a notebook has exactly one"
        )
    lines, found = PythonTranslator.inspect(cells[0]), {}
    if len(lines) != len(ast.parse(cells[0].source).body):
        read = ", ".join(line.name for line in lines) or "none"
        raise ValueError(
            f"{where}, parameters cell: write each line as `name = literal value  # what it means`,"
            f" with one = in it; this could be read: {read}"
        )
    for line in lines:
        try:
            if not line.help:
                raise ValueError("it has no comment that says what it means")
            found[line.name] = Parameter.read(line.name, _literal(line.default), line.help)
        except ValueError as problem:
            raise ValueError(f"{where}, parameters cell: {line.name}: {problem}") from None
    return found


def _literal(text: str) -> Any:
    try:
        return ast.literal_eval(text)
    except (ValueError, SyntaxError):
        raise ValueError(f"{text!r} is not a literal value") from None


def _kind(value: object) -> Any:
    """The type that a value has to have, told by the default in its place."""
    if value and isinstance(value, list):
        return list[_kind(value[0])]
    return Any if value is None else type(value)


def validated(
    known: Mapping[str, Parameter], given: Mapping[str, Any], *, where: object
) -> dict[str, Any]:
    """The given parameters, converted to the types of their defaults (text such as "1e3" included).

    Raises
    ------
    ValueError
        For an unknown name, a value of another type, NaN or infinity, or a value that its line does
        not allow; the message lists the valid ones.
    """
    fields: dict[str, Any] = {
        name: (_kind(one.default), one.default) for name, one in known.items()
    }
    model = create_model(
        "Parameters", __config__=ConfigDict(extra="forbid", allow_inf_nan=False), **fields
    )
    plain = dict(given)
    for name, one in known.items():
        if isinstance(given.get(name), str) and not isinstance(one.default, str | int | float):
            plain[name] = yaml.safe_load(given[name])
    try:
        complete = model(**plain).model_dump()
    except ValidationError as error:
        problems = [
            f"{'.'.join(map(str, e['loc']))} = {e['input']!r}: {e['msg']}" for e in error.errors()
        ]
        complete = {}
    else:
        problems = [
            f"{name} = {value!r}: must be a number in digits alone, without _"
            for name, value in given.items()
            if isinstance(value, str) and "_" in value
            if type(known[name].default) in (int, float)
        ]
        problems += filter(None, (known[name].problem(complete[name]) for name in given))
    if problems:
        valid = [f"  {one}" for one in known.values()]
        lines = [f"{where}: wrong parameters", *(f"  {one}" for one in problems)]
        message = "\n".join([*lines, "valid ones, with defaults:", *valid])
        raise ValueError(
            message.replace("Extra inputs are not permitted", "no such parameter")
        ) from None
    return {name: complete[name] for name in given}


FORM = "write -p NAME=VALUE, such as -p seed=7; for several values, -p seed=7 -p seed=8"


def runs(words: Sequence[str]) -> list[dict[str, str]]:
    """What each run is given: one run, or one per value of the parameter that has several.

    Parameters
    ----------
    words : `name=value` each; a name that stands there again has several values.

    Raises
    ------
    ValueError : a word without a value, two parameters with several values, a value given twice.
    """
    values: dict[str, list[str]] = {}
    for word in words:
        name, equals, value = word.partition("=")
        if not (name and equals):
            raise ValueError(f"-p {word}: {FORM}")
        values.setdefault(name, []).append(value)
    several = [name for name, own in values.items() if len(own) > 1]
    if len(several) > 1:
        raise ValueError(f"{' and '.join(several)} have several values; vary one at a time")
    for name in several:
        if len(set(values[name])) < len(values[name]):
            raise ValueError(f"{name} = {', '.join(values[name])}: give each value once")
    fixed = {name: own[0] for name, own in values.items()}
    return [fixed | {name: value} for name in several for value in values[name]] or [fixed]
