"""The cells of a notebook, run in the process of the tests: a kernel for each would import
everything again.

`make book` gives every notebook a kernel of its own, and the tests of the runner try that with
small ones.
"""

import contextlib
import types
import warnings
from functools import cache
from pathlib import Path
from typing import Any

import matplotlib as mpl
import pytest
from IPython.core.interactiveshell import InteractiveShell
from IPython.utils.capture import capture_output
from nbformat import NotebookNode
from traitlets.config import Config

from runner import execute, notebooks, plan
from vlmbias import paths
from vlmbias.figures import showing


def run(record: dict[str, Any], results: Path, *, drawn: bool = True) -> list[NotebookNode]:
    """Run what a record asks for; `results` gets what the notebook records. Figures are `drawn`, or
    made and checked alone.

    Returns
    -------
    Its cells; the outputs of a code cell are dicts of data by format, each with its `metadata`.

    Raises
    ------
    What the first cell raises that fails.
    """
    results.unlink(missing_ok=True)
    name = record["notebook"]
    page = execute.prepared(record, plan.source(name).read_text("utf-8"))
    given = record["parameters"] | {"results": str(results.relative_to(paths.root()))}
    shell = _shell()
    shell.reset(
        new_session=True, aggressive=False
    )  # of the names of the notebook before, whether it ended or failed
    with (
        contextlib.chdir(plan.source(name).parent),
        warnings.catch_warnings(),
        mpl.rc_context(),
        pytest.MonkeyPatch.context() as patch,
    ):
        if not drawn:
            patch.setattr(showing, "_save", lambda *_, **__: b"")
        for cell in page.cells:
            if cell.cell_type == "code":
                with capture_output() as said:
                    done = shell.run_cell(cell.source)
                done.raise_error()
                cell.outputs = [dict(one.data, metadata=one.metadata or {}) for one in said.outputs]
            if "parameters" in notebooks.tags(cell):
                shell.push(given)
    return page.cells


def shown(expression: str) -> Any:
    """What a name, or the expression that a cell ends in, is in the notebook that ran last."""
    return eval(expression, _shell().user_ns)


@cache
def _shell() -> InteractiveShell:
    """One for all notebooks, as `display` knows of no second; its names are its own, and it keeps
    no history. What `vb.note` made for itself in a test before has the names of `__main__`, which a
    reset would clear, and from which no process could be started then."""
    InteractiveShell.clear_instance()
    settings = Config(HistoryManager={"enabled": False}, HistoryAccessor={"enabled": False})
    return InteractiveShell.instance(config=settings, user_module=types.ModuleType("notebook"))
