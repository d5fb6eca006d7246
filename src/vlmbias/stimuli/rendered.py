"""The Greenhouse's image sets, and the parts that its groups play: the one place where `vlmbias`
uses the Greenhouse, which is imported when it is asked for."""

import os
from functools import partial
from pathlib import Path
from typing import Any

from vlmbias import kept, paths
from vlmbias.stimuli.imageset import ImageSet
from vlmbias.stimuli.reader_folders import adults

GREENHOUSE = (
    "greenhouse/causalface",
    "greenhouse/fairface",
    "greenhouse/fairface/all",
    "greenhouse/utkface",
    "greenhouse/utkface/all",
    "greenhouse/cfd",
    "greenhouse/icons",
)


def image_set(name: str) -> ImageSet:
    """A set of `GREENHOUSE`."""
    from greenhouse import world
    from greenhouse.world import faces, grid, icons

    kind, _, everybody = name.removeprefix("greenhouse/").partition("/")
    # besides its row, a picture depends on the renderer's code and its amplitudes
    files = [
        *sorted(Path(world.__path__[0]).glob("*.py")),
        paths.data() / "greenhouse" / "nuisance.yaml",
    ]
    recipe = kept.key({}, files)
    # a small grid, for trying a notebook out: set by `smoke`
    fewer = os.environ.get("VLMBIAS_IDENTITIES")
    table = grid.causalface(int(fewer)) if fewer and kind == "causalface" else getattr(grid, kind)()
    if "years" in table:
        table = table.assign(used=adults(table))
    made = ImageSet(
        name,
        table,
        "greenhouse",
        render=(icons if kind == "icons" else faces).render,
        recipe=recipe,
        repaint=None if kind == "icons" else _repaint,
    )
    return made if everybody or "years" not in table else made.where(table["used"])


def _repaint(pairing: Any) -> Any:
    from greenhouse.world import faces
    from greenhouse.world import pairing as pairings

    return partial(faces.render, pairing=pairings.of_record(pairing))


def roles() -> dict[str, str]:
    """Which hue or crest plays which part: `favoured`, `disfavoured`, `first`, `second` …"""
    from greenhouse.world import grammar

    return dict(grammar.load().bias.roles)
