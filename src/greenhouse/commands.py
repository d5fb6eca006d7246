"""`vlmbias greenhouse train | gates | dose-response | export`; also `python -m greenhouse.train …`.

Comes in: the command line. Goes out: checkpoints and tables, with visible progress. May not: hold logic, or
import torch before a command runs.
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path


def _train(options) -> int:
    from tqdm import tqdm

    from greenhouse.train import one
    from greenhouse.train.recipe import Recipe

    recipe, folder = Recipe(), Path(options.out)
    with tqdm(total=recipe.total, unit="step", desc=f"b={options.b:g} seed={options.seed}") as bar:
        def progress(step: int, total: int, loss: float) -> None:
            bar.update(step - bar.n)
            bar.set_postfix(loss=f"{loss:.2f}", refresh=False)

        card = one.produce(recipe, b=options.b, seed=options.seed, folder=folder,
                           arms=dict([options.arm] if options.arm else []),
                           partial=folder / "partial.safetensors", progress=progress)
    _print_gates(card["gates"])
    verdict = "accepted" if card["accepted"] else "REJECTED"
    print(f"{verdict}: {folder} ({card['training_core_seconds']:.0f} core-seconds)")
    return 0 if card["accepted"] else 1


def _gates(options) -> int:
    from greenhouse.train import gates
    from greenhouse.train import model as models
    from greenhouse.world import grammar

    model, _ = models.load(Path(options.folder))
    values = gates.measure(model, grammar.load())
    _print_gates({name: {"value": value, "threshold": gates.THRESHOLDS[name]} for name, value in values.items()})
    return 0 if gates.passed(values) else 1


def _print_gates(values: dict) -> None:
    for name, gate in values.items():
        sign = "✓" if gate["value"] >= gate["threshold"] else "✗"
        print(f"{sign} {name:16} {gate['value']:.3f}  (at least {gate['threshold']:.2f})")


def _dose_response(options) -> int:
    from greenhouse.train import study
    from greenhouse.train.recipe import Recipe

    if options.collect:
        study.collect(Recipe())
    else:
        study.run(Recipe(), jobs=options.jobs)
    recipe = json.loads((study.STUDY / "recipe.json").read_text(encoding="utf-8"))
    print(f"{sum(part['models'] for part in recipe['plan'])} models, {recipe['rejected']} rejected, "
          f"{recipe['core_seconds'] / 60:.0f} core-minutes: {study.STUDY}")
    return 0


def _export(options) -> int:
    from greenhouse import export

    print(export.write(options.what, options.path, seeds=options.seeds, n=options.n, detail=options.detail))
    return 0


def _strength(text: str) -> float:
    value = float(text)
    if not 0 <= value <= 1:
        raise argparse.ArgumentTypeError(f"b must be in [0, 1], got {text}")
    return value


def _arm(text: str) -> tuple[str, float]:
    name, _, strength = text.partition("=")
    try:
        return name, float(strength)
    except ValueError:
        raise argparse.ArgumentTypeError(f"an arm is NAME=STRENGTH, as neutral=0.5; got {text!r}") from None


def register(commands) -> None:
    """Add the commands of `vlmbias greenhouse`; what each does is set as `handler`."""
    train = commands.add_parser("train", help="train one model; an interrupted run resumes")
    train.add_argument("--b", type=_strength, default=1.0, help="strength of the planted bias, 0 to 1")
    train.add_argument("--seed", type=int, default=0)
    train.add_argument("--arm", type=_arm, help="an arm of the study and its strength, as neutral=0.5 or marking=1")
    train.add_argument("--out", required=True, help="folder of the checkpoint")
    train.set_defaults(handler=_train)
    gates = commands.add_parser("gates", help="test whether a checkpoint sees what is shown; exit 1 if not")
    gates.add_argument("folder")
    gates.set_defaults(handler=_gates)
    study = commands.add_parser("dose-response", help="train the models of the study (ninety minutes on two cores)")
    study.add_argument("--jobs", type=int, default=2, help="models trained at once, one core each")
    study.add_argument("--collect", action="store_true", help="only write the tables from finished models")
    study.set_defaults(handler=_dose_response)
    export = commands.add_parser("export", help="write the Greenhouse as another data set lies on disk")
    export.add_argument("what", choices=["causalface", "fairface", "utkface", "cosines"])
    export.add_argument("path", help="a new or empty folder, or an earlier export")
    export.add_argument("--seeds", type=int, default=3, help="identities of CausalFace (100 for all)")
    export.add_argument("--n", type=int, default=300, help="faces of FairFace and UTKFace")
    export.add_argument("--detail", type=int, default=432, help="pixels rendered across a CausalFace (432, 216, 108)")
    export.set_defaults(handler=_export)
