"""The Greenhouse in other data sets' layouts: so that what reads real faces can be tried without
any.

Comes in: which layout, how much of it, and an empty folder. Goes out: pictures (or cosines) under
the names the real ones have, and a marker that says so; readers that see it give the values their
own names back and the ledger draws no verdict. May not: overwrite what is not an export, leave half
of one, or show a real person.

The hues stand under the names of races and the crests under those of genders: a mapping of file
names, nothing else."""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from PIL import Image
from PIL.PngImagePlugin import PngInfo

import vlmbias
from greenhouse.world import faces, grid, nuisance
from vlmbias.measures import Perception
from vlmbias.stimuli import causalface, cfd, fairface, own_folder, utkface
from vlmbias.stimuli.prompts import prompts
from vlmbias.stimuli.reader_folders import COUNTERPARTS, MARK, MARKER, NAMES, adults

NOTE = f"{MARK.decode()}, rendered by formula. It shows no person; its name borrows a layout."
_FILED = {ours: theirs for theirs, ours in NAMES.items() if theirs != "latino"}
_EDGE = 512  # of a picture of CausalFace, in pixels
_BLOCK = 60  # pictures rendered at once


def write(
    what: str, folder: str | Path, *, seeds: int = 3, n: int = 300, detail: int = 432
) -> Path:
    """Write one export: "causalface" (`causal`), "fairface", "utkface" (`photographs`), "cfd"
    (`portraits`), "cosines" (`cosines`) or "folder" (`own`).

    Parameters
    ----------
    what, folder : the kind, and where to.
    seeds, n : identities of CausalFace and of a folder, and faces of each other set; cosines are of
        all three.
    detail : as for `causal`.

    Raises
    ------
    ValueError
        For an unknown kind; as for the function that writes it.
    """
    if what == "causalface":
        return causal(folder, seeds=seeds, detail=detail)
    if what in ("fairface", "utkface"):
        return photographs(what, folder, n=n)
    if what == "cfd":
        return portraits(folder)
    if what == "folder":
        return own_folder_export(folder, seeds=seeds)
    if what != "cosines":
        raise ValueError(
            f"unknown export {what!r}; choose from causalface, fairface, utkface, cfd, cosines,"
            " folder"
        )
    from vlmbias.pipeline import perceive
    from vlmbias.stimuli.images import images

    sets = {"causalface": images("greenhouse/causalface", seed=range(seeds))}
    for kind in ("fairface", "utkface"):
        everybody = images(f"greenhouse/{kind}/all")
        sets[kind] = everybody.where(np.arange(len(everybody)) < n)
    words = ("social_perception/released", "greenhouse/labels")
    seen = {
        kind: [perceive(shown, "greenhouse", each) for each in words]
        for kind, shown in sets.items()
    }
    return cosines(folder, seen)


def causal(
    folder: str | Path, *, seeds: int = 3, first: int = 0, leak: float = 0.0, detail: int = 432
) -> Path:
    """Write the grid as CausalFace lies on disk: 512 × 512 pixels, smiling pictures as they were
    and corrected.

    The face fills the part that the paper crops to; around it the border is repeated.

    Parameters
    ----------
    folder : where to; it must be empty, absent or an earlier export.
    seeds, first : how many identities, and the number of the first.
    leak : λ of `faces.render`: by 10 λ % per unit smiling also brightens, which the correction is
        to undo.
    detail : pixels rendered across a face, 432 or a part of it (216, 108, 54), which is then
        enlarged: quicker.

    Returns
    -------
    Path of the folder.

    Raises
    ------
    ValueError
        If the folder holds anything else, or an option makes no sense.
    """
    if detail not in (432, 216, 108, 54):
        raise ValueError(f"detail={detail!r} must be 432 or a whole part of it: 216, 108 or 54")
    people = grid.causalface(seeds)
    people["seed"] += first
    smiles = people["subset"].isin(["prototype", "smiling"])
    with _aside(Path(folder)) as root:
        for number, picture in enumerate(_rendered(people, detail, leak)):
            row = people.iloc[number]
            for series in causalface.SERIES if row["subset"] == "prototype" else [row["subset"]]:
                _save(
                    _causal_path(root, row, series, "_o2" if series == "smiling" else None), picture
                )
        for (_, row), picture in zip(
            people[smiles].iterrows(), _cut_out(people[smiles], detail, leak), strict=True
        ):
            _save(_causal_path(root, row, "smiling", "_o2_rm_bg"), picture)
        for path in sorted(root.glob("final_picked_smiling/*/*_o2.png")):
            _correct(path)
        _mark(root, "causalface", len(people), seeds=seeds, first=first, leak=leak, detail=detail)
    return Path(folder)


