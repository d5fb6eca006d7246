"""Image sets by name.

Comes in: a name, for files their folder, and filters. Goes out: an `ImageSet`. May not: decode a picture.
"""

from __future__ import annotations

import hashlib
from pathlib import Path
from typing import Any

import pandas as pd

from vlmbias import paths
from vlmbias.stimuli.imageset import ImageSet, filtered

GREENHOUSE = ("greenhouse/causalface", "greenhouse/cfd", "greenhouse/icons")
SUFFIXES = frozenset(
    ".jpg .jpeg .jpe .jfif .mpo .png .gif .bmp .webp .tif .tiff .ppm .pgm .pbm .pnm .tga .ico "
    ".jp2 .j2k .avif .heic .heif .jxl".split()
)
"""What counts as an image in a folder. Some of these PIL may not read: they are then named, not passed over."""

_NOT_YET = ("causalface", "fairface", "utkface", "cfd")


def images(name: str, root: str | Path | None = None, **filters: Any) -> ImageSet:
    """The images of a set, without decoding any.

    Parameters
    ----------
    name : ``"greenhouse/causalface"`` (18,000 schematic faces), ``"greenhouse/cfd"``,
        ``"greenhouse/icons"``, or ``"folder"``: every image file below `root` (columns path and name).
    root : the folder, for ``"folder"``.
    **filters : column=value or column=[values]; only rows with these values are kept.

    Returns
    -------
    ImageSet

    Raises
    ------
    ValueError
        For an unknown set, column or value (the valid ones are listed), or a root where none belongs.
    FileNotFoundError
        If `root` is not a folder or holds no image.

    Examples
    --------
    >>> images("greenhouse/causalface", race="teal", subset=["prototype", "smiling"])  # doctest: +SKIP
    """
    if name == "folder":
        return filtered(_folder(root), filters)
    if name in _NOT_YET:
        raise ValueError(f"images of {name!r} cannot be loaded yet; now there are {', '.join(GREENHOUSE)} "
                         f"and, for your own files, vb.images('folder', root=…)")
    if name not in GREENHOUSE:
        raise ValueError(f"unknown image set {name!r}; choose from {', '.join(GREENHOUSE)} or 'folder'")
    if root is not None:
        raise ValueError(f"{name!r} is rendered, so root={str(root)!r} has no meaning; leave it out")
    return filtered(_greenhouse(name), filters)


def _greenhouse(name: str) -> ImageSet:
    from greenhouse.world import faces, grid

    kind = name.removeprefix("greenhouse/")
    if kind == "icons":
        from greenhouse.world import icons

        return ImageSet(name, grid.icons(), "greenhouse", render=icons.render, recipe=_renderer())
    table = grid.causalface() if kind == "causalface" else grid.cfd()
    return ImageSet(name, table, "greenhouse", render=faces.render, recipe=_renderer())


def _renderer() -> str:
    """A fingerprint of all that a rendered picture depends on besides its row: code and amplitudes."""
    from greenhouse import world

    files = sorted(Path(world.__path__[0]).glob("*.py")) + [paths.data() / "greenhouse" / "nuisance.yaml"]
    return hashlib.sha256(b"".join(file.read_bytes() for file in files if file.is_file())).hexdigest()


def _folder(root: str | Path | None) -> ImageSet:
    if root is None:
        raise ValueError("vb.images('folder') needs root=…, the folder that holds the images")
    top = Path(root).expanduser()
    if not top.is_dir():
        raise FileNotFoundError(f"root={str(root)!r} is not a folder")
    found = sorted(path for path in top.rglob("*")
                   if path.suffix.lower() in SUFFIXES and not path.name.startswith(".") and not path.is_dir())
    if not found:
        raise FileNotFoundError(f"no image file below {str(root)!r}; endings looked for: {' '.join(sorted(SUFFIXES))}")
    table = pd.DataFrame({"path": [path.relative_to(top).as_posix() for path in found],
                          "name": [path.stem for path in found]})
    return ImageSet("folder", table, "folder", paths=tuple(found))
