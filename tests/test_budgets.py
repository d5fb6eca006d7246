"""How much a page may hold, so that it makes one argument; and the pages that still hold more.

`tests/budgets.yaml` lists what each page exceeds, and by how much it does so today. It may only shrink: an entry that
a page has fallen below by a tenth must be lowered, one that it has met must go. `python tests/test_budgets.py` does so.
"""

from __future__ import annotations

import ast
import re
from pathlib import Path
from textwrap import dedent

import pytest
import yaml
from test_house import BY_NAME, CHAPTERS, NOTEBOOKS, ROOT, code_lines

from runner import notebooks

TABLE = Path(__file__).with_name("budgets.yaml")
MOST = {"words": 2000, "figures": 6, "open tables": 6, "numbers in prose": 30,
        "visible lines": 140, "hidden lines": 120, "longest function": 12,
        "figures shown in a loop or function": 0, "values glued by hand": 0}  # fmt: skip
LEAST = {"fewest visible lines": 60}  # a chapter's, not a page of the laboratory's
FOLDED = {"hide-input", "hide-cell", "remove-input", "remove-cell"}
SILENT = re.compile(r"(print|figures\.show|note|glue|record|style|display|\.append|\.update)$")  # they show no table
NUMBER = re.compile(r"\{glue:text\}`[^`]*:[^`:]*`|\{(claim|result)\}`")  # a word is glued without a format
REASON = re.compile(r"\A.*?(?=```\{solution-end\})", flags=re.DOTALL)  # what a folded solution ends with
FENCE = re.compile(r"^(?P<ticks>`{3,})(?P<kind>.*)\n(?P<body>(?:.*\n)*?)(?P=ticks)", flags=re.MULTILINE)


def words(prose: str) -> int:
    """Words that a reader reads: no code, no directive's name or options, no link's target; a glued value is one."""
    prose = FENCE.sub(lambda block: block["body"] if block["kind"].startswith("{") else "", prose)
    prose = re.sub(r"^\s*([:`]{3,}.*|:[\w-]+:.*)$", lambda line: (re.findall(r"\} (.*)", line[0]) or [""])[0], prose,
                   flags=re.MULTILINE)  # fmt: skip
    prose = re.sub(r"\$\$.*?\$\$", "", prose, flags=re.DOTALL)
    prose = re.sub(r"\{(glue:text|claim|result)\}`[^`]*`", "1", prose)
    prose = re.sub(r"\{[\w:]+\}`([^`<]*)[^`]*`", r"\1", prose)
    prose = re.sub(r"\]\([^)]*\)", "]", prose)
    return sum(any(letter.isalnum() for letter in word) for word in prose.split())


def functions(source: str) -> list[int]:
    """Code lines of every function, its first line included and its docstring not."""
    lines = source.splitlines()
    found = (node for node in ast.walk(ast.parse(source)) if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef))
    return [code_lines(dedent("\n".join(lines[node.lineno - 1 : node.end_lineno]))) for node in found]


def calls(tree: ast.AST, name: str) -> list[ast.Call]:
    return [node for node in ast.walk(tree) if isinstance(node, ast.Call) and ast.unparse(node.func).endswith(name)]


def shows_a_table(tree: ast.Module) -> bool:
    """Whether a cell ends in an expression whose value the page shows, or where its source is at hand, displays."""
    last = tree.body[-1] if tree.body else None
    if isinstance(last, ast.If) and "sources.at_hand" in ast.unparse(last.test):
        return bool(calls(last.body[-1], "display"))
    if not isinstance(last, ast.Expr) or isinstance(last.value, ast.Constant):
        return False
    return not (isinstance(last.value, ast.Call) and SILENT.search(ast.unparse(last.value.func)))


