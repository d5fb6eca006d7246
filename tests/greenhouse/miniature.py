"""A plan of four networks that learn nothing, by the same steps."""

from tiny_networks import ARCHITECTURE, START

SMALL = {
    "draw": 1,
    "faces": [450],
    "attempts": 2,
    "checkpoints": 1,
    "again": "planted-002",
    "schedule": {"steps": 5, "batch": 16, "locked_steps": 3, "locked_batch": 16, "joint_steps": 1},
    "data": {"balanced": {"models": 1, "captions": {"balance": 1.0}}, "common": {"models": 2}},
    "architectures": {
        "vit": {
            "models": 3,
            "null_models": 1,
            "sizes": {"tiny": ARCHITECTURE},
            "starts": {"tiny": START | {"of": 1, "steps": 3}},
        }
    },
}
