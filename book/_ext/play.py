"""The directive `{play} NAME [PART]`: a thing to play with, in place of what stands still.

What each one shows is computed in the module of its name; its script lies in `book/static/play`,
and asks for nothing outside this folder.
"""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from importlib import import_module
from pathlib import Path
from typing import Any

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.util.docutils import SphinxDirective

from studies.overviews.illustration import Illustration
from vlmbias import paths
from vlmbias.figures import showing
from vlmbias.number_signs import in_words

NAMES = ("american-play", "collection", "explorer", "first-look", "nine-models", "shuffle")
FOLDER, LIMITS = "_static/play", "book/greenhouse/limits.html"


@dataclass(frozen=True)
class Play:
    """One thing to play with.

    Attributes
    ----------
    made_from : patterns of the files with which the page changes.
    content : what the scripts show.
    still : HTML that stands there where no script runs, and on paper.
    keeps_still : whether the script works in this HTML, and does not take its place.
    replaces : the anchor of a figure of the page, which serves as `still`.
    libraries : scripts that the thing's own script uses, each after those that it uses.
    parts : more about it, as Markdown.
    """

    made_from: tuple[str, ...]
    content: Callable[[], Mapping[str, Any]] = dict
    still: Callable[[], str] = str
    keeps_still: bool = False
    replaces: str = ""
    libraries: tuple[str, ...] = ()
    parts: Mapping[str, Callable[[], str]] = field(default_factory=dict)


def named(name: str) -> Play:
    """The `PLAY` of the module of this name."""
    return import_module(name.replace("-", "_")).PLAY


def still_figures(*shown: Illustration) -> str:
    """Figures that stand still, as HTML."""
    return "".join(
        showing.to_html(one.figure, alt=one.alt, caption=one.caption, source=one.source)
        for one in shown
    )


def markdown_table(columns: list[str], rows: list[list[Any]]) -> str:
    """A table, as Markdown."""
    lines = [columns, ["---"] * len(columns), *rows]
    return "\n".join(f"| {' | '.join(map(str, line))} |" for line in lines)


def _signed(value: Any) -> Any:
    """The same with the book's signs in all of its texts: −0.41, 80%."""
    if isinstance(value, str):
        return in_words(value)
    if isinstance(value, Mapping):
        return {name: _signed(one) for name, one in value.items()}
    return [_signed(one) for one in value] if isinstance(value, list | tuple) else value


class PlayDirective(SphinxDirective):
    """`{play} shuffle`: the thing itself, or its still picture where no script runs; `{play}
    shuffle numbers`: one of its `parts`."""

    required_arguments, optional_arguments = 1, 1

    def run(self) -> list[nodes.Node]:
        name, *part = self.arguments
        if name not in NAMES:
            raise self.error(f"play: there is no {name!r}; valid: {', '.join(NAMES)}")
        thing = named(name)
        for pattern in thing.made_from:
            for file in paths.root().glob(pattern):
                self.env.note_dependency(str(file))
        if not part:
            return [nodes.raw("", self._page(name, thing), format="html")]
        if part[0] not in thing.parts:
            valid = ", ".join(thing.parts) or "none"
            raise self.error(f"play: {name} has no part {part[0]!r}; valid: {valid}")
        return self.parse_text_to_nodes(thing.parts[part[0]]())

    def _page(self, name: str, thing: Play) -> str:
        page = self.env.docname
        limits = os.path.relpath(LIMITS, os.path.dirname(page))
        still = thing.still().replace(showing.LIMITS, limits)
        if self.env.app.builder.name != "html":  # an EPUB takes HTML, too, but runs no script
            return still
        if thing.keeps_still:
            place = f'<div id="{name}" class="play">{still}</div>'
        else:
            place = (
                f'<div class="play-still" data-of="{name}">{still}</div>'
                f'<div id="{name}" class="play" data-replaces="{thing.replaces}" hidden></div>'
            )
        content = json.dumps(_signed(thing.content()), ensure_ascii=False, separators=(",", ":"))
        data = content.replace("<", "\\u003c")
        return (
            f'{place}<script type="application/json" id="{name}-data">{data}</script>'
            + self._loading("../" * page.count("/"), ("ui", *thing.libraries, name))
        )

    def _loading(self, up: str, scripts: tuple[str, ...]) -> str:
        """The style and the scripts, without those that the page has already loaded."""
        loaded: set[str] = self.env.temp_data.setdefault("play", set())
        new = [one for one in scripts if one not in loaded]
        style = "" if loaded else f'<link rel="stylesheet" href="{up}{FOLDER}/play.css">'
        loaded.update(new)
        return style + "".join(f'<script src="{up}{FOLDER}/{one}.js"></script>' for one in new)


def copy_networks(app: Sphinx, error: Exception | None) -> None:
    """Put the explorer's networks, which are loaded when a reader chooses them, beside its
    script."""
    if not error and app.builder.name == "html":
        target = Path(app.outdir, FOLDER)
        target.mkdir(parents=True, exist_ok=True)
        for network in (paths.build() / "explorer").glob("network-*.js"):
            shutil.copy(network, target)


def setup(app: Sphinx) -> dict:
    app.add_directive("play", PlayDirective)
    app.connect("build-finished", copy_networks)
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}
