"""Compiled modules, kept.

Comes in: the environment of this process. Goes out: the same, so that this process and all it
starts compile a module once. May not: write beside the code, or change a choice that the reader
made.

The installation compiles nothing, because most of the modules there are never imported. Python
keeps what it compiles beside the code, unless `PYTHONDONTWRITEBYTECODE` forbids that; every kernel
would then compile PyTorch anew.
"""

import os
import sys

from vlmbias import paths


def keep() -> None:
    """Where Python may not write bytecode beside the code, let it be kept in
    `_build/cache/bytecode`."""
    if os.environ.get("PYTHONDONTWRITEBYTECODE") and not os.environ.get("PYTHONPYCACHEPREFIX"):
        del os.environ["PYTHONDONTWRITEBYTECODE"]
        os.environ["PYTHONPYCACHEPREFIX"] = sys.pycache_prefix = str(
            paths.build() / "cache" / "bytecode"
        )
        sys.dont_write_bytecode = False
