"""Negative numbers on pages and in figures have a minus sign, and no number a space before its per
cent sign; names and programs keep theirs."""

import matplotlib.text as mtext
import pytest

from vlmbias import figures, number_signs
from vlmbias.figures import showing


@pytest.mark.parametrize(
    ("text", "read"),
    [
        ("d = -.5 (-1.2 to -0.3)", "d = −.5 (−1.2 to −0.3)"),
        ("p = 2e-44", "p = 2e−44"),
        ("0.1, -2", "0.1, −2"),
        ("80 % of 5\u00a0%, 3%", "80% of 5%, 3%"),
        ("10 %s, % of them, n % 2", "10 %s, % of them, n % 2"),
        ("2019-2021, LAION-400M", "2019-2021, LAION-400M"),
        ("a -p option, x-1, 1-2e", "a -p option, x-1, 1-2e"),
    ],
)
def test_numbers_have_signs_and_names_keep_theirs(text, read):
    assert number_signs.in_words(text) == read


def test_a_per_cent_sign_follows_a_number_in_another_element():
    page = "<p><span>80</span> % of <em>5 %</em></p><code>5 % 2</code><pre>7 %</pre>"
    wanted = "<p><span>80</span>% of <em>5%</em></p><code>5 % 2</code><pre>7 %</pre>"
    assert number_signs.in_html(page) == wanted


def test_a_page_keeps_programs_formulas_addresses_and_names():
    page = (
        '<p title="-1">d is <strong>-0.41</strong>, in <em>LAION</em>-400M (<i>-7</i>) &lt;'
        ' -2</p><pre><span>x</span> = -1</pre><code>-3</code><span class="math'
        ' notranslate">\\(-4\\)</span><table><tr><td>-5</td></tr></table>\n<p>é\n-6'
    )
    wanted = page
    for number in (">-0.41", "<i>-7", "&lt; -2", "<td>-5", "\n-6"):
        wanted = wanted.replace(number, number.replace("-", "−"))
    assert number_signs.in_html(page) == wanted


def test_words_in_a_figure_have_a_minus():
    figure, ((axes,),) = figures.panels()
    axes.plot([-1, 1], [0, 1])
    axes.text(0, 0.5, f"d = {-0.41:.2f}")
    axes.set_yticks([0, 1], ["-2 steps", "0"])
    axes.xaxis.set_major_formatter(lambda value, _: f"{value:.1f}")
    showing.with_signs(figure)
    words = [
        one.get_text()
        for one in (*figure.findobj(mtext.Text), *axes.get_xticklabels(), *axes.get_yticklabels())
    ]
    assert "d = −0.41" in words and "−2 steps" in words and "−1.0" in words
    assert not [one for one in words if "-" in one]


@pytest.mark.parametrize(
    ("number", "said"),
    [(0, "0 identities"), (1, "1 identity"), (2, "2 identities"), (1200, "1,200 identities")],
)
def test_a_noun_goes_with_its_number(number, said):
    assert number_signs.counted(number, "identity", "identities") == said
    assert number_signs.counted(number, "model") == f"{number:,} model{'s' * (number != 1)}"
