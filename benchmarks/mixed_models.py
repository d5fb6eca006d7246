"""How fast mixed models are fitted: `python benchmarks/mixed_models.py`.

131 models × 26 tests, simulated, with the fixed effects of the page on upstream factors. With one
grouping both engines fit the published specification, and have to agree; effects of models and
tests that cross are fitted by ours alone, and have a limit of one second. CPU time on one thread.
"""

from __future__ import annotations

# isort: off
from _goals import Row, finish, milliseconds  # before numpy, as it sets one thread
# isort: on

import numpy as np

import vlmbias as vb
from studies.pretraining import downstream, twin, upstream
from studies.pretraining import effect_sizes as study


def main() -> None:
    """Print the ratio of the engines with one grouping, and seconds with crossed ones."""
    printed = vb.ledger.load("pretraining")
    r = downstream.printed(printed)["r"].to_dict()
    table = upstream.prepared(twin.generate(study.cells(printed), r))
    own, theirs = upstream.fitted(table), upstream.published(table)
    assert own.log_likelihood > theirs.log_likelihood - 1e-4
    assert np.allclose(own.coefficients["coef"], theirs.coefficients["coef"], atol=1e-3)
    print(f"{len(table):,} rows, {len(own.coefficients)} fixed effects")
    crossed = milliseconds(lambda: upstream.fitted(table, ("model", "test")), 3) / 1000
    finish(
        [
            Row(
                "one grouping, two slopes",
                "statsmodels MixedLM, two optimisers",
                milliseconds(lambda: upstream.fitted(table), 3),
                milliseconds(lambda: upstream.published(table), 1),
                5,
            )
        ],
        limits=[("crossed effects of models and tests", crossed, 1)],
    )


if __name__ == "__main__":
    main()
