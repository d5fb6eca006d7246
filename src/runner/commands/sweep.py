"""`vlmbias sweep`: the 26 association tests on a list of models, one job per model, and their
values beside those that were published for the same models."""

import json
import os
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from multiprocessing import get_context
from typing import Annotated, Any
from urllib.parse import quote, unquote

import typer

from runner.commands import graph
from runner.commands.graph import Profile
from vlmbias import paths
from vlmbias.number_signs import counted

FEW = 3  # models whose values are printed one by one
MADE_OF = (
    *("src/vlmbias/battery/*", "src/vlmbias/embedding/**/*", "src/vlmbias/stimuli/*"),
    *("src/greenhouse/world/*", "data/greenhouse/icons/*", "requirements.lock"),
)


def sweep(
    model: Annotated[
        list[str] | None,
        typer.Argument(help="architecture/weights, or a folder; default: all that open_clip lists"),
    ] = None,
    *,
    stimuli: Annotated[
        str,
        typer.Option(
            help="greenhouse, seat-ieat or nrc-oasis; default: greenhouse for the Greenhouse's"
            " models, seat-ieat for others"
        ),
    ] = "",
    retry: Annotated[bool, typer.Option("--retry", help="measure those again that failed")] = False,
    profile: Profile = "default",
) -> int:
    """Put the 26 association tests to models.

    Of a real model, say whether its values are those that were published for it.

    \b
    Examples:
      vlmbias sweep greenhouse greenhouse/b0
      vlmbias sweep ViT-B-32-quickgelu/openai
      vlmbias sweep --retry --profile slurm
    """
    from runner import names

    models = list(dict.fromkeys(map(names.model_from_here, model or [])))
    os.chdir(paths.root())
    stimuli = stimuli or usual(models)
    _known(stimuli)
    models = models or listed_by_open_clip()
    graph.only_one()
    if not graph.ask_snakemake(profile, *prepare(stimuli, models, retry=retry)):
        return 1
    report(stimuli, models)
    return 0


def usual(models: list[str]) -> str:
    """The stimuli for these models: drawings for the Greenhouse's, the earlier studies' for others;
    an error for a mixture."""
    from vlmbias.embedding import encoders

    folders = {model: encoders.checkpoint_folder(model) for model in models}
    drawn = [name for name, place in folders.items() if place and (place / "words.txt").is_file()]
    real = [name for name in models if name not in drawn]
    if drawn and real:
        raise ValueError(
            f"{drawn[0]!r} knows drawings and {real[0]!r} does not; say --stimuli greenhouse or"
            " --stimuli seat-ieat, or give them in two commands"
        )
    return "greenhouse" if drawn else "seat-ieat"


def prepare(stimuli: str, models: list[str], *, retry: bool = False) -> list[str]:
    """Write what the jobs of these models are made from; the targets to ask for.

    Raises
    ------
    ValueError : there are no such stimuli.
    FileNotFoundError : none of their tests can be run here.
    """
    from runner import plan
    from vlmbias import kept
    from vlmbias.battery import sets
    from vlmbias.battery import sweep as measuring
    from vlmbias.whole_files import write_json

    _known(stimuli)
    battery = sets.of(stimuli)
    if not battery.sides:
        raise FileNotFoundError(
            f"no test can be run with {stimuli!r}: its sentences and pictures are not here."
            f" `vlmbias sources --fetch {' '.join(sets.FETCHED)}` brings what is free (45 MB);"
            " --stimuli greenhouse needs no network"
        )
    for reason in dict.fromkeys(battery.left_out.values()):
        left_out = counted(list(battery.left_out.values()).count(reason), "test")
        print(f"left out, {left_out}: {reason}")
    files = plan.hashes(MADE_OF)
    inputs = paths.build() / "inputs" / "sweep"
    jobs = {quote(model, safe=""): model for model in models}
    shown = {
        test: [side.table["text"].tolist() if "text" in side.table else side.keys() for side in own]
        for test, own in battery.sides.items()
    }
    about = {
        "stimuli": stimuli,
        "tests": sorted(battery.sides),
        "files": files,
        "pictures and words": kept.key(shown),
        "kernel": kept.kernel(),
    }
    for job, model in jobs.items():
        own = {"model": model, "weights": _weights(model)}
        write_json(inputs / stimuli / f"{job}.json", about | own)
        record = measuring.record_of(stimuli, model)
        if retry and record.is_file() and measuring.read(stimuli, model)["status"] == "failed":
            record.unlink()
    write_json(inputs / f"{stimuli}.json", list(jobs))
    what = f"{counted(len(models), 'model')} on {counted(len(battery.sides), 'test')}"
    print(f"{what}, {stimuli}: into _build/sweep", flush=True)
    # the records are asked for, too: one may have been removed
    return [
        f"_build/sweep/{stimuli}.effect_sizes.csv",
        *(f"_build/sweep/{stimuli}/{job}.json" for job in jobs),
    ]


def _weights(model: str) -> str:
    """The content of a model that is a folder or a file here; another is known by its name, and its
    weights are verified when they come."""
    from vlmbias import kept
    from vlmbias.embedding import encoders, published
    from vlmbias.stimuli.reader_folders import files

    place = published.find(model) or encoders.checkpoint_folder(model)
    if place is None:
        return ""
    if place.is_file():
        return kept.contents(place.parent, {place.name})
    return kept.contents(place, files(place))


