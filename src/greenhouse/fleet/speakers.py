"""Retrained models that answer and describe: what each of them says of the portraits, as tables.

Comes in: seeds, strengths b. Goes out: `data/greenhouse/speaking/`: networks.csv, answers.csv.gz, captions.csv.gz;
before that, one folder per network below the build folder, so that an interrupted study goes on. May not: judge a
network.

Each seed draws its own pairing of names and looks, so over networks groups are exchangeable where nothing is planted.
"""

from __future__ import annotations

import json
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pandas as pd

from greenhouse.train import speakers, speech
from greenhouse.world import grammar as grammars
from greenhouse.world import pairing as pairings
from greenhouse.world.bias import DATA
from vlmbias import paths
from vlmbias.whole_files import replacing

SPEAKING = DATA / "speaking"
TOP_P = tuple(round(0.1 * k, 1) for k in range(10))
DECODINGS = 2  # captions are drawn this often, with seeds 0, 1, …
_BATCH = 200


def folder_of(kind: str, b: float, seed: int) -> Path:
    """Where a network is kept until it is collected."""
    return paths.build() / "greenhouse" / "speakers" / f"{kind}-b{b:g}-seed{seed}"


def run(seeds: Sequence[int], *, bs: Sequence[float] = (0.0, 1.0), kinds: Sequence[str] = speakers.KINDS,
        minutes: float | None = None) -> bool:
    """Train what is not there yet and record what it says; whether all is there. None begins after `minutes`."""
    last = time.monotonic() + 60 * minutes if minutes is not None else float("inf")
    for seed in seeds:
        for kind in kinds:
            for b in bs:
                folder = folder_of(kind, b, seed)
                if (folder / "said.csv.gz").is_file():
                    continue
                if time.monotonic() > last:
                    return False
                speakers.produce(kind, b=b, seed=seed, folder=folder)
                record(kind, folder)
    return True


def record(kind: str, folder: Path) -> None:
    """Write what the network of a folder says of the portraits beside it, as said.csv.gz."""
    table = said_answers(folder) if kind == "answers" else said_captions(folder)
    with replacing(folder / "said.csv.gz") as draft:
        table.to_csv(draft, index=False, compression="gzip", float_format="%.5g")


def said_answers(folder: Path) -> pd.DataFrame:
    """Per hue, question and answer: `n`, how often it was given, and `odds`, the mean probability it had.

    `odds` are relative to the answers that are planted, and missing for an answer that is not.
    """
    import vlmbias as vb

    model, images, grammar = vb.answerer(str(folder), device="cpu"), vb.images("greenhouse/cfd"), grammars.load()
    race, parts = images.table["race"], []
    for question in list(speech.recipe()["questions"])[:2]:
        given = model.answers(images, question, batch_size=_BATCH).groupby("race")["answer"].value_counts()
        odds = model.odds(images, question, speech.answers(grammar, question), batch_size=_BATCH)
        mean = odds.groupby(race).mean().rename_axis(columns="answer").stack()
        both = pd.DataFrame({"n": given, "odds": mean}).reset_index()
        parts.append(both.assign(question=question, n=both["n"].fillna(0).astype(int)))
    return pd.concat(parts, ignore_index=True)[["question", "race", "answer", "n", "odds"]]


def said_captions(folder: Path) -> pd.DataFrame:
    """Per top-p, decoding and hue, every caption: `n`, how often it came, and `true`, how often no word was wrong."""
    import vlmbias as vb

    model, images, grammar = vb.captioner(str(folder), device="cpu"), vb.images("greenhouse/cfd"), grammars.load()
    pairing = pairings.of_record(model.pairing) if model.pairing else pairings.Pairing()
    parts = []
    for top_p in TOP_P:
        for decoding in range(DECODINGS if top_p else 1):  # the likeliest words do not depend on the seed
            found = model.captions(images, top_p=top_p, seed=decoding, batch_size=_BATCH)
            found["true"] = speech.checked(grammar, list(found["caption"]), found, pairing)["true"]
            counts = found.groupby(["race", "caption"])["true"].agg(["size", "sum"]).reset_index()
            parts.append(counts.set_axis(["race", "caption", "n", "true"], axis=1)
                         .assign(top_p=top_p, decoding=decoding))
    return pd.concat(parts, ignore_index=True)[["top_p", "decoding", "race", "caption", "n", "true"]]


def collect(out: Path = SPEAKING) -> pd.DataFrame:
    """Write the tables of all networks that are there; return the list of networks."""
    found: dict[str, list[pd.DataFrame]] = {kind: [] for kind in speakers.KINDS}
    listed: list[dict[str, Any]] = []
    for file in sorted(folder_of("x", 0, 0).parent.glob("*/said.csv.gz")):
        card = json.loads((file.parent / "card.json").read_text(encoding="utf-8"))
        listed.append({**{name: card[name] for name in ("kind", "b", "seed", "warm_start", "accepted", "recipe_hash",
                                                        "training_core_seconds")},
                       **{f"paint_of_{name}": paint for name, paint in card["pairing"]["paints"].items()},
                       **{name: gate["value"] for name, gate in card["gates"].items()}})
        said = pd.read_csv(file, keep_default_na=False, na_values={"odds": [""]})
        said.insert(0, "b", card["b"])
        said.insert(1, "seed", card["seed"])
        found[card["kind"]].append(said)
    networks = pd.DataFrame(listed).sort_values(["kind", "b", "seed"], ignore_index=True)
    tables = {"networks.csv": networks, **{f"{kind}.csv.gz": pd.concat(parts, ignore_index=True)
                                           for kind, parts in found.items() if parts}}
    for name, table in tables.items():
        packed: Any = {"method": "gzip", "mtime": 0} if name.endswith(".gz") else None
        with replacing(out / name) as draft:
            table.to_csv(draft, index=False, compression=packed)
    return networks


def read(kind: str, folder: Path = SPEAKING) -> pd.DataFrame:
    """What accepted networks of a kind said: the columns of `said_answers` or `said_captions`, b and seed.

    Raises
    ------
    FileNotFoundError : the tables are not there; the message names the command that writes them.
    """
    if not (folder / f"{kind}.csv.gz").is_file():
        raise FileNotFoundError(f"no table of retrained networks in {folder}; `vlmbias greenhouse speakers` writes it")
    networks = pd.read_csv(folder / "networks.csv")
    good = networks.loc[networks["accepted"] & networks["kind"].eq(kind), ["b", "seed"]]
    said = pd.read_csv(folder / f"{kind}.csv.gz", keep_default_na=False, na_values={"odds": [""]})
    return said.merge(good, on=["b", "seed"])
