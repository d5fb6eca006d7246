"""The first three rooms in one call: what a model makes of images and words."""

from pathlib import Path
from typing import Any

from vlmbias.embedding import embed, encoder
from vlmbias.measures import Perception
from vlmbias.stimuli.images import images
from vlmbias.stimuli.imageset import ImageSet
from vlmbias.stimuli.prompts import prompts


def perceive(
    stimuli: str | ImageSet,
    model: Any = None,
    words: str = "social_perception",
    *,
    root: str | Path | None = None,
    cosines: str | Path | None = None,
) -> Perception:
    """What `model` makes of every image of `stimuli` and every word of `words`.

    Parameters
    ----------
    stimuli : name of an image set (see `vb.images`), or an `ImageSet`.
    model : name of an encoder, or one (see `vb.encoder`).
    words : name of a prompt set (see `vb.prompts`).
    root : folder of the images, for a set that has one; empty or None for its usual place.
    cosines : folder of the authors' released cosine tables; given, no image and no model is needed.

    Returns
    -------
    Perception
        Embeddings are kept in the reader's cache, the last few models in this process: looking
        again is free.

    Examples
    --------
    >>> faces = vb.images("greenhouse/causalface", seed=0, subset="prototype")
    >>> seen = vb.perceive(faces, "greenhouse")
    >>> seen
    Perception(6 images of 'greenhouse/causalface', 45 words, by 'greenhouse')
    >>> seen.table[["race", "gender"]].join(seen.delta()["positive_agency"].round(2))
         race  gender  positive_agency
    0    teal  budded            -0.02
    1    teal   eared            -0.05
    2   amber  budded             0.02
    3   amber   eared            -0.01
    4  violet  budded             0.01
    5  violet   eared            -0.03
    """
    if cosines:
        from vlmbias.external import released_cosines

        return released_cosines.read(
            cosines, stimuli if isinstance(stimuli, str) else stimuli.name, words
        )
    viewer = encoder(model) if isinstance(model, str) else model
    shown = stimuli if isinstance(stimuli, ImageSet) else images(stimuli, root or None)
    return Perception.of(
        embed(viewer, shown),
        embed(viewer, prompts(words)),
        images=shown,
        logit_scale=viewer.logit_scale,
        weights=viewer.weights,
        stimuli=_name(shown),
        model=_name(viewer),
    )


def _name(thing: Any) -> str:
    """What the ledger calls images or a model. Of the Greenhouse, the name says so, even where it
    is another, as that of a folder read back."""
    planted = thing.source == "greenhouse" and not thing.name.startswith("greenhouse")
    return f"greenhouse/{thing.name}" if planted else thing.name
