"""The address of the book on its pages, and editions side by side: on the real small site."""

import re
from html.parser import HTMLParser
from pathlib import Path
from types import SimpleNamespace
from urllib.parse import unquote, urlsplit

import published
import pytest
import yaml
from docutils import nodes
from docutils.frontend import get_default_settings
from docutils.utils import new_document

from runner import editions, pairs
from vlmbias import paths

HERE = "https://host.example/owner/book"
SENTENCE = "A first sentence that is long enough to be one."


class Tags(HTMLParser):
    """The meta tags of a page."""

    def __init__(self, path: Path):
        super().__init__()
        self.meta = {}
        self.feed(path.read_text(encoding="utf-8"))

    def handle_starttag(self, tag, attrs):
        found = dict(attrs)
        if tag == "meta" and (name := found.get("property") or found.get("name")):
            self.meta[name] = found.get("content", "")


def pages(folder: Path) -> list[Path]:
    """The pages of the book; decks of slides are no pages and have a way back to theirs."""
    return [
        path
        for path in sorted(folder.rglob("*.html"))
        if "_static" not in path.parts and not path.stem.startswith("slides-")
        if path.stem not in ("genindex", "search") and path != folder / "index.html"
    ]


def test_every_page_describes_itself_and_shows_the_cover(site):
    seen = {}
    for path in pages(site):
        meta = Tags(path).meta
        assert 20 <= len(meta["description"]) <= published.LONGEST, path
        assert meta["og:description"] == meta["description"], path
        assert meta["og:title"] and "not set" not in meta["og:site_name"]
        cover = (path.parent / meta["og:image"]).resolve()
        assert cover == (site / "_static/cover.png").resolve() and cover.is_file(), path
        assert "og:url" not in meta, "no address is set, so none may be named"
        seen.setdefault(meta["description"], []).append(path.stem)
    assert not [names for names in seen.values() if len(names) > 1], "two pages, one description"


def page_of(*paragraphs: str) -> nodes.document:
    page = new_document("page", get_default_settings())
    page += [nodes.paragraph("", text) for text in paragraphs]
    return page


@pytest.mark.parametrize(
    ("paragraphs", "said"),
    [
        (["Somebody (2022), Table 1", SENTENCE, "Question. Who says so?"], "Who says so?"),
        (["Somebody (2022), Table 1", SENTENCE], SENTENCE),
        (["Words only"], "Words only"),
        ([], ""),
    ],
)
def test_a_description_is_the_question_or_the_first_sentence(paragraphs, said):
    assert published.description(page_of(*paragraphs)) == said


def test_a_long_description_ends_at_a_word():
    said = published.description(page_of("Question. " + "seventeen letters " * 40))
    assert len(said) <= published.LONGEST and said.endswith(("letters…", "seventeen…"))


def read_with(monkeypatch, *, url="", variables=None, baseurl=""):
    for name in ("VLMBIAS_REPOSITORY", "VLMBIAS_BASEURL"):
        monkeypatch.delenv(name, raising=False)
    for name, value in (variables or {}).items():
        monkeypatch.setenv(name, value)
    config = SimpleNamespace(
        html_theme_options={"repository_url": url}, html_baseurl=baseurl, html_title="A book"
    )
    published.read_addresses(None, config)
    return config


def role(config, text):
    return published.repository(SimpleNamespace(config=config), text)


def test_an_address_makes_buttons_links_and_the_command_that_clones(monkeypatch):
    config = read_with(monkeypatch, url="https://github.com/owner/book/")
    assert config.html_theme_options["use_issues_button"]
    assert role(config, "clone").astext() == "git clone https://github.com/owner/book"
    assert role(config, "issues")["refuri"] == "https://github.com/owner/book/issues"
    variables = {"VLMBIAS_REPOSITORY": HERE, "VLMBIAS_BASEURL": "https://pages.example/book"}
    other = read_with(monkeypatch, variables=variables)
    assert not other.html_theme_options["use_issues_button"], "none can be drawn for this host"
    assert role(other, "source")["refuri"] == HERE
    assert other.ogp_site_url == "https://pages.example/book/"
    set_first = read_with(monkeypatch, url="https://elsewhere.example/a/b", variables=variables)
    assert set_first.html_theme_options["repository_url"] == "https://elsewhere.example/a/b"


def test_without_an_address_no_page_names_one(monkeypatch, site):
    config = read_with(monkeypatch)
    assert not config.html_theme_options["use_repository_button"]
    for text, words in published.WITHOUT.items():
        node = role(config, text)
        assert isinstance(node, nodes.Text) and node.astext() == words
    with pytest.raises(ValueError, match=r"'pull'.*clone"):
        role(config, "pull")
    if not pairs.address():
        assert "git clone" not in (site / "book/rerun.html").read_text()


def test_the_citation_names_the_address_of_the_settings():
    cited = yaml.safe_load((paths.root() / "CITATION.cff").read_text()).get("repository-code", "")
    assert cited == pairs.address(), "write the address into _config.yml and CITATION.cff"


# --- editions


def test_joined_editions_lead_to_the_same_page_of_each_other(site, tmp_path):
    joined = editions.join(
        {"greenhouse": site, "open": site, "paper": tmp_path / "nowhere"}, tmp_path / "all"
    )
    assert joined == ["greenhouse", "open"]
    for own, other in (("", "open"), ("open", "")):
        folder = tmp_path / "all" / own
        for path in pages(folder):
            if own == "" and "open" in path.relative_to(folder).parts[:1]:
                continue
            ((_, place),) = editions.PLACE.findall(path.read_text(encoding="utf-8"))
            about, led = (
                path.parent / unquote(urlsplit(link).path)
                for link in re.findall(r'href="([^"]+)"', place)
            )
            assert led.resolve() == (tmp_path / "all" / other / path.relative_to(folder)).resolve()
            assert about.resolve() == (folder / editions.ABOUT).resolve()
            assert place.count("aria-current") == 1
    assert 'id="editions"' in (site / editions.ABOUT).read_text(encoding="utf-8")


def test_joining_again_gives_the_same_and_leaves_the_sites_alone(site, tmp_path):
    place, before = "book/read.html", (site / "book/read.html").read_bytes()
    for _ in range(2):
        editions.join({"greenhouse": site, "open": site}, tmp_path / "all")
    once = (tmp_path / "all/open" / place).read_text()
    editions.join({"greenhouse": tmp_path / "all/open", "open": site}, tmp_path / "again")
    assert (site / place).read_bytes() == before
    assert once.count('<nav class="vb-editions"') == 1
    assert (tmp_path / "again" / place).read_text().count('<nav class="vb-editions"') == 1


def test_one_edition_alone_is_published_without_a_switch(site, tmp_path, capsys):
    editions.main([str(tmp_path / "all"), f"greenhouse={site}", f"open={tmp_path}"])
    assert "left out" in capsys.readouterr().out
    assert (tmp_path / "all/book/read.html").read_bytes() == (site / "book/read.html").read_bytes()


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["open=missing"], "make book SETTINGS=open"),
        (["greenhouse={site}", "book={site}"], "would replace the folder book/"),
    ],
)
def test_what_cannot_be_joined_is_one_clear_line(site, tmp_path, words, said):
    with pytest.raises(SystemExit, match=re.escape(said)):
        editions.main([str(tmp_path / "all"), *(word.format(site=site) for word in words)])
    assert not (tmp_path / "all").exists()
