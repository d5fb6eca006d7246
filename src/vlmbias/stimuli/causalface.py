"""CausalFace on disk: identities × six demographic groups × four series of pictures around one
prototype, in `final_picked_{age,lighting,pose,smiling}/seed_N/`.

File names, values and crops are those of the authors' code. Every series holds the prototype once.
That it has smiling 0 and pose 0 is documented; which age and which lighting is not, so they are
looked for: the values whose pictures equal the prototype's. Where none does, the prototype's age
(or lighting) stays missing, the other series' too, and that series keeps all its pictures.
"""

import re
from collections.abc import Callable
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from PIL import Image, ImageEnhance

from vlmbias.stimuli.decoding import UndecodableImage, decode
from vlmbias.stimuli.reader_folders import Report, files, find, listed, of_greenhouse
from vlmbias.whole_files import replacing

RACES, GENDERS = ("white", "black", "asian"), ("male", "female")
AXES = ("age", "smiling", "lighting", "pose")
SERIES = {  # short name, values as printed, and ending of a file's name
    "smiling": ("smiling", (-2.5, -1.5, -0.5, 0, 0.5, 1, 1.5, 2, 3, 4), "_o2_corrected"),
    "pose": ("y", (-3.0, -1.5, 0.0, 1.5, 3.0), ""),
    "age": ("age", (0.8, 1.4, 2.0, 2.3, 2.6, 2.9, 3.2, 3.5, 3.8, 4.4), "_o2"),
    "lighting": ("l", (-1, 0, 1, 2, 3, 4, 5, 6), ""),
}
_PERSON = ["seed", "race", "gender"]


def file(seed: int, race: str, gender: str, series: str, value: float) -> str:
    """The path of a picture:
    ``final_picked_smiling/seed_7/black_female_smiling_-2.5_o2_corrected.png``."""
    short, _, ending = SERIES[series]
    return f"final_picked_{series}/seed_{seed}/{race}_{gender}_{short}_{value}{ending}.png"


def crop(pose: float) -> tuple[int, int, int, int]:
    """Left, top, right, bottom of what is shown of 512 × 512 pixels (Appendix C); missing pose as
    0."""
    left = 0 if pose < 0 else 80 if pose > 0 else 40
    return left, 0, left + 432, 432


def read(root: str | Path | None = None) -> tuple[pd.DataFrame, Report]:
    """Every distinct picture of a folder, and what is missing or extra.

    The table has seed, race, gender, `AXES`, subset ("prototype", or the attribute that differs
    from it), copies (how many files show this picture) and file (path below ``report.root``).
    """
    root = find("causalface", root)
    on_disk = files(root)
    parts = [path.split("/") for path in on_disk]
    folders = {own[1] for own in parts if len(own) == 3 and re.fullmatch("final_picked_.*", own[0])}
    seeds = {name: int(name[5:]) for name in folders if re.fullmatch("seed_[0-9]+", name)}
    rows = [
        (file(seed, race, gender, series, value), seed, race, gender, series, float(value))
        for series, (_, values, _) in SERIES.items()
        for seed in sorted(set(seeds.values()))
        for race, gender in product(RACES, GENDERS)
        for value in values
    ]
    table = pd.DataFrame(rows, columns=["file", *_PERSON, "subset", "value"])
    wanted = set(table["file"])
    uncorrected = {path.replace("_corrected.png", ".png") for path in wanted} - wanted
    extra = on_disk - wanted - uncorrected
    findings = listed(
        missing_pictures=wanted - on_disk,
        second_folders_of_one_seed=[name for name, seed in seeds.items() if name != f"seed_{seed}"],
        extra_files=[path for path in extra if not path.endswith("_rm_bg.png")],
    )
    table = table[table["file"].isin(list(on_disk))]
    notes = []
    if "smiling" not in set(table["subset"]) and uncorrected & on_disk:
        notes.append(
            "the smiling pictures are not corrected yet:"
            " vlmbias.stimuli.causalface.correct_smiling(root) does it"
        )
    neutral = prototype(table, lambda path: _pixels(root / path))
    notes += [
        f"no picture of the {axis} series equals the prototype, so the prototype's {axis} stays"
        " unknown"
        for axis, value in neutral.items()
        if np.isnan(value) and axis in set(table["subset"])
    ]
    table, ours = distinct(table, neutral), of_greenhouse(root, table["file"])
    return table, Report("causalface", root, len(table), findings, tuple(notes), ours)


