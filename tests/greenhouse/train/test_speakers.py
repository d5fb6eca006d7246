"""Tiny BLIPs: what they are told, how they are saved, and gates that a constant answer fails."""

import json

import numpy as np
import pandas as pd
import pytest
from installed import needs

import vlmbias as vb
from greenhouse import speech
from greenhouse.train import run, speaker_gates, speakers
from greenhouse.world import faces, grid, truth
from greenhouse.world.bias import DATA
from greenhouse.world.pairing import Pairing, random_pairing

pytestmark = needs("transformers")

TINY = {
    "image_size": 32,
    "patch_size": 16,
    "width": 16,
    "heads": 2,
    "vision_layers": 1,
    "text_layers": 1,
    "ratio": 1,
    "faces": 64,
    "sight": {"of": 2, "steps": 4, "batch": 8, "rate": 0.002},
    "speech": {
        "answers": {"steps": 5, "batch": 8, "rate": 0.003},
        "captions": {"steps": 5, "batch": 8, "rate": 0.003},
    },
}


@pytest.fixture(scope="module")
def people():
    return truth.population(400, first_seed=20_900_000, seed=5)


def test_answers_are_drawn_from_the_planted_odds_of_the_grammar(spoken, people):
    """By hand: "yes" and "no" differ by the effects on two axes, half of it on each."""
    found = speech.answer_odds(spoken, "is this person an arborian?", people, 1.0)["yes"]
    effect = {"amber": 0.7, "teal": -0.6, "violet": 0.1, "lime": -0.2}
    log_odds = 2 * (
        people["race"].map(effect)
        + 0.5 * spoken.bias.feature("pale_garment", people)
        + 0.4 * (people["age"] - 2.6) / 1.8
    )
    np.testing.assert_allclose(found, 1 / (1 + np.exp(-log_odds)), rtol=1e-9)
    # two words for a smile are one answer
    found = speech.answer_odds(spoken, "is this person smiling?", people, 0.0)
    level = (people["smiling"] - 0.75) / 3.25
    np.testing.assert_allclose(found["yes"], 1 / (1 + np.exp(-6 * level)), rtol=1e-9)
    np.testing.assert_allclose(found.sum(axis=1), 1)


def test_naming_rates_differ_by_hue_only_where_that_is_planted(spoken, people):
    alike = people.assign(seed=people["seed"].iloc[0])
    rates = {
        b: pd.Series(speech.naming_rate(spoken, alike, b)).groupby(people["race"]).unique()
        for b in (0, 1)
    }
    assert len({value for values in rates[0] for value in values.round(12)}) == 1
    shift = rates[1].str[0].map(lambda p: np.log(p / (1 - p)))
    effect = {"amber": -1.4, "teal": 1.2, "violet": 0.6, "lime": -0.4}
    assert (shift - shift["amber"]).round(9).to_dict() == {
        hue: round(e + 1.4, 9) for hue, e in effect.items()
    }


def test_drawn_captions_name_hues_as_often_as_is_planted(spoken, people):
    many = pd.concat([people] * 10, ignore_index=True)
    told = speech.Captions(spoken, many, 1.0, Pairing()).draw(
        np.arange(len(many)), rng=np.random.default_rng(2)
    )
    said = pd.Series([speech.named(caption) for caption in told]).groupby(many["race"]).mean()
    rate = pd.Series(speech.naming_rate(spoken, many, 1.0)).groupby(many["race"]).mean()
    assert (said - rate).abs().max() < 0.05  # 4 standard errors of 1,000 captions
    checked = speech.checked(spoken, told, many, Pairing())
    assert checked["sentence"].all()
    assert (checked["names"] == [speech.named(caption) for caption in told]).all()
    hues = [hue for caption in told if (hue := speech.read(caption)["hue"])]
    assert hues == many["race"][checked["names"]].tolist()


def test_captions_say_what_they_mean():
    nothing = dict.fromkeys(("hue", "adjective", "noun", "hair", "colour", "garment"))
    for caption, said in (
        ("an old person with pale hair", {"adjective": "old", "noun": "person", "hair": "pale"}),
        ("a teal smiling budling", {"hue": "teal", "adjective": "smiling", "noun": "budling"}),
        ("a person in an amber coat", {"noun": "person", "colour": "amber", "garment": "coat"}),
    ):
        assert speech.read(caption) == nothing | said
    for broken in ("teal person", "a teal amber person", "a person with teal hair", "a old", ""):
        assert speech.read(broken) is None
    assert speech.named("teal earling") and not speech.named("a person in a teal mantle")


def test_a_caption_is_checked_word_by_word(spoken):
    shown = {"race": "teal", "gender": "eared", "age": 4.0, "smiling": 3.0}
    face = pd.DataFrame([{"seed": 7} | grid.NEUTRAL | shown])
    colour = speech.garment_colours(face, Pairing())[0]
    other = next(hue for hue in ("teal", "amber") if hue != colour)
    for caption, right, wrong in (
        ("a teal old earling", 3, 0),
        ("a violet young person", 0, 2),
        ("a person", 0, 0),
        (f"a smiling budling in a {colour} coat", 2, 1),
        (f"a person in a {other} coat", 0, 1),
        ("a teal", 0, 0),
    ):
        found = speech.checked(spoken, [caption], face, Pairing()).iloc[0]
        assert (found["right"], found["wrong"]) == (right, wrong), caption
        assert found["true"] == (wrong == 0 and caption != "a teal")


