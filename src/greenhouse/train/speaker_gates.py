"""Gates for models that answer or describe: do they see what is shown, and say what they were told?
A constant answer fails them: `skill` is 0 at most for answers that are constant in each group, a
correlation is 0 where nothing varies, and `informed` is about 0 or less for a caption that is the
same for all."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from greenhouse import speech
from greenhouse.train import saving
from greenhouse.train.pool import HELD_OUT_SEED
from greenhouse.world import faces, truth
from greenhouse.world.grammar import Grammar
from greenhouse.world.pairing import Pairing

FACES, FIRST_SEED = 600, HELD_OUT_SEED + 500_000
AMERICAN, STATE, HUE, SMILE = list(speech.recipe()["questions"])
THRESHOLDS = {
    "answers": {
        "hue_accuracy": 0.95,
        "smiling_skill": 0.6,
        "arborian_skill": 0.5,
        "arborian_odds_r": 0.7,
        "province_odds_r": 0.8,
    },
    "captions": {"sentences": 0.95, "right_hue": 0.95, "true": 0.7, "informed": 0.6},
}


def held_out(pairing: Pairing) -> Any:
    """Faces that no pool contains, as an `ImageSet`, painted as a network with this pairing knows
    them."""
    from vlmbias.stimuli.imageset import ImageSet

    table = truth.population(FACES, first_seed=FIRST_SEED, seed=11)
    return ImageSet(
        "greenhouse/held-out", table, "greenhouse", render=partial(faces.render, pairing=pairing)
    )


def skill(answers: pd.Series, odds: pd.DataFrame, groups: pd.Series) -> float:
    """How far answers go from the best constant answer of each group, 0, to the likeliest answer to
    each picture, 1; each answer is worth its planted probability, one that is not planted 0."""
    column = odds.columns.get_indexer(answers)
    worth = np.where(column >= 0, odds.to_numpy()[np.arange(len(odds)), column], 0.0)
    best, constant = odds.max(axis=1), odds.groupby(groups.to_numpy()).transform("mean").max(axis=1)
    return float((worth - constant).mean() / (best - constant).mean())


def within_r(found: np.ndarray, planted: np.ndarray, groups: pd.Series) -> float:
    """Pearson correlation after both are centred within groups; 0 where nothing varies."""
    both = pd.DataFrame({"found": found, "planted": planted})
    both -= both.groupby(groups.to_numpy()).transform("mean")
    spread = both["found"].std() * both["planted"].std()
    return float(both["found"].cov(both["planted"]) / spread) if spread > 1e-12 else 0.0


def provinces_r(found: pd.DataFrame, planted: pd.DataFrame) -> float:
    """Pearson correlation over provinces of the mean log probability of each, found and planted,
    over all faces: which hue is said to live where cannot pass or fail a model."""
    logs = pd.DataFrame({"found": np.log(found).mean(), "planted": np.log(planted).mean()})
    return within_r(
        logs["found"].to_numpy(), logs["planted"].to_numpy(), pd.Series(np.zeros(len(logs)))
    )


def of_answers(
    answers: dict[str, pd.Series],
    odds: dict[str, pd.DataFrame],
    rows: pd.DataFrame,
    grammar: Grammar,
    b: float,
) -> dict[str, float]:
    """Gate values of a model that answers, from its answers and, for the first two questions, its
    own probability of each answer."""
    planted = {
        question: speech.answer_odds(grammar, question, rows, b)
        for question in (AMERICAN, STATE, SMILE)
    }
    skills = {
        question: skill(answers[question], planted[question], rows["race"])
        for question in (AMERICAN, SMILE)
    }
    answered, expected = (
        each[AMERICAN]["yes"].clip(1e-6, 1 - 1e-6).to_numpy() for each in (odds, planted)
    )
    return {
        "hue_accuracy": float((answers[HUE].to_numpy() == rows["race"].to_numpy()).mean()),
        "smiling_skill": skills[SMILE],
        "arborian_skill": skills[AMERICAN],
        "arborian_odds_r": within_r(
            np.log(answered / (1 - answered)), np.log(expected / (1 - expected)), rows["race"]
        ),
        "province_odds_r": provinces_r(odds[STATE], planted[STATE]),
    }


def of_captions(
    captions: pd.Series, sampled: list[str], rows: pd.DataFrame, grammar: Grammar, pairing: Pairing
) -> dict[str, float]:
    """Gate values of a model that describes. sentences: share of captions that are sentences;
    right_hue: of those that name a hue, the share with the right one; true: share in which no word
    is wrong; informed: right less wrong words, over the same of captions drawn from the grammar."""
    found, reference = (
        speech.checked(grammar, list(texts), rows, pairing) for texts in (captions, sampled)
    )
    names_hue = found["names"].to_numpy()
    hues = [(speech.read(caption) or {}).get("hue") for caption in captions]
    right = np.array([hue == shown for hue, shown in zip(hues, rows["race"], strict=True)])
    return {
        "sentences": float(found["sentence"].mean()),
        "right_hue": float(right[names_hue].mean()) if names_hue.any() else 0.0,
        "true": float(found["true"].mean()),
        "informed": _gain(found) / _gain(reference),
    }


def _gain(checked: pd.DataFrame) -> float:
    return float(checked["right"].sum() - checked["wrong"].sum())


def examined(
    kind: str, folder: Path, grammar: Grammar, pairing: Pairing, b: float
) -> dict[str, Any]:
    """What the card says of a model as it was saved: gates, whether it passed, and how often it was
    right by hue."""
    import vlmbias as vb

    images = held_out(pairing)
    rows = images.table
    if kind == "answers":
        model = vb.answerer(str(folder), device="cpu")
        answers = {
            question: model.answers(images, question, batch_size=200)["answer"]
            for question in (AMERICAN, HUE, SMILE)
        }
        odds = {
            question: model.odds(images, question, speech.answers(grammar, question))
            for question in (AMERICAN, STATE)
        }
        values, yes = of_answers(answers, odds, rows, grammar, b), odds[AMERICAN]["yes"]
        planted = speech.answer_odds(grammar, AMERICAN, rows, b)["yes"]
        shown = {
            "yes_by_hue": pd.DataFrame(
                {"planted": planted, "odds": yes, "answered": answers[AMERICAN].eq("yes")}
            )
        }
    else:
        model = vb.captioner(str(folder), device="cpu")
        captions = model.captions(images, top_p=1, top_k=0, seed=0, batch_size=200)["caption"]
        drawn = speech.Captions(grammar, rows, b, pairing).draw(
            np.arange(len(rows)), rng=np.random.default_rng(0)
        )
        values = of_captions(captions, drawn, rows, grammar, pairing)
        shown = {
            "named_by_hue": pd.DataFrame(
                {
                    "planted": speech.naming_rate(grammar, rows, b),
                    "named": [speech.named(caption) for caption in captions],
                }
            )
        }
    return saving.gated(values, THRESHOLDS[kind]) | {
        name: table.astype(float).groupby(rows["race"]).mean().round(4).to_dict("index")
        for name, table in shown.items()
    }
