"""Results that readers contribute: numbers, hashes and versions from a machine that has the data,
as one JSON file.

Comes in: what notebooks left below `_build`; a file that a stranger wrote. Goes out: a `Bundle`,
checked entry by entry, and a table of the verdicts on its values. May not: run, unpickle or
download anything, hold a picture, a vector or a way to a file of the reader's machine, or mix these
verdicts with those of this build.

A bundle is a report, not a proof: whoever has the data can repeat it with the commit and the
parameters that it names."""

import hashlib
import json
import re
from collections import Counter
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Annotated, Any, Literal

import pandas as pd
from pydantic import (
    AfterValidator,
    BaseModel,
    Field,
    StringConstraints,
    ValidationError,
    model_validator,
)

from vlmbias import paths, whole_files
from vlmbias.ledger.claims import LedgerError, claim, claims
from vlmbias.ledger.other_models import code
from vlmbias.ledger.results import at_hand, read_results, rerun_verdict, runs
from vlmbias.sources.catalogue import catalogue

LARGEST = 2_000_000  # bytes of a bundle
COLUMNS = [
    "paper",
    "notebook",
    "id",
    "verdict",
    "found",
    "by",
    "commit",
    "settings",
    "model",
    "stimuli",
    "bundle",
]
_WAY = re.compile(
    r"(^|[\s'\"=(,])([~/\\]|\.\.?[/\\]|[A-Za-z]:[/\\])|:[~\\]|:/(?!/)|[/\\]\.\.([/\\]|$)"
)


def no_way(text: str) -> str:
    """The text, which may hold no way to a file of somebody's machine and nothing that does not
    print."""
    if _WAY.search(text) or not text.isprintable():
        raise ValueError(
            f"{text[:60]!r} looks like the path of a file, or does not print; a bundle holds"
            " neither"
        )
    return text


def _number(value: Any) -> bool | int | float:
    """The value, which is a number or a truth; what JSON writes in quotation marks or brackets is
    neither."""
    if not isinstance(value, bool | int | float) or not -1e300 < value < 1e300:
        raise ValueError(
            "must be a number (without quotation marks) below 1e300, or true or false; got"
            f" {value!r:.60}"
        )
    return value


def _chosen(value: Any) -> Any:
    """What a parameter may be: a number, a truth, a word, or up to 100 of these."""
    if isinstance(value, list):
        if len(value) > 100 or any(isinstance(one, list) for one in value):
            raise ValueError(f"a list has at most 100 entries and no list in it; got {value!r:.60}")
        return [_chosen(one) for one in value]
    if isinstance(value, str):
        if len(value) > 300:
            raise ValueError(f"a word has at most 300 characters; got {len(value):,}")
        return no_way(value)
    return _number(value)


_Text = Annotated[str, StringConstraints(max_length=300), AfterValidator(no_way)]
_Name = Annotated[str, StringConstraints(min_length=1, max_length=200), AfterValidator(no_way)]
_Digest = Annotated[str, Field(pattern=r"^[0-9a-f]{64}$")]
_Number = Annotated[Any, AfterValidator(_number)]
_Chosen = Annotated[Any, AfterValidator(_chosen)]


class Value(BaseModel, extra="forbid", frozen=True, strict=True):
    """What a chapter recorded for one claim."""

    claim: Annotated[str, Field(max_length=120)]
    protocol: Literal["described", "released"]
    value: _Number
    stimuli: _Name
    model: _Name
    weights: Annotated[str, Field(pattern=r"^([0-9a-f]{64}(, |$))*$", max_length=1000)] = (
        ""  # SHA-256 of their files
    )


class Data(BaseModel, extra="forbid", frozen=True, strict=True):
    """One source that a chapter used: its fingerprint; whether it was whole, or what it lacked;
    whether we drew it."""

    hash: _Digest
    whole: bool
    drawn: bool
    lacks: _Text = ""


