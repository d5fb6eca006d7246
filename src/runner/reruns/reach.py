"""What a parameter can change at all: the statements of a notebook that read it, or read what they
made.

Comes in: the cells of a notebook, names of parameters. Goes out: which cells, glued values, records
and figures these can reach. May not: execute anything, or leave out what they can reach: where a
cell is no plain Python, it counts as reached, and so does everything after it.

A statement that reads a reached name reaches the names that it writes; a call whose value nobody
keeps is made for its effect and reaches what it is a method of. A loop's names are reached with
what it goes through.
"""

import ast
import builtins
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from nbformat import NotebookNode

_BUILTIN = set(dir(builtins))
_SHOWS = {"show", "display", "print"}
_SCOPES = (ast.ListComp, ast.SetComp, ast.GeneratorExp, ast.DictComp)
_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)


@dataclass
class Reach:
    """What was reached: cells that show something, what they glue, the claims they record, the
    figures they name.
    """

    everything: bool = False
    cells: set[int] = field(default_factory=set)
    keys: set[tuple[int, str]] = field(default_factory=set)
    kept: set[tuple[int, str]] = field(
        default_factory=set
    )  # glued by name in a cell, and not reached
    records: set[str] = field(default_factory=set)  # patterns of claims
    figures: set[str] = field(default_factory=set)

    def glued(self, cell: int, key: str) -> bool:
        """Whether a glued value can change: by the name that its cell gives it."""
        first = key.partition(".")[0]
        by_name = bool({(cell, key), (cell, first)} & self.keys)
        unnamed = (cell, "*") in self.keys and not {(cell, key), (cell, first)} & self.kept
        return self.everything or by_name or unnamed

    def recorded(self, claim: str) -> bool:
        """Whether a claim's value can change."""
        return self.everything or any(re.fullmatch(pattern, claim) for pattern in self.records)

    def shown(self, cell: int) -> bool:
        """Whether a table that a cell shows can change."""
        return self.everything or cell in self.cells

    def figure(self, name: str) -> bool:
        """Whether a figure can change."""
        return self.everything or name in self.figures


def reach(cells: Sequence[NotebookNode], names: Iterable[str]) -> Reach:
    """What the parameters of these names can change.

    Parameters
    ----------
    cells : of the notebook, in order; those that set the parameters are passed over.
    names : of the parameters.
    """
    walk = _Walk(set(names))
    for number, cell in enumerate(cells):
        if cell.cell_type == "code" and not {"parameters", "injected-parameters"} & set(
            cell.metadata.get("tags", [])
        ):
            try:
                tree = ast.parse(cell.source)
            except SyntaxError:
                walk.found.everything = True
                break
            walk.cell = number
            walk.block(tree.body, given=False)
    return walk.found


def _bound(node: ast.AST) -> set[str]:
    """The names that a target writes, those inside comprehensions apart."""
    return {
        one.id
        for one in _own(node)
        if isinstance(one, ast.Name) and isinstance(one.ctx, ast.Store | ast.Del)
    }


def _own(node: ast.AST) -> Iterator[ast.AST]:
    """A node and what it is made of, without the insides of comprehensions and functions."""
    yield node
    if not isinstance(node, (*_SCOPES, *_FUNCTIONS)):
        for child in ast.iter_child_nodes(node):
            yield from _own(child)


def reads(node: ast.AST) -> set[str]:
    """The names that a piece of code reads from outside of itself."""
    if isinstance(node, ast.Name):
        return {node.id} if isinstance(node.ctx, ast.Load) else set()
    inside = set().union(*map(reads, ast.iter_child_nodes(node)))
    if isinstance(node, _SCOPES):
        return inside - set().union(*(_bound(one.target) for one in node.generators))
    if isinstance(node, _FUNCTIONS):
        given = {one.arg for one in ast.walk(node.args) if isinstance(one, ast.arg)}
        body = node.body if isinstance(node.body, list) else []
        return inside - given - set().union(*map(_bound, body))
    return inside


def _called(call: ast.Call) -> str:
    """The last part of the name of what is called."""
    return call.func.attr if isinstance(call.func, ast.Attribute) else getattr(call.func, "id", "")


def _root(node: ast.AST) -> str:
    """The name that `name.attribute[index]` begins with."""
    while isinstance(node, ast.Attribute | ast.Subscript | ast.Call | ast.Starred):
        node = node.func if isinstance(node, ast.Call) else node.value
    return node.id if isinstance(node, ast.Name) else ""


