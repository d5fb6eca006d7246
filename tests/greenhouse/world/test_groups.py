"""The names of the groups stand once in the code, and the files of the Greenhouse have the same."""

import ast
from pathlib import Path

from greenhouse.world.groups import CRESTS, FOURTH, HUES, THREE

ROOT = Path(__file__).parents[3]
HOME = ROOT / "src/greenhouse/world/groups.py"
CODE = sorted([*(ROOT / "src").rglob("*.py"), *(ROOT / "book/_ext").glob("*.py")])


def literals(path: Path) -> list[str]:
    return [
        node.value
        for node in ast.walk(ast.parse(path.read_text("utf-8")))
        if isinstance(node, ast.Constant) and isinstance(node.value, str)
    ]


def test_no_other_module_has_the_name_of_a_group():
    names = {*HUES, *CRESTS}
    assert names <= set(literals(HOME)) and (*THREE, FOURTH) == HUES
    assert {path: names & set(literals(path)) for path in CODE if path != HOME} == {
        path: set() for path in CODE if path != HOME
    }
