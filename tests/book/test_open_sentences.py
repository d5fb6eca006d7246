"""Pages whose second section has fewer results under some settings: their sentences are whole
without them."""

import re

import pytest

from runner import notebooks, plan
from vlmbias.notes import NOT_RUN

MISSING = {
    "causalface/neutral_prompt": {"hand.same", "words_significant", "no_clip"},  # without weights
    "real/same_data": {"left", "most", "fewest"},  # without numbers in common
}


@pytest.mark.parametrize("notebook", MISSING)
def test_a_sentence_without_its_result_is_not_printed_and_the_others_stay(notebook, monkeypatch):
    monkeypatch.syspath_prepend(str(plan.paths.root() / "book/_ext"))
    import not_run

    cells = [
        cell.source
        for cell in notebooks.read(plan.source(notebook)).cells
        if cell.cell_type == "markdown"
    ]
    text, asked = (
        "\n\n".join(cells).replace("\n{.if-run}\n", "\n"),
        set(),
    )  # a whole paragraph's mark

    def filled(part, missing):
        def value(match):
            key = match[1].partition(":")[0]
            asked.add(key)
            return NOT_RUN if key in missing else "1"

        return re.sub(r"\{glue:text\}`([^`]+)`", value, part)

    printed = {
        missing: not_run.settled(text, lambda part, gone=gone: filled(part, gone))
        for missing, gone in ((True, MISSING[notebook]), (False, set()))
    }
    assert MISSING[notebook] <= asked
    assert (
        NOT_RUN not in printed[True].replace("*Not run", "")
        and "if-run" not in printed[True] + printed[False]
    )
    assert len(printed[True].split()) < len(printed[False].split())