def _rendered(rows: Any, detail: int, leak: float, **amplitudes: float) -> Iterator[np.ndarray]:
    """Pictures `(512, 512, 3)`, one per row: the face where the paper's crop is, the border
    repeated around it."""
    for start in range(0, len(rows), _BLOCK):
        some = rows.iloc[start : start + _BLOCK]
        drawn = faces.render(
            some,
            detail,
            leaks={"smiling_brightness": leak},
            nuisance=nuisance.load().but(**amplitudes),
        )
        for picture, pose in zip(drawn, some["pose"], strict=True):
            left, top, right, bottom = causalface.crop(pose)
            enlarged = picture.repeat((bottom - top) // detail, axis=0).repeat(
                (right - left) // detail, axis=1
            )
            yield np.pad(
                enlarged, ((top, _EDGE - bottom), (left, _EDGE - right), (0, 0)), mode="edge"
            )


def _cut_out(rows: Any, detail: int, leak: float) -> Iterator[np.ndarray]:
    """The same on white: the background is where another background changes the picture."""
    behinds = ({}, {"background": 0.0}, {"background": 4.0})
    for shown, plain, wild in zip(
        *(_rendered(rows, detail, leak, **behind) for behind in behinds), strict=True
    ):
        behind = ((shown != plain) | (shown != wild)).any(axis=2, keepdims=True)
        yield np.where(behind, np.uint8(255), shown)


def _causal_path(root: Path, row: Any, series: str, ending: str | None) -> Path:
    value = next(value for value in causalface.SERIES[series][1] if value == row[series])
    return root / causalface.file(
        row["seed"], _FILED[row["race"]], _FILED[row["gender"]], series, value, ending
    )


def _correct(path: Path) -> None:
    cut_out = path.with_name(f"{path.stem}_rm_bg.png")
    reference = path.with_name(f"{path.stem.rsplit('_', 2)[0]}_0_o2_rm_bg.png")
    with (
        Image.open(path) as picture,
        Image.open(cut_out) as outline,
        Image.open(reference) as prototype,
    ):
        _save(
            path.with_name(f"{path.stem}_corrected.png"),
            causalface.corrected(picture, outline, prototype),
        )


def photographs(kind: str, folder: str | Path, *, n: int = 300, size: int = 224) -> Path:
    """Write an uncontrolled sample as FairFace or UTKFace lies on disk: JPEG, labels in a table or
    in the names.

    Parameters
    ----------
    kind : "fairface" or "utkface".
    folder : where to; it must be empty, absent or an earlier export.
    n : how many faces, whoever they show: some are under 20, some of the hue that stands for the
        races left out.
    size : edge in pixels.

    Returns
    -------
    Path of the folder.

    Raises
    ------
    ValueError
        As for `causal`.
    """
    if kind not in ("fairface", "utkface"):
        raise ValueError(
            f"kind={kind!r}: there are 'fairface' and 'utkface'; CausalFace is written by `causal`"
        )
    people = getattr(grid, kind)()
    if not 1 <= n <= len(people):
        raise ValueError(f"n={n!r} must be a whole number from 1 to {len(people)}")
    people = people.iloc[:n].reset_index(drop=True)
    place = _fairface_files if kind == "fairface" else _utkface_files
    with _aside(Path(folder)) as root:
        _draw([root / name for name in place(root, people)], people, size)
        _mark(root, kind, int(adults(people, COUNTERPARTS).sum()), everybody=n, size=size)
    return Path(folder)


def _fairface_labels(people: Any) -> Any:
    """FairFace's file, age, gender and race; of two labels that one hue stands under, each in
    turn."""
    labels = {
        hue: [label for label, theirs in fairface.RACES.items() if NAMES.get(theirs) == hue]
        for hue in _FILED
    }
    files = [f"train/{number}.jpg" for number in range(1, len(people) + 1)]
    race = [labels[hue][number % len(labels[hue])] for number, hue in enumerate(people["race"])]
    gender = [_FILED[crest].capitalize() for crest in people["gender"]]
    return pd.DataFrame(
        {"file": files, "age": list(people["age_bin"]), "gender": gender, "race": race}
    )


