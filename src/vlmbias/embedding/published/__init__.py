"""Checkpoints as their authors published them, turned into models of kept libraries: SLIP, BLIP.

Comes in: a file in the layout of its authors, or a folder in that of transformers. Goes out: a
model of open_clip or of transformers with exactly those weights, and what must be set beside them
(picture size, statistics, heads, epsilons). May not: run code from a file, fetch anything, leave a
weight unused that the original used, or leave one random.

What the original computes is not all in its weights: the docstring of each converter lists the
settings that load without complaint when they are wrong.
"""

from pathlib import Path
from typing import Any

from vlmbias import paths, sources
from vlmbias.embedding.published import blip, slip
from vlmbias.whole_files import checksum, read_json

NAMES = {
    "slip/vitb16-100ep": (slip.FILE, "slip-weights"),
    "blip/itm-base-coco": (blip.FILES["retrieval"], "blip-weights"),
    "blip/vqa-capfilt-large": (blip.FILES["answers"], "blip-weights"),
    "blip/caption-capfilt-large": (blip.FILES["captions"], "blip-weights"),
}
"""What a published model is called here, its file, and the source that says how to get it."""


def find(name: str) -> Path | None:
    """The file of a published model, by its name here or by its path; a folder in transformers'
    layout likewise.

    Returns
    -------
    None
        For a name that stands for none of these.

    Raises
    ------
    FileNotFoundError
        For a published model whose file is not there; it says where it belongs and how to get it.
    """
    if name in NAMES:
        file, source = NAMES[name]
        if not (place := paths.reader_data() / "weights" / file).is_file():
            raise FileNotFoundError(
                f"the weights of {name!r} are not at {str(place)!r}. {sources.how(source)}"
            )
        return place
    for place in (Path(name).expanduser(), paths.root() / Path(name).expanduser()):
        if place.is_file() and place.suffix in (".pt", ".pth"):
            return place
        if place.is_dir() and (place / blip.CONFIG).is_file() and (place / blip.WEIGHTS).is_file():
            return place if _is_blip(place) else None
    return None


def retrieval(place: Path) -> tuple[Any, dict[str, Any], Any]:
    """The model of a file, its configuration, and what cuts its texts into tokens; None for CLIP's
    own tokenizer."""
    if place.is_file() and place.suffix == ".pt":
        return *slip.load(place), None
    model, tokenizer = blip.load(place, "retrieval")
    sizes = {
        part: getattr(model.config, part).to_dict() for part in ("vision_config", "text_config")
    }
    config = {"embed_dim": model.text_proj.out_features, **sizes}
    return blip.Retrieval(model), config, blip.Texts(tokenizer)


def weights(place: Path) -> Path:
    """The file with the weights, of what `find` found."""
    return place / blip.WEIGHTS if place.is_dir() else place


def present(place: Path) -> str:
    """The SHA-256 of the file with the weights; a FileNotFoundError where the words that belong to
    it are missing."""
    if place.is_dir() or place.suffix == ".pth":
        blip.words_of(place)
    return checksum(weights(place))


def _is_blip(folder: Path) -> bool:
    return read_json(folder / blip.CONFIG).get("model_type") == "blip"
