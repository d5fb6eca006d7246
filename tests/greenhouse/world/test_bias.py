"""The bias table: what b scales, what it leaves alone, and what is refused."""

import numpy as np
import pandas as pd
import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st

from greenhouse.world import bias, grid

TABLE = bias.load()
DESCRIPTIONS = {*grid.HUES, *grid.CRESTS, "teal_name", "violet_name", "budded_name", "eared_name"}
FACES = grid.causalface(2, hues=grid.HUES)
NOBODY = {"race": "teal", "gender": "budded", "age": 2.6, "smiling": 0.75, "lighting": 2.5, "pose": 0.0}

face = st.fixed_dictionaries(
    {name: st.floats(*bounds) for name, bounds in grid.RANGES.items()} | {"seed": st.integers(0, 10**6)}
)


def copy_data(folder, **changes):
    """The data folder of the world with `bias.yaml` changed: key -> function of its content."""
    content = yaml.safe_load((bias.DATA / "bias.yaml").read_text(encoding="utf-8"))
    for key, change in changes.items():
        content[key] = change(content[key])
    (folder / "bias.yaml").write_text(yaml.safe_dump(content), encoding="utf-8")
    for name in ("grammar.yaml", "states.csv"):
        (folder / name).write_bytes((bias.DATA / name).read_bytes())
    return folder


@settings(max_examples=25, deadline=None)
@given(face)
def test_without_bias_hue_and_crest_matter_only_where_they_are_described(shown):
    rows = pd.DataFrame([shown | {"race": hue, "gender": crest} for hue in grid.HUES for crest in grid.CRESTS])
    rows = TABLE.with_looks(rows)
    for axis in set(TABLE.axes) - DESCRIPTIONS:
        assert np.ptp(TABLE.scores(axis, rows, 0.0)) < 1e-12, axis
    for axis in DESCRIPTIONS:
        assert np.ptp(TABLE.scores(axis, rows, 0.0)) > 1, axis


@pytest.mark.parametrize("axis", TABLE.unplanted)
def test_on_an_unplanted_axis_b_does_nothing(axis):
    assert np.array_equal(TABLE.scores(axis, FACES, 1.0), TABLE.scores(axis, FACES, 0.0))
    assert set(TABLE.axes[axis]) == {"legitimate"}


def test_b_scales_what_is_planted_and_nothing_else():
    for axis in TABLE.planted_axes():
        none, half, full = (TABLE.scores(axis, FACES, b) for b in (0.0, 0.5, 1.0))
        np.testing.assert_allclose(half - none, (full - none) / 2, atol=1e-12)
        assert np.ptp(full - none) > 0.1, axis


@pytest.mark.parametrize("axis", sorted(TABLE.axes))
def test_every_axis_varies_between_faces_or_things_when_nothing_is_planted(axis):
    rows = pd.concat([FACES, grid.icons(1)], ignore_index=True)
    assert np.ptp(TABLE.scores(axis, rows, 0.0)) > 0.1


def test_scores_are_the_sums_of_the_listed_effects():
    """By hand, from bias.yaml, for one axis: legitimate features, hue, crest, and the one intersection."""
    rows = pd.DataFrame([NOBODY | {"race": "violet", "gender": crest, "smiling": 4.0} for crest in ("eared", "budded")])
    looks = {look: [0.5, 0.5] for look in TABLE.looks}  # a given look is not drawn from the seed
    entry, value = TABLE.axes["warmth"], {"smiling": 1.0, "lighting": 0.0, "prime": 1.0, "constant": 1.0}
    for b in (0.0, 0.3, 1.0):
        expected = []
        for crest in ("eared", "budded"):
            legitimate = sum(effect * value.get(name, 0.5) for name, effect in entry["legitimate"].items())
            planted = entry["planted"]["race"]["violet"] + entry["planted"]["gender"][crest]
            apart = sum(effect * value[name] for name, effect in entry["intersection"].items())
            apart = apart if crest == "eared" else 0.0
            expected.append(legitimate + b * (planted + apart))
        np.testing.assert_allclose(TABLE.scores("warmth", rows.assign(**looks), b), expected, atol=1e-9)