def _fairface_files(root: Path, people: Any) -> list[str]:
    labels = _fairface_labels(people)
    labels.assign(service_test=False).to_csv(root / fairface.LABELS, index=False)
    return [f"{fairface.PHOTOS}/{file}" for file in labels["file"]]


def _utkface_files(_: Path, people: Any) -> list[str]:
    gender = {name: digit for digit, name in utkface.GENDERS.items()}
    race = {name: digit for digit, name in utkface.RACES.items()}
    return [
        f"{int(row.years)}_{gender[_FILED[row.gender]]}_{race[_FILED[row.race]]}_{number:017d}.jpg.chip.jpg"
        for number, row in enumerate(people.itertuples())
    ]


def portraits(folder: str | Path, *, size: int = 224, flat: bool = False) -> Path:
    """Write the 597 portraits as the Chicago Face Database lies on disk: JPEG, a folder per person
    or none.

    Parameters
    ----------
    folder : where to; it must be empty, absent or an earlier export.
    size : edge in pixels (the photographs have 2,444 × 1,718).
    flat : without folders, as the authors of the second paper kept them.

    Returns
    -------
    Path of the folder.

    Raises
    ------
    ValueError
        As for `causal`.
    """
    people = grid.cfd()
    race = {name: letter for letter, name in cfd.RACES.items()}
    gender = {name: letter for letter, name in cfd.GENDERS.items()}
    filed = {
        ours: theirs for theirs, ours in NAMES.items()
    }  # here the fourth hue is filed as latino
    persons = [
        f"{race[filed[row.race]]}{gender[filed[row.gender]]}-{number:03d}"
        for number, row in enumerate(people.itertuples(), 1)
    ]
    with _aside(Path(folder)) as root:
        _draw(
            [
                root / ("" if flat else person) / f"CFD-{person}-{number:03d}-N.jpg"
                for number, person in enumerate(persons, 1)
            ],
            people,
            size,
        )
        _mark(root, "cfd", len(people), size=size)
    return Path(folder)


def own_folder_export(folder: str | Path, *, seeds: int, size: int = 64) -> Path:
    """Write the grid as a reader's own folder: numbered pictures, and beside them what
    `metadata.csv` says of each.

    Parameters
    ----------
    folder : where to; it must be empty, absent or an earlier export.
    seeds : how many identities.
    size : edge in pixels.

    Returns
    -------
    Path of the folder.

    Raises
    ------
    ValueError
        As for `causal`.
    """
    people = grid.causalface(seeds)
    table = people.assign(path=[f"pictures/{number:05d}.png" for number in range(len(people))])
    table = table[["path", *(name for name in own_folder.COLUMNS if name in people)]]
    with _aside(Path(folder)) as root:
        _draw([root / path for path in table["path"]], people, size)
        table.to_csv(root / own_folder.TABLE, index=False)
        _mark(root, "folder", len(people), seeds=seeds, size=size)
    return Path(folder)


def _draw(places: list[Path], people: Any, size: int) -> None:
    """Render the faces of a table and save each in its place."""
    for start in range(0, len(people), _BLOCK):
        drawn = faces.render(people.iloc[start : start + _BLOCK], size)
        for place, picture in zip(places[start : start + _BLOCK], drawn, strict=True):
            _save(place, picture)


@contextmanager
def _aside(folder: Path) -> Iterator[Path]:
    """A new folder beside `folder`, which takes its place at the end of the block, unless that
    fails."""
    if folder.exists() and not folder.is_dir():
        raise ValueError(f"{folder} is a file; give a folder")
    if folder.is_dir() and any(folder.iterdir()) and not (folder / MARKER).is_file():
        raise ValueError(
            f"{folder} is not empty and not an export (there is no {MARKER} in it); give another"
            " folder"
        )
    folder = folder.absolute()
    folder.parent.mkdir(parents=True, exist_ok=True)
    aside = folder.with_name(f".{folder.name}.{os.getpid()}")
    try:
        aside.mkdir()
        yield aside
        if folder.is_dir():
            shutil.rmtree(folder)
        os.replace(aside, folder)
    finally:
        shutil.rmtree(aside, ignore_errors=True)


