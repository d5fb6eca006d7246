"""Read `data/claims/*.yaml`.

Comes in: the claim files. Goes out: frozen `Claim`s in file order, or a `LedgerError` that gives file,
line and rule. May not: accept an unknown key, a number where a printed string belongs, or a duplicate.
"""

from __future__ import annotations

from difflib import get_close_matches
from fnmatch import fnmatchcase
from functools import lru_cache
from pathlib import Path
from typing import Any, TypeVar

import yaml
from pydantic import BaseModel, ValidationError

from vlmbias import paths
from vlmbias.ledger.schema import Claim, ClaimFile

_Model = TypeVar("_Model", bound=BaseModel)


class LedgerError(ValueError):
    """A claim file, a record or a question to the ledger breaks a rule; the message says which."""


class _File:
    """One claim file as YAML nodes, so that every rule it breaks can be given a line."""

    def __init__(self, path: Path):
        self.path, self._seen = path, set()
        try:
            self.root = yaml.compose(path.read_bytes(), Loader=yaml.SafeLoader)
            self.data = self._plain(self.root)
        except (yaml.YAMLError, ValueError, OverflowError, RecursionError) as problem:
            if isinstance(problem, LedgerError):
                raise
            mark = getattr(problem, "problem_mark", None)
            rule = f"not readable as YAML: {problem}"
            raise self.error(mark.line + 1 if mark else 1, rule) from problem

    def error(self, line: int, rule: str) -> LedgerError:
        return LedgerError(f"{self.path.parent.name}/{self.path.name}:{line}: {rule}")

    def line(self, place: tuple[str | int, ...]) -> int:
        """The line of the deepest node on the way to `place`."""
        node = self.root
        for key in place:
            if isinstance(node, yaml.SequenceNode) and isinstance(key, int):
                node = node.value[key]
            elif isinstance(node, yaml.MappingNode):
                node = next((value for name, value in node.value if name.value == key), node)
        return node.start_mark.line + 1 if node else 1

    def _plain(self, node: yaml.Node | None) -> Any:
        """The node as dictionaries, lists and strings: no type guessing, aliases or repeated keys."""
        if node is None or isinstance(node, yaml.ScalarNode):
            return node and node.value
        if id(node) in self._seen:
            raise self.error(node.start_mark.line + 1, "no anchors and aliases: write it out or use `shared`")
        self._seen.add(id(node))
        if isinstance(node, yaml.SequenceNode):
            return [self._plain(item) for item in node.value]
        result = {}
        for key, value in node.value:
            line = key.start_mark.line + 1
            if not isinstance(key, yaml.ScalarNode) or key.value in result:
                raise self.error(line, f"key {str(key.value)[:60]!r}: a key is a word and is given once")
            if key.value == "value" and getattr(value, "style", None) not in ("'", '"'):
                raise self.error(line, "value: quote it, so that it stays exactly as printed")
            result[key.value] = self._plain(value)
        return result

    def validate(self, model: type[_Model], data: Any, place: tuple = (), name: str = "") -> _Model:
        """`data` as a `model`; a rule it breaks is reported with the line below `place`."""
        try:
            return model.model_validate(data)
        except ValidationError as problem:
            first = problem.errors()[0]
            where = ".".join(map(str, first["loc"])) or "record"
            rule = f"{name}{where}: {first['msg'].removeprefix('Value error, ')}"
            raise self.error(self.line((*place, *first["loc"])), rule) from problem


def read(path: Path) -> list[Claim]:
    """The claims of one file, in order.

    Raises
    ------
    LedgerError : with file, line and rule, for anything that is not a well-formed claim file.
    """
    file = _File(path)
    whole, found = file.validate(ClaimFile, file.data), {}
    for g, group in enumerate(whole.groups):
        for c, own in enumerate(group.claims):
            place, record = ("groups", g, "claims", c), {**group.shared, **own}
            name = f"claim {str(record.get('id', '(no id)'))[:60]}: "
            if {"paper", "line"} & record.keys():
                raise file.error(file.line(place), f"{name}paper and line are not written in a record")
            record |= {"paper": whole.paper, "line": file.line(place)}
            claim = file.validate(Claim, record, place, name)
            if found.setdefault(claim.id, claim) is not claim:
                rule = f"{name}id: already used in line {found[claim.id].line}"
                raise file.error(file.line((*place, "id")), rule)
    return list(found.values())


@lru_cache(maxsize=4)
def _read_all(files: tuple[Path, ...], changed: tuple[int, ...]) -> dict[str, Claim]:
    found: dict[str, Claim] = {}
    for claim in (claim for path in files for claim in read(path)):
        if (first := found.setdefault(claim.id, claim)) is not claim:
            place = f"claims/{claim.paper}.yaml:{claim.line}"
            raise LedgerError(f"{place}: claim {claim.id}: id: already used in claims/{first.paper}.yaml")
    return found


def claims(paper: str | None = None) -> dict[str, Claim]:
    """Every claim by id, in file order; of one paper where `paper` is given (an unknown one is an error)."""
    files = tuple(sorted((paths.data() / "claims").glob("*.yaml")))
    everything = _read_all(files, tuple(file.stat().st_mtime_ns for file in files))
    papers = sorted({claim.paper for claim in everything.values()})
    if paper is not None and paper not in papers:
        raise LedgerError(f"no paper {paper!r} in data/claims; there are: {', '.join(papers)}")
    return {name: claim for name, claim in everything.items() if paper in (None, claim.paper)}


def claim(claim_id: str) -> Claim:
    """The claim of this id; an unknown one is an error that lists near matches."""
    known = claims()
    if claim_id not in known:
        near = get_close_matches(claim_id, known, n=4, cutoff=0.4)
        hint = f"near matches: {', '.join(near)}" if near else f"{len(known)} ids are in data/claims"
        raise LedgerError(f"no claim {claim_id!r}; {hint}")
    return known[claim_id]


def matching(pattern: str) -> list[Claim]:
    """The claims whose id fits `pattern`, in file order; none that fits is an error."""
    return [one for name, one in claims().items() if fnmatchcase(name, pattern)] or [claim(pattern)]
