"""Import open_clip where torchvision's compiled operators do not load, and without what it imports
in vain.

The torchvision of the package index is built for a CUDA torch. Next to a CPU-only torch its
compiled library cannot be loaded, and `import torchvision` (hence `import open_clip`) stops with
"operator torchvision::nms does not exist". CLIP needs none of those operators, only the transforms,
which are plain Python. Declaring the two schemas that torchvision looks for on import is enough;
they get no implementation, so calling one still fails, loudly.

Of torchvision, open_clip needs `transforms` and one class of `ops.misc`. Importing the package also
imports its models, its operators and with them PyTorch's compiler; so do timm and transformers,
which only some architectures need. Without these, `import open_clip` takes a quarter of the time or
less; it is in every kernel of the book.
"""

import importlib
import importlib.util
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

_ADAPTERS = {  # who imports them, if there
    "timm": "open_clip.timm_model",
    "transformers": "open_clip.hf_model",
}
_declared = []  # a torch Library withdraws its schemas when it is collected, so it is kept here


def make_torchvision_importable() -> None:
    """Declare torchvision's missing operators if its compiled library does not load; to be called
    before anything imports torchvision. Calling it again does nothing."""
    if _declared or "torchvision" in sys.modules:
        return
    import torch

    for compiled in _torchvision().glob("_C.*"):
        try:
            torch.ops.load_library(str(compiled))
        except OSError:
            _declared.append(torch.library.Library("torchvision", "DEF"))
            for operator in ("nms", "qnms"):
                _declared[0].define(
                    f"{operator}(Tensor dets, Tensor scores, float iou_threshold) -> Tensor"
                )


def import_open_clip() -> Any:
    """open_clip, imported with the parts of torchvision that it uses, without timm and
    transformers, unless these are there already.

    Afterwards they are as if they had not been imported: whoever imports one gets all of it.
    """
    make_torchvision_importable()
    if not {"open_clip", "torchvision", *_ADAPTERS} & sys.modules.keys():
        folder = _torchvision()
        for name, place in (("torchvision", folder), ("torchvision.ops", folder / "ops")):
            sys.modules[name] = ModuleType(name)  # a package whose `__init__` does not run
            sys.modules[name].__path__ = [str(place)]
        for name in _ADAPTERS:  # importing them fails, which open_clip allows for
            sys.modules[name] = None  # pyright: ignore[reportArgumentType]
        try:
            importlib.import_module("open_clip")
        finally:
            for name in [*sys.modules]:
                if name.partition(".")[0] in ("torchvision", *_ADAPTERS):
                    del sys.modules[name]
    return importlib.import_module("open_clip")


def give_to_open_clip(package: str) -> None:
    """Let open_clip build the architectures that need `package`, ``"timm"`` or
    ``"transformers"``."""
    adapter: Any = importlib.import_module(_ADAPTERS[package])
    if getattr(adapter, package) is None:
        importlib.reload(adapter)


def _torchvision() -> Path:
    """The folder of the package, which need not be importable."""
    found: Any = importlib.util.find_spec("torchvision")  # which open_clip brings
    return Path(found.origin).parent
