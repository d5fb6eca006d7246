"""Tables from outside and archives that were unpacked otherwise than expected."""

import os
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from case import Case

IAT, CENSUS = "raceiatdat.csv", "sc-est2019-alldata5.csv"


def _iat(cell: str = "0.3", state: str = "AL") -> str:
    from vlmbias.external.america import STATES

    rows = [f"{letters},{race},0.25" for letters in STATES for race in (5, 6)]
    return "\n".join(["STATE,raceomb,Implicit", f"{state},6,{cell}", *rows]) + "\n"


def _census(cell: str = "100", name: str = "Alabama", race: str = "1") -> str:
    from vlmbias.external.america import STATES

    rows = [
        f"{state},0,{origin},{race},{age},{50 + age}"
        for state in STATES.values()
        for origin in (1, 2)
        for race in range(1, 6)
        for age in (20, 21)
    ]
    return (
        "\n".join(
            ["NAME,SEX,ORIGIN,RACE,AGE,POPESTIMATE2019", f"{name},1,1,{race},0,{cell}", *rows]
        )
        + "\n"
    )


def state(reader: str, make: Callable[[], str | bytes]) -> Callable[[Path], Any]:
    def do(root: Path) -> Any:
        from vlmbias.external import america

        content = make()
        path = root / {"implicit": IAT, "census": CENSUS}[reader]
        path.write_bytes(content.encode() if isinstance(content, str) else content)
        found = getattr(america, reader)(path)
        assert found.notna().all(axis=None) and len(found) == 51
        return found.shape

    return do


CELLS = {
    "nan": "",
    "-0.0001": "",
    "1e-400": "",
    "2,5": "",
    "١": "",
    "0x1": "not a number",
    "NaN%": "not a number",
    "--1": "not a number",
    "1_0": "not a number",
    "": "",
}
FILES: dict[str, bytes] = {
    "zero bytes": b"",
    "zeros": bytes(4000),
    "a web page": b"<!DOCTYPE html><html></html>",
    "a pointer of Git LFS": b"version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 1\n",
    "an archive": b"PK\x03\x04" + bytes(300),
    "gzip": b"\x1f\x8b\x08" + bytes(99),
    "UTF-16": "STATE,raceomb,Implicit\n".encode("utf-16"),
    "a header alone": b"STATE,raceomb,Implicit\n",
    "an unclosed quotation mark": b'STATE,raceomb,Implicit\n"AL,6,0.3\n' * 40,
    "other columns": b"a,b\n1,2\n",
}


def read(module: str, write: Callable[[Path], Any], *more: Any) -> Callable[[Path], Any]:
    def do(root: Path) -> Any:
        import importlib

        place = root / "set"
        place.mkdir()
        given = write(place) or place
        return importlib.import_module(module).read(given, *more)[0].shape

    return do


def _effects(root: Path, change: Callable[[Any], Any]) -> Any:
    import pandas as pd
    import released_layout

    from studies.pretraining import downstream, twin
    from studies.pretraining import effect_sizes as study
    from vlmbias import ledger
    from vlmbias.external import study_table

    claims = ledger.load("pretraining")
    table = twin.generate(study.cells(claims), downstream.printed(claims)["r"].to_dict(), seed=2)
    released_layout.write(table, root / "table.csv")
    damaged = change(pd.read_csv(root / "table.csv", index_col=0, dtype=str, keep_default_na=False))
    damaged.to_csv(root / "table.csv")
    return study_table.read(root / "table.csv").shape


def _cell(column: str, value: str) -> Callable[[Any], Any]:
    def change(table: Any) -> Any:
        table.iloc[7, table.columns.get_loc(column)] = value
        return table

    return change


EFFECTS: dict[str, tuple[Callable[[Any], Any], tuple[str, ...]]] = {
    "d of three": (_cell("effect_size", "3"), ("effect_size in line 9 is '3'", "from -2 to 2")),
    "d with a comma": (_cell("effect_size", "0,5"), ("effect_size in line 9 is '0,5'",)),
    "p of two": (_cell("pvalue", "2"), ("pvalue in line 9 is '2'", "0 to 1")),
    "performance in some rows": (_cell("vtab+", ""), ("disagree about its performance",)),
    "a model too few": (lambda t: t[t["model"] != t["model"].iloc[0]], ("131 models",)),
    "a row too few": (lambda t: t.iloc[1:], ("26 tests", "25 of")),
    "a row twice": (lambda t: __import__("pandas").concat([t, t.iloc[:1]]), ("stands twice",)),
    "another order of columns": (lambda t: t[t.columns[::-1]], ()),
    "another order of rows": (lambda t: t.iloc[::-1], ()),
    "a column of code": (lambda t: t.assign(x="=cmd|' /C calc'!A0"), ()),
}
LEXICON = "Word\tValence\tArousal\tDominance\n" + "".join(
    f"w{k}\t0.{k % 9}\t0.1\t0.1\n" for k in range(200)
)