def _known(stimuli: str) -> None:
    from vlmbias.battery import sets

    if stimuli not in sets.NAMES:
        raise ValueError(f"no stimuli {stimuli!r}; there are {', '.join(sets.NAMES)}")


def listed_by_open_clip() -> list[str]:
    """Every pair of architecture and weights that the installed open_clip lists."""
    from vlmbias.embedding.torchvision_shim import import_open_clip

    return ["/".join(one) for one in import_open_clip().list_pretrained()]


def sweep_model(
    stimuli: str, job: Annotated[str, typer.Argument(help="the model, its slashes quoted")]
) -> None:
    """One job of the graph: a model in a process of its own, so that however it ends, its record
    says so."""
    from vlmbias.battery import sweep as measuring
    from vlmbias.processes import end_with_parent
    from vlmbias.progress import spoken
    from vlmbias.whole_files import write_json

    end_with_parent()
    _known(stimuli)
    model = unquote(job)
    print(f"▸ {model} …", flush=True)
    try:
        found = alone(measuring.measured, model, stimuli)
        said = f"✓ {model}, {spoken(found['seconds'])}"
    except Exception as problem:
        reason = f"{problem or type(problem).__name__}"[:500]
        found, said = measuring.failed(model, stimuli, reason), f"✗ {model}: {reason}"
    write_json(measuring.record_of(stimuli, model), found)
    jobs = json.loads((paths.build() / f"inputs/sweep/{stimuli}.json").read_text("utf-8"))
    left = sum(not measuring.record_of(stimuli, unquote(one)).is_file() for one in jobs)
    print(f"{said}; {counted(left, 'model')} to go", flush=True)


def alone(work: Callable[..., Any], *given: Any) -> Any:
    """What a function returns, or the error that it raises, in a process of its own; where the
    system ends that process, a RuntimeError."""
    from vlmbias.processes import end_with_parent

    with ProcessPoolExecutor(1, get_context("spawn"), end_with_parent) as pool:
        try:
            return pool.submit(work, *given).result()
        except BrokenProcessPool:
            raise RuntimeError("its process was ended; mostly the memory was full") from None


def sweep_collect(stimuli: str) -> None:
    """The last job of the graph: all records as one table."""
    from vlmbias.battery import sweep as measuring

    _known(stimuli)
    measuring.collect(stimuli)


def report(stimuli: str, models: list[str]) -> None:
    """Print what was measured of these models, beside what was published for them."""
    from vlmbias.battery import first_check
    from vlmbias.battery import sweep as measuring

    records = [measuring.read(stimuli, model) for model in models]
    failed = [one for one in records if one["status"] == "failed"]
    print(f"{counted(len(records) - len(failed), 'model')} measured, {len(failed)} failed")
    for one in failed:
        print(f"  {one['model']}: {one['reason']}")
    values = first_check.published(stimuli)
    for one in records:
        if one["status"] == "failed":
            continue
        found = first_check.check(one, values)
        print(f"\n{one['model']}, d" + (f"; published: {found.table}" if found else ""))
        if len(models) <= FEW:
            print(beside_published(one, found).to_string(float_format="{:.2f}".format, na_rep="–"))
            for reason in dict.fromkeys(one["left_out"].values()):
                print(f"not measured: {reason}")
        print(found.summary() if found else nothing_published(stimuli))
    if len(failed) == len(records):
        raise typer.Exit(1)


def beside_published(record, found):
    """One row per test: what was measured, what was published for the same model, and the printed
    mean and SD of 131 models, which pool the tests of a category and order."""
    import pandas as pd

    from vlmbias import ledger
    from vlmbias.battery import listed, sets

    tests = listed().set_index("test")
    shown = pd.DataFrame(record["rows"]).set_index("test")[["n_x", "effect_size"]]
    shown = shown.set_axis(["n", "d"], axis=1).reindex(tests.index)
    shown["n"] = shown["n"].map("{:.0f}".format, na_action="ignore")
    if record["stimuli"] == "greenhouse":
        return shown
    beside = found.tests if found else pd.DataFrame(columns=["published", "difference"])
    shown = shown.join(beside[["published", "difference"]])
    printed = ledger.load("pretraining").set_index("id")["value"]
    which = {"seat-ieat": "old", "nrc-oasis": "new"}[record["stimuli"]]
    for quantity in ("mean", "sd"):
        shown[f"131 models, {quantity}"] = [
            float(printed[f"effect_sizes.{which}.{category}.{order}.{quantity}"].replace("−", "-"))
            for category, order in tests[["category", "order"]].itertuples(index=False)
        ]
    listed_or_not = {True: "stimuli not listed", False: "stimuli not at hand"}
    left_out = pd.Series(record["left_out"], dtype=object).eq(sets.NOT_RELEASED)
    shown["note"] = left_out.map(listed_or_not).reindex(shown.index, fill_value="")
    if found and found.settled:
        shown.loc[found.tests.index, "note"] = found.tests["explained"]
    return shown


def nothing_published(stimuli: str) -> str:
    """Why a model's values stand beside none of its own."""
    from vlmbias import sources
    from vlmbias.external import study_table

    if stimuli == "greenhouse":
        return "No values are published for the Greenhouse's stimuli."
    if sources.available(study_table.KEY):
        return "No values are published for this model."
    return f"No values of this model are at hand; for those of 131: {sources.how(study_table.KEY)}"
