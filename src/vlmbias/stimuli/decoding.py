"""From a file to an upright RGB picture, whatever kind of image the file holds.

Comes in: a path. Goes out: a PIL image in mode RGB. May not: guess at a file it cannot read; such a file
is an error that names it.
"""

import threading
from pathlib import Path

import numpy as np
from PIL import Image, ImageOps

MAX_PIXELS = 500_000_000
"""Larger images are refused: a small file can claim a size that would fill the memory."""

_DRAFT_ABOVE = 80_000_000  # JPEGs beyond this are decoded at reduced size, at least 2,048 pixels wide
_WHITE = (255, 255, 255, 255)
_opening = threading.Lock()


class UndecodableImage(ValueError):
    """A file that is not an image, is damaged, or is missing; the message names its path."""


def decode(path: str | Path) -> Image.Image:
    """Open one image file as an upright RGB picture.

    Grey, palette and CMYK images are converted; transparent ones are laid on white; 16-bit and float
    ones are scaled, not clipped, to 8 bits; the camera's rotation tag is applied; of an animation the
    first frame is taken.

    Parameters
    ----------
    path : path of the file.

    Returns
    -------
    PIL.Image.Image in mode ``RGB``.

    Raises
    ------
    UndecodableImage
        If the file cannot be read as an image, with the path and the reason.
    """
    try:
        with _open(path) as image:
            if image.width * image.height > MAX_PIXELS:
                raise ValueError(f"{image.width} × {image.height} pixels is above the limit of {MAX_PIXELS:,}")
            if image.width * image.height > _DRAFT_ABOVE:
                image.draft("RGB", (2048, 2048))
            return _to_rgb(_upright(image))
    except Exception as problem:  # damaged files make PIL raise nearly anything, struct.error included
        reason = str(problem) or type(problem).__name__
        raise UndecodableImage(f"cannot decode the image {str(path)!r}: {reason}") from problem


def _open(path: str | Path) -> Image.Image:
    # PIL's own limit is a global and refuses honest panoramas; `decode` checks the size itself.
    with _opening:
        limit, Image.MAX_IMAGE_PIXELS = Image.MAX_IMAGE_PIXELS, None
        try:
            return Image.open(path)
        finally:
            Image.MAX_IMAGE_PIXELS = limit


def _upright(image: Image.Image) -> Image.Image:
    try:
        return ImageOps.exif_transpose(image)
    except Exception:  # a damaged tag says nothing about the picture
        return image


def _to_rgb(image: Image.Image) -> Image.Image:
    if image.mode.startswith(("I", "F")):
        return _scaled_to_8_bits(image)
    if image.has_transparency_data:
        layer = image.convert("RGBA")
        return Image.alpha_composite(Image.new("RGBA", layer.size, _WHITE), layer).convert("RGB")
    return image.convert("RGB")


def _scaled_to_8_bits(image: Image.Image) -> Image.Image:
    """PIL would clip: full scale is that of 16-bit files, else the least of 1, 255 and 65,535 that fits."""
    values = np.nan_to_num(np.asarray(image, dtype=np.float32), nan=0.0)
    top = float(values.max(initial=0.0))
    scales = (65535,) if image.mode.startswith("I;16") else (255, 65535) if image.mode == "I" else (1, 255, 65535)
    full = next((scale for scale in scales if top <= scale), top)
    return Image.fromarray(np.rint(np.clip(values / full, 0, 1) * 255).astype(np.uint8)).convert("RGB")
