import numpy as np
import pytest

import vlmbias as vb


def test_one_call_looks_as_three_rooms_do():
    few = vb.images("greenhouse/causalface", seed=[0], subset="prototype")
    encoder = vb.encoder("greenhouse")
    seen = vb.perceive(few, "greenhouse")
    by_hand = vb.delta_cos(
        vb.embed(encoder, few), vb.embed(encoder, vb.prompts("social_perception"))
    )
    wide = by_hand.pivot(index="image", columns="dimension", values="delta")
    np.testing.assert_allclose(seen.delta()[wide.columns], wide, atol=1e-12)
    assert (seen.source, seen.stimuli, seen.model) == (
        "greenhouse",
        "greenhouse/causalface",
        "greenhouse",
    )
    assert seen.logit_scale == encoder.logit_scale and len(seen.images) == len(seen) == 6


def test_an_unknown_set_is_named_before_any_work():
    with pytest.raises(ValueError, match="no/such"):
        vb.perceive("no/such", "greenhouse")
