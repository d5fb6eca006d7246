"""What this process and all that it starts inherit: where compiled modules are kept, and what
programs keep in a reader's home, where Python or the home takes no files. A reader's own choice
stays."""

import os
import sys
from pathlib import Path

from vlmbias import paths

# variables that programs look at before the home, and the folder of `_build/home` for each:
# Snakemake, Jupyter and matplotlib end, warn or forget where they cannot write
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


def prepare() -> None:
    """Do all of this, for this process and its children."""
    os.environ["PYTHONUTF8"] = "1"  # what they write is UTF-8, whatever the language of the system
    keep_bytecode()
    replace_unwritable_home()


def keep_bytecode() -> None:
    """Where Python may not write bytecode beside the code, keep it in `_build/cache/bytecode`: else
    every kernel compiles PyTorch anew."""
    if os.environ.get("PYTHONDONTWRITEBYTECODE") and not os.environ.get("PYTHONPYCACHEPREFIX"):
        del os.environ["PYTHONDONTWRITEBYTECODE"]
        os.environ["PYTHONPYCACHEPREFIX"] = sys.pycache_prefix = str(
            paths.build() / "cache" / "bytecode"
        )
        sys.dont_write_bytecode = False


def replace_unwritable_home() -> None:
    """Where nothing can be kept in the home, keep it in `_build/home`; weights that are in the home
    are still found."""
    cache = Path(os.environ.get("XDG_CACHE_HOME") or "~/.cache").expanduser()
    if _writable(cache):
        return
    own, weights = paths.build() / "home", cache / "huggingface"
    os.environ.setdefault("HF_HOME", str(weights if weights.is_dir() else own / "huggingface"))
    for name, folder in INSTEAD.items():
        if name == "XDG_CACHE_HOME" or name not in os.environ:
            os.environ[name] = str(own / folder)


def _writable(folder: Path) -> bool:
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError:
        return False
    return os.access(folder, os.W_OK)
