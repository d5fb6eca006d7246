"""What the committed records keep, beyond their form; each rule names the claims that break it."""

import pytest

from vlmbias.ledger.claims import claims, plain
from vlmbias.ledger.collation import _finding

CLAIMS = list(claims().values())
CHECKS = [(one, check) for one in CLAIMS for check in one.audit]


def words(one):
    return one.unit == "statement"


def ours(one):
    return one.inferred == "us"


def in_table(one):
    return one.where.startswith("Table") and "caption" not in one.where


def on_bars(one):
    return one.where.startswith("Figure") and one.where.endswith("on the bars")


def names(one):
    return [name for listed in (one.model, one.data) for name in listed.split(", ")]


def named(check):
    return {n for g in check.of.values() for n in ([g] if isinstance(g, str) else g)}


RULES = {
    "a value is a number, or words with `unit: statement`": lambda one: words(one) or one.printed,
    "a count is a whole number": lambda one: one.unit != "count" or one.printed.number % 1 == 0,
    "a p lies between 0 and 1": lambda one: one.unit != "p" or 0 <= one.printed.number <= 1,
    "tolerance, draws and n are for numbers": lambda one: (
        not words(one) or (one.tolerance, one.draws, one.n) == (None, None, None)
    ),
    "draws are those behind a sampled p": lambda one: not one.draws or one.unit == "p",
    "an id begins with its chapter": lambda one: (
        one.id.partition(".")[0] == one.notebook.partition("/")[2]
    ),
    "a note says where a value of ours was read": lambda one: not ours(one) or one.note,
    "a value of ours is an input of checks and has none": lambda one: not (ours(one) and one.audit),
    "what is printed outside a table has its sentence as `quote`": lambda one: (
        ours(one) or one.quote or in_table(one) or on_bars(one) or ".csv" in one.where
    ),
    "a number stands in its quote": lambda one: (
        words(one)
        or ours(one)
        or in_table(one)
        or not one.quote
        or plain(one.value) in plain(one.quote)
    ),
    "a target on a model names the model": lambda one: (
        one.model != "none" or one.target not in ("model", "training")
    ),
    "names are separated by a comma and one blank": lambda one: all(
        name and "," not in name and name == name.strip() for name in names(one)
    ),
    "no check is given twice": lambda one: all(
        check not in one.audit[:number] for number, check in enumerate(one.audit)
    ),
}


@pytest.mark.parametrize("rule", RULES)
def test_a_record_keeps_the_rule(rule):
    assert not [one.id for one in CLAIMS if not RULES[rule](one)], rule


def test_a_check_sets_its_claim_against_others():
    alone = ("same", "total", "product")
    assert not [one.id for one, check in CHECKS if check.rule in alone and one.id in named(check)]
    assert not [one.id for one, check in CHECKS if not all(check.of.values())], "names no claim"
    with_value = [one for one, check in CHECKS if "value" in check.of]
    assert with_value and all(map(words, with_value)), "a number is its own value"


def test_what_speaks_of_most_of_its_cases_has_cases():
    by_case = {check.rule for one, check in CHECKS if _finding(one, check).cases}
    by_case |= {"mean_fall"}  # its exceptions are no share of cases
    assert {check.rule for _, check in CHECKS if check.says != "all"} <= by_case