class _Walk:
    """Through the statements in order, with the names that are reached so far."""

    def __init__(self, reached: set[str]):
        self.reached, self.found, self.cell = reached, Reach(), 0
        self.modules: set[str] = set()
        self.together: list[
            set[str]
        ] = []  # names that were made by one statement: parts of one thing

    def block(self, body: Sequence[ast.stmt], *, given: bool) -> None:
        """Statements in order; `given`: whether they run at all depends on what is reached."""
        for one in body:
            self.statement(one, given)

    def statement(self, one: ast.stmt, given: bool) -> None:
        if isinstance(one, ast.Import | ast.ImportFrom):
            self.modules |= {(name.asname or name.name).partition(".")[0] for name in one.names}
        elif isinstance(one, ast.For | ast.AsyncFor):
            hit = given or self.hit(one.iter)
            self.write(_bound(one.target), hit)
            parts = reads(one.iter) - self.modules
            for _ in range(2):  # what one round writes, the next may read
                self.block(one.body, given=hit)
            if _bound(one.target) & self.reached & _changed(one.body):
                self.spread(parts)
            self.block(one.orelse, given=hit)
        elif isinstance(one, ast.If | ast.While):
            hit = given or self.hit(one.test)
            for _ in range(2):
                self.block(one.body, given=hit)
            self.block(one.orelse, given=hit)
        elif isinstance(one, ast.With | ast.AsyncWith):
            hit = given or any(self.hit(item.context_expr) for item in one.items)
            for item in one.items:
                self.write(_bound(item), hit)
            self.block(one.body, given=hit)
        elif isinstance(one, ast.Try):
            self.block(
                [
                    *one.body,
                    *(line for handler in one.handlers for line in handler.body),
                    *one.orelse,
                    *one.finalbody,
                ],
                given=given,
            )
        elif isinstance(one, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            self.write({one.name}, given or self.hit(one))
        elif isinstance(one, ast.Expr):
            self.effect(one.value, given)
        else:
            self.assign(one, given)

    def hit(self, node: ast.AST) -> bool:
        return bool(reads(node) & self.reached)

    def write(self, names: set[str], hit: bool) -> None:
        self.reached = self.reached | names if hit else self.reached - names

    def spread(self, names: set[str]) -> None:
        """Names are reached, and with each the parts of the same thing."""
        for group in self.together:
            if group & names:
                names = names | group
        self.reached |= names - self.modules - _BUILTIN

    def assign(self, one: ast.stmt, given: bool) -> None:
        hit, bound = given or self.hit(one), _bound(one)
        targets = one.targets if isinstance(one, ast.Assign) else [getattr(one, "target", None)]
        inside = {
            _root(target) for target in targets if isinstance(target, ast.Attribute | ast.Subscript)
        } - {""}
        for target in targets:
            if isinstance(target, ast.Tuple | ast.List):
                inside |= {
                    _root(part)
                    for part in ast.walk(target)
                    if isinstance(part, ast.Attribute | ast.Subscript)
                }
                if isinstance(one, ast.Assign) and isinstance(one.value, ast.Call):
                    self.together.append(_bound(target))
        if isinstance(one, ast.AugAssign) or not hit:
            self.reached |= bound if hit else set()
            self.reached -= set() if isinstance(one, ast.AugAssign) or hit else bound
        else:
            self.reached |= bound
        if hit:
            self.spread(inside - {""})

    def effect(self, value: ast.expr, given: bool) -> None:
        """A statement whose value nobody keeps: it glues, records, shows, or changes what it is
        called on.
        """
        call = _called(value) if isinstance(value, ast.Call) else ""
        hit = given or self.hit(value)
        if isinstance(value, ast.Call) and call in ("note", "glue"):
            self.noted(value, given)
        elif isinstance(value, ast.Call) and call == "record" and value.args:
            if hit:
                self.found.records.add(_pattern(value.args[0]))
        elif hit:
            self.found.cells.add(self.cell)
            if isinstance(value, ast.Call):
                self.figure(value)
                if call not in _SHOWS:
                    arguments = [*value.args, *(word.value for word in value.keywords)]
                    self.spread({_root(one) for one in [value.func, *arguments]} - {""})

    def figure(self, call: ast.Call) -> None:
        for word in call.keywords:
            if word.arg == "name" and isinstance(word.value, ast.Constant):
                self.found.figures.add(str(word.value.value))

    def noted(self, call: ast.Call, given: bool) -> None:
        parts = [(word.arg or "*", word.value) for word in call.keywords if word.arg != "display"]
        if _called(call) == "glue" and call.args:
            key = call.args[0]
            parts = [
                (str(key.value) if isinstance(key, ast.Constant) else "*", part)
                for part in call.args
            ]
        hits = {key for key, part in parts if given or self.hit(part)}
        self.found.keys |= {(self.cell, key) for key in hits}
        self.found.kept |= {(self.cell, key) for key, _ in parts if key not in hits | {"*"}}


def _changed(body: Sequence[ast.stmt]) -> set[str]:
    """The names of what statements change in place: given to a call that is made for its effect, or
    written into.
    """
    found: set[str] = set()
    for one in (one for part in body for one in ast.walk(part)):
        if isinstance(one, ast.Expr) and isinstance(one.value, ast.Call):
            found |= {_root(part) for part in (one.value.func, *one.value.args)}
        elif isinstance(one, ast.Assign):
            found |= {
                _root(target)
                for target in one.targets
                if isinstance(target, ast.Attribute | ast.Subscript)
            }
    return found


def _pattern(name: ast.expr) -> str:
    """The claims that an expression can name, as a regular expression."""
    if isinstance(name, ast.Constant):
        return re.escape(str(name.value))
    if isinstance(name, ast.JoinedStr):
        return "".join(
            re.escape(str(part.value)) if isinstance(part, ast.Constant) else ".+"
            for part in name.values
        )
    return ".+"
