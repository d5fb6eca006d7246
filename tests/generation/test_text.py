"""Answers and captions, against decoding written out step by step; each decoding setting that
matters is changed once."""

import numpy as np
import pytest
import torch
from embedding.by_hand import linear, norm
from embedding.test_blip import WORDS, bert_by_hand, image_by_hand, published, write
from fake_cuda import FakeCuda
from installed import needs
from PIL import Image

import vlmbias as vb

pytestmark = needs("transformers")
DEC, ENC, SEP = len(WORDS), len(WORDS) + 1, 3
QUESTION = "is this person an american?"


@pytest.fixture(scope="module")
def models(tmp_path_factory):
    folder = tmp_path_factory.mktemp("blip")
    return {kind: write(folder, kind, loud(kind)) for kind in ("answers", "captions")}


def loud(kind):
    """Weights whose favourite words depend on the picture: with small random ones they would
    not."""
    weights = published(kind, seed=11)
    parts = ("crossattention", "text_decoder.bert.embeddings.word", "predictions.decoder.weight")
    return {
        name: tensor * (6 if any(part in name for part in parts) else 1)
        for name, tensor in weights.items()
    }


@pytest.fixture
def faces(tmp_path):
    random = np.random.default_rng(5)
    for number in range(7):
        colour = random.integers(0, 256, 3)
        pixels = np.clip(colour + random.normal(0, 60, (64, 64, 3)), 0, 255).astype(np.uint8)
        Image.fromarray(pixels).save(tmp_path / f"{number}.png")
    return folder_of(tmp_path)


def folder_of(path):
    return vb.images("folder", root=path)


def next_words(w, name, tokens, seen):
    """Logits of the next word, `(n, words)`, with everything looked at in `seen`."""
    states = bert_by_hand(
        w, f"{name}.bert", tokens, torch.ones_like(tokens), seen=seen, causal=True
    )
    head = f"{name}.cls.predictions"
    states = torch.nn.functional.gelu(linear(states[:, -1], w, f"{head}.transform.dense"))
    states = norm(states, w, f"{head}.transform.LayerNorm", 1e-12)
    return linear(states, w, f"{head}.decoder")


def pictures(model, faces):
    return torch.cat(list(model._batches(faces, 7)))


def asked(w, shown):
    """What the text encoder makes of `QUESTION` before seven pictures."""
    tokens = torch.tensor([[ENC, 9, 10, 8, 11, 12, 13, SEP]]).repeat(7, 1)
    seen = image_by_hand(w, shown)
    return bert_by_hand(w, "text_encoder", tokens, torch.ones_like(tokens), seen=seen)


def penalised(logits, tokens, penalty, spared=()):
    seen = logits.gather(1, tokens)
    less = torch.where(seen < 0, seen * penalty, seen / penalty)
    for word in spared:
        less = torch.where(tokens == WORDS.index(word), seen, less)
    return logits.scatter(1, tokens, less)


def test_greedy_answers_are_those_of_the_layers(models, faces):
    model, w = vb.answerer(str(models["answers"]), device="cpu"), loud("answers")
    question = asked(w, pictures(model, faces))
    tokens = torch.full((7, 1), DEC)
    for _ in range(9):
        logits = next_words(w, "text_decoder", tokens, question)
        ended = (tokens == SEP).any(1)
        tokens = torch.cat([tokens, torch.where(ended, 0, logits.argmax(1))[:, None]], 1)
    expected = [model._text(row) for row in tokens]
    found = model.answers(faces, QUESTION, beams=1)["answer"].tolist()
    assert found == expected and len(set(expected)) > 1


@pytest.mark.parametrize(
    ("penalty", "spared"), [(1.1, []), (30.0, []), (30.0, ["we", "is"])]
)  # 30 changes every caption of this small model
def test_likeliest_captions_are_those_of_the_layers(models, faces, penalty, spared):
    model, w = vb.captioner(str(models["captions"]), device="cpu"), loud("captions")
    seen = image_by_hand(w, pictures(model, faces))
    tokens = torch.tensor([[DEC, 5, 6, 7]]).repeat(7, 1)
    for length in range(4, 20):
        logits = penalised(next_words(w, "text_decoder", tokens, seen), tokens, penalty, spared)
        if length < 5:
            logits[:, SEP] = -torch.inf
        ended = (tokens[:, 4:] == SEP).any(1)
        tokens = torch.cat([tokens, torch.where(ended, 0, logits.argmax(1))[:, None]], 1)
    expected = [model._text(row[4:]) for row in tokens]
    found = model.captions(
        faces, top_p=0, seed=1, spared=spared, **({} if penalty == 1.1 else {"penalty": penalty})
    )
    assert found["caption"].tolist() == expected and len(set(expected)) > 1
    assert found.drop(columns="caption").equals(faces.table)
    plain = model.captions(faces, top_p=0, seed=1)["caption"].tolist()
    assert (plain != expected) == (penalty > 2)
    if spared:
        whole = model.captions(faces, top_p=0, seed=1, penalty=penalty)["caption"].tolist()
        assert whole != expected


