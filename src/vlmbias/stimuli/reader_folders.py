"""A folder of faces that a reader supplies: found, marked or not, and what it lacks.

Comes in: the name of a data set and a folder. Goes out: where the set lies, a `Report` of what is
missing or extra, and the Greenhouse's own names where the folder is one of its exports. May not:
decode a picture.

An export of the Greenhouse is known by its marker file, and without one by the mark inside each of
its files: of a folder without a marker the first bytes of every picture are read, some 20 µs each,
and one mark is enough.
"""

import json
import os
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from typing import Any

from greenhouse.world.groups import CRESTS, FOURTH, THREE
from vlmbias import paths
from vlmbias.stimuli.supplied import FOLDERS, SUPPLIED
from vlmbias.whole_files import read_regular

EXPECTED = {name: one.expected for name, one in SUPPLIED.items()}
"""How many images the paper used of each set, or tables or words."""
MARKER = "greenhouse.json"
"""The file that says: this folder holds schematic faces in another data set's layout."""
MARK = b"A schematic face of the Greenhouse"
"""What the comment of every exported picture begins with, and what an exported table names as its
source."""
COUNTERPARTS: dict[str, str] = dict(
    zip(("white", "black", "asian", "female", "male"), (*THREE, *CRESTS), strict=True)
)
"""Which values of the Greenhouse are filed under which names of the papers: file names, nothing
else. No group plays the part that a paper reports for the real group under whose name an export
files it; a test watches over that."""
NAMES: dict[str, str] = COUNTERPARTS | dict.fromkeys(
    ("latino hispanic", "indian", "latino"), FOURTH
)
"""The same with the fourth hue: for races that the first paper leaves out, and for the second one's
fourth group."""
_HEAD = 4096  # bytes of a file within which its mark stands


@dataclass(frozen=True)
class Report:
    """What a folder holds, against what the paper used.

    Attributes
    ----------
    name, root : the data set and its folder.
    images : how many images of the paper's subset there are.
    expected : how many there should be: in the paper, or in the export that the folder is.
    findings : (what, files or names) for everything that is missing, extra or unreadable.
    notes : what is as it is, and a reader should know.
    from_greenhouse : whether the folder is an export of the Greenhouse.
    """

    name: str
    root: Path
    images: int
    findings: dict[str, tuple[str, ...]] = field(default_factory=dict)
    notes: tuple[str, ...] = ()
    from_greenhouse: bool = False

    @property
    def expected(self) -> int:
        return (marked(self.root, ()) if self.from_greenhouse else {}).get(
            "images", EXPECTED[self.name]
        )

    @property
    def clean(self) -> bool:
        """Whether everything is there, and nothing else; of a set whose size is printed rounded, as
        far as its size is known."""
        return not self.lacks

    @property
    def lacks(self) -> str:
        """What keeps the set from being whole and clean, in numbers and without a file's name;
        empty if nothing does.

        A value from such a set gets no verdict.
        """
        step = 0 if self.from_greenhouse else SUPPLIED[self.name].rounded
        if abs(self.images - self.expected) > step / 2:
            return f"{self.images:,} of {'about ' * bool(step)}{self.expected:,}"
        return ", ".join(f"{what}: {len(which):,}" for what, which in self.findings.items())

    def __str__(self) -> str:
        of = SUPPLIED[self.name].counted
        step = 0 if self.from_greenhouse else SUPPLIED[self.name].rounded
        rounded = (
            (
                f"the exact number is not known: {self.expected:,} is rounded, and {step // 2:,}"
                " more or fewer count as whole"
            ),
        )
        unmarked = self.from_greenhouse and not (self.root / MARKER).is_file()
        lost = (
            (
                "these are schematic faces of the Greenhouse: files carry its mark, though"
                f" {MARKER} is gone"
            ),
        )
        lines = [
            f"{self.name} in {self.root}: {self.images:,} of the {self.expected:,} {of} expected"
        ]
        for what, which in self.findings.items():
            some = ", ".join(which[:3]) + ", …" * (len(which) > 3)
            lines.append(f"- {what}: {len(which):,} ({some})")
        return "\n".join(
            [
                *lines,
                *(f"- {note}" for note in (*self.notes, *rounded * bool(step), *lost * unmarked)),
            ]
        )


