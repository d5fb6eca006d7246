"""A notebook's source: its pair, the cells one reader can run."""

import nbformat
import pytest

from runner import notebooks, pairs
from runner.notebooks import for_reader, read


@pytest.fixture
def chapter(checkout):
    return checkout / "notebooks/paper/chapter.py"


def test_the_pair_is_a_function_of_the_source(chapter):
    text = pairs.pair_text(chapter)
    assert text == pairs.pair_text(chapter)
    pair = nbformat.reads(text, as_version=4)
    nbformat.validate(pair)
    assert [cell.source for cell in pair.cells] == [cell.source for cell in read(chapter).cells]
    code = [cell for cell in pair.cells if cell.cell_type == "code"]
    assert code and not any(cell.outputs or cell.execution_count for cell in code)


def test_editing_one_cell_changes_one_id_and_equal_cells_have_different_ones(chapter):
    chapter.write_text(chapter.read_text() + "\n# %%\nn\n\n# %%\nn\n")
    before = [cell.id for cell in read(chapter).cells]
    chapter.write_text(chapter.read_text().replace("n * scale", "n + scale"))
    after = [cell.id for cell in read(chapter).cells]
    assert len(before) == len(after) == len(set(after))
    assert sum(a != b for a, b in zip(before, after, strict=True)) == 1


def sources(notebook):
    return [cell.source for cell in notebook.cells]


def test_nothing_is_missing_and_only_the_heading_changes(chapter):
    before = sources(read(chapter))
    after = sources(for_reader(read(chapter), missing={}, required=["photos"], data="X"))
    assert [text.replace("run on {data}", "run on X") for text in before] == after
    assert "run on X" in after[0]


def test_cells_of_a_missing_source_become_one_note(chapter):
    assert notebooks.needs(read(chapter)) == ["photos"]
    before = sources(read(chapter))
    after = sources(for_reader(read(chapter), missing={"photos": "NOTE"}, required=[], data="X"))
    assert after.count("NOTE") == 1
    assert [text for text in before[1:] if "photos" not in text] == [
        text for text in after[1:] if text != "NOTE"
    ]
    assert after.index("NOTE") == next(k for k, text in enumerate(before) if "photos" in text)


def test_without_a_required_source_the_second_section_is_the_note(chapter):
    after = sources(
        for_reader(read(chapter), missing={"photos": "NOTE"}, required=["photos"], data="X")
    )
    assert after == [
        "# A chapter\n\nOpening words.",
        "## The protocol, run on X",
        "NOTE",
        "## What this method can see\nThe rest.",
    ]


def test_a_run_for_another_model_ends_before_the_laboratory(chapter):
    whole, kept = (
        "\n\n".join(sources(one)) for one in (read(chapter), notebooks.protocol_only(read(chapter)))
    )
    assert whole == f"{kept}\n\n## What this method can see\nThe rest."
    without = read(chapter)
    without.cells.pop()
    assert "\n\n".join(sources(notebooks.protocol_only(without))) == kept  # nothing to cut
