"""Embeddings kept on disk, so that no picture is embedded twice.

Comes in: vectors with their content keys. Goes out: the vectors again, checked. May not: return a
vector that is not, bit for bit, what was put in, or is no unit vector of this model; touch a file
that is not its own.

One folder per encoder fingerprint, in it one safetensors file per shard, each named by the SHA-256
of its
own bytes. A shard is written whole under a temporary name and then renamed; it is never changed. So
an interrupted run loses at most the shard it was filling, a damaged file cannot go unnoticed, and
processes
that run at once need no lock: at worst two of them store the same vector. Where the disk is full or
may only be read, a warning says so, and what was computed is used, but not kept.
"""

import hashlib
import re
import time
import warnings
from collections.abc import Iterator, Sequence
from contextlib import suppress
from pathlib import Path

import numpy as np

from vlmbias.whole_files import read_regular, replacing, sweep

_OURS = re.compile(r"[0-9a-f]{64}\.safetensors")
_KEY = 32  # bytes of a key
_UNIT = 1e-4  # by how much the square of a unit vector's length may differ from 1
_ROWS_PER_SHARD = 4096
_SECONDS_PER_SHARD = 20.0


class Store:
    """The stored embeddings of one encoder; used as a context manager, it writes what is pending at
    the end.

    Parameters
    ----------
    folder : where the shards lie; made when the first is written.
    dimension : length of the model's vectors.
    """

    def __init__(self, folder: Path, dimension: int):
        self.folder, self.dimension = folder, dimension
        self._pending, self._since, self._writable = [], time.monotonic(), True

    def __enter__(self) -> "Store":
        return self

    def __exit__(self, *problem: object) -> None:
        self.flush()

    def read(self, seen: set[str] | None = None) -> Iterator[tuple[str, np.ndarray]]:
        """Every stored (key, vector), shard by shard. A damaged shard is named in a warning and
        removed.

        Shards whose names are in `seen` are passed over, and the names of those that were read are
        added to it."""
        sweep(self.folder)
        seen = set() if seen is None else seen
        for shard in sorted(
            path for path in self.folder.glob("*.safetensors") if _OURS.fullmatch(path.name)
        ):
            if shard.stem in seen:
                continue
            try:
                yield from self._checked(shard.stem, read_regular(shard))
                seen.add(shard.stem)
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

    def _checked(self, name: str, content: bytes) -> list[tuple[str, np.ndarray]]:
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
        if not (
            np.abs(np.einsum("ij,ij->i", vectors, vectors) - 1) < _UNIT
        ).all():  # NaN is not, either
            raise ValueError("not unit vectors")
        return list(zip((bytes(key).hex() for key in keys), vectors, strict=True))

    def add(self, keys: Sequence[str], vectors: np.ndarray) -> None:
        """Keep vectors `(n, d)` under their keys; written once enough of them, or enough time, has
        passed."""
        self._pending += zip(map(bytes.fromhex, keys), vectors, strict=True)
        if (
            len(self._pending) >= _ROWS_PER_SHARD
            or time.monotonic() - self._since > _SECONDS_PER_SHARD
        ):
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
        try:
            with replacing(
                self.folder / f"{hashlib.sha256(content).hexdigest()}.safetensors"
            ) as temporary:
                temporary.write_bytes(content)
        except OSError as problem:
            if self._writable:
                warnings.warn(
                    f"embeddings cannot be kept in {str(self.folder)!r}"
                    f" ({problem.strerror or problem}); they are used, and computed anew the next"
                    " time",
                    stacklevel=2,
                )
            self._writable = False
