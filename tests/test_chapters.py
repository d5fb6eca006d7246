"""Every notebook runs from its first cell to its last, with little of everything (the `smoke` settings).

Its exercise solutions end in asserts, so they are checked here too. `make book` runs the notebooks in full.
"""

from collections import Counter

import in_process
import pytest

from runner import plan
from vlmbias import paths


@pytest.mark.parametrize("notebook", plan.notebooks())
def test_a_notebook_runs(notebook, monkeypatch):
    chosen = plan.settings("smoke")
    monkeypatch.setenv("VLMBIAS_IDENTITIES", str(chosen.identities))
    record = plan.record(notebook, chosen, files={})
    cells = in_process.run(record, paths.build() / "smoke" / notebook / "results.json")
    shown = [output for cell in cells for output in cell.get("outputs", [])]
    names = Counter(one["metadata"]["scrapbook"]["name"] for one in shown if "scrapbook" in one["metadata"])
    assert names, "nothing was handed to the prose"
    assert not (twice := [name for name, times in names.items() if times > 1]), f"glued twice: {twice}"
    plain = [one.get("text/plain", "") for one in shown if "text/html" not in one]
    assert not (bare := [text for text in plain if text.startswith("<") and " at 0x" in text]), f"shown as is: {bare}"
