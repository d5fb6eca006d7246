"""What runs with what: notebooks, settings, and a record of every input by content.

Comes in: the checkout, `data/settings/<name>.yaml`, the state of the optional sources.
Goes out: `_build/inputs/**.json`, rewritten only when a content in them changed: the graph's only inputs.
May not: execute a notebook.
"""

import hashlib
import json
from collections.abc import Iterable
from pathlib import Path
from typing import Annotated, Any
from urllib.parse import quote

from pydantic import AfterValidator, BaseModel

from runner import notebooks as sources_of
from vlmbias import paths, sources
from vlmbias.executed import made
from vlmbias.whole_files import read_yaml, write_json


def _known(chosen: dict[str, Any]) -> dict[str, Any]:
    if strangers := sorted(chosen.keys() - set(notebooks())):
        raise ValueError(f"there is no notebook {strangers[0]!r}; there are: {', '.join(notebooks())}")
    return chosen


def _no_way(model: str) -> str:
    if not model.strip("."):
        raise ValueError(f"{model!r} is no model but a way to another folder; write a name or a longer path")
    return model


class Choice(BaseModel, extra="forbid", frozen=True):
    """What one notebook uses: a label for its data, the sources it cannot do without, its parameters."""

    data: str = ""
    requires: list[str] = []
    parameters: dict[str, Any] = {}


class Settings(BaseModel, extra="forbid", frozen=True):
    """One file of `data/settings`: a label and parameters for every notebook, and a choice for some.

    `models`, by paper: the models beside its own with which the book runs the paper's chapters.
    """

    name: str
    data: str
    parameters: dict[str, Any] = {}
    notebooks: Annotated[dict[str, Choice], AfterValidator(_known)] = {}
    models: dict[str, list[Annotated[str, AfterValidator(_no_way)]]] = {}


def settings(name: str) -> Settings:
    """The settings of that name; an unknown name or a malformed file is an error."""
    folder = paths.data() / "settings"
    path = folder / f"{name}.yaml"
    if not path.is_file():
        raise ValueError(f"no settings {name!r}; there are: {', '.join(sorted(p.stem for p in folder.glob('*.yaml')))}")
    return read_yaml(path, lambda plain: Settings.model_validate({"name": name, **plain}))


def notebooks() -> list[str]:
    """Every notebook, as `<paper>/<name>`."""
    folder = paths.root() / "notebooks"
    return sorted(path.relative_to(folder).with_suffix("").as_posix() for path in folder.glob("*/*.py"))


def source(notebook: str) -> Path:
    """The py file of a notebook given as `<paper>/<name>` or as a path to either of its pair."""
    name = notebook.removesuffix(".ipynb").removesuffix(".py").split("notebooks/")[-1]
    if name not in notebooks():
        raise ValueError(f"no notebook {notebook!r}; there are: {', '.join(notebooks())}")
    return paths.root() / "notebooks" / f"{name}.py"


def hashes(patterns: Iterable[str]) -> dict[str, str]:
    """The sha256 of every file that matches one of the patterns, by its path from the root."""
    files = {path for pattern in patterns for path in paths.root().glob(pattern) if path.is_file()}
    kept = [path for path in files if "__pycache__" not in path.parts and ".egg-info" not in str(path)]
    return {path.relative_to(paths.root()).as_posix(): hashlib.sha256(path.read_bytes()).hexdigest()
            for path in sorted(kept)}  # fmt: skip


INPUTS = ("src/*/**/*", "requirements.lock", "data/**/*")


def record(notebook: str, chosen: Settings, *, given: dict[str, Any] | None = None,
           files: dict[str, str]) -> dict[str, Any]:
    """Everything one run of a notebook is made from, by content.

    Of `data/claims`, a notebook reads its own paper's file and those whose names its text mentions.
    """
    path, text = source(notebook), source(notebook).read_text()
    notebook = path.relative_to(paths.root() / "notebooks").with_suffix("").as_posix()
    where = path.relative_to(paths.root())
    content = sources_of.read(path)
    known = sources_of.parameters(content, where=where)
    own = chosen.notebooks.get(notebook, Choice())
    shared = {name: value for name, value in chosen.parameters.items() if name in known}
    parameters = sources_of.validated(known, {**shared, **own.parameters, **(given or {})}, where=where)

    def reads(name: str) -> bool:
        if name.startswith("data/claims/"):
            paper = Path(name).name.partition(".")[0]  # one paper's claims may lie in several files
            return paper in notebook or paper in text or "ledger.load()" in text
        return not name.startswith(("data/settings/", "data/sources.yaml")) and name != str(where)

    return {
        "notebook": notebook,
        "settings": chosen.name,
        "data": (given or {}).get("stimuli") or own.data or chosen.data,
        "requires": own.requires,
        "parameters": {name: parameters.get(name, known[name].default) for name in known},
        "changed": [name for name in known if name in parameters and parameters[name] != known[name].default],
        "sources": {key: sources.state(key) for key in dict.fromkeys([*sources_of.needs(content), *own.requires])},
        "files": {name: digest for name, digest in files.items() if reads(name)} | hashes([str(where)]),
    }


