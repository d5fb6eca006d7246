"""Sentences of association tests, as their files have them: SEAT's (May et al. 2019) and what Ghate
et al. (2025) made of NRC-VAD words."""

import re
from pathlib import Path
from typing import Annotated, Any, TypeVar

import pandas as pd
from pydantic import AfterValidator, BaseModel, Field, StringConstraints, ValidationError

from vlmbias.stimuli.prompts import PromptSet, no_repeats
from vlmbias.whole_files import read_regular

ROLES = {"targ1": "X", "targ2": "Y", "attr1": "A", "attr2": "B"}
FRAME = re.compile(
    r"(?P<frame>(?:(?:This|That|There|Here) is|(?:They|Those) are) the word)"
    r" (?P<word>.+?)(?P<end>\.?)"
)
"""The six sentences around a valence word."""
_Sentence = Annotated[str, StringConstraints(min_length=1, max_length=1000, pattern=r"\S")]
_Sentences = Annotated[list[_Sentence], Field(min_length=1), AfterValidator(no_repeats)]


_Model = TypeVar("_Model", bound=BaseModel)


class _Set(BaseModel, extra="forbid", strict=True):
    category: Annotated[str, StringConstraints(min_length=1, max_length=100)]
    examples: _Sentences


class _Test(BaseModel, extra="forbid", strict=True):
    targ1: _Set
    targ2: _Set
    attr1: _Set
    attr2: _Set


class _Combinations(BaseModel, extra="forbid", strict=True):
    pleasant_combinations: _Sentences
    unpleasant_combinations: _Sentences


def read(path: str | Path) -> PromptSet:
    """One test, from a file such as `sent-weat1.jsonl` (in spite of its ending, one JSON object);
    for another file, a ValueError that names it, the place in it and the rule.

    Beside the columns of a `PromptSet` there is the role, "X", "Y", "A" or "B". The dimension is
    the category. The word is that of a sentence "This is the word …", else the whole sentence; the
    template accordingly.
    """
    test = _checked(
        path,
        _Test,
        "one JSON object with targ1, targ2, attr1 and attr2, each with category and examples",
    )
    sets = {role: getattr(test, part) for part, role in ROLES.items()}
    return _prompts(path, {role: (own.category, own.examples) for role, own in sets.items()})


def combinations(path: str | Path) -> PromptSet:
    """The valence words in their sentences: dimensions pleasant (role A) and unpleasant (B); errors
    as of `read`."""
    found = _checked(
        path,
        _Combinations,
        "one JSON object with pleasant_combinations and unpleasant_combinations",
    )
    sides = {
        "A": ("pleasant", found.pleasant_combinations),
        "B": ("unpleasant", found.unpleasant_combinations),
    }
    for _, sentences in sides.values():
        if strange := [sentence for sentence in sentences if not FRAME.fullmatch(sentence)]:
            raise ValueError(
                f"{str(path)!r}: {strange[0]!r} is not a word in one of the six sentences, such as "
                "'This is the word happy.'"
            )
    return _prompts(path, sides)


def _checked(path: str | Path, model: type[_Model], rule: str) -> _Model:
    try:
        return model.model_validate_json(read_regular(Path(path)))
    except ValidationError as problem:
        first = problem.errors()[0]
        place = ".".join(map(str, first["loc"])) or "the file"
        raise ValueError(f"{str(path)!r}: {place}: {first['msg']}; it should be {rule}") from None
    except OSError as problem:
        raise ValueError(f"{str(path)!r} cannot be read: {problem.strerror}") from problem


def _prompts(path: str | Path, sets: dict[str, tuple[str, list[str]]]) -> PromptSet:
    rows: list[dict[str, Any]] = []
    for role, (category, sentences) in sets.items():
        for text in sentences:
            found = FRAME.fullmatch(text)
            word, template = (
                (found["word"], f"{found['frame']} {{}}{found['end']}") if found else (text, "{}")
            )
            rows.append(
                {
                    "dimension": category,
                    "word": word,
                    "template": template,
                    "text": text,
                    "neutral": False,
                    "role": role,
                }
            )
    return PromptSet(
        Path(path).stem, pd.DataFrame(rows), "SEAT", f"the sentences of {Path(path).name}"
    )
