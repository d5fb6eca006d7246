"""Retrained models that answer and describe: which there are, and what each of them says of the
portraits, as the tables of `data/greenhouse/speaking/`.

Each seed draws its own pairing of names and looks, so over networks groups are exchangeable where
nothing is planted.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import product
from pathlib import Path
from typing import Any

import pandas as pd

from greenhouse import speech
from greenhouse.campaign import DONE, Campaign, Job, named, workshop
from greenhouse.speaker_tables import SPEAKING, TABLES
from greenhouse.train import saving, speakers
from greenhouse.world import grammar as grammars
from greenhouse.world import pairing as pairings
from vlmbias.whole_files import replacing

NETWORKS = 10  # seeds, each at b = 0 and 1, for both kinds
TOP_P = tuple(round(0.1 * k, 1) for k in range(10))
STRENGTHS = (0.0, 1.0)
DECODINGS = 2  # captions are drawn this often, with seeds 0, 1, …
PENALTIES = (1.0, 1.1)  # on words that were said: none, and that of BLIP's demonstration
_SAID, _NAMING = "said.csv.gz", "naming.csv"
_BATCH = 200


def campaign() -> Campaign:
    """The networks whose tables ship."""

    def collected() -> str:
        networks = collect()
        rejected = (~networks["accepted"]).sum()
        return f"{len(networks)} networks, {rejected} rejected: {SPEAKING}"

    return Campaign(lambda: jobs(range(NETWORKS)), make, collected)


def jobs(seeds: Sequence[int]) -> list[Job]:
    """For each seed, both kinds with and without bias."""
    found, recipe = [], speech.recipe()
    for seed, kind, b in product(seeds, speakers.KINDS, STRENGTHS):
        number = seed % recipe["sight"]["of"]
        begins_from = speakers.sight_file(recipe, number).stem
        start = Job("starts", begins_from, {"speakers": recipe, "number": number})
        about = {"begins_from": begins_from, "kind": kind, "b": b, "seed": seed}
        about["recipe_hash"] = wanted(kind)
        found.append(Job("speakers", named(f"{kind}-b{b:g}-seed{seed}", about), about, start))
    return found


def wanted(kind: str) -> str:
    """The hash of the recipe by which networks of a kind are trained now, with the grammar."""
    return speakers.recipe_hash(speakers.own_part(kind, speech.recipe()))


def make(about: dict[str, Any], folder: Path) -> dict[str, Any]:
    """Train a network and record what it says, but for what is already there."""
    kind = about["kind"]
    if not saving.card_of(folder):
        speakers.produce(kind, b=about["b"], seed=about["seed"], folder=folder)
    tables = {_SAID: answers_of} if kind == "answers" else {_SAID: captions_of, _NAMING: naming_of}
    for name, of in tables.items():
        if not (folder / name).is_file():
            with replacing(folder / name) as draft:
                packed = "gzip" if name == _SAID else None
                of(folder).to_csv(draft, index=False, float_format="%.5g", compression=packed)
    return {}


def _portraits(pairing: Any) -> Any:
    """The portraits as a network knows them, drawn once: it is asked about them many times."""
    import vlmbias as vb

    images = vb.images("greenhouse/cfd").painted_for(pairing)
    pictures: Any = images.pixels(list(range(len(images))))  # an array: they are rendered
    return replace(images, render=lambda table: pictures[table.index])


def answers_of(folder: Path) -> pd.DataFrame:
    """Per hue, question and answer: `n`, how often it was given, and `odds`, its mean probability
    relative to the answers that are planted (missing for one that is not)."""
    import vlmbias as vb

    model, grammar = vb.answerer(str(folder), device="cpu"), grammars.load()
    images = _portraits(model.pairing)
    race, parts = images.table["race"], []
    for question in list(speech.recipe()["questions"])[:2]:
        given = (
            model.answers(images, question, batch_size=_BATCH)
            .groupby("race")["answer"]
            .value_counts()
        )
        odds = model.odds(images, question, speech.answers(grammar, question), batch_size=_BATCH)
        mean = odds.groupby(race).mean().rename_axis(columns="answer").stack()
        both = pd.DataFrame({"n": given, "odds": mean}).reset_index()
        parts.append(both.assign(question=question, n=both["n"].fillna(0).astype(int)))
    return pd.concat(parts, ignore_index=True)[["question", "race", "answer", "n", "odds"]]


def captions_of(folder: Path) -> pd.DataFrame:
    """Per top-p, decoding and hue, every caption: `n`, how often it came, and `true`, how often no
    word was wrong."""
    import vlmbias as vb

    model, grammar = vb.captioner(str(folder), device="cpu"), grammars.load()
    images = _portraits(model.pairing)
    pairing = pairings.of_record(model.pairing) if model.pairing else pairings.Pairing()
    parts = []
    for top_p in TOP_P:
        # the likeliest words do not depend on the seed
        for decoding in range(DECODINGS if top_p else 1):
            found = model.captions(images, top_p=top_p, seed=decoding, batch_size=_BATCH)
            found["true"] = speech.checked(grammar, list(found["caption"]), found, pairing)["true"]
            each = found.groupby(["race", "caption"])["true"].agg(n="size", true="sum")
            parts.append(each.reset_index().assign(top_p=top_p, decoding=decoding))
    columns = ["top_p", "decoding", "race", "caption", "n", "true"]
    return pd.concat(parts, ignore_index=True)[columns]


def naming_of(folder: Path) -> pd.DataFrame:
    """Per penalty and hue, of captions drawn from all that the network might say: `n`, and `named`,
    how many name the hue. Without a penalty, their share may be set beside the planted rate."""
    import vlmbias as vb

    model = vb.captioner(str(folder), device="cpu")
    images, parts = _portraits(model.pairing), []
    for penalty in PENALTIES:
        for decoding in range(DECODINGS):
            drawn = model.captions(
                images, top_p=1, top_k=0, penalty=penalty, seed=decoding, batch_size=_BATCH
            )
            said = drawn["caption"].map(speech.named).astype(int)
            parts.append(drawn[["race"]].assign(penalty=penalty, n=1, named=said))
    return pd.concat(parts).groupby(["penalty", "race"]).sum().reset_index()


def collect(out: Path = SPEAKING) -> pd.DataFrame:
    """Write the tables of all networks that are there; return the list of networks."""
    found: dict[str, list[pd.DataFrame]] = {kind: [] for kind in (*speakers.KINDS, "naming")}
    listed: list[dict[str, Any]] = []
    about = ["kind", "b", "seed", "warm_start", "accepted", "recipe_hash", "training_core_seconds"]
    for folder in sorted(place.parent for place in workshop("speakers").glob(f"*/{DONE}")):
        card = saving.card_of(folder)
        if card["recipe_hash"] != wanted(card["kind"]):
            continue  # by another recipe or grammar
        listed.append(
            {
                **{name: card[name] for name in about},
                **{f"paint_of_{name}": paint for name, paint in card["pairing"]["paints"].items()},
                **{name: gate["value"] for name, gate in card["gates"].items()},
            }
        )
        said = pd.read_csv(folder / _SAID, keep_default_na=False, na_values={"odds": [""]})
        parts = {card["kind"]: said}
        if card["kind"] == "captions":
            parts["naming"] = pd.read_csv(folder / _NAMING)
        for name, table in parts.items():
            table.insert(0, "b", card["b"])
            table.insert(1, "seed", card["seed"])
            found[name].append(table)
    if not listed:
        raise ValueError("no network that answers or describes is there yet")
    networks = pd.DataFrame(listed).sort_values(["kind", "b", "seed"], ignore_index=True)
    tables = {
        "networks.csv": networks,
        **{
            TABLES[name]: pd.concat(parts, ignore_index=True)
            for name, parts in found.items()
            if parts
        },
    }
    for name, table in tables.items():
        packed: Any = {"method": "gzip", "mtime": 0} if name.endswith(".gz") else None
        with replacing(out / name) as draft:
            table.to_csv(draft, index=False, compression=packed)
    return networks
