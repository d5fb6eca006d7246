"""The laboratory: a small world with planted biases (`world`), the models trained in it (`train`),
and campaigns that train many of them."""

SEEDS = 17_000  # networks have seeds below this; pools of pictures above it are of warm starts
