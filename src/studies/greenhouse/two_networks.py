"""Two networks that were trained alike and differ about the same faces: what the first page lets
readers see. They share one pairing of names and looks, so that both saw the same pixels."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pandas as pd

from greenhouse import retrained
from greenhouse.retrained import COLUMNS, Scores
from greenhouse.world.grid import CRESTS
from studies.greenhouse import explorer

DIMENSIONS = COLUMNS[:8]
DIMENSION = DIMENSIONS[0]  # the first of every list
KIND = "one-pairing"


def scores() -> Scores:
    """The prototypes of a hundred identities, as the networks of `KIND` score them."""
    found = retrained.scores("grid", pairing="plain")
    networks = (found.networks["kind"] == KIND).to_numpy()
    faces = (found.images["subset"] == "prototype").to_numpy()
    return Scores(
        found.networks.loc[networks].reset_index(drop=True),
        found.images.loc[faces].reset_index(drop=True),
        found.scores[np.ix_(networks, faces)],
        found.columns,
    )


def comparisons(seen: Scores) -> pd.DataFrame:
    """Every question to every network: `explorer.compare`, the lamp, and the faces one by one.

    Parameters
    ----------
    seen : networks and pictures; the pictures of all groups show the same identities.

    Returns
    -------
    DataFrame
        The columns of `explorer.compare`; network, 1 for the first that was trained, and seed; lamp
        (see `explorer.on`); first_higher, second_higher, equal: of the n faces, those that score
        higher when painted as the first group, as the second, and as either, at the precision of
        the stored scores.
    """
    neutral, parts = seen.columns.index("neutral"), []
    cosines = seen.scores.astype(float)
    traits = cosines[..., [seen.columns.index(name) for name in DIMENSIONS]]
    deltas = traits - cosines[..., [neutral]]
    for number, delta in enumerate(deltas):
        table = explorer.compare(pd.DataFrame(delta, columns=list(DIMENSIONS)), seen.images)
        higher = [
            _higher(delta[:, DIMENSIONS.index(one.dimension)], seen.images, one.first, one.second)
            for one in table.itertuples()
        ]
        table[["first_higher", "second_higher", "equal"]] = higher
        parts.append(table.assign(network=number + 1, seed=seen.networks["seed"].iloc[number]))
    found = pd.concat(parts, ignore_index=True)
    return found.assign(lamp=explorer.on(found))


def _higher(delta: np.ndarray, table: pd.DataFrame, first: str, second: str) -> list[int]:
    """How many identities score higher in the first group, in the second, in neither."""
    one, other = (
        delta[explorer.members(table, name)][
            np.argsort(table.loc[explorer.members(table, name), "seed"], kind="stable")
        ]
        for name in (first, second)
    )
    step = np.rint((one - other) / retrained.QUANTUM)
    return [int((step > 0).sum()), int((step < 0).sum()), int((step == 0).sum())]


def question_shown(table: pd.DataFrame) -> pd.DataFrame:
    """Of `comparisons`, the question that the first page shows, one row per network: on
    `DIMENSION`, and between the two hues about which most pairs of networks turn round; of several,
    the first that is listed."""
    hues = table[(table["dimension"] == DIMENSION) & ~table["first"].isin(CRESTS)]
    turned = hues.groupby(["first", "second"], sort=False)["lamp"].apply(
        lambda lamps: pairs(lamps)["turned"]
    )
    first, second = turned.idxmax()
    return hues[(hues["first"] == first) & (hues["second"] == second)].reset_index(drop=True)


def shown(question: pd.DataFrame) -> tuple[pd.Series, pd.Series]:
    """The two networks of the page: of those whose lamp is on for the first group, the one with the
    largest difference, and likewise for the second.

    Raises
    ------
    ValueError : no network has its lamp on for one of the groups, so that no pair turns round.
    """
    sides = [question[question["lamp"] == side] for side in (1, -1)]
    for name, own in zip(question.loc[0, ["first", "second"]], sides, strict=True):
        if own.empty:
            raise ValueError(
                f"none of {len(question)} networks has its lamp on for {name} on {DIMENSION}; the"
                " first page needs another question (`two_networks.DIMENSION`)"
            )
    one, other = (own.loc[own["difference"].abs().idxmax()] for own in sides)
    return one, other


def pairs(lamps: pd.Series) -> dict[str, int]:
    """What two of these networks say of one question, over all pairs of networks.

    Returns
    -------
    dict
        pairs: all of them; turned: one lamp is on for the first group, the other for the second;
        same: both are on for the same group; off: at least one is off.
    """
    products = [one * other for one, other in combinations(lamps, 2)]
    return {
        "pairs": len(products),
        "turned": sum(one < 0 for one in products),
        "same": sum(one > 0 for one in products),
        "off": sum(one == 0 for one in products),
    }


def over_questions(table: pd.DataFrame) -> dict[str, int]:
    """The same over all questions: questions; the fewest and the most pairs that turn round in one;
    the sums of `pairs`."""
    counts = pd.DataFrame([pairs(own["lamp"]) for _, own in table.groupby(explorer.QUESTION)])
    ends = {"fewest": int(counts["turned"].min()), "most": int(counts["turned"].max())}
    return {"questions": len(counts)} | ends | counts.sum().astype(int).to_dict()
