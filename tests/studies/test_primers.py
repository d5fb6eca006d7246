"""The figures of the pages on methods: what is drawn, and said, is what the definitions give."""

import re
from math import log

import numpy as np
import pytest
from overlaps import watched
from scipy import stats

from studies import primers
from vlmbias.figures.showing import to_html


@pytest.fixture(scope="module")
def drawn():
    return {name: primers.figure(name) for name in primers.FIGURES}


def numbers(text):
    return [float(one.replace("−", "-")) for one in re.findall(r"[-+−]?\d+\.\d+", text)]


def test_effect_sizes_are_those_of_the_points_that_are_drawn(drawn):
    axes = drawn["association"].figure.axes[0]
    groups = [line.get_xdata() for line in axes.lines if line.get_marker() == "o"]
    said = [float(one) for one in re.findall(r"d = (\d\.\d+)", drawn["association"].alt)]
    for x, y, d, (gap, sd) in zip(groups[::2], groups[1::2], said, primers.GROUPS, strict=True):
        assert np.mean(x) - np.mean(y) == pytest.approx(gap)
        assert np.std(x, ddof=1) == pytest.approx(sd)
        assert (np.mean(x) - np.mean(y)) / np.std([*x, *y], ddof=1) == pytest.approx(d, abs=0.005)
    assert "Rows 1 and 2 have the same effect size" in drawn["association"].caption
    assert said[0] == said[1] > said[2]


def test_skews_are_logarithms_of_shares(drawn):
    teal = [log(2), log(2), log(4 / 3), log(1.5), log(1.2), 0]
    amber = [log(2 / 3), log(0.5), log(0.8), 0]
    lines = {
        line.get_label(): np.asarray(line.get_ydata(), float)
        for line in drawn["ranking"].figure.axes[0].lines
    }
    assert lines["teal"] == pytest.approx(teal)
    assert np.isnan(lines["amber"][:2]).all()
    assert lines["amber"][2:] == pytest.approx(amber)
    assert "minus infinity" in drawn["ranking"].alt
    assert numbers(drawn["ranking"].alt)[:2] == [
        0.693,
        0.693,
    ]


def test_the_share_of_labellings_is_the_exact_p_value(drawn):
    def difference(x, y, axis):
        return np.mean(x, axis=axis) - np.mean(y, axis=axis)

    exact = stats.permutation_test(
        primers.SCORES, difference, alternative="greater", n_resamples=np.inf, vectorized=True
    )
    found = drawn["permutation"]
    assert float(re.search(r"p = (0\.\d+)", found.caption)[1]) == pytest.approx(
        exact.pvalue, abs=5e-5
    )
    bars = found.figure.axes[0].containers
    assert [sum(bar.get_height() for bar in one) for one in bars] == [
        924,
        round(exact.pvalue * 924),
    ]


def test_more_images_leave_networks_apart(drawn):
    words = r"With (\d+) pairs of images, (\d+) intervals leave out zero; with (\d+), (\d+)"
    told = re.search(words, drawn["targets"].alt)
    few, many = drawn["targets"].figure.axes
    counts = []
    for axes in (few, many):
        ends = [segment[:, 0] for lines in axes.collections for segment in lines.get_segments()]
        assert len(ends) == primers.NETWORKS
        counts.append(sum(low > 0 or high < 0 for low, high in ends))
    assert [int(told[2]), int(told[4])] == counts
    assert counts[1] > counts[0]
    table = primers.leans()
    assert abs(table["mean"].mean()) < 3 * primers.LEAN / primers.NETWORKS**0.5


@pytest.mark.parametrize("name", primers.FIGURES)
def test_every_figure_can_be_read_and_says_that_it_is_made_up(name):
    found = primers.figure(name)
    with watched() as overlapping:
        html = to_html(found.figure, alt=found.alt, caption=found.caption, source=found.source)
    assert not overlapping
    assert "made up for this page" in html
