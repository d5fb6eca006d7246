"""What retrained networks show, against a loop over networks, pictures and columns."""

from types import SimpleNamespace

import numpy as np
import pandas as pd

from studies.shown import shown


def portraits():
    return SimpleNamespace(
        columns=("competence", "neutral", "warmth"),
        networks=pd.DataFrame({"b": [0, 1, 1, 0], "logit_scale": [2.0, 3.0, 5.0, 7.0]}),
        images=pd.DataFrame({"set": ["grid", "photo", "grid"]}),
        scores=np.arange(36, dtype=np.float32).reshape(4, 3, 3) ** 2,
    )


def test_logits_are_scale_times_delta_for_the_chosen_networks_and_pictures():
    own, chosen = portraits(), [True, True, False, True]
    one = shown(own, ["warmth", "competence"], networks=chosen, images=[True, False, True])
    for i, network in enumerate([0, 1, 3]):
        for j, image in enumerate([0, 2]):
            for k, column in enumerate([2, 0]):
                delta = own.scores[network, image, column] - own.scores[network, image, 1]
                assert one.logits[i, j, k] == own.networks["logit_scale"][network] * delta
    assert one.dimensions == ("warmth", "competence")
    assert one.images["set"].tolist() == ["grid", "grid"]
    assert one.networks["b"].tolist() == [0, 1, 0]
    assert one.where([False, True, True]).logits.tolist() == one.logits[1:].tolist()


def test_a_network_that_was_not_shown_one_of_the_pictures_is_left_out():
    own, all_ = portraits(), np.ones(4, bool)
    own.scores[1, 2, 0] = np.nan
    for images, n in (([True, True, True], 3), ([True, True, False], 4)):
        assert len(shown(own, ["competence"], networks=all_, images=images).networks) == n
