"""Printed numbers: every value that prints as a string lies in its interval, the next one does not."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from audit.printed import parse, span


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
    ("text", "low", "high"),
    [
        (".51", 0.505, 0.515),
        ("−.01", -0.015, -0.005),
        ("−1.31", -1.315, -1.305),
        ("36%", 35.5, 36.5),
        ("six", 5.5, 6.5),
        ("< 0.001", float("-inf"), 0.001),
        ("> .4", 0.4, float("inf")),
        ("10⁻⁵", 0.5e-5, 1.5e-5),
        ("<10−30", float("-inf"), 1e-30),
        ("n.s.", 0.05, 1.0),
        ("1.5e-3", 0.00145, 0.00155),
    ],
)
def test_what_papers_print(text, low, high):
    printed = parse(text)
    assert (printed.low, printed.high) == pytest.approx((low, high))


@pytest.mark.parametrize("text", ["", "most", "1.2.3", "10−", "e5", "-", "12,34", "1 2", "nan", "inf"])
def test_words_are_no_numbers(text):
    assert parse(text) is None


def test_a_sampled_proportion_is_as_wide_as_its_error():
    plain, sampled = parse("0.0731"), parse("0.0731", draws=10_000)
    assert sampled.high - plain.high == pytest.approx(4 * (0.0731 * 0.9269 / 10_000) ** 0.5)


def test_a_printed_sign_wins_over_the_column_head():
    assert parse("10⁻³", relation="<").low == float("-inf")
    assert parse("> 10⁻³", relation="<").high == float("inf")


def test_spans_read_as_words():
    assert span(2, 2) == "2" and span(3406, 3406) == "3,406" and span(0.5, 0.75) == "0.5 to 0.75"
