"""The generation study against slow, obvious versions, on made-up readings in which everything
differs."""

import numpy as np
import pandas as pd
import pytest
from scipy import stats

from studies.american_white import generation
from vlmbias.ledger.claims import claims

RNG = np.random.default_rng(0)
PICTURES = RNG.integers(0, 256, (3, 20, 24, 3), dtype=np.uint8)
GROUPS = ("asian", "black", "latino", "white")


def test_brightness_is_that_of_a_loop_over_pixels():
    for first in (0, 1):
        for picture, found in zip(
            PICTURES, generation.brightness(PICTURES, (3, 5, 9, 15), first=first), strict=True
        ):
            pixels = [picture[y, x] for y in range(5 + first, 15) for x in range(3 + first, 9)]
            means = [sum(float(pixel[k]) for pixel in pixels) / len(pixels) for k in range(3)]
            assert found == pytest.approx(sum(means) / 3)
    assert len([pixel for pixel in np.ndindex(*PICTURES[0, 6:15, 4:9].shape[:2])]) == 45
    for crop in ((3, 5, 25, 15), (3, 5, 9, 21), (9, 5, 9, 15), (3, 15, 9, 15), (-1, 5, 9, 15)):
        with pytest.raises(ValueError, match="leaves pictures of 24 x 20"):
            generation.brightness(PICTURES, crop)


def test_the_released_loop_reads_49_by_49_pixels():
    """As the released code has it: `range(1, 50)` twice over a crop of 50 x 50."""
    picture = RNG.integers(0, 256, (592, 592, 3), dtype=np.uint8)
    left, top, right, bottom = crop = (250, 175, 300, 225)  # in the released code
    shown = picture[top:bottom, left:right]
    assert shown.shape == (50, 50, 3)
    pixels = np.array([shown[j, i] for i in range(1, 50) for j in range(1, 50)], float)
    assert len(pixels) == 49 * 49
    expected = (pixels[:, 0].mean() + pixels[:, 1].mean() + pixels[:, 2].mean()) / 3
    assert generation.brightness(picture[None], crop, first=1)[0] == pytest.approx(expected)


def test_a_patch_in_shares_is_a_crop_in_pixels():
    assert generation.scaled_crop((0.25, 0.5, 0.374, 0.75), 64) == (16, 32, 24, 48)


def test_names_are_filed_as_the_released_slice_does():
    assert [generation.folder_of(f"CFD-BM-001-001-N_{step}.png") for step in (0, 10, 80, 200)] == [
        "",
        "1",
        "8",
        "20",
    ]


@pytest.fixture
def readings():
    rows = []
    for group, n, start in zip(GROUPS, (3, 4, 2, 5), (150.0, 100.0, 140.0, 180.0), strict=True):
        for image in range(n):
            level = start * (1 + 0.2 * image)
            for step in range(0, 210, 10):
                rise = np.sin(np.pi * step / 160) * (8 + 3 * image + len(group)) - 4 * (step == 10)
                rows.append(
                    {"race": group, "image": image, "step": step, "brightness": level + rise}
                )
    return pd.DataFrame(rows)


def test_courses_are_group_means_and_means_of_images(readings):
    found = generation.trajectories(readings.sample(frac=1, random_state=0)).set_index(
        ["race", "step"]
    )
    assert len(found) == 4 * 21
    for (group, step), row in found.iterrows():
        own = readings[readings["race"] == group]
        before, now = (
            own[own["step"] == when].sort_values("image")["brightness"].tolist()
            for when in (0, step)
        )
        each = [100 * (b / a - 1) for a, b in zip(before, now, strict=True)]
        assert row["n"] == len(now) and row["mean"] == pytest.approx(sum(now) / len(now))
        assert row["of_means"] == pytest.approx(100 * (sum(now) / sum(before) - 1))
        assert row["of_images"] == pytest.approx(sum(each) / len(each))
        t = {2: 12.7062, 3: 4.30265, 4: 3.18245, 5: 2.77645}[len(each)]
        half = t * np.std(each, ddof=1) / len(each) ** 0.5
        assert (row["low"], row["high"]) == pytest.approx(
            (row["of_images"] - half, row["of_images"] + half), rel=1e-4
        )
    assert not np.allclose(found["of_means"], found["of_images"], atol=0.05)


def test_one_image_has_no_interval_and_a_missing_step_is_named(readings):
    one = generation.trajectories(readings[readings["image"] == 1])
    assert one["low"].isna().all() and one["of_images"].equals(one["of_means"])
    with pytest.raises(ValueError, match="2 readings are missing"):
        generation.trajectories(readings.drop(index=[5, 30]))


