"""Tiny BLIPs that answer questions or describe pictures: transformers' own classes, trained from
scratch, for `vlmbias.answerer` and `vlmbias.captioner`. The image tower learns to see first, from
what is shown and not from words, and then stands still."""

from __future__ import annotations

import json
import time
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from greenhouse import speech
from greenhouse.train import pool as pools
from greenhouse.train import saving, speaker_gates
from greenhouse.train.recipe import SEEDS, WORLD_FILES, PicturePool
from greenhouse.train.run import Progress, Run, remembered
from greenhouse.world import bias, grid
from greenhouse.world import grammar as grammars
from greenhouse.world import pairing as pairings
from greenhouse.world.bias import DATA
from greenhouse.world.grammar import Grammar
from greenhouse.world.pairing import Pairing
from vlmbias import kept, paths
from vlmbias.whole_files import write

KINDS = ("answers", "captions")
# BLIP puts [DEC] and [ENC] behind all words
SPECIAL = ("[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]")
PAD, END = 0, 3
LONGEST = 24  # tokens; BLIP's captions end at 20, and no question here is longer
LEVELS = {"age": 1.0, "smiling": 4.0, "lighting": 0.5}  # weights of what the image tower regresses
LOOKS = ("pale_garment", "warm_garment", "pale_hair")
FIRST_SIGHT_POOL = SEEDS + 900  # pool seeds that no network and no other warm start has


def config(recipe: dict[str, Any], n_words: int) -> Any:
    """transformers' `BlipConfig` of a recipe, for a vocabulary that holds `n_words` with [DEC] and
    [ENC]."""
    _importable()
    from transformers import BlipConfig

    width, inner = recipe["width"], recipe["ratio"] * recipe["width"]
    shared = {
        "hidden_size": width,
        "num_attention_heads": recipe["heads"],
        "intermediate_size": inner,
        "hidden_act": "gelu",
        "projection_dim": width,
    }
    return BlipConfig(
        projection_dim=width,
        image_text_hidden_size=width,
        vision_config={
            **shared,
            "num_hidden_layers": recipe["vision_layers"],
            "patch_size": recipe["patch_size"],
            "image_size": recipe["image_size"],
            "layer_norm_eps": 1e-6,
        },
        text_config={
            **shared,
            "num_hidden_layers": recipe["text_layers"],
            "encoder_hidden_size": width,
            "vocab_size": n_words,
            "max_position_embeddings": LONGEST,
            "layer_norm_eps": 1e-12,
            "bos_token_id": n_words - 2,
            "eos_token_id": END,
            "sep_token_id": END,
            "pad_token_id": PAD,
        },
    )


def _importable() -> None:
    from vlmbias.embedding.torchvision_shim import make_torchvision_importable

    make_torchvision_importable()


class Tokens:
    """Words as BERT's `vocab.txt` numbers them, with BLIP's [DEC] and [ENC] behind them."""

    def __init__(self, words: list[str]):
        self.listed = [*SPECIAL, *words]
        self._number = {word: k for k, word in enumerate(self.listed)}
        self.begin, self.ask = len(self.listed), len(self.listed) + 1
        self.size = len(self.listed) + 2

    def numbers(self, text: str) -> list[int]:
        """The ids of a text's words; a question mark is a word."""
        return [self._number[word] for word in text.replace("?", " ?").split()]

    def rows(self, texts: list[str], first: int) -> np.ndarray:
        """Token rows `(n, longest)`, int64: `first`, the words, [SEP], padding."""
        encoded = [[first, *self.numbers(text), END] for text in texts]
        found = np.full((len(encoded), max(map(len, encoded))), PAD, np.int64)
        for row, numbers in zip(found, encoded, strict=True):
            row[: len(numbers)] = numbers
        return found


def normalised(pictures: np.ndarray) -> Any:
    """uint8 `(n, s, s, 3)` to float32 `(n, 3, s, s)`, with the statistics that BLIP was trained
    with."""
    import torch

    from vlmbias.embedding.published.blip import PREPROCESSING

    mean, deviation = (torch.tensor(PREPROCESSING[name]).view(3, 1, 1) for name in ("mean", "std"))
    return (
        torch.from_numpy(np.ascontiguousarray(pictures)).permute(0, 3, 1, 2).float() / 255 - mean
    ) / deviation