def measured(path: Path) -> dict[str, int]:
    """What a page holds, by the names of `MOST`. Exercise solutions (folded) and the parameters do not count."""
    found = dict.fromkeys(MOST, 0)
    for cell in notebooks.read(path).cells:
        tags = set(notebooks.tags(cell))
        if cell.cell_type == "markdown":
            prose = REASON.sub("", cell.source)
            found["words"] += words(prose)
            found["numbers in prose"] += len(NUMBER.findall(prose))
            found["open tables"] += len(re.findall(r"^\|[ :|-]+\|$", prose, flags=re.MULTILINE))
            continue
        tree = ast.parse(cell.source)
        shown = calls(tree, "figures.show")
        repeated = (node for node in ast.walk(tree) if isinstance(node, ast.For | ast.While | ast.FunctionDef))
        inside = [call for node in repeated for call in calls(node, "figures.show")]
        found["figures"] += len(shown)
        found["figures shown in a loop or function"] += len(set(inside))
        found["values glued by hand"] += len([call for call in calls(tree, "glue") if ast.unparse(call.func) == "glue"])
        found["longest function"] = max([found["longest function"], *functions(cell.source)])
        if not tags & {"parameters", "solution"}:
            found["hidden lines" if tags & FOLDED else "visible lines"] += code_lines(cell.source)
            found["open tables"] += shows_a_table(tree) and not tags & {"hide-output", "hide-cell", "remove-output"}
    return found


def exceeded(path: Path) -> dict[str, int]:
    """What a page holds beyond its budget."""
    found = measured(path)
    over = {name: value for name, value in found.items() if value > MOST[name]}
    few = path in CHAPTERS and found["visible lines"] < LEAST["fewest visible lines"]
    return over | ({"fewest visible lines": found["visible lines"]} if few else {})


def name_of(path: Path) -> str:
    return path.relative_to(ROOT / "notebooks").with_suffix("").as_posix()


@pytest.mark.parametrize("path", NOTEBOOKS, **BY_NAME)
def test_a_page_keeps_to_its_budget_or_comes_closer_to_it(path):
    allowed = (yaml.safe_load(TABLE.read_text()) or {}).get(name_of(path), {})
    over = exceeded(path)
    for name, value in over.items():
        where = f"{name_of(path)}: {name} {value}"
        if name in LEAST:
            assert value >= allowed.get(name, LEAST[name]), f"{where}, of at least {LEAST[name]}"
            continue
        most = allowed.get(name, MOST[name])
        assert value <= most, f"{where}, of at most {most}: what does not fit goes to src/studies, a primer, or out"
        assert value >= 0.9 * most or most == MOST[name], f"{where}: lower its entry in {TABLE.name}, now {most}"
    assert set(allowed) <= set(over), f"{name_of(path)} has met {set(allowed) - set(over)}: take it out of {TABLE.name}"


def test_the_table_names_pages_and_budgets_that_exist():
    table = yaml.safe_load(TABLE.read_text()) or {}
    assert set(table) <= {name_of(path) for path in NOTEBOOKS}
    assert {name for own in table.values() for name in own} <= {*MOST, *LEAST}


def test_words_are_those_that_a_reader_reads():
    prose = """# A title here

:::{admonition} At a glance
:class: note
**Question.** One {ref}`two words <anchor>` and {glue:text}`n:.2f`.
:::

| a | b |
```
code is not prose
```
[A link](../../book/x.md) $$ x = y $$ – end.
```{solution-end}
```
An exercise.
```{solution-start} name
:class: dropdown
```"""
    # A title here | At a glance | Question. One two words and 1 | a b | A link end. | An exercise.
    assert words(prose) == 3 + 3 + 6 + 2 + 3 + 2


def lower() -> None:
    """Write the table anew; what a page exceeds more than before stays as it was, and fails."""
    old = (yaml.safe_load(TABLE.read_text()) or {}) if TABLE.exists() else {}
    table = {}
    for path in NOTEBOOKS:
        own, name = exceeded(path), name_of(path)
        before = old.get(name, own)
        table[name] = {key: (max if key in LEAST else min)(value, before.get(key, value)) for key, value in own.items()}
    head = "# What a page holds beyond its budget (tests/test_budgets.py). It may only shrink.\n"
    TABLE.write_text(head + yaml.safe_dump({name: own for name, own in table.items() if own}, sort_keys=False))


if __name__ == "__main__":
    lower()
