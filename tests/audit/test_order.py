"""Rules of order, against plain comparisons of the numbers before they were rounded."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from audit.findings import Finding, qualified
from audit.printed import parse
from audit.rules import RULES

quick = settings(max_examples=60, deadline=None)
numbers = st.lists(st.floats(-5, 5), min_size=2, max_size=6)


def printed(values, digits=2):
    return [parse(f"{value:.{digits}f}", name=f"case {k}") for k, value in enumerate(values)]


def found(rule, about=None, **others):
    return RULES[rule](about, **others)


def fits(rule, about=None, **others):
    """Whether the verdict is consistent; else it is inconsistent, and no third one."""
    return {"consistent": True, "inconsistent": False}[found(rule, about, **others).verdict]


@quick
@given(numbers, numbers)
def test_what_is_true_before_rounding_is_consistent_after(values, limits):
    for rule, true in (
        ("above", min(values) > max(limits)),
        ("below", max(values) < min(limits)),
        ("nearer", max(map(abs, values)) < min(map(abs, limits))),
    ):
        if true:
            assert fits(rule, values=printed(values), limits=printed(limits))
    pairs = list(zip(values, limits, strict=False))
    own, other = printed([a for a, _ in pairs]), printed([b for _, b in pairs])
    if all(a > b for a, b in pairs):
        assert fits("each_above", values=own, limits=other)
    if np.ptp(values) < np.ptp(limits):
        assert fits("narrower", values=printed(values), others=printed(limits))


@quick
@given(numbers, numbers)
def test_what_is_false_by_more_than_rounding_is_inconsistent_and_the_exceptions_are_named(
    values, limits
):
    margin = 0.02
    for rule, wrong in (
        ("above", [v < max(limits) - margin for v in values]),
        ("below", [v > min(limits) + margin for v in values]),
        ("nearer", [abs(v) > min(map(abs, limits)) + margin for v in values]),
    ):
        if any(wrong):
            one = found(rule, values=printed(values), limits=printed(limits))
            assert one.verdict == "inconsistent" and one.cases == len(values)
            named = " ".join(one.exceptions)
            assert all(f"case {k} (" in named for k, bad in enumerate(wrong) if bad)
    if np.ptp(values) > np.ptp(limits) + 2 * margin:
        assert not fits("narrower", values=printed(values), others=printed(limits))


def test_pairs_are_compared_place_by_place():
    one = found("each_above", values=printed([0.3, 0.5, 0.9]), limits=printed([0.2, 0.6, 0.1]))
    assert one.verdict == "inconsistent" and one.exceptions == ("case 1 (0.50)",)
    assert "0.50 and 0.60" in one.reason


def test_the_claim_itself_may_be_the_bound():
    values = [parse(text) for text in (".51", "−.01", ".46", "−.49")]
    assert not fits("above", values=values)
    assert fits("above", values=[parse(".00")])  # rounding allows it
    assert fits("above", parse("> .4"), values=[parse(".51"), parse(".46")])
    assert found("above", parse("> .4"), values=values).reason.endswith("not: −.01, −.49")
    for count, holds in ((2, True), (3, False), (1, False)):
        assert fits("above", values=values, exactly=parse(str(count), tolerance=0)) is holds


def test_signs_of_pairs():
    values = [parse(text) for text in (".51", "−.01", ".46", "−.49")]
    flipped = [parse(text) for text in (".5", "−.1", "−.4", "−.5")]
    assert found("same_sign", values=values, others=flipped).exceptions == (".46",)
    for least, holds in (("3", True), ("4", False)):
        least = parse(least, tolerance=0)
        assert fits("same_sign", values=values, others=flipped, at_least=least) is holds


def test_gaps_are_set_against_gaps():
    rest = {
        "high": parse("54.12"),
        "lows": printed([3.92, 3.88, 0, 0]),
        "other_high": parse("51.15"),
    }
    one = found("gap_above", **rest, other_lows=printed([1, 0.05, 2.9, 6.63]))
    assert one.verdict == "inconsistent" and one.exceptions == ("case 1 (3.88)",) and one.cases == 4
    assert fits("gap_above", **rest, other_lows=printed([1, 2.05, 2.9, 6.63]))
    # .95 to 1.05 less .45 to .55 may be as much as .6; the other gap is at least .5, or .61
    rest = {"high": parse("1.0"), "lows": printed([0.5], 1), "other_lows": printed([0.5], 1)}
    assert fits("gap_above", **rest, other_high=parse("1.1"))
    assert not fits("gap_above", **rest, other_high=parse("1.21"))


def test_even_distances():
    even, uneven = printed([0.17, 0.10, 0.04]), printed([0.69, 0.59, 0.31])
    assert fits("more_even", values=even, others=uneven)
    assert not fits("more_even", values=uneven, others=even)
    assert fits("more_even", values=uneven, others=printed([0, 0, 0.01]))  # rounding leaves it open


@pytest.mark.parametrize(
    ("says", "exceptions", "cases", "verdict"),
    [
        ("unqualified", 0, 9, "consistent"),
        ("all", 2, 9, "inconsistent"),
        ("most", 2, 9, "consistent"),
        ("unqualified", 2, 9, "consistent but for"),
        ("unqualified", 5, 9, "inconsistent"),
        ("most", 1, 2, "inconsistent"),  # half is not most
    ],
)
def test_one_standard_for_sentences_with_exceptions(says, exceptions, cases, verdict):
    values = printed([-1] * exceptions + [1] * (cases - exceptions))
    assert qualified(found("above", values=values), says).verdict == verdict


def test_a_failure_that_names_nothing_stays_one():
    assert qualified(Finding("inconsistent", "because"), "unqualified").verdict == "inconsistent"
