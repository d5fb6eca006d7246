"""Numbers a notebook glued, and how they differ between two runs.

Comes in: executed notebooks, a notebook and other parameters. Goes out: values by key; a rerun in its own
folder, and a table of differences. May not: touch what the book is made of.
"""

import ast
import hashlib
import json
import re
from typing import Any

import nbformat
import pandas as pd
from nbformat import NotebookNode

from runner import execute, plan
from vlmbias import paths


def _value(text: str) -> Any:
    plain = re.sub(r"^(?:np|numpy)\.\w+\((.*)\)$", r"\1", text.strip(), flags=re.DOTALL)
    try:
        return ast.literal_eval(plain)
    except (ValueError, SyntaxError):
        return plain


def glued(executed: NotebookNode) -> dict[str, Any]:
    """The values that an executed notebook glued (with `myst_nb.glue`), by key."""
    values = {}
    for cell in executed.cells:
        for output in cell.get("outputs", []):
            scrap = output.get("metadata", {}).get("scrapbook")
            if scrap is not None:
                values[scrap["name"]] = _value(output["data"].get(f"{scrap['mime_prefix']}text/plain", ""))
    return values


def rerun(notebook: str, given: dict[str, str], *, settings: str) -> str:
    """Run a notebook with other parameters in `_build/runs/<notebook>/<hash>`; say where, and what changed."""
    record = plan.record(notebook, plan.settings(settings), given=given, files=plan.hashes(plan.INPUTS))
    name = record["notebook"]
    changed = ", ".join(f"{key} = {record['parameters'][key]!r}" for key in record["changed"])
    print(f"▸ {name} with {changed or 'its defaults'} …", flush=True)
    digest = hashlib.sha256(json.dumps(record, sort_keys=True).encode()).hexdigest()[:10]
    folder = paths.build() / "runs" / name / digest
    copy, canonical = folder / "notebook.ipynb", paths.build() / f"executed/{name}.ipynb"
    execute.run(record, executed=copy, results=folder / "results.json", working=folder / "failed.ipynb")
    if not canonical.is_file():
        return f"{copy}\nnothing to compare it with: run `make book` first"
    table = differences(*(glued(nbformat.read(path, as_version=4)) for path in (canonical, copy)))
    return f"{copy}\n{table}"


def differences(canonical: dict[str, Any], other: dict[str, Any]) -> str:
    """A table of the glued values of two runs: key, canonical, this run, their difference."""
    rows = []
    for key in dict.fromkeys([*canonical, *other]):
        old, new = canonical.get(key, "–"), other.get(key, "–")
        numbers = all(isinstance(value, int | float) and not isinstance(value, bool) for value in (old, new))
        change = f"{new - old:+.4g}" if numbers else "same" if old == new else "differs"
        shown = [f"{value:.6g}" if isinstance(value, float) else str(value)[:40] for value in (old, new)]
        rows.append((key, *shown, change))
    return pd.DataFrame(rows, columns=["result", "the book's", "this run", "difference"]).to_string(index=False)
