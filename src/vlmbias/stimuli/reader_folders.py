"""The data sets that a reader supplies as folders: what is fixed about each, where it lies, what it
lacks, and whether the Greenhouse drew what is in it.

A new one is an entry of `SUPPLIED`, a module of its name beside this one, whose `read(root)` gives
a table and a `Report`, and an entry in `data/sources/index.yaml`. Nothing here imports pandas:
every build asks for the state of each folder.
"""

import os
import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from importlib import import_module
from pathlib import Path
from typing import Any

from greenhouse.world.groups import CRESTS, FOURTH, THREE
from vlmbias import paths
from vlmbias.whole_files import read_regular


@dataclass(frozen=True)
class Supplied:
    """What is fixed about a data set.

    Attributes
    ----------
    called : how the heading of a chapter's second section calls it.
    expected, counted : how many images, or whatever else is counted, the paper used.
    rounded : where the paper prints a rounded number, to how many it seems to be rounded, else 0.
    folder : its usual place below the reader's own data; its name, if this is empty.
    images : whether it is a set of images.
    variants : other image sets from the same files: what stands behind the slash of their names,
        and how a heading calls them; as the set itself, if that is empty.
    source : whether its key in `data/sources/index.yaml` is its name.
    """

    called: str
    expected: int
    counted: str = "images"
    rounded: int = 0
    folder: str = ""
    images: bool = True
    variants: Mapping[str, str] = field(default_factory=dict)
    source: bool = True


SUPPLIED = {
    "causalface": Supplied("CausalFace", 18_000, variants={"uncropped": "CausalFace, uncropped"}),
    "fairface": Supplied(
        "FairFace", 38_744, variants={"all": "", "as-cfd": "FairFace (for comparison)"}
    ),
    "utkface": Supplied("UTKFace", 14_630, folder="UTKFace", variants={"all": ""}),
    "cfd": Supplied("the Chicago Face Database", 597),
    "oasis": Supplied("OASIS", 900),
    # its pictures come with the source ieat-photographs
    "ieat": Supplied("the pictures of the iEAT", 284, source=False),
    "nrc-vad": Supplied("the NRC VAD Lexicon", 20_000, "words", rounded=1_000, images=False),
    "causalface-cosines": Supplied(
        "the released cosines", 18, "tables", folder="results/clip_vit_b_32", images=False
    ),
}
FOLDERS = {name: one.folder or name for name, one in SUPPLIED.items()}
"""The usual place of each below the reader's own data."""
IMAGE_SETS = tuple(
    name if variant is None else f"{name}/{variant}"
    for name, one in SUPPLIED.items()
    if one.images
    for variant in (None, *one.variants)
)
"""The names of the image sets among them, variants too."""
METADATA = "metadata.csv"
"""The table beside a reader's own pictures, and beside those that the Greenhouse writes."""
MARK = "A schematic face of the Greenhouse"
"""What a picture of the Greenhouse says in its comment, and the table beside it in a column."""
COUNTERPARTS: dict[str, str] = dict(
    zip(("white", "black", "asian", "female", "male"), (*THREE, *CRESTS), strict=True)
)
"""Which values of the Greenhouse are filed under which names of the papers: file names, nothing
else. No group plays the part that a paper reports for the real group under whose name it is filed;
a test watches over that."""
NAMES: dict[str, str] = COUNTERPARTS | dict.fromkeys(
    ("latino hispanic", "indian", "latino"), FOURTH
)
"""The same with the fourth hue: for races that the first paper leaves out, and for the second one's
fourth group."""
_HEAD, _ASKED = 4096, 100  # bytes within which a mark stands; pictures that are asked for one


