"""Overlapping words are found where they were planted, and nowhere else; then in every figure of
the book."""

import in_process
import numpy as np
import pytest
from overlaps import overlaps, watched

from runner import plan
from vlmbias import paths
from vlmbias.figures import panels, style
from vlmbias.figures.showing import MARK, to_html


def _drawn(*, legend="upper left", turned=0, names=3):
    """Two panels of falling points with titles, names below, a legend."""
    figure, ((left, right),) = panels(1, 2)
    for axes in (left, right):
        axes.plot(range(names), range(names, 0, -1), "o-", label="falls")
        axes.set_ylim(-1, 2 * names)
        axes.set_title("A panel")
        axes.set_xticks(range(names), [f"name {at}" for at in range(names)], rotation=turned)
        axes.legend(loc=legend)
    return figure, left


WORDS = {"alt": "Points that fall in two panels.", "caption": "They fall.", "source": "greenhouse"}


def test_names_that_run_into_each_other_are_found_and_turning_them_helps():
    assert overlaps(_drawn()[0]) == []
    assert "'name 3' on 'name 4'" in overlaps(_drawn(names=9)[0])
    for turned in (90, 60):  # at 60 their upright boxes overlap, the words do not
        assert overlaps(_drawn(names=9, turned=turned)[0]) == []


def test_a_word_on_a_word_on_a_point_or_on_the_neighbouring_panel_is_found():
    figure, axes = _drawn()
    axes.text(1.3, 4, "one remark")
    axes.twinx().set_ylabel("the other scale")  # no neighbour
    assert overlaps(figure) == []
    axes.text(1.4, 4.1, "another")
    axes.text(1, 2, "where it bends", ha="center", va="center")
    axes.text(1.05, 0.1, "far too long for its place", transform=axes.transAxes, in_layout=False)
    assert {*overlaps(figure)} >= {
        "'one remark' on 'another'",
        "'where it bends' on a point of the data",
        "'far too long for its place' on another panel",
    }


@pytest.mark.parametrize("draw", ["plot", "bar", "scatter"])
def test_a_legend_on_the_data_is_found(draw):
    for place, said in (
        ("upper left", []),
        ("upper right", ["the legend ('rises' …) on the data"]),
    ):
        figure, ((axes,),) = panels()
        getattr(axes, draw)(np.arange(40), np.linspace(0, 1, 40), label="rises")
        axes.legend(loc=place)
        assert overlaps(figure) == said


def test_a_word_under_a_legend_is_found():
    figure, _ = _drawn()
    figure.legend(loc="outside lower right")
    # its place is taken from the saved picture's edges, where the mark of the Greenhouse stands
    with watched() as found:
        to_html(figure, **WORDS)
    assert f"'{MARK[:39]}…' on the legend" in found


def test_labels_beyond_the_limits_and_pale_words_do_not_count():
    figure, ((axes,),) = panels()
    axes.plot([0, 100], [0, 1])
    axes.set_xticks(range(100))
    axes.set_xlim(10.5, 12.5)
    figure.text(0.5, 0.5, "A GROUND", fontsize=60, alpha=0.07)
    axes.text(11, 0.5, "a word on it")
    assert overlaps(figure) == []


@pytest.mark.parametrize("names", [3, 9])
def test_shown_figures_are_looked_at(names):
    with style(), watched() as found:
        to_html(_drawn(names=names)[0], **WORDS)
    assert found == overlaps(_drawn(names=names)[0]) and bool(found) == (names == 9)


@pytest.mark.long
@pytest.mark.parametrize("notebook", plan.notebooks())
def test_nothing_overlaps_in_the_figures_of_a_chapter(notebook, monkeypatch):
    monkeypatch.setenv("VLMBIAS_IDENTITIES", "")
    record = plan.record(notebook, plan.settings("greenhouse"), files={})
    with watched() as found:
        in_process.run(record, paths.build() / "smoke" / f"{notebook}-figures" / "results.json")
    assert found == []
