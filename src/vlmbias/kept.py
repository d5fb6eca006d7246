"""What kept work is called by: one key, made of everything that the work was made from, so that
other contents are other work, and the same contents, wherever and whenever, are not done again; and
what an executed notebook says of its own making."""

import hashlib
import json
from collections.abc import Iterable, Mapping
from functools import cache
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from platform import python_version
from typing import Any

from vlmbias.whole_files import checksum

LOOKS = ("torch", "open_clip_torch", "pillow", "timm", "transformers")
"""The packages that a vector depends on."""
PACKAGES = (
    *("numpy", "scipy", "pandas", "statsmodels", "pingouin", "scikit-learn", "matplotlib"),
    *LOOKS,
    *("diffusers", "kornia"),
)
"""The packages that a number or a page depends on, beside the code of this checkout."""


def key(made_of: Mapping[str, Any], files: Iterable[Path] = ()) -> str:
    """The SHA-256 of named contents and of files, in hexadecimal digits.

    Parameters
    ----------
    made_of : what the work was made from, by name: pictures, tables and words by their content
        (`contents`, or `checksum` of a file), weights, code, versions, settings. Only what JSON can
        say; the order of names does not matter.
    files : further files, each by its name and its bytes, in this order.
    """
    digest = hashlib.sha256(json.dumps(made_of, sort_keys=True).encode())
    for file in files:
        digest.update(file.name.encode() + file.read_bytes())
    return digest.hexdigest()


def contents(folder: Path, names: Iterable[str]) -> str:
    """The key of files below a folder, each by its name there and its bytes.

    Where the folder lies and when a file was written do not matter. What is no file, such as a
    pipe, is passed over, and so is a file that is gone.
    """
    found = {}
    for name in names:
        if (file := folder / name).is_file():
            found[name] = checksum(file)
    return key(found)


@cache
def versions(packages: tuple[str, ...] = PACKAGES) -> dict[str, str]:
    """The versions of packages that this process would import; one that is absent has none."""
    found = {}
    for package in packages:
        try:
            found[package] = version(package)
        except PackageNotFoundError:
            continue
    return found


def kernel() -> dict[str, str]:
    """Python and the packages that compute what is on a page."""
    return {"python": python_version(), **versions()}


def made(executed: Path, results: Path) -> dict[str, Any] | None:
    """The record of the run that left an executed notebook; None if a file is missing or damaged,
    or the results are not those of this run."""
    try:
        about = json.loads(executed.read_bytes())["metadata"]["vlmbias"]
        left = hashlib.sha256(results.read_bytes()).hexdigest()
        return about if about["results_sha256"] == left else None
    except (OSError, ValueError, KeyError, TypeError, RecursionError):
        return None
