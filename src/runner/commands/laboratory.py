"""`vlmbias train | campaign | example-folder`: the one place where the runner uses the
Greenhouse."""

import os
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from tempfile import TemporaryFile
from typing import Annotated, Any, Literal

import typer

from runner.commands import graph
from runner.commands.graph import Profile, Snakemake
from vlmbias import paths

Campaigns = Literal["dose-response", "speakers", "paintings", "fleet"]


def train(
    recipe: Annotated[
        str,
        typer.Argument(
            help="a YAML file, or the name of one in data/greenhouse/recipes; or answers or"
            " captions, for a tiny BLIP (speakers.yaml); or decoder, for the VQGAN that faces are"
            " painted with (decoder.yaml)"
        ),
    ],
    *,
    seed: Annotated[
        int, typer.Option(min=0, help="of weights, pictures, words and, if drawn, pairing")
    ] = 0,
    b: Annotated[
        float | None,
        typer.Option(
            min=0, max=1, help="strength of the planted bias; default: the recipe's, or 1"
        ),
    ] = None,
    pairing: Annotated[
        Literal["drawn", "plain"] | None,
        typer.Option(help="plain: names fit looks; default: the recipe's, or drawn"),
    ] = None,
    out: Annotated[
        Path | None, typer.Option(help="folder of the model; default: below _build/greenhouse")
    ] = None,
) -> int:
    """Train one model by a recipe, and test what it sees.

    An interrupted run resumes. At the end stand the model's gates; the status is 1 if one fails.

    \b
    Examples:
      vlmbias train default --seed 1
      vlmbias train my-recipe.yaml --b 0
      vlmbias train answers --seed 1 --b 0
      vlmbias train decoder
    """
    from tqdm import tqdm

    label, forecast, produce = _trainer(recipe, seed, b, pairing)
    folder = _writable(out or paths.build() / "greenhouse" / label)
    print(f"▸ {label}{forecast} …", flush=True)
    with tqdm(unit="step", desc=label, leave=False) as bar:

        def progress(step: int, total: int, loss: float) -> None:
            bar.total = total
            bar.update(step - bar.n)  # backwards, where a second part begins
            bar.set_postfix(loss=f"{loss:.2f}", refresh=False)

        card = produce(seed=seed, folder=folder, progress=progress)
    for name, gate in card["gates"].items():
        sign = "✓" if gate["value"] >= gate["threshold"] else "✗"
        print(f"{sign} {name:16} {gate['value']:.3f}  (at least {gate['threshold']:.2f})")
    verdict = "accepted" if card["accepted"] else "REJECTED"
    print(f"{verdict}: {folder} ({card['training_core_seconds']:.0f} core-seconds)")
    return 0 if card["accepted"] else 1


def _trainer(
    name: str, seed: int, b: float | None, pairing: str | None
) -> tuple[str, str, Callable[..., dict[str, Any]]]:
    """What a recipe makes: its label, a forecast in words, and the function that trains it."""
    from greenhouse.train import recipe as recipes

    if name == "decoder":
        from greenhouse.train import decoder

        if b is not None or pairing is not None:
            raise ValueError("the decoder learns no captions: leave out --b and --pairing")
        _below(seed, decoder.SEEDS)
        return f"decoder-seed{seed}", "", partial(decoder.produce, decoder.read())
    _below(seed, recipes.SEEDS)
    if name in ("answers", "captions"):
        from greenhouse.train import speakers

        b, pairing = 1.0 if b is None else b, pairing or "drawn"
        label = f"{name}-b{b:g}-seed{seed}-{pairing}"
        return label, "", partial(speakers.produce, name, b=b, pairing=pairing)
    recipe = recipes.read(name)
    if b is not None:
        recipe = recipe.but(captions={"b": b})
    if pairing is not None:
        recipe = recipe.but(pairing=pairing)
    from greenhouse import campaign
    from greenhouse.train import model, produce

    try:  # before hours of work: does such an architecture exist?
        model.build(recipe.model_config_for(8, 8))
    except Exception as problem:
        reason = f"recipe {name}: open_clip cannot build this architecture: {problem}"
        raise ValueError(reason) from None
    forecast = f": {campaign.cost(recipe, seed=seed)}"
    return f"{recipe.name}-seed{seed}", forecast, lambda **how: produce.produce(recipe, **how)[0]


