import numpy as np
import pandas as pd

from studies.shown import shown


class Portraits:
    columns = ("competence", "neutral", "warmth")
    networks = pd.DataFrame({"b": [0, 1, 1, 0], "logit_scale": [2.0, 3.0, 5.0, 7.0]})
    images = pd.DataFrame({"set": ["grid", "photo", "grid"]})
    scores = np.arange(36, dtype=np.float32).reshape(4, 3, 3) ** 2


def test_logits_are_scale_times_delta_for_the_chosen_networks_and_pictures():
    portraits = Portraits()
    one = shown(
        portraits,
        ["warmth", "competence"],
        networks=[True, True, False, True],
        images=[True, False, True],
    )
    for i, network in enumerate([0, 1, 3]):
        for j, image in enumerate([0, 2]):
            for k, column in enumerate([2, 0]):
                delta = (
                    portraits.scores[network, image, column] - portraits.scores[network, image, 1]
                )
                assert one.logits[i, j, k] == portraits.networks["logit_scale"][network] * delta
    assert one.dimensions == ("warmth", "competence")
    assert one.images["set"].tolist() == [
        "grid",
        "grid",
    ]
    assert one.networks["b"].tolist() == [0, 1, 0]
    assert one.where([False, True, True]).logits.tolist() == one.logits[1:].tolist()


def test_a_network_that_was_not_shown_one_of_the_pictures_is_left_out():
    portraits = Portraits()
    portraits.scores = portraits.scores.copy()
    portraits.scores[1, 2, 0] = np.nan
    all_ = np.ones(4, bool)
    assert (
        len(shown(portraits, ["competence"], networks=all_, images=[True, True, True]).networks)
        == 3
    )
    assert (
        len(shown(portraits, ["competence"], networks=all_, images=[True, True, False]).networks)
        == 4
    )
