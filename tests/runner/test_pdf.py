"""All pages in one: their order, links, names and notes, on a site of three pages written by
hand."""

import re

import pytest
import yaml
from bs4 import BeautifulSoup

from runner import pdf
from runner.pdf import LONGEST, SHORTENED, chapters, whole
from vlmbias import paths

PAGE = """<html><head><link rel="stylesheet" href="{up}_static/house.css?v=1">
<script>window.MathJax = {{"own": 1}}</script><script src="{up}_static/theme.js"></script></head>
<body><nav><a href="x.html">not the article</a></nav><article class="bd-article">{body}</article></body></html>"""  # noqa: E501
TOC = {
    "root": "book/index",
    "parts": [
        {
            "caption": "First & last",
            "chapters": [{"file": "book/teach", "sections": [{"file": "book/teach/one"}]}],
        },
        {"caption": "Papers", "chapters": [{"file": "notebooks/paper/result"}]},
    ],
}


def _rows(n):
    rows = "".join(f"<tr><td>row {at}</td></tr>" for at in range(n))
    return f"<thead><tr><th>head</th></tr></thead><tbody>{rows}</tbody>"


BODIES = {
    "book/index": (
        """<h1>The book<a class="headerlink" href="#top">#</a></h1><h2 id="here">Here</h2>
      <a id="to-place" href="teach/one.html#deep">place</a>
      <a id="to-page" href="../notebooks/paper/result.html">page</a>
      <a id="to-row" href="../notebooks/paper/result.html#row-9">a row</a> <a id="own" href="#here">here</a>
      <a id="away" href="https://example.org/x#y">away</a> <a id="to-file" href="../_downloads/all.csv">all rows</a>"""  # noqa: E501
    ),
    "book/teach": (
        """<h1>Teach</h1><h2 id="here">Here</h2><button>press</button><form><input></form>
      <script src="../_static/live.js"></script><script>run()</script><div id="live" hidden></div>
      <img id="still" src="../_images/still.png">"""
    ),
    "book/teach/one": (
        '<h1>One</h1><p id="deep">deep</p><p id="same">first</p><p id="same">second</p>'
    ),
    "notebooks/paper/result": (
        f"""<h1>Result</h1>
      <details class="admonition hide above-input"><pre>secret_program()</pre></details>
      <div class="solution dropdown admonition"><p class="admonition-title">Solution</p>
        <details class="hide above-input"><pre>solve()</pre></details><p>It is 7.</p></div>
      <div class="highlight"><pre>
<span class="n">shown</span><span class="p">(</span><span class="k">None</span></pre></div>
      <details class="hide below-input"><table><tbody><tr><td>folded value</td></tr></tbody></table></details>
      <table id="long">{_rows(LONGEST + 5)}</table><table id="short">{_rows(LONGEST)}</table>
      <table class="vb-cards"><tr id="row-9"><td>a record</td></tr></table>
      <div id="plot-1"></div><script>draw("plot-1")</script>
      <div class="admonition dropdown vb-made"><p class="admonition-title">All notebooks</p><table>
        <tr><td>settings</td><td>greenhouse</td></tr><tr><td>commit</td><td>abc123</td></tr>
        <tr><td>data (sha256)</td><td>0f0f0f</td></tr></table></div>"""  # noqa: E501
    ),
}


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    folder = tmp_path_factory.mktemp("site")
    for name, body in BODIES.items():
        page = folder / f"{name}.html"
        page.parent.mkdir(parents=True, exist_ok=True)
        page.write_text(PAGE.format(up="../" * name.count("/"), body=body))
    (folder / "_toc.yml").write_text(yaml.safe_dump(TOC))
    return folder


@pytest.fixture(scope="module")
def made(site):
    text = whole(site, site / "_toc.yml", title="A <title>", author="us", built="2026-01-02")
    return BeautifulSoup(text, "html.parser")


def test_pages_stand_in_the_order_of_the_contents_with_pages_under_pages(site, made):
    assert chapters(site / "_toc.yml")["First & last"] == ["book/teach", "book/teach/one"]
    titles = ["The book", "Teach", "One", "Result"]
    assert [one.h1.get_text() for one in made.select(".vb-chapter")] == titles
    listed = {one.get_text(): one["href"] for one in made.select(".vb-contents a")}
    assert [*listed] == titles and listed["One"] == "#book-teach-one"
    assert [one.get_text() for one in made.select(".vb-contents h2")] == ["First & last", "Papers"]
    assert made.title.get_text() == made.h1.get_text() == "A <title>"


