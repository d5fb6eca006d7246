"""How vision-language models see people: the thin package under the book.

Stimuli and models come in by name; embeddings, measures, figures and ledger records go out, one
call each. Every public name is loaded from its room on first use, so that importing the package
imports neither torch nor data. The names are listed once, in `__init__.pyi`.

Examples in docstrings go on from `import numpy as np`, `import pandas as pd` and
`import vlmbias as vb`.
"""

from importlib import import_module
from typing import Any

__version__ = "1.0.0"


def _listed() -> dict[str, str]:
    """The public names, each with the module that has it: `from MODULE import NAME as NAME`."""
    with open(f"{__file__}i", encoding="utf-8") as stub:
        lines = [line.split() for line in stub if line.startswith("from ")]
    return {name: module for _, module, _, name, _, _ in lines}


_MODULES = _listed()
__all__ = sorted(_MODULES)  # noqa: PLE0605  # pyright: ignore[reportUnsupportedDunderAll]


def __getattr__(name: str) -> Any:
    if name not in _MODULES:
        raise AttributeError(
            f"module 'vlmbias' has no attribute {name!r}; public names: {', '.join(__all__)}"
        )
    room = vars(import_module(_MODULES[name]))
    return room[name] if name in room else import_module(f"{_MODULES[name]}.{name}")


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
