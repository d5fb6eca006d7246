"""The names of the groups stand once in the code, and the files of the Greenhouse have the same."""

import ast
from pathlib import Path

import pandas as pd
import pytest
import yaml

from greenhouse.world import bias, grammar
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


@pytest.mark.parametrize(
    "file",
    ["greenhouse/grammar.yaml", "stimuli/greenhouse/names.yaml", "stimuli/greenhouse/kin.yaml"],
)
def test_every_list_of_words_by_hue_has_all_of_them_in_order(file):
    content = yaml.safe_load((ROOT / "data" / file).read_text("utf-8"))
    lists = [[name for name in own if name in HUES] for own in _sections(content)]
    by_hue = [own for own in lists if len(own) > 1]
    assert by_hue and all(tuple(own) == HUES for own in by_hue)


def test_captions_effects_and_provinces_have_the_same_groups():
    assert {*HUES, *CRESTS} <= set(grammar.load().vocabulary.words)
    table = bias.load()
    assert set(HUES) <= set(table.axes) and table.roles["fourth"] == FOURTH
    provinces = pd.read_csv(bias.DATA / "provinces.csv")
    assert tuple(name for name in provinces if name in HUES) == HUES


def _sections(content):
    """Every mapping within a mapping, itself among them."""
    yield content
    for value in content.values():
        if isinstance(value, dict):
            yield from _sections(value)
