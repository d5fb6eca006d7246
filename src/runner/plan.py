"""What runs with what: notebooks, settings, and a record of every input by content.

`_build/inputs/**.json` are the graph's only inputs, rewritten only when a content in them changed.
"""

import json
from collections.abc import Collection, Iterable, Mapping
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import Annotated, Any
from urllib.parse import quote

from pydantic import AfterValidator, BaseModel, Field

from runner import embedded, used
from runner import notebooks as cells
from runner import parameters as parameter_lines
from runner.parameters import Parameter, validated
from vlmbias import kept, paths, sources
from vlmbias.sources import folders
from vlmbias.stimuli.reader_folders import FOLDERS, find, words_file
from vlmbias.stimuli.reader_folders import files as names_below
from vlmbias.whole_files import checksum, read_json, read_yaml, write, write_json


def _known(chosen: dict[str, Any]) -> dict[str, Any]:
    if strangers := sorted(chosen.keys() - set(notebooks())):
        raise ValueError(
            f"there is no notebook {strangers[0]!r}; there are: {', '.join(notebooks())}"
        )
    return chosen


def _plain(parameters: dict[str, Any]) -> dict[str, Any]:
    """Parameters whose values are those that a notebook's first cell can have."""
    for name, value in parameters.items():
        parts = value if isinstance(value, list) else [value]
        if not all(isinstance(one, str | int | float | None) for one in parts):
            raise ValueError(
                f"{name} = {value!r:.80} is not a number, a word, true or false, or a list of these"
            )
    return parameters


_Parameters = Annotated[dict[str, Any], AfterValidator(_plain)]


class Choice(BaseModel, extra="forbid", frozen=True):
    """What one notebook uses: the sources it cannot do without, its parameters."""

    requires: list[str] = []
    parameters: _Parameters = {}


class Settings(BaseModel, extra="forbid", frozen=True):
    """One file of `data/settings`: parameters for every notebook, and a choice for some.

    `identities`: how many of its 100 the set `greenhouse/causalface` has; None for all. `embedded`,
    by model: the image sets that are embedded before any notebook runs. `models`, by paper: the
    models beside its own with which the book runs the paper's chapters.
    """

    name: str
    parameters: _Parameters = {}
    identities: Annotated[int, Field(strict=True, ge=1, le=100)] | None = None
    notebooks: Annotated[dict[str, Choice], AfterValidator(_known)] = {}
    embedded: dict[str, list[str]] = {}
    models: dict[str, list[str]] = {}


def settings(name: str) -> Settings:
    """The settings of that name; an unknown name or a malformed file is an error."""
    folder = paths.data() / "settings"
    path = folder / f"{name}.yaml"
    if not path.is_file() or Path(name).name != name:
        raise ValueError(
            f"no settings {name!r}; there are:"
            f" {', '.join(p.stem for p in paths.matching(folder, '*.yaml'))}"
        )
    chosen = read_yaml(path, lambda plain: Settings.model_validate({"name": name, **(plain or {})}))
    strangers = set(chosen.parameters)
    for notebook in notebooks() if strangers else ():
        strangers -= (_known_of(notebook) or {}).keys()
    if strangers:
        raise ValueError(
            f"settings/{path.name}: parameters: no notebook has a parameter {min(strangers)!r}"
        )
    return chosen


def notebooks() -> list[str]:
    """Every notebook, as `<paper>/<name>`."""
    folder = paths.root() / "notebooks"
    found = paths.matching(folder, "*/*.py")
    return [path.relative_to(folder).with_suffix("").as_posix() for path in found]


def source(notebook: str) -> Path:
    """The py file of a notebook given as `<paper>/<name>` or as a path to either of its pair."""
    name = notebook.removesuffix(".ipynb").removesuffix(".py").split("notebooks/")[-1]
    path = paths.root() / "notebooks" / f"{name}.py"
    if not path.is_file() and name not in notebooks():
        raise ValueError(f"no notebook {notebook!r}; there are: {', '.join(notebooks())}")
    return path


def hashes(patterns: Iterable[str]) -> dict[str, str]:
    """The sha256 of every file that matches one of the patterns, by its path from the root."""
    root = paths.root()
    files = {path for pattern in patterns for path in root.glob(pattern) if path.is_file()}
    ours = sorted(
        path for path in files if "__pycache__" not in path.parts and ".egg-info" not in str(path)
    )
    return {path.relative_to(root).as_posix(): checksum(path) for path in ours}


