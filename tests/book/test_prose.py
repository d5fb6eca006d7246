"""What the committed pages promise, checked without building them."""

import re
from itertools import pairwise

import pytest
import yaml

from vlmbias import paths

PAGES = sorted(paths.root().joinpath("book").rglob("*.md"))
TEXTS = [*PAGES, *sorted(paths.root().joinpath("notebooks").rglob("*.py"))]


@pytest.mark.parametrize("page", TEXTS, ids=lambda page: str(page.relative_to(paths.root())))
def test_citations_are_in_the_bibliography(page):
    keys = set(re.findall(r"^@\w+\{([^,]+),", (paths.root() / "book/references.bib").read_text(), re.MULTILINE))
    cited = re.findall(r"\{cite(?::[a-z]+)?\}`([^`]+)`", page.read_text())
    assert {key.strip() for group in cited for key in group.split(",")} <= keys


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(paths.root())))
def test_pages_of_the_book_that_are_linked_exist(page):
    for target in re.findall(r"\]\(([^)\s#]+)(?:#[^)]*)?\)", page.read_text()):
        if "://" in target or target.startswith("{"):
            continue
        place = (page.parent / target).resolve()
        made = (place, place.with_suffix(".md"), place.with_suffix(".py"))
        assert any(one.exists() for one in made) or place.stem in ("status", "scorecard"), f"{target} in {page.name}"


def test_every_page_is_in_the_table_of_contents():
    toc = yaml.safe_load((paths.root() / "_toc.yml").read_text())
    listed = {toc["root"], *(chapter["file"] for part in toc["parts"] for chapter in part["chapters"])}
    written = {page.relative_to(paths.root()).with_suffix("").as_posix() for page in TEXTS}
    assert written <= listed


def test_the_syllabus_fills_its_ninety_minutes():
    text = (paths.root() / "book/teach.md").read_text()
    sessions = re.split(r"^## Session ", text, flags=re.MULTILINE)[1:]
    assert len(sessions) == 3
    for session in sessions:
        spans = [tuple(map(int, span)) for span in re.findall(r"^\| (\d+)–(\d+) \|", session, re.MULTILINE)]
        assert spans[0][0] == 0 and spans[-1][1] == 90
        assert all(before[1] == after[0] for before, after in pairwise(spans))
