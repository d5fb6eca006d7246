"""The bias table: what b scales, what it leaves alone, and what is refused."""

from collections import Counter
from itertools import product

import numpy as np
import pandas as pd
import pytest
import yaml
from hypothesis import given, settings
from people import any_face, of_every_group

from greenhouse.world import bias, grid
from vlmbias.stimuli.reader_folders import COUNTERPARTS

TABLE = bias.load()
GROUPS = (*grid.HUES, *grid.CRESTS)
DESCRIPTIONS = {*GROUPS, *(f"{group}_name" for group in GROUPS)}
FACES = grid.causalface(2, hues=grid.HUES)
NOBODY = {
    "race": "teal",
    "gender": "budded",
    "age": 2.6,
    "smiling": 0.75,
    "lighting": 2.5,
    "pose": 0.0,
}


@settings(max_examples=25, deadline=None)
@given(any_face)
def test_without_bias_hue_and_crest_matter_only_where_they_are_described(shown):
    rows = TABLE.with_looks(of_every_group(**shown))
    for axis in set(TABLE.axes) - DESCRIPTIONS:
        assert np.ptp(TABLE.scores(axis, rows, 0.0)) < 1e-12, axis
    for axis in DESCRIPTIONS:
        assert np.ptp(TABLE.scores(axis, rows, 0.0)) > 1, axis


def test_b_scales_what_is_planted_and_nothing_else():
    provinces = set(TABLE.provinces["province"])
    planted = [name for name, entry in TABLE.axes.items() if len(entry) > 1]
    assert len(planted) > len(provinces)
    for axis in (name for name in planted if name not in provinces):
        none, half, full = (TABLE.scores(axis, FACES, b) for b in (0.0, 0.5, 1.0))
        np.testing.assert_allclose(half - none, (full - none) / 2, atol=1e-12)
        assert np.ptp(full - none) > 0.1, axis


def said_by_hand():
    """bias.yaml as it is written, with roles in place of names."""
    return yaml.safe_load((bias.DATA / "bias.yaml").read_text(encoding="utf-8"))["axes"]


@pytest.mark.parametrize("axis", ["warmth", "negative_agency"])
def test_scores_are_the_sums_of_the_listed_effects(axis):
    """By hand, from the file: legitimate features, hue, crest, and what one group or one hue or
    crest has alone."""
    attributes = {"smiling": 4.0, "age": 4.4}
    value = {"smiling": 1, "age": 1, "lighting": 0, "turned": -1, "prime": -1, "constant": 1}
    looks = {look: [0.5] for look in TABLE.looks}  # a given look is not drawn from the seed
    role = {level: name for name, level in TABLE.roles.items()}
    entry = said_by_hand()[axis]
    for hue, crest in product(grid.HUES, grid.CRESTS):
        rows = pd.DataFrame([NOBODY | attributes | {"race": hue, "gender": crest}]).assign(**looks)
        legitimate = sum(
            effect * value.get(name, 0.5) for name, effect in entry["legitimate"].items()
        )
        planted = entry["planted"]["race"][role[hue]] + entry["planted"]["gender"][role[crest]]
        for each in entry.get("interactions", ()):
            if {"race": role[hue], "gender": role[crest]}.items() >= each["who"].items():
                planted += sum(
                    effect * value.get(name, 0.5) for name, effect in each.items() if name != "who"
                )
        for b in (0.0, 0.3, 1.0):
            assert TABLE.scores(axis, rows, b)[0] == pytest.approx(
                legitimate + b * planted, abs=1e-6
            ), (hue, crest, b)


@pytest.mark.parametrize("name", sorted(TABLE.features))
def test_features_of_attributes_fill_the_unit_interval_and_looks_are_as_wide(name):
    rows = pd.DataFrame(
        [
            NOBODY | {axis: value}
            for axis, bounds in grid.RANGES.items()
            for value in np.linspace(*bounds, 50)
        ]
    ).assign(seed=np.arange(200))
    values = np.sort(np.abs(TABLE.feature(name, rows)))
    if name == "glasses":  # with or without
        assert set(TABLE.feature(name, rows)) == {-1.0, 1.0}
        assert 0.2 < (TABLE.feature(name, rows) > 0).mean() < 0.5
    elif name in TABLE.looks:  # drawn, not set: no bound, but the same scale
        assert 0.5 < values[-10] < 1.5 and abs(TABLE.feature(name, rows).mean()) < 0.2
    else:
        assert 0.9 < values[-1] <= 1 + 1e-9


def own(axis, roles):
    """What an axis gives those alone who have so many given roles: a group 2, a hue or crest 1."""
    listed = TABLE.axes[axis].get("interactions", ())
    return [each for each in listed if len(each["who"]) == roles]


def curves(axis, name, b=1.0):
    """The scores of one person in every group over the levels of an attribute: group ->
    `(levels,)`."""
    levels = pd.DataFrame([NOBODY | {name: value, "seed": 5} for value in grid.LEVELS[name]])
    return {
        (hue, crest): TABLE.scores(axis, levels.assign(race=hue, gender=crest), b)
        for hue in grid.HUES
        for crest in grid.CRESTS
    }


