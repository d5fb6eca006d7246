"""From a file to an upright RGB picture or one error that names it, without waiting for what is no
file, starting a program, or taking more memory than a picture of the file's size can need."""

import contextlib
import re
import threading
from collections.abc import Iterator
from functools import lru_cache
from io import BytesIO
from pathlib import Path

import numpy as np
from PIL import Image, ImageOps, UnidentifiedImageError

from vlmbias.whole_files import read_regular

FORMATS = ("JPEG", "PNG", "GIF", "BMP", "WEBP", "TIFF", "PPM", "TGA", "JPEG2000", "AVIF")
"""What is decoded, whatever a file is called. Not EPS, for which PIL starts a program, nor ICO, a
picture in a file that states another size."""
MAX_BYTES = 1 << 30
"""Larger files are refused: they are read whole."""
MAX_PIXELS = 500_000_000
"""Larger images are refused."""

# Pixels that any file may have, and per byte of a larger one: decoding takes up to 30 bytes a
# pixel, of a JPEG 10.
_PLAIN, _PER_BYTE = 30_000_000, 6
_PLAIN_JPEG, _PER_BYTE_JPEG = 100_000_000, 20
_DRAFT_ABOVE = 80_000_000  # larger JPEGs are decoded at reduced size, 2,048 pixels wide or more
_WHITE = (255, 255, 255, 255)
# formats whose decoders fill up what a cut file lacks, without a word; none of them ends in zeros
_FILLED_UP, _ZEROS = ("JPEG", "MPO", "JPEG2000", "GIF", "WEBP", "AVIF"), 64
# how files begin that are often met under the name of a picture
_NO_PICTURES = {
    rb".{4}ftyp(heic|heix|hevc|mif1|msf1)": "a HEIC file; save it as JPEG or PNG",
    rb"version https://git-lfs": "a pointer of Git LFS; `git lfs pull` brings the picture",
    rb"\s*<(!doctype|html|\?xml|svg)": "a web page or SVG; download or save the picture itself",
    rb"%PDF": "a PDF; save the picture as JPEG or PNG",
    rb"\x00\x05\x16\x07": "what macOS keeps beside a file, and no picture; remove it",
}
_opening = threading.Lock()


class UndecodableImage(ValueError):
    """A file that is not an image, is damaged, or is missing; the message names its path."""


def read(path: str | Path) -> bytes:
    """The bytes of an image file; `UndecodableImage` where there is none, it is no regular file (a
    pipe, a device) or has over `MAX_BYTES`."""
    try:
        if (size := Path(path).stat().st_size) > MAX_BYTES:
            raise OSError(None, f"{size:,} bytes are above the limit of {MAX_BYTES:,}")
        return read_regular(Path(path))
    except OSError as problem:
        raise UndecodableImage(
            f"cannot read the image {str(path)!r}: {problem.strerror}"
        ) from problem


def decode(path: str | Path, content: bytes | None = None) -> Image.Image:
    """One image file as an upright RGB picture.

    Grey, palette and CMYK images are converted; transparent ones are laid on white; 16-bit and
    float ones are scaled, not clipped, to 8 bits; the camera's rotation tag is applied; of an
    animation the first frame is taken. A PNG's checksums must be right; a file that was cut
    short is an error in each format. `content` is what `read`
    gave for the file, if that was done before. `UndecodableImage` says what else it is, or that it
    has over 6 pixels per byte and 30 million in all (a JPEG: 20 and 100 million).
    """
    content = read(path) if content is None else content
    with _named(path, content):
        return _to_rgb(_upright(_opened(content)))


def unreadable(path: str | Path) -> str:
    """Why an image file cannot be read, as far as that is seen without decoding it; "" if nothing
    is. A file that has not changed is not opened again."""
    about = Path(path).stat() if Path(path).exists() else None
    return _unreadable(path, about and (about.st_size, about.st_mtime_ns))


@lru_cache(maxsize=1_000_000)
def _unreadable(path: str | Path, state: tuple[int, int] | None) -> str:
    """Why a file of this size and time of change cannot be read; None: it is not there."""
    try:
        content = read(path)
        with _named(path, content):
            _opened(content)
    except UndecodableImage as problem:
        return str(problem)
    return ""


def _opened(content: bytes) -> Image.Image:
    """An image that may be decoded: neither too large nor cut short, a PNG with right checksums."""
    image = _open(content)
    _bound(image, len(content))
    _check_end(image, content)
    if image.format == "PNG":
        _open(content).verify()
    return image


