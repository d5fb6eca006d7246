"""Pictures painted towards a prompt: Wolfe & Caliskan (2022), Figs. 1 and 6 to 8.

Comes in: the brightness of a patch of each kept picture, or the Greenhouse's shipped readings. Goes
out: trajectories over steps, their peaks, what each network moved towards, the claims' predicates,
and sentences.
May not: paint, or read a picture's file.
"""

from collections.abc import Collection, Mapping, Sequence
from typing import Any

import numpy as np
import pandas as pd

from studies.words import among, side

EDGE = 592
LUMA = (
    0.299,
    0.587,
    0.114,
)  # how much red, green and blue add to what a viewer sees as light (ITU-R BT.601)


def brightness(pictures: np.ndarray, crop: Sequence[int], *, first: int = 0) -> np.ndarray:
    """Mean of red, green and blue over a crop, 0 to 255, `(n,)`.

    Parameters
    ----------
    pictures : uint8 `(n, height, width, 3)`.
    crop : left, top, right, bottom in pixels.
    first : first row and column of the crop that counts; the released loops begin at 1.
    """
    left, top, right, bottom = crop
    if not (0 <= left < right <= pictures.shape[2] and 0 <= top < bottom <= pictures.shape[1]):
        raise ValueError(
            f"the crop {tuple(crop)} leaves pictures of {pictures.shape[2]} x {pictures.shape[1]}"
            " pixels"
        )
    return pictures[:, top + first : bottom, left + first : right].mean(
        axis=(1, 2, 3), dtype=np.float64
    )


def scaled_crop(patch: Sequence[float], size: int) -> tuple[int, ...]:
    """A patch in shares of an edge as a crop of a square picture, in whole pixels."""
    return tuple(round(share * size) for share in patch)


def folder_of(file: str) -> str:
    """The folder into which the released code files a crop, from the name of its picture:
    `name[17:-5]`."""
    return file[17:-5]


def trajectories(
    readings: pd.DataFrame, *, value: str = "brightness", by: str = "race"
) -> pd.DataFrame:
    r"""How a group's mean moves over the steps, as the paper computes it and image by image.

    .. math:: \text{of means} = 100 \left(\frac{\sum_i v_{i,t}}{\sum_i v_{i,0}} - 1\right), \qquad
              \text{of images} = \frac{100}{n} \sum_i \left(\frac{v_{i,t}}{v_{i,0}} - 1\right)

    Parameters
    ----------
    readings : one row per image and step: `by`, image, step, `value`.

    Returns
    -------
    One row per group and step: `by`, step, n, mean, of_means and of_images (percent), low and high:
    the 95 % t interval of of_images over images; NaN with one image.

    Raises
    ------
    ValueError
        If an image lacks a step that others have: a mean would then be over other images.
    """
    wide = readings.pivot(index=[by, "image"], columns="step", values=value)
    if gaps := int(wide.isna().to_numpy().sum()):
        raise ValueError(f"{gaps} readings are missing: every image needs every step")
    percent = 100 * (wide.div(wide[0], axis=0) - 1)
    rows = []
    for group, own in wide.groupby(level=0, sort=False):
        each = percent.loc[own.index]
        n, mean = len(own), own.mean()
        half = _t(n) * each.std() / np.sqrt(n)
        rows.append(
            pd.DataFrame(
                {
                    by: group,
                    "step": own.columns,
                    "n": n,
                    "mean": mean.to_numpy(),
                    "of_means": (100 * (mean / mean[0] - 1)).to_numpy(),
                    "of_images": each.mean().to_numpy(),
                    "low": (each.mean() - half).to_numpy(),
                    "high": (each.mean() + half).to_numpy(),
                }
            )
        )
    return pd.concat(rows, ignore_index=True)


def _t(n: int) -> float:
    from scipy import stats

    return float(stats.t.isf(0.025, n - 1)) if n > 1 else np.nan


def peaks(found: pd.DataFrame, *, by: str = "race") -> pd.DataFrame:
    """The highest mean of each group, as the paper reports it: `by` × (step, peak, last, second),
    in percent.

    `peak` is never below 0, as step 0 is among the steps. `second` is the value at the first kept
    step after 0.
    """
    rows = {}
    for group, own in found.groupby(by, sort=False):
        own = own.sort_values("step").reset_index(drop=True)
        top = int(own["of_means"].argmax())
        rows[group] = {
            "step": int(own["step"][top]),
            "peak": own["of_means"][top],
            "last": own["of_means"].iloc[-1],
            "second": own["of_means"][1],
        }
    return pd.DataFrame(rows).T.rename_axis(by).astype({"step": int})


