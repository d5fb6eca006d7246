"""What the built pages ask of a reader's browser: nothing from elsewhere, no dead link, no silent
picture."""

import re
from html.parser import HTMLParser
from urllib.parse import unquote, urlsplit

import pytest

LOADING = {"script": "src", "img": "src", "iframe": "src", "source": "src", "link": "href"}


class Page(HTMLParser):
    """The tags of one page."""

    def __init__(self, path):
        super().__init__()
        self.path, self.tags = path, []
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
        assert (
            '<summary aria-label="Toggle hidden content">' not in page.text
            and "<th></th>" not in page.text
        ), path
        assert not re.search(r"<summary>\s*<span[^>]*presentation", page.text), (
            f"{path}: a fold without a name"
        )
        if 'id="main-content"' in page.text:
            assert (
                'data-default-mode="auto"' in page.text
                and 'role="complementary" aria-label="the book"' in page.text
            )


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
    dead = []
    for path, page in pages.items():
        for tag, attrs in page.tags:
            link = urlsplit(attrs.get("href") or attrs.get("src") or "")
            if link.scheme or link.netloc or tag not in ("a", "img", "script", "link"):
                continue
            target = (path.parent / unquote(link.path)).resolve() if link.path else path
            whole = not link.fragment or target not in pages
            if not target.exists() or not (
                whole or unquote(link.fragment) in pages[target].anchors()
            ):
                dead.append((path.name, link.geturl()))
    # the theme's own controls ("#") are no links, and tests build without the notebooks' pages
    ours = [one for one in dead if one[1] not in ("#", "")]
    whole = (site / "notebooks" / "calibration").exists()
    assert [one for one in ours if whole or "notebooks/" not in one[1]] == []


def test_every_picture_has_alt_text(pages):
    silent = [
        (path.name, attrs.get("src", "")[:60])
        for path, page in pages.items()
        for tag, attrs in page.tags
        if tag == "img" and not (attrs.get("alt") or "").strip()
    ]
    assert silent == []


def test_mathematics_is_served_by_the_site(site, pages, own_page):
    page = pages[own_page]
    scripts = [urlsplit(attrs.get("src") or "").path for tag, attrs in page.tags if tag == "script"]
    assert any(name.endswith("_static/mathjax/tex-mml-chtml.js") for name in scripts)
    assert len(list((site / "_static/mathjax/output/chtml/fonts/woff-v2").glob("*.woff"))) > 20


def test_a_figure_can_be_referred_to_by_its_name(pages, own_page):
    links = [attrs["href"] for tag, attrs in pages[own_page].tags if tag == "a" and "href" in attrs]
    assert "#the-line" in links and "the-line" in pages[own_page].anchors()
