"""The directive of things to play with: what it refuses, and the signs of what scripts get."""

import importlib
import re
from types import SimpleNamespace

import pytest
from docutils.parsers.rst import DirectiveError

from vlmbias import paths


@pytest.fixture
def play(monkeypatch):
    monkeypatch.syspath_prepend(str(paths.root() / "book/_ext"))
    return importlib.import_module("play")


@pytest.mark.parametrize(
    ("given", "said"),
    [
        (["shufle"], r"no 'shufle'; valid: .*\bshuffle\b"),
        (["shuffle", "number"], "shuffle has no part 'number'; valid: numbers, sentence"),
        (["nine-models", "numbers"], "nine-models has no part 'numbers'; valid: none"),
    ],
)
def test_what_is_not_there_is_named_beside_what_is(play, given, said):
    directive = play.PlayDirective.__new__(play.PlayDirective)
    directive.arguments = given
    env = SimpleNamespace(note_dependency=lambda file: None)
    directive.state = SimpleNamespace(document=SimpleNamespace(settings=SimpleNamespace(env=env)))
    with pytest.raises(DirectiveError) as found:
        directive.run()
    assert re.search(said, found.value.msg)


def test_everything_is_made_from_files_that_are_there(play):
    for name in play.NAMES:
        for pattern in play.named(name).made_from:
            assert list(paths.root().glob(pattern)), f"{name}: no file is called {pattern}"


def test_texts_have_signs_and_numbers_stay(play):
    given = {"words": "from -0.5 to 3 %", "range": (-0.5, [-1, None, True]), "file": "a-1"}
    assert play._signed(given) == {
        "words": "from −0.5 to 3%",
        "range": [-0.5, [-1, None, True]],
        "file": "a-1",
    }
