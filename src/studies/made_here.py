"""What a page says of its second section where that runs on our own drawings."""

from typing import Any


def of_ours(seen: Any) -> str | None:
    """What of the pictures and the model was made for this book; None if neither was.

    Parameters
    ----------
    seen : a `Perception`: its `source` is that of the pictures, its `model` a name.
    """
    drawn, trained = seen.source == "greenhouse", seen.model.startswith("greenhouse")
    faces = "drawn faces of invented groups"
    network = "a small network that we trained on such faces and on captions that we wrote"
    if drawn and trained:
        return f"{faces}, and {network}"
    return faces if drawn else network if trained else None
