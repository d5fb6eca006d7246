"""The NRC-VAD lexicon on disk (Mohammad 2018): words rated for valence, arousal and dominance.

Comes in: the folder with the lexicon, or its file. Goes out: one row per word, and a `Report`. May
not: choose words."""

from io import BytesIO
from pathlib import Path

import numpy as np
import pandas as pd

from vlmbias.stimuli.reader_folders import Report, files, find
from vlmbias.whole_files import read_regular

NAME = "NRC-VAD-Lexicon*.txt"
COLUMNS = ("word", "valence", "arousal", "dominance")
"""What the columns are, in the packages whose file has no header."""
_OTHERS = (
    "ForVariousLanguages",
    "BipolarScale",
    "OneFilePer",
)  # in the paths of what else a package holds


def read(root: str | Path | None = None) -> tuple[pd.DataFrame, Report]:
    """Every word of the lexicon, in the order of its file.

    Parameters
    ----------
    root : the folder, or the file itself: tab-separated, with a header that names word (or term)
        and valence, or with the four `COLUMNS` and no header. Translations, the bipolar scale and
        single dimensions are passed over.

    Returns
    -------
    table : DataFrame
        word and valence, 0 to 1 (of the later edition, which rates from -1 to 1, moved there).
    report : Report

    Raises
    ------
    FileNotFoundError
        If there is no such folder, or no such file in it.
    ValueError
        For a file that is no lexicon.
    """
    given = Path(root or "").expanduser()
    folder = given.parent if root and given.is_file() else find("nrc-vad", root)
    places = (
        [given]
        if root and given.is_file()
        else sorted(
            (
                folder / name
                for name in files(folder)
                if Path(name).match(NAME) and not any(other in name for other in _OTHERS)
            ),
            key=_preferred,
        )
    )
    if not places:
        raise FileNotFoundError(f"no lexicon in {str(folder)!r}: looked for {NAME}")
    table = _lexicon(places[0])
    return table, Report("nrc-vad", folder, len(table))


def _preferred(path: Path) -> tuple[bool, int, str]:
    """The plain name before others, what is near the top before what is deep."""
    return path.name != NAME.replace("*", ""), len(path.parts), path.as_posix()


def _lexicon(path: Path) -> pd.DataFrame:
    """The words and their valence from 0 to 1."""
    try:
        content = read_regular(path)
        first = content.partition(b"\n")[0].decode("utf-8-sig", "replace").rstrip("\r").split("\t")
        names = (
            list(COLUMNS) if len(first) == len(COLUMNS) and all(map(_number, first[1:])) else None
        )
        table = pd.read_csv(
            BytesIO(content),
            sep="\t",
            dtype=str,
            keep_default_na=False,
            quoting=3,
            names=names,
            encoding="utf-8-sig",
        )
        table.columns = [str(name).strip().lower() for name in table]
        words = table["word" if "word" in table else "term"].str.strip()
        valence = pd.to_numeric(table["valence"], errors="coerce").to_numpy(float)
    except (OSError, ValueError, KeyError, AttributeError) as problem:
        reason = str(problem).partition("\n")[0][:200]
        raise ValueError(
            f"{str(path)!r} is no lexicon: a tab-separated table with the columns Word (or term)"
            f" and Valence, or without a header {', '.join(COLUMNS)} ({reason})"
        ) from None
    if not len(table) or not np.all(np.abs(valence) <= 1):
        raise ValueError(
            f"{str(path)!r}: every valence should be a number from 0 to 1, or from -1 to 1"
        )
    if (twice := words.duplicated() | words.eq("")).any():
        raise ValueError(
            f"{str(path)!r}: the word {words[twice].iloc[0]!r} is listed twice or empty"
        )
    return pd.DataFrame(
        {"word": words, "valence": (valence + 1) / 2 if valence.min() < 0 else valence}
    )


def _number(cell: str) -> bool:
    try:
        float(cell)
    except ValueError:
        return False
    return True
