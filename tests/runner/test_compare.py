"""Whether a difference is more than another seed gives."""

import math
import random

import pytest
from scipy import stats

from runner.reruns import compare


@pytest.mark.parametrize("values", [[1.0, 2.0], [3, 5, 4.5, 9, -2], [0.1, 0.11, 0.12]])
def test_at_the_ends_of_the_interval_a_t_test_of_one_against_the_others_has_the_p_of_the_level(
    values,
):
    for end in compare.interval(values):
        assert stats.ttest_ind([end], values).pvalue == pytest.approx(1 - compare.CONFIDENCE_LEVEL)


BOOK = {"drawn": 1.0, "far": 1.0, "still": 2.0, "as it was": 3.0, "word": "kind", "gone": 1}
HERE = {"drawn": 1.1, "far": 99.0, "still": 2.5, "as it was": 3.0, "word": "cold"}
OTHERS = [
    BOOK | {"drawn": 1.0 + step, "far": 1.0 + step, "as it was": 3.0 + step, "word": word}
    for step, word in ((0.1, "cold"), (-0.1, "kind"), (0.2, "odd"))
]


def test_the_most_surprising_stands_first():
    order = compare.compared(BOOK, HERE, OTHERS).index.tolist()
    assert order.index("still") < order.index("far") < order.index("drawn")
    assert order.index("drawn") < order.index("word") < order.index("as it was")
    sizes = compare.compared({"a": 1.0, "b": 1.0}, {"a": 1.1, "b": 5.0}, []).index.tolist()
    assert sizes == ["b", "a"]  # without a yardstick, the larger share
    # what only one run has, as groups of other names, comes behind what can be compared
    book = {"first": "teal", "teal": 1.0, "gap": 2.0, "n": 3}
    here = {"first": "north", "north": 5.0, "gap": -2.0, "n": 3}
    for others in ([], [book]):
        found = compare.compared(book, here, others)
        assert list(found.index) == ["gap", "first", "north", "teal", "n"]


def test_the_count_says_how_many_chance_alone_would_give():
    said = compare.counted(compare.compared(BOOK, HERE, OTHERS))
    assert said.startswith(
        f"6 results: 1 {compare.FIXED}; 1 {compare.BEYOND}; 1 {compare.ONE_SIDED}"
    )
    assert "Of the 3 numbers" in said and f"about {3 * 0.05:.1f} beyond" in said
    assert "Of the" not in compare.counted(compare.compared(BOOK, HERE, []))


def test_an_interval_of_sizes_ends_at_zero_and_one_of_signed_values_does_not():
    """The largest absolute change of a table cannot be below zero."""

    def ends(book, here, *others):
        table = compare.compared({"x": book}, {"x": here}, [{"x": one} for one in others])
        return tuple(table.loc["x", ["low", "high"]])

    low, high = compare.interval([0.01, 0.02, 0.001])
    assert low < 0 and ends(0.01, 0.005, 0.02, 0.001) == (0.0, pytest.approx(high))
    assert ends(0.01, -0.005, 0.02, 0.001)[0] == pytest.approx(low)
    assert ends(-0.01, -0.005, -0.02, -0.001)[1] == 0.0


def slow_verdict(book, here, others):
    """The verdict, told step by step from its meaning."""

    def number(one):
        return type(one) in (int, float) and math.isfinite(one)

    def alike(one, other):
        if number(one) and number(other):
            return abs(one - other) <= max(1e-9 * max(abs(one), abs(other)), 1e-12)
        return one == other or (one != one and other != other)

    if alike(book, here):
        return compare.SAME
    if "–" in (book, here):
        return compare.ONE_SIDED
    measured = [one for one in others if number(one)] if number(book) else others
    if not measured:
        return compare.CHANGED
    if all(alike(book, one) for one in measured):
        return compare.FIXED
    if not number(book) or not number(here):
        return compare.WITHIN if here in measured else compare.BEYOND
    draws = [book, *measured]
    inside = stats.ttest_ind([here], draws).pvalue >= 0.05
    # a size that no run has below zero: there is no room beyond an interval that would end there
    return compare.WITHIN if inside else compare.BEYOND


def drawn(rng, kind, at=0.0):
    return {
        "number": rng.gauss(at, 1),
        "size": abs(rng.gauss(at, 1)),
        "count": rng.randrange(3),
        "constant": 3.0,
        "word": rng.choice("abc"),
        "truth": rng.random() < 0.5,
        "gap": math.nan,
        "at times": rng.choice(["not run", rng.gauss(0, 1)]),
    }[kind]


@pytest.mark.parametrize("seed", range(40))
def test_every_verdict_is_that_of_the_slow_definition(seed):
    rng = random.Random(seed)
    kinds = ["number", "size", "count", "constant", "word", "truth", "gap", "at times"]
    kinds = {f"{n} {kind}": kind for n in range(3) for kind in kinds}
    book = {key: drawn(rng, kind) for key, kind in kinds.items() if rng.random() < 0.95}
    here = {
        key: book[key]
        if key in book and rng.random() < 0.3
        else drawn(rng, kind, rng.choice([0, 4]))
        for key, kind in kinds.items()
        if rng.random() < 0.95
    }
    others = [
        {key: drawn(rng, kind) for key, kind in kinds.items() if rng.random() < 0.95}
        for _ in range(rng.choice([0, 1, 4]))
    ]
    found = compare.compared(book, here, others)["verdict"].to_dict()
    assert found == {
        key: slow_verdict(
            book.get(key, "–"), here.get(key, "–"), [one[key] for one in others if key in one]
        )
        for key in {*book, *here}
    }
