"""The NRC-VAD lexicon on disk (Mohammad 2018): words rated for valence, arousal and dominance."""

from pathlib import Path

import pandas as pd

from vlmbias.stimuli.reader_folders import Report, files, find, table_of

NAME = "NRC-VAD-Lexicon*.txt"
COLUMNS = ("word", "valence", "arousal", "dominance")
"""What the columns are, in the packages whose file has no header."""
# in the paths of what else a package holds
_OTHERS = ("ForVariousLanguages", "BipolarScale", "OneFilePer")


def read(root: str | Path | None = None) -> tuple[pd.DataFrame, Report]:
    """Every word of the lexicon, in the order of its file, with its valence from 0 to 1.

    Parameters
    ----------
    root : the folder, or the file itself: tab-separated, with a header that names word (or term)
        and valence, or with the four `COLUMNS` and no header. Translations, the bipolar scale and
        single dimensions are passed over; the later edition's ratings from -1 to 1 are moved.

    Raises
    ------
    FileNotFoundError
        If there is no such folder, or no such file in it.
    ValueError
        For a file that is no lexicon.
    """
    given = Path(root or "").expanduser()
    if root and given.is_file():
        table = _lexicon(given)
        return table, Report("nrc-vad", given.parent, len(table))
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
    kind = (
        "lexicon: a tab-separated table with the columns Word (or term) and Valence, or without a"
        f" header {', '.join(COLUMNS)}"
    )
    table = table_of(path, is_no=kind, sep="\t", quoting=3, encoding="utf-8-sig", header=None)
    first = table.iloc[0].str.strip().str.lower()
    if len(first) == len(COLUMNS) and pd.to_numeric(first[1:], errors="coerce").notna().all():
        table = table.set_axis(list(COLUMNS), axis=1)
    else:
        table = table.iloc[1:].set_axis(first.replace("term", "word"), axis=1)
    if table.columns.has_duplicates or not {"word", "valence"} <= set(table):
        raise ValueError(f"{str(path)!r} is no {kind}")
    words, valence = table["word"].str.strip(), pd.to_numeric(table["valence"], "coerce")
    if table.empty or not valence.between(-1, 1).all():
        raise ValueError(
            f"{str(path)!r}: every valence should be a number from 0 to 1, or from -1 to 1"
        )
    if (twice := words.duplicated() | words.eq("")).any():
        raise ValueError(
            f"{str(path)!r}: the word {words[twice].iloc[0]!r} is listed twice or empty"
        )
    if valence.min() < 0:
        valence = (valence + 1) / 2
    return pd.DataFrame({"word": words, "valence": valence.astype(float)}).reset_index(drop=True)
