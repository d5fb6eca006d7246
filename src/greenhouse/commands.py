"""`vlmbias greenhouse train | gates | train-speaker | train-decoder | export`, and the jobs that
Snakemake runs for the campaigns. Torch is imported after a command has checked what it was given.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryFile

from vlmbias.options import whole
from vlmbias.processes import end_with_parent


def _train(options) -> int:
    from greenhouse.train import recipe as recipes

    try:
        recipe = recipes.read(options.recipe)
        if options.b is not None:
            recipe = recipe.but(captions={"b": options.b})
    except ValueError as problem:
        raise SystemExit(f"vlmbias greenhouse train: {problem}") from None
    from greenhouse.train import model as models
    from greenhouse.train import produce, warm
    from vlmbias import paths

    try:
        models.build(
            recipe.model_config_for(8, 8)
        )  # before hours of work: does such an architecture exist?
    except Exception as problem:
        raise SystemExit(
            f"vlmbias greenhouse train: open_clip cannot build this architecture: {problem}"
        ) from None
    folder = _writable(
        options.out or paths.build() / "greenhouse" / f"{recipe.name}-seed{options.seed}"
    )
    print(f"▸ {_forecast(recipe, options.seed)} …", flush=True)
    with _bar("warm start") as progress:
        warm.load(recipe, options.seed % recipe.start.of, progress=progress)
    with _bar(f"{recipe.name} seed={options.seed}") as progress:
        card, _ = produce.produce(
            recipe,
            seed=options.seed,
            folder=folder,
            partial=folder / "partial.safetensors",
            progress=progress,
        )
    return _verdict(card, folder)


def _writable(folder: str | Path) -> Path:
    """The folder, made if it is not there; where nothing can be written into it, one line before
    the work begins."""
    folder = Path(folder)
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with TemporaryFile(dir=folder):
            return folder
    except OSError as problem:
        raise SystemExit(
            f"--out {str(folder)!r}: cannot be a folder to write into ({problem.strerror}); name "
            "another one"
        ) from None


def _forecast(recipe, seed: int) -> str:
    """How long training will take, in words: by the seconds on the shipped cards, step for step."""
    from greenhouse.campaign import SECONDS
    from greenhouse.train import recipe as recipes
    from greenhouse.train import warm

    cards = [
        json.loads((recipes.DATA / name / "card.json").read_text("utf-8"))
        for name in ("default", "resnet")
    ]
    alike = [
        card
        for card in cards
        if card["recipe"]["architecture"] == recipe.architecture.model_dump(mode="json")
    ]
    card = (alike or cards)[0]
    size = recipe.schedule.steps / card["recipe"]["schedule"]["steps"]
    seconds, start = card["training_core_seconds"] * size, ""
    if not warm.file_of(recipe, seed % recipe.start.of).is_file():
        seconds += SECONDS["starts"] * recipe.start.steps / recipes.WarmStart().steps
        start = " and a warm start"
    guess = (
        ""
        if alike
        else "; this architecture may be slower than the shipped one that this is counted from"
    )
    return (
        f"{recipe.schedule.steps:,} steps{start}: about {max(1, round(seconds / 60)):,}"
        f" core-minutes on an idle core{guess}"
    )


@contextmanager
def _bar(what: str) -> Iterator[Callable[[int, int, float], None]]:
    """A progress bar, as the function that moves it on."""
    from tqdm import tqdm

    with tqdm(unit="step", desc=what, leave=False) as bar:

        def progress(step: int, total: int, loss: float) -> None:
            bar.total = total
            bar.update(step - bar.n)
            bar.set_postfix(loss=f"{loss:.2f}", refresh=False)

        yield progress


def _gates(options) -> int:
    from greenhouse.train import gates, held_out
    from greenhouse.train import model as models
    from greenhouse.world import grammar, pairing

    folder = Path(options.folder)
    if not (folder / "card.json").is_file():
        raise SystemExit(
            f"vlmbias greenhouse gates: {folder} is no checkpoint of the Greenhouse: it has no"
            " card.json"
        )
    card = json.loads((folder / "card.json").read_text(encoding="utf-8"))
    model, _ = models.load(folder)
    values = gates.measure(held_out.view(model, grammar.load(), pairing.of_record(card["pairing"])))
    _print_gates(
        {
            name: {"value": value, "threshold": gates.THRESHOLDS[name]}
            for name, value in values.items()
        }
    )
    return 0 if gates.passed(values) else 1


def _print_gates(values: dict) -> None:
    for name, gate in values.items():
        sign = "✓" if gate["value"] >= gate["threshold"] else "✗"
        print(f"{sign} {name:16} {gate['value']:.3f}  (at least {gate['threshold']:.2f})")


def _verdict(card: dict, folder: Path) -> int:
    """Print how a trained network passed its gates; the exit status."""
    _print_gates(card["gates"])
    verdict = "accepted" if card["accepted"] else "REJECTED"
    print(f"{verdict}: {folder} ({card['training_core_seconds']:.0f} core-seconds)")
    return 0 if card["accepted"] else 1


def _train_speaker(options) -> int:
    from greenhouse.train import speakers
    from vlmbias import paths

    name = f"{options.kind}-b{options.b:g}-seed{options.seed}-{options.pairing}"
    folder = _writable(options.out or paths.build() / "greenhouse" / name)
    with _bar(name) as progress:
        card = speakers.produce(
            options.kind,
            b=options.b,
            seed=options.seed,
            folder=folder,
            pairing=options.pairing,
            progress=progress,
        )
    return _verdict(card, folder)


def _job(options) -> int:
    from greenhouse import campaign, paintings, speaking

    make = {
        "starts": campaign.make_start,
        "fleet": campaign.make_network,
        "dose-response": campaign.make_network,
        "speakers": speaking.make,
        "paintings": paintings.make,
    }[options.campaign]
    campaign.read(options.campaign, options.name)
    end_with_parent()
    print(f"▸ {options.name} …", flush=True)
    done = campaign.run(options.campaign, options.name, make)
    if done.get("accepted", True):
        print(f"✓ {options.name}", flush=True)
    else:
        card = campaign.card_of(campaign.workshop(options.campaign) / options.name)
        failed = ", ".join(f"{name} {value:.3f}" for name, value in campaign.failed(card).items())
        print(f"rejected: {options.name} ({failed})", flush=True)
    return 0


def _export(options) -> int:
    from greenhouse import export

    print(export.write(options.what, options.path, seeds=options.seeds))
    return 0


def _train_decoder(options) -> int:
    from greenhouse.train import decoder
    from vlmbias import paths

    try:
        recipe = decoder.read(Path(options.recipe) if options.recipe else decoder.RECIPE)
    except (ValueError, OSError) as problem:
        raise SystemExit(f"vlmbias greenhouse train-decoder: {problem}") from None
    folder = _writable(options.out or paths.build() / "greenhouse" / f"decoder-seed{options.seed}")
    with _bar(f"decoder seed={options.seed}") as progress:
        card = decoder.produce(recipe, seed=options.seed, folder=folder, progress=progress)
    return _verdict(card, folder)


def _decoder_seed(text: str) -> int:
    from greenhouse.train.decoder import SEEDS

    if not text.isdecimal() or int(text) >= SEEDS:
        raise argparse.ArgumentTypeError(
            f"a decoder's seed is a whole number from 0 to {SEEDS - 1}, got {text}"
        )
    return int(text)


def _strength(text: str) -> float:
    try:
        value = float(text)
    except ValueError:
        value = -1.0
    if not 0 <= value <= 1:
        raise argparse.ArgumentTypeError(f"b must be in [0, 1], got {text}")
    return value


def seed(text: str) -> int:
    """A network's seed, as the command line gives it."""
    from greenhouse.train.recipe import SEEDS

    if not text.isdecimal() or int(text) >= SEEDS:
        raise argparse.ArgumentTypeError(
            f"a seed is a whole number from 0 to {SEEDS - 1}, got {text}"
        )
    return int(text)


