"""Embeddings kept on disk, so that no picture is embedded twice.

Comes in: vectors with their content keys. Goes out: the vectors again, checked. May not: return a vector
that is not, bit for bit, what was put in.

One folder per encoder fingerprint, in it one safetensors file per shard, each named by the SHA-256 of its
own bytes. A shard is written whole under a temporary name and then renamed; it is never changed. So an
interrupted run loses at most the shard it was filling, a damaged file cannot go unnoticed, and processes
that run at once need no lock: at worst two of them store the same vector.
"""

import hashlib
import time
import warnings
from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np

from vlmbias.whole_files import replacing

_ROWS_PER_SHARD = 4096
_SECONDS_PER_SHARD = 20.0


class Store:
    """The stored embeddings of one encoder; used as a context manager, it writes what is pending at the end.

    Parameters
    ----------
    folder : where the shards lie; made when the first is written.
    """

    def __init__(self, folder: Path):
        self.folder, self._pending, self._since = folder, [], time.monotonic()

    def __enter__(self) -> "Store":
        return self

    def __exit__(self, *problem: object) -> None:
        self.flush()

    def read(self, seen: set[str] | None = None) -> Iterator[tuple[str, np.ndarray]]:
        """Every stored (key, vector), shard by shard. A damaged shard is named in a warning and removed.

        Shards whose names are in `seen` are passed over, and the names of those that were read are added to it.
        """
        from safetensors.numpy import load

        seen = set() if seen is None else seen
        for shard in sorted(self.folder.glob("*.safetensors")):
            if shard.stem in seen:
                continue
            try:
                content = shard.read_bytes()
            except FileNotFoundError:  # another process found it damaged first
                continue
            if hashlib.sha256(content).hexdigest() != shard.stem:
                warnings.warn(f"the stored embeddings {str(shard)!r} are damaged (checksum); computing them anew",
                              stacklevel=2)
                shard.unlink(missing_ok=True)
                continue
            arrays = load(content)
            yield from zip((bytes(key).hex() for key in arrays["keys"]), arrays["vectors"], strict=True)
            seen.add(shard.stem)

    def add(self, keys: Sequence[str], vectors: np.ndarray) -> None:
        """Keep vectors `(n, d)` under their keys; written once enough of them, or enough time, has passed."""
        self._pending += zip(map(bytes.fromhex, keys), vectors, strict=True)
        if len(self._pending) >= _ROWS_PER_SHARD or time.monotonic() - self._since > _SECONDS_PER_SHARD:
            self.flush()

    def flush(self) -> None:
        """Write what is pending as one shard."""
        from safetensors.numpy import save

        self._since = time.monotonic()
        if not self._pending:
            return
        keys, vectors = zip(*self._pending, strict=True)
        content = save({"keys": np.stack([np.frombuffer(key, np.uint8) for key in keys]), "vectors": np.stack(vectors)})
        self._pending = []
        with replacing(self.folder / f"{hashlib.sha256(content).hexdigest()}.safetensors") as temporary:
            temporary.write_bytes(content)
