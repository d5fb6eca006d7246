"""What a paper's chapters recorded with the book's model and with others, run here or shipped.

`data/greenhouse/comparisons/<paper>/<model>.json` ships what `run_here(paper, model)` returned
after `vlmbias run <paper> -p model=<model>`; to make it anew, write that with
`whole_files.write_json`.
"""

import json
from collections.abc import Sequence
from typing import Any
from urllib.parse import quote, unquote

import pandas as pd

from vlmbias import kept, paths
from vlmbias.ledger.results import read_results

RUNS = ["model", "book", "chapter", "values", "settings", "code", "seconds", "shipped"]
VALUES = ["claim", "protocol", "value", "stimuli", "model", "chapter", "book"]


def compared(paper: str, models: Sequence[str] = ()) -> tuple[pd.DataFrame, pd.DataFrame]:
    """The chapters of a paper as they were run with each model.

    Parameters
    ----------
    paper : a folder of `notebooks`, such as ``"causalface"``.
    models : names of the models to set beside the book's own; empty for every one that was run here
        or is shipped.

    Returns
    -------
    runs : DataFrame, one row per model and chapter: how it was run (`code`: a fingerprint of the
        code), whether it is the book's own (`book`), and whether its numbers come from
        `data/greenhouse/comparisons` (`shipped`).
    values : DataFrame, one row per recorded value: what `record` wrote, with chapter, model, book.

    Raises
    ------
    ValueError : for a model with which nothing was run; those at hand are listed.

    Examples
    --------
    >>> runs, values = vb.ledger.compared("causalface")
    >>> bool(runs["shipped"].any()), list(values)[:4]
    (True, ['claim', 'protocol', 'value', 'stimuli'])
    """
    runs, values, shelves = [], [], _shelves(paper)
    if strangers := [name for name in models if name not in shelves]:
        listed = ", ".join(name for name in shelves if name) or "none"
        raise ValueError(
            f"models = {strangers[0]!r}: nothing was run with it; there are: {listed}. Others are"
            f" added by `vlmbias run {paper} -p model=` and the model's name"
        )
    for name, (shipped, chapters) in shelves.items():
        if name and models and name not in models:
            continue
        for chapter, made in chapters.items():
            about = {"model": name or made["model"], "book": not name, "chapter": chapter}
            how = {key: made[key] for key in ("settings", "code", "seconds")}
            runs.append(about | how | {"values": len(made["values"]), "shipped": shipped})
            values += [found | about for found in made["values"]]
    return pd.DataFrame(runs, columns=RUNS), pd.DataFrame(values, columns=VALUES)


def run_here(paper: str, model: str | None = None) -> dict[str, dict[str, Any]]:
    """Per chapter of a paper, what was run here with a model: how, and the values; None for the
    book's own model."""
    build = paths.build()
    copies, records = (
        (build / "executed" / paper, build / "results" / paper)
        if model is None
        else (build / "models" / quote(model, safe="") / paper,) * 2
    )
    chapters = {}
    for executed in sorted(copies.glob("*.ipynb")):
        made = json.loads(executed.read_text("utf-8"))["metadata"].get("vlmbias", {})
        results = records / f"{executed.stem}.json"
        if "model" in made.get("parameters", {}) and results.is_file():
            chapters[executed.stem] = {
                "code": code(made["files"]),
                "model": made["parameters"]["model"],
                "parameters": made["parameters"],
                "seconds": made["seconds"],
                "settings": made["settings"],
                "commit": made["commit"],
                "versions": made["versions"],
                "values": read_results(results),
            }
    return chapters


def code(files: dict[str, str]) -> str:
    """A fingerprint of the code among the files that a notebook was made from."""
    own = ("src/", "notebooks/")
    return kept.key({name: digest for name, digest in files.items() if name.startswith(own)})


def _shelves(paper: str) -> dict[str, tuple[bool, dict[str, dict[str, Any]]]]:
    """By model, "" for the book's own: whether its numbers are shipped, and its chapters. What was
    run here takes the place of what is shipped."""
    shipped = {
        unquote(path.stem): path
        for path in (paths.data() / "greenhouse/comparisons" / paper).glob("*.json")
    }
    here = {unquote(folder.parent.name) for folder in (paths.build() / "models").glob(f"*/{paper}")}
    found = {"": (False, run_here(paper))}
    for model in sorted(here | shipped.keys()):
        if chapters := run_here(paper, model):
            found[model] = False, chapters
        elif model in shipped:
            found[model] = True, json.loads(shipped[model].read_text("utf-8"))
    return found
