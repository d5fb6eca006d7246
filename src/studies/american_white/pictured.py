"""Whom the pictures of a run show, and whether they are the paper's: for all chapters."""

from studies.roles import is_own
from vlmbias.papers import RACES
from vlmbias.stimuli import cfd, fairface
from vlmbias.stimuli.imageset import ImageSet
from vlmbias.stimuli.reader_folders import NAMES

_CALLED = {
    "greenhouse": NAMES,
    "fairface": {race: label for label, race in fairface.BESIDE_PORTRAITS.items()},
}
_NO_VERDICT = "They are not the paper's, so the result is a comparison and no verdict on the paper."
_ABOUT = {
    "greenhouse": (
        "On this page, it uses {n:,} drawings of the Greenhouse. Their colours stand for no group"
        " of people.{sizes}"
    ),
    "fairface": (
        "On this page, it uses {n:,} photographs of FairFace ({each}), grouped as others labelled"
        f" them. {_NO_VERDICT}"
    ),
    "cfd": (
        "On this page, it uses {n:,} portraits of the Chicago Face Database ({each}), {whole} the"
        " paper has."
    ),
}
_OTHER = f"On this page, it uses {{n:,}} pictures of {{name}} ({{each}}). {_NO_VERDICT}"
_OWN = (
    "On this page, it uses {n:,} {kind} from a folder of the reader's own ({each})."
    f" {_NO_VERDICT}"
)


def groups(faces: ImageSet) -> dict[str, str]:
    """The paper's groups, in its order, and what each is called in an image set; those without
    pictures are left out.

    A drawn hue stands where its file has a group's name; FairFace's label where it says nearly the
    same. No group of a reader's own folder stands for one of the paper's.
    """
    if is_own(faces):
        return {}
    names, there = _CALLED.get(faces.source, {}), set(faces.table["race"])
    called = {race: names.get(race, race) for race in RACES}
    return {race: name for race, name in called.items() if name in there}


def usual(faces: ImageSet, favoured: str) -> str:
    """The group that others are compared with where a reader names none: of drawings, the
    `favoured` one; of people, White; in a reader's own folder, the first."""
    if is_own(faces):
        return str(faces.table["race"].iloc[0])
    return favoured if faces.source == "greenhouse" else "white"


def shown(faces: ImageSet) -> str:
    """What the pictures are, how many there are of each group, and whether they are the paper's."""
    counts, called = faces.table["race"].value_counts(), groups(faces)
    if is_own(faces):
        each, kind = (
            ", ".join(f"{n} {name}" for name, n in counts.items()),
            "drawings of the Greenhouse",
        )
        return _OWN.format(
            n=len(faces), each=each, kind=kind if faces.source == "greenhouse" else "pictures"
        )
    sizes = {race: int(counts[name]) for race, name in called.items()}
    each = ", ".join(f"{sizes[race]} {name}" for race, name in called.items())
    whole = "as many as" if sizes == cfd.SIZES else "but not as many as"
    borrowed = sorted(sizes.values()) == sorted(cfd.SIZES.values())
    return _ABOUT.get(faces.source, _OTHER).format(
        n=sum(sizes.values()),
        each=each,
        whole=whole,
        sizes=" Each colour has as many drawings as one of the paper's groups has portraits."
        if borrowed
        else "",
        name=faces.name,
    )
