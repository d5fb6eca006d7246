"""The fleet's tables, read without torch: what 131 networks, and a fleet in which nothing was
planted, show in 26 tests (`vlmbias campaign fleet` writes them)."""

from __future__ import annotations

from pathlib import Path

import pandas as pd

from greenhouse.world.bias import DATA

FLEETS = ("planted", "null", "extra")
ABOUT = (
    "architecture",
    "dataset",
    "parameters",
    "dataset_size",
    "performance",
    "size",
    "seed",
    "pool_seed",
    "warm_start",
    "accepted",
    "logit_scale",
)


def _read(folder: Path, name: str) -> pd.DataFrame:
    return pd.read_csv(
        folder / name, keep_default_na=False, na_values=[""]
    )  # "null" is a fleet, not a missing name


def models(fleet: str = "planted", folder: Path = DATA) -> pd.DataFrame:
    """One row per network: families, size, seeds, gates, zero-shot tasks and their mean
    (`performance`), the gaps in pleasantness that it shows of held-out faces (`pleasant_race`,
    `_gender`, `_age`; logits), and what it cost.

    Parameters
    ----------
    fleet : "planted": the 131; "null": those with nothing planted, whose data are all the same;
        "extra": those that can take the place of the reference family's only network.

    Raises
    ------
    ValueError : an unknown fleet.
    """
    if fleet not in FLEETS:
        raise ValueError(f"fleet={fleet!r}; there are {', '.join(FLEETS)}")
    table = _read(folder, "fleet_models.csv")
    return table.loc[table["fleet"] == fleet].reset_index(drop=True)


def read(fleet: str = "planted", folder: Path = DATA) -> pd.DataFrame:
    """The study table of a fleet, which is chosen as for `models`.

    Returns
    -------
    One row per network and test: model, test, category, order, targets, n_x, n_y, effect_size (d,
    divisor N - 1), gap (logits), gap_cosine, within (SD within the two groups, pooled; logits), p,
    effect_size_train (d of the network left in train mode, shown one picture at a time: another one
    with batch normalisation only), and what is known of the network: see `ABOUT`. `parameters` and
    `dataset_size` are in millions.
    """
    about = models(fleet, folder)[["model", *ABOUT]]
    tests = _read(folder, "fleet.csv.gz")
    return (
        tests.loc[tests["fleet"] == fleet]
        .drop(columns="fleet")
        .merge(about, on="model", validate="many_to_one")
    )


def truth(folder: Path = DATA) -> pd.DataFrame:
    """What each data family does to the captions: one row per family ("null": of the null fleet)
    and category, with the gap of log odds of a pleasant rather than an unpleasant word, `counted`
    (standard error `counted_se`) and `per_face`; `names` is -1 where captions exchange the two
    groups' names."""
    return _read(folder, "fleet_truth.csv")
