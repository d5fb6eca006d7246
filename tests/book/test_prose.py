"""What the committed pages promise, checked without building them."""

import ast
import json
import re
from functools import cache

import yaml

from runner import notebooks
from vlmbias import paths

PAGES = sorted(paths.root().joinpath("book").rglob("*.md"))
TEXTS = [*PAGES, *sorted(paths.root().joinpath("notebooks").rglob("*.py"))]


def test_citations_are_in_the_bibliography():
    written = (paths.root() / "book/references.bib").read_text()
    keys = set(re.findall(r"^@\w+\{([^,]+),", written, re.MULTILINE))
    for page in TEXTS:
        cited = re.findall(r"\{cite(?::[a-z]+)?\}`([^`]+)`", page.read_text())
        assert {key.strip() for group in cited for key in group.split(",")} <= keys, page


@cache
def noted(notebook):
    """The names that a notebook hands to its prose; those after which others follow by a dot
    included."""
    cells = notebooks.read(paths.root() / "notebooks" / f"{notebook}.py").cells
    trees = [ast.parse(cell.source) for cell in cells if cell.cell_type == "code"]
    calls = [node for tree in trees for node in ast.walk(tree) if isinstance(node, ast.Call)]
    given = [one for call in calls if ast.unparse(call.func) == "vb.note" for one in call.keywords]
    return {one.arg for one in given if one.arg}, any(one.arg is None for one in given)


def test_results_that_pages_print_are_noted_by_their_notebooks():
    """The sentence of a result that does not exist would never be printed. In a built book every
    one has a value, unless its notebook lacked a source."""
    collected = paths.build() / "results.json"
    results = json.loads(collected.read_text("utf-8")) if collected.exists() else {}
    for page in PAGES:
        for notebook, key in re.findall(r"\{result\}`([^:`]+)::([^:`]+)", page.read_text()):
            names, computed = noted(notebook)
            assert key.split(".")[0] in names or computed, f"{notebook} notes no {key}"
            if has_its_sources(notebook):
                known = results.get(notebook, {key: 0})
                assert key in known, f"{notebook} has no result {key}; build the book"


@cache
def has_its_sources(notebook):
    """Whether the executed copy of a notebook, if there is one, was made with every source that it
    can use."""
    copy = paths.build() / "executed" / f"{notebook}.ipynb"
    if not copy.is_file():
        return True
    sources = json.loads(copy.read_text("utf-8"))["metadata"]["vlmbias"]["sources"]
    return all(state["available"] for state in sources.values())


def test_pages_of_the_book_that_are_linked_exist():
    for page in PAGES:
        for target in re.findall(r"\]\(([^)\s#]+)(?:#[^)]*)?\)", page.read_text()):
            if "://" in target or target.startswith("{"):
                continue
            place = (page.parent / target).resolve()
            made = (place, place.with_suffix(".md"), place.with_suffix(".py"))
            built = place.stem in ("status", "scorecard")
            assert built or any(one.exists() for one in made), f"{target} in {page.name}"


def test_every_page_is_in_the_table_of_contents():
    toc = yaml.safe_load((paths.root() / "_toc.yml").read_text())
    chapters = [chapter for part in toc["parts"] for chapter in part["chapters"]]
    below = [section for chapter in chapters for section in chapter.get("sections", ())]
    listed = {toc["root"], *(page["file"] for page in [*chapters, *below])}
    written = {page.relative_to(paths.root()).with_suffix("").as_posix() for page in TEXTS}
    assert written <= listed
