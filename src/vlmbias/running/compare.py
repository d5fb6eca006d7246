"""Numbers a notebook glued, and how they differ between two runs.

Comes in: executed notebooks. Goes out: a dict of values; a table of differences. May not: execute.
"""

from __future__ import annotations

import ast
import re
from pathlib import Path
from typing import Any

import nbformat

from vlmbias import paths
from vlmbias.running import plan


def _value(text: str) -> Any:
    plain = re.sub(r"^(?:np|numpy)\.\w+\((.*)\)$", r"\1", text.strip(), flags=re.DOTALL)
    try:
        return ast.literal_eval(plain)
    except (ValueError, SyntaxError):
        return plain


def glued(executed: Path) -> dict[str, Any]:
    """The values that an executed notebook glued (with `myst_nb.glue`), by key."""
    values = {}
    for cell in nbformat.read(executed, as_version=4).cells:
        for output in cell.get("outputs", []):
            scrap = output.get("metadata", {}).get("scrapbook")
            if scrap is not None:
                values[scrap["name"]] = _value(output["data"].get(f"{scrap['mime_prefix']}text/plain", ""))
    return values


def collect() -> Path:
    """Write every glued value to `_build/results.json`: `{"<paper>/<name>": {key: value}}`."""
    folder, target = paths.build() / "executed", paths.build() / "results.json"
    plan.write_json(target, {name: glued(folder / f"{name}.ipynb") for name in plan.notebooks()})
    return target


def differences(canonical: dict[str, Any], other: dict[str, Any]) -> str:
    """A table of the glued values of two runs: key, canonical, this run, their difference."""
    rows = [("result", "the book's", "this run", "difference")]
    for key in dict.fromkeys([*canonical, *other]):
        old, new = canonical.get(key, "–"), other.get(key, "–")
        numbers = all(isinstance(value, int | float) and not isinstance(value, bool) for value in (old, new))
        change = f"{new - old:+.4g}" if numbers else "same" if old == new else "differs"
        shown = [f"{value:.6g}" if isinstance(value, float) else str(value)[:40] for value in (old, new)]
        rows.append((key, shown[0], shown[1], change))
    widths = [max(len(row[column]) for row in rows) for column in range(4)]
    lines = ["  ".join(text.ljust(width) for text, width in zip(row, widths, strict=True)) for row in rows]
    return "\n".join(line.rstrip() for line in lines)
