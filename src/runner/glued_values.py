"""The values that an executed notebook glued, by key."""

import ast
import json
import re
from typing import Any

from nbformat import NotebookNode

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
                values[scrap["name"]] = _value(
                    output["data"].get(f"{scrap['mime_prefix']}text/plain", "")
                )
    return values


def collected() -> dict[str, dict[str, Any]]:
    """What the notebooks of the last build of the book glued, by `<part>/<name>` and key."""
    file = paths.build() / "results.json"
    return json.loads(file.read_text("utf-8")) if file.exists() else {}
