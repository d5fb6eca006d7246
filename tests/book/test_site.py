"""What the built pages ask of a reader's browser: nothing from elsewhere, no dead link, no silent
picture."""

import re
from html.parser import HTMLParser
from urllib.parse import unquote, urlsplit

import pytest

LOADING = {"script": "src", "img": "src", "iframe": "src", "source": "src", "link": "href"}
LINKING = ("a", "img", "script", "link")


class Page(HTMLParser):
    """The tags of one page."""

    def __init__(self, path):
        super().__init__()
        self.tags = []
        self.text = path.read_text(encoding="utf-8")
        self.feed(self.text)

    def handle_starttag(self, tag, attrs):
        self.tags.append((tag, dict(attrs)))

    def anchors(self):
        return {attrs["id"] for _, attrs in self.tags if attrs.get("id")}


@pytest.fixture(scope="session")
def pages(site):
    return {path: Page(path) for path in site.rglob("*.html") if "_static" not in path.parts}


def test_folds_and_the_sidebar_have_names_and_the_theme_a_mode(pages):
    for path, page in pages.items():
        assert '<summary aria-label="Toggle hidden content">' not in page.text, path
        assert "<th></th>" not in page.text, path
        assert not re.search(r"<summary>\s*<span[^>]*presentation", page.text), path
        if 'id="main-content"' in page.text:
            assert 'data-default-mode="auto"' in page.text, path
            assert 'role="complementary" aria-label="the book"' in page.text, path


def test_pages_load_nothing_from_elsewhere(pages):
    outside = [
        (path.name, tag, attrs[LOADING[tag]])
        for path, page in pages.items()
        for tag, attrs in page.tags
        if tag in LOADING and urlsplit(attrs.get(LOADING[tag]) or "").scheme not in ("", "data")
    ]
    assert outside == []


def test_no_script_or_style_of_a_page_names_an_address_elsewhere(pages):
    inline = re.compile(r"<(?:script|style)[^>]*>(.*?)</(?:script|style)>", re.DOTALL)
    for path, page in pages.items():
        text = "".join(inline.findall(page.text))
        assert not re.search(r"https?://(?!www\.w3\.org)", text), path.name


def test_links_lead_somewhere(site, pages):
    # tests may build without the notebooks' pages
    lacking = () if (site / "notebooks" / "calibration").exists() else ("notebooks/",)
    dead = []
    for path, page in pages.items():
        for tag, attrs in page.tags:
            link = urlsplit(attrs.get("href") or attrs.get("src") or "")
            # the theme's own controls ("#") are no links
            if link.scheme or link.netloc or link.geturl() in ("#", "") or tag not in LINKING:
                continue
            target = (path.parent / unquote(link.path)).resolve() if link.path else path
            there = not link.fragment or target not in pages
            there = there or unquote(link.fragment) in pages[target].anchors()
            if not (target.exists() and there) and not any(one in link.geturl() for one in lacking):
                dead.append((path.name, link.geturl()))
    assert not dead


def test_every_picture_has_alt_text(pages):
    for path, page in pages.items():
        pictures = [attrs for tag, attrs in page.tags if tag == "img"]
        assert not [one for one in pictures if not (one.get("alt") or "").strip()], path


def test_mathematics_is_served_by_the_site(site, pages, own_page):
    page = pages[own_page]
    scripts = [urlsplit(attrs.get("src") or "").path for tag, attrs in page.tags if tag == "script"]
    assert any(name.endswith("_static/mathjax/tex-mml-chtml.js") for name in scripts)
    assert len(list((site / "_static/mathjax/output/chtml/fonts/woff-v2").glob("*.woff"))) > 20


def test_a_figure_can_be_referred_to_by_its_name(pages, own_page):
    links = [attrs["href"] for tag, attrs in pages[own_page].tags if tag == "a" and "href" in attrs]
    assert "#the-line" in links and "the-line" in pages[own_page].anchors()
