"""Embeddings kept on disk, so that no picture is embedded twice; what comes back is, bit for bit,
what was put in.

One folder per encoder fingerprint, in it one safetensors file per shard, each named by the SHA-256
of its own bytes. A shard is written whole under a temporary name and then renamed; it is never
changed. So an interrupted run loses at most the shard it was filling, a damaged file cannot go
unnoticed, and processes that run at once need no lock: at worst two of them store the same vector.
Where the disk is full or may only be read, a warning says so, and what was computed is used, but
not kept.
"""

import hashlib
import re
import time
import warnings
from collections.abc import Sequence
from contextlib import suppress
from functools import lru_cache
from pathlib import Path

import numpy as np

from vlmbias.whole_files import read_regular, sweep, write

_OURS = re.compile(r"[0-9a-f]{64}\.safetensors")
_KEY = 32  # bytes of a key
_UNIT = 1e-4  # by how much the square of a unit vector's length may differ from 1
_ROWS_PER_SHARD = 4096
_SECONDS_PER_SHARD = 20.0


class Store:
    """The stored embeddings of one encoder, of length `dimension`, in a folder that is made when
    the first is written; used as a context manager, it writes what is pending at the end."""

    def __init__(self, folder: Path, dimension: int):
        self.folder, self.dimension = folder, dimension
        self._pending, self._since, self._writable = [], time.monotonic(), True

    def __enter__(self) -> "Store":
        return self

    def __exit__(self, *problem: object) -> None:
        self.flush()

    def read(self) -> dict[str, np.ndarray]:
        """Every stored vector by its key; a process reads a shard once, and those of others as they
        come. A damaged shard is named in a warning and removed."""
        sweep(self.folder)
        seen, vectors = _known(self.folder)
        for shard in sorted(self.folder.glob("*.safetensors")):
            if not _OURS.fullmatch(shard.name) or shard.name in seen:
                continue
            try:
                vectors.update(self._checked(shard.stem, read_regular(shard)))
                seen.add(shard.name)
            except FileNotFoundError:  # another process found it damaged first
                continue
            except OSError as problem:
                warnings.warn(
                    f"the stored embeddings {str(shard)!r} cannot be read ({problem.strerror});"
                    " computing them anew",
                    stacklevel=2,
                )
            except ValueError as problem:
                warnings.warn(
                    f"the stored embeddings {str(shard)!r} are damaged ({problem}); computing them"
                    " anew",
                    stacklevel=2,
                )
                with suppress(OSError):
                    shard.unlink(missing_ok=True)
        return vectors

    def _checked(self, name: str, content: bytes) -> dict[str, np.ndarray]:
        """What a shard holds; a ValueError says why it cannot be what was put in."""
        from safetensors.numpy import load

        if hashlib.sha256(content).hexdigest() != name:
            raise ValueError("checksum")
        try:
            arrays = load(content)
            keys, vectors = arrays["keys"], arrays["vectors"]
        except Exception as problem:  # the name fits, but somebody else gave it
            raise ValueError(f"no shard: {problem}") from problem
        shapes = (keys.dtype, vectors.dtype, keys.shape, vectors.shape)
        if shapes != (np.uint8, np.float32, (len(keys), _KEY), (len(keys), self.dimension)):
            raise ValueError(
                f"not {self.dimension} float32 per key: {vectors.dtype} {vectors.shape}"
            )
        lengths = np.einsum("ij,ij->i", vectors, vectors)
        if not (np.abs(lengths - 1) < _UNIT).all():  # NaN is not, either
            raise ValueError("not unit vectors")
        return dict(zip((bytes(key).hex() for key in keys), vectors, strict=True))

    def add(self, keys: Sequence[str], vectors: np.ndarray) -> None:
        """Keep vectors `(n, d)` under their keys; written once enough of them, or enough time, has
        passed."""
        self._pending += zip(map(bytes.fromhex, keys), vectors, strict=True)
        waited = time.monotonic() - self._since
        if len(self._pending) >= _ROWS_PER_SHARD or waited > _SECONDS_PER_SHARD:
            self.flush()

    def flush(self) -> None:
        """Write what is pending as one shard."""
        from safetensors.numpy import save

        self._since = time.monotonic()
        if not self._pending:
            return
        keys, vectors = zip(*self._pending, strict=True)
        content = save(
            {
                "keys": np.stack([np.frombuffer(key, np.uint8) for key in keys]),
                "vectors": np.stack(vectors),
            }
        )
        self._pending = []
        shard = self.folder / f"{hashlib.sha256(content).hexdigest()}.safetensors"
        try:
            write(shard, content)
        except OSError as problem:
            if self._writable:
                warnings.warn(
                    f"embeddings cannot be kept in {str(self.folder)!r}"
                    f" ({problem.strerror or problem}); they are used, and computed anew the next"
                    " time",
                    stacklevel=2,
                )
            self._writable = False


@lru_cache(maxsize=4)
def _known(folder: Path) -> tuple[set[str], dict[str, np.ndarray]]:
    """What this process has read of a folder: the names of shards, and vectors by their keys."""
    return set(), {}
