"""The whole book as one PDF beside its pages: they are put into one page, with their links turned
into links within, and a browser without a window prints it."""

from __future__ import annotations

import io
import json
import posixpath
import re
import shutil
import subprocess
from base64 import b64decode, b64encode
from collections.abc import Iterator
from html import escape
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any
from urllib.parse import unquote, urlsplit

import yaml
from bs4 import BeautifulSoup, Tag
from PIL import Image

from vlmbias import paths

NAME, PLACE = "book.pdf", '<p id="whole-book-pdf" hidden></p>'
BROWSERS = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome")
# drawn before it is printed: milliseconds of the page's own clock, which runs as fast as it can
PATIENCE = 300_000
QUIET = f"""
    --headless --no-sandbox --disable-gpu --disable-background-networking --no-first-run
    --disable-component-update --allow-file-access-from-files --no-pdf-header-footer
    --generate-pdf-document-outline --virtual-time-budget={PATIENCE}
""".split()
OFFLINE = "--host-resolver-rules=MAP * ~NOTFOUND"
# what only works on a screen
UNPRINTED = """script, link, noscript, button, input, select, form, [hidden], a.headerlink,
    .prev-next-area, .toctree-wrapper, .vb-filter, .toggle-details, #whole-book-pdf"""
# the cover speaks of these
UNNOTED = "details.hide.above-input, .vb-made"
# a PDF describes each element within a program; these have the colour of the rest
PLAIN = ".highlight span:is(.n, .p, .o, .w), .highlight wbr"
COVER = """<section class="vb-title"><h1>{title}</h1><p class="vb-by">{author}</p><img src="_static/cover.png" alt=""/>
<p>Three papers about social bias in models like CLIP, rerun and audited. This file is the built book, {built}.</p>
<p>Some of it is on the site only: the code that is folded there, tables that are folded there, all records of the
scorecard, how each page was made, and everything that can be operated. A note stands where a table is left out or ends early.
</p></section>
<nav class="vb-contents"><h1>Contents</h1>{contents}</nav>"""  # noqa: E501
LONGEST, SHORTENED = 40, 20  # rows of a table
ROWS = "These are the first {} of {} rows. The others are on this page of the site."
NOTES = {
    "details.hide.below-input": "A table that is folded on the site is left out here.",
    ".solution details.hide.above-input": "The program is on this page of the site.",
    ".vb-folds, table.vb-cards:not(.vb-folds *)": (
        "All records are on this page of the site, and there as a file."
    ),
}
"""What is left out, and the note in its place."""


def make() -> Path:
    """Print the built site into `book.pdf` and return its path.

    Raises
    ------
    RuntimeError
        No built site, no browser, or a browser that printed nothing.
    """
    site, about = paths.build() / "site" / "_build" / "html", paths.build() / "site" / "built.json"
    if not about.exists():
        raise RuntimeError("pdf: the book is not built here; first run `make book`")
    _browser()  # or an error, before minutes of work
    config = yaml.safe_load((paths.root() / "_config.yml").read_text("utf-8"))
    built = json.loads(about.read_text("utf-8"))["built"][:10]
    toc = paths.root() / "_toc.yml"
    text = whole(site, toc, title=config["title"], author=config["author"], built=built)
    print_page(text, site, site / NAME)
    link(site)
    return site / NAME


def _browser() -> str:
    found = next(filter(None, map(shutil.which, BROWSERS)), None)
    if not found:
        raise RuntimeError(
            f"pdf: needs one of {', '.join(BROWSERS)} to print the pages; none is installed here"
        )
    return found


def print_page(text: str, site: Path, to: Path, *, seconds: float = 1200) -> None:
    """Print one page, whose addresses are relative to the site's folder.

    Raises
    ------
    RuntimeError
        No browser, or one that printed nothing in this time.
    """
    browser, page, part = _browser(), site / "whole.html", to.with_name(f"{to.name}.part")
    try:
        page.write_text(text, encoding="utf-8")
        with TemporaryDirectory() as profile:
            own = [f"--user-data-dir={profile}", f"--print-to-pdf={part}", page.as_uri()]
            try:
                command = [browser, *QUIET, OFFLINE, *own]
                done = subprocess.run(command, capture_output=True, text=True, timeout=seconds)
                message = done.stderr[-500:]
            except subprocess.TimeoutExpired:
                message = f"not ready after {seconds:.0f} s"
        if not part.exists() or not part.read_bytes().startswith(b"%PDF"):
            raise RuntimeError(f"pdf: {browser} printed nothing: {message}")
        part.rename(to)
    finally:
        page.unlink(missing_ok=True)
        part.unlink(missing_ok=True)


def link(site: Path) -> None:
    """Show readers where the file is, and how large."""
    page, size = site / "book" / "read.html", max(1, round((site / NAME).stat().st_size / 1e6))
    words = f'<p id="whole-book-pdf">The whole book as one file: <a href="../{NAME}">PDF, {size} MB</a>.</p>'  # noqa: E501
    text = re.sub(r'<p id="whole-book-pdf".*?</p>', words, page.read_text("utf-8"))
    page.write_text(text, encoding="utf-8")


