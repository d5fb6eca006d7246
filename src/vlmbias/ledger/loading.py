"""Read `data/claims/*.yaml`.

Comes in: the claim files. Goes out: frozen `Claim`s in file order, or a `LedgerError` that gives file,
line and rule. May not: accept an unknown key, a number where a printed string belongs, or a duplicate.
"""

from __future__ import annotations

from difflib import get_close_matches
from fnmatch import fnmatchcase
from functools import lru_cache
from pathlib import Path
from typing import Any

import yaml
from pydantic import ValidationError

from vlmbias import paths
from vlmbias.ledger.schema import Claim, ClaimFile

_Place = tuple[str | int, ...]


class LedgerError(ValueError):
    """A claim file, a record or a question to the ledger breaks a rule; the message says which."""


class _File:
    """One claim file as YAML nodes, so that every rule it breaks can be given a line."""

    def __init__(self, path: Path):
        self.path, self._seen = path, set()
        try:
            self.root = yaml.compose(path.read_bytes(), Loader=yaml.SafeLoader)
        except (yaml.YAMLError, ValueError, OverflowError, RecursionError) as problem:
            mark = getattr(problem, "problem_mark", None)
            raise self.error(mark.line + 1 if mark else 1, f"not readable as YAML: {problem}") from problem

    def error(self, line: int, rule: str) -> LedgerError:
        return LedgerError(f"{self.path.parent.name}/{self.path.name}:{line}: {rule}")

    def line(self, place: _Place) -> int:
        """The line of the deepest node on the way to `place`."""
        node = self.root
        for key in place:
            if isinstance(node, yaml.SequenceNode) and isinstance(key, int):
                node = node.value[key]
            elif isinstance(node, yaml.MappingNode):
                node = next((value for name, value in node.value if name.value == key), node)
        return node.start_mark.line + 1 if node else 1

    def plain(self, node: yaml.Node | None) -> Any:
        """The node as dictionaries, lists and strings: no type guessing, aliases or repeated keys."""
        if node is None or isinstance(node, yaml.ScalarNode):
            return node and node.value
        if id(node) in self._seen:
            raise self.error(node.start_mark.line + 1, "no anchors and aliases here: write it out or use `shared`")
        self._seen.add(id(node))
        if isinstance(node, yaml.SequenceNode):
            return [self.plain(item) for item in node.value]
        result = {}
        for key, value in node.value:
            line = key.start_mark.line + 1
            if not isinstance(key, yaml.ScalarNode) or key.value in result:
                raise self.error(line, f"key {str(key.value)[:60]!r}: a key is a word and is given once")
            if key.value == "value" and getattr(value, "style", None) not in ("'", '"'):
                raise self.error(line, "value: quote it, so that it stays exactly as printed")
            result[key.value] = self.plain(value)
        return result

    def validate(self, model: type, data: Any, place: _Place = (), *, otherwise: _Place = (), name: str = "") -> Any:
        """`data` as a `model`; a broken rule is reported at its line below `place`, else `otherwise`."""
        try:
            return model.model_validate(data)
        except ValidationError as problem:
            first = problem.errors()[0]
            line = self.line(place + first["loc"])
            if line == self.line(place) and first["loc"]:
                line = max(line, self.line(otherwise + first["loc"])) if otherwise else line
            where = ".".join(str(part) for part in first["loc"])
            raise self.error(line, f"{name}{where or 'record'}: {first['msg']}") from problem


def read(path: Path) -> list[Claim]:
    """The claims of one file, in order.

    Raises
    ------
    LedgerError : with file, line and rule, for anything that is not a well-formed claim file.
    """
    file = _File(path)
    try:
        whole = file.validate(ClaimFile, file.plain(file.root))
    except RecursionError as problem:
        raise file.error(1, "nested too deeply") from problem
    claims = []
    for g, group in enumerate(whole.groups):
        for c, own in enumerate(group.claims):
            place: _Place = ("groups", g, "claims", c)
            if reserved := {"paper", "line"} & {*group.shared, *own}:
                raise file.error(file.line(place), f"{reserved.pop()}: is not written in a record")
            record = {**group.shared, **own, "paper": whole.paper, "line": file.line(place)}
            name = f"claim {str(record.get('id', '(no id)'))[:60]}: "
            shared: _Place = ("groups", g, "shared")
            claim = file.validate(Claim, record, place, otherwise=shared, name=name)
            if claim.id in {earlier.id for earlier in claims}:
                raise file.error(file.line((*place, "id")), f"{name}id: already used in this file")
            claims.append(claim)
    return claims


def claims(paper: str | None = None) -> dict[str, Claim]:
    """Every claim by id, in file order; of one paper where `paper` is given.

    Raises
    ------
    LedgerError : a malformed file; an id used twice; a check that names an unknown rule or claim; an
        unknown paper.
    """
    files = tuple(sorted((paths.data() / "claims").glob("*.yaml")))
    everything = _read_all(files, tuple(file.stat().st_mtime_ns for file in files))
    if paper is None:
        return everything
    if paper not in (papers := sorted({claim.paper for claim in everything.values()})):
        raise LedgerError(f"no paper {paper!r} in data/claims; there are: {', '.join(papers)}")
    return {name: claim for name, claim in everything.items() if claim.paper == paper}


@lru_cache(maxsize=4)
def _read_all(files: tuple[Path, ...], changed: tuple[int, ...]) -> dict[str, Claim]:
    found: dict[str, Claim] = {}
    for path in files:
        for claim in read(path):
            if claim.id in found:
                raise LedgerError(f"claims/{path.name}: id {claim.id!r} is already used by {found[claim.id].paper}")
            found[claim.id] = claim
    for claim in found.values():
        for name in (name for check in claim.audit for name in check.names()):
            if not any(fnmatchcase(known, name) for known in found):
                where = f"claims/{claim.paper}.yaml:{claim.line}"
                raise LedgerError(f"{where}: claim {claim.id}: audit: no claim {name!r} to set it against")
    return found


def claim(claim_id: str) -> Claim:
    """The claim of this id; an unknown one is an error that lists near matches."""
    known = claims()
    if claim_id not in known:
        near = get_close_matches(claim_id, known, n=4, cutoff=0.4)
        hint = f"near matches: {', '.join(near)}" if near else f"{len(known)} ids are in data/claims"
        raise LedgerError(f"no claim {claim_id!r}; {hint}")
    return known[claim_id]


def matching(pattern: str) -> list[Claim]:
    """The claims whose id is `pattern`, or fits it where it contains a `*`, in file order."""
    return [one for name, one in claims().items() if fnmatchcase(name, pattern)]