def find(name: str, root: str | Path | None) -> Path:
    """The folder of a data set: `root`, or its usual folder below `root`; by default that folder in
    the reader's own data.

    A relative `root` that is not a folder here is looked for below the repository's root, where the
    command line looks (a notebook runs in its own folder), and in the reader's own data.

    Raises
    ------
    FileNotFoundError
        If there is none, saying where it was looked for.
    """
    folder, given = FOLDERS[name], Path(root or "").expanduser()
    near = (place for place in (given, paths.root() / given) if root and place.is_dir())
    given = next(near, paths.reader_data() / given)
    places = [given / folder, given / Path(folder).name, *([given] if root else [])]
    if found := next((place for place in places if place.is_dir()), None):
        return found
    raise FileNotFoundError(
        f"no folder of {name!r}: looked for {' and '.join(dict.fromkeys(map(str, places)))}; put "
        f"it there, set VLMBIAS_DATA to the folder that holds {folder}/, or give root=…"
    )


def unpacked(root: Path, holds: Callable[[str], object]) -> Path:
    """The folder that holds the files themselves: `root`, or the one below it into which an archive
    was unpacked.

    Parameters
    ----------
    root : a folder that is there.
    holds : whether a file's own name is one of those that are looked for.

    Returns
    -------
    `root` where it has such files, where it carries the marker, or where no folder below it has
    any.

    Raises
    ------
    ValueError
        If several folders below have some, naming them.
    """
    found = sorted({str(Path(name).parent) for name in files(root) if holds(Path(name).name)})
    if not found or "." in found or (root / MARKER).is_file():
        return root
    if len(found) > 1:
        some = ", ".join(repr(str(root / name)) for name in found[:3])
        raise ValueError(
            f"{str(root)!r} has files of this data set in {len(found)} folders below it ({some}),"
            " none in itself; keep one of them, or give it as root=…"
        )
    return root / found[0]


def files(root: Path) -> set[str]:
    """Every file below a folder, as a path from there; hidden ones and the marker are left out,
    links are followed."""
    found, above = set(), {str(root): {root.resolve()}}
    for folder, below, names in os.walk(root, followlinks=True):
        inside = Path(folder).relative_to(root)
        found.update(
            (inside / name).as_posix()
            for name in names
            if not name.startswith(".") and name != MARKER
        )
        real = {name: Path(folder, name).resolve() for name in below}
        below[:] = [
            name for name in below if real[name] not in above[folder]
        ]  # no link back to where we came from
        above |= {os.path.join(folder, name): above[folder] | {real[name]} for name in below}
    return found


def marked(root: Path, names: Iterable[str] | None = None) -> dict:
    """What the marker of an export says: `names` (file value to Greenhouse value), `images`,
    `model`; else nothing.

    Parameters
    ----------
    root : the folder.
    names : files below it, among them the pictures; by default every one. Where there is no marker,
        they are looked at: if one carries the mark, the folder is an export, of unknown size.

    Raises
    ------
    ValueError
        For a marker that is not one.
    """
    marker = root / MARKER
    if not marker.is_file():
        found = any(_marked(root / name) for name in (files(root) if names is None else names))
        return {"names": NAMES, "model": "greenhouse"} if found else {}
    try:
        content = json.loads(marker.read_text("utf-8"))
        return {
            "names": {str(name): str(ours) for name, ours in content["names"].items()},
            "images": int(content["images"]),
            "model": str(content.get("model", "")),
        }
    except (ValueError, KeyError, TypeError, AttributeError) as problem:
        raise ValueError(
            f"{marker} is not the marker of a Greenhouse export ({problem!r}); export again"
        ) from None


def _marked(path: Path) -> bool:
    """Whether a picture or a table carries the mark of the Greenhouse."""
    try:
        about = path.stat()
        return _marks(path, about.st_ino, about.st_size, about.st_mtime_ns, about.st_ctime_ns)
    except OSError:  # whoever opens it will hear of it
        return False


@lru_cache(maxsize=100_000)
def _marks(path: Path, *state: int) -> bool:
    return MARK in read_regular(path, _HEAD)


def listed(**findings: Iterable[str]) -> dict[str, tuple[str, ...]]:
    """The findings that found something, sorted; underscores of their names read as spaces."""
    found = {what.replace("_", " "): tuple(sorted(which)) for what, which in findings.items()}
    return {what: which for what, which in found.items() if which}


def adults(table: Any, names: dict[str, str]) -> Any:
    """Whom the paper keeps of a table of photographs, `(n,)` bool: three races, nobody under 20;
    `names` as marked."""
    races = [names.get(race, race) for race in ("white", "black", "asian")]
    return table["race"].isin(races) & (table["years"] >= 20)
