"""Quiz questions with folded answers, or without any, from `book/teach/quiz.yaml`: the directive
`{quiz}`. A test computes the answer of every question."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import computed
import yaml
from sphinx.application import Sphinx

from vlmbias import paths

SOURCE = "book/teach/quiz.yaml"
FOLDED = "{asked}\n\n:::{{admonition}} Answer\n:class: dropdown tip\n{answered}\n:::"


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

    @property
    def asked(self) -> str:
        """The question and its options."""
        lettered = zip("abcdef", self.options, strict=False)
        options = "\n".join(f"- ({letter}) {option}" for letter, option in lettered)
        return f"{self.question}\n\n{options}"

    @property
    def answered(self) -> str:
        """The right option, and why."""
        letter = "abcdef"[self.options.index(self.answer)]
        return f"**({letter})** {self.answer}\n\n{self.because}"


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


def quiz(page: str, session: str, which: str = "answered") -> str:
    """`{quiz} <session>`: its questions; `{quiz} <session> asked`: without the answers."""
    if which not in ("answered", "asked"):
        raise ValueError(f"questions are answered or asked, not {which!r}")
    own = [one for one in questions() if str(one.session) == session]
    if not own:
        raise ValueError(f"no questions for session {session!r} in {SOURCE}")
    form = FOLDED if which == "answered" else "{asked}"
    written = (form.format(asked=one.asked, answered=one.answered) for one in own)
    return "\n\n".join(f"**{number}.** {one}" for number, one in enumerate(written, start=1))


def setup(app: Sphinx) -> None:
    computed.directive(app, "quiz", quiz)