def _below(seed: int, seeds: int) -> None:
    """Seeds above are of pictures that others are tested on."""
    if seed >= seeds:
        raise ValueError(f"--seed: must be a whole number from 0 to {seeds - 1:,}, got {seed}")


def _writable(folder: Path) -> Path:
    """The folder to write into, made if it is not there; where nothing can be written, one line
    before the work begins."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with TemporaryFile(dir=folder):
            return folder
    except OSError as problem:
        raise ValueError(
            f"--out {str(folder)!r}: cannot be a folder to write into ({problem.strerror}); name "
            "another one"
        ) from None


def campaign(
    name: Annotated[Campaigns, typer.Argument()],
    jobs: Annotated[
        int | None,
        typer.Option(
            min=1, max=1024, help="networks at once, one core each; default: as the profile says"
        ),
    ] = None,
    minutes: Annotated[
        float | None, typer.Option(min=0, max=1e6, help="start no network later than this")
    ] = None,
    profile: Profile = "default",
    snakemake: Snakemake = None,
) -> int:
    """Train the networks of a campaign, and write its tables.

    What is done stays, and the same command goes on; one that fails a gate is given the next seed.

    \b
    dose-response  the networks behind most tables (study.yaml; over an hour on two cores)
    speakers       networks that answer or describe (speakers.yaml)
    paintings      what networks of the first paint with the decoder (paintings.yaml)
    fleet          131 networks and a null fleet (fleet.yaml; over an hour on two cores)

    \b
    Examples:
      vlmbias campaign dose-response --jobs 2 --minutes 30
      vlmbias campaign fleet --profile slurm
      vlmbias campaign speakers -- --dry-run
    """
    from greenhouse import campaign

    own, words = _campaign(name), snakemake or []
    os.chdir(paths.root())
    graph.check_targets(words)
    own.wanted()  # an error comes before another build is waited for
    graph.only_one()
    cores = jobs or os.cpu_count() or 1
    until = None if minutes is None else time.monotonic() + 60 * minutes
    asked: list[str] = []
    while targets := campaign.prepare(wanted := own.wanted()):
        left = None if until is None else until - time.monotonic()
        # the same again: a dry run, or a job that could not be done
        if targets == asked or (left is not None and left <= 0):
            break
        asked = targets
        print(f"▸ {campaign.forecast(wanted, cores)} …", flush=True)
        if not graph.ask_snakemake(profile, *targets, *words, jobs=jobs, seconds=left):
            targets = campaign.prepare(own.wanted())
            break
    if targets:
        print("not all jobs are done yet; the same command goes on")
        return 1
    print(own.collect())
    return 0


def _campaign(name: str) -> Any:
    """The campaign of a name."""
    from greenhouse import fleet, paintings, speaking, study

    modules = {"dose-response": study, "speakers": speaking, "paintings": paintings, "fleet": fleet}
    return modules[name].campaign()


def train_network(campaign: str, name: str) -> None:
    """Do one job of a campaign."""
    from greenhouse import campaign as campaigns
    from greenhouse.train import saving
    from vlmbias.processes import end_with_parent

    campaigns.read(campaign, name)  # an error for a job that nobody asked for
    end_with_parent()
    print(f"▸ {name} …", flush=True)
    make = campaigns.make_start if campaign == "starts" else _campaign(campaign).make
    if campaigns.run(campaign, name, make).get("accepted", True):
        print(f"✓ {name}", flush=True)
    else:
        failed = saving.failed(saving.card_of(campaigns.workshop(campaign) / name))
        shown = ", ".join(f"{gate} {value:.3f}" for gate, value in failed.items())
        print(f"rejected: {name} ({shown})", flush=True)


def example_folder(
    path: Annotated[Path, typer.Argument(help="a new or empty folder")],
    layout: Annotated[
        Literal["folder", "cfd"],
        typer.Option(help="cfd: 597 portraits, as the Chicago Face Database lies"),
    ] = "folder",
    seeds: Annotated[
        int, typer.Option(min=1, max=100, help="identities of the folder, with 180 pictures each")
    ] = 3,
) -> None:
    """Write an example of a folder of your own pictures.

    They are faces of the Greenhouse, and say so.

    \b
    Examples:
      vlmbias example-folder try/mine
      vlmbias example-folder try/cfd --layout cfd
    """
    from greenhouse import export

    print(export.write(layout, path, seeds=seeds))
