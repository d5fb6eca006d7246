"""What a network alone can settle, in the order of what it settles: the steps of
`vlmbias first-light` and its page.

Comes in: `data/settings/open.yaml`, the catalogue of sources, the claims, what is on this machine.
Goes out: steps, each with what it settles, downloads and costs; what is done of them; which records
they reach. May not: download or run anything.
"""

import shutil
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from runner import notebooks, plan
from vlmbias import paths, sources
from vlmbias.ledger.claims import Claim, claims
from vlmbias.ledger.results import runs
from vlmbias.sources.catalogue import catalogue
from vlmbias.sources.local_files import right_copy
from vlmbias.sources.published_weights import source_of

SETTINGS = "open"


@dataclass(frozen=True)
class Weights:
    """Published weights of a model: their repository on the hub, and their size: four bytes per
    parameter."""

    model: str
    repository: str
    megabytes: int


@dataclass(frozen=True)
class Step:
    """One step: what it settles, what it downloads, what it runs, and what that costs.

    Attributes
    ----------
    chapters, sweeps : notebooks; stimuli of the 26 association tests, on the model of `weights`.
    decides : records that answer the question of `settles`; they are listed first at the end.
    minutes : on one core, without the download; `measured` says whether all of it was measured,
        with random weights.
    gigabytes : of memory, at most.
    """

    name: str
    settles: str
    sources: tuple[str, ...]
    chapters: tuple[str, ...]
    minutes: int
    gigabytes: float
    measured: bool = True
    weights: Weights | None = None
    sweeps: tuple[str, ...] = ()
    decides: tuple[str, ...] = ()


CLIP = Weights("ViT-B-32-quickgelu/openai", "timm/vit_base_patch32_clip_224.openai", 605)
RESNET = Weights("RN50-quickgelu/cc12m", "timm/resnet50_clip.cc12m", 408)
FIRST = (
    Step(
        "table",
        "For how many kinds of training data Ghate et al. find significantly more or less bias,"
        " when each result counts as one observation and when each model does",
        ("clip-bias-results", "scaling-laws"),
        ("pretraining/upstream", "pretraining/effect_sizes", "pretraining/downstream"),
        1,
        1.0,
        decides=("upstream.significant-families", "upstream.significant-families-by-model"),
    ),
    Step(
        "words",
        "Whether the words of Hausladen et al. relate to each other in real CLIP as they print",
        (),
        ("causalface/text_geometry",),
        1,
        2.2,
        weights=CLIP,
    ),
    Step(
        "stimuli",
        "Whether our programs give one real model the 26 test results that Ghate et al. released"
        " for it",
        ("clip-bias-stimuli", "ieat-photographs"),
        (),
        6,
        2.2,
        False,
        CLIP,
        ("seat-ieat", "nrc-oasis"),
    ),
    Step(
        "train-mode",
        "How far a model's results move when it is measured in training mode, as one of the papers"
        " may have done",
        (),
        ("pretraining/train_mode",),
        4,
        2.2,
        weights=RESNET,
    ),
)
# by what a claim is about: sources whose files bear other names
ALSO = {
    "clip-bias-results": {"nrc-oasis", "seat-ieat", "131 CLIP models"},
    "ieat-embeddings": {"ieat", "igpt_l_32", "simclr_152_3x_sk1"},
}


@cache
def needs(notebook: str) -> tuple[str, ...]:
    """The sources that some cells of a notebook need."""
    return tuple(notebooks.needs(notebooks.read(plan.source(notebook))))


