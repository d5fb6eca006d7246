"""A notebook's source: its parameters, its cells for one reader's sources.

What converts a text is imported where one is converted: of a text that it has seen before, a build
knows what it declares (`plan.declared`).
"""

from __future__ import annotations

import ast
import hashlib
import io
import math
import re
import tokenize
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import yaml
from pydantic import ConfigDict, ValidationError, create_model

if TYPE_CHECKING:
    from nbformat import NotebookNode

INSTALLS = "installs"  # the tag of a cell that only the `.ipynb` has (`runner.pairs`)
SECOND_SECTION = "## The protocol, run on"
LABORATORY = "## What this method can see"


def read(path: Path) -> NotebookNode:
    """The notebook in a py:percent file, as `parse` makes it."""
    return parse(path.read_text("utf-8"))


def parse(text: str) -> NotebookNode:
    """The notebook that a py:percent text describes, with cell ids made from each cell's content.

    The ids are a function of the text alone, so converting twice gives the same notebook, and
    editing
    one cell changes one id.
    """
    import jupytext

    notebook = jupytext.reads(text, fmt="py:percent")
    # the cell that a pair has alone; saved in Jupyter, it comes back
    notebook.cells = [cell for cell in notebook.cells if INSTALLS not in tags(cell)]
    seen: Counter[str] = Counter()
    for cell in notebook.cells:
        digest = hashlib.sha256(f"{cell.cell_type}\n{cell.source}".encode()).hexdigest()[:12]
        seen[digest] += 1
        cell["id"] = digest if seen[digest] == 1 else f"{digest}-{seen[digest]}"
    kernel = {"display_name": "Python 3", "language": "python", "name": "python3"}
    notebook.metadata = {"kernelspec": kernel, "language_info": {"name": "python"}}
    notebook.nbformat, notebook.nbformat_minor = 4, 5
    return notebook


def tags(cell: NotebookNode) -> list[str]:
    """The tags of a cell."""
    return list(cell.metadata.get("tags", []))


