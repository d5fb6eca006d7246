"""A rerun as a page that can be read without a network: the chapter as in the book, and on top what
changed.

Comes in: an executed notebook, the report. Goes out: `page.html` beside the notebook, one file that
can be moved and mailed. May not: touch the book, or the notebook.
"""

import contextlib
import io
import os
import re
import shlex
import shutil
import tempfile
from collections.abc import Mapping, Sequence
from html import escape
from pathlib import Path
from typing import Any

import nbformat
import yaml
from nbformat import NotebookNode

from runner import stage, statements
from runner.reruns import difference_table, links, report, single, verdicts
from runner.reruns.report import Report
from vlmbias import paths

APART = (
    "explorer",
    "scorecard",
    "slides",
    "quiz",
    "worksheets",
    "summary",
)  # extensions for pages of their own
# of `book/`, what a chapter's page is made with
WITH = ("_ext", "static", "references.bib", "differences.yaml", "glossary.md")
STYLE = """.vb-before-after { display: grid; break-inside: avoid;
  grid-template-columns: repeat(auto-fit, minmax(min(100%, 19rem), 1fr)); gap: 0 1rem }
.vb-before-after > div { min-width: 0 }
.vb-before-after .vb-side { margin: 0; font-weight: 600 }
article h1, .vb-rerun-report code { overflow-wrap: anywhere }
.vb-before-after img { max-width: 100%; height: auto }
@media print {
  #jb-print-toc, .bd-header-article, .bd-sidebar-secondary,
  .toggle-hint { display: none !important }
  .vb-rerun-report tr, figure { break-inside: avoid } }"""
REFERENCES = "## References\n\n```{bibliography}\n:filter: docname in docnames\n```"


def command(about: Mapping[str, Any], given: Mapping[str, str]) -> str:
    """The command that runs this again."""
    words = [
        "vlmbias",
        "run",
        about["notebook"],
        *(word for pair in given.items() for word in ("-p", *pair)),
    ]
    return joined(words, about["settings"])


def joined(words: Sequence[str], settings: str) -> str:
    """A command as one line, with the settings where these are not the usual ones."""
    return shlex.join([*words, *(["--settings", settings] * (settings != "greenhouse"))])


def changes(
    about: Mapping[str, Any], book: Mapping[str, Any] | None, planned: Mapping[str, Any]
) -> list[str]:
    """What this run was given other than the book's own, one item each.

    Parameters
    ----------
    about, book : the records of this run and of the book's; None where no book is built.
    planned : the values that the settings, or the notebook's defaults, give to each parameter:
        without a book, what this run is compared with.
    """
    own = book or {"parameters": planned, "settings": about["settings"]}
    whose = "the book" if book else f"settings {about['settings']}"
    items = [
        f"{name} = {value!r} ({whose}: {own['parameters'][name]!r})"
        for name, value in about["parameters"].items()
        if name != "results" and own["parameters"].get(name, value) != value
    ]
    if own["settings"] != about["settings"]:
        items.append(f"settings {about['settings']} (the book: {own['settings']})")
    return items


def own_page(notebook: str) -> list[str]:
    """A paragraph that leads to the chapter in the book, if that is built."""
    there = (links.pages() / f"notebooks/{notebook}.html").is_file()
    return ["", f"[The book's own page]({notebook.partition('/')[2]}.ipynb)"] * there


def head(
    about: Mapping[str, Any],
    book: Mapping[str, Any] | None,
    planned: Mapping[str, Any],
    given: Mapping[str, str],
    message: str,
    made: Report | None,
) -> str:
    """The Markdown that stands on top: what was changed, at which commit, and what that did."""
    whose = (
        "the book's own parameters" if book else f"the parameters of settings {about['settings']}"
    )
    items = [f"`{one}`" for one in changes(about, book, planned)] or [f"nothing: {whose}"]
    lines = [
        "::::{admonition} A rerun, not the book's page",
        ":class: important",
        "",
        f"**Changed:** {'; '.join(items)}.",
        "",
        f"**Run:** `{command(about, given)}`, commit `{about['commit']}`, "
        f"{about['started'][:16]} (UTC), "
        f"{about['seconds']:.0f} s.",
        *([] if made else ["", message]),
        *own_page(about["notebook"]),
        "::::",
        "",
    ]
    if made is not None:
        lines += ["````{raw} html", report_html(made, message), "````", ""]
    return "\n".join(lines)


