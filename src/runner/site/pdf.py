"""The whole book as a PDF beside its pages, printed by a browser without a window."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from pathlib import Path
from tempfile import TemporaryDirectory

import yaml

from runner.site.whole import whole
from vlmbias import paths

NAME, PLACE = "book.pdf", '<p id="whole-book-pdf" hidden></p>'
BROWSERS = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome")
# drawn before it is printed: milliseconds of the page's own clock, which runs as fast as the
# machine can
PATIENCE = 300_000
QUIET = (
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-background-networking",
    "--no-first-run",
    "--disable-component-update",
    "--allow-file-access-from-files",
    "--host-resolver-rules=MAP * ~NOTFOUND",
    "--no-pdf-header-footer",
    "--generate-pdf-document-outline",
    f"--virtual-time-budget={PATIENCE}",
)


def browser() -> str:
    """The path of a Chromium.

    Raises
    ------
    RuntimeError
        None is installed here.
    """
    found = next(filter(None, map(shutil.which, BROWSERS)), None)
    if not found:
        raise RuntimeError(
            f"pdf: needs one of {', '.join(BROWSERS)} to print the pages; none is installed here"
        )
    return found


def make() -> Path:
    """Print the built site into `book.pdf` and return its path.

    Raises
    ------
    RuntimeError
        No built site, no browser, or a browser that printed nothing.
    """
    site, about = paths.build() / "site" / "_build" / "html", paths.build() / "site" / "built.json"
    if not about.exists():
        raise RuntimeError("pdf: the book is not built here; first run `make book`")
    browser()  # or an error, before minutes of work
    config = yaml.safe_load((paths.root() / "_config.yml").read_text("utf-8"))
    built = json.loads(about.read_text("utf-8"))["built"][:10]
    text = whole(
        site, paths.root() / "_toc.yml", title=config["title"], author=config["author"], built=built
    )
    print_page(text, site, site / NAME)
    link(site)
    return site / NAME


def print_page(text: str, site: Path, to: Path, *, seconds: float = 1200) -> None:
    """Print one page, whose addresses are relative to the site's folder.

    Raises
    ------
    RuntimeError
        No browser, or one that printed nothing in this time.
    """
    chromium, page, part = browser(), site / "whole.html", to.with_name(f"{to.name}.part")
    try:
        page.write_text(text, encoding="utf-8")
        with TemporaryDirectory() as profile:
            command = [
                chromium,
                *QUIET,
                f"--user-data-dir={profile}",
                f"--print-to-pdf={part}",
                page.as_uri(),
            ]
            try:
                message = subprocess.run(
                    command, capture_output=True, text=True, timeout=seconds
                ).stderr[-500:]
            except subprocess.TimeoutExpired:
                message = f"not ready after {seconds:.0f} s"
        if not part.exists() or not part.read_bytes().startswith(b"%PDF"):
            raise RuntimeError(f"pdf: {chromium} printed nothing: {message}")
        part.rename(to)
    finally:
        page.unlink(missing_ok=True)
        part.unlink(missing_ok=True)


def link(site: Path) -> None:
    """Show readers where the file is, and how large, if there is one."""
    page, file = site / "book" / "read.html", site / NAME
    words = PLACE
    if file.exists():
        size = max(1, round(file.stat().st_size / 1e6))
        words = (
            f'<p id="whole-book-pdf">The whole book as one file: <a href="../{NAME}">PDF, {size}'
            " MB</a>.</p>"
        )
    page.write_text(
        re.sub(r'<p id="whole-book-pdf".*?</p>', words, page.read_text("utf-8")), encoding="utf-8"
    )
