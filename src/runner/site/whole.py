"""All pages of the built book in one that is printed, with their links turned into links within."""

from __future__ import annotations

import io
import posixpath
import re
from base64 import b64decode, b64encode
from collections.abc import Iterator
from html import escape
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlsplit

import yaml
from bs4 import BeautifulSoup, Tag
from PIL import Image

# what only works on a screen
UNPRINTED = (
    "script",
    "link",
    "noscript",
    "button",
    "input",
    "select",
    "form",
    "[hidden]",
    "a.headerlink",
    ".prev-next-area",
    ".toctree-wrapper",
    ".vb-filter",
    ".toggle-details",
    "#whole-book-pdf",
)
# a PDF describes each element within a program; these have the colour of the rest
PLAIN = ".highlight span:is(.n, .p, .o, .w), .highlight wbr"
COVER = """<section class="vb-title"><h1>{title}</h1><p class="vb-by">{author}</p><img src="{picture}" alt=""/>
<p>Three papers about social bias in models like CLIP, rerun and audited. This file is the built book, {built}.</p>
<p>Some of it is on the site only: the code that is folded there, tables that are folded there, all records of the
scorecard, how each page was made, and everything that can be operated. A note stands where a table is left out or ends early.
</p></section>
<nav class="vb-contents"><h1>Contents</h1>{contents}</nav>"""  # noqa: E501
LONGEST, SHORTENED = 40, 20  # rows of a table
RECORDS = "All records are on this page of the site, and there as a file."
ROWS = "These are the first {} of {} rows. The others are on this page of the site."
FOLDED = "A table that is folded on the site is left out here."
PROGRAM = "The program is on this page of the site."


def chapters(toc: Path) -> list[tuple[str | None, list[str]]]:
    """The parts of the book, each with the names of its pages, those under others too; the first
    page has no part."""
    listed = yaml.safe_load(toc.read_text("utf-8"))
    parts = [(part["caption"], list(_files(part["chapters"]))) for part in listed["parts"]]
    return [(None, [listed["root"]]), *parts]


def _files(listed: list[dict[str, Any]]) -> Iterator[str]:
    for one in listed:
        yield one["file"]
        yield from _files(one.get("sections", []))


def anchor(page: str, place: str = "") -> str:
    """The name, within the whole, of a page or of a place on it."""
    return f"{page.replace('/', '-')}--{place}" if place else page.replace("/", "-")


def article(site: Path, page: str, known: set[str]) -> Tag:
    """What a page says, ready to stand among the others."""
    body = BeautifulSoup((site / f"{page}.html").read_text("utf-8"), "html.parser").select_one(
        "article.bd-article"
    )
    assert body, f"{page} has no article"
    for one in body.select(", ".join(UNPRINTED)):
        one.decompose()
    _leave_out(body)
    _open(body)
    for one in body.select(PLAIN):
        one.unwrap()
    for one in body.select("img[src]"):
        one["src"] = _as_jpeg(str(one["src"]))
    for one in body.select("[src]"):
        one["src"] = _source(page, str(one["src"]))
    for one in body.select("a[href]"):
        if link := _link(page, str(one["href"]), known):
            one["href"] = link
        else:
            del one["href"]
    for one in body.select("[id]"):
        one["id"] = anchor(page, str(one["id"]))
    body.name = "section"
    body["id"], body["class"] = anchor(page), "bd-article vb-chapter"
    return body


def _note(words: str) -> Tag:
    new = BeautifulSoup(f'<p class="vb-left-out">{escape(words)}</p>', "html.parser").p
    assert new
    return new


def _leave_out(body: Tag) -> None:
    """Take away what is folded on the site and repeats or lengthens; a note says so."""
    for code in body.select("details.hide.above-input"):
        if code.find_parent(class_="solution"):
            code.replace_with(_note(PROGRAM))
        else:  # the cover speaks of it
            code.decompose()
    for table in body.select("details.hide.below-input"):
        table.replace_with(_note(FOLDED))
    for table in body.select(".vb-folds, table.vb-cards:not(.vb-folds *)"):
        table.replace_with(_note(RECORDS))
    for box in body.select(".vb-made"):  # the cover speaks of it
        box.decompose()
    for table in body.select("table"):
        _shorten(table)