def steps(only: str = "") -> list[Step]:
    """Every step in order, the last of which is made of all other chapters that read an open
    source; or the one named.

    Raises
    ------
    ValueError
        If no step has that name; those that there are are listed.
    """
    is_open = {key for key, entry in catalogue().items() if entry.open}
    taken = {name for step in FIRST for name in step.chapters}
    rest = {name: is_open & set(needs(name)) for name in plan.notebooks() if name not in taken}
    chapters = tuple(name for name, own in rest.items() if own)
    others = tuple(dict.fromkeys(key for name in chapters for key in needs(name) if key in is_open))
    last = Step(
        "rest",
        "What the other released files say: their counts, sentences and published embeddings",
        others,
        chapters,
        max(1, len(chapters) // 2),
        2.2,
    )  # each took 30 s or less
    every = [*FIRST, *([last] if chapters else [])]
    if only and only not in (known := [step.name for step in every]):
        raise ValueError(f"no step {only!r}; the steps are: {', '.join(known)}")
    return [step for step in every if only in ("", step.name)]


# --- what is on this machine ----------------------------------------------------------------------


def here(weights: Weights) -> bool:
    """Whether the hub's cache on this machine holds the file of these weights, of any revision."""
    from huggingface_hub import constants

    shelf = (
        Path(constants.HF_HUB_CACHE)
        / f"models--{weights.repository.replace('/', '--')}"
        / "snapshots"
    )
    return any(file.is_file() for file in shelf.glob("*/open_clip_*"))


def missing(step: Step) -> int:
    """How many bytes of a step's sources are not on this machine."""
    known = catalogue()
    return sum(
        file.bytes
        for key in step.sources
        for file in known[key].files
        if right_copy(known[key], file)[0] is None
    )


def size(step: Step) -> float:
    """What a step downloads where nothing is on the machine, in megabytes."""
    known = catalogue()
    files = sum(file.bytes for key in step.sources for file in known[key].files) / 1e6
    return files + (step.weights.megabytes if step.weights else 0)


def full(step: Step) -> str:
    """Why the disk cannot take what a step downloads; empty if it can."""
    from huggingface_hub import constants

    weights = step.weights.megabytes * 1e6 if step.weights and not here(step.weights) else 0
    for wanted, folder in ((missing(step), paths.cache()), (weights, Path(constants.HF_HUB_CACHE))):
        place = next(one for one in (folder, *folder.parents) if one.is_dir())
        if wanted > (free := shutil.disk_usage(place).free):
            return (
                f"the disk is full: {wanted / 1e6:,.0f} MB are to be downloaded into {folder}, and "
                f"{free / 1e6:,.0f} MB are free"
            )
    return ""


def whole() -> set[str]:
    """The notebooks that were run with open settings, with all that a network gives them, and from
    what is here now."""
    now = plan.hashes([*plan.INPUTS, "notebooks/*/*.py"])
    return {
        name
        for name, about, _ in runs()
        if about["settings"] == SETTINGS
        and about["files"].items() <= now.items()
        and all(_still(key, state) for key, state in about["sources"].items())
    }


def _still(key: str, state: Mapping[str, Any]) -> bool:
    """Whether a source was and is at hand; of what has to be asked for, nothing is expected."""
    if key not in (known := catalogue()):
        return bool(state["available"])
    return not known[key].open or (
        bool(state["available"]) and sources.state(key)["hash"] == state["hash"]
    )


def swept(step: Step) -> set[str]:
    """The stimuli of which a step's sweep has a table with its model's values, once all its sources
    are here."""
    if not all(sources.available(key) for key in step.sources if step.sweeps):
        return set()
    tables = {
        stimuli: paths.build() / f"sweep/{stimuli}.effect_sizes.csv" for stimuli in step.sweeps
    }
    wanted = step.weights.model if step.weights else ""
    return {
        stimuli
        for stimuli, table in tables.items()
        if table.is_file() and wanted in table.read_text("utf-8")
    }


def left(step: Step, done: set[str]) -> list[str]:
    """What of a step is still to be run: chapters, and stimuli of its sweep."""
    return [one for one in (*step.chapters, *step.sweeps) if one not in done | swept(step)]


# --- which records are reached --------------------------------------------------------------------


def wanted(about: Claim) -> set[str]:
    """What a value for this claim has to come from: its data and its models; empty where it needs
    neither."""
    named = {*about.data.split(", "), *about.model.split(", ")} - {"none"}
    return {source_of(one) or one for one in named}


def given(chosen: Iterable[Step]) -> set[str]:
    """What these steps get: sources, models, and what claims call them."""
    chosen = list(chosen)
    keys = {key for step in chosen for key in step.sources}
    return keys.union(*(ALSO.get(key, set()) for key in keys)) | {
        one.weights.model for one in chosen if one.weights
    }


def lacking(about: Claim, had: set[str], run: set[str]) -> set[str]:
    """What a claim still needs that a person has to ask for; empty where it needs nothing, or only
    what the steps get.

    Cells that need a source of their own run without the others of their chapter; its second
    section asks for all that the paper's settings require.
    """
    gap = wanted(about) - had
    if not wanted(about) or (not gap and about.notebook in run):
        return set()
    if gap and gap <= set(needs(about.notebook)):
        return gap
    return gap | _required(about.notebook)


@cache
def _required(notebook: str) -> frozenset[str]:
    known, choice = catalogue(), plan.settings("paper").notebooks.get(notebook, plan.Choice())
    return frozenset(key for key in choice.requires if not known[key].open)


def reach() -> list[tuple[Claim, bool, frozenset[str]]]:
    """Every claim, whether it needs data or a model at all, and what of that a person has to ask
    for."""
    every = steps()
    had, run = given(every), {name for step in every for name in step.chapters}
    return [
        (one, bool(wanted(one)), frozenset(lacking(one, had, run))) for one in claims().values()
    ]


def chapters() -> list[tuple[str, int, int, list[str]]]:
    """Per chapter with records: its name, how many, how many the steps reach, and what the others
    still need."""
    rows, every = [], reach()
    for name in dict.fromkeys(one.notebook for one, _, _ in every):
        own = [(needed, keys) for one, needed, keys in every if one.notebook == name]
        rows.append(
            (
                name,
                len(own),
                sum(needed and not keys for needed, keys in own),
                sorted({key for _, keys in own for key in keys}),
            )
        )
    return rows
