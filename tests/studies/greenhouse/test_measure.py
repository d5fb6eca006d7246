"""The template for a reader's own study: the same people in both groups, or others in each."""

import in_process
import numpy as np
import pandas as pd
import pytest
from nbformat import NotebookNode
from PIL import Image
from scipy import stats

from runner import notebooks, plan, statements
from runner.glued_values import glued
from runner.reruns import computed
from vlmbias import paths
from vlmbias.stimuli.reader_folders import METADATA

CELLS = ("def of_people", "def tested", "def shuffled")


def measured(table):
    """What the page computes of the scores of pictures, by name."""
    names = {"table": table, "first": "a", "second": "b", "n_draws": 4000, "seed": 0}
    names |= {"np": np, "stats": stats}
    for cell in notebooks.read(plan.source("greenhouse/measure")).cells:
        if cell.cell_type == "code" and any(one in cell.source for one in CELLS):
            exec(cell.source, names)
    return names


@pytest.mark.parametrize("same", [True, False])
def test_people_are_compared_with_themselves_or_else_the_groups_are(same):
    rng = np.random.default_rng(3)
    who, group, of_person = np.repeat(np.arange(12), 3), np.tile([0, 1, 0], 12), rng.normal(size=24)
    table = pd.DataFrame({"seed": who + 12 * group * (not same), "race": np.array([*"ab"])[group]})
    own = table.assign(score=of_person[table["seed"]] + 0.3 * group + rng.normal(size=36))
    found = measured(own)
    x, y = (own[own["race"] == name].groupby("seed")["score"].mean().to_numpy() for name in "ab")
    test = stats.ttest_rel(x, y) if same else stats.ttest_ind(x, y, equal_var=False)
    assert found["gap"] == pytest.approx(x.mean() - y.mean())
    assert found["by_people"].pvalue == pytest.approx(test.pvalue)
    chance = stats.permutation_test(
        (x, y),
        lambda one, other: one.mean() - other.mean(),
        permutation_type="samples" if same else "independent",
        n_resamples=4000,
        rng=1,
    )
    assert found["p_value"] == pytest.approx(chance.pvalue, abs=0.03)
    assert abs(test.pvalue - 0.5) < 0.48  # neither end of the scale: the p-values could disagree


def test_a_few_people_in_both_groups_do_not_take_the_others_away():
    who = [*range(10), *range(8, 18)]
    own = pd.DataFrame({"seed": who, "race": ["a"] * 10 + ["b"] * 10, "score": np.arange(20.0)})
    found = measured(own)
    assert len(found["of_first"]) == len(found["of_second"]) == 10 and found["gap"] == -10


@pytest.fixture
def ran(tmp_path):
    """The page on a reader's own pictures, seen by our network: noise of people with `each`
    pictures, in two groups, and one person of a third."""

    def ran(each, *, colour=0.0, slip=None, **given):
        rng, rows = np.random.default_rng(0), ["path,seed,race"]
        for who in range(13):
            of_person = rng.uniform(0, 255, 3)
            for n in range(each if who < 12 else 1):
                noise = rng.uniform(0, 255, (8, 8, 3))
                pixels = colour * of_person + (1 - colour) * noise
                Image.fromarray(pixels.astype("uint8")).save(tmp_path / f"{who}-{n}.png")
                group = ("ginger", "green", "violet")[who // 6]
                group = "green" if f"{who}-{n}" == slip else group
                rows.append(f"{who}-{n}.png,{who},{group}")
        (tmp_path / METADATA).write_text("\n".join(rows))
        given = {"stimuli": "folder", "root": str(tmp_path)} | given
        chosen = plan.settings("smoke")
        record = plan.record("greenhouse/measure", chosen, given=given, files={})
        cells = in_process.run(record, paths.build() / "smoke/own/results.json", drawn=False)
        for cell in cells:  # as a kernel would leave them
            cell.outputs = [one | {"data": one} for one in cell.get("outputs", [])]
        return NotebookNode(cells=cells)

    return ran


def test_own_pictures_are_never_called_drawings_and_the_report_agrees_with_the_text(ran):
    page = ran(3)
    values = glued(page)
    assert "drew" not in values["here"] and "own" in values["here"]
    assert "network that we trained" in values["here"]
    (figure,) = computed.figures(page).values()
    assert "pictures in a folder of the reader" in figure.html
    report, tests = in_process.shown("report"), in_process.shown("tests")
    counts = report["tests made"], report["comparisons not defined"]
    assert counts == (values["tests"], values["undefined"]) == (8, 16) and len(tests) == sum(counts)
    assert report["pictures"] == values["observations"] == 36


@pytest.mark.parametrize("slip", [None, "0-0"])
def test_groups_of_different_people_get_one_p_and_are_called_so_where_they_are(ran, slip):
    """The example with half of the people would be a second p for the same difference."""
    page = ran(3, slip=slip)
    values = glued(page)
    assert "p_value" in values and "apart_p" not in values
    assert values["holds.other_people"] is True and values["in_both"] == bool(slip)
    true = "some_in_both" if slip else "nobody_in_both"
    for name in ("some_in_both", "nobody_in_both"):
        assert (values[f"holds.{name}"] is True) == (name == true)
    printed = "\n".join(part.text for part in statements.settled_notebook(page, {})[1])
    rule = printed[printed.index("### Rule 5") : printed.index("### Rule 6")]
    assert "{glue:text}`p_value" in rule and "`apart_" not in rule
    assert "whole people" in rule and "two scores" not in rule


@pytest.mark.parametrize(("colour", "less"), [(1.0, False), (0.8, True)])
def test_that_more_pictures_help_less_by_people_is_said_where_it_is_so(ran, colour, less):
    """Not where all pictures of a person are the same, so that they do not help at all."""
    values = glued(ran(6, colour=colour))
    assert values["holds.people_less"] is less and values["holds.pictures_fall"] is True


def test_one_picture_of_each_person_will_do(ran):
    page = ran(1, group="green", other_group="ginger")
    values = glued(page)
    assert (values["first"], values["second"]) == ("green", "ginger")
    assert "holds.people_less" in values and not isinstance(values["holds.people_less"], bool)
