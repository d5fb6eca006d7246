"""Quiz questions with folded answers: the directive `{quiz}`.

Comes in: `book/teach/quiz.yaml`. Goes out: the questions of one session. May not: decide which
answer is right; a test computes that of every question.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import yaml
from docutils import nodes
from sphinx.application import Sphinx
from sphinx.util.docutils import SphinxDirective

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
        letters = "abcdef"
        options = "\n".join(
            f"- ({letter}) {option}" for letter, option in zip(letters, self.options, strict=False)
        )
        letter = letters[self.options.index(self.answer)]
        return f"{self.question}\n\n{options}\n\n" + FOLDED.format(
            letter=letter, answer=self.answer, because=self.because
        )


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


class Quiz(SphinxDirective):
    """`{quiz} <session>`."""

    required_arguments = 1

    def run(self) -> list[nodes.Node]:
        self.env.note_dependency(str(paths.root() / SOURCE))
        own = [one for one in questions() if str(one.session) == self.arguments[0]]
        if not own:
            raise self.error(f"quiz: no questions for session {self.arguments[0]!r} in {SOURCE}")
        text = "\n\n".join(f"**{number}.** {one}" for number, one in enumerate(own, start=1))
        return self.parse_text_to_nodes(text)


def setup(app: Sphinx) -> dict:
    app.add_directive("quiz", Quiz)
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}
