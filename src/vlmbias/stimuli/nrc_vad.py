"""The NRC-VAD lexicon on disk (Mohammad 2018): words rated for valence, arousal and dominance."""

from pathlib import Path

import pandas as pd

from vlmbias import checked
from vlmbias.stimuli.reader_folders import Report, files, find

NAME = "NRC-VAD-Lexicon*.txt"
COLUMNS = ("word", "valence", "arousal", "dominance")
"""What the columns are, in the packages whose file has no header."""
# in the paths of what else a package holds
_OTHERS = ("ForVariousLanguages", "BipolarScale", "OneFilePer")


def read(root: str | Path | None = None) -> tuple[pd.DataFrame, Report]:
    """Every word of the lexicon, in the order of its file, with its valence from 0 to 1.

    The file is tab-separated, with a header that names word (or term) and valence, or with the four
    `COLUMNS` and no header. Translations, the bipolar scale and single dimensions are passed over;
    the later edition's ratings from -1 to 1 are moved.
    """
    folder = find("nrc-vad", root)
    places = [
        folder / name
        for name in files(folder)
        if Path(name).match(NAME) and not any(other in name for other in _OTHERS)
    ]
    if not places:
        raise FileNotFoundError(f"no lexicon in {str(folder)!r}: looked for {NAME}")
    table = _lexicon(min(places, key=_preferred))
    return table, Report("nrc-vad", folder, len(table))


def _preferred(path: Path) -> tuple[bool, int, str]:
    """The plain name before others, what is near the top before what is deep."""
    return path.name != NAME.replace("*", ""), len(path.parts), path.as_posix()


def _lexicon(path: Path) -> pd.DataFrame:
    """The words and their valence from 0 to 1."""
    called = repr(str(path))
    table = checked.cells(path, sep="\t", quoting=3).fillna("")
    first = table.iloc[0].str.strip().str.lower()
    if len(first) == len(COLUMNS) and pd.to_numeric(first[1:], errors="coerce").notna().all():
        table = table.set_axis(list(COLUMNS), axis=1)
    else:
        table = table.iloc[1:].set_axis(first.replace("term", "word"), axis=1)
    if table.empty or table.columns.has_duplicates or not {"word", "valence"} <= set(table):
        raise ValueError(
            f"{called} is no lexicon: a tab-separated table with the columns Word (or term) and"
            f" Valence, or without a header {', '.join(COLUMNS)}"
        )
    words = table["word"].str.strip()
    checked.hold(words.ne(""), table["word"], called, "a word")
    checked.once(pd.DataFrame({"word": words}), ["word"], called)
    valence = checked.numbers(table["valence"], called, -1, 1)
    if valence.min() < 0:
        valence = (valence + 1) / 2
    return pd.DataFrame({"word": words, "valence": valence}).reset_index(drop=True)