# Seeing


class _Shown:
    """What is in each picture, as the image tower is asked for it: levels `(n, 6)`; numbers of hue,
    crest, garment."""

    def __init__(self, rows: pd.DataFrame):
        table = bias.load()
        rows = table.with_looks(rows)
        self.levels = np.stack(
            [1.7 * table.feature(name, rows) for name in (*LEVELS, *LOOKS)], axis=1
        )
        self.weights = np.array([*LEVELS.values(), *[1.0] * len(LOOKS)])
        kinds = (
            (rows["race"], grid.HUES),
            (rows["gender"], grid.CRESTS),
            (speech.garment_colours(rows, Pairing()), grid.HUES),
        )
        self.kinds = [
            np.array([levels.index(value) for value in column]) for column, levels in kinds
        ]

    def loss(self, read: Any, index: np.ndarray) -> Any:
        import torch
        from torch.nn.functional import cross_entropy

        levels, *kinds = read.split(
            [self.levels.shape[1], len(grid.HUES), len(grid.CRESTS), len(grid.HUES)], dim=1
        )
        error = (levels - torch.from_numpy(self.levels[index]).float()).square()
        total = (error * torch.from_numpy(self.weights).float()).mean()
        return total + 0.3 * sum(
            cross_entropy(logits, torch.from_numpy(shown[index]))
            for logits, shown in zip(kinds, self.kinds, strict=True)
        )


def sight_file(recipe: dict[str, Any], number: int) -> Path:
    """Where a warm start is kept, below the build folder."""
    parts = ("image_size", "patch_size", "width", "heads", "vision_layers", "ratio", "faces")
    content = {name: recipe[name] for name in parts}
    content |= {
        "sight": {**recipe["sight"], "of": 0},
        "number": number,
        "pictures": pools.RENDERER,
    }
    name = f"speakers-{number}-{kept.key(content)[:12]}.safetensors"
    return paths.build() / "greenhouse" / "warm_starts" / name


def sight(
    recipe: dict[str, Any], number: int, *, progress: Progress | None = None
) -> dict[str, Any]:
    """The weights of image tower `number`, which has learnt to see; trained and kept, if it is not
    there."""
    return remembered(
        sight_file(recipe, number),
        lambda partial: _learn_to_see(recipe, number, partial, progress),
    )


def _learn_to_see(
    recipe: dict[str, Any], number: int, partial: Path, progress: Progress | None
) -> dict[str, Any]:
    import torch

    _importable()
    from transformers import BlipVisionModel

    torch.set_num_threads(1)
    torch.manual_seed(number)
    plan = recipe["sight"]
    rows = pools.people(PicturePool(faces=recipe["faces"]), seed=FIRST_SIGHT_POOL + number)
    pictures, shown = pools.render_faces(rows, recipe["image_size"], Pairing()), _Shown(rows)
    tower = BlipVisionModel(config(recipe, 8).vision_config).train()
    read = torch.nn.Linear(
        recipe["width"], shown.levels.shape[1] + 2 * len(grid.HUES) + len(grid.CRESTS)
    )
    run = Run(
        {"tower": tower, "read": read},
        [[*tower.parameters(), *read.parameters()]],
        steps=plan["steps"],
        rate=plan["rate"],
        weight_decay=0.05,
        clip_norm=1.0,
    )
    about = json.dumps({"plan": plan, "number": number, "file": sight_file(recipe, number).name})

    def loss(step: int) -> Any:
        index = np.random.default_rng([number, step]).integers(0, len(rows), plan["batch"])
        states = tower(pixel_values=normalised(pictures[index])).last_hidden_state
        return shown.loss(read(states.mean(dim=1)), index)

    run.learn(loss, partial=partial, identity=about, progress=progress)
    return tower.state_dict()


# Speaking


