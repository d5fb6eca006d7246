"""Pools and pairs: who is shown, under which paint, with whose caption; against slow counts."""

import hashlib

import numpy as np
import pytest
from people import TURNED

from greenhouse.train import held_out, pool
from greenhouse.train import model as models
from greenhouse.train.batches import Pairs
from greenhouse.train.recipe import Captions, Filter, PicturePool
from greenhouse.world import bias, faces, grid, icons
from greenhouse.world.pairing import Pairing

SMALL = PicturePool(faces=80, icons=150)


def test_a_pool_shows_its_rows_every_second_face_as_a_photo():
    made = pool.make(SMALL, Pairing(), seed=5, size=32)
    assert made.pictures.shape == (230, 32, 32, 3)
    assert made.n_faces == 80 == made.rows["category"].isna().sum()
    people = made.rows.iloc[:80].drop(columns=["category", "exemplar"]).astype({"seed": int})
    assert np.array_equal(made.pictures[:80:2], faces.render(people.iloc[::2], 32))
    photos = people.iloc[1::2].assign(photo=people["seed"].iloc[1::2])
    assert np.array_equal(made.pictures[1:80:2], faces.render(photos, 32))
    assert np.array_equal(
        made.pictures[80:], icons.render(made.rows.iloc[80:].astype({"exemplar": int}), 32)
    )


def test_identities_are_a_network_s_own_and_nobody_s_that_is_held_out():
    largest = PicturePool(faces=100_000, icons=150)
    seen = [pool.people(largest, seed=seed)["seed"] for seed in (0, 1, 16_999)]
    assert all(one.is_unique and one.max() < 2**32 for one in seen)
    assert seen[0].max() < seen[1].min() and seen[1].max() < seen[2].min()
    assert held_out.table()["seed"].max() < seen[0].min()
    assert held_out.table()["seed"].min() >= pool.HELD_OUT_SEED
    assert held_out.things()["exemplar"].max() < pool.FIRST_EXEMPLAR


def test_shares_are_those_of_the_recipe():
    table = pool.people(PicturePool(faces=20_000, shares={"teal": 1, "amber": 3}), seed=4)
    share = table["race"].value_counts(normalize=True)
    assert set(share.index) == {"teal", "amber"} and share["amber"] == pytest.approx(0.75, abs=0.02)
    even = pool.people(PicturePool(faces=20_000), seed=4)["race"].value_counts(normalize=True)
    assert set(even.index) == set(grid.HUES) and np.allclose(even, 0.25, atol=0.02)


def test_a_rule_keeps_exactly_the_faces_above_it():
    said = Captions(filter=Filter(feature="pale_garment", above=0.1))
    many = PicturePool(faces=200, icons=150)
    made, table = (
        pool.make(many, Pairing(), seed=5, size=32, captions=said),
        pool.people(many, seed=5),
    )
    expected = [
        row.seed
        for row in table.itertuples()
        if bias.load().feature("pale_garment", table.loc[[row.Index]])[0] > 0.1
    ]
    assert made.rows["seed"].dropna().tolist() == expected
    assert 64 <= made.n_faces == len(expected) < 200
    few = Captions(filter=Filter(feature="pale_garment", above=0.9))
    with pytest.raises(ValueError, match=r"'pale_garment' leaves \d+ faces; at least 64"):
        pool.make(SMALL, Pairing(), seed=5, size=32, captions=few)


def test_a_batch_has_its_share_of_icons_and_faces_come_first(spoken, shown):
    pairs = Pairs(spoken, shown, Captions())
    index, caption, n_faces = pairs.draw(40, 0.25, rng=np.random.default_rng(0))
    assert len(index) == len(caption) == 40 and n_faces == 30
    assert (index[:30] < shown.n_faces).all() and (index[30:] >= shown.n_faces).all()
    again = pairs.draw(40, 0.25, rng=np.random.default_rng(0))
    assert np.array_equal(again[0], index) and np.array_equal(again[1], caption)


@pytest.mark.parametrize(("centred", "look"), [(False, None), (True, TURNED)])
def test_a_model_keeps_the_pairs_it_likes_best(spoken, shown, tiny, tmp_path, centred, look):
    """The same draws, every cosine one by one: the upper half of the faces and the upper half of
    the icons. Centred, less the caption's mean cosine with all faces or icons; the model sees the
    faces in the looks of its own card."""
    import torch

    torch.manual_seed(1)
    earlier = models.build(
        tiny.model_config_for(len(spoken.vocabulary.words), spoken.vocabulary.context_length)
    )
    card = {"pairing": look.record()} if look else {}
    models.save(earlier, tmp_path, recipe=tiny, vocabulary=spoken.vocabulary, card=card)
    judge, _ = models.load(tmp_path)
    seen = pool.make(tiny.pool, look, seed=3, size=32).pictures if look else shown.pictures
    assert look is None or not np.array_equal(seen, shown.pictures)
    plain = Pairs(spoken, shown, Captions())
    picky = Pairs(
        spoken, shown, Captions(filter=Filter(model=str(tmp_path), keep=0.5, centred=centred))
    )
    index, caption, n_faces = picky.draw(16, 0.25, rng=np.random.default_rng(2))
    assert n_faces == 12 and len(index) == 16
    rng, kept = np.random.default_rng(2), []
    for n, kind in ((12, (24, 0)), (4, (0, 8))):
        rows = plain._rows(*kind, rng)
        said = plain._captions(rows, rng)
        own = slice(0, shown.n_faces) if kind[0] else slice(shown.n_faces, None)
        cosine = [
            (
                (models.embed_pictures(judge, seen[[i]]) @ words.T).item()
                - centred * (models.embed_pictures(judge, seen[own]) @ words.T).mean()
            )
            for i, c in zip(rows, said, strict=True)
            for words in [models.embed_tokens(judge, plain.tokens[[c]])]
        ]
        best = sorted(range(len(rows)), key=lambda k, cosine=cosine: -cosine[k])[:n]
        kept += sorted((rows[k], said[k]) for k in best)
    assert sorted(zip(index, caption, strict=True)) == sorted(kept)


PIXELS = {"e6b608f52308": "c06163b870c7f9b5"}
"""What each version of the renderer paints."""


def test_the_renderers_version_is_another_with_every_change_of_a_pixel():
    """Warm starts are called by it, so that none is taken for one that has seen other pictures."""
    shown = pool.make(SMALL, TURNED, seed=5, size=32).pictures
    found = hashlib.sha256(shown.tobytes()).hexdigest()[:16]
    assert PIXELS.get(pool.RENDERER) == found, (
        f"pictures are not those of RENDERER {pool.RENDERER!r} (greenhouse.train.pool): give it "
        f"another word, write {found!r} beside that here, and train again what ships"
    )
