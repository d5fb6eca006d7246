"""The dose–response study: which networks it has, and the tables, checkpoints and `truth.json` that
ship of them.

No bias result decides whether a network is accepted, and no seed is chosen afterwards: one that
fails a gate is listed and replaced by the next seed of its kind.
"""

from __future__ import annotations

import gzip
import io
import zipfile
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import yaml

from greenhouse import panel
from greenhouse.campaign import Campaign, Job, Slot, make_network, ship
from greenhouse.retrained import RETRAINED, split
from greenhouse.train import recipe as recipes
from greenhouse.train import saving
from greenhouse.train.recipe import Recipe
from greenhouse.world import grammar as grammars
from greenhouse.world import truth
from greenhouse.world.bias import DATA
from vlmbias.whole_files import replacing, write

STUDY, COMMAND = DATA / "study.yaml", "vlmbias campaign dose-response"


@dataclass(frozen=True)
class Plan:
    """The study; see the comments in `data/greenhouse/study.yaml`. `checkpoints`: folder of
    `data/greenhouse` → (kind, i), for the i-th accepted network of a kind."""

    base: Recipe
    kinds: dict[str, Slot]
    checkpoints: Mapping[str, tuple[str, int]]

    def missing(self) -> list[Job]:
        """The networks to train next."""
        return [job for kind in self.kinds.values() for job in kind.missing()]


def plan(content: Mapping[str, Any] | None = None) -> Plan:
    """The study of `data/greenhouse/study.yaml`, or of other content."""
    known: Any = content or yaml.safe_load(STUDY.read_text(encoding="utf-8"))
    base, kinds = recipes.read(known["recipe"]), {}
    for k, kind in enumerate(known["kinds"]):
        parts = ("captions", "pool", "schedule", "architecture", "pairing")
        recipe = base.but(name=kind["name"], **{part: kind[part] for part in parts if part in kind})
        kinds[kind["name"]] = Slot(
            "dose-response",
            kind["name"],
            recipe,
            1000 * k,
            wanted=kind["models"],
            shows=kind.get("shows", 0),
        )
    return Plan(base, kinds, known["checkpoints"])


def campaign() -> Campaign:
    """The study of `data/greenhouse/study.yaml`."""
    own = plan()
    return Campaign(own.missing, make_network, lambda: collect(own))


def _row(kind: str, card: dict[str, Any]) -> dict[str, Any]:
    arm, strength = next(iter(card["arms"].items()), ("none", 0.0))
    return {
        "kind": kind,
        "b": card["b"],
        "arm": arm,
        "arm_strength": strength,
        "seed": card["seed"],
        "pairing": card["recipe"]["pairing"],
        **{
            f"{part[:-1]}_{name}": look
            for part, pairs in card["pairing"].items()
            for name, look in pairs.items()
        },
        "accepted": card["accepted"],
        "logit_scale": card["logit_scale"],
        **{name: gate["value"] for name, gate in card["gates"].items()},
        "seed_is_largest": card["calibration"]["seed_is_largest"],
        **{f"neutral_r_{name}": value for name, value in card["calibration"]["neutral_r"].items()},
        **{f"decoding_{name}": value for name, value in card["decoding_r2"].items()},
        **{
            f"mistaken_{name}_{by}": value
            for name, found in card["cross_talk"].items()
            for by, value in found.items()
            if by != "r"
        },
        "training_core_seconds": card["training_core_seconds"],
    }


def finished(plan: Plan) -> pd.DataFrame:
    """One row per finished network with its kind, folder and `kept`: whether it is among the wanted
    ones; a `ValueError` if a kind has too few."""
    parts = []
    for kind, slot in plan.kinds.items():
        folders = [job.folder for job, _ in slot.finished()]
        rows = [_row(kind, saving.card_of(folder)) | {"folder": folder} for folder in folders]
        accepted = np.array([row["accepted"] for row in rows], bool)
        if accepted.sum() < slot.wanted:
            raise ValueError(
                f"{accepted.sum()} of {slot.wanted} networks of kind {kind!r} are there; run "
                f"`{COMMAND}`"
            )
        kept = accepted & (np.cumsum(accepted) <= slot.wanted)
        place = np.cumsum(kept) - 1
        shows = kept & (place < (slot.shows or 0))
        parts.append(pd.DataFrame(rows).assign(kept=kept, place=place, shows=shows))
    table = pd.concat(parts, ignore_index=True)
    plain = table["arm"].eq("none") & table["pairing"].eq("drawn")
    return table.assign(has_vectors=table["kept"] & plain)