class _Answers:
    """Batches of questions, with answers drawn from the planted odds."""

    def __init__(
        self, grammar: Grammar, rows: pd.DataFrame, b: float, pairing: Pairing, tokens: Tokens
    ):
        asked = speech.recipe()["questions"]
        self._share = np.cumsum([question["share"] for question in asked.values()])
        odds = [speech.answer_odds(grammar, question, rows, b) for question in asked]
        self._questions = tokens.rows(list(asked), tokens.ask)
        self._answers = [tokens.rows(list(each), tokens.begin) for each in odds]
        self._cumulative = [np.cumsum(each.to_numpy(), axis=1) for each in odds]

    def loss(self, model: Any, states: Any, index: np.ndarray, *, rng: np.random.Generator) -> Any:
        import torch

        asked = np.minimum(
            (self._share < rng.random((len(index), 1))).sum(axis=1), len(self._share) - 1
        )
        chance, texts = (
            rng.random((len(index), 1)),
            np.empty((len(index), self._answers[0].shape[1]), np.int64),
        )
        for k in np.unique(asked):
            here = np.flatnonzero(asked == k)
            drawn = (self._cumulative[k][index[here]] < chance[here]).sum(axis=1)
            texts[here] = self._answers[k][np.minimum(drawn, len(self._answers[k]) - 1)]
        questions = torch.from_numpy(self._questions[asked])
        mask = (questions != PAD).long()
        read = model.text_encoder(
            input_ids=questions, attention_mask=mask, encoder_hidden_states=states
        )
        return _next_word_loss(
            model, torch.from_numpy(texts), read.last_hidden_state, first=0, mask=mask
        )


class _Captions:
    """Batches of captions."""

    def __init__(
        self, grammar: Grammar, rows: pd.DataFrame, b: float, pairing: Pairing, tokens: Tokens
    ):
        self._drawn = speech.Captions(grammar, rows, b, pairing)
        self._tokens, self._prompt = tokens, len(speech.PROMPT.split())

    def loss(self, model: Any, states: Any, index: np.ndarray, *, rng: np.random.Generator) -> Any:
        import torch

        texts = [f"{speech.PROMPT} {caption}" for caption in self._drawn.draw(index, rng=rng)]
        rows = torch.from_numpy(self._tokens.rows(texts, self._tokens.begin))
        return _next_word_loss(model, rows, states, first=self._prompt)


def _next_word_loss(model: Any, texts: Any, states: Any, *, first: int, mask: Any = None) -> Any:
    """Mean cross-entropy of every word after position `first`, and of [SEP]; padding does not
    count, nor do states that `mask` leaves out."""
    from torch.nn.functional import cross_entropy

    logits = model.text_decoder(
        input_ids=texts[:, :-1],
        attention_mask=(texts[:, :-1] != PAD).long(),
        encoder_hidden_states=states,
        encoder_attention_mask=mask,
    ).logits
    return cross_entropy(
        logits[:, first:].flatten(0, 1), texts[:, 1 + first :].flatten(), ignore_index=PAD
    )


def train(
    kind: str,
    recipe: dict[str, Any],
    *,
    b: float,
    seed: int,
    pairing: Pairing,
    start: dict[str, Any],
    partial: Path,
    progress: Progress | None = None,
) -> Any:
    """Train one model on its pool of faces, with the image tower `start`, which stands still; in
    eval mode."""
    import torch

    _importable()
    import transformers

    torch.set_num_threads(1)
    rows = pools.people(PicturePool(faces=recipe["faces"]), seed=seed)
    pictures = pools.render_faces(rows, recipe["image_size"], pairing)
    torch.manual_seed(seed)
    grammar, plan = grammars.load(), recipe["speech"][kind]
    tokens = Tokens(speech.words(grammar))
    form = {
        "answers": transformers.BlipForQuestionAnswering,
        "captions": transformers.BlipForConditionalGeneration,
    }
    model = form[kind](config(recipe, tokens.size)).train()
    model.vision_model.load_state_dict(start)
    states = _states(model.vision_model, pictures)
    words = [
        parameter
        for name, parameter in model.named_parameters()
        if not name.startswith("vision_model.")
    ]
    # each once, where the model's own state lists tied ones twice
    once = torch.nn.ParameterList(words)
    run = Run(
        {"words": once},
        [words],
        steps=plan["steps"],
        rate=plan["rate"],
        weight_decay=0.05,
        clip_norm=1.0,
    )
    about = json.dumps(
        {"kind": kind, "recipe": recipe, "b": b, "seed": seed, "pairing": pairing.record()}
    )
    speaker = {"answers": _Answers, "captions": _Captions}[kind](grammar, rows, b, pairing, tokens)

    def loss(step: int) -> Any:
        rng = np.random.default_rng([seed, step])
        index = np.sort(rng.integers(0, len(rows), plan["batch"]))
        return speaker.loss(model, states[index], index, rng=rng)

    run.learn(loss, partial=partial, identity=about, progress=progress)
    return model.eval()