def _mark(root: Path, layout: str, images: int, *, model: str = "", **options: object) -> None:
    content = {
        "what": NOTE,
        "layout": layout,
        "images": images,
        "names": NAMES,
        "options": options,
        "version": vlmbias.__version__,
    } | ({"model": model} if model else {})
    (root / MARKER).write_text(
        json.dumps(content, indent=1, ensure_ascii=False) + "\n", encoding="utf-8"
    )


def _save(path: Path, picture: np.ndarray | Image.Image) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    image = picture if isinstance(picture, Image.Image) else Image.fromarray(picture)
    if path.suffix == ".jpg":
        image.save(path, quality=95, comment=NOTE.encode())
        return
    about = PngInfo()
    about.add_text("Comment", NOTE)
    image.save(path, pnginfo=about, compress_level=1)


def cosines(folder: str | Path, seen: dict[str, list[Perception]]) -> Path:
    """Write cosines as the authors released theirs: 18 tables, a row per file, a column per word.

    Parameters
    ----------
    folder : where to; it must be empty, absent or an earlier export.
    seen : "causalface", "fairface" and "utkface" -> perceptions of that set's images, with every
        word of "social_perception/released" and "greenhouse/labels" between them. Photographs with
        everybody ("/all").

    Returns
    -------
    Path of the folder.

    Raises
    ------
    ValueError
        If a word is missing, or the folder holds anything else.
    """
    with _aside(Path(folder)) as root:
        for kind, perceptions in seen.items():
            values, people = _by_word(perceptions), perceptions[0].table
            for name, about in _rows(kind, people):
                for group, words in _released_words().items():
                    columns = {
                        f"cossim_{_FILED.get(word, word)}": values[word][about.index]
                        for word in words
                    }
                    table = about.assign(made_from=NOTE, **columns)
                    table.to_csv(root / f"{name}_cossim_{group}_t2.csv", index=False)
        _mark(root, "causalface-cosines", len(list(root.glob("*.csv"))), model=perceptions[0].model)
    return Path(folder)


def _released_words() -> dict[str, list[str]]:
    """The words of the three kinds of tables, each once; "<blank>" is none."""
    found = {"scm": {}, "abc": {}, "control": {"<blank>": None}}
    for group, name in (("", "social_perception/released"), ("control", "greenhouse/labels")):
        table = prompts(name).table
        for dimension, word, neutral in zip(
            table["dimension"], table["word"], table["neutral"], strict=True
        ):
            if not neutral:
                found[group or ("scm" if dimension in ("warmth", "competence") else "abc")][
                    word
                ] = None
    return {group: list(words) for group, words in found.items()}


def _by_word(perceptions: list[Perception]) -> dict[str, np.ndarray]:
    found = {"<blank>": perceptions[0].neutral()}
    for each in perceptions:
        found |= {word: each.word(word) for word in each.words["word"].unique() if word}
    if lacking := [
        word for words in _released_words().values() for word in words if word not in found
    ]:
        raise ValueError(
            f"the perceptions lack {', '.join(lacking)}; look at social_perception/released and "
            "greenhouse/labels"
        )
    return found


def _rows(kind: str, people: Any) -> Iterator[tuple[str, Any]]:
    """Per table its name, and what the authors' code knows of each file; the index says of which
    image."""
    if kind == "fairface":
        labels = _fairface_labels(people)
        place = "data/fairface/" + fairface.PHOTOS + "/" + labels["file"]
        yield kind, labels[["age", "gender", "race"]].assign(img_path=place)
    elif kind == "utkface":
        names = _utkface_files(Path(), people)
        about = people.assign(
            age=people["years"].astype(int),
            gender=people["gender"].map(_FILED),
            race=people["race"].map(_FILED).str.capitalize(),
            img_path=[f"./data/UTKFace/{name}" for name in names],
        )
        yield kind, about[["age", "gender", "race", "img_path"]]
    else:
        filed = people.assign(race=people["race"].map(_FILED), gender=people["gender"].map(_FILED))
        for series in causalface.SERIES:
            shown = filed[filed["subset"].isin(["prototype", series])]
            place = [
                _causal_path(Path("data/causalface"), row, series, None).as_posix()
                for _, row in people.loc[shown.index].iterrows()
            ]
            about = shown[["seed", "race", "gender", series]].assign(
                img_id=range(len(shown)), img_path=place, demo=shown["race"] + "_" + shown["gender"]
            )
            yield (
                f"causalface_{series}",
                about[["img_id", "img_path", "seed", "demo", "race", "gender", series]],
            )
