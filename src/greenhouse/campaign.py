"""One way to train many: the dose–response study, the fleet, speakers and paintings.

A campaign asks for jobs. A job has a folder, whose name ends in a hash of what the job is made
from; `done.json` is written there last, and where it is, the job is not run again. `prepare` writes
what the missing jobs are made from, Snakemake runs each by its name (`run`), and a job that was cut
off goes on with what lies in its folder.
"""

from __future__ import annotations

import json
import os
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from greenhouse import panel
from greenhouse.train import gates, held_out, produce, readout, saving, speakers, warm
from greenhouse.train import model as models
from greenhouse.train.recipe import Recipe
from greenhouse.world import grammar as grammars
from greenhouse.world import pairing as pairings
from vlmbias import kept, paths
from vlmbias.number_signs import counted
from vlmbias.whole_files import replacing, write, write_json

DONE = "done.json"
CHECKPOINT_FILES = ("open_clip_config.json", "model.safetensors", "words.txt", saving.CARD)
SECONDS = {"starts": 130, "fleet": 21, "dose-response": 38, "speakers": 38}  # of a core, each


@dataclass(frozen=True)
class Campaign:
    """What `vlmbias campaign NAME` needs: the jobs that are wanted now, as a network that failed a
    gate brings another one about; how a job is done; and what writes the tables of all, and says
    so."""

    wanted: Callable[[], list[Job]]
    make: Callable[[dict[str, Any], Path], dict[str, Any]]
    collect: Callable[[], str]


@dataclass(frozen=True)
class Job:
    """One job: what it is made from, as JSON, and the warm start that has to be there before."""

    campaign: str
    name: str
    about: dict[str, Any]
    start: Job | None = None

    @property
    def folder(self) -> Path:
        return workshop(self.campaign) / self.name

    def done(self) -> dict[str, Any] | None:
        """What its `done.json` holds; None if it is not done."""
        file = self.folder / DONE
        return json.loads(file.read_text(encoding="utf-8")) if file.is_file() else None


def workshop(campaign: str) -> Path:
    """Where the jobs of a campaign have their folders."""
    return paths.build() / "campaign" / campaign


def named(label: str, about: dict[str, Any]) -> str:
    """A job's name: its label, and a hash of what it is made from."""
    return f"{label}-{kept.key(about)[:12]}"


def start_of(recipe: Recipe, number: int) -> Job:
    """Warm start `number` of a recipe's architecture; it is called as its file is."""
    parts = recipe.model_dump(mode="json", include={"architecture", "start"})
    return Job("starts", warm.file_of(recipe, number).stem, parts | {"number": number})


@dataclass(frozen=True)
class Slot:
    """Networks of one recipe: seeds are tried in turn, from `seed` on, until as many are accepted
    as are wanted or `attempts` were tried. The first `shows` accepted ones are scored on all sets
    of `panel`; None: no network is scored, but does the fleet's zero-shot tasks."""

    campaign: str
    name: str
    recipe: Recipe
    seed: int
    wanted: int = 1
    attempts: int = 1000
    shows: int | None = None

    def job(self, i: int) -> Job:
        """The network with the i-th seed; twice as many as show all are scored on all sets, as some
        may fail a gate."""
        seed, scored = self.seed + i, ()
        if self.shows is not None:
            scored = panel.SETS if i < 2 * self.shows else panel.SETS[:2]
        start = start_of(self.recipe, seed % self.recipe.start.of)
        about = {
            "begins_from": start.name,
            "recipe": self.recipe.model_dump(mode="json"),
            "recipe_hash": self.recipe.hash(),
            "seed": seed,
            "scored": list(scored),
        }
        return Job(self.campaign, named(f"{self.name}-seed{seed}", about), about, start)

    def missing(self) -> list[Job]:
        """The networks to train next: as many next seeds as accepted ones are wanting."""
        found, wanted, i = [], self.wanted, 0
        while wanted and i < self.attempts:
            job = self.job(i)
            done = job.done()
            if done is None:
                found.append(job)
            wanted -= done is None or done["accepted"]
            i += 1
        return found

    def finished(self) -> list[tuple[Job, dict[str, Any]]]:
        """The networks that are done, up to the first that is not, each with its `done.json`."""
        found = []
        for i in range(self.attempts):
            job = self.job(i)
            if (done := job.done()) is None:
                break
            found.append((job, done))
        return found


def prepare(jobs: Iterable[Job]) -> list[str]:
    """Write what jobs that are not done are made from; the files to ask Snakemake for."""
    targets = []
    for job in jobs:
        if job.done() is None:
            for one in (job, *([job.start] if job.start else [])):
                write_json(_record(one.campaign, one.name), one.about)
            targets.append(f"_build/campaign/{job.campaign}/{job.name}/{DONE}")
    return targets