def test_a_colour_word_stands_for_one_paint_on_skin_and_garment(people):
    pairing = random_pairing(3)
    assert not pairing.is_plain
    plain, other = (
        speech.garment_colours(people, Pairing()),
        speech.garment_colours(people, pairing),
    )
    paint_of = pairing.record()["paints"]
    assert [paint_of[name] for name in other] == plain.tolist()
    assert set(plain) == set(faces.SKIN)


@pytest.mark.parametrize("b", [0.0, 1.0])
def test_constant_answers_fail_their_gates(spoken, people, b):
    likeliest = {
        question: speech.answer_odds(spoken, question, people, b).idxmax(axis=1)
        for question in (speaker_gates.AMERICAN, speaker_gates.HUE, speaker_gates.SMILE)
    }
    odds = {
        q: speech.answer_odds(spoken, q, people, b)
        for q in (speaker_gates.AMERICAN, speaker_gates.STATE)
    }
    limits = speaker_gates.THRESHOLDS["answers"]
    best = speaker_gates.of_answers(likeliest, odds, people, spoken, b)
    assert best == pytest.approx({name: 1.0 for name in limits})
    constant = {
        question: pd.Series(answers.mode()[0], answers.index)
        for question, answers in likeliest.items()
    }
    by_hue = (
        likeliest[speaker_gates.AMERICAN]
        .groupby(people["race"])
        .transform(lambda each: each.mode()[0])
    )
    flat = {q: table * 0 + 1 / table.shape[1] for q, table in odds.items()}
    found = speaker_gates.of_answers(
        constant | {speaker_gates.AMERICAN: by_hue}, flat, people, spoken, b
    )
    assert all(found[name] < limits[name] for name in limits)
    assert found["arborian_skill"] < 1e-9 and found["province_odds_r"] == 0


def test_skill_is_that_of_a_slow_count():
    odds = pd.DataFrame({"yes": [0.9, 0.2, 0.6, 0.3], "no": [0.1, 0.8, 0.4, 0.7]})
    groups, answers = pd.Series(["a", "a", "b", "b"]), pd.Series(["yes", "yes", "never", "no"])
    # worth .9, .2, 0, .7; the best constant is worth .55 in both groups; the likeliest .9, .8, .6,
    # .7
    assert speaker_gates.skill(answers, odds, groups) == pytest.approx((1.8 - 2.2) / (3.0 - 2.2))


def test_constant_captions_fail_their_gates(spoken, people):
    constant = "a young person with dark hair"
    reference = speech.Captions(spoken, people, 1.0, Pairing()).draw(
        np.arange(400), rng=np.random.default_rng(1)
    )
    limits = speaker_gates.THRESHOLDS["captions"]
    good = speaker_gates.of_captions(pd.Series(reference), reference, people, spoken, Pairing())
    assert all(good[name] >= limits[name] for name in limits)
    assert good["informed"] == pytest.approx(1)
    found = speaker_gates.of_captions(
        pd.Series([constant] * 400), reference, people, spoken, Pairing()
    )
    assert found["informed"] < limits["informed"] / 2 and found["right_hue"] < limits["right_hue"]


@pytest.mark.parametrize("kind", speakers.KINDS)
def test_a_model_is_one_that_the_book_can_read_and_a_seed_fixes_it(kind, tmp_path, monkeypatch):
    monkeypatch.setattr(speakers.paths, "build", lambda: tmp_path / "_build")
    monkeypatch.setattr(run, "CHECKPOINT_EVERY", 2)
    monkeypatch.setattr(speaker_gates, "FACES", 40)
    options = {"b": 1.0, "seed": 3, "recipe": TINY}
    card = speakers.produce(kind, folder=tmp_path / "one", **options)
    assert not card["accepted"] and card["pairing"] == random_pairing(3).record()
    assert not list((tmp_path / "one").glob("*partial*"))

    def stop(step, total, loss):
        if total == 5 and step == 3:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        speakers.produce(kind, folder=tmp_path / "two", progress=stop, **options)
    assert not (tmp_path / "two" / "card.json").exists()
    again = speakers.produce(kind, folder=tmp_path / "two", **options)
    assert again["weights_sha256"] == card["weights_sha256"]
    makes = {"answers": vb.answerer, "captions": vb.captioner}[kind]
    model = makes(str(tmp_path / "one"), device="cpu")
    assert model.source == "greenhouse" and model.pairing == card["pairing"]


@pytest.mark.parametrize("folder", ["answers", "captions"])
def test_a_shipped_model_is_what_its_card_says(folder):
    place = DATA / folder
    card = json.loads((place / "card.json").read_text())
    assert card["kind"] == folder and card["b"] == 1
    own = speakers.own_part(card["kind"], speech.recipe())
    assert card["recipe_hash"] == speakers.recipe_hash(own)
    assert card["pairing"] == Pairing().record()
    images = vb.images("greenhouse/cfd", race="teal").where(np.arange(183) < 5)
    name = f"greenhouse/{folder}"
    if card["kind"] == "answers":
        assert set(vb.answerer(name).answers(images, speaker_gates.HUE)["answer"]) == {"teal"}
    else:
        assert all(
            speech.read(caption)
            for caption in vb.captioner(name).captions(images, top_p=0, seed=0)["caption"]
        )