def html_of(line: str) -> str:
    """A line of a report as HTML."""
    return re.sub(r"`([^`]+)`", r"<code>\1</code>", escape(line, quote=False))


def report_html(made: Report, message: str) -> str:
    """The report as the terminal has it, with the figures as pictures and every result in the
    table.
    """
    parts = [
        '<div class="vb-rerun-report">',
        f"<style>{STYLE}</style>",
        *(f"<p>{html_of(line)}</p>" for line in made.lines),
    ]
    if made.largest:
        parts.append("<p><strong>The largest changes</strong></p><ol>")
        parts += [f"<li>{html_of(line)}</li>" for line in made.largest]
        parts.append("</ol>")
    if made.pictures:
        parts += [
            "<p><strong>The figures that can change, before and after</strong></p>",
            report.pictures_html(made),
        ]
    parts += [
        "<p><strong>Every result, the most surprising first.</strong> In each "
        "sentence, this run's value is "
        "marked.</p>",
        difference_table.html(made.table, made.labels),
        f"<p>{html_of(message)}</p>",
    ]
    if (made.table["verdict"] == verdicts.BEYOND).any():
        parts.append(
            f"<p><em>Another seed gives</em>: between these bounds, one more seed of the "
            f"book's own run would "
            f"lie in {verdicts.CONFIDENCE_LEVEL:.0%} of cases.</p>"
        )
    return "\n".join([*parts, "</div>"])


def composed(executed: NotebookNode, top: str) -> NotebookNode:
    """The notebook as it is shown: `top` under its title, references and provenance at its end."""
    shown = statements.settled_notebook(executed, strict=False)
    first = shown.cells[0]
    title, _, rest = first.source.partition("\n")
    first.source = f"{title}\n\n{top}\n{rest}"
    ends = [REFERENCES] * any("{cite" in cell.source for cell in shown.cells)
    ends.append(stage.provenance(shown.metadata["vlmbias"]))
    shown.cells += [nbformat.v4.new_markdown_cell(text) for text in ends]
    return shown


def _configured(page: str) -> dict[str, Any]:
    """The book's own settings for Sphinx, without its menus; references to other pages go to the
    built book."""
    config = yaml.safe_load((paths.root() / "_config.yml").read_text("utf-8"))
    sphinx = config.setdefault("sphinx", {})
    local = sphinx.get("local_extensions", {})
    sphinx["local_extensions"] = {name: place for name, place in local.items() if name not in APART}
    sphinx["extra_extensions"] = [*sphinx.get("extra_extensions", []), "runner.reruns.links"]
    inventory = links.pages() / "objects.inv"
    known = {"book": [links.book().rstrip("/"), str(inventory)]} if inventory.is_file() else {}
    sphinx["config"] = sphinx.get("config", {}) | {
        "intersphinx_mapping": known,
        "html_sidebars": {"**": []},
        "html_copy_source": False,
        "html_theme_options": {"use_download_button": False, "article_header_start": []},
    }
    config["only_build_toc_files"] = True
    return config


def write(shown: NotebookNode, place: Path) -> Path:
    """Render a composed notebook as `page.html` in its folder; say where.

    Raises
    ------
    RuntimeError : Sphinx did not get to the end; the message has what it said last.
    """
    runs = paths.build() / "runs"
    page = (place / "page").relative_to(runs).as_posix()
    with tempfile.TemporaryDirectory(prefix="vlmbias-page-") as folder:
        source, made = Path(folder, "source"), Path(folder, "html")
        (source / page).parent.mkdir(parents=True)
        (source / "book").mkdir()
        for name in WITH:
            if (kept := paths.root() / "book" / name).exists():
                (shutil.copytree if kept.is_dir() else shutil.copy)(kept, source / "book" / name)
        nbformat.write(shown, source / f"{page}.ipynb")
        (source / "_config.yml").write_text(yaml.safe_dump(_configured(page)))
        (source / "_toc.yml").write_text(f"format: jb-book\nroot: {page}\n")
        messages = _sphinx(source, made)
        if not (made / f"{page}.html").is_file():
            raise RuntimeError(f"the page could not be made: {messages.strip()[-500:]}")
        (place / ".page.html").write_text(
            single.whole(made / f"{page}.html", made), encoding="utf-8"
        )
        os.replace(place / ".page.html", place / "page.html")
    return place / "page.html"


def _sphinx(source: Path, made: Path) -> str:
    """Build, in this process; what was said meanwhile. What a single page cannot resolve is no
    error."""
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
