"""Image sets by name."""

import warnings
from pathlib import Path
from typing import Any

from vlmbias import paths
from vlmbias.stimuli import causalface, cfd, fairface, own_folder, rendered
from vlmbias.stimuli.imageset import SUFFIXES, ImageSet, filtered
from vlmbias.stimuli.reader_folders import IMAGE_SETS, files, of_greenhouse, own_names, reader
from vlmbias.stimuli.rendered import GREENHOUSE


def images(name: str, /, root: str | Path | None = None, **filters: Any) -> ImageSet:
    """The images of a set, without decoding any.

    Parameters
    ----------
    name : ``"greenhouse/causalface"`` (18,000 schematic faces), ``"greenhouse/fairface"``,
        ``"greenhouse/utkface"`` (uncontrolled samples), ``"greenhouse/cfd"``,
        ``"greenhouse/icons"``; a set the reader supplies: ``"causalface"`` (shown cropped as in the
        paper; ``"causalface/uncropped"``), ``"fairface"``, ``"utkface"``, ``"cfd"`` (neutral
        portraits only), ``"oasis"`` (rated scenes), ``"ieat"`` (the pictures of its tests); or
        ``"folder"``: every image file below `root` (columns path and name, and those of a
        ``metadata.csv`` in it; `vlmbias.stimuli.own_folder.COLUMNS` says which of them chapters
        know). Of the four sets of found photographs the paper uses three races and nobody under 20;
        with ``"/all"`` behind the name, everybody. ``"fairface/as-cfd"`` has as many adults of four
        groups as ``"cfd"`` has portraits, labelled White, Black, East or Southeast Asian, or
        Latino_Hispanic: other photographs, other labels.
    root : the folder, for ``"folder"``; for a set the reader supplies, its folder or the one above
        it, by default below ``VLMBIAS_DATA``.
    **filters : column=value or column=[values]; only rows with these values are kept.

    Returns
    -------
    ImageSet
        With a `report` of what is missing or extra, for a set the reader supplies; unless it is
        clean, a warning says so, too.

    Raises
    ------
    ValueError
        For an unknown set, column or value (the valid ones are listed), or a root where none
        belongs; for ``"folder"``, also for pictures that cannot be read, and a table that does not
        fit them.
    FileNotFoundError
        If `root` is not a folder or holds no image.

    Examples
    --------
    >>> faces = vb.images("greenhouse/causalface", race="teal", subset=["prototype", "smiling"])
    >>> len(faces)
    2000
    >>> faces.table.loc[0, ["seed", "race", "gender", "subset"]].to_dict()
    {'seed': 0, 'race': 'teal', 'gender': 'budded', 'subset': 'prototype'}
    >>> vb.images("greenhouse/causalface", race="green")
    Traceback (most recent call last):
        ...
    ValueError: no race 'green' in 'greenhouse/causalface'; it has 'teal', 'amber', 'violet'
    """
    if name not in (*GREENHOUSE, *IMAGE_SETS, "folder"):
        raise ValueError(
            f"unknown image set {name!r}; there are {', '.join((*GREENHOUSE, *IMAGE_SETS))} "
            "and, for files of your own, 'folder' with root=…"
        )
    if (name in GREENHOUSE and root is not None) or (name == "folder" and root is None):
        raise ValueError(
            f"root={root!r} with {name!r}: 'folder' needs root=…, the folder of the images; "
            "a rendered set has none"
        )
    found = (
        _supplied(name, root)
        if name in IMAGE_SETS
        else rendered.image_set(name)
        if root is None
        else _folder(Path(root))
    )
    return filtered(found, filters)


def _supplied(name: str, root: str | Path | None) -> ImageSet:
    """A set that the reader supplies; of drawings, under the Greenhouse's own names."""
    kind, _, variant = name.partition("/")
    table, report = reader(kind).read(root)
    if table.empty:
        raise FileNotFoundError(f"there is no image to use: {report}")
    if not report.clean:
        warnings.warn(str(report), stacklevel=3)
    boxes = tuple(map(causalface.crop, table["pose"])) if name == "causalface" else None
    places = tuple(report.root / file for file in table["file"])
    source = kind
    if report.from_greenhouse:
        table, source = own_names(table), "greenhouse"
    found = ImageSet(name, table, source, paths=places, boxes=boxes, report=report)
    if variant == "as-cfd":
        return found.where(fairface.as_many_as(cfd.SIZES, table))
    return found.where(table["used"]) if "used" in table and not variant else found


def folder_meant(given: str | Path) -> Path:
    """The folder that a reader names: from here, from the root, or among their own data; a
    `FileNotFoundError` says where it was looked for."""
    places = *paths.meant_by(given), paths.reader_data() / Path(given).expanduser()
    if found := next((place for place in places if place.is_dir()), None):
        return found.absolute()
    raise FileNotFoundError(f"no such folder: {paths.looked_for(places)}")


def _folder(given: Path) -> ImageSet:
    """The pictures of a reader's own folder."""
    root = folder_meant(given)
    names = sorted(
        (name for name in files(root) if Path(name).suffix.lower() in SUFFIXES), key=Path
    )
    if not names:
        raise FileNotFoundError(
            f"no image file below root={str(root)!r}; endings looked for: {' '.join(SUFFIXES)}"
        )
    table = own_folder.read(root, names)
    source = "greenhouse" if of_greenhouse(root, names) else "folder"
    return ImageSet("folder", table, source, paths=tuple(root / name for name in table["path"]))