@pytest.mark.parametrize("name", sorted(TABLE.features))
def test_features_of_attributes_fill_the_unit_interval_and_looks_are_as_wide(name):
    rows = pd.DataFrame([NOBODY | {axis: value} for axis, bounds in grid.RANGES.items()
                         for value in np.linspace(*bounds, 50)]).assign(seed=np.arange(200))  # fmt: skip
    values = np.sort(np.abs(TABLE.feature(name, rows)))
    if name in TABLE.looks:  # drawn, not set: no bound, but the same scale
        assert 0.5 < values[-10] < 1.5 and abs(TABLE.feature(name, rows).mean()) < 0.2
    else:
        assert 0.9 < values[-1] <= 1 + 1e-9


def test_one_group_alone_is_the_intersection():
    assert set(map(tuple, FACES[TABLE.in_intersection(FACES)][["race", "gender"]].to_numpy())) == {("violet", "eared")}


def test_only_one_group_has_a_trajectory_of_its_own():
    """Over age and smiling, every other group's score is that of the additive table: parallel at every b."""
    axes = [axis for axis, entry in TABLE.axes.items() if "intersection" in entry]
    assert axes == ["warmth", "positive_communion", "negative_communion", "competence", "positive_agency",
                    "negative_agency"]  # fmt: skip
    for name in ("age", "smiling"):
        levels = [NOBODY | {name: value, "seed": 5} for value in grid.LEVELS[name]]
        for axis in axes:
            curve = {(hue, crest): TABLE.scores(axis, pd.DataFrame(levels).assign(race=hue, gender=crest), 1.0)
                     for hue in grid.HUES for crest in grid.CRESTS}  # fmt: skip
            apart = curve.pop(("violet", "eared"))
            shape = curve["teal", "budded"] - curve["teal", "budded"].mean()
            for group, values in curve.items():
                np.testing.assert_allclose(values - values.mean(), shape, atol=1e-9, err_msg=f"{axis} {group}")
            if set(TABLE.axes[axis]["intersection"]) & ({"smiling"} if name == "smiling" else {"age", "prime"}):
                assert np.ptp(apart - apart.mean() - shape) > 0.5, (axis, name)


def test_the_outlier_has_a_u_where_the_others_have_an_inverse_u():
    ages = pd.DataFrame([NOBODY | {"age": age, "seed": 5} for age in grid.LEVELS["age"]])
    for axis in ("warmth", "positive_communion", "positive_agency"):
        for group, sign in ((("violet", "eared"), 1), (("violet", "budded"), -1), (("teal", "eared"), -1)):
            values = TABLE.scores(axis, ages.assign(race=group[0], gender=group[1]), 1.0)
            assert np.sign(np.polyfit(ages["age"], values, 2)[0]) == sign, (axis, group)


def test_features_of_the_middle_of_life_and_of_everybody():
    rows = pd.DataFrame([NOBODY | {"age": age} for age in (0.8, 1.7, 2.6, 3.5, 4.4)])
    np.testing.assert_allclose(TABLE.feature("prime", rows), [-1, 0.5, 1, 0.5, -1], atol=1e-9)
    assert (TABLE.feature("constant", rows) == 1).all()


@pytest.mark.parametrize("b", [-0.1, 1.1])
def test_a_strength_out_of_range_is_an_error(b):
    with pytest.raises(ValueError, match=rf"b must be in \[0, 1\], got {b}"):
        TABLE.scores("warmth", FACES, b)


def test_an_unknown_axis_is_named():
    with pytest.raises(ValueError, match=r"unknown axis 'wit'; axes: warmth"):
        TABLE.scores("wit", FACES, 0.0)


def without_driver(axes):
    return axes | {"warmth": {"planted": axes["warmth"]["planted"]}}


@pytest.mark.parametrize(("change", "message"), [
    (without_driver, r"axis 'warmth' of bias.yaml needs a `legitimate` driver"),
    (lambda axes: axes | {"warmth": axes["warmth"] | {"seeded": {}}}, r"axis 'warmth': unknown part 'seeded'; use"),
    (lambda axes: axes | {"warmth": {"legitimate": {"smilling": 1}}}, r"unknown features \['smilling'\] in 'legit"),
    (lambda axes: axes | {"progressive_belief": axes["warmth"]}, r"unplanted, but has \['intersection', 'planted'\]"),
])  # fmt: skip
def test_a_malformed_table_is_one_clear_error(tmp_path, change, message):
    with pytest.raises(ValueError, match=message):
        bias.load(copy_data(tmp_path, axes=change))
