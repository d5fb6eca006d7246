"""Sentences of the book's pages that rest on a second section, which the open edition lacks without
the data."""

import ast
import re

from runner import notebooks, plan
from vlmbias import paths

RESULT = re.compile(r"\{result\}`(?P<notebook>[^`:]+)::(?P<key>\w+)")
PAGES = sorted((paths.root() / "book").glob("**/*.md"))


def noted(cells):
    """The names of what cells hand over to pages with `vb.note`."""
    calls = [
        node
        for cell in cells
        if cell.cell_type == "code"
        for node in ast.walk(ast.parse(cell.source))
        if isinstance(node, ast.Call) and ast.unparse(node.func) == "vb.note"
    ]
    return {word.arg for call in calls for word in call.keywords}


def only_in_the_second_section():
    """Per notebook that open settings may leave without its second section: names that no other
    section notes."""
    chosen, found = plan.settings("open"), {}
    for name in (name for name, choice in chosen.notebooks.items() if choice.requires):
        content = notebooks.read(plan.source(name))
        second = notebooks.second_section(content)
        ids = {cell["id"] for cell in second}
        found[name] = noted(second) - noted(
            [cell for cell in content.cells if cell["id"] not in ids]
        )
    return found


def without_conditional(text):
    """The sentences of a page that are always printed: no `[ … ]{.if-run}`,
    no paragraph below such a line, no row of a table."""
    blocks = text.split("\n\n")
    text = "\n\n".join(one for one in blocks if not one.lstrip().startswith("{.if-run}"))
    while "]{.if-run}" in text:
        end = text.index("]{.if-run}")
        depth, start = 1, end
        while depth:
            start -= 1
            depth += {"]": 1, "[": -1}.get(text[start], 0)
        text = text[:start] + text[end + len("]{.if-run}") :]
    return "\n".join(
        line for line in text.splitlines() if not line.lstrip().startswith(("|", "* - ", "- "))
    )


LOST = only_in_the_second_section()


def test_no_sentence_rests_on_a_section_that_the_open_edition_may_lack():
    for page in PAGES:
        for one in RESULT.finditer(without_conditional(page.read_text("utf-8"))):
            lost = LOST.get(one["notebook"], ())
            assert one["key"] not in lost, f"{page.name}: {one[0]}"