class Chapter(BaseModel, extra="forbid", frozen=True, strict=True):
    """One notebook as it was run; `code`: a fingerprint of the code, as in `data/comparisons`."""

    notebook: Annotated[str, Field(pattern=r"^[a-z0-9_]+/[a-z0-9_]+$", max_length=80)]
    settings: Annotated[str, Field(pattern=r"^[a-z]+$", max_length=20)]
    commit: Annotated[str, Field(pattern=r"^[0-9a-f]{7,40}(\+dirty)?$|^not a git checkout$")]
    code: _Digest
    seconds: Annotated[float, Field(ge=0, le=1e9)]
    machine: _Name
    versions: Annotated[dict[_Name, _Name], Field(max_length=60)]
    parameters: Annotated[dict[_Name, _Chosen], Field(max_length=60)]
    data: Annotated[dict[_Name, Data], Field(max_length=40)]
    values: Annotated[list[Value], Field(min_length=1, max_length=5_000)]

    @model_validator(mode="after")
    def _of_known_claims(self) -> "Chapter":
        if strangers := sorted(self.data.keys() - catalogue().keys()):
            raise ValueError(f"data: no source {strangers[0]!r} in data/sources.yaml")
        given = Counter((one.claim, one.protocol) for one in self.values)
        if max(given.values()) > 1:
            raise ValueError("{} is given twice as {}".format(*max(given, key=given.__getitem__)))
        for one in self.values:
            about = claim(one.claim)
            if about.notebook != self.notebook:
                raise ValueError(f"{one.claim} belongs to {about.notebook}, not to {self.notebook}")
            if isinstance(one.value, bool) != (about.unit == "statement"):
                kind = "True or False (a statement)" if about.unit == "statement" else "a number"
                raise ValueError(f"{one.claim}: its value is {kind}, got {one.value!r}")
        return self


class Bundle(BaseModel, extra="forbid", frozen=True, strict=True):
    """What one reader found with the chapters of one paper."""

    format: Literal["vlmbias results 1"]
    paper: Annotated[str, Field(pattern=r"^[a-z0-9_]+$", max_length=40)]
    by: Annotated[
        str,
        StringConstraints(min_length=1, max_length=100, pattern=r"^\S(.*\S)?$"),
        AfterValidator(no_way),
    ]
    chapters: Annotated[list[Chapter], Field(min_length=1, max_length=40)]

    @model_validator(mode="after")
    def _of_one_paper(self) -> "Bundle":
        names = [one.notebook for one in self.chapters]
        if broken := [
            name for name in names if names.count(name) > 1 or not name.startswith(f"{self.paper}/")
        ]:
            raise ValueError(
                f"chapters: {broken[0]!r} is there twice, or of another paper than {self.paper!r}"
            )
        return self


def read(path: Path) -> Bundle:
    """A bundle from a file.

    Raises
    ------
    LedgerError : with the file's name, the entry and the rule, for anything that is not a
    well-formed bundle.
    """
    try:
        content = whole_files.read_regular(path, LARGEST + 1)
        if len(content) > LARGEST:
            raise ValueError(f"over {LARGEST:,} bytes, the most that a bundle may have")
        return Bundle.model_validate(
            json.loads(content, parse_constant=_no_constant, object_pairs_hook=_once)
        )
    except (OSError, ValueError, RecursionError) as problem:
        raise LedgerError(f"{path.name}: no bundle of results: {_rule(problem)}") from None


def _rule(problem: Exception) -> str:
    """What is wrong, in one line: of a bundle's entries, the first that breaks a rule."""
    if not isinstance(problem, ValidationError):
        return str(problem)
    first = next(
        (one for one in problem.errors() if one["type"] == "value_error"), problem.errors()[0]
    )
    place = ".".join(
        " ".join(str(part).split()) for part in first["loc"] if not re.search(r"[(\[]", str(part))
    )
    return f"{place}: {first['msg'].removeprefix('Value error, ')}"


def _no_constant(word: str) -> float:
    raise ValueError(f"{word} is no finite number")


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    if len(found := dict(pairs)) < len(pairs):
        raise ValueError("a name is given twice in one entry")
    return found


def add(path: Path) -> tuple[Path, Bundle]:
    """Check a bundle and keep it in `data/contributed`, written anew from what was understood; say
    where."""
    bundle = read(path)
    plain = bundle.model_dump()
    digest = hashlib.sha256(json.dumps(plain, sort_keys=True).encode()).hexdigest()[:12]
    short = re.sub(r"[^a-z0-9]+", "-", bundle.by.lower()).strip("-")[:40] or "reader"
    place = paths.data() / "contributed" / bundle.paper / f"{short}-{digest}.json"
    whole_files.write_json(place, plain)
    return place, bundle


