"""What a notebook found, claim by claim, in its own results file, and the verdict on it. No file
names a folder of the reader's, and no value of the Greenhouse, or of a set that is not whole, is
set beside a printed one."""

import hashlib
import json
import math
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from vlmbias import paths, whole_files
from vlmbias.kept import made
from vlmbias.ledger.claims import Claim, LedgerError, claim
from vlmbias.sources.catalogue import catalogue

PROTOCOLS = ("described", "released")
_FIELDS = ("claim", "protocol", "value", "stimuli", "model")
IN_PLACE_OF = {name: "causalface-cosines" for name in ("causalface", "fairface", "utkface")}
"""Sets of which a chapter may take what their authors measured, and the source that holds it."""
OWN = "the reader's own"  # a checkpoint, in place of its path: results are sent to others


def read_results(path: Path) -> list[dict[str, Any]]:
    """The records in a results file; one that `record` did not write is an error that names it."""
    try:
        return [
            {name: found[name] for name in _FIELDS}
            | {name: found[name] for name in ("weights",) if name in found}
            for found in json.loads(path.read_text("utf-8"))
        ]
    except (ValueError, KeyError, TypeError, RecursionError) as problem:
        raise LedgerError(
            f"{path}: not a list of records ({problem}); rerun its notebook"
        ) from problem


def runs() -> Iterator[tuple[str, dict[str, Any], Path]]:
    """The book's notebooks that are planned, and were made from what is planned: name, record of
    the run, results."""
    planned, build = paths.build() / "inputs" / "notebooks", paths.build()
    for path in sorted(planned.glob("*/*.json")):
        name = path.relative_to(planned)
        results = build / "results" / name
        about = made(build / "executed" / name.with_suffix(".ipynb"), results)
        if about and json.loads(path.read_bytes()).items() <= about.items():
            yield name.with_suffix("").as_posix(), about, results


def recorded() -> dict[str, list[dict[str, Any]]]:
    """What the book's notebooks found, by claim; each record with its run's `sources`: the state of
    each."""
    found: dict[str, list[dict[str, Any]]] = {}
    for _, about, results in runs():
        for one in read_results(results):
            found.setdefault(one["claim"], []).append(one | {"sources": at_hand(about)})
    return found


def at_hand(about: Mapping[str, Any]) -> dict[str, dict[str, Any]]:
    """Of the record of a run, the sources that it had, with their states."""
    return {
        key: one
        for key, one in about.get("sources", {}).items()
        if one["available"] and key in catalogue()
    }


def _name(thing: Any, kind: str) -> str:
    """The name of stimuli or model; it begins with "greenhouse" where their mark says so, whatever
    they are called."""
    if isinstance(thing, list | tuple) and thing:
        return ", ".join(_name(one, kind) for one in thing)
    known = thing if isinstance(thing, str) else getattr(thing, kind, None)
    name = known if isinstance(known, str) else getattr(thing, "name", None)
    if not isinstance(name, str) or not name:
        raise LedgerError(f"{kind}: give the object itself, or a name; got {thing!r}")
    if kind == "model" and _is_path(name):
        name = OWN
    return (
        f"greenhouse/{name}"
        if _is_greenhouse(_mark(thing, kind)) and not _is_greenhouse(name)
        else name
    )


def _is_path(model: str) -> bool:
    """Whether a model's name is the path of something on this machine that the book did not
    bring."""
    given = Path(model).expanduser()
    if model.startswith(("greenhouse", "data/")) and ".." not in given.parts:
        return False
    return given.is_absolute() or given.exists() or (paths.root() / given).exists()


def _mark(thing: Any, kind: str) -> str:
    """Where stimuli or model come from, as they say themselves; a `Perception` says it of both at
    once: where its images are the Greenhouse's, they account for the mark."""
    own, images = getattr(thing, "source", ""), getattr(thing, "images", None)
    if images is None:
        return own
    return images.source if kind == "stimuli" else "" if _is_greenhouse(images.source) else own


def _weights(model: Any) -> str:
    """The SHA-256 of the files behind a model, or several; "" where none is known."""
    each = (
        getattr(one, "weights", "")
        for one in (model if isinstance(model, list | tuple) else [model])
    )
    return ", ".join(dict.fromkeys(one for one in each if one and isinstance(one, str)))


def _is_greenhouse(text: Any) -> bool:
    """Whether a mark, a name or one of several names is the Greenhouse's."""
    return isinstance(text, str) and any(part.startswith("greenhouse") for part in text.split(", "))


