"""A plan of four networks that learn nothing, by the same steps."""

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
            "sizes": {
                "tiny": {
                    "embed_dim": 16,
                    "text": {"width": 32, "heads": 2, "layers": 1, "mlp_ratio": 1.0},
                    "vision": {
                        "image_size": 32,
                        "patch_size": 16,
                        "width": 32,
                        "layers": 1,
                        "head_width": 16,
                        "mlp_ratio": 1.0,
                    },
                }
            },
            "starts": {
                "tiny": {"of": 1, "steps": 3, "batch": 16, "pool": {"faces": 64, "icons": 150}}
            },
        }
    },
}
