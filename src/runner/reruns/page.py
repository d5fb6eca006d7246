"""A rerun as one file that can be read without a network, moved and mailed: the chapter as in the
book, and on top what changed.
"""

import contextlib
import io
import os
import posixpath
import re
import shutil
import tempfile
from pathlib import Path
from typing import Any

import nbformat
import yaml
from nbformat import NotebookNode

from runner import stage, statements
from runner.reruns import one_file
from vlmbias import paths

# extensions for pages of their own; and of `book/`, what a chapter's page is made with
APART = ("scorecard", "slides", "quiz", "worksheets", "summary")
WITH = ("_ext", "static", "references.bib", "differences.yaml", "glossary.md")
REFERENCES = "## References\n\n```{bibliography}\n:filter: docname in docnames\n```"
_LINK = re.compile(r"\[([^\]]*)\]\(((?:\.\./)+[\w/-]+)\.(?:md|ipynb)(#[\w-]+)?\)")
_ADDRESS = re.compile(r'href="((?:\.\./)+[\w/-]+)\.html(#[\w-]+)?"')


def pages() -> Path:
    """The folder of the built book's pages."""
    return paths.build() / "site/_build/html"


def book() -> str:
    """The address of the book, with a slash at its end: where it is published, else where it was
    built.
    """
    config = paths.root() / "_config.yml"
    html = yaml.safe_load(config.read_text("utf-8")).get("html") or {} if config.is_file() else {}
    published = html.get("baseurl") or os.environ.get("VLMBIAS_BASEURL", "")
    return f"{published.rstrip('/')}/" if published else f"{pages().as_uri()}/"


def _with_addresses(text: str, notebook: str) -> str:
    """A page whose links, written for a notebook's folder, lead to the built book."""

    def moved(link: re.Match) -> str:
        name = posixpath.normpath(f"notebooks/{posixpath.dirname(notebook)}/{link[1]}")
        if not (pages() / f"{name}.html").is_file():
            return link[0]
        return f'href="{book()}{name}.html{link[2] or ""}"'

    return _ADDRESS.sub(moved, text)


def _as_html(link: re.Match) -> str:
    """A Markdown link to another page, which this build does not have, as HTML; without words, it
    is called by that page's name.
    """
    words = link[1] or posixpath.basename(link[2])
    return f'<a href="{link[2]}.html{link[3] or ""}">{words}</a>'


def composed(executed: NotebookNode, top: str) -> NotebookNode:
    """The notebook as it is shown: `top` under its title, references and provenance at its end."""
    shown, _ = statements.settled_notebook(executed)
    title, _, rest = shown.cells[0].source.partition("\n")
    shown.cells[0].source = f"{title}\n\n{top}\n{rest}"
    ends = [REFERENCES] * any("{cite" in cell.source for cell in shown.cells)
    ends.append(stage.provenance(shown.metadata["vlmbias"]))
    shown.cells += [nbformat.v4.new_markdown_cell(words) for words in ends]
    for cell in shown.cells:
        if cell.cell_type == "markdown":
            cell.source = _LINK.sub(_as_html, cell.source)
    return shown


def write(shown: NotebookNode, place: Path, notebook: str) -> Path:
    """Render a composed notebook as `page.html` in its folder; say where.

    Parameters
    ----------
    shown : what `composed` made.
    place : the folder.
    notebook : the name of the notebook, `<paper>/<name>`, by which its links are read.

    Raises
    ------
    RuntimeError : Sphinx did not get to the end; the message has what it said last.
    """
    with tempfile.TemporaryDirectory(prefix="vlmbias-page-") as folder:
        source, made = Path(folder, "source"), Path(folder, "html")
        (source / "book").mkdir(parents=True)
        for name in WITH:
            if (kept := paths.root() / "book" / name).exists():
                (shutil.copytree if kept.is_dir() else shutil.copy)(kept, source / "book" / name)
        nbformat.write(shown, source / "page.ipynb")
        (source / "_config.yml").write_text(yaml.safe_dump(_configured()), "utf-8")
        (source / "_toc.yml").write_text("format: jb-book\nroot: page\n", "utf-8")
        messages = _sphinx(source, made)
        if not (made / "page.html").is_file():
            raise RuntimeError(f"the page could not be made: {messages.strip()[-500:]}")
        text = _with_addresses(one_file.whole(made / "page.html", made), notebook)
        (place / ".page.html").write_text(text, encoding="utf-8")
        os.replace(place / ".page.html", place / "page.html")
    return place / "page.html"


def _configured() -> dict[str, Any]:
    """The book's own settings for Sphinx, without its menus; references to other pages go to the
    built book.
    """
    config = yaml.safe_load((paths.root() / "_config.yml").read_text("utf-8"))
    sphinx = config.setdefault("sphinx", {})
    local = sphinx.get("local_extensions", {})
    sphinx["local_extensions"] = {name: place for name, place in local.items() if name not in APART}
    sphinx["extra_extensions"] = [*sphinx.get("extra_extensions", []), "sphinx.ext.intersphinx"]
    inventory = pages() / "objects.inv"
    known = {"book": [book().rstrip("/"), str(inventory)]} if inventory.is_file() else {}
    sphinx["config"] = sphinx.get("config", {}) | {
        "intersphinx_mapping": known,
        "html_sidebars": {"**": []},
        "html_copy_source": False,
        "html_theme_options": {"use_download_button": False, "article_header_start": []},
    }
    config["only_build_toc_files"] = True
    return config


def _sphinx(source: Path, made: Path) -> str:
    """Build, in this process; what was said meanwhile. What a single page cannot resolve is no
    error.
    """
    from jupyter_book.sphinx import build_sphinx

    messages = io.StringIO()
    with contextlib.redirect_stdout(messages), contextlib.redirect_stderr(messages):
        build_sphinx(
            str(source),
            str(made),
            path_config=str(source / "_config.yml"),
            noconfig=True,
            quiet=True,
            doctreedir=str(made.with_name("doctrees")),
            confoverrides={"latex_individualpages": False},
        )
    return messages.getvalue()