# what a notebook cannot import, and of the runner the modules that execute it
APART, EXECUTES = (
    ("src/runner/", "src/greenhouse/train/"),
    ("src/runner/execute.py", "src/runner/notebooks.py"),
)
COMPARES = "ledger.compared("  # a page that reads what a paper's chapters recorded, with each model
INPUTS = ("src/*/**/*", "requirements.lock", "data/**/*")


class Declared(BaseModel, frozen=True, ser_json_inf_nan="constants"):
    """What a notebook says of itself: its parameters, the sources that cells of it need, the
    painted sets that its protocol names, and whether that keeps the vectors of pictures.

    `made_of` is the key of what this was read off.
    """

    made_of: str
    parameters: dict[str, Parameter]
    needs: list[str]
    painted: list[str]
    keeps_vectors: bool


def declared(notebook: str) -> Declared:
    """What a notebook says of itself.

    To read this off its text takes most of the time of a build in which nothing changed, so it is
    kept in `_build/declared`, by the text and the code that reads it.
    """
    text, where = source(notebook).read_text("utf-8"), f"notebooks/{notebook}.py"
    return _declared(text, where, paths.build() / f"declared/{notebook}.json")


@cache
def _declared(text: str, where: str, place: Path) -> Declared:
    readers = [Path(str(module.__file__)) for module in (cells, parameter_lines, used, embedded)]
    made_of = kept.key({"text": text, "versions": kept.versions(("jupytext",))}, readers)
    with suppress(OSError, ValueError):
        known = Declared.model_validate_json(place.read_bytes())
        if known.made_of == made_of:
            return known
    content = cells.parse(text)
    code = cells.protocol_code(content)
    found = Declared(
        made_of=made_of,
        parameters=parameter_lines.declared(content, where=where),
        needs=cells.needs(content),
        painted=used.rendered_sets(code),
        keeps_vectors=embedded.keeps(code),
    )
    said = found.model_dump_json(indent=1)
    if Declared.model_validate_json(said) == found:  # a default may be what JSON cannot say
        with suppress(OSError):
            write(place, said)
    return found


def _known_of(notebook: str) -> dict[str, Parameter] | None:
    """The parameters of a notebook; None if it is broken, as its own job says why."""
    try:
        return declared(notebook).parameters
    except (ValueError, SyntaxError):
        return None


def parameters(
    notebook: str, chosen: Settings, given: dict[str, Any] | None = None
) -> tuple[dict[str, Parameter], dict[str, Any]]:
    """The parameters of a notebook, and the values that the settings and a reader give to some of
    them.

    Raises
    ------
    ValueError : for a parameter that does not exist, or a value that it does not allow.
    """
    known = declared(notebook).parameters
    shared = {name: value for name, value in chosen.parameters.items() if name in known}
    own = chosen.notebooks.get(notebook, Choice()).parameters
    where = Path(f"notebooks/{notebook}.py")
    return known, validated(known, {**shared, **own, **(given or {})}, where=where)


