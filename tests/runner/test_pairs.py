"""The `.ipynb` that people open: solutions folded, and with the repository's address a cell that
installs the book.
"""

import os

import nbformat
import pytest

from runner import notebooks, pairs

SOLVED = """
# %% [markdown]
# ```{solution-start} one
# ```

# %% tags=["solution"]
answer = 1

# %% [markdown]
# Because.
#
# ```{solution-end}
# ```
#
# Another exercise.
"""


@pytest.fixture
def chapter(checkout):
    path = checkout / "notebooks/paper/chapter.py"
    path.write_text(path.read_text() + SOLVED)
    return path


def test_solutions_are_folded_and_what_follows_is_not(chapter):
    pair = nbformat.reads(pairs.pair_text(chapter), as_version=4)
    nbformat.validate(pair)
    last = pair.cells[-4:]
    hidden = [bool(cell.metadata.get("jupyter", {}).get("source_hidden")) for cell in last]
    assert hidden == [False, True, True, False] and last[-1].source == "Another exercise."
    assert last[-2].source.endswith("```{solution-end}\n```")


def test_the_cell_that_installs_stands_there_only_with_an_address(chapter, checkout, monkeypatch):
    assert "git" not in pairs.pair_text(chapter)
    (checkout / "_config.yml").write_text(
        'repository:\n  url: "https://github.com/owner/book"\n  branch: main\n'
    )
    first, *rest = nbformat.reads(pairs.pair_text(chapter), as_version=4).cells
    assert '"clone", "--depth", "1", "https://github.com/owner/book"' in first.source
    monkeypatch.setattr("subprocess.run", lambda *_, **__: pytest.fail("nothing may be fetched"))
    exec(first.source, {})  # the package is there: it does nothing
    assert rest[0].source.startswith("# A chapter")


def test_saved_in_jupyter_it_does_not_become_the_sources():
    text = '# %% [markdown]\n# # A\n\n# %% tags=["installs"]\nx = 1\n\n# %%\ny = 2\n'
    assert [cell.source for cell in notebooks.parse(text).cells] == ["# A", "y = 2"]


def test_an_edit_of_the_ipynb_alone_is_no_edit_without_a_word(chapter):
    pairs.check_not_edited_alone(chapter)  # there is none
    pairs.pair([chapter])
    target = chapter.with_suffix(".ipynb")
    later = chapter.stat().st_mtime + 5
    os.utime(target, (later, later))
    pairs.check_not_edited_alone(chapter)
    target.write_text(target.read_text("utf-8").replace("answer = 1", "answer = 2"), "utf-8")
    os.utime(target, (later, later))
    with pytest.raises(ValueError, match=r"chapter.ipynb was edited.*vlmbias pair"):
        pairs.check_not_edited_alone(chapter)
    os.utime(chapter, (later + 5, later + 5))  # a source that was edited since runs as it is
    pairs.check_not_edited_alone(chapter)
