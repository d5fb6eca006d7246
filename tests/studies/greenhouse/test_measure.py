"""The template for a reader's own study: the same people in both groups, or others in each."""

import numpy as np
import pandas as pd
import pytest
from scipy import stats

from runner import notebooks, plan

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