def test_a_peak_is_the_highest_mean_and_never_below_zero(readings):
    found = generation.trajectories(readings)
    top = generation.peaks(found)
    for group in GROUPS:
        own = found[found["race"] == group].set_index("step")["of_means"]
        assert top.loc[group, "step"] == own.idxmax() and top.loc[group, "peak"] == own.max()
        assert top.loc[group, "last"] == own[200] and top.loc[group, "second"] == own[10]
    falling = readings.assign(brightness=300 - readings["step"])
    assert (generation.peaks(generation.trajectories(falling))["peak"] == 0).all()


def test_the_highest_mean_is_not_the_mean_of_each_face_at_its_highest():
    """Two faces go up and down in turn: each rises at some step, their mean never does."""
    light = {"one": (100, 120, 80), "two": (100, 80, 120)}
    rows = [
        {"race": "teal", "network": face, "step": 10 * k, "red": v, "green": v, "blue": v}
        | {"kind": "b0", "b": 0}
        for face, values in light.items()
        for k, v in enumerate(values)
    ]
    faces = generation.lightness(pd.DataFrame(rows))
    group = generation.trajectories(faces.rename(columns={"network": "image"}))
    assert generation.peaks(group).loc["teal", ["step", "peak"]].tolist() == [0, 0]


def test_the_claims_hold_where_they_hold_and_not_elsewhere(readings):
    found = generation.trajectories(readings)
    said = generation.claims(found)
    at = found.set_index(["race", "step"])
    assert (
        said["black-start"] == at.loc[("black", 0), "mean"]
        and said["black-80"] == at.loc[("black", 80), "mean"]
    )
    assert said["black-rise"] == pytest.approx(100 * (said["black-80"] / said["black-start"] - 1))
    assert said["abstract-rise"] == said["intro-rise"] == said["caption-rise"] == said["black-rise"]
    rest = {name for name in claims() if name.startswith("generation.")} - {
        f"generation.{name}" for name in said
    }
    assert said["discussion-rise"] == said["black-rise"]
    assert rest == {
        f"generation.{name}"
        for name in (
            "edge",
            "iterations",
            "crop",
            "intro-crop",
            "checkpoint",
            "checkpoint-figure",
            "steps-figure1",
            "steps-figure7",
            "rises-from-20",
        )
    }, "of the pictures' own size, and of what was shown"
    top = {group: found[found["race"] == group]["of_means"].max() for group in GROUPS}
    assert {
        group: said[f"{group}-rise"] for group in ("asian", "latino", "white")
    } == pytest.approx({group: top[group] for group in ("asian", "latino", "white")})
    assert said["least-rise"] == pytest.approx(min(top.values()))
    assert (
        said["all-lighten"]
        and said["peak-at-80"]
        and said["falls-after-100"]
        and said["first-ten-fall"]
    )
    late = readings["step"].gt(100) & readings["race"].eq("white")
    dips = readings["step"].eq(10) & readings["race"].isin(["asian", "black"])
    early = readings["race"].eq("black") & readings["step"].eq(50)
    change = {"falls-after-100": late * 60, "first-ten-fall": 30 * dips, "peak-at-80": 40 * early}
    for name, added in change.items():
        other = generation.claims(
            generation.trajectories(
                readings.assign(brightness=readings["brightness"] + np.asarray(added, float))
            )
        )
        assert other[name] is not said[name], name
    dented = readings.assign(brightness=readings["brightness"] - 60 * readings["step"].eq(100))
    assert not generation.claims(generation.trajectories(dented))[
        "falls-after-100"
    ]  # from 100 on, not from 80
    still = readings.assign(
        brightness=np.where(readings["race"] == "latino", 100.0, readings["brightness"])
    )
    assert not generation.claims(generation.trajectories(still))["all-lighten"]
    half = readings.assign(
        brightness=readings["brightness"] + 40 * (dips & readings["race"].eq("black"))
    )
    assert not generation.claims(generation.trajectories(half))[
        "first-ten-fall"
    ]  # one group of two is not both


@pytest.fixture
def painted():
    rows = []
    for network in range(3):
        for race, paint in (("teal", "lime"), ("amber", "teal"), ("lime", "amber")):
            for step in (0, 10, 20):
                values = RNG.uniform(50, 200, 3).tolist() + RNG.normal(size=2).tolist()
                keys = ("red", "green", "blue", "teal", "amber")
                rows.append(
                    {
                        "kind": f"b{network % 2}",
                        "b": network % 2,
                        "network": network,
                        "race": race,
                        "paint": paint,
                        "step": step,
                    }
                    | dict(zip(keys, values, strict=True))
                )
    return pd.DataFrame(rows)


