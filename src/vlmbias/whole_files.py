"""Files, whole or not at all: written through a temporary name, read only if they are files, and
YAML read with errors that give the line.
"""

import hashlib
import json
import math
import os
import stat
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from functools import lru_cache
from pathlib import Path
from typing import Any, TypeVar

import yaml
from pydantic import ValidationError

Thing = TypeVar("Thing")
_LARGEST = 1_000_000  # values of a YAML file


@contextmanager
def replacing(path: Path) -> Iterator[Path]:
    """A temporary path in the folder of `path`, which becomes `path` at the end of the block,
    unless that fails."""
    path.parent.mkdir(parents=True, exist_ok=True)
    temporary = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        yield temporary
        os.replace(temporary, path)
    finally:
        # fails where the folder may only be read: what went wrong before says more
        with suppress(OSError):
            temporary.unlink(missing_ok=True)


def sweep(folder: Path) -> None:
    """Remove what `replacing` left below a folder when its process was killed: older than a minute,
    and nobody's."""
    for path in folder.rglob(".*"):
        process = path.name.rpartition(".")[2]
        with suppress(OSError):  # another process may sweep too
            left = process.isdecimal() and time.time() - path.stat().st_mtime > 60
            if left and not _lives(int(process)):
                path.unlink()


def _lives(process: int) -> bool:
    try:
        os.kill(process, 0)
    except (ProcessLookupError, OverflowError):
        return False
    except PermissionError:
        pass
    return True


class NotAFile(OSError):
    """Something else stands where a file should."""

    def __str__(self) -> str:
        return f"{self.filename!r} is {self.strerror}; put the file itself there"


def read_regular(path: Path, most: int | None = None) -> bytes:
    """The bytes of a regular file, or of a link to one, or the first `most`; an `OSError` for
    anything else: a pipe or a device is never waited for."""
    # opening a pipe would wait for its writer
    opened = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
    about = os.fstat(opened)
    if not stat.S_ISREG(about.st_mode):
        os.close(opened)
        raise NotAFile(None, "not a regular file but a folder, pipe, socket or device", str(path))
    with open(opened, "rb") as file:
        return file.read(about.st_size if most is None else most)


def read_json(path: Path) -> dict[str, Any]:
    """The entries of a JSON file; a `ValueError` that names it, if it is no JSON or holds something
    else."""
    try:
        found = json.loads(read_regular(path))
    except (ValueError, RecursionError) as problem:
        raise ValueError(
            f"{path.name} is no JSON, perhaps cut short ({problem}); fetch it again"
        ) from None
    if not isinstance(found, dict):
        raise ValueError(
            f"{path.name} holds a {type(found).__name__}, not entries with names; fetch it again"
        )
    return found


def checksum(path: Path) -> str:
    """The SHA-256 of a regular file's bytes, about a second per 600 MB; once per process, and again
    if the file is another one or was written to. An `OSError` for anything else."""
    about = path.stat()
    if not stat.S_ISREG(about.st_mode):
        raise NotAFile(None, "not a regular file but a folder, pipe, socket or device", str(path))
    state = (about.st_dev, about.st_ino, about.st_size, about.st_mtime_ns, about.st_ctime_ns)
    return _checksum(path, *state)


@lru_cache(maxsize=500_000)  # several notebooks use the pictures of one large set
def _checksum(path: Path, *state: int) -> str:
    with open(path, "rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def write(path: Path, content: bytes | str) -> None:
    """Write a file, whole or not at all; text in UTF-8, its line ends as they are."""
    with replacing(path) as temporary:
        temporary.write_bytes(content.encode() if isinstance(content, str) else content)


def write_json(path: Path, content: Any) -> None:
    """Write JSON; a file that already holds it is left as it is, with its time."""
    text = json.dumps(content, indent=1, sort_keys=True, ensure_ascii=False, allow_nan=False) + "\n"
    if not path.is_file() or path.read_bytes() != text.encode():
        write(path, text)


class _Loader(yaml.CSafeLoader):
    """PyYAML's safe loader (in C, ten times as fast), but a key given twice is an error."""

    def flatten_mapping(self, node: yaml.MappingNode) -> None:
        keys = [str(key.value) for key, _ in node.value]
        if twice := next((key for key in keys if keys.count(key) > 1), None):
            raise yaml.MarkedYAMLError(
                problem=f"{twice!r} is given twice", problem_mark=node.start_mark
            )
        super().flatten_mapping(node)


def read_yaml(
    path: Path, build: Callable[[Any], Thing], error: type[ValueError] = ValueError
) -> Thing:
    """What `build`, a pydantic model's validation, makes of a YAML file; an `error` with folder,
    file, line, place and rule for one that is not YAML or that `build` refuses."""
    try:
        return build(plain_yaml(path.read_bytes()))
    except ValidationError as problem:
        first = problem.errors()[0]
        if missing := [one["loc"] for one in problem.errors() if one["type"] == "missing"]:
            lacking = ", ".join(".".join(map(str, place)) for place in missing)
            raise error(located(path, missing[0], f"{lacking}: required, and missing")) from problem
        rule = f"{'.'.join(map(str, first['loc']))}: {first['msg'].removeprefix('Value error, ')}"
        if first["type"] == "string_type":
            rule += f"; to YAML, it is {first['input']!r}: put it into quotation marks"
        raise error(located(path, first["loc"], rule)) from problem
    except Exception as problem:  # PyYAML lets KeyError, ValueError and others out of odd scalars
        line = getattr(getattr(problem, "problem_mark", None), "line", 0) + 1
        raise error(
            f"{path.parent.name}/{path.name}:{line}: not readable as YAML of its kind: {problem}"
        ) from problem


def plain_yaml(content: bytes) -> Any:
    """What YAML says, in plain containers; an error for what is no YAML, a key given twice, and
    aliases that stand for so much that it could not be looked through."""
    loader = _Loader(content)
    try:
        node = loader.get_single_node()
        if node is None:
            return None
        if _spelt_out(node, {}) > _LARGEST:
            raise ValueError(f"its aliases (*name) stand for more than {_LARGEST:,} values")
        return loader.construct_document(node)
    finally:
        loader.dispose()


def _spelt_out(node: yaml.Node, known: dict[int, float]) -> float:
    """How many values a node holds, each alias counted as what it stands for; of one that holds
    itself, infinite."""
    if not isinstance(node, yaml.CollectionNode):
        return 1
    if id(node) not in known:
        known[id(node)] = math.inf
        pairs = isinstance(node, yaml.MappingNode)
        below = [one for pair in node.value for one in pair] if pairs else node.value
        known[id(node)] = 1 + sum(_spelt_out(one, known) for one in below)
    return known[id(node)]


def located(path: Path, place: tuple[str | int, ...], rule: str) -> str:
    """`rule` after file and line: that of the deepest node on the way to `place` in a file that is
    YAML."""
    node = yaml.compose(path.read_bytes(), Loader=_Loader)
    for key in place:
        if isinstance(node, yaml.SequenceNode) and isinstance(key, int):
            node = node.value[key]
        elif isinstance(node, yaml.MappingNode):
            node = next((value for name, value in node.value if name.value == key), node)
    return f"{path.parent.name}/{path.name}:{node.start_mark.line + 1 if node else 1}: {rule}"
