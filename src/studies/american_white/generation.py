"""The brightness of painted pictures: claims of Wolfe & Caliskan (2022), Figures 6 and 7."""

from typing import Any

import pandas as pd


def claims(mean: pd.DataFrame) -> dict[str, Any]:
    """The paper's numbers and statements, by the claim's id without "generation.".

    Parameters
    ----------
    mean : the mean brightness of the paper's four groups (asian, black, latino, white) × kept
        steps, among them 0, 10 (the second), 80 and 100. A rise is in per cent of step 0.
    """
    rise = 100 * (mean.div(mean[0], axis=0) - 1)
    peak, black = rise.max(axis=1), float(rise.loc["black", 80])
    places = ("black", "abstract", "intro", "caption", "discussion")
    return {
        **{f"{place}-rise": black for place in places},
        "black-start": float(mean.loc["black", 0]),
        "black-80": float(mean.loc["black", 80]),
        **{f"{group}-rise": float(peak[group]) for group in ("asian", "latino", "white")},
        "least-rise": float(peak.min()),
        "all-lighten": bool(peak.min() > 0),
        "first-ten-fall": bool((rise.loc[["asian", "black"]].iloc[:, 1] < 0).all()),
        "peak-at-80": bool(rise.loc["black"].idxmax() == 80),
        "falls-after-100": bool((rise.iloc[:, -1] < rise[100]).all()),
    }