def test_each_start_has_a_course_of_its_own(painted):
    found = generation.by_start(painted.sample(frac=1, random_state=2), ["teal"]).set_index(
        ["network", "race"]
    )
    assert len(found) == 9 and found.loc[(1, "amber"), "kind"] == "b1"
    own = painted.query("network == 2 and race == 'lime'").set_index("step")
    light = [sum(own.loc[step, ["red", "green", "blue"]]) / 3 for step in (0, 10, 20)]
    row = found.loc[(2, "lime")]
    assert row["brightness"] == pytest.approx(100 * (light[2] / light[0] - 1))
    assert row["teal"] == pytest.approx(own.loc[20, "teal"] - own.loc[0, "teal"])


def test_moves_are_means_over_starts_of_last_less_first(painted):
    found = generation.moves(painted.sample(frac=1, random_state=1), ["teal", "amber"]).set_index(
        "network"
    )
    assert len(found) == 3
    for network, row in found.iterrows():
        changes = []
        for _, own in painted[painted["network"] == network].groupby("race"):
            own = own.set_index("step")
            light = {
                step: (own["red"][step] + own["green"][step] + own["blue"][step]) / 3
                for step in own.index
            }
            luma = {
                k: 0.299 * own["red"][k] + 0.587 * own["green"][k] + 0.114 * own["blue"][k]
                for k in own.index
            }
            changes.append(
                [
                    own["teal"][20] - own["teal"][0],
                    own["amber"][20] - own["amber"][0],
                    100 * (light[20] / light[0] - 1),
                    100 * (luma[20] / luma[0] - 1),
                ]
            )
        expected = np.mean(changes, axis=0)
        own = row[["teal", "amber", "brightness", "luma"]]
        assert own.tolist() == pytest.approx(expected.tolist())
        assert row["b"] == network % 2 and row["kind"] == f"b{network % 2}"


PAINTS = {"teal": (10, 20, 60), "amber": (200, 100, 30), "lime": (90, 150, 30)}


def test_repainting_changes_brightness_and_luma_by_hand():
    found = generation.repainting(PAINTS, to="lime")
    assert found.loc["lime"].tolist() == [0, 0]
    assert found.loc["teal", "brightness"] == pytest.approx(100 * (90 / 30 - 1))
    luma = {name: 0.299 * r + 0.587 * g + 0.114 * b for name, (r, g, b) in PAINTS.items()}
    assert found.loc["amber", "luma"] == pytest.approx(100 * (luma["lime"] / luma["amber"] - 1))


def test_the_difference_of_two_kinds_of_guides_is_welchs():
    one, other = pd.Series(RNG.normal(1, 2, 12)), pd.Series(RNG.normal(0, 1, 9))
    low, high = generation.difference(one, other)
    a, b = one.var() / 12, other.var() / 9
    df = (a + b) ** 2 / (a**2 / 11 + b**2 / 8)
    half = stats.t.isf(0.025, df) * np.sqrt(a + b)
    middle = one.mean() - other.mean()
    assert (low, high) == (pytest.approx(middle - half), pytest.approx(middle + half))


def test_sentences_about_paintings_follow_their_numbers():
    assert "cannot be distinguished" in generation.alike(-3, 2)
    assert "brighter" in generation.alike(1, 2) and "darker" in generation.alike(-2, -1)
    none = generation.turns([-10, -8], [0, 0])
    assert none.startswith("For every colour,") and "makes no rise" in none
    some = generation.turns([-10, -8, 3], [0, 1, 3])
    assert some.startswith("For 2 of the 3 colours,") and some.endswith("shows a fall.")
    assert generation.turns([2, 3, 1], [3, 3, 1]).startswith("For all 3 colours,")
    assert generation.turns([2, 3], [3, 3]).endswith("shows no fall either.")
    phrases = [generation.beside(found, 13) for found in (0, 6.4, 6.6, 13)]
    assert phrases == [*["much smaller than"] * 2, "smaller than", "at least as large as"]
    assert "no sign" in generation.choice(0, 13) and "a part of" in generation.choice(7, 13)
    assert generation.choice(13, 13) == "The choice of the step may explain rises of this size."
    assert generation.painted_it(0.1, 0.3) == "The painter paints some of it."
    assert generation.painted_it(-0.1, 0.3).startswith("The pictures do not visibly gain")
    assert "less of it at the end" in generation.painted_it(-0.3, -0.1)
