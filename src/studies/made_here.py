"""What a page says of its second section where that runs on our own drawings."""

from typing import Any

from studies import roles


def of_ours(seen: Any) -> str | None:
    """What of the pictures and the model was made for this book; None if neither was.

    Parameters
    ----------
    seen : a `Perception`.
    """
    drawn, trained = roles.drawn(seen), seen.model.startswith("greenhouse")
    faces = "drawn faces of invented groups"
    network = "a small network that we trained on {} faces and on captions that we wrote"
    if drawn and trained:
        return f"{faces}, and {network.format('such')}"
    return faces if drawn else network.format("drawn") if trained else None
