"""What one process need not load twice: the last few models, and the stored vectors of each.

Comes in: the name of a model, or a `Store`. Goes out: the `Encoder`, or every stored vector by its
key. May not: return a model whose files have changed since, or pass over a shard that another
process has written since.
"""

from functools import lru_cache
from pathlib import Path

import numpy as np

from vlmbias.embedding import encoders, published
from vlmbias.embedding.encoders import Encoder
from vlmbias.embedding.store import Store

_MODELS = 4  # at once; a large one takes a gigabyte


def encoder(
    name: str, *, device: str = "auto", precision: str = "float32", own: bool = False
) -> Encoder:
    """A model by name, in eval mode: loaded once per process, and anew if a file of it changes.

    Parameters
    ----------
    name, device, precision : as for `vlmbias.embedding.encoders.encoder`, which lists the names.
    own : True for one that nobody else has, to change its network; else it is shared, and must not
        be changed.

    Returns
    -------
    Encoder

    Raises
    ------
    ValueError, FileNotFoundError
        As `vlmbias.embedding.encoders.encoder`.

    Examples
    --------
    >>> model = vb.encoder("greenhouse")
    >>> model
    Encoder('greenhouse': d = 64, 64 px, float32 on cpu)
    >>> model.encode_texts(["a teal person", "an amber person"]).shape
    (2, 64)
    """
    if own:
        return encoders.encoder(name, device=device, precision=precision)
    return _loaded(name, device, precision, _state(name))


def remembered(store: Store) -> dict[str, np.ndarray]:
    """Every stored vector by its key; only shards that this process has not read yet are read."""
    seen, vectors = _shelf(store.folder)
    vectors.update(store.read(seen))
    return vectors


@lru_cache(maxsize=_MODELS)
def _loaded(name: str, device: str, precision: str, state: tuple) -> Encoder:
    return encoders.encoder(name, device=device, precision=precision)


def _state(name: str) -> tuple:
    """Path, time and size of every file of a model that is read from files: other contents have
    another state."""
    place = published.find(name) or encoders.checkpoint_folder(name)
    found = sorted(place.glob("*")) if place and place.is_dir() else [place] if place else []
    files = ((path.resolve(), path.stat()) for path in found if path.is_file())
    return tuple((str(path), about.st_mtime_ns, about.st_size) for path, about in files)


@lru_cache(maxsize=_MODELS)
def _shelf(folder: Path) -> tuple[set[str], dict[str, np.ndarray]]:
    return set(), {}
