"""Every notebook runs from its first cell to its last, with little of everything (the `smoke` settings).

Its exercise solutions end in asserts, so they are checked here too. `make book` runs the notebooks in full.
"""

from collections import Counter

import nbformat
import pytest

from runner import execute, plan
from vlmbias import paths


@pytest.mark.parametrize("notebook", plan.notebooks())
def test_a_notebook_runs(notebook):
    record = plan.record(notebook, plan.settings("smoke"), files={})
    folder = paths.build() / "smoke" / notebook
    execute.run(record, executed=folder / "notebook.ipynb", results=folder / "results.json",
                working=folder / "failed.ipynb")  # fmt: skip
    cells = nbformat.read(folder / "notebook.ipynb", as_version=4).cells
    shown = [output for cell in cells for output in cell.get("outputs", [])]
    names = Counter(output["metadata"]["scrapbook"]["name"] for output in shown
                    if "scrapbook" in output.get("metadata", {}))  # fmt: skip
    assert not (twice := [name for name, times in names.items() if times > 1]), f"glued twice: {twice}"
    plain = [output["data"].get("text/plain", "") for output in shown
             if "data" in output and "text/html" not in output["data"]]  # fmt: skip
    assert not (bare := [text for text in plain if text.startswith("<") and " at 0x" in text]), f"shown as is: {bare}"
