"""Printed numbers: all that prints as a string lies in its interval, the next number does not."""

from math import inf

import pytest
from hypothesis import given
from hypothesis import strategies as st

from audit.findings import span
from audit.printed import parse


def inside(printed, value):
    return printed.meets(value, value)


@given(st.floats(-1e4, 1e4), st.integers(0, 6))
def test_a_rounded_number_contains_what_it_was_rounded_from(value, digits):
    printed = parse(f"{value:.{digits}f}")
    assert inside(printed, value)
    unit = 10.0**-digits
    assert not inside(printed, value + 1.1 * unit) and not inside(printed, value - 1.1 * unit)


@given(st.integers(0, 10**9))
def test_thousands_are_one_number(value):
    assert parse(f"{value:,}").number == value


@pytest.mark.parametrize(
    ("text", "relation", "low", "high"),
    [
        ("−.01", "=", -0.015, -0.005),
        ("36%", "=", 35.5, 36.5),
        ("six", "=", 5.5, 6.5),
        ("10⁻⁵", "=", 0.5e-5, 1.5e-5),
        ("1.5e-3", "=", 0.00145, 0.00155),
        ("<10−30", "<", -inf, 1e-30),
        ("n.s.", ">", 0.05, 1.0),
        ("<= 0.01", "≤", -inf, 0.01),
        ("≥ 0.2", "≥", 0.2, inf),
        ("±4%", "±", -4, 4),
        ("20 or older", "≥", 20, inf),
        ("10⁻³ or smaller", "≤", -inf, 1e-3),
        ("more than 3", ">", 3, inf),
        ("at least 8", "≥", 8, inf),
        ("up to 36%", "≤", -inf, 36),
    ],
)
def test_what_papers_print(text, relation, low, high):
    printed = parse(text)
    assert printed.relation == relation
    assert (printed.low, printed.high) == pytest.approx((low, high))


@pytest.mark.parametrize("text", ["", "1.2.3", "10−", "e5", "12,34", "nan"])
def test_words_are_no_numbers(text):
    assert parse(text) is None


def test_a_sampled_proportion_is_as_wide_as_its_error():
    plain, sampled = parse("0.0731"), parse("0.0731", draws=10_000)
    assert sampled.high - plain.high == pytest.approx(4 * (0.0731 * 0.9269 / 10_000) ** 0.5)


def test_a_zero_in_exponent_notation_lies_below_every_number_that_prints():
    zero, plain = parse("0.0e+00"), parse("0.00")
    assert inside(zero, 0) and not inside(zero, 1e-300) and not inside(zero, 0.049)
    assert inside(plain, 0.0049) and not inside(plain, 0.0051)  # rounded as any other number


def test_a_number_says_what_it_is_about():
    assert str(parse(".49", name="SLIP")) == "SLIP (.49)" and str(parse(".49")) == ".49"


def test_spans_read_as_words():
    assert span(2, 2) == "2" and span(3406, 3406) == "3,406" and span(0.5, 0.75) == "0.5 to 0.75"


@pytest.mark.parametrize(
    ("text", "digit"), [(".51", -2), ("36%", 0), ("1.5e-3", -4), ("18,000", 0), ("< .01", None)]
)
def test_the_last_digit_is_that_of_a_rounding(text, digit):
    assert parse(text).last_digit == digit and parse(text, tolerance=0).last_digit is None
