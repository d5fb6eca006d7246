"""What is still to be embedded, and how long it takes, said before it begins.

Comes in: an `Encoder` and image sets by name. Goes out: a `Forecast`, of which one batch was
measured, and kept. May not: embed more than that batch.
"""

import time
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from vlmbias.embedding.embed import embed, shelved
from vlmbias.embedding.encoders import Encoder
from vlmbias.progress import spoken
from vlmbias.stimuli.imageset import ImageSet

_MEASURED = 32  # pictures whose time stands for all the others'
_KEY = 32  # bytes beside each vector


@dataclass(frozen=True)
class Forecast:
    """What one model has to look at.

    Attributes
    ----------
    model : its name.
    counts : images by set.
    new : pictures of which no vector is stored yet, each counted once.
    seconds : that these will take.
    megabytes : that their vectors will take on the disk.
    """

    model: str
    counts: dict[str, int]
    new: int
    seconds: float
    megabytes: float

    def __str__(self) -> str:
        sets = ", ".join(f"{name} {n:,}" for name, n in self.counts.items())
        if not self.new:
            return f"what {self.model} sees ({sets}): every vector is stored"
        return (
            f"what {self.model} sees ({sets}): {self.new:,} new images, about"
            f" {spoken(self.seconds)}, {self.megabytes:,.1f} MB of vectors"
        )


def forecast(
    encoder: Encoder, sets: Mapping[str, ImageSet], *, store: str | Path | None = None
) -> Forecast:
    """Count what is not stored, and embed one batch of it to tell how long the rest will take.

    Parameters
    ----------
    encoder : an `Encoder`.
    sets : image sets by name.
    store : as for `vlmbias.embedding.embed`.
    """
    new: dict[str, tuple[str, int]] = {}
    known = shelved(encoder, store)
    for name, images in sets.items():
        for row, key in enumerate(images.painted_for(encoder.pairing).keys()):
            if key not in known:
                new.setdefault(key, (name, row))
    seconds = 0.0
    if new:
        first = next(name for name, _ in new.values())
        rows = [row for name, row in new.values() if name == first][:_MEASURED]
        images, began = sets[first], time.perf_counter()
        embed(encoder, images.where(np.isin(np.arange(len(images)), rows)), store=store)
        seconds = (time.perf_counter() - began) / len(rows) * len(new)
    counts = {name: len(images) for name, images in sets.items()}
    return Forecast(
        encoder.name, counts, len(new), seconds, len(new) * (4 * encoder.dimension + _KEY) / 1e6
    )
