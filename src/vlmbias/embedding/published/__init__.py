"""Checkpoints as their authors published them, SLIP (`.pt`) and BLIP (`.pth`, or a folder in
transformers' layout), turned into models of kept libraries. What a converter has to set beside the
weights, because it would load without complaint when wrong, stands in its docstring."""

from pathlib import Path
from typing import Any

from vlmbias import paths
from vlmbias.embedding.published import blip, slip
from vlmbias.sources.published_weights import of_family, place
from vlmbias.whole_files import checksum, read_json

NAMES = of_family("slip", "blip")
"""The published models that are read here."""


def find(name: str) -> Path | None:
    """The file or folder of a published model, by its name here or by its path; None for a name
    that stands for none, a FileNotFoundError where the file of a known name is not there."""
    if name in NAMES:
        return place(name)
    for given in paths.meant_by(name):
        if given.is_file() and given.suffix in (".pt", ".pth"):
            return given
        if given.is_dir() and (given / blip.CONFIG).is_file() and (given / blip.WEIGHTS).is_file():
            is_blip = read_json(given / blip.CONFIG).get("model_type") == "blip"
            return given if is_blip else None
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
