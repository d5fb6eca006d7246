"""Four sets of data with random effects, drawn from seeds: what lme4 fitted, and what the tests fit
again.

`python tests/inference/simulated_sets.py FOLDER` writes them as csv for `lme4/fits.R`.
"""

import sys
from pathlib import Path

import numpy as np
import pandas as pd

# what is fitted to each set: fixed numbers, and grouping → slopes
MODELS = {
    "slopes": (["u", "v"], {"group": ["u", "v"]}),
    "crossed": (["u", "x"], {"test": [], "model": []}),
    "boundary": (["u"], {"test": [], "model": []}),
    "everything": (["u", "v", "x"], {"group": ["u", "v"], "family": [], "model": []}),
}


def drawn(name: str) -> pd.DataFrame:
    """One of the sets: columns y, numbers u and v (of a model) and x (of a row), factor kind, and
    the groupings."""
    rng = np.random.default_rng([2015, list(MODELS).index(name)])
    models, tests = {
        "slopes": (30, 16),
        "crossed": (25, 12),
        "boundary": (24, 8),
        "everything": (40, 18),
    }[name]
    table = pd.MultiIndex.from_product(
        [range(models), range(tests)], names=["model", "test"]
    ).to_frame(index=False)
    model, test, n = table["model"].to_numpy(), table["test"].to_numpy(), len(table)
    u, v = rng.normal(size=(2, models))
    table = table.assign(
        u=u[model],
        v=v[model],
        x=rng.normal(size=n),
        kind=np.array(["a", "b", "c"])[model % 3],
        group=test // 2,
        family=model // 5,
    )
    y = (
        0.3
        + 0.2 * table["u"]
        - 0.1 * table["x"]
        + 0.25 * (table["kind"] == "b")
        + rng.normal(0, 0.5, n)
    )
    if name in ("slopes", "everything"):
        L = np.array([[0.7, 0, 0], [0.1, 0.25, 0], [-0.1, 0.05, 0.3]])
        effects = rng.normal(size=(tests // 2 + 1, 3)) @ L.T
        y += (effects[table["group"]] * np.column_stack([np.ones(n), table["u"], table["v"]])).sum(
            axis=1
        )
    if name in ("crossed", "boundary"):
        y += rng.normal(0, 0.6, tests)[test]
    if name in ("crossed", "everything"):
        y += rng.normal(0, 0.3, models)[model]
    if name == "boundary":  # models that differ less than chance would have it
        y -= 0.9 * (y - 0.3).groupby(model).transform("mean")
    if name == "everything":
        y += rng.normal(0, 0.4, table["family"].max() + 1)[table["family"]]
    table = table.assign(
        y=y.round(6), u=table["u"].round(6), v=table["v"].round(6), x=table["x"].round(6)
    )
    return (
        table.sample(frac=0.9, random_state=7).reset_index(drop=True)
        if name == "everything"
        else table
    )


if __name__ == "__main__":
    for one in MODELS:
        drawn(one).to_csv(Path(sys.argv[1]) / f"{one}.csv", index=False)
