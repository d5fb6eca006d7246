"""Folders of pictures that students send: tables, names, pictures that are none, links that lead
elsewhere."""

import os
import struct
import zlib
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from case import Case

ROWS = [
    "path,seed,race,gender,age",
    "a/1.png,1,azure,round,20",
    "a/2.png,1,azure,round,30",
    "b/1.png,2,ochre,round,20",
    "b/2.png,2,ochre,round,30",
]


def folder(root: Path, rows: Any = ROWS, encoding: str = "utf-8") -> Path:
    """Four small pictures, and a table beside them."""
    from PIL import Image

    for number, row in enumerate(ROWS[1:]):
        place = root / "own" / row.partition(",")[0]
        place.parent.mkdir(parents=True, exist_ok=True)
        Image.new("RGB", (9, 9), (40 * number, 9, 9)).save(place)
    if rows is not None:
        content = rows if isinstance(rows, bytes) else "\n".join(rows).encode(encoding)
        (root / "own/metadata.csv").write_bytes(content)
    return root / "own"


def look(place: Path) -> Any:
    """The set, every picture decoded."""
    import vlmbias as vb

    shown = vb.images("folder", place)
    return shown, list(shown.decode(range(len(shown))))


def with_rows(*rows: Any, encoding: str = "utf-8") -> Callable[[Path], Any]:
    content = rows[0] if isinstance(rows[0], bytes) else rows
    return lambda root: look(folder(root, content, encoding))


def _last(row: str) -> tuple[str, ...]:
    return (*ROWS[:4], row)


BROKEN: dict[str, tuple[tuple[Any, ...], tuple[str, ...]]] = {
    "a table of zero bytes": ((b"",), ("metadata.csv", "cannot be read")),
    "a picture under the name": (
        (b"\x89PNG\r\n\x1a\n" + bytes(range(256)),),
        ("metadata.csv", "cannot be read"),
    ),
    "UTF-16": ((("\n".join(ROWS)).encode("utf-16"),), ("metadata.csv", "UTF-8")),
    "a header alone": ((ROWS[0],), ("has no rows",)),
    "a picture without a row": (ROWS[:4], ("no row", "'b/2.png'", "add its row")),
    "an unclosed quotation mark": (_last('"b/2.png,2,ochre,round,30'), ("cannot be read",)),
    "a row of commas": (_last(",,,,"), ("row 5", "empty")),
    "a cell too many": (_last("b/2.png,2,ochre,round,30,1"), ("5 fields in line 5, saw 6",)),
    "a cell of a no-break blank": (_last("b/2.png,2,\u00a0,round,30"), ("row 5", "empty|one word")),
    "a group with a line break": (_last('b/2.png,2,"deep\nochre",round,30'), ("deep_ochre",)),
    "an age of infinity": (_last("b/2.png,2,ochre,round,inf"), ("row 5", "age = 'inf'", "number")),
    "an age with a decimal comma": (_last('b/2.png,2,ochre,round,"30,5"'), ("'30,5'", "point")),
    "an age with 400 digits": (_last("b/2.png,2,ochre,round," + "9" * 400), ("row 5", "number")),
    "a path upwards": (
        _last("../own/b/2.png,2,ochre,round,30"),
        (r"\.\./own/b/2\.png", "as it is in the folder"),
    ),
    "another case": (_last("B/2.PNG,2,ochre,round,30"), (r"B/2\.PNG",)),
    "a picture twice": (_last("b/1.png,2,ochre,round,30"), ("more than one row", r"b/1\.png")),
    "a name that two pictures have": (
        (ROWS[0].replace("path", "name"), *(row.partition("/")[2] for row in ROWS[1:])),
        ("several pictures", r"'1\.png'", "path in place of name"),
    ),
    "path and name": (
        (ROWS[0] + ",name", *(f"{row},x" for row in ROWS[1:])),
        ("exactly one of path and name",),
    ),
    "a column twice": (
        (ROWS[0].replace("gender", "race"), *ROWS[1:]),
        ("'race' is there more than once",),
    ),
    "two columns that differ in case": (
        (ROWS[0] + ",Gender", *(f"{row},x" for row in ROWS[1:])),
        ("'gender' and 'Gender'", "rename"),
    ),
    "a column of the measures": (
        (ROWS[0].replace("gender", "cosine"), *ROWS[1:]),
        ("'cosine'", "rename"),
    ),
    "a person of no name": (
        _last("b/2.png,nan,ochre,round,30"),
        ("row 5", "seed = 'nan'", "missing"),
    ),
    "a group that nobody filled in": (_last("b/2.png,2,n/a,round,30"), ("race = 'n/a'", "missing")),
    "a person whom nobody knows": (_last("b/2.png,Unknown,ochre,round,30"), ("row 5", "missing")),
    "a group in another case": (_last("b/2.png,2,Ochre,round,30"), ("'Ochre'", "'ochre'", "alike")),
    "a group with a sign of no width": (_last("b/2.png,2,ochre\u200b,round,30"), ("alike",)),
    "a letter in two forms": (
        (
            ROWS[0],
            ROWS[1].replace("azure", "b\u00e9ige"),
            ROWS[2].replace("azure", "be\u0301ige"),
            *ROWS[3:],
        ),
        ("row 3", "alike"),
    ),
    "a number with zeros before it": (_last("b/2.png,02,ochre,round,30"), ("'02'", "'2'", "alike")),
    "a subset that is none": (
        (ROWS[0].replace("gender", "subset"), *ROWS[1:]),
        ("subset = 'round'", "one of"),
    ),
}
FINE: dict[str, tuple[Any, ...]] = {
    "a byte order mark": (b"\xef\xbb\xbf" + "\n".join(ROWS).encode(),),
    "line ends of Windows": ("\r\n".join(ROWS).encode(),),
    "a quotation mark in the middle": _last('b/2.png,2,"oc"hre,round,30'),
    "identities that are names": _last("b/2.png,Ann,ochre,round,30"),
    "an identity of 30 digits": _last("b/2.png," + "9" * 30 + ",ochre,round,30"),
}


