"""The links that follow from where the book and its repository are published, as `_config.yml` or
the workflow's variables give it: buttons, the role `{repository}`, how to cite the book, and on
every page a description and Open Graph tags with the cover."""

from __future__ import annotations

import os
import re
from html import escape

import computed
import yaml
from docutils import nodes
from sphinx.application import Sphinx

from runner import pairs
from vlmbias import paths

LONGEST = 200  # characters of a description; search engines and previews cut longer ones
COVER = "_static/cover.png"
# whose buttons the theme can draw: where a file is edited, and where a fault is reported
HOSTS = {
    "github.com": ("{url}/edit/{branch}/{file}", "{url}/issues/new?title={title}"),
    "gitlab.com": ("{url}/-/edit/{branch}/{file}", "{url}/-/issues/new?issue[title]={title}"),
    "bitbucket.org": ("{url}/src/{branch}/{file}?mode=edit", "{url}/issues"),
}
WITHOUT = {
    "clone": "clone this book's repository",
    "issues": "an issue in this book's repository",
    "source": "this book's repository",
}


def read_addresses(app: Sphinx, config) -> None:
    """Complete the addresses from the environment; show the repository's buttons where the theme
    knows its host."""
    options = config.html_theme_options
    url = (options.get("repository_url") or os.environ.get("VLMBIAS_REPOSITORY", "")).rstrip("/")
    known = any(host in url for host in HOSTS)
    options |= {"repository_url": url, "use_repository_button": known, "use_issues_button": known}
    options["launch_buttons"] = launches(url)
    config.ogp_site_name, config.ogp_image = config.html_title, COVER
    config.html_baseurl = config.html_baseurl or os.environ.get("VLMBIAS_BASEURL", "")
    config.ogp_site_url = config.html_baseurl and config.html_baseurl.rstrip("/") + "/"


def launches(url: str) -> dict[str, str]:
    """Where a chapter can be started without installing anything; nowhere while no address is
    known.

    Binder builds `environment.yml` of any repository that it can reach. Colab opens notebooks of
    GitHub, and installs nothing by itself: it is offered once the notebooks begin with the cell
    that does (`runner.pairs.install_cell`).
    """
    found = (
        {"notebook_interface": "jupyterlab", "binderhub_url": "https://mybinder.org"} if url else {}
    )
    if "github.com" in url and pairs.address() == url:
        found["colab_url"] = "https://colab.research.google.com"
    return found


def repository(app: Sphinx, text: str) -> nodes.Node:
    """`` {repository}`clone` ``, `issues` or `source`: a command or a link; plain words where no
    address is known."""
    if text not in WITHOUT:
        raise ValueError(f"no {text!r}; there are: {', '.join(WITHOUT)}")
    url = app.config.html_theme_options["repository_url"]
    if not url:
        return nodes.Text(WITHOUT[text])
    if text == "clone":
        return nodes.literal("", f"git clone {url}")
    target = f"{url}/issues" if text == "issues" else url
    return nodes.reference("", WITHOUT[text], refuri=target)


def _cited() -> dict[str, str]:
    """Who made the book, its title and version, as `CITATION.cff` has them."""
    about = yaml.safe_load((paths.root() / "CITATION.cff").read_text(encoding="utf-8"))
    names = [
        one.get("name", f"{one.get('given-names')} {one.get('family-names')}")
        for one in about["authors"]
    ]
    return {"who": " and ".join(names), "title": about["title"], "version": str(about["version"])}


def bibtex(url: str, year: str) -> str:
    """The book as an entry for BibTeX; with its address, where one is known."""
    about = _cited()
    fields = {
        "author": f"{{{about['who']}}}",
        "title": f"{{{about['title']}}}",
        "year": year,
        "note": f"Version {about['version']}",
    }
    fields |= {"url": url} if url else {}
    entry = ",\n".join(f"  {key} = {{{value}}}" for key, value in fields.items())
    return f"@misc{{vlmbias,\n{entry}\n}}"


def citation(app: Sphinx) -> list[nodes.Node]:
    """`{citation}`: how to cite the book, in words and for BibTeX, from `CITATION.cff` and the
    address that is known."""
    url, year = app.config.html_theme_options["repository_url"], app.config.copyright
    about, ends = _cited(), f". {url}" if url else "."
    words = nodes.paragraph(
        "",
        "",
        nodes.Text(f"{about['who']} ({year}). "),
        nodes.emphasis("", about["title"]),
        nodes.Text(f" (version {about['version']}){ends}"),
    )
    return [words, nodes.literal_block("", bibtex(url, year), language="bibtex")]


def _words(node: nodes.Node) -> str:
    return " ".join(node.astext().split())


def description(page: nodes.document) -> str:
    """What a page is about: the question a chapter asks, else its first paragraph that ends in a
    full stop."""
    paragraphs = [
        _words(one)
        for one in page.findall(nodes.paragraph)
        if not isinstance(one.parent, nodes.footnote)
    ]
    asked = [
        text.removeprefix("Question. ") for text in paragraphs if text.startswith("Question. ")
    ]
    spoken = [
        text
        for text in paragraphs
        if len(text) > 40 and text.rstrip(")").endswith((".", "?", "!", ":"))
    ]
    chosen = (asked or spoken or paragraphs or [""])[0]
    return chosen if len(chosen) <= LONGEST else chosen[: LONGEST - 1].rsplit(" ", 1)[0] + "…"


def describe(app: Sphinx, pagename: str, templatename: str, context: dict, doctree) -> None:
    """Give a page's description to search engines, and to Open Graph in place of the page's first
    words."""
    if doctree is None or app.builder.format != "html":
        return
    meta = dict(context.get("meta") or {})
    said = meta.get("description") or description(doctree)
    meta |= {"og:description": said}
    if not app.config.html_baseurl:
        meta |= {"og:image": context["pathto"](COVER, 1)}
    context["meta"] = meta
    context["metatags"] += f'<meta name="description" content="{escape(said)}" />\n'


def drop_relative_url(
    app: Sphinx, pagename: str, templatename: str, context: dict, doctree
) -> None:
    """Take out the tag that says where the page is, if that is not known."""
    if not app.config.html_baseurl:
        tag = r'<meta property="og:url"[^>]*>\n?'
        context["metatags"] = re.sub(tag, "", context.get("metatags", ""))


def setup(app: Sphinx) -> None:
    app.connect("config-inited", read_addresses)
    # before and after the Open Graph extension, which reads the one and writes the other
    app.connect("html-page-context", describe, priority=400)
    app.connect("html-page-context", drop_relative_url, priority=600)
    computed.role(app, "repository", lambda page, text: repository(app, text))
    computed.directive(app, "citation", lambda page: citation(app))
