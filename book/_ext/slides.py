"""Slides from a short Markdown source and the chapters' own figures: one HTML file per deck, made
with the book.

A source, `book/teach/<name>.markdown`, is Markdown whose slides are separated by lines of `---`. A
line `{figure} <paper>/<notebook> <anchor>` shows a figure; `{result}` and `{claim}` print numbers,
as on the pages; what follows a line `Notes:` is for the speaker. A line `{quiz} <name>` asks a
question of the quiz, whose answer begins the notes; a line `{worksheet} <view>` shows a table of
the worksheets."""

from __future__ import annotations

import html
import json
import re
from pathlib import Path

import computed
import quiz
import worksheets
from claims_on_pages import result
from docutils import nodes
from markdown_it import MarkdownIt
from page_html import named
from sphinx.application import Sphinx
from sphinx.util import logging

from vlmbias import ledger, number_signs
from vlmbias.notes import NOT_RUN
from vlmbias.whole_files import write

SOURCES = "book/teach"
FIGURE = re.compile(r"^\{figure\} (?P<page>\S+) (?P<name>\S+)$", re.MULTILINE)
QUIZ = re.compile(r"^\{quiz\} (?P<name>\S+)$", re.MULTILINE)
SHEET = re.compile(r"^\{worksheet\} (?P<view>\S+)$", re.MULTILINE)
LETTERS = re.compile(r"\$([^$\\]+)\$")  # formulas of letters and digits alone
ROLE = re.compile(r"\{(?P<role>result|claim)\}`(?P<text>[^`]+)`")
MARKDOWN = MarkdownIt("commonmark", {"html": False}).enable("table")
PAGE = """<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{title}</title>
<link rel="stylesheet" href="../../_static/deck.css">
</head>
<body>
<main>
{slides}
</main>
<nav aria-label="Slides"><button data-step="-1" aria-label="previous slide">◀</button>
<output></output><button data-step="1" aria-label="next slide">▶</button>
<button data-notes aria-pressed="false">notes</button> <a href="{back}">session</a></nav>
<script src="../../_static/deck.js"></script>
</body>
</html>
"""


def _number(found: re.Match) -> str:
    """What a role of the pages prints."""
    if found["role"] == "claim":
        return ledger.claim(found["text"]).value
    return result(found["text"]) or NOT_RUN


def _markdown(text: str) -> str:
    return MARKDOWN.render(ROLE.sub(_number, text))


def figure(source: Path, page: str, name: str) -> str | None:
    """The `<figure>` of that name on the staged page; None where the page or the figure is
    missing."""
    notebook = source / "notebooks" / f"{page}.ipynb"
    if not notebook.is_file():
        return None
    wanted = re.compile(
        rf'<figure class="vb-figure" id="{re.escape(name)}"[^>]*>.*?</figure>', re.DOTALL
    )
    for cell in json.loads(notebook.read_text("utf-8"))["cells"]:
        for output in cell.get("outputs", ()):
            if found := wanted.search("".join(output.get("data", {}).get("text/html", ""))):
                return found[0]
    return None


def _figure(source: Path, page: str, name: str) -> str:
    """A figure with a link to its page, or a line that says where it would be. One that is made for
    slides alone stands on no page: the link leads to the one that it is a part of."""
    there = name.removesuffix("-slide")
    place = f'<a href="../../notebooks/{page}.html#{there}">{html.escape(page)}</a>'
    if found := figure(source, page, name):
        return found.replace(
            "</figcaption>", f'<span class="place">From {place}.</span></figcaption>'
        )
    logging.getLogger(__name__).info("slides: no figure %s in %s", name, page)
    return (
        f'<p class="missing">The figure “{html.escape(name)}” was not made in this build: see'
        f" {place}.</p>"
    )


def _asked(text: str) -> str:
    """The source of a slide with its question spelt out, and the answer in its notes."""
    if not (found := QUIZ.search(text)):
        return text
    one = next((one for one in quiz.questions() if one.name == found["name"]), None)
    if one is None:
        raise ValueError(f"slides: no question {found['name']!r} in {quiz.SOURCE}")
    shown, _, notes = text.replace(found[0], one.asked).partition("\nNotes:")
    return LETTERS.sub(r"*\1*", f"{shown}\nNotes:\n{one.answered}\n\n{notes}")


def _slide(text: str, source: Path) -> str:
    """One slide: its text and figures in order, then the notes, folded."""
    text = SHEET.sub(lambda found: worksheets.written(SOURCES, found["view"]), _asked(text))
    shown, _, notes = text.partition("\nNotes:")
    parts, last = [], 0
    for found in FIGURE.finditer(shown):
        parts += [
            _markdown(shown[last : found.start()]),
            _figure(source, found["page"], found["name"]),
        ]
        last = found.end()
    parts.append(_markdown(shown[last:]))
    if notes:
        parts.append(
            '<details class="notes"><summary>Speaker'
            f" notes</summary>{_markdown(notes.strip())}</details>"
        )
    return "\n".join(part for part in parts if part)


def deck(text: str, source: Path, *, back: str) -> str:
    """The whole HTML page of a deck; `source` holds the staged book, `back` is the page it belongs
    to."""
    texts = [one.strip() for one in re.split(r"^---$", text, flags=re.MULTILINE)]
    title = texts[0].splitlines()[0].lstrip("# ")
    title = html.escape(title)
    slides = [
        f'<section id="s{number}">\n{_slide(one, source)}\n<footer>{title} · {number} of'
        f" {len(texts)}</footer>\n</section>"
        for number, one in enumerate(texts, start=1)
    ]
    return PAGE.format(
        title=title, slides=named(number_signs.in_html("\n".join(slides))), back=back
    )


def write_decks(app: Sphinx, error: Exception | None) -> None:
    """Write every deck among the pages of the site."""
    if error or app.builder.format != "html":
        return
    for path in sorted(Path(app.srcdir, SOURCES).glob("*.markdown")):
        page = deck(
            path.read_text("utf-8"),
            Path(app.srcdir),
            back=path.stem.replace("slides", "session") + ".html",
        )
        write(Path(app.outdir, SOURCES, f"{path.stem}.html"), page)


def link(app: Sphinx, page: str, name: str) -> nodes.Node:
    """`` {deck}`slides-1` ``: a link to the deck made from `book/teach/slides-1.markdown`."""
    if not Path(app.srcdir, SOURCES, f"{name}.markdown").is_file():
        raise ValueError(f"no {SOURCES}/{name}.markdown")
    place = f"{computed.up(page)}{SOURCES}/{name}.html"
    return nodes.reference("", "slides", refuri=place, internal=True)


def setup(app: Sphinx) -> None:
    computed.role(app, "deck", lambda page, name: link(app, page, name))
    app.connect("build-finished", write_decks)