def prototype(table: Any, pixels: Callable[[str], bytes]) -> dict[str, float]:
    """The prototype's value on each axis; missing where the pictures of the first two persons do
    not tell. `pixels` leads from a file to what is seen on it, empty if nothing is."""
    known = {"smiling": 0.0, "pose": 0.0}
    people = [each for _, each in table.groupby(_PERSON, sort=False)][:2]
    for axis in ("age", "lighting"):
        agreed = set(SERIES[axis][1])
        for person in people:
            neutral = person[person["value"] == person["subset"].map(known)]
            prototypes = {pixels(path) for path in neutral["file"]} - {b""}
            series = person[person["subset"] == axis]
            agreed &= {row.value for row in series.itertuples() if pixels(row.file) in prototypes}
        known[axis] = agreed.pop() if len(agreed) == 1 else np.nan
    return known


def _pixels(path: Path) -> bytes:
    try:
        return decode(path).tobytes()
    except UndecodableImage:  # whoever embeds it will hear of it
        return b""


def distinct(table: Any, prototype: dict[str, float]) -> Any:
    """Every picture once: the four series' copies of a person's prototype become one row."""
    axes = {
        axis: np.where(table["subset"] == axis, table["value"], prototype[axis]) for axis in AXES
    }
    neutral = table["value"] == table["subset"].map(prototype)
    table = table.assign(**axes, subset=table["subset"].where(~neutral, "prototype"))
    columns = [*_PERSON, *AXES, "subset"]
    copies = table.groupby(columns, dropna=False)["file"].transform("size")
    table = table.assign(copies=copies).drop_duplicates(columns)
    order = table["subset"].map(["prototype", *AXES].index)
    table = table.assign(order=order).sort_values([*_PERSON, "order", *AXES], ignore_index=True)
    return table[[*columns, "copies", "file"]]


def corrected(picture: Image.Image, cut_out: Image.Image, prototype: Image.Image) -> Image.Image:
    r"""A smiling picture, as bright as its prototype.

    .. math:: \text{factor} = 1 / (1 + δ), \quad δ = (m − m_0) / m_0

    with :math:`m` and :math:`m_0` the mean grey of the pixels below 255 in `cut_out` and
    `prototype`, both on a white background (files that end in ``_rm_bg``). C. Hausladen et al.
    (2025), Appendix C; the formula is that of their code.
    """
    grey = [np.asarray(image.convert("L")) for image in (cut_out, prototype)]
    mean, reference = (values[values < 255].mean() for values in grey)
    return ImageEnhance.Brightness(picture).enhance(float(reference / mean))


def correct_smiling(root: str | Path | None = None) -> int:
    """Write the ``…_o2_corrected.png`` that are missing beside ``…_o2.png``; returns how many.

    `UndecodableImage` names the cut-out ``…_o2_rm_bg.png`` that one cannot be made without; those
    before it are written.
    """
    pictures = find("causalface", root).glob("final_picked_smiling/seed_*/*_smiling_*_o2.png")
    targets = {path: path.with_stem(f"{path.stem}_corrected") for path in sorted(pictures)}
    todo = {path: target for path, target in targets.items() if not target.exists()}
    for path, target in todo.items():
        neutral = f"{path.stem.rsplit('_', 2)[0]}_0_o2"
        cut_outs = (path.with_stem(f"{stem}_rm_bg") for stem in (path.stem, neutral))
        with replacing(target) as temporary:
            corrected(*map(decode, (path, *cut_outs))).save(temporary, "PNG")
    return len(todo)
