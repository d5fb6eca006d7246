"""`vlmbias greenhouse train | gates | train-speaker | train-decoder | export`, and the jobs that
Snakemake runs for the campaigns. Torch is imported after a command has checked what it was given.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryFile

from vlmbias.options import whole
from vlmbias.processes import end_with_parent


def seed(text: str) -> int:
    """A network's seed, as the command line gives it."""
    from greenhouse.train.recipe import SEEDS

    return whole(0, SEEDS - 1)(text)


def _train(options) -> int:
    from greenhouse.train import recipe as recipes

    try:
        recipe = recipes.read(options.recipe)
        if options.b is not None:
            recipe = recipe.but(captions={"b": options.b})
    except ValueError as problem:
        raise SystemExit(f"vlmbias greenhouse train: {problem}") from None
    from greenhouse.train import model as models
    from greenhouse.train import produce

    try:  # before hours of work: does such an architecture exist?
        models.build(recipe.model_config_for(8, 8))
    except Exception as problem:
        raise SystemExit(
            f"vlmbias greenhouse train: open_clip cannot build this architecture: {problem}"
        ) from None
    folder = _writable(options.out, f"{recipe.name}-seed{options.seed}")
    print(f"▸ {_forecast(recipe, options.seed)} …", flush=True)
    with _bar(f"{recipe.name} seed={options.seed}") as progress:
        card, _ = produce.produce(recipe, seed=options.seed, folder=folder, progress=progress)
    return _verdict(card, folder)


def _writable(out: str | None, name: str) -> Path:
    """The folder to write into, made if it is not there; where nothing can be written, one line
    before the work begins."""
    from vlmbias import paths

    folder = Path(out or paths.build() / "greenhouse" / name)
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
    """How long training will take, in words, as if it were the default architecture."""
    from greenhouse.campaign import SECONDS
    from greenhouse.train import warm
    from greenhouse.train.recipe import Recipe

    usual, start = Recipe(), ""
    seconds = SECONDS["dose-response"] * recipe.schedule.steps / usual.schedule.steps
    if not warm.file_of(recipe, seed % recipe.start.of).is_file():
        seconds += SECONDS["starts"] * recipe.start.steps / usual.start.steps
        start = " and a warm start"
    return (
        f"{recipe.schedule.steps:,} steps{start}: about {max(1, round(seconds / 60)):,}"
        " core-minutes on an idle core for the default architecture"
    )


@contextmanager
def _bar(what: str) -> Iterator[Callable[[int, int, float], None]]:
    """A progress bar, as the function that moves it on; it starts anew after a warm start."""
    from tqdm import tqdm

    with tqdm(unit="step", desc=what, leave=False) as bar:

        def progress(step: int, total: int, loss: float) -> None:
            if step < bar.n:
                bar.reset()
            bar.total = total
            bar.update(step - bar.n)
            bar.set_postfix(loss=f"{loss:.2f}", refresh=False)

        yield progress


def _gates(options) -> int:
    from greenhouse.train import gates, held_out, saving
    from greenhouse.train import model as models
    from greenhouse.world import grammar, pairing

    folder = Path(options.folder)
    if not (card := saving.card_of(folder)):
        raise SystemExit(
            f"vlmbias greenhouse gates: {folder} is no checkpoint of the Greenhouse: it has no"
            " card.json"
        )
    look = pairing.of_record(card["pairing"])
    view = held_out.view(models.load(folder)[0], grammar.load(), look)
    found = saving.gated(gates.measure(view), gates.THRESHOLDS)
    _print_gates(found["gates"])
    return 0 if found["accepted"] else 1


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

    name = f"{options.kind}-b{options.b:g}-seed{options.seed}-{options.pairing}"
    folder = _writable(options.out, name)
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


def _train_decoder(options) -> int:
    from greenhouse.train import decoder

    try:
        recipe = decoder.read(Path(options.recipe) if options.recipe else decoder.RECIPE)
    except (ValueError, OSError) as problem:
        raise SystemExit(f"vlmbias greenhouse train-decoder: {problem}") from None
    folder = _writable(options.out, f"decoder-seed{options.seed}")
    with _bar(f"decoder seed={options.seed}") as progress:
        card = decoder.produce(recipe, seed=options.seed, folder=folder, progress=progress)
    return _verdict(card, folder)


def _job(options) -> int:
    from greenhouse import campaign, paintings, speaking
    from greenhouse.train import saving

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
        card = saving.card_of(campaign.workshop(options.campaign) / options.name)
        failed = ", ".join(f"{name} {value:.3f}" for name, value in saving.failed(card).items())
        print(f"rejected: {options.name} ({failed})", flush=True)
    return 0


def _export(options) -> int:
    from greenhouse import export

    print(export.write(options.what, options.path, seeds=options.seeds))
    return 0


def _strength(text: str) -> float:
    try:
        value = float(text)
    except ValueError:
        value = -1.0
    if not 0 <= value <= 1:
        raise argparse.ArgumentTypeError(f"b must be in [0, 1], got {text}")
    return value


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
        "--seed",
        type=whole(0, 79),  # a larger one would learn from faces that others are tested on
        default=0,
        help="of weights, faces and batches",
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
