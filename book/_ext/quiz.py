"""Quiz questions with folded answers, from `book/teach/quiz.yaml`: the directive `{quiz}`. A test
computes the answer of every question."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import computed
import yaml
from sphinx.application import Sphinx

from vlmbias import paths

SOURCE = "book/teach/quiz.yaml"
FOLDED = ":::{{admonition}} Answer\n:class: dropdown tip\n**({letter})** {answer}\n\n{because}\n:::"


@dataclass(frozen=True)
class Question:
    """One question: its session, name, text, options, the right one of them, and why."""

    session: int
    name: str
    question: str
    options: tuple[str, ...]
    answer: str
    because: str

    def __post_init__(self) -> None:
        if self.answer not in self.options or len(set(self.options)) != len(self.options):
            raise ValueError(
                f"quiz, {self.name}: the answer {self.answer!r} must be one of {len(self.options)} "
                f"different options: {', '.join(self.options)}"
            )

    def __str__(self) -> str:
        lettered = dict(zip(self.options, "abcdef", strict=False))
        options = "\n".join(f"- ({letter}) {option}" for option, letter in lettered.items())
        folded = FOLDED.format(
            letter=lettered[self.answer], answer=self.answer, because=self.because
        )
        return f"{self.question}\n\n{options}\n\n{folded}"


def questions(path: Path | None = None) -> list[Question]:
    """All questions; an answer that is none of its options is a ValueError that names the
    question."""
    plain = yaml.safe_load((path or paths.root() / SOURCE).read_text("utf-8"))
    return [
        Question(
            **{**one, "options": tuple(map(str, one["options"])), "answer": str(one["answer"])}
        )
        for one in plain
    ]


def quiz(page: str, session: str) -> str:
    """`{quiz} <session>`: its questions."""
    own = [one for one in questions() if str(one.session) == session]
    if not own:
        raise ValueError(f"no questions for session {session!r} in {SOURCE}")
    return "\n\n".join(f"**{number}.** {one}" for number, one in enumerate(own, start=1))


def setup(app: Sphinx) -> None:
    computed.directive(app, "quiz", quiz)
