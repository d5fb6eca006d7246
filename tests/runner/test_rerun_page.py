"""A rerun's page, as Sphinx makes it: readable without a network, its links to the book's pages in
place."""

import re
from base64 import b64decode
from pathlib import Path
from urllib.parse import unquote, urlsplit

import nbformat
import pytest

from runner.reruns import page
from vlmbias import paths

SOURCE = """# A title

The mean is {glue:text}`mean:.2f`, with $x^2$; see [the guide](../../book/guide.md) and [nothing](../../book/none.md).
"""  # noqa: E501
FIGURE = '<figure class="vb-figure"><a href="../../book/guide.html">limits</a></figure>'


@pytest.fixture
def made(checkout):
    """The page of a notebook that was executed, beside a book that has one page."""
    built = paths.build() / "site/_build/html/book/guide.html"
    built.parent.mkdir(parents=True)
    built.write_text("the guide")
    kind = "application/papermill.record/"
    glued = nbformat.v4.new_output(
        "display_data",
        {f"{kind}text/plain": "0.125"},
        metadata={"scrapbook": {"name": "mean", "mime_prefix": kind}},
    )
    outputs = [glued, nbformat.v4.new_output("display_data", {"text/html": FIGURE})]
    about = {
        "files": {},
        "settings": "greenhouse",
        "parameters": {"n": 3},
        "commit": "abc",
        "started": "now",
        "seconds": 1.0,
        "threads": 1,
        "machine": "one",
        "versions": {"python": "3.11"},
        "sources": {},
    }
    code = nbformat.v4.new_code_cell("1 + 1", outputs=outputs)
    cells = [nbformat.v4.new_markdown_cell(SOURCE), code]
    executed = nbformat.v4.new_notebook(cells=cells, metadata={"vlmbias": about})
    place = paths.build() / "runs/paper/chapter/abc"
    place.mkdir(parents=True)
    return page.write(page.composed(executed, "What was changed."), place, "paper/chapter")


def test_a_page_shows_the_chapter_with_its_numbers_and_needs_no_network(made, checkout):
    html = made.read_text("utf-8")
    text = re.sub(r"<[^>]+>", "", html)
    assert (
        text.index("A title")
        < text.index("What was changed.")
        < text.index("The mean is 0.12, with")
    )
    assert "How this page was made" in text and 'class="math' in html
    loaded = re.findall(r'<(?:script|link|img)[^>]* (?:src|href)="([^"#]+)"', html)
    assert [one for one in loaded if not one.startswith("data:")] == [], "the page is one file"
    styles = re.findall(r"data:text/css;base64,([\w+/=]+)", html)
    assert "--pst-color" in "".join(b64decode(one).decode() for one in styles)
    assert sorted(one.name for one in made.parent.iterdir()) == ["page.html"]
    assert not (made.parents[3] / "_static").exists()


def test_its_links_lead_to_the_pages_that_the_book_has_wherever_it_is_moved(made):
    found = re.findall(r'href="([^"]*site/_build[^"]*)"', made.read_text("utf-8"))
    assert len(found) == 2  # of the prose, and of the figure
    assert all(link.startswith("file://") for link in found)
    assert all(Path(unquote(urlsplit(link).path)).read_text() == "the guide" for link in found)
    assert "nothing" in made.read_text("utf-8")


def test_where_the_book_is_published_its_links_lead_there(checkout, monkeypatch):
    assert page.book() == (paths.build() / "site/_build/html").as_uri() + "/"
    monkeypatch.setenv("VLMBIAS_BASEURL", "https://pages.example/book")
    assert page.book() == "https://pages.example/book/"
    (checkout / "_config.yml").write_text("html: {baseurl: 'https://other.example/b/'}\n")
    assert page.book() == "https://other.example/b/"
