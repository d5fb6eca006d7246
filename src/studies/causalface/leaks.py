"""What checks of a manipulation see of a leak that was planted, and what a model makes of it."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import pandas as pd
from PIL import Image, ImageEnhance
from scipy import stats

import vlmbias as vb
from greenhouse.world import faces, nuisance
from studies.causalface.stimuli import by_chance, grey, own_prototype, relative
from vlmbias.stimuli.imageset import ImageSet

Perceiver = Callable[[np.ndarray], np.ndarray]


def perceiver(encoder: Any, prompts: Any) -> Perceiver:
    """A function from pictures, uint8 `(n, height, width, 3)`, to delta-cos in logits,
    `(n, dimensions)`."""
    words = vb.embed(encoder, prompts)

    def judged(pictures: np.ndarray) -> np.ndarray:
        table = pd.DataFrame({"picture": range(len(pictures))})
        own = ImageSet("shown", table, "greenhouse", render=lambda rows: pictures[rows["picture"]])
        seen = vb.Perception.of(vb.embed(encoder, own, store=False), words)
        return seen.delta().to_numpy() * encoder.logit_scale

    return judged


def figure_mask(rows: pd.DataFrame, size: int = 64) -> np.ndarray:
    """Where the figure is, `(n, size, size)`: two drawings that differ in the background alone
    agree there."""
    plain = replace(nuisance.load(), texture=0.0)
    one, other = (
        faces.render(rows, size, nuisance=replace(plain, background=amount))
        for amount in (1.0, 0.0)
    )
    return (one == other).all(axis=3)


# --- a leak of brightness -------------------------------------------------------------------------


def foreground_grey(values: np.ndarray, foreground: np.ndarray) -> np.ndarray:
    """Mean of the grey values `(n, height, width)` over each picture's foreground, `(n,)`."""
    return (values * foreground).sum(axis=(1, 2)) / foreground.sum(axis=(1, 2))


def excess(
    values: np.ndarray, foreground: np.ndarray, base: np.ndarray, *, released: bool = False
) -> np.ndarray:
    """δ, `(n,)`: how much brighter each foreground is than its prototype's, relative to it.

    Parameters
    ----------
    values : grey values `(n, height, width)`.
    base : `(n,)`, the mean grey of the prototypes' foregrounds.
    released : leave out what is white in the foreground, as the authors' code does: it takes the
        pixels below 255 of a picture whose background was made white.
    """
    used = foreground & (np.round(values) < 255) if released else foreground
    return foreground_grey(values, used) / base - 1


def corrected(pictures: np.ndarray, delta: np.ndarray) -> np.ndarray:
    """Each picture's brightness scaled by 1 / (1 + δ), as the authors' code does it (Appendix
    C)."""
    scaled = (
        ImageEnhance.Brightness(Image.fromarray(one)).enhance(1 / (1 + by))
        for one, by in zip(pictures, delta, strict=True)
    )
    return np.stack([np.asarray(one) for one in scaled])


def leaked(
    rows: pd.DataFrame,
    strengths: Sequence[float],
    perceive: Perceiver,
    *,
    leak: str = "smiling_brightness",
    perceive_at: Sequence[float] | None = None,
) -> pd.DataFrame:
    """What the check of brightness and the model make of pictures with a leak, as drawn and
    corrected.

    Parameters
    ----------
    rows : prototypes and their series over smiling.
    strengths : of the leak, the first of them 0.
    perceive_at : the strengths at which the model looks; all by default.

    Returns
    -------
    One row per strength and state ("as drawn", "corrected"): strength, state; slope (per cent of
    brightness per unit of smiling) with its interval over seeds, low and high; mask
    (largest difference in δ between the foreground and the authors' mask); distortion (mean
    absolute change of the judgement, logits, from pictures without leak).
    """
    if strengths[0] != 0:
        raise ValueError(
            f"the first strength must be 0, what the others are compared with; got {strengths[0]}"
        )
    base_row, found, clean = own_prototype(rows), [], None
    prototypes, own = np.unique(base_row, return_inverse=True)
    foreground = figure_mask(rows.iloc[prototypes])[own]  # a smile moves no outline
    for strength in strengths:
        drawn = faces.render(rows, leaks={leak: strength})
        values = grey(drawn)
        base = foreground_grey(values, foreground)[base_row]
        delta = excess(values, foreground, base)
        masked = np.abs(excess(values, foreground, base, released=True) - delta).max()
        looked = perceive_at is None or strength in perceive_at
        for state, pictures in (("as drawn", drawn), ("corrected", corrected(drawn, delta))):
            values = values if pictures is drawn else grey(pictures)
            seen = perceive(pictures) if looked else None
            clean = seen if clean is None else clean
            row = {"strength": strength, "state": state, "mask": masked}
            row |= slope(rows, foreground_grey(values, foreground))
            row["distortion"] = np.nan if seen is None else np.abs(seen - clean).mean()
            found.append(row)
    return pd.DataFrame(found)


def slope(rows: pd.DataFrame, brightness: np.ndarray) -> dict[str, float]:
    """Per cent of brightness per unit of smiling: the mean of the seeds' own lines, with its 95 %
    interval."""
    change, smiling = relative(rows, brightness), rows["smiling"].to_numpy()
    each = [
        stats.linregress(smiling[own], change[own]).slope
        for own in rows.groupby("seed").indices.values()
    ]
    mean, half = np.mean(each), stats.norm.ppf(0.975) * stats.sem(each)
    return {"slope": float(mean), "low": float(mean - half), "high": float(mean + half)}


def first_clear(table: pd.DataFrame) -> float:
    """The smallest strength whose slope, as drawn, lies above all that a leak of 0 shows; NaN where
    none does."""
    drawn = table[table["state"] == "as drawn"].set_index("strength")
    nothing = np.abs(drawn.loc[0.0, ["low", "high"]]).max()
    clear = drawn.index[drawn["low"] > nothing]
    return float(clear.min()) if len(clear) else float("nan")


# --- what a map does not show ---------------------------------------------------------------------


def noticed(
    original: np.ndarray,
    changes: Mapping[str, np.ndarray],
    perceive: Perceiver,
    *,
    n: int,
    seed: int,
) -> pd.DataFrame:
    """One set of pictures, changed in several ways: what a map of signs shows of it, and what the
    model makes of it.

    Parameters
    ----------
    original : `(seeds, height, width, 3)`, one picture per seed.
    changes : by name, the same pictures with one change.
    n, seed : of the maps of chance.

    Returns
    -------
    One row per change: change, pixels (share that differ), map (share of positions beyond what
    chance gives anywhere), network (mean absolute change of the judgement, logits) and its margin
    (half of a 95 % interval over seeds).
    """
    before, rows = perceive(original), []
    for name, pictures in changes.items():
        signs = np.sign(grey(original) - grey(pictures))
        bound = by_chance(signs, n=n, seed=seed).anywhere
        moved = np.abs(perceive(pictures) - before).mean(axis=1)
        rows.append(
            {
                "change": name,
                "pixels": (original != pictures).any(axis=-1).mean(),
                "map": (np.abs(signs.mean(axis=0)) > bound + 1e-6).mean(),
                "network": moved.mean(),
                "margin": stats.norm.ppf(0.975) * stats.sem(moved),
            }
        )
    return pd.DataFrame(rows)
