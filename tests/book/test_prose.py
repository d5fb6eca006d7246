"""What the committed pages promise, checked without building them."""

import ast
import json
import re
from functools import cache

import pytest
import yaml

from runner import notebooks, plan, statements
from vlmbias import paths

PAGES = sorted(paths.root().joinpath("book").rglob("*.md"))
TEXTS = [*PAGES, *sorted(paths.root().joinpath("notebooks").rglob("*.py"))]
RESULT = re.compile(r"\{result\}`([^:`]+)::([^:`]+)")


def test_citations_are_in_the_bibliography():
    written = (paths.root() / "book/references.bib").read_text()
    keys = set(re.findall(r"^@\w+\{([^,]+),", written, re.MULTILINE))
    for page in TEXTS:
        cited = re.findall(r"\{cite(?::[a-z]+)?\}`([^`]+)`", page.read_text())
        assert {key.strip() for group in cited for key in group.split(",")} <= keys, page


@cache
def cells(notebook):
    return notebooks.read(plan.source(notebook)).cells


def noted(given):
    """The names that cells hand to the prose; None stands for some that are worked out."""
    trees = [ast.parse(cell.source) for cell in given if cell.cell_type == "code"]
    calls = [node for tree in trees for node in ast.walk(tree) if isinstance(node, ast.Call)]
    notes = [call for call in calls if ast.unparse(call.func) == "vb.note"]
    return {one.arg for call in notes for one in call.keywords}


@cache
def noted_by(notebook):
    return noted(cells(notebook))


def test_results_that_pages_print_are_noted_by_their_notebooks():
    """The sentence of a result that does not exist would never be printed. In a built book every
    one has a value, unless its notebook lacked a source."""
    collected = paths.build() / "results.json"
    results = json.loads(collected.read_text("utf-8")) if collected.exists() else {}
    for page in PAGES:
        for notebook, key in RESULT.findall(page.read_text()):
            assert {key.split(".")[0], None} & noted_by(notebook), f"{notebook} notes no {key}"
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


def settled(text, lost):
    """The text where results are lost: names by notebook, "" for the page's own."""

    def lacks(part):
        asked = (("::" in name, name) for _, name in statements.PRINTED.findall(part))
        parts = (name.partition("::") if far else ("", "", name) for far, name in asked)
        keys = ((notebook, key.partition(":")[0]) for notebook, _, key in parts)
        return any({key, key.partition(".")[0]} & lost.get(one, set()) for one, key in keys)

    return statements.settled(
        text, {one["name"]: True for one in statements.STATEMENT.finditer(text)}, lacks
    )


def test_no_sentence_of_a_page_rests_on_a_second_section_that_the_open_edition_may_lack():
    lost = {}
    for name in (name for name, one in plan.settings("open").notebooks.items() if one.requires):
        second = notebooks.second_section(notebooks.read(plan.source(name)))
        ids = {cell["id"] for cell in second}
        lost[name] = noted(second) - noted(c for c in cells(name) if c["id"] not in ids)
    assert sum(map(len, lost.values())) > 20
    for page in PAGES:
        assert not settled(page.read_text("utf-8"), lost).wrong, page


MISSING = {
    "causalface/neutral_prompt": {"hand.same", "words_significant", "no_clip"},  # without weights
    "real/same_data": {"left"},  # without numbers in common
}


@pytest.mark.parametrize("notebook", MISSING)
def test_a_sentence_of_a_chapter_without_its_result_is_not_printed_and_the_others_stay(notebook):
    text = "\n\n".join(one.source for one in cells(notebook) if one.cell_type == "markdown")
    assert all(f"`{name}" in text for name in MISSING[notebook])
    without, whole = settled(text, {"": MISSING[notebook]}), settled(text, {})
    assert not without.wrong + whole.wrong and "if-run" not in without.text + whole.text
    assert len(without.text.split()) < len(whole.text.split())


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
