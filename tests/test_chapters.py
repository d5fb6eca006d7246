"""Every notebook runs from its first cell to its last, with little of everything (the `smoke`
settings).

Its exercise solutions end in asserts, so they are checked here too. What `make book` has just
executed in full, from the same inputs, counts as executed: its copy is looked at instead.
"""

import json
from collections import Counter
from functools import cache

import in_process
import nbformat
import pytest

from runner import plan
from vlmbias import paths


@cache
def hashes():
    return plan.hashes(plan.INPUTS)


def just_executed(notebook):
    """The cells of the copy that `make book` left, if all that it was made from is as it was
    then."""
    copy = paths.build() / "executed" / f"{notebook}.ipynb"
    if not copy.is_file():
        return None
    page = nbformat.read(copy, as_version=4)
    about = page.metadata.get("vlmbias", {})
    if about.get("settings") not in ("greenhouse", "open", "paper"):
        return None
    planned = plan.record(notebook, plan.settings(about["settings"]), files=hashes())
    same = all(about.get(name) == value for name, value in json.loads(json.dumps(planned)).items())
    return page.cells if same else None


def run_small(notebook):
    record = plan.record(notebook, plan.settings("smoke"), files={})
    return in_process.run(record, paths.build() / "smoke" / notebook / "results.json")


def shown(cells):
    """Everything the cells show, by format, with its metadata."""
    outputs = [one for cell in cells for one in cell.get("outputs", [])]
    return [dict(one.get("data", one), metadata=one.get("metadata") or {}) for one in outputs]


@pytest.mark.parametrize("notebook", plan.notebooks())
def test_a_notebook_runs(notebook, monkeypatch):
    if (cells := just_executed(notebook)) is None:
        monkeypatch.setenv("VLMBIAS_IDENTITIES", str(plan.settings("smoke").identities))
        cells = run_small(notebook)
    found = shown(cells)
    names = Counter(
        one["metadata"]["scrapbook"]["name"] for one in found if "scrapbook" in one["metadata"]
    )
    assert names, "nothing was handed to the prose"
    assert not (twice := [name for name, times in names.items() if times > 1]), (
        f"glued twice: {twice}"
    )
    plain = [one.get("text/plain", "") for one in found if "text/html" not in one]
    assert not (bare := [text for text in plain if text.startswith("<") and " at 0x" in text]), (
        f"shown as is: {bare}"
    )


def test_a_copy_of_other_inputs_does_not_count(monkeypatch, tmp_path):
    """An executed copy is believed only if its source, its parameters, its data and its packages
    are the same."""
    notebook = "calibration/ieat"
    planned = plan.record(notebook, plan.settings("greenhouse"), files=hashes())
    cells = [nbformat.v4.new_markdown_cell("executed")]
    copy = tmp_path / "executed" / f"{notebook}.ipynb"
    copy.parent.mkdir(parents=True)

    def kept(**change):
        page = nbformat.v4.new_notebook(
            cells=cells, metadata={"vlmbias": {**planned, **change, "commit": "c"}}
        )
        copy.write_text(nbformat.writes(page))
        monkeypatch.setattr(paths, "build", lambda: tmp_path)
        return just_executed(notebook)

    assert kept()[0].source == "executed"
    name, digest = next(iter(planned["files"].items()))
    for change in (
        {"files": {**planned["files"], name: digest[::-1]}},
        {"parameters": {}},
        {"settings": "smoke"},
        {"files": {key: value for key, value in planned["files"].items() if key != name}},
    ):
        assert kept(**change) is None, change
    copy.unlink()
    assert just_executed(notebook) is None
