"""Every notebook runs from its first cell to its last, with little of everything (the `smoke` settings).

Its exercise solutions end in asserts, so they are checked here too. `make book` runs the notebooks in full.
"""

import pytest

from runner import execute, plan
from vlmbias import paths


@pytest.mark.parametrize("notebook", plan.notebooks())
def test_a_notebook_runs(notebook):
    record = plan.record(notebook, plan.settings("smoke"), files={})
    folder = paths.build() / "smoke" / notebook
    execute.run(record, executed=folder / "notebook.ipynb", results=folder / "results.json",
                working=folder / "failed.ipynb")  # fmt: skip