def whole(site: Path, toc: Path, *, title: str, author: str, built: str) -> str:
    """The HTML of the whole book; its addresses are relative to the site's folder."""
    parts = chapters(toc)
    pages = [page for own in parts.values() for page in own]
    bodies = {page: _article(site, page, set(pages)) for page in pages}
    _mend(bodies)
    contents = "".join(
        _contents(caption, [bodies[page] for page in own]) for caption, own in parts.items()
    )
    title, author, built = map(escape, (title, author, built))
    cover = COVER.format(title=title, author=author, built=built, contents=contents)
    return (
        '<!doctype html><html lang="en" data-theme="light" data-mode="light"><head><meta'
        f' charset="utf-8"><title>{title}</title>{_head(site, pages[0])}</head><body'
        f' class="vb-whole">{cover}{"".join(map(str, bodies.values()))}</body></html>'
    )


def chapters(toc: Path) -> dict[str, list[str]]:
    """The pages of each part of the book, those under others too; the first page has no part."""
    listed = yaml.safe_load(toc.read_text("utf-8"))
    parts = {part["caption"]: list(_files(part["chapters"])) for part in listed["parts"]}
    return {"": [listed["root"]], **parts}


def _files(listed: list[dict[str, Any]]) -> Iterator[str]:
    for one in listed:
        yield one["file"]
        yield from _files(one.get("sections", []))


def _contents(caption: str, bodies: list[Tag]) -> str:
    """The lines of one part of the book in the table of contents."""
    titles = {body["id"]: body.select_one("h1") for body in bodies}
    lines = (
        f'<li><a href="#{name}">{escape(title.get_text() if title else "")}</a></li>'
        for name, title in titles.items()
    )
    return f"<h2>{escape(caption)}</h2>" * bool(caption) + f"<ul>{''.join(lines)}</ul>"


def _head(site: Path, page: str) -> str:
    """The styles of the site, and the program that typesets formulas."""
    first = (site / f"{page}.html").read_text("utf-8")
    styles = dict.fromkeys(re.findall(r'<link[^>]*href="([^"]+\.css)[^"]*"', first))
    links = "".join(f'<link rel="stylesheet" href="{_source(page, one)}">' for one in styles)
    settings = "".join(re.findall(r"<script>window\.MathJax.*?</script>", first, re.DOTALL))
    return f'{links}{settings}<script src="_static/mathjax/tex-mml-chtml.js"></script>'


# --- one page among the others --------------------------------------------------------------------


def _article(site: Path, page: str, known: set[str]) -> Tag:
    """What a page says, ready to stand among the others."""
    soup = BeautifulSoup((site / f"{page}.html").read_text("utf-8"), "html.parser")
    body = soup.select_one("article.bd-article")
    assert body, f"{page} has no article"
    for one in body.select(UNPRINTED):
        one.decompose()
    _leave_out(body)
    for one in body.select("details"):
        one["open"] = ""
    for one in body.select(".toggle, .toggle-hidden, .dropdown"):
        folds = ("toggle", "toggle-hidden", "dropdown")
        one["class"] = " ".join(name for name in one["class"] if name not in folds)
    for one in body.select(PLAIN):
        one.unwrap()
    for one in body.select("[src]"):
        one["src"] = _source(page, str(one["src"]))
    for one in body.select("a[href]"):
        if link := _link(page, str(one["href"]), known):
            one["href"] = link
        else:
            del one["href"]
    for one in body.select("[id]"):
        one["id"] = _anchor(page, str(one["id"]))
    body.name = "section"
    body["id"], body["class"] = _anchor(page), "bd-article vb-chapter"
    return body


def _leave_out(body: Tag) -> None:
    """Take away what is folded on the site and repeats or lengthens, and most of a table that fills
    pages; a note says so."""
    for selector, words in NOTES.items():
        for one in body.select(selector):
            one.replace_with(_note(words))
    for one in body.select(UNNOTED):
        one.decompose()
    for table in body.select("table"):
        rows = table.select("tbody > tr")
        if len(rows) > LONGEST:
            for row in rows[SHORTENED:]:
                row.decompose()
            table.insert_after(_note(ROWS.format(SHORTENED, len(rows))))


def _note(words: str) -> Tag:
    """A paragraph that says what is left out."""
    note = BeautifulSoup().new_tag("p", attrs={"class": "vb-left-out"})
    note.string = words
    return note


def _anchor(page: str, place: str = "") -> str:
    """The name, within the whole, of a page or of a place on it."""
    return page.replace("/", "-") + f"--{place}" * bool(place)


def _source(page: str, source: str) -> str:
    """Where a picture lies, seen from the site's folder. One inside the page becomes a JPEG, the
    one lossy format that a PDF keeps as it is; others it unpacks."""
    if source.startswith("data:image/webp"):
        file = io.BytesIO()
        with Image.open(io.BytesIO(b64decode(source.partition(",")[2]))) as picture:
            picture.convert("RGB").save(file, "JPEG", quality=85)
        return f"data:image/jpeg;base64,{b64encode(file.getvalue()).decode()}"
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
    return f"#{_anchor(there, unquote(parts.fragment))}" if there in known else None


def _mend(bodies: dict[str, Tag]) -> None:
    """Let every place have one name, and links to places that were left out lead to their page."""
    places = set(map(_anchor, bodies))
    for one in (one for body in bodies.values() for one in body.select("[id]")):
        if one["id"] in places:  # such as the inside of each solution
            del one["id"]
        else:
            places.add(str(one["id"]))
    for one in (one for body in bodies.values() for one in body.select('a[href^="#"]')):
        if str(one["href"])[1:] not in places:
            one["href"] = str(one["href"]).partition("--")[0]
