"""Folders for what programs keep in a reader's home, where the home cannot be written to.

Comes in: the environment of this process. Goes out: the same, so that this process and all it
starts keep such things in `_build/home`. May not: change a choice that the reader made, or hide
weights that are in the home already.

Snakemake, Jupyter and matplotlib each end, warn or forget where they cannot write below the home.
"""

import os
from pathlib import Path

from vlmbias import paths

INSTEAD = {
    "XDG_CACHE_HOME": "cache",
    "XDG_CONFIG_HOME": "config",
    "XDG_DATA_HOME": "data",
    "MPLCONFIGDIR": "matplotlib",
    "IPYTHONDIR": "ipython",
    "JUPYTER_CONFIG_DIR": "jupyter/config",
    "JUPYTER_DATA_DIR": "jupyter/data",
    "JUPYTER_RUNTIME_DIR": "jupyter/runtime",
}
"""Variables that programs look at before the home, and the folder of `_build/home` for each."""


def writable(cache: Path) -> bool:
    """Whether a folder is there or can be made, and takes files."""
    try:
        cache.mkdir(parents=True, exist_ok=True)
    except OSError:
        return False
    return os.access(cache, os.W_OK)


def replace_unwritable() -> None:
    """Where nothing can be kept in the home, let it be kept in `_build/home`; weights there are
    still found."""
    cache = Path(os.environ.get("XDG_CACHE_HOME") or os.path.expanduser("~/.cache"))
    if writable(cache):
        return
    os.environ.setdefault(
        "HF_HOME",
        str(
            cache / "huggingface"
            if (cache / "huggingface").is_dir()
            else paths.build() / "home" / "huggingface"
        ),
    )
    for name, folder in INSTEAD.items():
        if name == "XDG_CACHE_HOME" or name not in os.environ:
            os.environ[name] = str(paths.build() / "home" / folder)
