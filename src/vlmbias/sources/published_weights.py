"""Published models whose weights are a file of their own, which a reader gets and puts in place."""

from pathlib import Path
from typing import NamedTuple

from vlmbias import paths
from vlmbias.sources.catalogue import how

FOLDER = "weights"  # below the reader's own data


class Weights(NamedTuple):
    """The name of a file of weights, and its source in `data/sources/index.yaml`."""

    file: str
    source: str


PUBLISHED = {
    "slip/vitb16-100ep": Weights("slip_base_100ep.pt", "slip-weights"),
    "blip/itm-base-coco": Weights("model_base_retrieval_coco.pth", "blip-weights"),
    "blip/vqa-capfilt-large": Weights("model_base_vqa_capfilt_large.pth", "blip-weights"),
    "blip/caption-capfilt-large": Weights("model_base_caption_capfilt_large.pth", "blip-weights"),
    "vqgan/wikiart-f16-16384": Weights("wikiart_f16_16384_8145600.ckpt", "vqgan-weights"),
}
"""By the name that a model has here. What stands before the slash is its family, the same for all
models of a source."""
_SOURCES = {name.partition("/")[0]: one.source for name, one in PUBLISHED.items()}


def of_family(*families: str) -> list[str]:
    """The names of the published models of these families, such as "slip" and "blip"."""
    return [name for name in PUBLISHED if name.partition("/")[0] in families]


def source_of(model: str) -> str:
    """The source of a model's weights, by its family; empty for a model that is of none."""
    return _SOURCES.get(model.partition("/")[0], "")


def place(name: str) -> Path:
    """Where the file of a published model is; if it is not there, a FileNotFoundError says where
    it belongs and how to get it."""
    found = paths.reader_data() / FOLDER / PUBLISHED[name].file
    if not found.is_file():
        raise FileNotFoundError(
            f"the weights of {name!r} are not at {str(found)!r}. {how(PUBLISHED[name].source)}"
        )
    return found


def files() -> dict[str, tuple[str, ...]]:
    """The files of every source of weights, as they lie below the reader's own data."""
    return {
        source: tuple(f"{FOLDER}/{one.file}" for one in PUBLISHED.values() if one.source == source)
        for source in _SOURCES.values()
    }
