"""Rules for words: lists and names that one place prints and another one repeats."""

import pytest

from audit.printed import parse
from audit.rules import RULES
from audit.wording import items


@pytest.mark.parametrize(
    ("text", "entries"),
    [
        ("age, gender, and race", ["age", "gender", "race"]),
        ("conservative versus liberal", ["conservative", "liberal"]),
        (
            "Warmth, Positive Communion and Competence",
            ["warmth", "positive communion", "competence"],
        ),
        ("science-oriented", ["science-oriented"]),
        ("sand, land", ["sand", "land"]),
    ],
)
def test_a_printed_list_has_entries(text, entries):
    assert items(text) == entries


THREE = parse("three", tolerance=0)


@pytest.mark.parametrize(
    ("rule", "about", "words", "exceptions"),
    [
        ("same_words", "Warmth, Competence", ["competence and warmth"], ()),
        ("same_words", "gray violin", ["gray box plot", "gray violin"], ("“gray box plot”",)),
        ("among", "sincere and dishonest", ["trustworthy, sincere", "dishonest"], ()),
        ("among", "sincere, liberal", ["trustworthy, sincere", "dishonest"], ("liberal",)),
        ("one_word", "one-word answer", ["Ohio", "China"], ()),
        ("one_word", "one-word answer", ["Ohio", "New York"], ("“New York”",)),
    ],
)
def test_words_that_do_not_fit_are_named(rule, about, words, exceptions):
    found = RULES[rule](about, words=words)
    assert (found.verdict == "consistent") == (exceptions == ()) and found.exceptions == exceptions


def test_a_list_is_as_long_as_it_is_said_to_be():
    for words, verdict in (("we, our, us", "consistent"), ("we, our", "inconsistent")):
        assert RULES["count_of"](words, number=[THREE]).verdict == verdict
        found = RULES["entries"](THREE, words=["we, our, us", words])
        assert found.verdict == verdict
    assert found.reason == "printed three; listed 3, 2"
