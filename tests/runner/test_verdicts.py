"""Whether a difference is more than another seed gives."""

import math

import numpy as np
import pytest
from scipy import stats

from runner.reruns import verdicts


@pytest.mark.parametrize("values", [[1.0, 2.0], [3, 5, 4.5, 9, -2], [0.1, 0.11, 0.12]])
@pytest.mark.parametrize("level", [0.5, 0.95])
def test_at_the_ends_of_the_interval_a_t_test_of_one_against_the_others_has_the_p_of_the_level(
    values, level
):
    for end in verdicts.interval(values, confidence_level=level):
        assert stats.ttest_ind([end], values).pvalue == pytest.approx(1 - level)


@pytest.mark.parametrize("n", [2, 5])
def test_the_next_draw_lies_inside_as_often_as_the_level_says(n):
    draws = np.random.default_rng(1).normal(7, 3, size=(4_000, n + 1))
    ends = np.array([verdicts.interval(row[:-1]) for row in draws])
    inside = ((ends[:, 0] <= draws[:, -1]) & (draws[:, -1] <= ends[:, 1])).mean()
    assert abs(inside - verdicts.CONFIDENCE_LEVEL) < 4 * math.sqrt(0.05 * 0.95 / 4_000)


def test_one_value_says_nothing_about_the_next():
    with pytest.raises(ValueError, match=r"needs at least 2 values, got 1; try more seeds"):
        verdicts.interval([1.0])


BOOK = {
    "drawn": 1.0,
    "far": 1.0,
    "count": 5,
    "still": 2.0,
    "as it was": 3.0,
    "rounded": 0.1 + 0.2,
    "word": "kind",
    "fixed word": "kind",
    "new word": "kind",
    "gone": 1,
    "unmeasured": "not run",
}
HERE = {
    "drawn": 1.1,
    "far": 99.0,
    "count": 6,
    "still": 2.5,
    "as it was": 3.0,
    "rounded": 0.3,
    "word": "cold",
    "fixed word": "cold",
    "new word": "new",
    "come": 2,
    "unmeasured": 4.0,
}
OTHERS = [
    BOOK
    | {
        "drawn": 1.0 + step,
        "far": 1.0 + step,
        "count": 5 + sign,
        "word": word,
        "new word": word,
        "as it was": 3.0 + step,
    }
    for step, sign, word in ((0.1, 1, "cold"), (-0.1, -1, "kind"), (0.2, 0, "odd"))
]


def verdict_of(others):
    return verdicts.compared(BOOK, HERE, others).set_index("result")["verdict"].to_dict()


def test_every_kind_of_difference_has_its_verdict():
    assert verdict_of(OTHERS) == {
        "drawn": verdicts.WITHIN,
        "count": verdicts.WITHIN,
        "far": verdicts.BEYOND,
        "still": verdicts.FIXED,
        "as it was": verdicts.SAME,
        "rounded": verdicts.SAME,
        "word": verdicts.WITHIN,
        "new word": verdicts.BEYOND,
        "fixed word": verdicts.FIXED,
        "gone": verdicts.ONE_SIDED,
        "come": verdicts.ONE_SIDED,
        "unmeasured": verdicts.FIXED,
    }


def test_nothing_is_judged_where_no_seed_was_tried():
    found = verdict_of([])
    assert set(found.values()) == {verdicts.SAME, verdicts.CHANGED, verdicts.ONE_SIDED}
    assert found["far"] == found["word"] == verdicts.CHANGED and found["as it was"] == verdicts.SAME


def test_a_value_that_another_seed_could_not_measure_is_left_out():
    table = verdicts.compared(
        {"x": 1.0}, {"x": 1.5}, [{"x": "not run"}, {"x": 1.2}, {"x": 0.8}, {}]
    )
    assert table.loc[0, ["low", "high"]].tolist() == pytest.approx(
        verdicts.interval([1.0, 1.2, 0.8])
    )


@pytest.mark.parametrize("gap", [math.nan, math.inf])
def test_a_gap_is_compared_as_a_word(gap):
    def verdict(book, here, *others):
        table = verdicts.compared({"x": book}, {"x": here}, [{"x": one} for one in others])
        assert not table["surprise"].isna().any() and "nan" not in verdicts.counted(table)
        return table.loc[0, "verdict"]

    assert verdict(gap, gap, 1.0) == verdicts.SAME
    assert verdict(gap, 1.0, gap) == verdict(1.0, gap, 1.0) == verdicts.FIXED
    assert (
        verdict(1.0, gap, 1.1, gap) == verdicts.BEYOND
        and verdict(1.0, 1.1, 0.8, gap) == verdicts.WITHIN
    )


def test_the_most_surprising_stands_first():
    order = verdicts.compared(BOOK, HERE, OTHERS)["result"].tolist()
    for earlier, later in (
        ("still", "far"),
        ("far", "drawn"),
        ("new word", "drawn"),
        ("drawn", "word"),
        ("word", "as it was"),
    ):
        assert order.index(earlier) < order.index(later), (earlier, later, order)
    sizes = verdicts.compared({"a": 1.0, "b": 1.0}, {"a": 1.1, "b": 5.0}, [])["result"].tolist()
    assert sizes == ["b", "a"]  # without a yardstick, the larger share


def test_the_count_says_how_many_chance_alone_would_give():
    said = verdicts.counted(verdicts.compared(BOOK, HERE, OTHERS))
    three = (
        f"3 changed, as with none of the other seeds; 2 {verdicts.BEYOND}; 2 {verdicts.ONE_SIDED}"
    )
    assert said.startswith(f"12 results: {three}")
    assert (
        "Of the 4 numbers that the seed changes, another seed alone would put about 0.2 beyond"
        in said
    )
    assert "by chance" not in verdicts.counted(verdicts.compared(BOOK, HERE, [])) and "95%" in said


def test_an_interval_of_sizes_ends_at_zero_and_one_of_signed_values_does_not():
    """The largest absolute change of a table cannot be below zero."""

    def ends(book, here, *others):
        table = verdicts.compared({"x": book}, {"x": here}, [{"x": one} for one in others])
        return tuple(table.loc[0, ["low", "high"]])

    low, high = verdicts.interval([0.01, 0.02, 0.001])
    assert low < 0 and ends(0.01, 0.005, 0.02, 0.001) == (0.0, pytest.approx(high))
    assert ends(0.01, -0.005, 0.02, 0.001)[0] == pytest.approx(low)
    assert ends(-0.01, -0.005, -0.02, -0.001)[1] == 0.0
