"""A rerun's page, as Sphinx makes it: readable without a network, its links to the book's pages in
place."""

import re
from base64 import b64decode
from pathlib import Path
from urllib.parse import unquote, urlsplit

import nbformat
import pytest
from outputs import glue, show

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
    about = {"files": {}, "settings": "greenhouse", "parameters": {"n": 3}, "commit": "abc"}
    about |= {"started": "now", "seconds": 1.0, "threads": 1, "machine": "one", "sources": {}}
    about |= {"supplied": {}}
    about["versions"] = {"python": "3.11"}
    code = nbformat.v4.new_code_cell("1 + 1", outputs=[glue("mean", 0.125), show(FIGURE)])
    cells = [nbformat.v4.new_markdown_cell(SOURCE), code]
    executed = nbformat.v4.new_notebook(cells=cells, metadata={"vlmbias": about})
    place = paths.build() / "runs/paper/chapter/abc"
    place.mkdir(parents=True)
    return page.write(page.composed(executed, "What was changed."), place, "paper/chapter")


def test_a_page_is_one_file_with_the_chapters_numbers_and_links_into_the_book(made):
    html = made.read_text("utf-8")
    text = re.sub(r"<[^>]+>", "", html)
    order = ("A title", "What was changed.", "The mean is 0.12, with")
    assert sorted(order, key=text.index) == [*order]
    assert "How this page was made" in text and 'class="math' in html
    loaded = re.findall(r'<(?:script|link|img)[^>]* (?:src|href)="([^"#]+)"', html)
    assert [one for one in loaded if not one.startswith("data:")] == [], "the page is one file"
    styles = re.findall(r"data:text/css;base64,([\w+/=]+)", html)
    assert "--pst-color" in "".join(b64decode(one).decode() for one in styles)
    assert sorted(one.name for one in made.parent.iterdir()) == ["page.html"]
    assert not (made.parents[3] / "_static").exists()
    # its links lead to the pages that the book has, wherever it is moved
    found = re.findall(r'href="([^"]*site/_build[^"]*)"', html)
    assert len(found) == 2  # of the prose, and of the figure
    assert all(link.startswith("file://") for link in found)
    assert all(Path(unquote(urlsplit(link).path)).read_text() == "the guide" for link in found)
    assert "nothing" in html


def test_where_the_book_is_published_its_links_lead_there(checkout, monkeypatch):
    assert page.book() == (paths.build() / "site/_build/html").as_uri() + "/"
    monkeypatch.setenv("VLMBIAS_BASEURL", "https://pages.example/book")
    assert page.book() == "https://pages.example/book/"
    (checkout / "_config.yml").write_text("html: {baseurl: 'https://other.example/b/'}\n")
    assert page.book() == "https://other.example/b/"
