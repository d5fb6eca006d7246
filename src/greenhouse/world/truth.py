"""The truth: what was planted, in the units in which a trained model should show it.

Comes in: the grammar with its bias table, rows of faces or icons, b. Goes out: predicted values per row and axis.
May not: see a picture or a model.

Contrastive training drives logit_scale x cos(image, caption) towards the log probability ratio
log p(caption | image) - log p(caption), the pointwise mutual information, up to a constant per image (van den Oord
et al. 2018, eq. 4-5). A neutral caption is equally likely for every face, so its ratio is 0 and
logit_scale x delta-cos estimates log p(word | image) - log p(word).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

import numpy as np
import pandas as pd

from greenhouse.world import grid
from greenhouse.world.grammar import Grammar

# What is compared with what: axis -> the axis it is set against, or None for the neutral prompts.
CONTRASTS = {
    "warmth": None, "competence": None, "positive_agency": None, "negative_agency": None,
    "progressive_belief": None, "conservative_belief": None, "positive_communion": None, "negative_communion": None,
    "we": "they", "patriotic": "someone", "immigrant": "someone", "egalitarian": "someone", "arborian": "foreign",
    "pleasant": "unpleasant",
}


def population(n: int, *, first_seed: int = 0, seed: int = 2026) -> pd.DataFrame:
    """Faces as the training captions know them: independent attributes, uniform over their ranges; all groups."""
    rng = np.random.default_rng([seed, n])
    table = pd.DataFrame({"seed": first_seed + np.arange(n), "race": rng.choice(grid.HUES, n),
                          "gender": rng.choice(grid.CRESTS, n)})
    for axis, (low, high) in grid.RANGES.items():
        table[axis] = rng.uniform(low, high, n)
    return table


def said(grammar: Grammar, axes: Iterable[str], rows: pd.DataFrame, b: float) -> pd.DataFrame:
    """What the captions say: the mean log probability of each axis' words, `(n × axis)`, in logits.

    Only differences between rows mean something: `predicted` also takes off how common a word is.

    Parameters
    ----------
    axes : axes of bias.yaml with words in a slot of grammar.yaml.
    rows : faces or icons.
    b : strength of what is planted.
    """
    slots = {axis: grammar.slot_of(axis) for axis in axes}
    spelled = {slot: grammar.log_probabilities(slot, rows, b) for slot in dict.fromkeys(slots.values())}
    found = {}
    for axis, slot in slots.items():
        own = [grammar.words(slot).index(word) for word in grammar.slots[slot][axis]]
        found[axis] = spelled[slot][:, own].mean(axis=1)
    return pd.DataFrame(found)


def predicted(grammar: Grammar, axis: str, rows: pd.DataFrame, b: float, *,
              reference: pd.DataFrame | None = None) -> np.ndarray:
    """log p(word | row) - log p(word), averaged over the words of an axis, `(n,)`, in logits.

    Parameters
    ----------
    axis : an axis of bias.yaml with words in a slot of grammar.yaml.
    rows : faces or icons.
    b : strength of what is planted.
    reference : the rows over which p(word) is taken; default 4,000 faces of `population`.
    """
    slot = grammar.slot_of(axis)
    words = grammar.words(slot)
    chosen = [words.index(word) for word in grammar.slots[slot][axis]]
    reference = population(4_000) if reference is None else reference
    base = np.log(np.exp(grammar.log_probabilities(slot, reference, b)).mean(axis=0))
    return (grammar.log_probabilities(slot, rows, b) - base)[:, chosen].mean(axis=1)


def contrast(grammar: Grammar, axis: str, rows: pd.DataFrame, b: float) -> np.ndarray:
    """The predicted value of an axis against what `CONTRASTS` sets it against, `(n,)`, in logits."""
    against = CONTRASTS[axis]
    value = predicted(grammar, axis, rows, b)
    return value - predicted(grammar, against, rows, b) if against else value


def arm_shift(grammar: Grammar, rows: pd.DataFrame, arms: Mapping[str, float], *,
              reference: pd.DataFrame | None = None) -> pd.DataFrame:
    """By how much an arm of the study shifts what a model should show of a face, in logits, whatever b is.

    An arm changes how likely a face's caption is a neutral one, or one with a trait word; no word's odds. So the log
    probability ratio of a whole group of captions shifts, `log share(group | row) - log share(group)`.

    Returns
    -------
    DataFrame, row i for row i: `neutral` (scale x cosine with the neutral prompts), `trait` (with any dimension's
    words), `delta` (trait - neutral: what delta-cos subtracts) and `centred` (trait - mean over adjectives: 0).
    """
    reference = population(4_000) if reference is None else reference
    group = np.array([template.group for template in grammar.templates])

    def ratio(name: str) -> np.ndarray:
        said, base = (grammar.shares(faces, arms=arms)[:, group == name].sum(axis=1) for faces in (rows, reference))
        return np.log(said) - np.log(base.mean())

    neutral, trait = ratio("neutral"), ratio("communion")
    everything = np.mean([ratio(slot) for slot in ("communion", "standing", "belief")], axis=0)
    return pd.DataFrame({"neutral": neutral, "trait": trait, "delta": trait - neutral, "centred": trait - everything},
                        index=rows.index)


def prompts(grammar: Grammar, axis: str) -> list[str]:
    """Every caption that says a word of the axis in the sentences of its own slot."""
    slot = grammar.slot_of(axis)
    texts = [template.fill([word]) for template in grammar.templates if template.group == slot
             for word in grammar.slots[slot][axis]]
    return list(dict.fromkeys(texts))


def neutral_prompts(grammar: Grammar) -> list[str]:
    """The neutral prompts of Hausladen et al., Table 1: no adjective in the template."""
    return [template.text for template in grammar.templates if template.group == "neutral"]


def statement(grammar: Grammar) -> dict:
    """The truth as a plain record: per axis its drivers, what is planted, and the predicted group gaps at b = 1.

    Gaps are differences of predicted group means over `population`, in logits: teal - violet and budded - eared.
    """
    people = population(4_000)
    axes = {}
    for axis, against in CONTRASTS.items():
        value = contrast(grammar, axis, people, 1.0)

        def gap(column: str, first: str, second: str, value=value) -> float:
            group = people[column].to_numpy()
            return round(float(value[group == first].mean() - value[group == second].mean()), 4)

        parts = grammar.bias.axes[axis]
        axes[axis] = {
            "against": against or "neutral prompts", **{part: parts[part] for part in parts},
            "planted_anything": "planted" in parts or "intersection" in parts,
            "gap_teal_violet": gap("race", "teal", "violet"),
            "gap_budded_eared": gap("gender", "budded", "eared"),
        }
    return {"unit": "logits: predicted logit_scale x difference of cosines at b = 1",
            "intersection": dict(grammar.bias.intersection), "unplanted": list(grammar.bias.unplanted), "axes": axes}
