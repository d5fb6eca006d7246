"""A plan of four networks that learn nothing, by the same steps, and few pictures to judge them."""

import contextlib

import pytest
from tiny_networks import ARCHITECTURE, START

from greenhouse import panel
from greenhouse.train import gates, held_out, readout
from greenhouse.world import truth

SIZES = [
    (held_out, {"SEEDS": 8, "SERIES_SEEDS": 2, "PEOPLE": 6, "ICONS_PER_KIND": 2}),
    (gates, {"SERIES_SEEDS": 2}),
    (readout, {"SERIES_SEEDS": 2, "PAIRS": 20}),
    (panel, {"SCORED_SERIES_SEEDS": 2, "LEAK_SEEDS": 1, "SAMPLE": 12}),
    (panel, {"PORTRAIT_SEEDS": 3, "SERIES_SEEDS": 2, "ICONS_PER_KIND": 2}),
]
CACHED = (held_out.table, held_out.things, panel.scored_images, panel.images, truth._base)


@contextlib.contextmanager
def few_pictures():
    """Held-out pictures and the population are few, and gates let everything through."""
    people = truth.population
    with pytest.MonkeyPatch.context() as patch:
        for module, sizes in SIZES:
            for name, size in sizes.items():
                patch.setattr(module, name, size)
        patch.setattr(truth, "population", lambda n=300, **rest: people(n, **rest))
        patch.setattr(gates, "THRESHOLDS", dict.fromkeys(gates.THRESHOLDS, -2.0))
        for function in CACHED:
            function.cache_clear()
        yield patch
    for function in CACHED:
        function.cache_clear()


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
