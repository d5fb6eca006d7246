"""Pages whose second section has fewer results under some settings: their sentences are whole
without them."""

import pytest

from runner import notebooks, plan, statements
from vlmbias.notes import NOT_RUN

MISSING = {
    "causalface/neutral_prompt": {"hand.same", "words_significant", "no_clip"},  # without weights
    "real/same_data": {"left"},  # without numbers in common
}


@pytest.mark.parametrize("notebook", MISSING)
def test_a_sentence_without_its_result_is_not_printed_and_the_others_stay(notebook):
    cells = notebooks.read(plan.source(notebook)).cells
    text = "\n\n".join(cell.source for cell in cells if cell.cell_type == "markdown")
    asked = {name.partition(":")[0] for _, name in statements.PRINTED.findall(text)}
    assert MISSING[notebook] <= asked
    elsewhere = {name.partition("::")[0] for name in asked if "/" in name}

    known = {one["name"]: True for one in statements.STATEMENT.finditer(text)}

    def printed(missing):
        everything = {name: dict.fromkeys(_keys(text, name), 1) for name in elsewhere}
        lacks = statements.lacking(dict.fromkeys(missing, NOT_RUN), everything)
        found = statements.settled(text, known, lacks)
        assert not found.wrong
        return found.text

    without, whole = printed(MISSING[notebook]), printed(set())
    assert "if-run" not in without + whole
    assert len(without.split()) < len(whole.split())


def _keys(text, notebook):
    """The results of a notebook that a text prints."""
    names = (name for _, name in statements.PRINTED.findall(text) if name.startswith(notebook))
    return {name.partition("::")[2].partition(":")[0] for name in names}
