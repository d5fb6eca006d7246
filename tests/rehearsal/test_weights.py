"""Weights from a hub: fetched once, resumed, refused where they are not what the hub says."""

import numpy as np
import pytest

import vlmbias as vb
from runner import used

from .networks import FILE, REPOSITORIES, TINY, content

NAME, REPOSITORY = "ViT-B-32-quickgelu/openai", REPOSITORIES["ViT-B-32-quickgelu"][1]
WHOLE = f"{REPOSITORY}/{FILE}"


def test_a_connection_that_breaks_goes_on_where_it_broke(hub):
    hub.cut[WHOLE] = 1_000_000
    vectors = np.asarray(vb.embed(vb.encoder(NAME), ["a cat", "a dog"], store=False))
    assert np.abs(vectors[0] - vectors[1]).max() > 1e-3
    parts = [part for path, part in hub.downloads() if path.endswith(FILE)]
    assert parts[0] == "" and [int(part[6:].partition("-")[0]) for part in parts[1:]] == [1_000_000]


def test_what_is_here_is_not_asked_for_again_and_needs_no_hub(hub):
    vb.encoder(NAME)
    before = len(hub.asked)
    used._state.cache_clear()
    assert used._state("model", NAME)["available"]
    ((method, path, _),) = hub.asked[before:]  # whether the file is still the same, and no more
    assert method == "HEAD" and path.endswith(FILE)
    hub.down = True
    encoder = vb.encoder(NAME, own=True)
    assert encoder.dimension == 32 and encoder.name == f"{NAME} (untrained)"
    assert not [one for one in hub.asked[before:] if one[0] == "GET"]


def test_weights_of_the_right_size_and_another_content_are_refused(hub):
    """What a mirror or a proxy may send: the headers of the file, and zeros."""
    hub.wrong.add(WHOLE)
    with pytest.raises((ValueError, OSError), match=r"damaged.*SHA-256"):
        vb.encoder(NAME)


def test_weights_of_another_network_are_called_that_and_not_missing(hub):
    other = dict(
        TINY["ViT-B-32-quickgelu"], text_cfg=TINY["ViT-B-32-quickgelu"]["text_cfg"] | {"layers": 2}
    )
    hub.files[WHOLE] = content(other)
    with pytest.raises(
        ValueError, match=r"open_clip_model\.safetensors' do not fit its architecture.*Unexpected"
    ):
        vb.encoder(NAME)
