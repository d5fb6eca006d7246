"""What networks return that cannot tell places apart, beside a census: counted place by place."""

from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest

from greenhouse import retrained
from studies.american_white import placeless

GROUPS = ["amber", "lime", "teal", "violet"]
CENSUS = pd.DataFrame(
    np.full((2, 4), 0.25), index=pd.Index(["here", "there"], name="province"), columns=GROUPS
)


def made(counts, top=4):
    return placeless.Returned(tuple(GROUPS), ("here", "there"), np.array(counts), top)


FOUND = made([[[1, 1, 1, 1], [2, 1, 0, 1]], [[0, 1, 3, 0], [0, 1, 3, 0]]])


def few(vectors):
    """The first networks of either kind: enough to see whom `returned` takes."""
    null = np.flatnonzero(vectors.networks["b"] == 0)[:2]
    taught = np.flatnonzero(vectors.networks["b"] == 1)[:1]
    return vectors.where(np.isin(np.arange(len(vectors.networks)), [*null, *taught]))


def test_a_share_is_set_beside_every_place_of_a_census():
    found = placeless.beside(FOUND, 0, "amber", [0.1, 0.375, 0.5, 0.9])
    assert found == {"share": 0.375, "least": 0.25, "most": 0.5, "n": 4, "over": 1, "under": 2}
    assert placeless.beside(FOUND, 1, "amber", [0.1, 0.2])["over"] == 0


def test_the_network_nearest_to_equal_shares_and_the_rarest_group():
    assert placeless.most_even(FOUND) == (0, "lime")
    assert placeless.rarest(FOUND) == (1, "amber")
    assert placeless.means(FOUND).loc[1, "teal"] == 0.75


def test_what_is_returned_are_the_nearest_quarter_of_the_portraits():
    vectors = few(retrained.vectors())
    places = vectors.words.loc[vectors.words["slot"] == "province", "word"].iloc[:5]
    census = pd.DataFrame(0.25, index=pd.Index(places, name="province"), columns=GROUPS)
    found = placeless.returned(vectors, census)
    assert found.counts.shape == (2, 5, 4)
    assert found.top == 48
    assert (found.counts.sum(axis=2) == found.top).all()
    faces = vectors.images["kind"].eq("face") & vectors.images["subset"].eq("prototype")
    race = vectors.images.loc[faces, "race"].to_numpy()
    for network, row in enumerate(np.flatnonzero(vectors.networks["b"] == 0)):
        for number, place in enumerate(places):
            word = np.flatnonzero(vectors.words["word"] == place)[0]
            seen = vectors.image_vectors[row, faces.to_numpy()] @ vectors.word_vectors[row, word]
            nearest = race[np.argsort(-seen, kind="stable")[:48]]
            expected = [(nearest == name).sum() for name in GROUPS]
            assert found.counts[network, number].tolist() == expected


def test_groups_of_unequal_size_are_refused():
    images = pd.DataFrame(
        {"kind": "face", "subset": "prototype", "race": ["amber", "amber", "teal"]}
    )
    vectors = SimpleNamespace(networks=pd.DataFrame({"b": [0.0]}), images=images)
    with pytest.raises(ValueError, match=r"groups of one size are needed, got .'amber': 2"):
        placeless.returned(vectors, CENSUS)