def png(width: int, height: int, data: bytes = b"") -> bytes:
    def part(kind: bytes, own: bytes) -> bytes:
        return struct.pack(">I", len(own)) + kind + own + struct.pack(">I", zlib.crc32(kind + own))

    return (
        b"\x89PNG\r\n\x1a\n"
        + part(b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0))
        + part(b"IDAT", zlib.compress(data))
        + part(b"IEND", b"")
    )


def with_thing(make: Callable[[Path], Any]) -> Callable[[Path], Any]:
    def do(root: Path) -> Any:
        place = folder(root, None)
        make(place)
        return look(place)

    return do


NO_PICTURES: dict[str, bytes] = {
    "a bomb of pixels": png(60_000, 60_000),
    "no data": png(9, 9),
    "a web page": b"<html><svg onload=alert(1)></html>",
    "a wrong checksum": png(9, 9, bytes(28 * 9))[:-20] + bytes(20),
}
THINGS: dict[str, tuple[Callable[[Path], Any], tuple[str, ...]]] = {
    "a pipe": (lambda place: os.mkfifo(place / "c.png"), (r"c\.png", "regular file")),
    "a link to a device": (
        lambda place: (place / "c.png").symlink_to("/dev/zero"),
        (r"c\.png", "regular file"),
    ),
    "a link to itself": (lambda place: (place / "c.png").symlink_to(place / "c.png"), (r"c\.png",)),
    "a folder that links to its parent": (lambda place: (place / "loop").symlink_to(place), ()),
    "a name with a line break": (lambda place: (place / "a/1.png").rename(place / "x\ny.png"), ()),
    "a name of bytes that are no text": (
        lambda place: os.rename(
            os.fsencode(place / "a/1.png"), os.fsencode(place) + b"/\xff\xfe.png"
        ),
        (),
    ),
    "a table that is a pipe": (
        lambda place: os.mkfifo(place / "metadata.csv"),
        (r"metadata\.csv", "regular file"),
    ),
}
NAMES = ("<img/src=x/onerror=alert(1)>", "</script><script>alert(3)</script>", "$\\frac{x}$")


def _shown(root: Path) -> None:
    """A table and a figure with groups of such names: no element of theirs, and no formula."""
    import re

    import matplotlib
    import pandas as pd

    from studies import tables
    from vlmbias.figures import showing

    matplotlib.use("agg")
    import matplotlib.pyplot as plt

    table = pd.DataFrame({name: [1.0, 2.0, 3.0] for name in NAMES}, index=[*NAMES])
    page = tables.readable(table.rename_axis("race").assign(word=NAMES)).to_html()
    inside = re.sub(r"<style.*?</style>", "", page, flags=re.DOTALL)
    elements = set(re.findall(r"<\s*/?\s*(\w+)", inside))
    assert elements <= {"table", "thead", "tbody", "tr", "th", "td"}, elements
    with plt.style.context(str(Path(showing.__file__).parent / "house.mplstyle")):
        for name in NAMES:
            figure, axes = plt.subplots()
            axes.plot([1, 2], label=name)
            axes.set_title(name)
            axes.legend()
            figure.savefig(root / "x.svg")
            assert not re.search(r"<(img|script)", (root / "x.svg").read_text())


def cases() -> Iterator[Case]:
    """Tables that are wrong or odd, files that are no pictures, names that mean something to a
    page."""
    for name, (rows, says) in BROKEN.items():
        yield Case(f"a table: {name}", with_rows(*rows), says)
    for name, rows in FINE.items():
        yield Case(f"a table: {name}", with_rows(*rows))
    for name, content in NO_PICTURES.items():
        wrong = with_thing(lambda place, content=content: (place / "c.png").write_bytes(content))
        yield Case(f"a picture: {name}", wrong, (r"c\.png", "cannot"))
    for name, (make, says) in THINGS.items():
        yield Case(f"a picture: {name}", with_thing(make), says)
    yield Case("names on a page", _shown)
