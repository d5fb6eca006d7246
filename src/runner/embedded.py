"""Which pictures a model embeds before any notebook runs: each once, so that a killed run goes on
there; `_build/inputs/vectors/*.json` has one record per model."""

import json
import re
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any
from urllib.parse import quote

from runner import used
from runner.parameters import Parameter
from vlmbias import kept, paths
from vlmbias.stimuli.reader_folders import SUPPLIED
from vlmbias.whole_files import write_json

MADE_OF = (
    "src/vlmbias/embedding/",
    "src/vlmbias/stimuli/",
    "src/greenhouse/world/",
    "requirements.lock",
    "data/greenhouse/nuisance.yaml",
    "data/greenhouse/icons/",
    "data/greenhouse/default/",
    "data/greenhouse/b0/",
)
_KEEPS = re.compile(r"\bvb\.(embed|perceive)\b")
# `NAME/all` has all the photographs of a set, NAME those that a paper used
_FILTERED = tuple(name for name, one in SUPPLIED.items() if "all" in one.variants)


def keeps(code: str) -> bool:
    """Whether the code of the second section keeps the vectors of pictures; one that does not looks
    at its own pace."""
    return bool(_KEEPS.search(code)) and "store=False" not in code


def wanted(known: Mapping[str, Parameter], values: Mapping[str, Any]) -> dict[str, list[str]]:
    """The image sets, each whole, that a second section shows to each of its encoders, by the
    encoder's name.

    None where a folder is given: that is looked at by the notebook itself.
    """
    sets = used.named(known, values)["images"]
    if used.in_a_folder(known, values) or not sets:
        return {}
    sets = [f"{name}/all" if name.split("/")[-1] in _FILTERED else name for name in sets]
    models = [
        model
        for name, one in known.items()
        if one.kind == "model" and not one.meaning.startswith(used.APART)
        for model in one.named(values.get(name, one.default))
    ]
    return {str(model): _without_parts(sets) for model in models}


def _without_parts(sets: Iterable[str]) -> list[str]:
    """The sets, each once, without those of which the list has all photographs."""
    every = list(dict.fromkeys(sets))
    return [name for name in every if f"{name}/all" not in every]


def merged(*groups: Mapping[str, Iterable[str]]) -> dict[str, list[str]]:
    """Sets by model, of several."""
    together: dict[str, list[str]] = {}
    for group in groups:
        for model, sets in group.items():
            together[model] = _without_parts([*together.get(model, []), *sets])
    return together


def job(model: str) -> str:
    """The name of a model's job in the graph."""
    return quote(model, safe="")


def prepare(records: Iterable[Path], files: Mapping[str, str]) -> list[str]:
    """Write what each model that these records name has to look at, by content; name these jobs."""
    every = [json.loads(place.read_text("utf-8")) for place in records]
    asked = merged(*(record.get("vectors", {}) for record in every))
    states = {key: state for record in every for key, state in record.get("sources", {}).items()}
    own = {key: digest for record in every for key, digest in record.get("supplied", {}).items()}
    made_of = {name: digest for name, digest in files.items() if name.startswith(MADE_OF)}
    for model, sets in asked.items():
        about = [f"weights of {model}", *dict.fromkeys(name.partition("/")[0] for name in sets)]
        write_json(
            paths.build() / "inputs" / "vectors" / f"{job(model)}.json",
            {
                "model": model,
                "images": sets,
                "files": made_of,
                "identities": next(
                    (record["identities"] for record in every if "identities" in record), None
                ),
                "sources": {key: states[key]["hash"] for key in about if key in states},
                "supplied": {key: digest for key, digest in own.items() if key in about},
                "versions": kept.versions(kept.LOOKS),
            },
        )
    return [job(model) for model in asked]