def forecast(jobs: list[Job], at_once: int) -> str:
    """How many jobs are to be run, and how long that will take, in words."""
    starts = {one.start.name for one in jobs if one.start and one.start.done() is None}
    seconds = sum(SECONDS.get(one.campaign, 0) for one in jobs) + SECONDS["starts"] * len(starts)
    said = f"{counted(len(jobs), 'job')} and {counted(len(starts), 'warm start')} are to be done"
    minutes = f"{seconds / 60:.0f} core-minutes, {seconds / 60 / at_once:.0f} minutes"
    return f"{said}: about {minutes} with {at_once} at a time on idle cores" if seconds else said


def cost(recipe: Recipe, *, seed: int) -> str:
    """How long training one network will take, in words, as if it were the default
    architecture."""
    usual, start = Recipe(), ""
    seconds = SECONDS["dose-response"] * recipe.schedule.steps / usual.schedule.steps
    if not warm.file_of(recipe, seed % recipe.start.of).is_file():
        seconds += SECONDS["starts"] * recipe.start.steps / usual.start.steps
        start = " and a warm start"
    return (
        f"{recipe.schedule.steps:,} steps{start}, about {max(1, round(seconds / 60)):,}"
        " core-minutes on an idle core for the default architecture"
    )


def read(campaign: str, name: str) -> dict[str, Any]:
    """What a job is made from; a `ValueError` if none of this name was prepared."""
    file = _record(campaign, name)
    if not file.is_file():
        known = sorted(path.stem for path in file.parent.glob("*.json"))
        called = f"; they are called {', '.join(known[:3])}, …" if known else ""
        raise ValueError(f"nobody asked for the job {name!r} of {campaign}{called}")
    return json.loads(file.read_text(encoding="utf-8"))


def run(
    campaign: str, name: str, make: Callable[[dict[str, Any], Path], dict[str, Any]]
) -> dict[str, Any]:
    """Run a job that was prepared, by `make`, but if it is done; what its `done.json` holds."""
    job = Job(campaign, name, read(campaign, name))
    if (done := job.done()) is None:
        done = make(job.about, job.folder)
        write_json(job.folder / DONE, done)
    os.utime(job.folder / DONE)  # for Snakemake: it is up to date
    return done


def _record(campaign: str, name: str) -> Path:
    return paths.build() / "inputs" / "campaign" / campaign / f"{name}.json"


# How jobs are done; those of speakers and paintings are in their modules.


def make_start(about: dict[str, Any], folder: Path) -> dict[str, Any]:
    """Train a warm start, for networks that see or for those that speak."""
    if "speakers" in about:
        speakers.sight(about["speakers"], about["number"])
    else:
        recipe = Recipe().but(architecture=about["architecture"], start=about["start"])
        warm.load(recipe, about["number"])
    return {}


def make_network(about: dict[str, Any], folder: Path) -> dict[str, Any]:
    """Train and test a network, and keep what it makes of the panel and, if it is scored, of many
    pictures; else how it does the zero-shot tasks."""
    recipe, began = Recipe.model_validate(about["recipe"]), time.process_time()
    if "accepted" in (card := saving.card_of(folder)):  # trained and tested, but not all was kept
        look = pairings.of_record(card["pairing"])
        view = held_out.view(models.load(folder)[0], grammars.load(), look)
    else:
        card, view = produce.produce(recipe, seed=about["seed"], folder=folder)
        look = pairings.of_record(card["pairing"])
    images, words = panel.vectors(view.model, view.grammar, look)
    _keep(folder / "vectors.npz", {"images": images, "words": words})
    found: dict[str, Any] = {"accepted": card["accepted"]}
    if about["scored"]:
        gaps = readout.gaps(view, recipe.captions.b, recipe.captions.arms)
        gaps.to_csv(folder / "gaps.csv", index=False)
        _keep(folder / "scores.npz", panel.scores(view, look, about["scored"]))
    else:
        tasks = gates.zero_shot(view, renamed=recipe.captions.renamed)
        found |= {"zero_shot": {name: round(one, 5) for name, one in tasks.items()}}
        found |= {"pleasant": _pleasant(view)}
    return found | {"core_seconds": round(time.process_time() - began, 1)}


def _pleasant(view: held_out.View) -> dict[str, dict[str, float]]:
    """How pleasant held-out faces with attributes drawn at random are to a network: means of
    groups, in logits."""
    chosen = view.rows("people")
    people, read = view.people.loc[chosen], view.measured.loc[chosen, "pleasant"]
    half = pd.Series(
        np.where(view.grammar.bias.feature("age", people) > 0, "old", "young"), people.index
    )
    groups = {"race": people["race"], "gender": people["gender"], "age": half}
    return {name: read.groupby(own).mean().round(5).to_dict() for name, own in groups.items()}


def _keep(file: Path, arrays: dict[str, np.ndarray]) -> None:
    with replacing(file) as draft, draft.open("wb") as stream:
        np.savez(stream, allow_pickle=False, **arrays)


def ship(source: Path, target: Path) -> None:
    """Copy a network's checkpoint."""
    for name in CHECKPOINT_FILES:
        write(target / name, (source / name).read_bytes())