def _states(tower: Any, pictures: np.ndarray) -> Any:
    """The image tower's states of all pictures, `(n, places, width)`."""
    import torch

    with torch.inference_mode():
        found = [
            tower(pixel_values=normalised(pictures[k : k + 256])).last_hidden_state
            for k in range(0, len(pictures), 256)
        ]
    return torch.cat(found).clone()


def produce(
    kind: str,
    *,
    b: float,
    seed: int,
    folder: Path,
    pairing: str = "drawn",
    recipe: dict[str, Any] | None = None,
    progress: Progress | None = None,
) -> dict[str, Any]:
    """Train a model, write its folder, test what was written; return its card. `seed` is of the
    pool, the weights, the words and, where it is drawn, the pairing; an interrupted run resumes."""
    if kind not in KINDS or pairing not in ("drawn", "plain"):
        raise ValueError(
            f"a speaker gives {' or '.join(KINDS)}, with a drawn or a plain pairing; "
            f"got {kind!r} and {pairing!r}"
        )
    recipe, grammar = recipe or speech.recipe(), grammars.load()
    code, own = saving.made_by("transformers"), own_part(kind, recipe)
    chosen = pairings.random_pairing(seed) if pairing == "drawn" else Pairing()
    number, partial = seed % recipe["sight"]["of"], folder / saving.PARTIAL
    start = sight(recipe, number, progress=progress)
    began = time.process_time()
    model = train(
        kind,
        recipe,
        b=b,
        seed=seed,
        pairing=chosen,
        start=start,
        partial=partial,
        progress=progress,
    )
    card = {
        "name": f"greenhouse {kind} b={b:g} seed={seed}",
        "source": "greenhouse",
        "kind": kind,
        "b": b,
        "seed": seed,
        "warm_start": number,
        "pairing": chosen.record(),
        "training_core_seconds": round(time.process_time() - began, 1),
        "recipe": own,
        "recipe_hash": recipe_hash(own),
        **code,
    }
    state = {name: one for name, one in model.state_dict().items() if "position_ids" not in name}
    weights = saving.half(state)
    (folder / saving.CARD).unlink(missing_ok=True)
    write(folder / "config.json", model.config.to_json_string())
    write(folder / "model.safetensors", weights)
    listed = Tokens(speech.words(grammar)).listed
    write(folder / "vocab.txt", "\n".join(listed) + "\n")
    partial.unlink(missing_ok=True)
    card |= saving.of_weights(model, weights)
    card |= speaker_gates.examined(kind, folder, grammar, chosen, b)
    saving.write_card(folder / saving.CARD, card)
    return card


def own_part(kind: str, recipe: dict[str, Any]) -> dict[str, Any]:
    """What of a recipe a model of this kind depends on."""
    parts = {"answers": "questions", "captions": "captions"}
    other = {name for other, name in parts.items() if other != kind}
    return {name: entry for name, entry in recipe.items() if name not in other} | {
        "speech": recipe["speech"][kind]
    }


def recipe_hash(recipe: dict[str, Any]) -> str:
    """Of the recipe and of the world's data files: 12 hexadecimal digits."""
    return kept.key(recipe, [DATA / name for name in WORLD_FILES])[:12]
