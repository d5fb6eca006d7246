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


def test_the_same_words_in_any_order():
    same = RULES["same_words"]
    assert same("Warmth, Competence", words=["competence and warmth"]).verdict == "consistent"
    found = same("gray violin", words=["gray box plot", "gray violin"])
    assert (
        found.verdict == "inconsistent"
        and found.exceptions == ("“gray box plot”",)
        and found.cases == 2
    )


def test_entries_are_looked_for_in_several_lists():
    known = ["trustworthy, sincere", "dishonest"]
    assert RULES["among"]("sincere and dishonest", words=known).verdict == "consistent"
    found = RULES["among"]("sincere, liberal", words=known)
    assert found.verdict == "inconsistent" and found.exceptions == ("liberal",)


def test_a_list_is_as_long_as_it_is_said_to_be():
    assert (
        RULES["count_of"]("we, our, us", number=[parse("three", tolerance=0)]).verdict
        == "consistent"
    )
    assert (
        RULES["count_of"]("we, our", number=[parse("three", tolerance=0)]).verdict == "inconsistent"
    )


def test_a_number_is_that_of_the_entries_that_are_listed():
    assert (
        RULES["entries"](parse("three", tolerance=0), words=["we, our, us"]).verdict == "consistent"
    )
    found = RULES["entries"](parse("3", tolerance=0), words=["we, our, us", "we, our"])
    assert found.verdict == "inconsistent" and found.reason == "printed 3; listed 3, 2"


def test_answers_of_one_word():
    assert RULES["one_word"]("one-word answer", words=["Ohio", "China"]).verdict == "consistent"
    found = RULES["one_word"]("one-word answer", words=["Ohio", "New York"])
    assert found.verdict == "inconsistent" and found.exceptions == ("“New York”",)
