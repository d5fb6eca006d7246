"""A judge that averages channels stands for the model; slow versions go picture by picture."""

import numpy as np
import pandas as pd
import pytest

import vlmbias as vb
from greenhouse.world import faces, grid
from studies.causalface import leaks


def series(attribute, seeds=2):
    table = grid.causalface(seeds)
    table = table[table["subset"].isin(["prototype", attribute]) & (table["race"] == "teal")]
    return table.sample(frac=1, random_state=1).reset_index(drop=True)


def by_channel(pictures):
    """A judgement of two dimensions: mean red, and twice mean blue."""
    means = pictures.reshape(len(pictures), -1, 3).astype(float).mean(axis=1)
    return np.stack([means[:, 0], 2 * means[:, 2]], axis=1)


def test_the_judge_is_what_the_encoder_makes_of_the_pictures():
    encoder, prompts = vb.encoder("greenhouse"), vb.prompts("social_perception")
    images = vb.images("greenhouse/causalface").where(np.arange(18_000) < 3)
    seen = vb.Perception.of(
        vb.embed(encoder, images, store=False), vb.embed(encoder, prompts, store=False)
    )
    pictures = np.stack([np.asarray(one) for one in images.decode()])
    judged = leaks.perceiver(encoder, prompts)
    assert np.allclose(judged(pictures), encoder.logit_scale * seen.delta(), atol=1e-4)
    assert np.allclose(judged(pictures[::-1]), judged(pictures)[::-1], atol=1e-4)


def test_the_figure_hides_the_background():
    rows = series("smiling")[:3]
    mask = leaks.figure_mask(rows)
    assert mask.shape == (3, 64, 64)
    assert 0.3 < mask.mean() < 0.8
    assert mask[:, 36, 32].all()
    assert not mask[:, 2, 2].any()


def test_excess_is_that_of_the_foreground_and_released_code_leaves_out_white():
    values = np.full((2, 4, 4), 100.0)
    values[1, :2], values[1, 2:] = 150, 255
    foreground = np.ones((2, 4, 4), bool)
    foreground[:, :, 0] = False
    base = np.array([100.0, 50.0])
    assert leaks.excess(values, foreground, base) == pytest.approx([0, (150 + 255) / 2 / 50 - 1])
    assert leaks.excess(values, foreground, base, released=True) == pytest.approx([0, 150 / 50 - 1])
    values[0, 0, 1] = 254.4  # not white once rounded
    both = [leaks.excess(values, foreground, base, released=way)[0] for way in (False, True)]
    assert both[0] == both[1] > 0


def test_a_corrected_picture_is_as_bright_as_its_prototype():
    pictures = np.random.default_rng(1).integers(20, 120, (3, 16, 16, 3), dtype=np.uint8)
    delta = np.array([-0.2, 0.0, 0.5])
    found = leaks.corrected(pictures, delta)
    for before, after, by in zip(pictures, found, delta, strict=True):
        assert np.abs(after - before / (1 + by)).max() <= 1


def test_leaks_are_measured_against_pictures_without_leak():
    rows = series("smiling")
    table = leaks.leaked(rows, [0.0, 0.3, 1.0], by_channel, perceive_at=[0.0, 1.0])
    mask, clean = leaks.figure_mask(rows), by_channel(faces.render(rows))
    person = rows["seed"].astype(str) + rows["gender"]
    mine = person.map({person[k]: k for k in rows.index[rows["smiling"] == 0]}).to_numpy()

    def brightness(pictures, *, below=np.inf):
        """Mean grey of each figure, of what is darker than `below`."""
        grey = map(leaks.grey, pictures)
        return np.array(
            [one[own & (one < below)].mean() for one, own in zip(grey, mask, strict=True)]
        )

    wanted = [(at, state) for at in (0.0, 0.3, 1.0) for state in ("as drawn", "corrected")]
    assert list(zip(table["strength"], table["state"], strict=True)) == wanted
    for found in table.itertuples():
        drawn = faces.render(rows, leaks={"smiling_brightness": found.strength})
        whole, pictures = brightness(drawn), drawn
        if found.state == "corrected":
            pictures = leaks.corrected(drawn, whole / whole[mine] - 1)
        values = brightness(pictures)
        change = 100 * (values / values[mine] - 1)
        slopes = [
            np.polyfit(rows["smiling"][own], change[own], 1)[0]
            for own in rows.groupby("seed").groups.values()
        ]
        half = 1.959964 * np.std(slopes, ddof=1) / np.sqrt(len(slopes))
        ends = np.mean(slopes) + half * np.array([0, -1, 1])
        assert [found.slope, found.low, found.high] == pytest.approx(ends, abs=1e-4)
        apart = np.abs((brightness(drawn, below=254.5) - whole) / whole[mine]).max()
        assert found.mask == pytest.approx(apart, abs=1e-5)
        if found.strength == 0.3:
            assert np.isnan(found.distortion)
        else:
            assert found.distortion == pytest.approx(np.abs(by_channel(pictures) - clean).mean())
    assert table["slope"].iloc[4] > 5 > 0.5 > abs(table["slope"].iloc[5])
    assert table["mask"].iloc[4] > 0
    with pytest.raises(ValueError, match=r"the first strength must be 0, .* got 0\.1"):
        leaks.leaked(rows, [0.1, 0.0], by_channel)


@pytest.mark.parametrize(
    ("lows", "expected"), [([-0.3, 0.2, 0.4, 2], 0.3), ([-0.3, 0.1, 0.2, 0.3], np.nan)]
)
def test_the_first_clear_leak_lies_above_all_that_no_leak_shows(lows, expected):
    strengths = [0.0, 0.1, 0.3, 1.0]
    drawn = pd.DataFrame(
        {"strength": strengths, "state": "as drawn", "low": lows, "high": [0.1, 1, 1, 3]}
    )
    table = pd.concat([drawn.assign(state="corrected", low=99.0), drawn])
    assert leaks.first_clear(table) == pytest.approx(expected, nan_ok=True)


def test_a_change_is_noticed_by_map_and_network_each_in_its_way():
    rng = np.random.default_rng(4)
    original = rng.integers(50, 200, (12, 6, 6, 3), dtype=np.uint8)
    corner = original.copy()
    corner[:, 0, 0, 2] += 9  # one channel
    noise = original.copy()
    noise[::2] += 3
    noise[1::2] -= 3
    table = leaks.noticed(
        original, {"corner": corner, "noise": noise, "none": original}, by_channel, n=200, seed=1
    )
    assert table["change"].tolist() == ["corner", "noise", "none"]
    assert table["pixels"].tolist() == pytest.approx([1 / 36, 1, 0])
    assert table["map"].tolist() == pytest.approx([1 / 36, 0, 0])
    assert table["network"].tolist() == pytest.approx([18 / 2 / 36, (3 + 6) / 2, 0])
    assert table["margin"].tolist() == pytest.approx([0, 0, 0])  # everybody moves as far


def test_the_margin_of_a_change_is_over_seeds():
    original = np.full((4, 6, 6, 3), 100, np.uint8)
    brighter = original + np.array([1, 2, 3, 4], np.uint8)[:, None, None, None]
    (row,) = leaks.noticed(original, {"light": brighter}, by_channel, n=20, seed=1).itertuples()
    each = 1.5 * np.arange(1, 5)  # red by one, blue by two
    assert row.network == pytest.approx(each.mean())
    assert row.margin == pytest.approx(1.96 * each.std(ddof=1) / 2, rel=1e-4)
