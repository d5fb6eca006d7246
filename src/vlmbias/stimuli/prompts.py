"""Prompt sets by name, from `data/stimuli/**/*.yaml`."""

import re
from collections import Counter
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Annotated, Any

import pandas as pd
from pydantic import AfterValidator, BaseModel, Field, StringConstraints

from vlmbias import paths
from vlmbias.rows import rows_where
from vlmbias.stimuli.reader_folders import words_file
from vlmbias.whole_files import read_yaml


def no_repeats(words: list[str]) -> list[str]:
    """The words, of which none may be listed twice."""
    if repeated := [word for word, times in Counter(words).items() if times > 1]:
        raise ValueError(f"{repeated[0]!r} is listed twice")
    return words


_Word = Annotated[str, StringConstraints(min_length=1, pattern=r"^\S(.*\S)?$")]
_Words = Annotated[list[_Word], Field(min_length=1), AfterValidator(no_repeats)]
_Template = Annotated[str, StringConstraints(pattern=r"^([^{}]|\{a\})*\{\}([^{}]|\{a\})*$")]


class _Prompts(BaseModel, extra="forbid", strict=True):
    """One file of `data/stimuli`. A variant gives those of its fields in which it differs."""

    note: str
    origin: str = Field(alias="from")
    templates: Annotated[list[_Template], Field(min_length=1), AfterValidator(no_repeats)] = ["{}"]
    neutral: bool = False
    dimensions: dict[_Word, _Words] = Field(min_length=1)


@dataclass(frozen=True, eq=False, repr=False)
class PromptSet:
    """Prompts and what each is for.

    Attributes
    ----------
    name : the name it was asked for by.
    table : DataFrame, index 0..n-1: dimension, word, template, text and neutral (bool: there is no
        word in it).
    source : ``"greenhouse"`` for the Greenhouse's own words, else where the words come from.
    note : what the file says about them.

    Examples
    --------
    >>> we = vb.prompts("we_they")
    >>> we
    PromptSet('we_they': 16 prompts; we, they)
    >>> we.where(we.table["dimension"] == "we").table["text"].tolist()
    ['we', 'our', 'ourselves', 'ours', 'us', 'familiar', 'similar', 'here']
    """

    name: str
    table: pd.DataFrame
    source: str
    note: str = ""

    def __len__(self) -> int:
        return len(self.table)

    def __repr__(self) -> str:
        return (
            f"PromptSet({self.name!r}: {len(self)} prompts;"
            f" {', '.join(self.table['dimension'].unique())})"
        )

    def where(self, mask: Any) -> "PromptSet":
        """The rows where `mask`, `(n,)` booleans, is True."""
        return replace(
            self, table=self.table.iloc[rows_where(mask, len(self))].reset_index(drop=True)
        )


def prompts(name: str) -> PromptSet:
    """The prompts of a set: every word of every dimension in every template, and the neutral
    prompts.

    A neutral prompt is the template with no word and the double space collapsed: "A person."

    Parameters
    ----------
    name : a file of `data/stimuli`, such as ``"social_perception"``, ``"we_they"`` or
        ``"greenhouse/valence"``, or a variant of one: ``"social_perception/released"``; or the path
        of a file of your own, from here or from the root, which ends in ``.yaml``.

    Returns
    -------
    PromptSet

    Raises
    ------
    ValueError
        For an unknown name (the known ones are listed) or a malformed file (file and rule are
        named).
    FileNotFoundError
        If there is no file at the path.

    Examples
    --------
    >>> warm = vb.prompts("social_perception")
    >>> len(warm), int(warm.table["neutral"].sum())
    (180, 4)
    >>> warm.table.loc[0, "text"]
    'A photo of a warm person.'
    """
    found = _own(name, own) if (own := words_file(name)) else _ours(name)
    source = "greenhouse" if name.startswith("greenhouse/") else found.origin
    return PromptSet(name, _table(found), source, found.note)


def _own(name: str, path: str) -> _Prompts:
    """The set of a reader's own file, or a variant of it."""
    places = paths.meant_by(path)
    if not (file := next((place for place in places if place.is_file()), None)):
        raise FileNotFoundError(f"no such file: {paths.looked_for(places)}")
    if name not in (found := _read(file, path)):
        raise ValueError(f"no variant {name!r} is in {file}; choose from {', '.join(found)}")
    return found[name]


def _ours(name: str) -> _Prompts:
    """A set of `data/stimuli`; no other file is read, as it may be half written."""
    folder = paths.data() / "stimuli"
    files = {
        file.relative_to(folder).with_suffix("").as_posix(): file
        for file in paths.matching(folder, "**/*.yaml")
        if file.name != "own_images.yaml"
    }
    for one in (name, name.rpartition("/")[0]):
        if one in files and name in (found := _read(files[one], one)):
            return found[name]
    known: list[str] = []
    for one, file in files.items():
        with suppress(ValueError):
            known += _read(file, one)
    raise ValueError(
        f"unknown prompt set {name!r}; give the path of a YAML file of yours, or choose from"
        f" {', '.join(known)}"
    )


def _read(file: Path, name: str) -> dict[str, _Prompts]:
    """The set of a file and its variants, by name."""

    def build(plain: Any) -> dict[str, _Prompts]:
        variants = plain.pop("variants", {})
        found = {name: _Prompts.model_validate(plain)}
        for variant, change in variants.items():
            dimensions = {**plain["dimensions"], **change.get("dimensions", {})}
            found[f"{name}/{variant}"] = _Prompts.model_validate(
                {**plain, **change, "dimensions": dimensions}
            )
        return found

    return read_yaml(file, build)


def _table(read: _Prompts) -> pd.DataFrame:
    rows = [
        (dimension, word, template, _fill(template, word), False)
        for dimension, words in read.dimensions.items()
        for word in words
        for template in read.templates
    ]
    if read.neutral:
        rows += [
            ("neutral", "", template, " ".join(_fill(template, "").split()), True)
            for template in read.templates
        ]
    return pd.DataFrame(rows, columns=["dimension", "word", "template", "text", "neutral"])


def _fill(template: str, word: str) -> str:
    """The prompt: {} becomes the word; {a}, where a template has it, the article that agrees with
    the word."""
    return template.replace("{a}", _article(word)).replace("{}", word)


# words that sound otherwise than they are spelt: "a European", "an hour"; "an MRI", "an 8-hour"
_A = re.compile(r"(?i:eu|ew|one\b|once|uni(?![nm]|dent)|uk|u[brst][aeiou])|U([^a-z]|$)")
_AN = re.compile(r"(?i:hono|hones|hour|heir|[aeiou])|[AEFHILMNORSX]([^a-z]|$)|8|1[18](?![0-9])")


def _article(word: str) -> str:
    """The article that agrees with how a word sounds."""
    return "an" if _AN.match(word) and not _A.match(word) else "a"
