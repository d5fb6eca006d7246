"""One model after another on the 26 tests, each kept in a file of its own, so that none can take
another down; a record says what was measured, or why it was not."""

import json
import time
from functools import cache, partial
from pathlib import Path
from typing import Any
from urllib.parse import quote

import numpy as np
import pandas as pd

from vlmbias import paths
from vlmbias.battery import sets
from vlmbias.battery.tests import listed
from vlmbias.external import study_table
from vlmbias.external.registry import data_of
from vlmbias.external.study_table import architecture_family, dataset_family
from vlmbias.measures import association_scores, effect_size
from vlmbias.progress import Progress
from vlmbias.whole_files import replacing

COLUMNS = (*study_table.COLUMNS, "logit_scale")


def folder(stimuli: str) -> Path:
    """Where the records of a sweep with these stimuli are kept."""
    return paths.build() / "sweep" / stimuli


def record_of(stimuli: str, model: str) -> Path:
    """Where the record of one model is kept."""
    return folder(stimuli) / f"{quote(model, safe='')}.json"


def measured(model: str, stimuli: str) -> dict[str, Any]:
    """A model of `vb.encoder` on every test that can be run with these stimuli, of `sets.NAMES`.

    Returns
    -------
    model, stimuli, status ("measured"), seconds, left_out (test → why) and rows, one per test, with
    `COLUMNS`: d (SD over X and Y, divisor N − 1), gap (difference of mean scores, in cosines),
    parameters in millions; None for what is not known.
    """
    from vlmbias.embedding import embed, encoder

    began, battery = time.perf_counter(), sets.of(stimuli)
    if not battery.sides:
        raise FileNotFoundError(
            f"no test can be run with {stimuli!r}: {next(iter(battery.left_out.values()))}"
        )
    viewer = encoder(model)
    look = cache(partial(embed, viewer))  # many tests share a side
    about = _about(model, viewer)
    rows = []
    tests = listed()[listed()["test"].isin([*battery.sides])]
    with Progress(len(tests), f"tests of {model}") as progress:
        for test in tests.itertuples():
            X, Y, A, B = map(look, battery.sides[test.test])
            x, y = (association_scores(own, A, B) for own in (X, Y))
            rows.append(
                {
                    "model": model,
                    "test": test.test,
                    "category": test.category,
                    "order": test.order,
                    "targets": test.targets,
                    "n_x": len(x),
                    "n_y": len(y),
                    "effect_size": float(effect_size(x, y)),
                    "gap": float(np.mean(x) - np.mean(y)),
                    **about,
                }
            )
            progress.update(1)
    return {
        "model": model,
        "stimuli": stimuli,
        "status": "measured",
        "seconds": round(time.perf_counter() - began, 1),
        "left_out": battery.left_out,
        "rows": rows,
    }


def _about(model: str, viewer: Any) -> dict[str, Any]:
    """What is known of a model: its families by the released rules, where it is one of
    open_clip's."""
    architecture, _, tag = model.rpartition("/")
    known = viewer.source == "open_clip" and tag != "random" and bool(architecture)
    data = data_of(architecture, tag) if known else ""
    return {
        "architecture": architecture_family(architecture) if known else None,
        "dataset": dataset_family(data, architecture) if data else None,
        "parameters": round(sum(one.numel() for one in viewer.network.parameters()) / 1e6, 3),
        "dataset_size": None,
        "performance": None,
        "logit_scale": viewer.logit_scale,
    }


def failed(model: str, stimuli: str, reason: str) -> dict[str, Any]:
    """The record of a model that could not be measured, and why."""
    return {"model": model, "stimuli": stimuli, "status": "failed", "reason": reason, "rows": []}


def read(stimuli: str, model: str) -> dict[str, Any]:
    """The record of one model."""
    return json.loads(record_of(stimuli, model).read_text("utf-8"))


def collect(stimuli: str) -> tuple[pd.DataFrame, pd.DataFrame]:
    """Every record of a sweep, as a table of effect sizes and a table of failures; both are written
    as CSV.

    Returns
    -------
    A study table (`COLUMNS`), one row per model and test; and one row per failure: model, reason.
    """
    records = [
        json.loads(path.read_text("utf-8")) for path in sorted(folder(stimuli).glob("*.json"))
    ]
    rows = [row for one in records for row in one["rows"]]
    table = pd.DataFrame(rows, columns=list(COLUMNS))
    lost = pd.DataFrame(
        [
            {"model": one["model"], "reason": one["reason"]}
            for one in records
            if one["status"] == "failed"
        ],
        columns=["model", "reason"],
    )
    for name, own in (("effect_sizes", table), ("failures", lost)):
        with replacing(folder(stimuli).with_name(f"{stimuli}.{name}.csv")) as draft:
            own.to_csv(draft, index=False)
    return table, lost
