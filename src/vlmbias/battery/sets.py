"""What the 26 tests are made of: the four sides of every test that can be run with "greenhouse",
"seat-ieat" (the earlier studies' attributes) or "nrc-oasis" (the rated ones), and why the others
cannot."""

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cache
from typing import Any

import pandas as pd

from vlmbias import sources
from vlmbias.battery import seat
from vlmbias.battery.tests import ROWS, TURNED, listed
from vlmbias.stimuli import rendered
from vlmbias.stimuli.images import images
from vlmbias.stimuli.imageset import ImageSet
from vlmbias.stimuli.prompts import prompts

NAMES = ("greenhouse", "seat-ieat", "nrc-oasis")
FETCHED = ("clip-bias-stimuli", "ieat-photographs")
"""The sources of real stimuli that come by a command."""
NOT_RELEASED = "the study's pictures of instruments and weapons were not released"
_CHOSEN = 25  # rated pictures from each end
_SHOWN = 40  # pictures of each side of the Greenhouse's targets


@dataclass(frozen=True, eq=False)
class Battery:
    """The tests that can be run with some stimuli.

    Attributes
    ----------
    sides : test → X, Y, A, B; X is the group of which more pleasantness is expected, A is pleasant.
    left_out : test → why it cannot be run here.
    """

    sides: dict[str, tuple[Any, Any, Any, Any]] = field(default_factory=dict)
    left_out: dict[str, str] = field(default_factory=dict)


def of(name: str) -> Battery:
    """The tests with the stimuli of that name; an unknown name is an error that lists the known
    ones."""
    if name not in NAMES:
        raise ValueError(f"no stimuli {name!r}; there are {', '.join(NAMES)}")
    found = Battery()
    targets, attributes = _greenhouse() if name == "greenhouse" else _real(name)
    for test in listed().itertuples():
        try:
            x, y = targets(test)
            found.sides[test.test] = (x, y, *attributes(test))
        except (FileNotFoundError, LookupError) as problem:
            found.left_out[test.test] = str(problem.args[0]).partition("\n")[0]
    return found


# --- the Greenhouse's counterparts ----------------------------------------------------------------


def _greenhouse() -> tuple[Callable, Callable]:
    """What gives the targets of a test, and what its attributes."""
    plays = rendered.roles()
    hues, crests = (plays["favoured"], plays["disfavoured"]), (plays["second"], plays["first"])
    icons, faces = images("greenhouse/icons"), images("greenhouse/cfd")
    grid = images("greenhouse/causalface", subset="age")
    ends = grid.table["age"].min(), grid.table["age"].max()
    pairs = {"race": hues, "gender": crests}

    def pictures(category: str) -> tuple[ImageSet, ...]:
        if category in pairs:
            return tuple(_first(faces, category, level, _SHOWN) for level in pairs[category])
        if category == "age":
            return tuple(_first(grid, "age", end, _SHOWN) for end in ends)
        return tuple(_first(icons, "category", kind, _SHOWN) for kind in category.split("-"))

    def sentences(category: str, called: str) -> Any:
        sides = (pairs | {"age": ("young", "old")}).get(category) or category.split("-")
        kind = {"terms": "kin", "words": "objects"}.get(called, "names")
        words = prompts(f"greenhouse/{kind}")
        own = [words.where(words.table["dimension"] == side) for side in sides]
        half = [set(one.table["word"].unique()[:4]) for one in own]
        return tuple(
            one.where(one.table["word"].isin(some)) if called.startswith("half") else one
            for one, some in zip(own, half, strict=True)
        )

    valence, kinds = prompts("greenhouse/valence"), ("pleasant", "unpleasant")
    sides = {
        "image": tuple(_first(icons, "category", kind, _CHOSEN) for kind in kinds),
        "text": tuple(valence.where(valence.table["dimension"] == kind) for kind in kinds),
    }

    def targets(test: Any) -> tuple[Any, ...]:
        if test.kind == "image":
            return pictures(test.category)
        return sentences(test.category, test.targets)

    return targets, lambda test: sides[test.against]


def _first(shown: ImageSet, column: str, level: Any, n: int) -> ImageSet:
    """The first `n` images with this value, each hue and crest in turn where there are any."""
    kept = shown.where(shown.table[column] == level)
    groups = [name for name in ("race", "gender") if name in kept.table]
    turn = kept.table.groupby(groups).cumcount() if groups else pd.Series(range(len(kept)))
    return kept.where(kept.table.index.isin(turn.sort_values(kind="stable").index[:n]))


# --- the real ones --------------------------------------------------------------------------------


def _real(name: str) -> tuple[Callable, Callable]:
    """What gives the targets of a test, and what its attributes; each file is read once."""
    files = {"seat-ieat": "seat", "nrc-oasis": "nrc"}[name]

    @cache
    def sentences(file: str) -> Any:
        return seat.read(sources.path("clip-bias-stimuli", f"data/tests_{files}/{file}.jsonl"))

    @cache
    def photographs() -> ImageSet:
        at_hand = sources.available("ieat-photographs")
        try:
            return images(
                "ieat", sources.path("ieat-photographs", "LICENSE").parent if at_hand else None
            )
        except FileNotFoundError:
            how = sources.how("ieat-photographs")
            raise FileNotFoundError(f"iEAT's photographs are not at hand. {how}") from None

    @cache
    def rated() -> tuple[ImageSet, ...]:
        every = images("oasis")
        ranked = every.table["valence"].sort_values(ascending=False, kind="stable").index
        return tuple(
            every.where(every.table.index.isin(own))
            for own in (ranked[:_CHOSEN], ranked[-_CHOSEN:])
        )

    def shown(test: str, category: str) -> ImageSet:
        own = photographs().table
        kept = (
            own["test"].eq(test)
            & own["category"].eq(category)
            & own["variant"].ne("experiments_oasis")
        )
        if not kept.any():
            raise LookupError(f"iEAT's folder {test}/{category} is empty or missing")
        return photographs().where(kept)

    def sentence_sides(file: str, roles: str) -> Any:
        own = sentences(file)
        return tuple(own.where(own.table["role"] == role) for role in roles)

    def targets(test: Any) -> tuple[Any, ...]:
        if test.kind == "text":
            return sentence_sides(test.source, "YX" if test.category in TURNED else "XY")
        if not test.source:
            raise LookupError(NOT_RELEASED)
        row = next(row for row in ROWS if row.category == test.category)
        return tuple(shown(row.pictures[0], side) for side in row.pictures[1:])

    def attributes(test: Any) -> tuple[Any, ...]:
        if test.against == "text":
            return sentence_sides(
                next(
                    row.sentences for row in ROWS if test.source in (row.sentences, row.pictures[0])
                ),
                "AB",
            )
        return (
            rated()
            if name == "nrc-oasis"
            else tuple(shown("valence", side) for side in ("pleasant", "unpleasant"))
        )

    return targets, attributes
