"""Checkpoints as their authors published them, turned into models of kept libraries: SLIP, BLIP.

Comes in: a file in the layout of its authors, or a folder in that of transformers. Goes out: a
model of open_clip or of transformers with exactly those weights, and what must be set beside them
(picture size, statistics, heads, epsilons). May not: run code from a file, fetch anything, leave a
weight unused that the original used, or leave one random.

The ending of a file says whose it is: `.pt` is SLIP's, `.pth` is BLIP's.

What the original computes is not all in its weights: the docstring of each converter lists the
settings that load without complaint when they are wrong.
"""

from pathlib import Path
from typing import Any

from vlmbias import paths
from vlmbias.embedding.published import blip, slip
from vlmbias.sources.published_weights import of_family, place
from vlmbias.whole_files import checksum, read_json

NAMES = of_family("slip", "blip")
"""The published models that are read here."""


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
        return place(name)
    for given in (Path(name).expanduser(), paths.root() / Path(name).expanduser()):
        if given.is_file() and given.suffix in (".pt", ".pth"):
            return given
        if given.is_dir() and (given / blip.CONFIG).is_file() and (given / blip.WEIGHTS).is_file():
            return given if _is_blip(given) else None
    return None


def retrieval(file: Path) -> tuple[Any, dict[str, Any], Any]:
    """The model of a file, its configuration, and what cuts its texts into tokens; None for CLIP's
    own tokenizer."""
    if file.is_file() and file.suffix == ".pt":
        return *slip.load(file), None
    model, tokenizer = blip.load(file, "retrieval")
    sizes = {
        part: getattr(model.config, part).to_dict() for part in ("vision_config", "text_config")
    }
    config = {"embed_dim": model.text_proj.out_features, **sizes}
    return blip.Retrieval(model), config, blip.Texts(tokenizer)


def weights(found: Path) -> Path:
    """The file with the weights, of what `find` found."""
    return found / blip.WEIGHTS if found.is_dir() else found


def present(found: Path) -> str:
    """The SHA-256 of the file with the weights; a FileNotFoundError where the words that belong to
    it are missing."""
    if found.is_dir() or found.suffix == ".pth":
        blip.words_of(found)
    return checksum(weights(found))


def _is_blip(folder: Path) -> bool:
    return read_json(folder / blip.CONFIG).get("model_type") == "blip"