def test_several_pictures_at_once_are_as_one_at_a_time(models, faces):
    answers = vb.answerer(str(models["answers"]), device="cpu")
    assert answers.answers(faces, QUESTION).equals(answers.answers(faces, QUESTION, batch_size=1))
    captions = vb.captioner(str(models["captions"]), device="cpu")
    one, many = (captions.captions(faces, top_p=0, seed=1, batch_size=size) for size in (1, 7))
    assert one.equals(many)


def test_a_seed_gives_its_captions_and_leaves_the_stream_alone(models, faces):
    model = vb.captioner(str(models["captions"]), device="cpu")
    torch.manual_seed(0)
    first = torch.rand(1)
    torch.manual_seed(0)
    drawn = [model.captions(faces, top_p=0.9, seed=seed)["caption"].tolist() for seed in (3, 3, 4)]
    assert drawn[0] == drawn[1] != drawn[2] and torch.rand(1) == first


def recorded(monkeypatch, model):
    given = {}
    plain = type(model._model).generate

    def generate(self, **settings):
        given.update(settings)
        return plain(self, **settings)

    monkeypatch.setattr(type(model._model), "generate", generate)
    return given


def test_the_decoding_is_the_authors_own(models, faces, monkeypatch):
    model = vb.answerer(str(models["answers"]), device="cpu")
    given = recorded(monkeypatch, model)
    with pytest.raises(ValueError, match=r"88 tokens.*shorten"):
        model.answers(faces, QUESTION + " we they" * 40)
    model.answers(faces, QUESTION)
    assert (given["input_ids"][:, 0] == ENC).all()
    asked = {"num_beams": 3, "max_length": 10, "min_length": 1, "do_sample": False}
    assert {name: given[name] for name in asked} == asked
    model = vb.captioner(str(models["captions"]), device="cpu")
    given = recorded(monkeypatch, model)
    with pytest.raises(ValueError, match=r"top_p .*, got 1\.2"):
        model.captions(faces, top_p=1.2, seed=0)
    model.captions(faces, top_p=0.7, seed=0)
    asked = {"top_p": 0.7, "top_k": 50, "repetition_penalty": 1.1}
    asked |= {"max_length": 20, "min_length": 5, "do_sample": True}
    assert {name: given[name] for name in asked} == asked


def test_models_are_found_by_name(monkeypatch, tmp_path, models):
    monkeypatch.setenv("VLMBIAS_DATA", str(tmp_path))
    with pytest.raises(
        FileNotFoundError,
        match=r"weights/model_base_vqa_capfilt_large\.pth.*github\.com/salesforce/BLIP",
    ):
        vb.answerer("blip/vqa-capfilt-large")
    with pytest.raises(ValueError, match="no model 'blip/other'; there are blip/itm-base-coco"):
        vb.captioner("blip/other")
    with pytest.raises(ValueError, match="does not fit in"):
        vb.answerer(str(models["captions"]))


def test_two_words_for_one_array_must_agree(tmp_path):
    weights = published("captions")
    name = "text_decoder.cls.predictions.decoder.weight"
    weights[name] = weights[name] + 1
    with pytest.raises(ValueError, match="one array in BLIP, and differ"):
        vb.captioner(str(write(tmp_path, "captions", weights)))


def test_odds_are_those_of_the_first_word(models, faces):
    model, w = vb.answerer(str(models["answers"]), device="cpu"), loud("answers")
    question = asked(w, pictures(model, faces))
    logits = next_words(w, "text_decoder", torch.full((7, 1), DEC), question)
    listed = [WORDS[11], WORDS[8], WORDS[12]]
    found = model.odds(faces, QUESTION, listed, batch_size=3)
    expected = logits[:, [11, 8, 12]].softmax(1).numpy()
    np.testing.assert_allclose(found, expected, atol=1e-5)
    assert list(found) == listed and np.ptp(expected, axis=0).max() > 0.01
    with pytest.raises(ValueError, match="'nowhere' is not one word"):
        model.odds(faces, QUESTION, ["nowhere"])


def test_on_cuda_the_same_is_said(models, faces):
    """What reaches a model has gone where it is, and what is read has come back."""

    def said(**options):
        asked = vb.answerer(str(models["answers"]), **options)
        told = vb.captioner(str(models["captions"]), **options)
        answers = asked.answers(faces, QUESTION)["answer"].tolist()
        odds = asked.odds(faces, QUESTION, ["yes", "photo"]).to_numpy()
        return answers, odds, told.captions(faces, top_p=0.9, seed=1)["caption"].tolist()

    here = said(device="cpu")
    with FakeCuda():
        assert vb.answerer(str(models["answers"])).device == "cuda"
        there = said()
    assert here[0] == there[0] and here[2] == there[2]
    np.testing.assert_allclose(here[1], there[1], atol=1e-6)
