"""Import open_clip where torchvision's compiled operators do not load, and without what it imports
in vain.

Comes in: nothing. Goes out: open_clip, and a process in which `import torchvision` works. May not:
change anything where torchvision works by itself, or leave a torchvision behind of which parts are
missing.

The torchvision of the package index is built for a CUDA torch. Next to a CPU-only torch its
compiled
library cannot be loaded, and `import torchvision` (hence `import open_clip`) stops with "operator
torchvision::nms does not exist". CLIP needs none of those operators, only the transforms, which are
plain Python. Declaring the two schemas that torchvision looks for on import is enough; they get no
implementation, so calling one still fails, loudly.

Of torchvision, open_clip needs `transforms` and one class of `ops.misc`. Importing the package also
imports its models, its operators and with them PyTorch's compiler; so do timm and transformers,
which only some architectures need. Without these, `import open_clip` takes .3 CPU seconds in place
of 1.4, or of 4 where transformers is installed."""

import importlib
import importlib.util
import sys
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from types import ModuleType
from typing import Any

_ADAPTERS = {
    "timm": "open_clip.timm_model",
    "transformers": "open_clip.hf_model",
}  # who imports them, if there
_declared = []  # a torch Library withdraws its schemas when it is collected, so it is kept here


def make_torchvision_importable() -> bool:
    """Declare torchvision's missing operators if its compiled library does not load.

    Call it before `import open_clip` or `import torchvision`; calling it again does nothing.

    Returns
    -------
    bool
        True if the schemas were declared here, now or earlier.
    """
    if _declared or "torchvision" in sys.modules:
        return bool(_declared)
    import torch

    found = importlib.util.find_spec("torchvision")
    for compiled in Path(found.origin).parent.glob("_C.*") if found and found.origin else ():
        try:
            torch.ops.load_library(str(compiled))
        except OSError:
            _declared.append(torch.library.Library("torchvision", "DEF"))
            for operator in ("nms", "qnms"):
                _declared[0].define(
                    f"{operator}(Tensor dets, Tensor scores, float iou_threshold) -> Tensor"
                )
    return bool(_declared)


def import_open_clip() -> Any:
    """open_clip, imported with the parts of torchvision that it uses, without timm and
    transformers, unless these are there already.

    Afterwards torchvision is as if it had not been imported: whoever imports it gets all of it.
    """
    make_torchvision_importable()
    if not {"open_clip", "torchvision", *_ADAPTERS} & sys.modules.keys():
        with parts_only(["torchvision", "torchvision.ops"], without=_ADAPTERS):
            importlib.import_module("open_clip")
    return importlib.import_module("open_clip")


def names() -> list[str]:
    """Every "architecture/weights" that the installed open_clip lists."""
    return ["/".join(one) for one in import_open_clip().list_pretrained()]


def give_to_open_clip(package: str) -> None:
    """Let open_clip build the architectures that need `package`, ``"timm"`` or
    ``"transformers"``."""
    adapter: Any = importlib.import_module(_ADAPTERS[package])
    if getattr(adapter, package) is None:
        importlib.reload(adapter)


@contextmanager
def parts_only(packages: Sequence[str], *, without: Iterable[str] = ()) -> Iterator[None]:
    """While the block lasts, modules of a package are imported alone.

    Afterwards the package is as if it had not been imported: whoever imports it gets all of it.

    Parameters
    ----------
    packages : the package, then those of its subpackages whose own `__init__` is not to run, too.
    without : what is as if not installed, unless it has been imported before.
    """
    whole = packages[0]
    found = importlib.util.find_spec(whole)
    folder = Path(found.origin).parent if found and found.origin else Path()
    absent = [name for name in without if name not in sys.modules]
    for name in packages:
        sys.modules[name] = ModuleType(name)
        sys.modules[name].__path__ = [str(folder.joinpath(*name.split(".")[1:]))]
    for name in absent:  # importing them fails, which must be allowed for
        sys.modules[name] = None  # pyright: ignore[reportArgumentType]
    try:
        yield
    finally:
        for name in [*sys.modules]:
            if any(f"{name}.".startswith(f"{one}.") for one in (whole, *absent)):
                del sys.modules[name]
