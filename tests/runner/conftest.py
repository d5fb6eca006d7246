"""A small checkout of its own for every test: one paper, one notebook, one settings file."""

import textwrap

import pytest
from small_book import built

from vlmbias import sources

HEADER = """\
# ---
# jupyter:
#   kernelspec:
#     display_name: Python 3
#     language: python
#     name: python3
# ---
"""
CHAPTER = HEADER + textwrap.dedent("""
    # %% [markdown]
    # # A chapter
    #
    # Opening words.
    #
    # ## The protocol, run on {data}
    # What was run.

    # %% tags=["parameters"]
    n = 3  # how many
    scale = 1.5  # times what
    words = ["kind", "cold"]  # which words
    exact = True  # whether to enumerate
    results = "_build/results/paper/chapter.json"  # where the results go

    # %%
    from myst_nb import glue
    import numpy as np

    glue("product", n * scale, display=False)
    glue("numpy", np.float64(n), display=False)

    # %% tags=["needs-photos"]
    glue("photos", 1, display=False)

    # %% [markdown] tags=["needs-photos"]
    # {glue:text}`photos` photos.

    # %% [markdown]
    # ## What this method can see
    # The rest.
    """)


@pytest.fixture
def checkout(tmp_path, monkeypatch):
    """The root of a small checkout; `vlmbias.paths` points at it."""
    files = {
        "notebooks/paper/chapter.py": CHAPTER,
        "data/settings/greenhouse.yaml": "{}\n",
        "data/settings/smoke.yaml": "parameters: {n: 2}\n",
        "data/claims/paper.yaml": "a: 1\n",
        "data/claims/paper.more.yaml": "a: 2\n",
        "data/claims/other.yaml": "b: 1\n",
        "data/published/shares.csv": "n\n1\n",
        "data/sources/many.csv": "path\n",
        "data/sources/open_clip.csv": "tag\n",
        "data/stimuli/own_images.yaml": "{}\n",
        "data/stimuli/words.yaml": "c: 1\n",
        "src/vlmbias/room.py": "x = 1\n",
        "src/runner/step.py": "y = 1\n",
        "src/runner/execute.py": "z = 1\n",
        "src/greenhouse/train/fit.py": "t = 1\n",
        "src/studies/paper/table.py": "u = 1\n",
        "src/studies/other/table.py": "v = 1\n",
        "requirements.lock": "numpy==1\n",
        "_config.yml": (
            'title: A book\nexecute: {execute_notebooks: "off"}\nonly_build_toc_files: true\n'
        ),
        "_toc.yml": (
            "format: jb-book\nroot: book/index\nchapters:\n"
            "- file: notebooks/paper/chapter\n- file: book/status\n"
        ),
        "book/index.md": "# A book\n",
        "book/status.md": "# Last run\n\n```{list-table}\n{times}\n```\n\n(runs)=\n## Runs\n",
    }
    for name, text in files.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text)
    monkeypatch.setenv("VLMBIAS_ROOT", str(tmp_path))

    state = {"available": False, "hash": "", "note": "```{note}\nphotos are missing\n```"}
    monkeypatch.setattr(sources, "state", lambda key: dict(state))
    return tmp_path


@pytest.fixture(scope="session")
def small(tmp_path_factory):
    """A small book that was built once, in `a b/ü`, while its sources came from a bad line."""
    with built(tmp_path_factory.mktemp("book")) as book:
        yield book
