"""What ends every page: when it last changed, how to cite book and paper, where to mend it or to
report a fault."""

from __future__ import annotations

import re
import subprocess
from functools import cache
from html import escape
from urllib.parse import quote, urlsplit

import published
from sphinx.application import Sphinx

from vlmbias import paths
from vlmbias.papers import PAPERS


@cache
def changed() -> dict[str, str]:
    """The day of the last commit of every file of the book, by its path; empty where there is no
    history.
    """
    command = ["git", "log", "--format=%x00%cs", "--name-only", "--", "book", "notebooks"]
    try:
        done = subprocess.run(command, cwd=paths.root(), capture_output=True, text=True, check=True)
    except (OSError, subprocess.CalledProcessError):
        return {}
    days: dict[str, str] = {}
    for commit in done.stdout.split("\0")[1:]:
        day, *files = commit.split()
        for file in files:
            days.setdefault(file, day)
    return days


def source(page: str) -> str:
    """The file that a page is written in, by its path in the repository; of a notebook, the `.py`.
    Empty if none is.
    """
    files = (f"{page}.py", f"{page}.md") if page.startswith("notebooks/") else (f"{page}.md",)
    return next((file for file in files if (paths.root() / file).is_file()), "")


def paper(page: str) -> str:
    """The key of the paper that a page works through; empty if it is not about one."""
    part = page.split("/")[1] if "/" in page else ""
    return PAPERS[part].reference if part in PAPERS else ""


@cache
def references() -> dict[str, str]:
    """The entries of the bibliography, by key."""
    text = (paths.root() / "book/references.bib").read_text("utf-8")
    entries = re.split(r"^(?=@\w+\{)", text, flags=re.MULTILINE)
    return {
        found[1]: entry.strip()
        for entry in entries
        if (found := re.match(r"@\w+\{([^,\s]+)", entry))
    }


def links(url: str, branch: str, file: str, title: str) -> list[tuple[str, str]]:
    """Words and addresses: to edit a page, to report a fault of it; none without an address."""
    place = urlsplit(url).netloc
    known = (one for host, one in published.HOSTS.items() if f".{place}".endswith(f".{host}"))
    edit, issue = next(known, ("", "{url}/issues"))
    found = {"Edit this page": edit if file else "", "Report a fault of this page": issue}
    about = {"url": url, "branch": branch, "file": quote(file)}
    about["title"] = quote(f"On the page: {title}")
    return [(words, form.format(**about)) for words, form in found.items() if url and form]


def _block(entry: str) -> str:
    """An entry as a code block: to these, the pages give their copy button."""
    inside = f'<div class="highlight"><pre>{escape(entry)}</pre></div>'
    return f'<div class="highlight-bibtex notranslate">{inside}</div>'


def foot(page: str, title: str, entry: str, url: str, branch: str) -> str:
    """The block, as HTML.

    Parameters
    ----------
    page : its name, such as `notebooks/causalface/age`.
    title : as it is printed, plain.
    entry : how to cite the book, for BibTeX.
    url, branch : the address of the repository, empty where none is known.
    """
    file, parts = source(page), []
    if day := changed().get(file):
        parts.append(f'Last changed on <time datetime="{day}">{day}</time>.')
    parts += [
        f'<a href="{escape(address)}">{words}</a>'
        for words, address in links(url, branch, file, title)
    ]
    cited = _block(entry)
    about = "How to cite the book"
    if key := paper(page):
        about = "How to cite the book and the paper"
        cited = (
            f"<p>This book:</p>{cited}<p>The paper of this chapter:</p>{_block(references()[key])}"
        )
    line = f"<p>{' · '.join(parts)}</p>" if parts else ""
    return (
        f'<footer class="vb-foot">{line}<details class="vb-cite"><summary>{about}</summary>'
        f"{cited}</details>"
        "</footer>"
    )


def add(app: Sphinx, pagename: str, templatename: str, context: dict, doctree) -> None:
    """Put the block below a page that has a source."""
    if doctree is None or app.builder.format != "html" or not source(pagename):
        return
    options = app.config.html_theme_options
    url, branch = options.get("repository_url", ""), options.get("repository_branch") or "main"
    title = re.sub(r"<[^>]+>", "", str(context.get("title", pagename)))
    entry = published.bibtex(url, app.config.copyright)
    context["body"] = context.get("body", "") + foot(pagename, title, entry, url, branch)


def setup(app: Sphinx) -> None:
    app.connect("html-page-context", add)
