"""A network as it was drawn at random is told from one that was trained, whatever its file is
called."""

import torch

import vlmbias as vb
from vlmbias.embedding import checkpoints


def test_random_weights_are_known_by_their_normalisations():
    network = vb.encoder("RN50-quickgelu/random", own=True).network
    assert checkpoints.untrained(network)
    one = next(layer for layer in network.modules() if isinstance(layer, torch.nn.LayerNorm))
    with torch.no_grad():
        one.bias[0] = 1e-6
    assert not checkpoints.untrained(network)


def test_the_shipped_networks_are_trained():
    assert not checkpoints.untrained(vb.encoder("greenhouse").network)