def _shorten(table: Tag) -> None:
    """Keep the beginning of a table that fills pages."""
    rows = table.select("tbody > tr")
    if len(rows) <= LONGEST:
        return
    for row in rows[SHORTENED:]:
        row.decompose()
    table.insert_after(_note(ROWS.format(SHORTENED, len(rows))))


def _open(body: Tag) -> None:
    """Unfold what is left."""
    for one in body.select("details"):
        one["open"] = ""
    for one in body.select(".toggle, .toggle-hidden, .dropdown"):
        one["class"] = " ".join(
            name for name in one["class"] if name not in ("toggle", "toggle-hidden", "dropdown")
        )


def _as_jpeg(source: str) -> str:
    """A picture inside a page in the one lossy format that a PDF keeps as it is; others it
    unpacks."""
    if not source.startswith("data:image/webp"):
        return source
    file = io.BytesIO()
    with Image.open(io.BytesIO(b64decode(source.partition(",")[2]))) as picture:
        picture.convert("RGB").save(file, "JPEG", quality=85)
    return f"data:image/jpeg;base64,{b64encode(file.getvalue()).decode()}"


def _source(page: str, source: str) -> str:
    """Where a picture lies, seen from the site's folder."""
    if urlsplit(source).scheme:
        return source
    return posixpath.normpath(posixpath.join(posixpath.dirname(page), source))


def _link(page: str, link: str, known: set[str]) -> str | None:
    """A link to another page as one within the whole; links to elsewhere stay, those to the site's
    other files go."""
    parts = urlsplit(link)
    if parts.scheme:
        return link
    there = _source(page, unquote(parts.path)).removesuffix(".html") if parts.path else page
    return f"#{anchor(there, unquote(parts.fragment))}" if there in known else None


def _mend(bodies: dict[str, Tag]) -> None:
    """Let every place have one name, and links to places that were left out lead to their page."""
    places = set()
    for one in (one for body in bodies.values() for one in [body, *body.select("[id]")]):
        if one["id"] in places:  # such as the inside of each solution
            del one["id"]
        else:
            places.add(one["id"])
    for one in (one for body in bodies.values() for one in body.select('a[href^="#"]')):
        if str(one["href"])[1:] not in places:
            one["href"] = str(one["href"]).partition("--")[0]


def whole(site: Path, toc: Path, *, title: str, author: str, built: str) -> str:
    """The HTML of the whole book; its addresses are relative to the site's folder."""
    parts = chapters(toc)
    known = {page for _, pages in parts for page in pages}
    bodies = {page: article(site, page, known) for _, pages in parts for page in pages}
    _mend(bodies)
    contents = "".join(
        _contents(caption, {page: bodies[page] for page in pages}) for caption, pages in parts
    )
    cover = COVER.format(
        title=escape(title),
        author=escape(author),
        built=escape(built),
        picture="_static/cover.png",
        contents=contents,
    )
    return (
        '<!doctype html><html lang="en" data-theme="light" data-mode="light"><head><meta'
        f' charset="utf-8"><title>{escape(title)}</title>{_head(site, parts[0][1][0])}</head><body'
        f' class="vb-whole">{cover}{"".join(map(str, bodies.values()))}</body></html>'
    )


def _contents(caption: str | None, bodies: dict[str, Tag]) -> str:
    """The lines of one part of the book in the table of contents."""
    lines = []
    for page, body in bodies.items():
        heading = body.find("h1")
        assert isinstance(heading, Tag), f"{page} has no title"
        lines.append(f'<li><a href="#{anchor(page)}">{escape(heading.get_text())}</a></li>')
    return (f"<h2>{escape(caption)}</h2>" if caption else "") + f"<ul>{''.join(lines)}</ul>"


def _head(site: Path, page: str) -> str:
    """The styles of the site, and the program that typesets formulas."""
    first = (site / f"{page}.html").read_text("utf-8")
    styles = dict.fromkeys(re.findall(r'<link[^>]*href="([^"]+\.css)[^"]*"', first))
    links = "".join(f'<link rel="stylesheet" href="{_source(page, one)}">' for one in styles)
    settings = "".join(re.findall(r"<script>window\.MathJax.*?</script>", first, re.DOTALL))
    return f'{links}{settings}<script src="_static/mathjax/tex-mml-chtml.js"></script>'
