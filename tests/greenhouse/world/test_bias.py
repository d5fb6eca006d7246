"""The bias table: what b scales, what it leaves alone, and what is refused."""

from collections import Counter

import caption_counts as oracle
import numpy as np
import pytest

from greenhouse.world import bias, grid
from vlmbias.stimuli.reader_folders import COUNTERPARTS

TABLE = bias.load()
FACES = grid.causalface(2, hues=grid.HUES)


@pytest.mark.parametrize("b", [0.0, 0.3, 1.0])
def test_scores_are_the_sums_of_the_effects_that_the_file_lists(b):
    faces = FACES.iloc[::5]
    rows = TABLE.with_looks(faces)
    known = oracle.features(rows)
    for axis in oracle.BIAS["axes"]:
        found, expected = TABLE.scores(axis, rows, b), oracle.weight(axis, known, rows, b)
        np.testing.assert_allclose(found, expected, atol=1e-6, err_msg=axis)
        np.testing.assert_array_equal(found, TABLE.scores(axis, faces, b))


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

    most, least = TABLE.roles["favoured"], TABLE.roles["disfavoured"]
    for axis in ("warmth", "pleasant", "arborian", "we", "patriotic"):
        assert order(axis)[-1] == most
    for axis in ("warmth", "pleasant"):
        assert order(axis)[0] == least
    assert most != COUNTERPARTS["white"]
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
