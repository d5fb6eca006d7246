"""Tables as readers see them, against the values that went in."""

import html
import re

import numpy as np
import pandas as pd
import pytest

from studies import tables


def lines(styler):
    """The texts of every line of the table, as the page shows it."""
    rows = re.findall(r"<tr>(.*?)</tr>", styler.to_html(), flags=re.S)
    return [
        [html.unescape(text) for text in re.findall(r"<t[dh][^>]*>(.*?)</t[dh]>", row)]
        for row in rows
    ]


def test_labels_and_cells_are_words_and_numbers_are_short():
    columns = {
        "positive_agency": [-0.001, -1.256],
        "p_holm": [0.5, np.nan],
        "n": [18000, 3],
        "held": [True, False],
        "kind": ["two_way", "other"],
        "tag": ["s34b_b79k", "a/b_c"],
    }
    table = pd.DataFrame(columns, index=pd.Index([0.1, 0.25], name="top_p"))
    shown = lines(tables.readable(table, names={"other": "another"}))
    assert shown == [
        ["top p", "positive agency", "p, corrected (Holm)", "n", "held", "kind", "tag"],
        ["0.1", "0.00", "0.50", "18,000", "yes", "two way", "s34b_b79k"],
        ["0.25", "−1.26", "–", "3", "no", "another", "a/b_c"],
    ]


HOSTILE = [
    "<img/src=x/onerror=alert(1)>",
    "</td></script><script>alert(3)</script>",
    "a&amp;b",
    "\"q'",
    "<b>",
]


def test_a_name_is_text_wherever_it_stands():
    """In cells, in row and column headers, in their names, in the caption and in what a page
    formats further."""
    table = pd.DataFrame(
        {"share": np.linspace(0, 1, 5), "who": HOSTILE, "so": HOSTILE},
        index=pd.MultiIndex.from_arrays([HOSTILE, HOSTILE], names=["race", HOSTILE[0]]),
    )
    for one in (table, table.T, table.droplevel(1).rename_axis(HOSTILE[1])):
        page = tables.readable(one, names={"so": "<i>so</i>"}).set_caption(f"of {HOSTILE[0]}")
        page = (
            page
            if one.shape[0] == 3
            else page.format("{}!", subset="so").format_index(str.upper, axis=0)
        )
        shown = page.to_html()
        assert not re.search(r"<(img|script|/script|b|i|/i)\b", shown, flags=re.I)
        assert shown.count("<td") + shown.count("<th") > 15
        assert "of &lt;img/src=x/onerror=alert(1)&gt;" in shown
    shown = lines(tables.readable(table.reset_index(drop=True)).hide(axis="index"))
    assert [row[1] for row in shown[1:]] == HOSTILE


def test_a_page_formats_further_by_the_names_that_columns_had():
    table = pd.DataFrame({"share_found": [0.256, 1.0], "p": [1e-40, 0.04]})
    styler = (
        tables.readable(table)
        .format("{:.0%}", subset="share_found")
        .format(tables.p_value, subset="p")
    )
    assert lines(styler.hide(axis="index"))[1:] == [["26%", "<\u00a010⁻⁹"], ["100%", "0.04"]]


def test_levels_of_headers_keep_their_order_and_names():
    table = pd.DataFrame(
        np.eye(4),
        index=pd.MultiIndex.from_product([["b_c", "a"], [0.0, 1.0]], names=["race", "b"]),
        columns=pd.Index(list("zyxw"), name="some_test"),
    )
    shown = lines(tables.readable(table, precision=0))
    assert [text for text in shown[0] if text.strip()] == ["some test", *"zyxw"]
    assert [text for text in shown[1] if text.strip("\u00a0 ")] == ["group", "strength"]
    assert [row[0] for row in shown[2:]] == ["b c", "1", "a", "1"]
    assert shown[2][1:3] == ["0", "1"]


def test_the_bound_of_a_small_p_is_true_and_the_nearest_power():
    digits = str.maketrans("⁻⁰¹²³⁴⁵⁶⁷⁸⁹", "-0123456789")
    for p in (*10.0 ** np.arange(-293, -4, 7), 3e-54, 9.99e-5):
        shown = tables.p_value(p, smallest=1e-300)
        power = int(shown.removeprefix("<\u00a010").translate(digits))
        assert p < 10.0**power <= 10.001 * p
    for p in (1e-4, 0.25, 1.0):
        assert float(tables.p_value(p)) == pytest.approx(p)


def test_no_probability_is_refused():
    with pytest.raises(ValueError, match=r"1\.2 is no probability"):
        tables.p_value(1.2)
    assert tables.p_value(0.0) == tables.p_value(1e-20) == "<\u00a010⁻⁹"
    assert tables.p_value(float("nan")) == "–"


@pytest.mark.parametrize(
    ("value", "said"), [(0.95, "0.95"), (-2.5e-8, "−2.5 · 10⁻⁸"), (0.0, "0"), (1.5e-3, "0.0015")]
)
def test_numbers_of_many_sizes(value, said):
    assert tables.short(value).replace("\u00a0", " ") == said