def _text(name: str, content: str | bytes) -> Callable[[Path], Any]:
    def write(place: Path) -> None:
        (place / name).parent.mkdir(parents=True, exist_ok=True)
        (place / name).write_bytes(content.encode() if isinstance(content, str) else content)

    return write


FOLDERS: dict[str, tuple[str, Callable[[Path], Any], tuple[str, ...]]] = {
    "lexicon: a value of two": (
        "nrc_vad",
        _text("NRC-VAD-Lexicon.txt", LEXICON.replace("0.5", "2.5")),
        ("valence",),
    ),
    "lexicon: a word twice": (
        "nrc_vad",
        _text("NRC-VAD-Lexicon.txt", LEXICON + "w1\t0.1\t0.1\t0.1\n"),
        ("w1", "twice"),
    ),
    "lexicon: commas": (
        "nrc_vad",
        _text("NRC-VAD-Lexicon.txt", LEXICON.replace("\t", ",")),
        ("no lexicon",),
    ),
    "lexicon: zeros": ("nrc_vad", _text("NRC-VAD-Lexicon.txt", bytes(900)), ("no lexicon|number",)),
    "lexicon: a folder deeper": ("nrc_vad", _text("NRC-VAD/NRC-VAD-Lexicon.txt", LEXICON), ()),
    "lexicon: only a translation": (
        "nrc_vad",
        _text("NRC-VAD-Lexicon-ForVariousLanguages.txt", LEXICON),
        ("no lexicon",),
    ),
    "oasis: no table": ("oasis", _text("Images/Dog 1.jpg", b"x"), ("OASIS.csv",)),
    "oasis: a valence of nine": (
        "oasis",
        _text("OASIS.csv", "Theme,Category,Valence_mean\nDog 1,A,9\n"),
        ("from 1 to 7",),
    ),
    "oasis: a theme twice": (
        "oasis",
        _text("OASIS.csv", "Theme,Category,Valence_mean\nDog 1,A,2\ndog 1,A,3\n"),
        ("twice", "dog 1"),
    ),
    "oasis: a pipe for a table": (
        "oasis",
        lambda place: os.mkfifo(place / "OASIS.csv"),
        ("OASIS.csv",),
    ),
    "fairface: no labels": (
        "fairface",
        _text("train/1.jpg", b"x"),
        ("fairface_label_train.csv|no table",),
    ),
    "fairface: labels of zeros": (
        "fairface",
        _text("fairface_label_train.csv", bytes(900)),
        ("fairface_label_train.csv",),
    ),
    "utkface: two copies": (
        "utkface",
        lambda place: (
            [_text(f"{name}/26_1_2_20170116184024662.jpg.chip.jpg", b"x")(place) for name in "ab"]
            and None
        ),
        ("2 folders", "keep one"),
    ),
    "utkface: a folder deeper": (
        "utkface",
        _text("x/26_1_2_20170116184024662.jpg.chip.jpg", b"x"),
        (),
    ),
    "utkface: names of others": ("utkface", _text("1_1_9_x.jpg", b"x"), ()),
    "ieat: a loop": ("ieat", lambda place: (place / "x").symlink_to(place), ()),
    "cfd: an odd name": ("cfd", _text("CFD-XX-000-000-N.jpg", b"x"), ()),
}


def cases() -> Iterator[Case]:
    """Census, IAT, effect sizes; then folders of data sets."""
    for cell, wrong in CELLS.items():
        says = (r"raceiatdat\.csv", "Implicit in line 2", wrong) if wrong else ()
        if cell in ("2,5", "١"):  # a cell too many, or a digit that float reads
            continue
        yield Case(
            "external tables",
            f"IAT: a score of {cell!r}",
            state("implicit", lambda cell=cell: _iat(cell)),
            says,
        )
    for cell, says in {
        "-1": "from 0 to",
        "inf": "from 0 to",
        "1e400": "from 0 to",
        "x": "not a number",
        "": "not a number",
        "1e10": "from 0 to",
    }.items():
        yield Case(
            "external tables",
            f"census: a count of {cell!r}",
            state("census", lambda cell=cell: _census(cell)),
            ("sc-est2019", "POPESTIMATE2019 in line 2", says),
        )
    yield Case(
        "external tables",
        "census: a race of words",
        state("census", lambda: _census(race="white")),
        ("RACE in line 2", "not a number"),
    )
    yield Case(
        "external tables", "IAT: a state that is none", state("implicit", lambda: _iat(state="ZZ"))
    )
    for name, content in FILES.items():
        for reader in ("implicit", "census"):
            yield Case(
                "external tables",
                f"{reader}: {name}",
                state(reader, lambda content=content: content),
                (r"raceiatdat\.csv|sc-est2019",),
            )
    for name, (change, says) in EFFECTS.items():
        yield Case(
            "external tables",
            f"effect sizes: {name}",
            lambda root, change=change: _effects(root, change),
            says,
        )
    for name, (module, write, says) in FOLDERS.items():
        yield Case("archives", name, read(f"vlmbias.stimuli.{module}", write), says)