@dataclass(frozen=True)
class Report:
    """What a folder holds, against what the paper used.

    Attributes
    ----------
    name, root : the data set and its folder.
    images : how many images of the paper's subset there are.
    findings : (what, files or names) for everything that is missing, extra or unreadable.
    notes : what is as it is, and a reader should know.
    from_greenhouse : whether the Greenhouse drew what is in the folder.
    """

    name: str
    root: Path
    images: int
    findings: dict[str, tuple[str, ...]] = field(default_factory=dict)
    notes: tuple[str, ...] = ()
    from_greenhouse: bool = False

    @property
    def expected(self) -> int:
        """How many images the paper used."""
        return SUPPLIED[self.name].expected

    @property
    def clean(self) -> bool:
        """Whether everything is there, and nothing else."""
        return not self.lacks

    @property
    def lacks(self) -> str:
        """What keeps the set from being whole, in numbers and without a file's name; empty if
        nothing does. A value from such a set gets no verdict.

        Where the paper prints a rounded number, any that rounds to it is whole.
        """
        step = SUPPLIED[self.name].rounded
        if abs(self.images - self.expected) > step / 2:
            return f"{self.images:,} of {'about ' * bool(step)}{self.expected:,}"
        return ", ".join(f"{what}: {len(which):,}" for what, which in self.findings.items())

    def __str__(self) -> str:
        about = SUPPLIED[self.name]
        found = [
            f"{what}: {len(which):,} ({', '.join(which[:3])}{', …' * (len(which) > 3)})"
            for what, which in self.findings.items()
        ]
        if about.rounded:
            found.append(
                f"the exact number is not known: {self.expected:,} is rounded, and"
                f" {about.rounded // 2:,} more or fewer count as whole"
            )
        if self.from_greenhouse:
            found.append("these are schematic faces of the Greenhouse: no verdict comes of them")
        head = (
            f"{self.name} in {self.root}: {self.images:,} of the {self.expected:,} {about.counted}"
            " expected"
        )
        return "\n- ".join([head, *found, *self.notes])


def words_file(name: str) -> str:
    """The path in the name of a prompt set that is a file of the reader's own, `PATH.yaml`, or a
    variant of one, `PATH.yaml/variant`; empty for the name of one of ours."""
    found = re.fullmatch(r"(.+\.ya?ml)(?:/[^/]+)?", name)
    return found[1] if found else ""


def reader(name: str) -> Any:
    """The module that reads a set, by its name."""
    return import_module(f"vlmbias.stimuli.{name.replace('-', '_')}")


def find(name: str, root: str | Path | None) -> Path:
    """The folder of a data set: `root`, or its usual folder below `root`; by default that folder in
    the reader's own data.

    A relative `root` that is not a folder here is looked for below the repository's root, where the
    command line looks (a notebook runs in its own folder), and in the reader's own data. If there
    is none, a `FileNotFoundError` says where it was looked for.
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
    """The folder with the files whose names `holds` knows: `root`, or the one below it into which
    an archive was unpacked; several of these are a `ValueError`."""
    found = sorted({str(Path(name).parent) for name in files(root) if holds(Path(name).name)})
    if not found or "." in found:
        return root
    if len(found) > 1:
        some = ", ".join(repr(str(root / name)) for name in found[:3])
        raise ValueError(
            f"{str(root)!r} has files of this data set in {len(found)} folders below it ({some}),"
            " none in itself; keep one of them, or give it as root=…"
        )
    return root / found[0]


def files(root: Path) -> set[str]:
    """Every file below a folder, as a path from there; links are followed, and what is hidden, or
    in a hidden folder, is left out, as what a system left (`paths.left_behind`)."""
    found, above = set(), {str(root): {root.resolve()}}
    for folder, below, names in os.walk(root, followlinks=True):
        inside = Path(folder).relative_to(root)
        found.update((inside / name).as_posix() for name in names if not paths.left_behind(name))
        real = {name: Path(folder, name).resolve() for name in below if not paths.left_behind(name)}
        # no link back to where we came from
        below[:] = [name for name in real if real[name] not in above[folder]]
        above |= {os.path.join(folder, name): above[folder] | {real[name]} for name in below}
    return found


def of_greenhouse(root: Path, names: Iterable[str]) -> bool:
    """Whether the Greenhouse drew a folder's pictures (or made its tables): the table beside them
    says so, or one of them; of very many, a hundred or more are asked, evenly spread."""
    some = sorted(names)
    some = some[:: max(1, len(some) // _ASKED)]
    return any(marked(root / name) for name in (METADATA, *some))


def marked(path: Path) -> bool:
    """Whether a file's first bytes say that it is of the Greenhouse."""
    try:
        return MARK.encode() in read_regular(path, _HEAD)
    except OSError:  # whoever opens it will hear of it
        return False


def own_names(table: Any) -> Any:
    """A table of drawings with the Greenhouse's own names of groups, in place of those that they
    are filed under."""
    return table.replace({"race": NAMES, "gender": NAMES})


def adults(table: Any) -> Any:
    """Whom the paper keeps of a table of photographs, `(n,)` bool: three races or hues, nobody
    under 20."""
    return table["race"].isin(["white", "black", "asian", *THREE]) & (table["years"] >= 20)


def listed(**findings: Iterable[str]) -> dict[str, tuple[str, ...]]:
    """The findings that found something, sorted; underscores of their names read as spaces."""
    found = {what.replace("_", " "): tuple(sorted(which)) for what, which in findings.items()}
    return {what: which for what, which in found.items() if which}
