"""A notebook's parameters: what its first cell declares, and what a reader gives."""

import nbformat
import pytest

from runner import parameters
from runner.notebooks import read
from runner.parameters import Parameter, declared, validated


@pytest.fixture
def chapter(checkout):
    return checkout / "notebooks/paper/chapter.py"


def test_parameters_have_defaults_and_meanings(chapter):
    found = declared(read(chapter), where="here")
    assert list(found) == ["n", "scale", "words", "exact", "results"]
    assert found["words"] == Parameter("words", ["kind", "cold"], "which words")


@pytest.mark.parametrize(
    ("line", "says"),
    [
        ("n = 3", "n: it has no comment"),
        ("n = len('abc')  # how many", r"n: \"len\('abc'\)\" is not a literal value"),
        ("import os  # no", "`name = literal value  # what it means`"),
        ("n = 3  # how many (= counted)", "one = in it; this could be read: scale, words, exact"),
    ],
)
def test_a_malformed_parameter_is_named(chapter, line, says):
    chapter.write_text(chapter.read_text().replace("n = 3  # how many", line))
    with pytest.raises(ValueError, match=says) as error:
        declared(read(chapter), where="chapter.py")
    assert "chapter.py, parameters cell" in str(error.value)


def test_a_notebook_has_one_parameters_cell(chapter):
    chapter.write_text(chapter.read_text().replace('tags=["parameters"]', ""))
    with pytest.raises(ValueError, match="found 0 cells tagged 'parameters'"):
        declared(read(chapter), where="chapter.py")


KNOWN = {
    name: Parameter(name, value, "meaning")
    for name, value in {
        **{"n": 3, "scale": 1.5, "word": "kind", "exact": True, "path": None},
        **{"levels": [0.5, 1.0], "table": {"a": 1}},
    }.items()
}


@pytest.mark.parametrize(
    ("name", "text", "value"),
    [
        ("n", "12", 12),
        ("scale", "1e3", 1000.0),
        ("scale", 2, 2.0),
        ("word", "12", "12"),
        ("levels", "[1, 2.5]", [1.0, 2.5]),
        ("table", "{a: 2}", {"a": 2}),
    ],
)
def test_text_becomes_the_type_of_the_default(name, text, value):
    found = validated(KNOWN, {name: text}, where="here")
    assert found == {name: value} and type(found[name]) is type(value)


@pytest.mark.parametrize(
    ("name", "value", "says"),
    [
        ("n", "many", "n = 'many': .*integer"),
        ("n", "1_0", "n = '1_0': must be a number in digits alone"),
        ("levels", "[low]", "levels.0 = 'low': .*number"),
        ("seeds", 3, "seeds = 3: no such parameter"),
    ],
)
def test_a_wrong_parameter_names_the_valid_ones(name, value, says):
    with pytest.raises(ValueError, match=says) as error:
        validated(KNOWN, {name: value}, where="paper/chapter")
    assert all(str(parameter) in str(error.value) for parameter in KNOWN.values())


def of_lines(*lines):
    cell = nbformat.v4.new_code_cell("\n".join(lines), metadata={"tags": ["parameters"]})
    return declared(nbformat.v4.new_notebook(cells=[cell]), where="one.py")


RULES = (
    "protocol = \"described\"  # whose: the text's or the code's; one of: described, released",
    "alpha = 0.05  # level; from 0 to 1",
    "n = 99  # draws; at least 1",
    'models = ["igpt"]  # which; one of: igpt, simclr',
    'group = ""  # the first; empty or one of: teal, amber',
    'root = ""  # of the images; empty or a folder',
    "ddof = 1  # subtracted; one of: 0, 1",
    "free = 3  # anything; from here on",
)


@pytest.mark.parametrize(
    ("name", "value", "says"),
    [
        ("protocol", "publshed", "protocol = 'publshed': must be one of described, released"),
        ("alpha", "1.5", "alpha = 1.5: must be from 0 to 1"),
        ("n", "0", "n = 0: must be at least 1"),
        ("models", "[igpt, dalle]", "models = 'dalle': must be one of igpt, simclr"),
        ("group", "tael", "group = 'tael': must be empty or one of teal, amber"),
        ("alpha", "nan", "alpha = 'nan': .*finite"),
    ],
)
def test_what_a_line_does_not_allow_is_named_with_what_it_does(name, value, says):
    with pytest.raises(ValueError, match=says) as stop:
        validated(of_lines(*RULES), {name: value}, where="one.py")
    assert "one.py: wrong parameters" in str(stop.value)


def test_what_a_line_allows_is_taken():
    for name, text, value in [
        *(("alpha", "0", 0.0), ("alpha", "1", 1.0), ("n", "1", 1), ("ddof", "0", 0)),
        *(("models", "[simclr, igpt]", ["simclr", "igpt"]), ("free", "-7", -7), ("group", "", "")),
    ]:
        assert validated(of_lines(*RULES), {name: text}, where="one.py") == {name: value}


@pytest.mark.parametrize(
    ("line", "says"),
    [
        ("alpha = 2.0  # level; from 0 to 1", "alpha: its default breaks its own rule: "),
        ("a = 1  # level; from zero to 1", "'zero'"),
    ],
)
def test_a_rule_that_does_not_hold_for_its_own_default_is_an_error_of_the_notebook(line, says):
    with pytest.raises(ValueError, match=rf"one\.py, parameters cell: .*{says}"):
        of_lines(line)


def test_a_line_says_whether_it_has_a_rule_and_what_it_names():
    known = of_lines(*RULES, 'observed = ["a"]  # beside it; an image set')
    assert [name for name, one in known.items() if not one.has_rule] == ["free"]
    kinds = {name: one.kind for name, one in known.items() if one.kind}
    assert kinds == {"root": "folder", "observed": "image set"}
    assert known["root"].named("") == [] and known["root"].named("x") == ["x"]
    assert known["observed"].named(["", "a"]) == ["", "a"]  # it does not say that it may be empty


def test_one_run_or_one_per_value_of_what_is_given_again():
    assert parameters.runs([]) == [{}]
    assert parameters.runs(["seed=7", "root=a, b=c"]) == [{"seed": "7", "root": "a, b=c"}]
    assert parameters.runs(["model=a", "seed=7", "model=b,c"]) == [
        {"model": "a", "seed": "7"},
        {"model": "b,c", "seed": "7"},
    ]


@pytest.mark.parametrize(
    ("words", "says"),
    [
        ("seed", "-p seed: write -p NAME=VALUE"),
        ("seed=1 seed=2 model=a model=b", "seed and model have several values; vary one"),
        ("seed=1 seed=2 seed=1", "seed = 1, 2, 1: give each value once"),
    ],
)
def test_what_cannot_be_run_is_one_message(words, says):
    with pytest.raises(ValueError, match=says):
        parameters.runs(words.split())
