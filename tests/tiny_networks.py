"""An architecture that trains in a second, and a warm start of it: they learn nothing, by the same
steps."""

from typing import Any

ARCHITECTURE: dict[str, Any] = {
    "embed_dim": 16,
    "vision": {
        "image_size": 32,
        "patch_size": 16,
        "width": 32,
        "layers": 1,
        "head_width": 16,
        "mlp_ratio": 1.0,
    },
    "text": {"width": 32, "heads": 2, "layers": 1, "mlp_ratio": 1.0},
}
START: dict[str, Any] = {"batch": 16, "pool": {"faces": 64, "icons": 150}}