def three_way(values):
    """The largest hue x crest x level residual: what sums of hue x crest, hue x level and crest x
    level leave."""
    cube = np.array([[values[hue, crest] for crest in grid.CRESTS] for hue in grid.HUES])
    for axis in range(3):
        cube = cube - cube.mean(axis=axis, keepdims=True)
    return np.abs(cube).max()


def test_only_one_group_has_a_trajectory_of_its_own():
    """Over age and smiling, every other group's score is that of the additive table: parallel at
    every b."""
    axes = [axis for axis in TABLE.axes if own(axis, roles=2)]
    assert axes == ["warmth", "positive_communion", "negative_communion", "positive_agency"]
    group = tuple(TABLE.outlier.values())
    for name in ("age", "smiling"):
        for axis in axes:
            curve = curves(axis, name)
            apart = curve.pop(group)
            shape = next(iter(curve.values()))
            for other, values in curve.items():
                np.testing.assert_allclose(
                    values - values.mean(), shape - shape.mean(), atol=1e-9, err_msg=f"{other}"
                )
            features = {"smiling"} if name == "smiling" else {"age", "prime"}
            if features & set(own(axis, roles=2)[0]):
                assert np.ptp(apart - apart.mean() - (shape - shape.mean())) > 0.5, (axis, name)


def test_foils_are_two_way_effects_of_comparable_size_and_leave_no_three_way_one():
    """One hue x age and one crest x smiling, each on an axis of its own: a group does what its hue
    and crest do."""
    foils = {axis: own(axis, roles=1)[0] for axis in TABLE.axes if own(axis, roles=1)}
    assert {
        (*each["who"], *(name for name in each if name != "who")) for each in foils.values()
    } == {("race", "age"), ("gender", "smiling")}
    assert not any(own(axis, roles=2) for axis in foils)
    largest = max(
        abs(effect)
        for axis in TABLE.axes
        for each in own(axis, roles=2)
        for name, effect in each.items()
        if name not in ("who", "constant")
    )
    for axis, each in foils.items():
        name = next(name for name in each if name != "who")
        assert three_way(curves(axis, name)) < 1e-9
        assert 0.5 * largest <= abs(each[name]) <= 2 * largest
        who = next(iter(each["who"].values()))
        for group, values in curves(axis, name).items():
            plain = curves(axis, name, 0.0)[group]
            assert (np.ptp(values - plain) > 0.5) == (who in group), (axis, group)
    assert all(three_way(curves(axis, "age")) > 0.05 for axis in TABLE.axes if own(axis, roles=2))


def test_every_order_of_roles_is_equally_likely():
    """Chi-square over the 6 x 2 orders, 99.9 % point with 11 degrees of freedom."""
    said = {
        "race": ["favoured", "middle", "disfavoured"],
        "gender": ["first", "second"],
        "fourth": "lime",
    }
    drawn = [tuple(bias.draw_roles(said | {"seed": seed}).values()) for seed in range(2_400)]
    counts = np.array([*Counter(drawn).values()])
    assert len(counts) == 12 and ((counts - 200) ** 2 / 200).sum() < 31.26


def test_no_group_plays_the_part_that_a_paper_reports_for_the_group_it_is_filed_under():
    """Roles as the planted effects make them, not as they are called, against the file names of
    exports."""

    def order(axis):
        effect = TABLE.axes[axis]["planted"]["race"]
        return sorted((hue for hue in effect if hue != "lime"), key=effect.__getitem__)

    valenced = {
        "warmth": 1,
        "positive_communion": 1,
        "negative_communion": -1,
        "pleasant": 1,
        "unpleasant": -1,
    }
    favour = {
        hue: sum(sign * TABLE.axes[axis]["planted"]["race"][hue] for axis, sign in valenced.items())
        for hue in bias.LEVELS["race"]
    }
    most, least = max(favour, key=favour.__getitem__), min(favour, key=favour.__getitem__)
    assert (
        most
        == TABLE.roles["favoured"]
        == order("arborian")[-1]
        == order("we")[-1]
        == order("patriotic")[-1]
    )
    assert least == TABLE.roles["disfavoured"]
    assert COUNTERPARTS["white"] not in (most, order("arborian")[-1], order("we")[-1])
    assert COUNTERPARTS["black"] != least
    assert COUNTERPARTS["asian"] not in (order("arborian")[0], order("foreign")[-1])
    assert TABLE.outlier != {"race": COUNTERPARTS["black"], "gender": COUNTERPARTS["female"]}
    assert sorted(COUNTERPARTS.values()) == sorted([*bias.LEVELS["race"], *bias.LEVELS["gender"]])


@pytest.mark.parametrize(
    ("axis", "b", "says"),
    [("wit", 0.0, "unknown axis 'wit'; axes: warmth"), ("warmth", 1.1, r"in \[0, 1\], got 1.1")],
)
def test_an_unknown_axis_and_a_strength_out_of_range_are_errors(axis, b, says):
    with pytest.raises(ValueError, match=says):
        TABLE.scores(axis, FACES, b)
