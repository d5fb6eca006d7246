"""What one process need not load twice: the last few models, and the stored vectors of each.

Comes in: the name of a model, or a `Store`. Goes out: the `Encoder`, or every stored vector by its key. May not:
return a model whose files have changed since, or pass over a shard that another process has written since.
"""

from functools import lru_cache
from pathlib import Path

import numpy as np

from vlmbias.embedding.encoders import Encoder, checkpoint_folder, encoder
from vlmbias.embedding.store import Store

_MODELS = 4  # at once; a large one takes a gigabyte


def loaded(name: str, *, device: str = "auto", precision: str = "float32") -> Encoder:
    """The model that `encoder` loads, loaded once per process and anew if a file in its folder changes.

    It is shared by all who ask for it, so it must not be changed.

    Parameters
    ----------
    name, device, precision : as for `encoder`.

    Returns
    -------
    Encoder
    """
    return _loaded(name, device, precision, _state(checkpoint_folder(name)))


def remembered(store: Store) -> dict[str, np.ndarray]:
    """Every stored vector by its key; only shards that this process has not read yet are read."""
    seen, vectors = _shelf(store.folder)
    vectors.update(store.read(seen))
    return vectors


@lru_cache(maxsize=_MODELS)
def _loaded(name: str, device: str, precision: str, state: tuple) -> Encoder:
    return encoder(name, device=device, precision=precision)


def _state(folder: Path | None) -> tuple:
    """Path, time and size of every file of a folder: other contents have another state."""
    files = ((path, path.stat()) for path in (sorted(folder.glob("*")) if folder else ()) if path.is_file())
    return tuple((str(path), about.st_mtime_ns, about.st_size) for path, about in files)


@lru_cache(maxsize=_MODELS)
def _shelf(folder: Path) -> tuple[set[str], dict[str, np.ndarray]]:
    return set(), {}
