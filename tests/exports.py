"""The Greenhouse in the layouts of other data sets, so that what reads real faces can be tried
without any."""

import numpy as np
import pandas as pd
from PIL import Image

import vlmbias as vb
from greenhouse import export
from greenhouse.world import faces, grid
from vlmbias.stimuli import causalface, fairface, utkface
from vlmbias.stimuli.reader_folders import METADATA, NAMES

FILED = {ours: theirs for theirs, ours in NAMES.items() if theirs != "latino"}
WORDS = ("social_perception/released", "greenhouse/labels")


def unmarked(folder):
    """A folder whose pictures and table no longer say that they are drawn: as if of people."""
    (folder / METADATA).unlink(missing_ok=True)
    for path in [*folder.rglob("*.png"), *folder.rglob("*.jpg")]:
        Image.fromarray(np.asarray(Image.open(path))).save(path)
    return folder


def causal(folder, seeds=3, detail=54):
    """CausalFace, 512 pixels wide: the face where the paper's crop is, the border repeated around
    it; `detail` is how many pixels are rendered across it, a part of 432."""
    people = grid.causalface(seeds)
    for start in range(0, len(people), 60):
        some = people.iloc[start : start + 60]
        for (_, row), face in zip(some.iterrows(), faces.render(some, detail), strict=True):
            left, top, right, bottom = causalface.crop(row["pose"])
            large = face.repeat(432 // detail, axis=0).repeat(432 // detail, axis=1)
            around = ((top, 512 - bottom), (left, 512 - right), (0, 0))
            for path in _causal_files(row):
                export.save(folder / path, np.pad(large, around, mode="edge"))
    return folder


def _causal_files(row, of=None):
    """The files that show a face; with `of`, those of one series."""
    series = causalface.SERIES if row["subset"] == "prototype" else [row["subset"]]
    for name in series if of is None else [of]:
        value = next(value for value in causalface.SERIES[name][1] if value == row[name])
        race, gender = FILED[row["race"]], FILED[row["gender"]]
        yield causalface.file(row["seed"], race, gender, name, value)


def photographs(kind, folder, n, size=64):
    """FairFace or UTKFace: `n` faces, some of them young, some of the hue of races left out."""
    people = getattr(grid, kind)().iloc[:n]
    if kind == "fairface":
        labels = _labels(people)
        export.draw([folder / fairface.PHOTOS / name for name in labels["file"]], people, size)
        labels.to_csv(folder / fairface.LABELS, index=False)
    else:
        export.draw([folder / name for name in _utkface(people)], people, size)
    return folder


def _labels(people):
    """FairFace's labels; of several that one hue stands under, each in turn."""
    labels = {
        hue: [label for label, theirs in fairface.RACES.items() if NAMES.get(theirs) == hue]
        for hue in FILED
    }
    return pd.DataFrame(
        {
            "file": [f"train/{number}.jpg" for number in range(1, len(people) + 1)],
            "age": list(people["age_bin"]),
            "gender": [FILED[crest].capitalize() for crest in people["gender"]],
            "race": [labels[hue][n % len(labels[hue])] for n, hue in enumerate(people["race"])],
        }
    )


def _utkface(people):
    digit = {name: one for codes in (utkface.RACES, utkface.GENDERS) for one, name in codes.items()}
    codes = [
        f"{int(row.years)}_{digit[FILED[row.gender]]}_{digit[FILED[row.race]]}"
        for row in people.itertuples()
    ]
    return [f"{code}_{number:017d}.jpg.chip.jpg" for number, code in enumerate(codes)]


def looked_at(seeds, n):
    """What the Greenhouse's own model makes of its sets, for `cosines`."""
    sets = {"causalface": vb.images("greenhouse/causalface", seed=range(seeds))}
    for kind in ("fairface", "utkface"):
        everybody = vb.images(f"greenhouse/{kind}/all")
        sets[kind] = everybody.where(np.arange(len(everybody)) < n)
    return {
        kind: [vb.perceive(shown, "greenhouse", words) for words in WORDS]
        for kind, shown in sets.items()
    }


def cosines(folder, seen):
    """Cosines as the authors released theirs: 18 tables, a row per file, a column per word; `seen`
    holds perceptions of the `WORDS` by set."""
    folder.mkdir(parents=True)
    words = {"scm": ["warmth", "competence"], "control": ["race", "gender", "age"]}
    for kind, (perceived, labelled) in seen.items():
        values = {"<blank>": perceived.neutral()}
        for one in (perceived, labelled):
            values |= {word: one.word(word) for word in one.words["word"].unique() if word}
        asked = pd.concat([one.words for one in (perceived, labelled)]).drop_duplicates("word")
        asked = asked[asked["word"] != ""].astype(str)
        of = {
            group: list(asked.loc[asked["dimension"].isin(dimensions), "word"])
            for group, dimensions in words.items()
        }
        of["abc"] = [word for word in asked["word"] if word not in of["scm"] + of["control"]]
        of["control"].insert(0, "<blank>")
        for name, about in _rows(kind, perceived.table):
            for group, own in of.items():
                columns = {
                    f"cossim_{FILED.get(word, word)}": values[word][about.index] for word in own
                }
                table = about.assign(made_from=export.NOTE, **columns)
                table.to_csv(folder / f"{name}_cossim_{group}_t2.csv", index=False)
    return folder


def _rows(kind, people):
    """Per table its name, and what is known of each file; the index says of which image."""
    if kind == "fairface":
        labels = _labels(people)
        place = f"data/fairface/{fairface.PHOTOS}/" + labels["file"]
        yield kind, labels[["age", "gender", "race"]].assign(img_path=place)
    elif kind == "utkface":
        yield kind, pd.DataFrame({"img_path": [f"data/UTKFace/{one}" for one in _utkface(people)]})
    else:
        for series in causalface.SERIES:
            shown = people[people["subset"].isin(["prototype", series])]
            files = [next(_causal_files(row, series)) for _, row in shown.iterrows()]
            yield f"{kind}_{series}", pd.DataFrame({"img_path": files}, index=shown.index)