def claims(found: pd.DataFrame) -> dict[str, Any]:
    """The paper's numbers and statements from trajectories of its four groups, by the claim's id
    without "generation.".

    Parameters
    ----------
    found : from `trajectories`; groups asian, black, latino, white, and steps 0, 10 and 80 among
        others.
    """
    at = found.set_index(["race", "step"])
    top = peaks(found)
    peak = {group: float(top.loc[group, "peak"]) for group in top.index}
    rise = float(at.loc[("black", 80), "of_means"])
    return {
        **dict.fromkeys(
            (
                "black-rise",
                *(f"{place}-rise" for place in ("abstract", "intro", "caption", "discussion")),
            ),
            rise,
        ),
        "black-start": float(at.loc[("black", 0), "mean"]),
        "black-80": float(at.loc[("black", 80), "mean"]),
        "asian-rise": peak["asian"],
        "latino-rise": peak["latino"],
        "white-rise": peak["white"],
        "least-rise": min(peak.values()),
        "all-lighten": bool(min(peak.values()) > 0),
        "first-ten-fall": bool(max(top.loc["asian", "second"], top.loc["black", "second"]) < 0),
        "peak-at-80": bool(top.loc["black", "step"] == 80),
        "falls-after-100": bool(
            (top["last"] < [at.loc[(group, 100), "of_means"] for group in top.index]).all()
        ),
    }


def by_start(readings: pd.DataFrame, names: Sequence[str]) -> pd.DataFrame:
    """What became of each start, from the first kept step to the last.

    Parameters
    ----------
    readings : of the Greenhouse's paintings: kind, b, network, race, step, red, green, blue, and a
        column per name.
    names : the columns of the probe's readings.

    Returns
    -------
    One row per network and start: kind, b, network, race; per name the change of the probe's
    reading (1: from none to all of a hue); brightness and luma, change of the patch in percent.
    """
    rows = lightness(readings).sort_values("step")
    values = [*names, "brightness", "luma"]
    starts = rows.groupby(["kind", "b", "network", "race"], sort=False)
    first, last = starts[values].first(), starts[values].last()
    change = last - first
    for name in ("brightness", "luma"):
        change[name] = 100 * change[name] / first[name]
    return change.reset_index()


def moves(readings: pd.DataFrame, names: Sequence[str]) -> pd.DataFrame:
    """What each network moved its pictures towards: kind, b, network, then the means of `by_start`
    over its starts."""
    return (
        by_start(readings, names)
        .groupby(["kind", "b", "network"], sort=False)
        .mean(numeric_only=True)
        .reset_index()
    )


def lightness(readings: pd.DataFrame) -> pd.DataFrame:
    """The readings with brightness, the plain mean of red, green and blue, and luma, their mean
    weighted by `LUMA`."""
    colours = readings[["red", "green", "blue"]].to_numpy(float)
    return readings.assign(brightness=colours.mean(axis=1), luma=colours @ np.array(LUMA))


def repainting(paints: Mapping[str, Sequence[float]], *, to: str) -> pd.DataFrame:
    """What a patch's brightness and luma do when its hue alone changes: per start hue, in percent.

    Parameters
    ----------
    paints : hue → red, green and blue.
    to : the hue that every other one becomes.
    """
    table = pd.DataFrame(
        {name: {"red": c[0], "green": c[1], "blue": c[2]} for name, c in paints.items()}
    ).T
    light = lightness(table)[["brightness", "luma"]]
    return 100 * (light.loc[to] / light - 1)


# --- sentences ------------------------------------------------------------------------------------


def difference(one: pd.Series, other: pd.Series) -> tuple[float, float]:
    """The 95 % interval of the difference of two means over independent networks (Welch)."""
    from scipy import stats

    found = stats.ttest_ind(one, other, equal_var=False).confidence_interval(0.95)
    return float(found.low), float(found.high)


def alike(low: float, high: float) -> str:
    """Whether two kinds of guides change the brightness alike, from the interval of their
    difference, as a sentence."""
    return side(
        low,
        high,
        above="Guides that favour a colour make the skin brighter than the others do.",
        below="Guides that favour a colour make the skin darker than the others do.",
        neither="So the two kinds of guides cannot be distinguished by it.",
    )


def turns(last: Collection[float], peak: Collection[float]) -> str:
    """Whether the step with the highest mean makes a rise, as a sentence.

    Parameters
    ----------
    last, peak : change of each colour's mean in percent, at the last step and at the highest mean.
    """
    up = sum(value > 0 for value in peak)
    if not up:
        return (
            "For every colour, the highest mean is that of the start. So the choice of this step"
            " makes no rise in our networks."
        )
    above = f"For {among(up, len(peak))} colours, the highest mean lies above the start."
    if sum(last) < 0:
        return f"{above} So the choice of this step makes a rise where the last step shows a fall."
    return f"{above} But the last step shows no fall either."


def beside(found: float, printed: float) -> str:
    """How a rise compares with a printed one, as a phrase before "the rises that …"."""
    if 2 * found < printed:
        return "much smaller than"
    return "smaller than" if found < printed else "at least as large as"


def choice(found: float, printed: float) -> str:
    """Whether the choice of the step may explain a printed rise, from the rise that the choice
    makes in null networks, as a sentence."""
    if 2 * found < printed:
        return "We found no sign that the choice of the step explains rises of this size."
    if found < printed:
        return "The choice of the step may explain a part of these rises."
    return "The choice of the step may explain rises of this size."


def painted_it(low: float, high: float) -> str:
    """Whether pictures gain the colour that their guides favour, from the interval of the gain, as
    a sentence."""
    return side(
        low,
        high,
        above="The painter paints some of it.",
        below="The painter paints less of it at the end than at the beginning.",
        neither="The pictures do not visibly gain this colour.",
    )
