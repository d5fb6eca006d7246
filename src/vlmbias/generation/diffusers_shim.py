"""`VQModel` of diffusers, without what diffusers imports beside it.

Comes in: nothing. Goes out: the class. May not: leave a diffusers behind of which parts are
missing.

The class needs a dozen modules. `import diffusers` also imports its other models and pipelines,
transformers and PyTorch's compiler: 6 CPU seconds, where these modules take half a second."""

import importlib
import sys
from functools import cache
from importlib.metadata import version
from typing import Any

from vlmbias.embedding.torchvision_shim import make_torchvision_importable, parts_only

_PACKAGES = (
    "diffusers",
    "diffusers.loaders",
    "diffusers.models",
    "diffusers.models.autoencoders",
    "diffusers.models.transformers",
    "diffusers.models.unets",
)
_IN_VAIN = ("accelerate", "peft", "torch._dynamo", "torchvision", "transformers")


@cache
def vq_model() -> Any:
    """The class `VQModel`; the same one in the whole process."""
    make_torchvision_importable()
    where = "diffusers.models.autoencoders.vq_model"
    if "diffusers" in sys.modules:
        return importlib.import_module(where).VQModel
    with parts_only(_PACKAGES, without=_IN_VAIN):
        vars(sys.modules["diffusers"])["__version__"] = version("diffusers")
        importlib.import_module("diffusers.utils")  # first, as two of its modules need each other
        return importlib.import_module(where).VQModel