def test_links_lead_to_places_within_the_file(made):
    links = ("to-place", "to-page", "to-row", "own", "away", "to-file")
    to = {name: made.select_one(f"#book-index--{name}") for name in links}
    assert made.select_one(to["to-place"]["href"]).get_text() == "deep"
    assert made.select_one(to["to-page"]["href"]).h1.get_text() == "Result"
    assert to["to-row"]["href"] == to["to-page"]["href"], "a place that is left out: its page"
    assert made.select_one(to["own"]["href"]).find_parent("section")["id"] == "book-index"
    assert to["away"]["href"] == "https://example.org/x#y"
    assert not to["to-file"].has_attr("href") and to["to-file"].get_text() == "all rows"
    names = [one["id"] for one in made.select("[id]")]
    assert {one["href"][1:] for one in made.select('a[href^="#"]')} <= {*names}
    assert len({*names}) == len(names), "no name is given twice"
    assert made.select_one("#book-teach-one--same").get_text() == "first"


def test_nothing_is_left_that_runs_or_is_operated_and_addresses_are_those_from_the_site(made):
    left = "button, input, form, select, [hidden], .headerlink, details:not([open])"
    assert made.select(left) == []
    scripts = [one.get("src") or one.get_text() for one in made.select("script")]
    assert scripts == ['window.MathJax = {"own": 1}', "_static/mathjax/tex-mml-chtml.js"]
    assert made.select_one("#book-teach--still")["src"] == "_images/still.png"
    assert made.select_one("link")["href"] == "_static/house.css"


LEFT_OUT = ("secret_program", "solve()", "folded value", "a record", "0f0f0f", f"row {LONGEST + 1}")


def test_what_is_left_out_is_announced(made):
    page = made.select_one("section#notebooks-paper-result")
    assert not [secret for secret in LEFT_OUT if secret in made.get_text()]
    notes = " ".join(one.get_text() for one in page.select(".vb-left-out"))
    for said in (f"{SHORTENED} of {LONGEST + 5} rows", "folded on the site", "All records"):
        assert said in notes
    solution = page.select_one(".solution")
    assert "It is 7." in solution.get_text() and solution.select_one(".vb-left-out")
    code = page.select_one(".highlight")
    assert code.pre.get_text().strip() == "shown(None" and code.select_one(".k")
    rows = {name: len(page.select(f"[id$={name}] tbody tr")) for name in ("short", "long")}
    assert rows == {"short": LONGEST, "long": SHORTENED}
    assert page.select("[id$=long] thead th"), "the head of a shortened table stays"
    assert "code that is folded" in made.select_one(".vb-title").get_text(" ")


def test_a_page_links_to_the_file_and_says_how_large_it_is(tmp_path):
    page = tmp_path / "book" / "read.html"
    page.parent.mkdir()
    page.write_text(f"<p>Read.</p>{pdf.PLACE}<p>More.</p>")
    for size, said in ((3_400_000, "3 MB"), (12_000_000, "12 MB")):
        (tmp_path / pdf.NAME).write_bytes(b"%PDF" + bytes(size))
        pdf.link(tmp_path)
        assert re.findall(r'href="([^"]*)">([^<]*)<', page.read_text()) == [
            ("../book.pdf", f"PDF, {said}")
        ]


def test_the_page_for_readers_has_the_place_for_the_link():
    assert pdf.PLACE in (paths.root() / "book" / "read.md").read_text("utf-8")


def test_without_a_built_book_or_a_browser_one_error_says_so(tmp_path, monkeypatch):
    monkeypatch.setattr(pdf.paths, "build", lambda: tmp_path)
    with pytest.raises(RuntimeError, match="first run `make book`"):
        pdf.make()
    (tmp_path / "site").mkdir()
    (tmp_path / "site" / "built.json").write_text('{"built": "2026-01-02T00:00:00"}')
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(RuntimeError, match="needs one of chromium"):
        pdf.make()
