"""What tests report where nothing was planted, by what counts as one observation: the figure of the
page on targets; and which models were run.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd

import vlmbias as vb
from vlmbias.notes import NOT_RUN

Notes = Mapping[str, Any]  # of one chapter, by name
WITHIN, NETWORKS = "observations within networks", "networks as observations"


def null_results(results: Mapping[str, Notes]) -> pd.DataFrame:
    """How often a test of each paper alarms in networks with nothing planted.

    Parameters
    ----------
    results : chapter → its glued values.

    Returns
    -------
    One row per paper and kind of case: paper, title (what the rates count), cases, kind (`WITHIN`
    or `NETWORKS`), rate, low, high, n (how many kinds of test, networks or assignments the rate is
    of), networks (how many were asked), level (the largest rate that the tests' level allows). Of
    the first paper's kinds of test, rate is the median, low and high are the ends; for the others
    the interval is exact, 95 %. A paper of which a value is missing has no rows.
    """
    tables = []
    for paper, panel in PANELS.items():
        try:
            table = panel.rows(_complete(results.get(panel.chapter, {})))
        except KeyError:  # a chapter that was not run, or not whole
            continue
        titles = [panel.title.format_map(row) for row in table.to_dict("records")]
        tables.append(table.assign(paper=paper, title=titles))
    columns = ["paper", "title", "cases", "kind", "rate", "low", "high", "n", "networks", "level"]
    return (
        pd.concat(tables, ignore_index=True)[columns] if tables else pd.DataFrame(columns=columns)
    )


def _complete(notes: Notes) -> Notes:
    """The values that there are: what was not run is absent."""
    return {name: value for name, value in notes.items() if value != NOT_RUN}


def _tests(notes: Notes) -> pd.DataFrame:
    """Hausladen et al.: the share of questions that each test rejects; its median and ends over
    tests."""
    ends = {
        "pictures": [notes[f"alarms{end}.picture"] for end in ("", "_low", "_high")],
        "people": [notes[f"alarms{end}.identity"] for end in ("", "_low", "_high")],
        "networks": [notes["rate.all"], notes["rate_all.min"], notes["rate_all.max"]],
    }
    table = pd.DataFrame(ends, index=["rate", "low", "high"]).T / 100
    return _rows(
        table.assign(
            n=int(notes["tests"]), networks=int(notes["n_null"]), level=notes["level"] / 100
        )
    )


def _networks(notes: Notes) -> pd.DataFrame:
    """Wolfe & Caliskan: networks in which the We/They test alarms for one pair of groups."""
    n, hits = (
        int(notes["n_null"]),
        {cases: notes[f"hits.{cases}"] for cases in ("faces", "words", "networks")},
    )
    return _rows(_exact(hits, n).assign(networks=n, level=notes["nominal"]))


def _assignments(notes: Notes) -> pd.DataFrame:
    """Ghate et al.: random assignments of families to networks in which at least one family is
    called significant."""
    n = int(notes["assignments"])
    hits = {"rows": notes["rate.published"] * n, "networks": notes["rate.one-row"] * n}
    level = min(
        1, notes["contrasts"] * notes["nominal"]
    )  # of one alarm or more among as many questions
    return _rows(_exact(hits, n).assign(networks=int(notes["fleet"]), level=level))


def _exact(hits: Mapping[str, float], n: int) -> pd.DataFrame:
    return vb.networks.rates({cases: np.arange(n) < round(k) for cases, k in hits.items()})


def _rows(table: pd.DataFrame) -> pd.DataFrame:
    table = table.rename_axis("cases").reset_index()
    return table.assign(kind=np.where(table["cases"] == "networks", NETWORKS, WITHIN))


@dataclass(frozen=True)
class Panel:
    """A test whose false positives a panel of the figure shows.

    Attributes
    ----------
    chapter : whose values it is made of.
    title : what its rows count, with their columns in braces.
    lines : what its points and lines are, without a verb.
    rows : the rows of those values.
    """

    chapter: str
    title: str
    lines: str
    rows: Callable[[Notes], pd.DataFrame]


# a paper without an entry has no panel
PANELS: Mapping[str, Panel] = {
    "causalface": Panel(
        "greenhouse/sensitivity",
        "{n} kinds of test between groups, {networks} networks",
        "the median of the kinds of test, and from the lowest to the highest",
        _tests,
    ),
    "american_white": Panel(
        "american_white/we_they",
        "We/They test, {networks} networks",
        "the share of networks, and its exact 95 % interval",
        _networks,
    ),
    "pretraining": Panel(
        "pretraining/stress",
        "any family significant, {n} random assignments, {networks} networks",
        "the share of assignments of these networks, and its exact 95 % interval",
        _assignments,
    ),
}


def models(runs: Iterable[Mapping[str, Any]]) -> list[str] | None:
    """The models beside the Greenhouse's that were run, by name; None if nothing was run.

    Parameters
    ----------
    runs : the records of runs: `models`, the models of others that the second section runs;
        `requires`, the sources without which it is a note; `sources`, the state of each.
    """
    done = list(runs)
    ran = [
        one
        for one in done
        if all(one["sources"][key]["available"] for key in one.get("requires", ()))
    ]
    return sorted({name for one in ran for name in one.get("models", ())}) if done else None