def record(
    claim_id: str,
    value: Any,
    *,
    results: str | Path,
    stimuli: Any,
    model: Any,
    protocol: str = "described",
) -> None:
    """Write what a notebook found for one claim into the notebook's own results file.

    Parameters
    ----------
    claim_id : id of a claim in `data/claims`; an unknown one is an error that lists near matches.
    value : a finite number in the claim's unit; True or False for a statement.
    results : path of the notebook's results file, relative to the repository root.
    stimuli, model : the image set and encoder the value comes from, or what knows both, a
        `Perception`; several in a list. The objects carry the Greenhouse's mark, which their names
        may not; a name is taken at its word. Those of models know the SHA-256 of their weights,
        which is written beside the value. A path of the reader's is written as `OWN`.
    protocol : "described" (what the paper says) or "released" (what the authors' code does).

    Raises
    ------
    LedgerError : unknown claim or protocol; a value of the wrong kind; a results file outside the
        repository, or one that belongs to another notebook than the claim.

    Examples
    --------
    >>> results = "_build/results/causalface/variation.json"
    >>> about = {"results": results, "stimuli": "causalface", "model": "none"}
    >>> vb.ledger.record("variation.seeds", 100, **about)
    >>> vb.ledger.record("variation.seeds", "many", **about)
    Traceback (most recent call last):
        ...
    vlmbias.ledger.claims.LedgerError: variation.seeds: record a finite number, got 'many'
    """
    about, value = claim(claim_id), value.item() if hasattr(value, "item") else value
    if protocol not in PROTOCOLS:
        raise LedgerError(f"protocol must be one of {', '.join(PROTOCOLS)}, got {protocol!r}")
    number = isinstance(value, int | float) and not isinstance(value, bool) and math.isfinite(value)
    if not (isinstance(value, bool) if about.unit == "statement" else number):
        kind = "True or False (a statement)" if about.unit == "statement" else "a finite number"
        raise LedgerError(f"{claim_id}: record {kind}, got {value!r}")
    path, shelf = (paths.root() / results).resolve(), (paths.build() / "results").resolve()
    own = shelf / f"{about.notebook}.json"
    if path != own and (
        path.is_relative_to(shelf) or not path.is_relative_to(paths.root().resolve())
    ):
        raise LedgerError(
            f"{claim_id} is recorded in {own}, or in a rerun's own folder; got {path}"
        )
    earlier = read_results(path) if path.exists() else []
    kept = [r for r in earlier if (r["claim"], r["protocol"]) != (claim_id, protocol)]
    names = _name(stimuli, "stimuli"), _name(model, "model")
    fresh: dict[str, Any] = dict(zip(_FIELDS, (claim_id, protocol, value, *names), strict=True))
    if known := _weights(model):
        fresh["weights"] = known
    whole_files.write_json(path, [*kept, fresh])


def _unmet(about: Claim, found: dict[str, Any]) -> str:
    """Why a recorded value is not about the claim; empty where it is."""
    for kind, needed in (("stimuli", about.data), ("model", about.model)):
        if _is_greenhouse(found[kind]) or needed not in ("none", found[kind]):
            return f"because it used the {kind} {found[kind]}, and the claim is about {needed}"
    if about.inferred == "us" and about.data == about.model == "none":
        return "because the value is our own count, which no paper claims"
    return _not_as_the_papers(about, found)


def _not_as_the_papers(about: Claim, found: Mapping[str, Any]) -> str:
    """Why the data behind a recorded value are not the paper's: another copy, drawn, or not all
    there; else empty."""
    had, known = found.get("sources", {}), catalogue()
    for key, own in had.items():
        files = " ".join(file.sha256 for file in known[key].files)
        if files and own["hash"] != hashlib.sha256(files.encode()).hexdigest():
            return f"because its copy of {key} is not the one in data/sources/index.yaml"
    named = {part.partition("/")[0] for part in f"{about.data}, {found['stimuli']}".split(", ")}
    for name in sorted(named & known.keys()):
        key = name if name in had else IN_PLACE_OF.get(name, name)
        if key not in had:
            return f"because nothing says which copy of {name} it used"
        if had[key]["drawn"]:
            return f"because its copy of {key} was drawn by the Greenhouse"
        if not had[key]["whole"]:
            lacks = had[key]["lacks"]
            return f"because its copy of {key} was not whole{': ' if lacks else ''}{lacks}"
    return ""


def rerun_verdict(about: Claim, records: list[dict[str, Any]]) -> tuple[str, str]:
    """Verdict and recorded values for one claim, from the records that name it: "reproduced (as
    described)", "reproduced (as released)", "differs" or "not run (because …)"."""
    usable = [one for one in records if not _unmet(about, one)]
    if not usable:
        none = f"because {about.notebook} has recorded no value"
        return f"not run ({_unmet(about, records[0]) if records else none})", ""
    values = "; ".join(f"{one['value']!r} as {one['protocol']}" for one in usable)
    weights = [name for one in usable for name in one.get("weights", "").split(", ") if name]
    if weights:
        values += f"; weights {', '.join(dict.fromkeys(name[:12] for name in weights))}"
    for one in sorted(usable, key=lambda one: one["protocol"]):
        value, printed = one["value"], about.printed
        if value is True if printed is None else printed.meets(value, value):
            return f"reproduced (as {one['protocol']})", values
    return "differs", values
