"""Codes of differences and terms of the glossary become links, once and only in prose; code lines
keep their text."""

import re

import pytest
import small_site
import yaml

from vlmbias import paths
from vlmbias.papers import PAPERS

EXTENSIONS = paths.root() / "book" / "_ext"
PAGES = {
    "index": (
        "# Book\n\n```{toctree}\nbook/glossary\nbook/one\nbook/later\nbook/differences\n```\n"
    ),
    "book/later": (
        "# Later\n\nA cosine, and an effect size.\n\n## Where paper and code differ\n\nIn X1 (W1)"
        " and H7.\n"
    ),
    "book/glossary": (
        ":::{glossary}\nEffect size\n  A size.\n\nCosine\n  A cosine.\n\nMarked, markedness\n"
        "  A mark.\n:::\n"
    ),
    "book/differences": "# List\n\n```{differences}\n```\n",
    "book/one": (
        "# Effect size and H7\n\nEffect sizes (H7, H99) and a cosine; the effect size again,"
        " marked.\n\n`H7 cosine`, [a cosine](https://example.org), markedness (W1).\n\n| a | b"
        " |\n|---|---|\n| H7 | *cosine* |\n\n```python\nfor one in range(3):\n    print('a < b',"
        " one)\n\nend()\n```\n\n```text\nH7   a drawing\n```\n"
    ),
}


@pytest.fixture(scope="module")
def built(tmp_path_factory):
    """The article of each page of a small book with our extensions."""
    source = tmp_path_factory.mktemp("links")
    for name, text in PAGES.items():
        place = source / f"{name}.md"
        place.parent.mkdir(exist_ok=True)
        place.write_text(text if text.startswith("# ") else f"# Words\n\n{text}", encoding="utf-8")
    for paper in PAPERS:
        for chapter in (paths.root() / "notebooks" / paper).glob("*.py"):
            place = source / "notebooks" / paper / f"{chapter.stem}.md"
            place.parent.mkdir(parents=True, exist_ok=True)
            place.write_text(f"---\norphan: true\n---\n# {chapter.stem}\n")
    extensions = ("differences", "glossary_links", "page_html")
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(str(EXTENSIONS))
        small_site.forget("claims_on_pages", *extensions)
        import glossary_links

        patch.setattr(glossary_links, "GLOSSARY", source / "book/glossary.md")
        syntax = ("colon_fence", "attrs_inline")
        warnings = small_site.build(source, *extensions, syntax=syntax)
    assert not warnings
    pages = {name: (source / "html" / f"{name}.html").read_text("utf-8") for name in PAGES}
    return {
        name: text[text.index("<h1") : text.index('class="sphinxsidebar"')]
        for name, text in pages.items()
    }


def listed():
    """Every code of the list."""
    papers = yaml.safe_load((paths.root() / "book/differences.yaml").read_text("utf-8"))
    return {code for codes in papers.values() for code in codes}


def links(page, target):
    return re.findall(
        rf'<a class="reference internal" href="{target}#([^"]+)"[^>]*>(?:<span[^>]*>)?([^<]*)', page
    )


def test_codes_become_links_in_prose_and_tables_only(built):
    assert links(built["book/one"], "differences.html") == [
        ("difference-h7", "H7"),
        ("difference-w1", "W1"),
        ("difference-h7", "H7"),
    ]
    assert "H99" in built["book/one"]


def test_a_list_of_differences_says_what_its_codes_mean(built):
    assert "A code such as W1 " in re.sub("<[^>]+>", "", built["book/later"])
    assert "A code such as" not in built["book/one"]


def test_terms_become_links_at_their_first_use(built):
    found = links(built["book/one"], "glossary.html")
    assert [words for _, words in found] == ["Effect sizes", "cosine", "markedness"]
    assert found[2][0].startswith("term-Marked")


def test_the_glossary_names_the_first_page_in_the_books_order_that_uses_a_term(built):
    entries = re.findall(r"<dt.*?</dd>", built["book/glossary"], re.DOTALL)
    for entry in entries:
        assert re.findall(r'First used in: <a[^>]* href="([^"]+)"', entry) == ["one.html"]
    assert len(entries) == 3 and "Effect size and H7</a>" in entries[0]


def test_the_list_has_an_anchor_for_each_code_and_names_its_chapters(built):
    page = built["book/differences"]
    codes = re.findall(r'id="difference-([a-z]\d+)"', page)
    assert sorted(codes) == sorted(code.lower() for code in listed())
    (row,) = re.findall(r'id="difference-h14".*?</tr>', page, re.DOTALL)
    assert re.findall(r'<a [^>]*href="([^"]+)"', row) == ["../notebooks/causalface/stimuli.html"]


def test_lines_of_a_program_are_elements_and_keep_their_text(built):
    lines = re.findall(
        r'<span class="vb-line" style="--in:(\d+)">(.*?\n)</span>', built["book/one"]
    )
    assert [int(depth) for depth, _ in lines] == [0, 4, 0, 0]
    text = "".join(re.sub("<[^>]*>", "", line) for _, line in lines)
    assert (
        text.replace("&#39;", "'").replace("&lt;", "<")
        == "for one in range(3):\n    print('a < b', one)\n\nend()\n"
    )
    assert "<wbr>" in lines[1][1] and "vb-line" not in built["book/one"].split("highlight-text")[1]


def test_the_codes_of_the_chapters_are_those_of_the_list():
    used = set()
    for paper in (one for one in PAPERS.values() if one.letter):
        chapters = (paths.root() / "notebooks" / paper.name).glob("*.py")
        for page in (*chapters, paths.root() / "book" / f"{paper.name}.md"):
            used |= set(re.findall(rf"\b{paper.letter}\d{{1,2}}\b", page.read_text("utf-8")))
    assert used == listed()