@contextlib.contextmanager
def _named(path: str | Path, content: bytes) -> Iterator[None]:
    """Name the file in whatever error its content makes."""
    try:
        yield
    except UnidentifiedImageError as problem:
        raise UndecodableImage(
            f"cannot decode the image {str(path)!r}: it is {_what(content)}"
        ) from problem
    except Exception as problem:  # damaged files make PIL raise nearly anything
        reason = str(problem) or type(problem).__name__
        raise UndecodableImage(
            f"cannot decode the image {str(path)!r}: {reason}. Copy it anew, or save it again;"
            " or remove it, with its row of the table"
        ) from problem


def _open(content: bytes) -> Image.Image:
    # PIL's own limit is a global and refuses honest panoramas; `_bound` checks the size itself.
    with _opening:
        limit, Image.MAX_IMAGE_PIXELS = Image.MAX_IMAGE_PIXELS, None
        try:
            return Image.open(BytesIO(content), formats=FORMATS)
        finally:
            Image.MAX_IMAGE_PIXELS = limit


def _bound(image: Image.Image, size: int) -> None:
    """Raise if an image has too many pixels, for one at all or for a file of `size` bytes; shrink a
    large JPEG."""
    pixels, jpeg = image.width * image.height, image.format in ("JPEG", "MPO")
    plain = max(_PLAIN, _PER_BYTE * size)
    most = min(MAX_PIXELS, max(_PLAIN_JPEG, _PER_BYTE_JPEG * size) if jpeg else plain)
    if pixels > most:
        raise ValueError(
            f"{image.width} × {image.height} pixels is above the limit of {most:,} for {size:,}"
            " bytes"
        )
    # of these libjpeg keeps four passes whole
    four_passes = image.mode == "CMYK" and "progressive" in image.info
    if jpeg and pixels > (plain if four_passes else _DRAFT_ABOVE):
        image.draft("RGB", (2048, 2048))


def _check_end(image: Image.Image, content: bytes) -> None:
    """Raise if a file is cut short, or may be, where its decoder would not say so."""
    zeros = len(content) - len(content.rstrip(b"\0"))
    if image.format in _FILLED_UP and zeros >= _ZEROS:
        raise ValueError(f"its last {zeros:,} bytes are zero, as of a copy that was cut short")
    if image.format in ("JPEG", "MPO", "JPEG2000") and b"\xff\xd9" not in content:
        raise ValueError("it has no end (FF D9), as a copy that was cut short")
    if image.format == "TIFF" and image.info.get("compression") == "jpeg":
        raise ValueError("of a JPEG in a TIFF one cannot see whether it is whole; save it as PNG")


def _what(content: bytes) -> str:
    """What a file is that PIL does not know."""
    if not content:
        return "an empty file"
    for start, what in _NO_PICTURES.items():
        if re.match(start, content[:100], re.DOTALL | re.IGNORECASE):
            return what
    return f"none that can be read; what can: {', '.join(FORMATS)}"


def _upright(image: Image.Image) -> Image.Image:
    with contextlib.suppress(Exception):  # a damaged tag says nothing about the picture
        ImageOps.exif_transpose(image, in_place=True)
    image.load()
    return image


def _to_rgb(image: Image.Image) -> Image.Image:
    if image.mode.startswith(("I", "F")):
        return _scaled_to_8_bits(image)
    if image.has_transparency_data:
        layer = image if image.mode == "RGBA" else image.convert("RGBA")
        return Image.alpha_composite(Image.new("RGBA", layer.size, _WHITE), layer).convert("RGB")
    return image if image.mode == "RGB" else image.convert("RGB")


def _scaled_to_8_bits(image: Image.Image) -> Image.Image:
    """PIL would clip: full scale is that of 16-bit files, else the least of 1, 255 and 65,535 that
    fits."""
    values = np.nan_to_num(np.asarray(image, dtype=np.float32), nan=0.0)
    top = float(values.max(initial=0.0))
    scales = {"I": (255, 65535), "F": (1, 255, 65535)}.get(image.mode, (65535,))
    full = next((scale for scale in scales if top <= scale), top)
    eight = np.rint(np.clip(values / full, 0, 1) * 255).astype(np.uint8)
    return Image.fromarray(eight).convert("RGB")