def kept(paper: str | None = None) -> dict[Path, Bundle]:
    """The bundles in `data/contributed`, each checked again, of one paper or of all; a copy of one
    is none more."""
    found: dict[Path, Bundle] = {}
    for path in sorted((paths.data() / "contributed").glob(f"{paper or '*'}/*.json")):
        if (bundle := read(path)) not in found.values():
            found[path] = bundle
    return found


# --- verdicts -------------------------------------------------------------------------------------


def contributed(paper: str | None = None) -> pd.DataFrame:
    """One row per claim for which a kept bundle has a value: its verdict, whose it is, and how it
    was found.

    Columns: paper, notebook, id, verdict (as of a rerun), found, by, commit, settings, model,
    stimuli, bundle.

    Examples
    --------
    >>> given = vb.ledger.contributed("causalface")
    >>> list(given)[:4]
    ['paper', 'notebook', 'id', 'verdict']
    """
    rows = [row for path, bundle in kept(paper).items() for row in with_verdicts(bundle, path.stem)]
    return pd.DataFrame(rows, columns=COLUMNS)


def with_verdicts(bundle: Bundle, name: str = "") -> list[dict[str, Any]]:
    """A row per claim of a bundle; `name`: what the bundle is called."""
    rows = []
    for chapter in bundle.chapters:
        sources = {key: one.model_dump() for key, one in chapter.data.items()}
        found: dict[str, list[dict[str, Any]]] = {}
        for value in chapter.values:
            found.setdefault(value.claim, []).append(value.model_dump() | {"sources": sources})
        for key, records in found.items():
            verdict, values = rerun_verdict(claims()[key], records)
            if not verdict.startswith("not run") and not chapter.commit.isalnum():
                verdict, values = (
                    f"not run (because it ran on code that no commit holds ({chapter.commit}))",
                    "",
                )
            row = (
                bundle.paper,
                chapter.notebook,
                key,
                verdict,
                values,
                bundle.by,
                chapter.commit,
                chapter.settings,
                records[0]["model"],
                records[0]["stimuli"],
                name,
            )
            rows.append(dict(zip(COLUMNS, row, strict=True)))
    return rows


# --- from a build to a bundle ---------------------------------------------------------------------


def bundled(
    paper: str,
    by: str,
    *,
    hidden: Callable[[str, str, Any], Any],
    data: Callable[[str, Mapping[str, Any]], dict[str, Any]],
) -> Bundle:
    """A bundle of what the book's own notebooks recorded in this build.

    Parameters
    ----------
    paper, by : the folder of notebooks, and who contributes.
    hidden : from a notebook, the name of a parameter (or ``"model"``, ``"stimuli"``) and its value,
        what may be told.
    data : from a source's key and its state when the notebook ran, the entry of `Data`.

    Raises
    ------
    LedgerError : if nothing was recorded here, or an entry breaks a rule of bundles.
    """
    chapters = [
        {
            "notebook": name,
            "settings": about["settings"],
            "commit": about["commit"],
            "code": code(about["files"]),
            "machine": about["machine"],
            "versions": about["versions"],
            "seconds": float(about["seconds"]),
            "parameters": {
                key: hidden(name, key, one)
                for key, one in about["parameters"].items()
                if key != "results"
            },
            "data": {key: data(key, one) for key, one in at_hand(about).items()},
            "values": [
                {**one, **{key: hidden(name, key, one[key]) for key in ("stimuli", "model")}}
                for one in read_results(results)
            ],
        }
        for name, about, results in runs()
        if name.startswith(f"{paper}/")
    ]
    if not (chapters := [one for one in chapters if one["values"]]):
        raise LedgerError(
            f"no chapter of {paper!r} has recorded a value here; first run `make book"
            " SETTINGS=paper`"
        )
    try:
        return Bundle.model_validate(
            {"format": "vlmbias results 1", "paper": paper, "by": by, "chapters": chapters}
        )
    except ValidationError as problem:
        raise LedgerError(_rule(problem)) from None
