"""The explorer's comparisons against obvious ones, and lamps counted by hand."""

import numpy as np
import pandas as pd
import pytest
import worlds
from scipy import stats

from greenhouse.world import grid
from studies.greenhouse import explorer


def _seen(identities=12):
    """All groups, and two made-up dimensions that depend on identity and hue."""
    rng = np.random.default_rng(0)
    groups = [f"{hue} {crest}" for hue in grid.HUES for crest in grid.CRESTS]
    table = worlds.faces(identities, groups, rng=rng)
    own = rng.normal(size=(identities, 2))[table["seed"] - 100]
    shift = table["race"].map({"teal": 0.4, "violet": -0.2}).fillna(0.0).to_numpy()[:, None]
    values = own + shift + 0.3 * rng.normal(size=(len(table), 2))
    return pd.DataFrame(values, columns=["warmth", "other"]), table


@pytest.mark.parametrize("group", [*grid.HUES[:3], *grid.CRESTS])
def test_a_group_shows_every_identity_once_and_mixes_what_is_not_compared(group):
    _, table = _seen()
    own = table[explorer.members(table, group)]
    assert sorted(own["seed"]) == list(range(100, 112))
    assert set(own["race"] if group in grid.HUES else own["gender"]) == {group}
    counts = own["gender" if group in grid.HUES else "race"].value_counts()
    assert len(counts) > 1
    assert counts.nunique() == 1


def test_the_faces_of_a_pair_differ_in_the_compared_name_alone():
    table = explorer.faces(1).table
    assert (table["seed"].min(), table["seed"].max()) == (100, 199)
    first, second = (
        table[explorer.members(table, name)].set_index("seed") for name in ("teal", "violet")
    )
    pd.testing.assert_frame_equal(
        first.drop(columns="race"), second.drop(columns="race").loc[first.index]
    )
    assert len(first) == explorer.IDENTITIES


def test_comparisons_are_those_of_an_obvious_loop():
    delta, table = _seen()
    found = explorer.compare(delta, table).set_index(explorer.QUESTION)
    for (first, second, dimension), row in found.iterrows():
        sides = []
        for group in (first, second):
            places = np.flatnonzero(explorer.members(table, group))
            sides.append(
                np.array([delta[dimension][i] for i in sorted(places, key=table["seed"].get)])
            )
        x, y = sides
        assert row["difference"] == pytest.approx((x - y).mean())
        assert row["p"] == pytest.approx(stats.ttest_rel(x, y).pvalue)
        assert row["p_separate"] == pytest.approx(stats.ttest_ind(x, y, equal_var=False).pvalue)
        assert row["n"] == len(x) == 12
    assert len(found) == found["p"].nunique() == 8


def test_groups_of_different_identities_are_an_error():
    delta, table = _seen()
    kept = ~((table["race"] == "amber") & (table["seed"] == 103))
    with pytest.raises(ValueError, match="teal and amber must show the same identities"):
        explorer.compare(delta[kept].reset_index(drop=True), table[kept].reset_index(drop=True))


def _lamps(states):
    """A table with the lamps in the given states, by (question, network, hundred)."""
    index = pd.MultiIndex.from_tuples(states, names=["dimension", "network", "hundred"])
    table = pd.DataFrame({"state": states.values()}, index).reset_index()
    on, state = table["state"] != 0, table.pop("state")
    return table.assign(
        first="a",
        second="b",
        difference=0.1 * state.replace(0, 1),
        p=np.where(on, 0.01, 0.5),
        p_separate=np.where(state > 0, 0.04, 0.5),
    )


def test_lamps_are_counted_over_networks():
    states = {"x": (1, -1), "y": (1, 0), "z": (-1, -1)}
    table = _lamps({(q, n + 1, 0): own[n] for q, own in states.items() for n in (0, 1)})
    assert explorer.on(table).tolist() == [1, -1, 1, 0, -1, -1]
    counts = {"lamps": 6, "on": 5, "on_separate": 2, "questions": 3, "unlike": 2, "opposed": 1}
    assert explorer.over_networks(table) == counts


def test_lamps_are_counted_over_faces():
    states = {"x": (1, 1), "y": (1, -1), "z": (-1, 0), "w": (0, 1)}
    table = _lamps(
        {(q, 1, hundred): own[hundred] for q, own in states.items() for hundred in (0, 1)}
    )
    assert explorer.over_faces(table) == {"on": 3, "stay": 1, "opposed": 1}
