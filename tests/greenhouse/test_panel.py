"""The sets that networks are scored on: what they say they are, shown as rendered, never trained
on."""

import numpy as np
from people import TURNED

from greenhouse import panel
from greenhouse.train import pool
from greenhouse.world import faces, grammar, grid

TABLE = panel.scored_images()


def test_nobody_was_trained_on_and_people_differ_in_hue_and_crest_alone():
    people, grid_set, leak = (TABLE[TABLE["set"] == name] for name in ("people", "grid", "leak"))
    assert people["seed"].nunique() == 100 and (people.groupby("seed").size() == 8).all()
    attributes = people.groupby("seed")[["age", "smiling", "lighting", "pose"]].nunique()
    assert (attributes == 1).all(axis=None)
    for shown in (people, grid_set):
        assert shown["seed"].between(pool.HELD_OUT_SEED, pool.FIRST_SEED - 1).all()
        assert not set(shown["seed"]) & set(panel.images()["seed"].dropna())
    assert set(leak["seed"]) < set(grid_set["seed"]) and set(leak["leak"]) == {0.25, 0.5, 1.0}
    assert (leak.groupby(["seed", "race", "gender", "subset", "leak"]).size() == 10).all()
    assert (TABLE.query("set != 'leak'")["leak"] == 0).all()
    for kind in grid.OBSERVED:
        own, made = TABLE[TABLE["set"] == kind], getattr(grid, kind)(panel.SAMPLE)
        assert np.array_equal(
            own[list(made)].drop(columns="seed").dropna(axis=1), made.drop(columns="seed")
        )


def test_leaking_pictures_are_those_of_the_renderer(monkeypatch):
    leak = TABLE[TABLE["set"] == "leak"]
    few = leak[(leak["seed"] == leak["seed"].min()) & (leak["race"] == "teal")]
    monkeypatch.setattr(panel, "scored_images", lambda: few)
    pictures, table = panel.scored_pictures("leak", TURNED, 32), few.reset_index(drop=True)
    assert len(pictures) == len(table) == 120
    for k in range(0, len(table), 13):
        row = table.drop(columns="photo").iloc[[k]]
        name, strength = row["subset"].item(), row["leak"].item()
        leaks = {panel.LEAKS[name]: strength}
        assert np.array_equal(pictures[k], faces.render(row, 32, leaks=leaks, pairing=TURNED)[0])
        # a leak of age or smiling leaves the prototype alone
        at_rest = row[name].item() == grid.NEUTRAL[name]
        plain = faces.render(row, 32, pairing=TURNED)[0]
        assert np.array_equal(pictures[k], plain) == at_rest


def test_a_word_is_kept_with_the_sentences_of_its_slot():
    spoken = grammar.load()
    table, sentences = panel.words(spoken)
    assert table["n_sentences"].tolist() == [len(texts) for texts in sentences]
    assert table["n_sentences"].min() >= 1
    for row, texts in zip(table.to_dict("records"), sentences, strict=True):
        assert row["first_sentence"] == texts[0] and spoken.vocabulary.encode(texts).any()
        assert row["slot"] == "neutral" or all(f" {row['word']} " in f" {text} " for text in texts)
        assert len(set(texts)) == len(texts)
    trustworthy = table.set_index("word").loc["trustworthy"]
    assert set(trustworthy["axes"].split(";")) == {"warmth", "positive_communion"}
    assert table["slot"].tolist()[-1] == "neutral" and set(table["slot"]) == {
        *panel.SLOTS,
        "neutral",
    }