def needs(notebook: NotebookNode) -> list[str]:
    """The sources that some cells of a notebook need (tags `needs-<source>`), in order of
    appearance."""
    found = dict.fromkeys(
        tag for cell in notebook.cells for tag in tags(cell) if tag.startswith("needs-")
    )
    return [tag.removeprefix("needs-") for tag in found]


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
    (`commands.named` looks it up). A rule may begin with `empty or`. Of a list, it holds for each
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
        ValueError."""
        found = _RULE.fullmatch(comment)
        if not found:
            return cls(name, default, comment)
        low, high = found["low"] or found["least"] or -math.inf, found["high"] or math.inf
        choices = tuple(re.split(r", *", found["choices"])) if found["choices"] else ()
        one = cls(
            name,
            default,
            comment,
            choices,
            float(low),
            float(high),
            found["kind"] or "",
            bool(found["empty"]),
        )
        if broken := one.problem(default):
            raise ValueError(f"its default breaks its own rule: {broken}")
        return one

    @property
    def has_rule(self) -> bool:
        """Whether the line says what may stand there."""
        return bool(self.choices or self.kind) or (self.low, self.high) != (-math.inf, math.inf)

    def named(self, value: Any) -> list[Any]:
        """The items of a list, or the one value; without empty ones, where the line allows
        these."""
        items = value if isinstance(value, list) else [value]
        return [item for item in items if item != "" or not self.empty]

    def problem(self, value: Any) -> str:
        """Why a value of the right type may not stand there; empty if it may."""
        for item in self.named(value):
            if self.choices and str(item) not in self.choices:
                return (
                    f"{self.name} = {item!r}: must be {'empty or ' * self.empty}one of"
                    f" {', '.join(self.choices)}"
                )
            if (
                isinstance(item, int | float)
                and not self.choices
                and not self.low <= item <= self.high
            ):
                bounds = (
                    f"at least {self.low:g}"
                    if self.high == math.inf
                    else f"from {self.low:g} to {self.high:g}"
                )
                return f"{self.name} = {item!r}: must be {bounds}"
        return ""

    def __str__(self) -> str:
        return f"{self.name} = {self.default!r}  # {self.meaning}"


def parameters(notebook: NotebookNode, *, where: object) -> dict[str, Parameter]:
    """The parameters of a notebook, by name, from its cell tagged `parameters`.

    Raises
    ------
    ValueError
        If there is not exactly one such cell, a line is not `name = literal  # meaning`, or a
        declared rule does not read or is broken by the default.
    """
    cells = [cell.source for cell in notebook.cells if "parameters" in tags(cell)]
    if len(cells) != 1:
        raise ValueError(
            f"{where}: found {len(cells)} cells tagged 'parameters'; a notebook has exactly one"
        )
    tokens = tokenize.generate_tokens(io.StringIO(cells[0]).readline)
    comments = {
        token.start[0]: token.string.lstrip("# ")
        for token in tokens
        if token.type == tokenize.COMMENT
    }
    found = {}
    for line in ast.parse(cells[0]).body:
        rule = (
            f"{where}, parameters cell, line {line.lineno}: write `name = literal value  # what it"
            " means`"
        )
        if not (isinstance(line, ast.Assign) and isinstance(line.targets[0], ast.Name)):
            raise ValueError(rule)
        name, meaning = line.targets[0].id, comments.get(line.end_lineno or line.lineno, "")
        if not meaning:
            raise ValueError(f"{rule}; {name} has no comment")
        try:
            default = ast.literal_eval(line.value)
        except ValueError:
            raise ValueError(f"{rule}; the value of {name} is not a literal") from None
        try:
            found[name] = Parameter.read(name, default, meaning)
        except ValueError as problem:
            raise ValueError(
                f"{where}, parameters cell, line {line.lineno}: {name}: {problem}"
            ) from None
    return found


def _kind(value: object) -> Any:
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
    numbers = {name for name, one in known.items() if type(one.default) in (int, float)}
    grouped = [
        f"  {name} = {value!r}: must be a number in digits alone, without _"
        for name, value in given.items()
        if name in numbers and isinstance(value, str) and "_" in value
    ]
    structured = [
        name for name, one in known.items() if not isinstance(one.default, str | int | float)
    ]
    plain = {
        name: yaml.safe_load(given[name]) for name in structured if isinstance(given.get(name), str)
    }
    try:
        complete = model(**{**given, **plain}).model_dump()
    except ValidationError as error:
        problems = [
            f"  {'.'.join(map(str, e['loc']))} = {e['input']!r}: {e['msg']}" for e in error.errors()
        ]
        complete = {}
    else:
        problems = grouped + [
            f"  {broken}" for name in given if (broken := known[name].problem(complete[name]))
        ]
    if problems:
        valid = ["valid ones, with defaults:", *(f"  {parameter}" for parameter in known.values())]
        message = "\n".join([f"{where}: wrong parameters", *problems, *valid])
        raise ValueError(
            message.replace("Extra inputs are not permitted", "no such parameter")
        ) from None
    return {name: complete[name] for name in given}


def _split_at_sections(cells: list[NotebookNode]) -> list[NotebookNode]:
    """The cells, with a new Markdown cell at every `##` heading."""
    from nbformat import NotebookNode

    parts = []
    for cell in cells:
        pieces = (
            re.split(r"\n+(?=## )", cell.source) if cell.cell_type == "markdown" else [cell.source]
        )
        parts += [
            NotebookNode(cell, source=piece, id=cell["id"] if n == 0 else f"{cell['id']}-s{n}")
            for n, piece in enumerate(pieces)
        ]
    return parts


def for_reader(
    notebook: NotebookNode, *, missing: Mapping[str, str], required: list[str], data: str
) -> NotebookNode:
    """The notebook one reader can run: without the cells that need a missing source, and named
    data.

    Parameters
    ----------
    notebook : NotebookNode
        As `read` returns it; changed in place.
    missing : mapping
        Unavailable source → the standard note's text. Cells tagged `needs-<source>` go; the note
        stands
        once, where the first of them stood.
    required : list of str
        Sources without which the whole second section cannot run: it becomes the notes of the
        missing ones.
    data : str
        What `{data}` prints in the heading of the second section.
    """
    from nbformat.v4 import new_markdown_cell

    absent, noted, kept, inside = [key for key in required if key in missing], set(), [], False
    for cell in _split_at_sections(notebook.cells) if absent else notebook.cells:
        if cell.cell_type == "markdown":
            cell.source = cell.source.replace(
                f"{SECOND_SECTION} {{data}}", f"{SECOND_SECTION} {data}"
            )
        if opens := cell.cell_type == "markdown" and cell.source.startswith("## "):
            inside = bool(absent) and cell.source.startswith(SECOND_SECTION)
        if opens and inside:
            cell.source = cell.source.splitlines()[0]
        lacking = [
            tag.removeprefix("needs-")
            for tag in tags(cell)
            if tag.removeprefix("needs-") in missing
        ]
        if opens or not (lacking or inside):
            kept.append(cell)
        for key in absent if inside else lacking:
            if key not in noted:
                kept.append(new_markdown_cell(missing[key], metadata={"tags": ["note"]}))
            noted.add(key)
    notebook.cells = kept
    return notebook


def second_section(notebook: NotebookNode) -> list[NotebookNode]:
    """The cells of the paper's protocol, from its heading to the next."""
    found, inside = [], False
    for cell in _split_at_sections(notebook.cells):
        if cell.cell_type == "markdown" and cell.source.startswith("## "):
            inside = cell.source.startswith(SECOND_SECTION)
        found += [cell] * inside
    return found


def protocol_code(notebook: NotebookNode) -> str:
    """The code of that section."""
    cells = second_section(notebook)
    return "\n".join(cell.source for cell in cells if cell.cell_type == "code")


def protocol_only(notebook: NotebookNode) -> NotebookNode:
    """The notebook up to the laboratory's section, which looks at the laboratory's own models;
    changed in place."""
    cells = _split_at_sections(notebook.cells)
    ends = [
        n
        for n, cell in enumerate(cells)
        if cell.cell_type == "markdown" and cell.source.startswith(LABORATORY)
    ]
    notebook.cells = cells[: ends[0]] if ends else cells
    return notebook
