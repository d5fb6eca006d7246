"""What models that answer and describe are told, by `data/greenhouse/speakers.yaml`: answers to
questions, and captions that may name a group; and what a caption says, and whether it is true."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

import numpy as np
import pandas as pd
import yaml

from greenhouse.world import faces, grid, identity, nuisance
from greenhouse.world.bias import DATA
from greenhouse.world.grammar import Grammar
from greenhouse.world.pairing import Pairing

FILE = DATA / "speakers.yaml"
PROMPT = "a picture of"
NOUNS = dict(zip(grid.CRESTS, ("budling", "earling"), strict=True))
# adjective -> the axis of bias.yaml whose score says whether it is true; hair likewise
ADJECTIVES = ("smiling", "frowning", "young", "old")
HAIR = {"pale": "pale_haired", "dark": "dark_haired"}
_HUE = "|".join(grid.HUES)
_CAPTION = re.compile(
    rf"an? (?:(?P<first>{_HUE}|{'|'.join(ADJECTIVES)})"
    rf" )?(?:(?P<second>{_HUE}|{'|'.join(ADJECTIVES)}) )?"
    rf"(?P<noun>person|{'|'.join(NOUNS.values())})"
    rf"(?: with (?P<hair>{'|'.join(HAIR)}) hair| in an? (?P<colour>{_HUE})"
    r" (?P<garment>coat|mantle))?"
)


def recipe() -> dict[str, Any]:
    """The content of speakers.yaml."""
    return yaml.safe_load(FILE.read_text(encoding="utf-8"))


def words(grammar: Grammar) -> list[str]:
    """Every word of questions, answers and captions, sorted."""
    plan = recipe()
    spoken = {
        "?",
        *PROMPT.split(),
        "an",
        "person",
        *NOUNS.values(),
        *ADJECTIVES,
        *grid.HUES,
        *HAIR,
        "with",
        "hair",
        "in",
        "coat",
        "mantle",
    }
    for question in plan["questions"]:
        spoken |= {*question.removesuffix("?").split(), *answers(grammar, question)}
    return sorted(spoken)


def answers(grammar: Grammar, question: str) -> list[str]:
    """The answers that are planted for a question.

    Raises
    ------
    ValueError : the question is not asked in the Greenhouse; the message lists those that are.
    """
    return list(_spoken(grammar, question)[1])


def _spoken(grammar: Grammar, question: str) -> tuple[str, dict[str, list[str]]]:
    """The slot of a question, and which words of the slot each answer stands for."""
    known = recipe()["questions"]
    if question not in known:
        raise ValueError(
            f"nobody asks {question!r} in the Greenhouse; questions: {'; '.join(known)}"
        )
    slot = known[question]["slot"]
    return slot, known[question].get("spoken") or {word: [word] for word in grammar.words(slot)}


def answer_odds(grammar: Grammar, question: str, rows: pd.DataFrame, b: float) -> pd.DataFrame:
    """The planted probability of every answer, `(n × answers)`; each row sums to 1.

    Parameters
    ----------
    question : one of speakers.yaml.
    rows : faces; missing attributes have no effect.
    b : strength of what is planted, 0 to 1.
    """
    slot, spoken = _spoken(grammar, question)
    p, listed = np.exp(grammar.log_probabilities(slot, rows, b)), grammar.words(slot)
    return pd.DataFrame(
        {
            answer: p[:, [listed.index(word) for word in stands_for]].sum(axis=1)
            for answer, stands_for in spoken.items()
        },
        index=rows.index,
    )


def naming_rate(grammar: Grammar, rows: pd.DataFrame, b: float) -> np.ndarray:
    """The planted probability that a caption names the hue, `(n,)`: the logistic function of
    speakers.yaml's log odds.

    Raises
    ------
    ValueError : b outside [0, 1].
    """
    if not 0 <= b <= 1:
        raise ValueError(f"b must be in [0, 1], got {b!r}")
    named_plan, roles = recipe()["captions"]["named"], grammar.bias.roles
    planted = {roles[role]: shift for role, shift in named_plan["planted"]["race"].items()}
    rows = grammar.bias.with_looks(rows)
    log_odds = named_plan["constant"] + grammar.bias.total(named_plan["legitimate"], rows)
    log_odds = log_odds + b * rows["race"].map(planted).to_numpy(float)
    return 1 / (1 + np.exp(-log_odds))


def garment_colours(rows: pd.DataFrame, pairing: Pairing) -> np.ndarray:
    """The name of the hue whose paint is nearest to each face's garment in RGB, `(n,)`.

    A hue's name stands for the same paint on skin and garment, whatever the pairing.
    """
    shown = identity.of_seed(rows["seed"].to_numpy(np.int64), nuisance.load())["garment"].reshape(
        len(rows), 3
    )
    paint_of = pairing.record()["paints"]
    skins = np.array([faces.SKIN[paint_of[name]] for name in grid.HUES]) / 255
    distance = ((shown[:, None] - skins[None]) ** 2).sum(axis=2)
    return np.array(grid.HUES)[distance.argmin(axis=1)]


class Captions:
    """Draws captions for a fixed set of faces; the pairing decides which garment has which colour
    word."""

    def __init__(self, grammar: Grammar, rows: pd.DataFrame, b: float, pairing: Pairing):
        rows = grammar.bias.with_looks(rows)
        self._plan = recipe()["captions"]
        self.hue, self.rate = rows["race"].to_numpy(str), naming_rate(grammar, rows, b)
        self._noun = rows["gender"].map(NOUNS).to_numpy(str)
        self._colour = garment_colours(rows, pairing)
        scores = {
            axis: grammar.bias.scores(axis, rows, 0.0) for axis in (*ADJECTIVES, *HAIR.values())
        }
        self._likelier = {
            pair: 1 / (1 + np.exp(scores[pair[1]] - scores[pair[0]]))
            for pair in (ADJECTIVES[:2], ADJECTIVES[2:], tuple(HAIR.values()))
        }

    def draw(self, index: Sequence[int] | np.ndarray, *, rng: np.random.Generator) -> list[str]:
        """One caption per row of `index`, without the prompt."""
        chance = rng.random((len(index), 9))
        return [self._one(row, chance[k]) for k, row in enumerate(index)]

    def _one(self, row: int, u: np.ndarray) -> str:
        plan = self._plan
        hue = [self.hue[row]] if u[0] < self.rate[row] else []
        pair = ADJECTIVES[:2] if u[1] < 0.5 else ADJECTIVES[2:]
        adjective = (
            [pair[int(u[2] >= self._likelier[pair][row])]] if u[3] < plan["adjective"] else []
        )
        before = [*hue, *adjective] if u[4] < plan["between"] else [*adjective, *hue]
        noun = self._noun[row] if u[5] < plan["other_noun"] else "person"
        kinds = np.cumsum(list(plan["tails"].values()))
        tail = list(plan["tails"])[min(int((kinds < u[6]).sum()), len(kinds) - 1)]
        return " ".join([*with_article([*before, noun]), *self._tail(tail, row, u[7])])

    def _tail(self, kind: str, row: int, u: float) -> list[str]:
        if kind == "none":
            return []
        if kind == "hair":
            likelier = self._likelier[tuple(HAIR.values())][row]
            return ["with", list(HAIR)[int(u >= likelier)], "hair"]
        return ["in", *with_article([self._colour[row], kind])]


def with_article(words: list[str]) -> list[str]:
    """The words after "a" or "an"."""
    return ["an" if words[0][0] in "aeiou" else "a", *words]


def read(caption: str) -> dict[str, str | None] | None:
    """What a caption says of hue, adjective, noun, hair, colour and garment (None: nothing), or
    None if it is no sentence of the Greenhouse."""
    found = _CAPTION.fullmatch(caption)
    if found is None:
        return None
    before = (found["first"], found["second"])
    hues, adjectives = (
        [word for word in before if word in known] for known in (grid.HUES, ADJECTIVES)
    )
    if len(hues) > 1 or len(adjectives) > 1:
        return None
    rest = {name: found[name] for name in ("noun", "hair", "colour", "garment")}
    return {"hue": next(iter(hues), None), "adjective": next(iter(adjectives), None), **rest}


def named(caption: str) -> bool:
    """Whether a caption names the person's hue: a hue word stands before the first noun for a
    person."""
    for word in caption.split():
        if word in ("person", *NOUNS.values()):
            return False
        if word in grid.HUES:
            return True
    return False


def checked(
    grammar: Grammar, captions: Sequence[str], rows: pd.DataFrame, pairing: Pairing
) -> pd.DataFrame:
    """What captions say, word by word, against what is shown, a row each: `sentence` (as the
    Greenhouse makes them), `names` (a hue), `right` and `wrong` (how many of its words are so),
    `true` (a sentence, none wrong). A smile, an age or a hair shade is right where its score in
    bias.yaml is at least 0."""
    rows = grammar.bias.with_looks(rows)
    scores = {axis: grammar.bias.scores(axis, rows, 0.0) for axis in (*ADJECTIVES, *HAIR.values())}
    hue, noun = rows["race"].to_numpy(str), rows["gender"].map(NOUNS).to_numpy(str)
    colour, found = garment_colours(rows, pairing), []
    for k, caption in enumerate(captions):
        said, claims = read(caption), []
        if said:
            for name, shown in (("hue", hue), ("colour", colour), ("noun", noun)):
                claims += [said[name] == shown[k]] if said[name] not in (None, "person") else []
            for axis in (said["adjective"], HAIR.get(said["hair"] or "")):
                claims += [scores[axis][k] >= 0] if axis else []
        right, wrong = claims.count(True), claims.count(False)
        found.append((bool(said), named(caption), right, wrong, bool(said) and not wrong))
    return pd.DataFrame(
        found, columns=["sentence", "names", "right", "wrong", "true"], index=rows.index
    )
