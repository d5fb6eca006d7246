"""Roles and directives made of plain functions: what one returns stands on the page, what it
refuses is an error that names the page and the line."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable
from typing import Any

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.util.docutils import SphinxDirective, SphinxRole

from vlmbias.figures import showing

LIMITS = "book/greenhouse/limits.html"
REFUSED = (KeyError, TypeError, ValueError)


def role(app: Sphinx, name: str, say: Callable[[str, str], str | nodes.Node]) -> None:
    """Add a role that prints what `say(page, text)` returns."""

    class Said(SphinxRole):
        def run(self) -> tuple[list[nodes.Node], list[nodes.system_message]]:
            try:
                found = say(self.env.docname, self.text)
            except REFUSED as problem:
                message = self.inliner.reporter.error(f"{name} role: {problem}", line=self.lineno)
                return [self.inliner.problematic(self.rawtext, self.rawtext, message)], [message]
            return [nodes.inline("", found) if isinstance(found, str) else found], []

    app.add_role(name, Said())


def directive(app: Sphinx, name: str, write: Callable[..., str | list[nodes.Node]]) -> None:
    """Add a directive in whose place `write(page, *arguments)` stands: Markdown, or nodes."""

    class Written(SphinxDirective):
        optional_arguments = 9

        def run(self) -> list[nodes.Node]:
            try:
                found = write(self.env.docname, *self.arguments)
            except REFUSED as problem:
                raise self.error(f"{name} {' '.join(self.arguments)}: {problem}") from problem
            if isinstance(found, str):
                return self.parse_text_to_nodes(found, allow_section_headings=True)
            return found

    app.add_directive(name, Written)


def table(head: Iterable[Any], rows: Iterable[Iterable[Any]]) -> str:
    """A table in Markdown."""
    head = list(head)
    lines = [head, ["---"] * len(head), *rows]
    return "\n".join(f"| {' | '.join(map(str, line))} |" for line in lines)


def figure(page: str, shown: Any, *, name: str) -> list[nodes.Node]:
    """A figure with its alt text, caption and source (a `studies.overviews.Illustration`)."""
    text = showing.to_html(
        shown.figure, alt=shown.alt, caption=shown.caption, source=shown.source, name=name
    )
    return html(text.replace(showing.LIMITS, os.path.relpath(LIMITS, os.path.dirname(page))))


def html(text: str) -> list[nodes.Node]:
    """HTML, as it is."""
    return [nodes.raw("", text, format="html")]


def up(page: str) -> str:
    """The way from a page to the root of the site."""
    return "../" * page.count("/")
