"""The laboratory: a small world with planted biases (`world`), the models trained in it (`train`),
and campaigns that train many of them."""
