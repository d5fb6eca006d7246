"""Which functions of `studies` are called from one place only: candidates for the chapter that calls them.

    python tools/called.py [ROOM ...]     counts per module, then each such function with its caller and its lines

A place is a notebook or a module, tests left out. A function that two notebooks or modules name is shared; a private
function counts when the only function that names it is itself called from one place. Methods are not counted.
"""

import ast
import re
import sys
from collections import Counter
from pathlib import Path

ROOT = Path(__file__).parents[1]
WORD = re.compile(r"\b[A-Za-z_]\w*\b")


def functions(path):
    """name → lines of each function at the top of a module."""
    found = {}
    for one in ast.parse(path.read_text("utf-8")).body:
        if isinstance(one, ast.FunctionDef):
            found[one.name] = (
                one.end_lineno - min([one.lineno, *(d.lineno for d in one.decorator_list)]) + 1
            )
    return found


def _code(path):
    """The names that a file's code uses, comments and text left out: name → how often."""
    text = path.read_text("utf-8")
    if path.suffix == ".py":
        names = Counter()
        for node in ast.walk(ast.parse(text)):
            if isinstance(node, ast.Name):
                names[node.id] += 1
            elif isinstance(node, ast.Attribute):
                names[node.attr] += 1
        return names
    return Counter(WORD.findall(text))


def called_once():
    """(module, function, lines, caller) of each function of `studies` that one place calls, at one spot."""
    modules = sorted((ROOT / "src/studies").rglob("*.py"))
    places = modules + sorted(
        path for part in ("notebooks", "src/runner", "src/vlmbias", "src/greenhouse", "book/_ext", "tools", "benchmarks")
        for path in (ROOT / part).rglob("*.py")
    )  # fmt: skip
    uses = {path: _code(path) for path in places}
    for module in modules:
        for name, lines in functions(module).items():
            named = (
                module.stem
            )  # another module of the same function name is told apart by how it is imported
            callers = {
                path: used[name]
                for path, used in uses.items()
                if used[name] and (path == module or used[named] or _imports(path, module, name))
            }
            if sum(callers.values()) == 1:
                yield module, name, lines, next(iter(callers))


def _imports(path, module, name):
    """Whether a file imports this name, or its module under another name."""
    text = path.read_text("utf-8")
    dotted = ".".join(module.relative_to(ROOT / "src").with_suffix("").parts)
    package, _, last = dotted.rpartition(".")
    return (
        dotted in text
        or re.search(rf"from {re.escape(package)} import [^\n]*\b{last}\b", text) is not None
    )


def main(rooms):
    rows = [row for row in called_once() if not rooms or set(rooms) & set(row[0].parts)]
    notebooks = [row for row in rows if "notebooks" in row[3].parts]
    for module, count in Counter(row[0] for row in notebooks).most_common():
        print(f"{count:4d}  {module.relative_to(ROOT)}")
    for module, name, lines, caller in notebooks:
        print(f"{module.stem}.{name}: {lines} lines, {caller.relative_to(ROOT)}")
    print(
        f"\n{len(notebooks)} functions of studies are called once, from one notebook ({sum(r[2] for r in notebooks)} lines);"
    )
    print(f"{len(rows) - len(notebooks)} more once, from a module.")


if __name__ == "__main__":
    main(sys.argv[1:])
