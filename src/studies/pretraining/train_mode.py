"""Train mode: what an association test measures when a network is left in the mode in which it is
trained.

Comes in: the configurations of architectures, tables of tests (`effect_sizes.run`) and
vectors in both modes. Goes out: tables, and batches of rows. May not: run a network, or say which
mode a study used.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np
import pandas as pd

from studies.pretraining.effect_sizes import SMALL

BATCH = "statistics of the batch"  # in place of running averages
CHANCE = "chance"  # parts of the network are left out at random
_KEYS = ["category", "order", "targets"]


def of_architecture(config: Mapping[str, Any]) -> str:
    """What an architecture of open_clip depends on in train mode, read off its configuration.

    Returns
    -------
    `BATCH` (a ResNet: its `layers` are listed by stage), `CHANCE` (a drop rate above 0, or a text
    tower of Hugging Face, which brings its own dropout), or "".
    """
    vision, text = config["vision_cfg"], config.get("text_cfg", {})
    if isinstance(vision.get("layers"), list | tuple):
        return BATCH
    dropped = [value for part in (vision, text) for name, value in part.items() if "drop" in name]
    return (
        CHANCE if any(value and value > 0 for value in dropped) or "hf_model_name" in text else ""
    )


def census(
    weights: Iterable[tuple[str, str]], configs: Mapping[str, Mapping[str, Any]]
) -> pd.DataFrame:
    """How many released weights have layers that act otherwise in train mode.

    Parameters
    ----------
    weights : pairs of architecture and tag, as `open_clip.list_pretrained()`.
    configs : architecture → configuration.

    Returns
    -------
    Two rows, `BATCH` and `CHANCE`: weights, architectures (how many), and examples (up to three
    "architecture/tag")."""
    rows = {kind: [] for kind in (BATCH, CHANCE)}
    for architecture, tag in weights:
        if kind := of_architecture(configs[architecture]):
            rows[kind].append((architecture, tag))
    return pd.DataFrame(
        {
            kind: {
                "weights": len(own),
                "architectures": len({one for one, _ in own}),
                "examples": ", ".join("/".join(one) for one in own[:3]),
            }
            for kind, own in rows.items()
        }
    ).T


def compared(evaluated: pd.DataFrame, trained: pd.DataFrame) -> pd.DataFrame:
    """The same tests in both modes.

    Returns
    -------
    One row per test: category, order, targets, then d and gap of each mode ("d, eval", "d, train"
    …), change (of d)."""
    both = [
        table.set_index(_KEYS)[["d", "gap"]].add_suffix(f", {mode}")
        for table, mode in ((evaluated, "eval"), (trained, "train"))
    ]
    joined = pd.concat(both, axis=1, join="inner")
    return joined.assign(change=joined["d, train"] - joined["d, eval"]).reset_index()


def summary(pairs: Mapping[str, pd.DataFrame], *, exact: float = 1e-5) -> pd.DataFrame:
    """What the mode does to a network's tests together.

    Parameters
    ----------
    pairs : network → `compared`.
    exact : changes of d up to this are rounding.

    Returns
    -------
    One row per network: tests, changed (by more than `exact`), typical (root mean square change of
    d), largest (absolute change), turned (tests whose d changes its sign), shrunk (changed tests
    whose gap is nearer to zero in train mode), and the share of tests with d > 0.2 in each mode
    ("above, eval", "above, train").
    """
    rows = {}
    for name, own in pairs.items():
        change, before, after = own["change"].abs(), own["d, eval"], own["d, train"]
        differ = change > exact
        rows[name] = {
            "tests": len(own),
            "changed": int(differ.sum()),
            "typical": float(np.sqrt((change**2).mean())),
            "largest": change.max(),
            "turned": int((before * after < 0).sum()),
            "shrunk": int((differ & (own["gap, train"].abs() < own["gap, eval"].abs())).sum()),
            "above, eval": (before > SMALL).mean(),
            "above, train": (after > SMALL).mean(),
        }
    counts = ["tests", "changed", "turned", "shrunk"]
    return pd.DataFrame(rows).T.astype({name: int for name in counts})


def itself(evaluated: np.ndarray, trained: np.ndarray) -> dict[str, float]:
    """How much of a picture's vector survives the mode.

    Parameters
    ----------
    evaluated, trained : unit vectors of the same pictures, `(n, d)`.

    Returns
    -------
    same : mean cosine of a picture's two vectors; other : mean cosine of two different pictures in
    evaluation mode; found : share of pictures whose vector in train mode is nearer to their own
    than to any other's in evaluation mode."""
    cosines, between = trained @ evaluated.T, evaluated @ evaluated.T
    n = len(cosines)
    return {
        "same": float(np.trace(cosines) / n),
        "other": float((between.sum() - np.trace(between)) / (n * (n - 1))),
        "found": float((cosines.argmax(axis=1) == np.arange(n)).mean()),
    }


def batches(groups: Sequence[Any], size: int, *, sorted_: bool, seed: int) -> list[np.ndarray]:
    """Rows in batches: pictures of a group together, or all groups mixed.

    Parameters
    ----------
    groups : of every picture.
    size : pictures per batch; the last may have fewer. A batch of sorted pictures holds one group
        only.
    """
    order, labels = np.random.default_rng(seed).permutation(len(groups)), np.asarray(groups)
    if not sorted_:
        return [order[start : start + size] for start in range(0, len(order), size)]
    own = [order[labels[order] == group] for group in dict.fromkeys(labels.tolist())]
    return [rows[start : start + size] for rows in own for start in range(0, len(rows), size)]
