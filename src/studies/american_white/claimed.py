"""What Wolfe & Caliskan (2022) say of their tests and rankings of portraits, computed from results
in the place of theirs: by each claim's id without the chapter."""

from collections.abc import Mapping, Sequence
from itertools import product

import numpy as np
import pandas as pd

import vlmbias as vb
from studies.associations import ALPHA
from vlmbias.papers import RACES

_Said = dict[str, float | bool]
# the paper's models as ids of claims call them, in the order of a notebook's parameter `models`,
# and as the ledger names them
MODELS = {
    "clip": "ViT-B-32-quickgelu/openai",
    "slip": "slip/vitb16-100ep",
    "blip": "blip/itm-base-coco",
}
LARGE, MEDIUM = 0.8, 0.5  # Cohen's large and medium effect, as the paper quotes them
# statements about groups of people, which no drawing can answer
OF_PEOPLE = {
    *("over-asian-black", "under-white", "overestimated", "over-black-clip"),
    *("stronger-abstract", "stronger-text", "stronger-figure", "positive", "negative"),
}


def about(claim: str) -> list[str]:
    """The models that a claim is about, in the order of the ledger."""
    called = {name: model for model, name in MODELS.items()}
    return [called[name] for name in vb.ledger.claim(claim).model.split(", ")]


def we_they(d: Mapping[tuple[str, str], float], p: Mapping[tuple[str, str], float]) -> _Said:
    """What the text says of Table 2; `d`, `p` by model and letter of the other group, nine of
    each."""
    above = all(value > 0 for value in d.values())
    asian = [d[model, "a"] for model in MODELS]
    found: _Said = dict.fromkeys(("abstract", "consistently", "caption", "results-lead"), above)
    return found | {
        "conclusion": 2 * sum(value > 0 for value in d.values()) > len(d),
        **dict.fromkeys(("abstract-asian", "intro-asian", "asian-smallest"), min(asian)),
        "asian-largest": max(asian),
        "asian-p": max(p[model, "a"] for model in MODELS),
        "black": d["blip", "b"] > 0 and d["slip", "b"] > 0,
        "black-clip": p["clip", "b"] >= ALPHA,
        "latina": d["blip", "l"] > 0 and d["clip", "l"] > 0 and d["slip", "l"] < 0,
    }


def traits(
    d: Mapping[tuple[str, str, str], float], p: Mapping[tuple[str, str, str], float]
) -> _Said:
    """What the text says of Tables 3 to 5; `d`, `p` by trait, model and letter of the other group,
    27 of each."""
    size, tail = pd.Series(dict(d)), pd.Series(dict(p))
    significant = tail < ALPHA

    def each(
        test: pd.Series, trait: str, models: Sequence[str] = tuple(MODELS), letters: str = "abl"
    ) -> bool:
        return bool(all(test[key] for key in product([trait], models, letters)))

    above, below, strong = size > 0, size < 0, size <= -LARGE
    patriotic, native, equal = (
        each(test, trait)
        for test, trait in ((above, "patriotism"), (below, "nativism"), (below, "egalitarianism"))
    )
    others = significant["patriotism"].drop(("slip", "l"))
    sure = size["patriotism"][significant["patriotism"]]
    both = ("blip", "clip")
    return {
        **{f"{where}-patriotism": patriotic for where in ("abstract", "intro", "results")},
        **{f"{where}-nativism": native for where in ("abstract", "intro", "results")},
        **{f"{where}-egalitarianism": equal for where in ("abstract", "intro", "results")},
        "patriotism": patriotic,
        "without-exception": patriotic,
        "patriotism-one": bool(others.all() and not significant["patriotism", "slip", "l"]),
        "patriotism-smallest": float(sure.min()),
        "patriotism-largest": float(sure.max()),
        "egalitarianism": each(below, "egalitarianism", both),
        "egalitarianism-strongly": each(strong, "egalitarianism", both),
        "egalitarianism-slip": each(above, "egalitarianism", ("slip",)),
        "egalitarianism-caption": each(below & significant, "egalitarianism", both),
        "nativism": each(strong, "nativism", letters="al"),
        "nativism-black-blip": each(below & significant, "nativism", ("blip",), "b"),
        "nativism-black": each(size.abs() < LARGE, "nativism", ("clip", "slip"), "b"),
        "nativism-caption": each(below & significant, "nativism", letters="al"),
        "nativism-small": each(size.abs() < MEDIUM, "nativism", ("clip", "slip"), "b"),
    }


def states(
    tables: Mapping[str, pd.DataFrame],
    squares: Mapping[str, float],
    shares: Mapping[str, pd.DataFrame],
    census: pd.DataFrame,
    called: Mapping[str, str],
) -> _Said:
    """What Table 1 and the text say of each model at hand.

    Parameters
    ----------
    tables, squares, shares : by model: `states.correlations`, R², shares returned (places ×
        groups). Statements that compare models need all three.
    census : places × groups.
    called : the name that each of the paper's groups has in the data.
    """
    found: _Said = {f"{model}.r2": value for model, value in squares.items()}
    for (model, table), race, what in product(tables.items(), RACES, "rp"):
        found[f"{model}.{race}.{what}"] = float(table.loc[called[race], what])
    if set(tables) >= set(MODELS):
        r = pd.DataFrame({model: table["r"] for model, table in tables.items()})
        order = squares["clip"] > squares["blip"] > squares["slip"]
        found |= {
            f"{part}-r2-{model}": squares[model] for part in ("intro", "text") for model in MODELS
        }
        found |= {"intro-r2": max(squares.values()), "caption-r2": squares["clip"]}
        found |= {"smallest-r": float(r.to_numpy().min()), "largest-r": float(r.to_numpy().max())}
        found |= {
            "data-order": order,
            "clip-strongest": max(squares, key=lambda model: squares[model]) == "clip",
            "clip-highest": bool(r.idxmax(axis=1).eq("clip").all()),
            "slip-lowest": bool(r.idxmin(axis=1).eq("slip").all()),
        }
    above = {  # in the middle of the places, by how much more of a group each model returns
        race: [float((one[name] - census[name]).median()) for one in shares.values()]
        for race, name in called.items()
    }
    return found | {
        "over-asian-black": min(above["asian"] + above["black"]) > 0,
        "under-white": max(above["white"]) < 0,
        "overestimated": min(above["asian"] + above["black"] + above["latino"]) > 0,
        "over-black-clip": above["black"][0] > 0,
    }


def implicit_bias(
    returned: Mapping[str, np.ndarray], census: np.ndarray, white: np.ndarray, black: np.ndarray
) -> _Said:
    """What the text says of the models at hand.

    Parameters
    ----------
    returned : by model, the share of portraits of Black individuals for each place; of CLIP and
        BLIP something is said.
    census : their share of the population.
    white, black : mean IAT scores of White and of Black respondents in each place.
    """
    said = [model for model in ("clip", "blip") if model in returned]
    r = {model: np.corrcoef([returned[model], white, black])[0, 1:].tolist() for model in said}
    found: _Said = {f"text.{model}-black": of_black for model, (_, of_black) in r.items()}
    found |= {
        f"{part}.{model}": r[model][0] for part in ("abstract", "text", "figure") for model in r
    }
    if len(r) == 2:
        lowest = min(of_white for of_white, _ in r.values())
        stronger = bool(lowest > np.corrcoef(white, census)[0, 1])
        found |= {f"stronger-{part}": stronger for part in ("abstract", "text", "figure")}
        found |= {"positive": lowest > 0, "negative": max(black for _, black in r.values()) < 0}
    return found