def record(
    notebook: str, chosen: Settings, *, given: dict[str, Any] | None = None, files: dict[str, str]
) -> dict[str, Any]:
    """Everything one run of a notebook is made from, by content.

    Of `data/claims`, a notebook reads its own paper's file and those whose names its text mentions;
    of `data/published`, the tables that its text mentions; of `src`, what it can import, less the
    studies of papers that it does not mention, and the runner's modules that execute it.
    """
    text = source(notebook).read_text("utf-8")
    own, says = chosen.notebooks.get(notebook, Choice()), declared(notebook)
    known, values = parameters(notebook, chosen, given)
    asked = {
        name: value
        for name, value in values.items()
        if name in own.parameters or name in (given or {})
    }
    compared = str(values.get("paper", known["paper"].default)) if COMPARES in text else ""
    wanted = dict.fromkeys([*says.needs, *own.requires, *used.sources(known, values)])
    at_hand = {key: sources.state(key) for key in wanted}
    # else no weights are downloaded for nothing
    complete = all(at_hand[key]["available"] for key in own.requires)
    apart = {  # a model of a section of its own, which says itself if the weights are missing
        name: value for name, value in asked.items() if known[name].meaning.startswith("Words:")
    }
    looks = {name: value for name, value in asked.items() if name not in apart}
    published = used.weights(known, looks, given or {}) if complete else {}
    requires = [*own.requires, *published]
    can_look = complete and all(state["available"] for state in published.values())
    shown = embedded.wanted(known, values) if can_look and says.keeps_vectors else {}

    def reads(name: str) -> bool:
        if name.startswith("src/studies/") and name.count("/") > 2:
            return (paper := name.split("/")[2]) in notebook or paper in text
        if name.startswith(APART):
            return name in EXECUTES
        if name.startswith("data/greenhouse/comparisons/"):
            return Path(name).parent.name == compared
        if name.startswith("data/claims/"):
            paper = Path(name).name.partition(".")[0]  # one paper's claims may lie in several files
            return paper in notebook or paper in text or "ledger.load()" in text
        if name.startswith("data/published/"):
            table = Path(name).stem
            if table == "make":
                return "facts.made_by(" in text
            uses = f'facts.table("{table}"', f"published:{table}"
            return name.endswith(".csv") and any(one in text for one in uses)
        if name == "data/sources/open_clip.csv":
            return True  # the one table there that notebooks read
        return not name.startswith(("data/settings/", "data/sources/", "data/stimuli/own_"))

    return {
        "notebook": notebook,
        "settings": chosen.name,
        "data": used.label(notebook, known, values, rendered=says.painted, states=at_hand),
        "requires": requires,
        "models": used.models(known, values),
        "compares": compared,
        "identities": chosen.identities,
        "vectors": embedded.merged(chosen.embedded, shown),
        "parameters": {name: values.get(name, known[name].default) for name in known},
        "changed": [
            name for name in known if name in values and values[name] != known[name].default
        ],
        "sources": at_hand | published | used.weights(known, apart, given or {}),
        "supplied": _supplied(at_hand, known, values),
        "kernel": kept.kernel(),
        "files": {
            **{name: digest for name, digest in files.items() if reads(name)},
            **hashes([f"notebooks/{notebook}.py"]),
            **_found_before(compared, chosen),
        },
    }


def _supplied(
    at_hand: Mapping[str, Any], known: Mapping[str, Parameter], values: Mapping[str, Any]
) -> dict[str, str]:
    """The content of what a reader supplies: of the sources in their usual places that are at hand,
    and of the tables, the words and the folders of pictures, of cosines and of models that
    parameters name."""
    found: dict[str, str] = {}
    for name in (name for name, state in at_hand.items() if state["available"]):
        if name in folders.PLACES:
            with suppress(FileNotFoundError):  # removed since
                root = find(name, None)
                found[name] = kept.contents(root, names_below(root))
        elif name in folders.FILES:
            found[name] = kept.contents(paths.reader_data(), folders.FILES[name])
    asked = used.named(known, values)
    sets = [name.partition("/")[0] for name in (*asked["images"], *asked["tables"])]
    for name, one in known.items():
        for item in map(str, one.named(values.get(name, one.default))):
            if one.kind == "folder" or one.kind in used.ROOMS:
                places = _folders(item, sets if one.kind == "folder" else [])
                below = [kept.contents(place, names_below(place)) for place in places]
                found |= {f"{name} {item}": kept.key({"folders": below})} if below else {}
            elif one.kind in ("table", "prompt set"):
                given = words_file(item) or item
                if (file := paths.root() / Path(given).expanduser()).is_file():
                    found[f"{name} {item}"] = checksum(file)
    return found


def _folders(given: str, sets: Collection[str]) -> list[Path]:
    """Where sets are looked for below a folder that a reader names; none if there is no such."""
    bases = (Path(), paths.root(), paths.reader_data())
    near = [place for base in bases if (place := base / Path(given).expanduser()).is_dir()][:1]
    named = {find(name, given) for name in sets if name in FOLDERS} if near else ()
    return sorted({*named, *([] if named and "folder" not in sets else near)})


def supplied_now(record: Mapping[str, Any]) -> dict[str, str]:
    """What a reader supplies to the run of a record, as it is now."""
    known = declared(record["notebook"]).parameters
    return _supplied(record["sources"], known, record["parameters"])


def _found_before(paper: str, chosen: Settings) -> dict[str, str]:
    """For a page that compares models on a paper's chapters: the hashes of what models found that
    nobody asks for in this run."""
    asked = {quote(model, safe="") for model in chosen.models.get(paper, [])}
    found = hashes([f"_build/models/*/{paper}/*.json"] * bool(paper))
    return {path: digest for path, digest in found.items() if path.split("/")[2] not in asked}


def _record_or_error(notebook: str, chosen: Settings, **options: Any) -> dict[str, Any]:
    """The record, or what is wrong with the notebook: its own job reports it, and the others still
    run."""
    try:
        return record(notebook, chosen, **options)
    except (ValueError, SyntaxError, OSError) as error:  # a damaged file or a full disk among them
        return {"notebook": notebook, "error": str(error)}


