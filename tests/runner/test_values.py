"""What `vlmbias run` makes of its `-p` and `--sweep`."""

import re

import pytest

from runner.commands.values import behind, varied


def test_one_value_each_and_one_parameter_with_several():
    assert varied([["seed", "7"], ["model", "a", "b"]], None) == (
        {"seed": "7"},
        ("model", ["a", "b"]),
    )
    assert varied([["words", '["a", "b"]']], "seed=1,2,3") == (
        {"words": '["a", "b"]'},
        ("seed", ["1", "2", "3"]),
    )
    assert varied([], None) == ({}, ("", []))
    assert varied([], "seed=1") == ({"seed": "1"}, ("", []))


@pytest.mark.parametrize(
    ("parameters", "sweep", "said"),
    [
        ([["seed"]], None, "-p seed: has no value; write -p seed VALUE"),
        (
            [["seed", "1"], ["seed", "2"]],
            None,
            "-p seed: given twice; several values go behind one -p, such as `-p seed A B`",
        ),
        (
            [["seed", "1", "2"]],
            "model=a,b",
            "seed and model have several values; vary one parameter at a time",
        ),
        ([["seed", "1", "1"]], None, "seed = 1, 1: each value once, and none empty"),
        ([], "seed", "--sweep 'seed': write parameter=value,value, such as --sweep seed=1,2,3"),
        ([], "seed=1,,2", "seed = 1, , 2: each value once, and none empty"),
    ],
)
def test_what_cannot_be_run_is_one_message(parameters, sweep, said):
    with pytest.raises(ValueError, match=re.escape(said)):
        varied(parameters, sweep)


def test_the_notebook_may_stand_behind_a_parameter():
    given = [["seed", "7", "notebooks/paper/one.py"]]
    assert behind(None, given, ["paper/one"]) == "notebooks/paper/one.py" and given == [
        ["seed", "7"]
    ]
    assert behind("paper/one", [["seed", "7", "8"]], ["paper/one"]) == "paper/one"
    with pytest.raises(ValueError, match="which notebook"):
        behind(None, [["seed", "7"]], ["paper/one"])