def collect(plan: Plan) -> str:
    """Write the study's tables, the shipped checkpoints and the truth from what the workshop
    holds; what there is, in words."""
    found, grammar = finished(plan), grammars.load()
    kept = found.loc[found["kept"]].reset_index(drop=True)
    listed = found.drop(columns=["folder", "place"])
    write(RETRAINED / "networks.csv", listed.to_csv(index=False, float_format="%.6g"))
    write(RETRAINED / "score_images.csv", panel.scored_images().to_csv(float_format="%.6g"))
    write(RETRAINED / "vector_images.csv", panel.images().to_csv())
    write(RETRAINED / "vector_words.csv", panel.words(grammar)[0].to_csv())
    _collect_arrays(kept)
    _collect_tables(kept)
    saving.write_card(DATA / "truth.json", truth.statement(grammar))
    cards = [saving.card_of(folder) for folder in found["folder"]]
    about = {
        "recipe": plan.base.model_dump(),
        "recipe_hash": plan.base.hash(),
        "commits": sorted({card["commit"] for card in cards}),
        "versions": cards[0]["versions"],
        "networks": len(kept),
        "rejected": int((~found["accepted"].to_numpy(bool)).sum()),
        "core_seconds": round(float(found["training_core_seconds"].to_numpy().sum())),
    }
    saving.write_card(RETRAINED / "study.json", about)
    for name, (kind, i) in plan.checkpoints.items():
        source = kept.loc[(kept["kind"] == kind) & (kept["place"] == i), "folder"].iloc[0]
        ship(source, DATA / name)
    networks = f"{about['networks']} networks, {about['rejected']} rejected"
    return f"{networks}, {about['core_seconds'] / 60:.0f} core-minutes: {RETRAINED}"


def _collect_arrays(kept: pd.DataFrame) -> None:
    vectors: dict[str, list[np.ndarray]] = {}
    scores: dict[str, list[np.ndarray]] = {}
    for row in kept.to_dict("records"):
        if row["has_vectors"]:
            with np.load(row["folder"] / "vectors.npz", allow_pickle=False) as stored:
                for name in ("images", "words"):
                    for part, values in panel.packed(name, stored[name]).items():
                        vectors.setdefault(part, []).append(values)
        with np.load(row["folder"] / "scores.npz", allow_pickle=False) as stored:
            for part in panel.SETS if row["shows"] else panel.SETS[:2]:
                scores.setdefault(part, []).append(panel.coarsened(stored[part]))
    _write_npz(RETRAINED / "vectors.npz", {part: np.stack(each) for part, each in vectors.items()})
    halves = {}
    for part, steps in scores.items():
        low, high = split(np.stack(steps))
        halves |= {f"{part}_low": low, f"{part}_high": high}
    _write_npz(RETRAINED / "scores.npz", halves)


def _collect_tables(kept: pd.DataFrame) -> None:
    about = ["kind", "b", "arm", "arm_strength", "seed", "pairing"]
    gaps, cells = [], []
    for row in kept.to_dict("records"):
        same = {name: row[name] for name in about}
        gaps.append(pd.read_csv(row["folder"] / "gaps.csv").assign(**same))
        card = saving.card_of(row["folder"])
        cells.append(
            pd.DataFrame(
                [{"axis": axis, **found} for axis, found in card["recovery_per_face"].items()]
            ).assign(**same)
        )
    for name, parts in (("gaps.csv.gz", gaps), ("recovery.csv.gz", cells)):
        table = pd.concat(parts, ignore_index=True)
        text = table[[*about, *[column for column in table if column not in about]]].to_csv(
            index=False, float_format="%.5g"
        )
        # the same bytes whenever it is written
        write(RETRAINED / name, gzip.compress(text.encode(), compresslevel=9, mtime=0))


def _write_npz(file: Path, arrays: dict[str, np.ndarray]) -> None:
    """A compressed .npz whose bytes depend on the arrays alone, not on the clock."""
    with (
        replacing(file) as draft,
        zipfile.ZipFile(draft, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as archive,
    ):
        for name, array in arrays.items():
            content = io.BytesIO()
            np.lib.format.write_array(content, array, allow_pickle=False)
            archive.writestr(
                zipfile.ZipInfo(f"{name}.npy", (1980, 1, 1, 0, 0, 0)),
                content.getvalue(),
                compress_type=zipfile.ZIP_DEFLATED,
            )
