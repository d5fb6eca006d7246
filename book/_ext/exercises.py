"""Exercises: what they ask of a reader, their numbers within a chapter, and a table of all of them.
`level`, `minutes` and `code` stand beside every exercise in the chapters' notebooks."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar

import computed
import yaml
from docutils import nodes
from docutils.parsers.rst import directives
from sphinx.application import Sphinx
from sphinx.environment import BuildEnvironment
from sphinx_exercise.directive import ExerciseDirective

from runner import notebooks
from vlmbias import paths

LEVELS = ("introductory", "intermediate", "advanced")
BLOCK = re.compile(r"^:::\{exercise\} (?P<title>.+)\n(?P<options>(?::\w+:.*\n)+)", re.MULTILINE)
OPTION = re.compile(r"^:(\w+): *(.*)$", re.MULTILINE)


@dataclass(frozen=True)
class Exercise:
    """One exercise: its chapter, its number there, and what it asks of a reader."""

    notebook: str
    chapter: str
    number: int
    title: str
    label: str
    level: str
    minutes: int
    code: bool

    @property
    def needs(self) -> str:
        """What the line under the title says."""
        return (
            f"{self.level} · {self.minutes} minutes ·"
            f" {'with code' if self.code else 'no code needed'}"
        )


def _whether(text: str | None) -> bool:
    return directives.choice(text, ("yes", "no")) == "yes"


OPTIONS = {
    "level": lambda text: directives.choice(text, LEVELS),
    "minutes": directives.positive_int,
    "code": _whether,
}


def in_notebook(name: str, path: Path) -> Iterator[Exercise]:
    """The exercises of one notebook, in order; a malformed or missing option is a ValueError that
    names it."""
    prose = "\n\n".join(
        cell.source for cell in notebooks.read(path).cells if cell.cell_type == "markdown"
    )
    chapter = re.findall(r"^# (.+)$", prose, re.MULTILINE)[0]
    for number, block in enumerate(BLOCK.finditer(prose), start=1):
        given = dict(OPTION.findall(block["options"]))
        try:
            asked = {option: OPTIONS[option](given.get(option)) for option in OPTIONS}
        except (ValueError, TypeError) as problem:
            rule = (
                f"level (one of {', '.join(LEVELS)}), minutes (a whole number) and code (yes or no)"
            )
            raise ValueError(
                f"{name}, exercise {block['title']!r}: give {rule}; {problem}"
            ) from None
        yield Exercise(name, chapter, number, block["title"].strip(), given["label"], **asked)


def every() -> list[Exercise]:
    """All exercises of the book, in the order of its table of contents."""
    toc = yaml.safe_load((paths.root() / "_toc.yml").read_text("utf-8"))
    files = [chapter["file"] for part in toc["parts"] for chapter in part["chapters"]]
    names = [file.removeprefix("notebooks/") for file in files if file.startswith("notebooks/")]
    return [
        one
        for name in names
        for one in in_notebook(name, paths.root() / "notebooks" / f"{name}.py")
    ]


class WithNeeds(ExerciseDirective):
    """`{exercise}` with the options `level`, `minutes` and `code`, which the page prints under the
    title."""

    option_spec: ClassVar = {**ExerciseDirective.option_spec, **OPTIONS}

    def run(self) -> list[nodes.Node]:
        if missing := [name for name in OPTIONS if name not in self.options]:
            raise self.error(
                f"exercise {self.options.get('label', '')!r}: give {', '.join(missing)}"
            )
        asked = {name: self.options[name] for name in OPTIONS}
        found = super().run()
        text = Exercise("", "", 0, "", self.options["label"], **asked).needs
        for node in found:
            node[1].insert(0, nodes.paragraph("", text, classes=["vb-needs"]))
        return found


def number_within_pages(app: Sphinx, env: BuildEnvironment) -> list[str]:
    """Let every page's exercises begin with 1; Sphinx counts them through the book."""
    for kinds in env.toc_fignumbers.values():
        for number, label in enumerate(kinds.get("exercise", {}), start=1):
            kinds["exercise"][label] = (number,)
    return []


def link(page: str, text: str) -> nodes.Node:
    """`` {exercise-link}`<notebook>.html#<label> <title>` ``: in the table, as plain text."""
    place, _, title = text.partition(" ")
    refuri = f"{computed.up(page)}notebooks/{place}"
    return nodes.reference("", title, refuri=refuri, internal=True)


def listed(page: str) -> str:
    """`{exercise-table}`: every exercise with its chapter, level, minutes, and whether code is
    needed."""
    found = every()
    minutes, without = sum(one.minutes for one in found), sum(not one.code for one in found)
    rows = (
        [
            f"{{exercise-link}}`{one.notebook}.html#{one.label} {one.title}`"
            f' <span class="vb-place">{one.chapter}, exercise {one.number}</span>',
            one.level,
            one.minutes,
            "yes" if one.code else "no",
        ]
        for one in found
    )
    return (
        f"{len(found)} exercises, {minutes / 60:.0f} hours in all; {without} of them need no"
        " code.\n\n:::{table}\n:class: vb-exercises\n:widths: 66 18 8 8\n\n"
        + computed.table(["exercise and chapter", "level", "min", "code"], rows)
        + "\n:::"
    )


def setup(app: Sphinx) -> None:
    app.setup_extension("sphinx_exercise")
    app.add_directive("exercise", WithNeeds, override=True)
    computed.role(app, "exercise-link", link)
    computed.directive(app, "exercise-table", listed)
    app.connect("env-get-updated", number_within_pages, priority=900)