def _record_or_error(notebook: str, chosen: Settings, **options: Any) -> dict[str, Any]:
    """The record, or what is wrong with the notebook: its own job reports it, and the others still run."""
    try:
        return record(notebook, chosen, **options)
    except (ValueError, SyntaxError) as error:
        return {"notebook": notebook, "error": str(error)}


def _takes_a_model(notebook: str) -> bool:
    try:
        return "model" in sources_of.parameters(sources_of.read(source(notebook)), where=notebook)
    except (ValueError, SyntaxError):
        return True  # broken: its own job says how


def chapters(paper: str) -> list[str]:
    """The notebooks of a paper that have a parameter `model`.

    Raises
    ------
    ValueError : there is no such paper, or none of its notebooks has the parameter; the papers are listed.
    """
    found = [name for name in notebooks() if name.startswith(f"{paper}/") and _takes_a_model(name)]
    if not found:
        papers = ", ".join(dict.fromkeys(name.partition("/")[0] for name in notebooks()))
        raise ValueError(f"no notebook of {paper!r} has a parameter `model`; the papers are: {papers}")
    return found


def prepare_model(model: str, paper: str, chosen: Settings, files: dict[str, str]) -> list[str]:
    """Write the input records of a paper's chapters for another model; name the jobs, `<model>/<notebook>`.

    A run for another model ends before the laboratory's own section, which does not look at it.
    """
    jobs = [f"{quote(_no_way(model), safe='')}/{name}" for name in chapters(paper)]
    for job, name in zip(jobs, chapters(paper), strict=True):
        content = _record_or_error(name, chosen, given={"model": model}, files=files)
        write_json(paths.build() / "inputs" / "models" / f"{job}.json", content | {"protocol_only": True})
    return jobs


def heal() -> list[str]:
    """Remove what is damaged in `_build`, so that the graph makes it anew; name it.

    An executed notebook goes with its results if either is not whole, or the results are not the ones that it left;
    other files that the graph makes and Snakemake's own notes, if they do not read. What was whole at the last look
    and has not changed since is not read again.
    """
    build, gone = paths.build(), []
    if (last := build / "site.last").is_dir() and not (site := build / "site").exists():
        last.rename(site)  # a kill came between the last site and its successor
    pairs = [(build / f"executed/{name}.ipynb", build / f"results/{name}.json") for name in notebooks()]
    pairs += [(path, path.with_suffix(".json")) for path in sorted(build.glob("models/*/*/*.ipynb"))]
    known, whole = _read_json(build / "whole.json"), {}
    for pair in pairs:
        here = [path for path in pair if path.exists()]
        state = [[about.st_mtime_ns, about.st_size] for about in (path.stat() for path in here)]
        key = pair[0].relative_to(build).as_posix()
        unchanged = isinstance(known, dict) and known.get(key) == state
        if len(here) == 2 and (unchanged or made(*pair)):
            whole[key] = state
        else:
            gone += here
    others = [build / "ledger.json", build / "site/built.json", *paths.root().glob(".snakemake/metadata/*")]
    gone += [path for path in others if path.is_file() and _read_json(path) is None]
    for path in gone:
        path.unlink()
    write_json(build / "whole.json", whole)
    return [path.relative_to(paths.root()).as_posix() for path in gone]


def _read_json(path: Path) -> Any:
    """What a JSON file holds; None if it is not there or does not read."""
    try:
        return json.loads(path.read_bytes())
    except (OSError, ValueError, RecursionError):
        return None


def prepare(name: str) -> None:
    """Write the input records of every notebook, the ledger and the book under `_build/inputs`."""
    chosen, folder = settings(name), paths.build() / "inputs"
    files = hashes(INPUTS)
    for path in (folder / "notebooks").glob("*/*.json"):
        if path.relative_to(folder / "notebooks").with_suffix("").as_posix() not in notebooks():
            path.unlink()  # the notebook is gone, and what it found no longer counts
    for notebook in notebooks():
        write_json(folder / "notebooks" / f"{notebook}.json", _record_or_error(notebook, chosen, files=files))
    jobs = [job for paper, models in chosen.models.items() for model in models
            for job in prepare_model(model, paper, chosen, files)]  # fmt: skip
    write_json(folder / "models.json", jobs)
    claims = {path: digest for path, digest in files.items() if path.startswith(("src/", "data/claims/"))}
    write_json(folder / "ledger.json", claims)
    pages = hashes(["book/**/*", "_config.yml", "_toc.yml"])
    write_json(folder / "book.json", {**files, **pages, "settings": name})
