"""A sentence with a glued number and a comparing word is a statement, or says why it is none.

`tools/comparatives.py` finds such sentences; the list beside this file has a reason for each.
"""

import sys

from vlmbias import paths

sys.path.append(str(paths.root() / "tools"))
import comparatives

FOUND, LISTED = comparatives.found(), comparatives.listed()


def printed(sentences):
    return "".join(f"\n  {page}: {sentence}" for page, sentence in sentences)


def test_every_sentence_that_compares_is_a_statement_or_has_a_reason():
    open_ones = [one for one in FOUND if LISTED.get(one) not in comparatives.REASONS]
    assert not open_ones, (
        "These compare computed values. Make each a statement, `[…]{.holds #name}` with `vb.holds`"
        " in the cell above, or run `tools/comparatives.py --write` and replace its `?` in"
        f" {comparatives.LIST.name} by a reason ({', '.join(comparatives.REASONS)}):"
        f"{printed(open_ones)}"
    )


def test_the_list_has_no_sentence_that_the_pages_no_longer_have():
    gone = sorted(set(LISTED) - set(FOUND))
    assert not gone, f"In no page; `tools/comparatives.py --write` drops them:{printed(gone)}"


def test_a_forgotten_statement_is_found_and_one_that_is_made_is_not(tmp_path):
    page = tmp_path / "page.md"
    page.write_text(
        "It is larger in {glue:text}`n` networks.\n\n"
        "[It is larger in {glue:text}`n` networks.]{.holds #larger}\n\n"
        '"It is larger", writes {glue:text}`who`.\n\nIt is {glue:text}`n`.\n\n'
        "## Exercises\n\nIs it larger than {glue:text}`n`?\n",
        encoding="utf-8",
    )
    assert list(comparatives.sentences(page)) == ["It is larger in {glue:text}`n` networks."]
