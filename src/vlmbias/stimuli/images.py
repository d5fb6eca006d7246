"""Image sets by name.

Comes in: a name, for files their folder, and filters. Goes out: an `ImageSet`. May not: decode a picture.
"""

import hashlib
from importlib import import_module
from pathlib import Path
from typing import Any

import pandas as pd

from vlmbias import paths
from vlmbias.stimuli.imageset import ImageSet, filtered

# What counts as an image in a folder. Some of these PIL may not read: they are then named, not passed over.
SUFFIXES = (".jpg", ".jpeg", ".jfif", ".mpo", ".png", ".gif", ".bmp", ".webp", ".tif", ".tiff", ".ppm", ".pgm", ".pbm",
            ".tga", ".ico", ".jp2", ".j2k", ".avif", ".heic", ".heif", ".jxl")
GREENHOUSE = ("greenhouse/causalface", "greenhouse/cfd", "greenhouse/icons")
_NOT_YET = ("causalface", "fairface", "utkface", "cfd")


def images(name: str, /, root: str | Path | None = None, **filters: Any) -> ImageSet:
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
    there_are = f"{', '.join(GREENHOUSE)} and, for files of your own, 'folder' with root=…"
    if name in _NOT_YET:
        raise ValueError(f"images of {name!r} cannot be loaded yet; there are {there_are}")
    if name not in (*GREENHOUSE, "folder"):
        raise ValueError(f"unknown image set {name!r}; there are {there_are}")
    if (name == "folder") != (root is not None):
        raise ValueError(f"root={root!r} with {name!r}: 'folder' needs root=…, the folder of the images; "
                         "a rendered set has none")
    return filtered(_folder(Path(root)) if root is not None else _greenhouse(name), filters)


def _greenhouse(name: str) -> ImageSet:
    kind = name.removeprefix("greenhouse/")
    world = import_module("greenhouse.world")
    grid = import_module("greenhouse.world.grid")
    renderer = import_module(f"greenhouse.world.{'icons' if kind == 'icons' else 'faces'}")
    # besides its row, a picture depends on the renderer's code and its amplitudes
    files = [*sorted(Path(world.__path__[0]).glob("*.py")), paths.data() / "greenhouse" / "nuisance.yaml"]
    recipe = hashlib.sha256(b"".join(file.read_bytes() for file in files)).hexdigest()
    return ImageSet(name, getattr(grid, kind)(), "greenhouse", render=renderer.render, recipe=recipe)


def _folder(root: Path) -> ImageSet:
    root = root.expanduser()
    if not root.is_dir():
        raise FileNotFoundError(f"root={str(root)!r} is not a folder")
    files = sorted(path for path in root.rglob("[!.]*") if path.suffix.lower() in SUFFIXES and not path.is_dir())
    if not files:
        raise FileNotFoundError(f"no image file below root={str(root)!r}; endings looked for: {' '.join(SUFFIXES)}")
    rows = [(path.relative_to(root).as_posix(), path.stem) for path in files]
    return ImageSet("folder", pd.DataFrame(rows, columns=["path", "name"]), "folder", paths=tuple(files))