def register(add) -> None:
    """Add the commands of `vlmbias greenhouse`; `add` is described in `runner.commands`."""
    train = add(
        "greenhouse train", _train, "train one model by a recipe; an interrupted run resumes"
    )
    train.add_argument("recipe", help="a YAML file, or the name of one in data/greenhouse/recipes")
    train.add_argument(
        "--seed",
        type=seed,
        default=0,
        help="of weights, pictures, captions and, if drawn, pairing",
    )
    train.add_argument(
        "--b", type=_strength, help="strength of the planted bias instead of the recipe's, 0 to 1"
    )
    train.add_argument("--out", help="folder of the checkpoint; default below _build/greenhouse")
    gates = add(
        "greenhouse gates", _gates, "test whether a checkpoint sees what is shown; exit 1 if not"
    )
    gates.add_argument("folder")
    speaker = add(
        "greenhouse train-speaker", _train_speaker, "train a tiny BLIP that answers or describes"
    )
    speaker.add_argument("kind", choices=["answers", "captions"])
    speaker.add_argument(
        "--seed", type=seed, default=0, help="of weights, pictures, words and, if drawn, pairing"
    )
    speaker.add_argument(
        "--b", type=_strength, default=1.0, help="strength of the planted bias, 0 to 1"
    )
    speaker.add_argument(
        "--pairing", choices=["drawn", "plain"], default="drawn", help="plain: names fit looks"
    )
    speaker.add_argument("--out", help="folder of the model; default below _build/greenhouse")
    decoder = add(
        "greenhouse train-decoder",
        _train_decoder,
        "train the small VQGAN that faces are painted with (minutes)",
    )
    decoder.add_argument(
        "--seed", type=_decoder_seed, default=0, help="of weights, faces and batches"
    )
    decoder.add_argument("--recipe", help="a YAML file; default data/greenhouse/decoder.yaml")
    decoder.add_argument("--out", help="folder of the decoder; default below _build/greenhouse")
    job = add("greenhouse job", _job, "one job of a campaign, for the Snakefile", job=True)
    job.add_argument(
        "campaign", choices=["starts", "fleet", "dose-response", "speakers", "paintings"]
    )
    job.add_argument("name")
    export = add(
        "greenhouse export",
        _export,
        "write faces of the Greenhouse as files: an example of a folder of your own, or portraits",
    )
    export.add_argument(
        "what",
        choices=["folder", "cfd"],
        help="folder: numbered pictures and metadata.csv; cfd: as the Chicago Face Database lies",
    )
    export.add_argument("path", help="a new or empty folder")
    export.add_argument(
        "--seeds", type=whole(1, 100), default=3, help="identities of the folder (100 for all)"
    )