def chapters(paper: str) -> list[str]:
    """The notebooks of a paper that have a parameter `model`, of the kind that embeds: chapters on
    answers and captions ask for other models.

    Raises
    ------
    ValueError : there is no such paper, or none of its notebooks has the parameter; the papers are
    listed.
    """
    own = (name for name in notebooks() if name.startswith(f"{paper}/"))
    found = [name for name in own if (known := _known_of(name)) is None or _embeds(known)]
    if not found:
        papers = ", ".join(dict.fromkeys(name.partition("/")[0] for name in notebooks()))
        raise ValueError(
            f"no notebook of {paper!r} has a parameter `model`; the papers are: {papers}"
        )
    return found


def _embeds(known: Mapping[str, Parameter]) -> bool:
    return "model" in known and not known["model"].kind.startswith("model that")


def prepare_model(model: str, paper: str, chosen: Settings, files: dict[str, str]) -> list[str]:
    """Write the input records of a paper's chapters for another model; name the jobs,
    `<model>/<notebook>`.

    A run for another model ends before the laboratory's own section, which does not look at it.
    """
    if not model.strip("."):
        raise ValueError(
            f"{model!r} is no model but a way to another folder; write a name or a longer path"
        )
    jobs = {f"{quote(model, safe='')}/{name}": name for name in chapters(paper)}
    ours = chosen.model_copy(update={"embedded": {}})
    for job, name in jobs.items():
        content = _record_or_error(name, ours, given={"model": model}, files=files)
        place = paths.build() / f"inputs/models/{job}.json"
        write_json(place, content | {"protocol_only": True})
    return list(jobs)


def fingerprint() -> str:
    """The key of all the input records from which the book is made, as they are written now, and of
    the graph."""
    folder = paths.build() / "inputs"
    others = ("sweep", "campaign")  # of graphs of their own
    records = [
        path
        for path in sorted(folder.rglob("*.json"))
        if not path.relative_to(folder).as_posix().startswith(others)
    ]
    made_from = (path.relative_to(paths.root()) for path in (paths.root() / "Snakefile", *records))
    return kept.contents(paths.root(), map(str, made_from))


def up_to_date() -> bool:
    """Whether the book stands as the input records ask for it, and nothing that it was made of is
    gone or newer.

    To ask this costs milliseconds, to ask the graph two seconds.
    """
    build, built = paths.build(), paths.build() / "site/built.json"
    if not built.is_file() or read_json(built).get("made_from") != fingerprint():
        return False
    made = [build / "ledger.json", *_asked("models")]
    made += [build / f"executed/{name}.ipynb" for name in notebooks()]
    made += [build / f"results/{name}.json" for name in notebooks()]
    last = built.stat().st_mtime_ns
    return (
        (build / "site/_build/html").is_dir()
        and all(path.is_file() for path in _asked("vectors"))
        and all(path.is_file() and path.stat().st_mtime_ns <= last for path in made)
    )


def _asked(kind: str) -> list[Path]:
    """What the jobs of a kind that the settings ask for leave behind."""
    jobs = json.loads((paths.build() / f"inputs/{kind}.json").read_text("utf-8"))
    return [paths.build() / f"{kind}/{job}.json" for job in jobs]


def prepare(name: str) -> None:
    """Write the input records of every notebook, the vectors, the ledger and the book under
    `_build/inputs`."""
    chosen, folder = settings(name), paths.build() / "inputs"
    files = hashes(INPUTS)
    records = {folder / f"notebooks/{name}.json": name for name in notebooks()}
    for path in {*(folder / "notebooks").glob("*/*.json")} - records.keys():
        path.unlink()  # the notebook is gone, and what it found no longer counts
    for path, notebook in records.items():
        write_json(path, _record_or_error(notebook, chosen, files=files))
    jobs = [
        job
        for paper, models in chosen.models.items()
        for model in models
        for job in prepare_model(model, paper, chosen, files)
    ]
    asked = [*records, *(folder / f"models/{job}.json" for job in jobs)]
    write_json(folder / "vectors.json", embedded.prepare(asked, files))
    write_json(folder / "models.json", jobs)
    of_claims = ("src/vlmbias/", "src/audit/", "data/claims/")
    claims = {path: digest for path, digest in files.items() if path.startswith(of_claims)}
    write_json(folder / "ledger.json", claims)
    pages = hashes(["book/**/*", "_config.yml", "_toc.yml"])
    write_json(folder / "book.json", {**files, **pages, "settings": name})
