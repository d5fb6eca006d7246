"""Let `import open_clip` work where torchvision's compiled operators do not load.

Comes in: nothing. Goes out: a process in which `import torchvision` works. May not: change anything
where torchvision works by itself.

The torchvision of the package index is built for a CUDA torch. Next to a CPU-only torch its compiled
library cannot be loaded, and `import torchvision` (hence `import open_clip`) stops with "operator
torchvision::nms does not exist". CLIP needs none of those operators, only the transforms, which are
plain Python. Declaring the two schemas that torchvision looks for on import is enough; they get no
implementation, so calling one still fails, loudly.
"""

import importlib.util
import sys
from pathlib import Path

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
                _declared[0].define(f"{operator}(Tensor dets, Tensor scores, float iou_threshold) -> Tensor")
    return bool(_declared)
