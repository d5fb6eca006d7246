"""Which functions of `studies` are called from one place only: candidates for that place.

    python tools/called.py [ROOM ...]    counts per module, then each with its caller and its lines

A place is a notebook or a module; tests are left out. Methods are not counted.
"""

import ast
import re
import sys
from collections import Counter
from pathlib import Path

ROOT = Path(__file__).parents[1]


def functions(path):
    """name → lines of each function at the top of a module."""
    found = {}
    for one in ast.parse(path.read_text("utf-8")).body:
        if isinstance(one, ast.FunctionDef):
            found[one.name] = one.end_lineno - one.lineno + 1 + len(one.decorator_list)
    return found


def _code(path):
    """The names that a file's code uses, comments and text left out: name → how often."""
    nodes = list(ast.walk(ast.parse(path.read_text("utf-8"))))
    names = Counter(node.id for node in nodes if isinstance(node, ast.Name))
    return names + Counter(node.attr for node in nodes if isinstance(node, ast.Attribute))


def called_once():
    """(module, function, lines, caller) of each function of `studies` that is named once."""
    modules = sorted((ROOT / "src/studies").rglob("*.py"))
    rooms = ("notebooks", "src/runner", "src/vlmbias", "src/greenhouse", "book/_ext", "tools")
    others = (path for room in rooms for path in (ROOT / room).rglob("*.py"))
    places = modules + sorted(others)
    uses = {path: _code(path) for path in places}
    for module in modules:
        for name, lines in functions(module).items():
            named = module.stem  # a function of the same name elsewhere is told apart by imports
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
    own = re.search(rf"from {re.escape(package)} import [^\n]*\b{last}\b", text)
    return dotted in text or own is not None


def main(rooms):
    rows = [row for row in called_once() if not rooms or set(rooms) & set(row[0].parts)]
    notebooks = [row for row in rows if "notebooks" in row[3].parts]
    for module, count in Counter(row[0] for row in notebooks).most_common():
        print(f"{count:4d}  {module.relative_to(ROOT)}")
    for module, name, lines, caller in notebooks:
        print(f"{module.stem}.{name}: {lines} lines, {caller.relative_to(ROOT)}")
    lines = sum(row[2] for row in notebooks)
    print(f"\n{len(notebooks)} are called once, from one notebook ({lines} lines);")
    print(f"{len(rows) - len(notebooks)} more once, from a module.")


if __name__ == "__main__":
    main(sys.argv[1:])
