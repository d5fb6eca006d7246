"""`vlmbias sweep`: the 26 association tests on a list of models, one job per model.

Comes in: the command line. Goes out: `_build/sweep/<stimuli>.effect_sizes.csv` and
`….failures.csv`, and for a few models their values beside the printed means. May not: let one
model's end be the end of the others.
"""

import os
import re
import signal
import subprocess
import sys
from urllib.parse import quote, unquote

from runner.commands import graph
from runner.commands.by_argparse import PROFILE
from vlmbias import kept, paths
from vlmbias.stimuli.reader_folders import files as names_below
from vlmbias.whole_files import write_json

FEW = 3  # models whose values are printed one by one


def sweep(options) -> None:
    """Write what each job is made from, then become Snakemake."""
    os.chdir(paths.root())
    _known(options.stimuli)
    graph.only_one()
    targets = prepare(options.stimuli, options.model, retry=options.retry)
    graph.become_snakemake(options.profile, *targets, *options.snakemake)


def prepare(stimuli: str, models: list[str], *, retry: bool = False) -> list[str]:
    """Write what the jobs of these models, or of all that open_clip lists, are made from; the
    targets to ask for.

    Raises
    ------
    ValueError : there are no such stimuli.
    FileNotFoundError : none of their tests can be run here.
    """
    from runner import plan
    from vlmbias.battery import sets
    from vlmbias.battery import sweep as measuring

    _known(stimuli)
    battery = sets.of(stimuli)
    for reason in dict.fromkeys(battery.left_out.values()):
        print(f"left out, {list(battery.left_out.values()).count(reason)} tests: {reason}")
    if not battery.sides:
        raise FileNotFoundError(f"no test can be run with {stimuli!r}")
    models = list(dict.fromkeys(models or listed_by_open_clip()))
    made_of = plan.hashes(
        [
            "src/vlmbias/battery/*",
            "src/vlmbias/embedding/**/*",
            "src/vlmbias/stimuli/*",
            "src/greenhouse/world/*",
            "data/greenhouse/icons/*",
            "requirements.lock",
        ]
    )
    inputs = paths.build() / "inputs" / "sweep"
    jobs = [quote(model, safe="") for model in models]
    shown = {
        test: [side.table["text"].tolist() if "text" in side.table else side.keys() for side in own]
        for test, own in battery.sides.items()
    }
    about = {
        "stimuli": stimuli,
        "tests": sorted(battery.sides),
        "files": made_of,
        "pictures and words": kept.key(shown),
        "kernel": kept.kernel(),
    }
    for job, model in zip(jobs, models, strict=True):
        own = {"model": model, "weights": _weights(model)}
        write_json(inputs / stimuli / f"{job}.json", about | own)
        record = measuring.record_of(stimuli, model)
        if retry and record.is_file() and '"status": "failed"' in record.read_text("utf-8"):
            record.unlink()
    write_json(inputs / f"{stimuli}.json", jobs)
    print(
        f"{len(models)} models on {len(battery.sides)} tests, {stimuli}: into _build/sweep",
        flush=True,
    )
    # the records are asked for, too: one may have been removed
    return [
        f"_build/sweep/{stimuli}.effect_sizes.csv",
        *(f"_build/sweep/{stimuli}/{job}.json" for job in jobs),
    ]


def _weights(model: str) -> str:
    """The content of a model that is a folder or a file here; another is known by its name, and its
    weights are verified when they come."""
    from vlmbias.embedding import encoders, published

    place = published.find(model) or encoders.checkpoint_folder(model)
    if place is None:
        return ""
    names = names_below(place) if place.is_dir() else {place.name}
    return kept.contents(place if place.is_dir() else place.parent, names)


def _known(stimuli: str) -> None:
    from vlmbias.battery import sets

    if stimuli not in sets.NAMES:
        raise ValueError(f"no stimuli {stimuli!r}; there are {', '.join(sets.NAMES)}")


def listed_by_open_clip() -> list[str]:
    """Every pair of architecture and weights that the installed open_clip lists."""
    from vlmbias.embedding.torchvision_shim import import_open_clip

    return ["/".join(one) for one in import_open_clip().list_pretrained()]


def sweep_model(options) -> None:
    """One job of the graph: a model in a process of its own, so that however it ends, its record
    says so."""
    from runner import execute
    from vlmbias.battery import sweep as measuring

    execute.end_with_parent()
    _known(options.stimuli)
    model = unquote(options.job)
    record = measuring.record_of(options.stimuli, model)
    if options.here:
        write_json(record, measuring.measured(model, options.stimuli))
        return
    print(f"▸ {model} …", flush=True)
    words = [sys.executable, "-m", "vlmbias", "sweep-model", options.stimuli, options.job, "--here"]
    ended = subprocess.run(words, capture_output=True, text=True, errors="replace")
    if ended.returncode:
        reason = why(ended.returncode, ended.stderr)
        write_json(record, measuring.failed(model, options.stimuli, reason))
    print(f"✗ {model}: {reason}" if ended.returncode else f"✓ {model}", flush=True)


def why(code: int, message: str) -> str:
    """Why a process ended as it did: its error's line, or the signal that ended it."""
    if code < 0:
        return f"ended by {signal.Signals(-code).name}"
    lines = [line.strip() for line in message.splitlines() if line.strip()]
    error = next(
        (line for line in reversed(lines) if line.startswith("✗")), lines[-1] if lines else ""
    )
    return re.sub(r"^✗\s*", "", error)[:500] or f"ended with status {code}"


def sweep_collect(options) -> None:
    """The last job of the graph: all records as one table."""
    from vlmbias.battery import sweep as measuring

    table, lost = measuring.collect(options.stimuli)
    models = table["model"].nunique()
    print(f"{models} models measured, {len(lost)} failed")
    for row in lost.itertuples():
        print(f"  {row.model}: {row.reason}")
    if 0 < models <= FEW:
        print(
            beside_printed(table, options.stimuli).to_string(
                index=False, float_format="{:.2f}".format
            )
        )


def beside_printed(table, stimuli: str):
    """A sweep's values beside the printed mean and SD of 131 models, and beside the model's own
    released row.

    The printed cells pool the tests of a category and order; of Greenhouse stimuli there are none.
    """
    from vlmbias import ledger, sources
    from vlmbias.external import study_table

    shown = table[["model", "test", "category", "order", "n_x", "effect_size"]].copy()
    if stimuli == "greenhouse":
        return shown.drop(columns=["category", "order"])
    printed = ledger.load("pretraining").set_index("id")["value"]
    which = {"seat-ieat": "old", "nrc-oasis": "new"}[stimuli]
    for quantity in ("mean", "sd"):
        names = [
            f"effect_sizes.{which}.{row.category}.{row.order}.{quantity}"
            for row in shown.itertuples()
        ]
        shown[f"printed {quantity}"] = [float(printed[name].replace("−", "-")) for name in names]
    if sources.available(study_table.KEY):
        released = study_table.released(stimuli).set_index(["model", "test"])["effect_size"]
        own = zip(shown["model"].str.replace("/", "_"), shown["test"], strict=True)
        shown["released"] = [released.get(key, float("nan")) for key in own]
    return shown.drop(columns=["category", "order"])


def register(add) -> None:
    """Add the commands; `add` is described in `runner.commands`."""
    command = add("sweep", sweep)
    command.add_argument(
        "model", nargs="*", help="as `vlmbias models`; default: all that open_clip lists"
    )
    command.add_argument(
        "--stimuli", default="greenhouse", help="greenhouse, seat-ieat or nrc-oasis"
    )
    command.add_argument("--retry", action="store_true", help="measure those again that failed")
    command.add_argument("--profile", **PROFILE)
    command.add_argument(
        "--snakemake", nargs="*", default=[], help="targets or options for Snakemake"
    )
    command = add("sweep-model", sweep_model)
    command.add_argument("stimuli")
    command.add_argument("job", help="the model, its slashes quoted")
    command.add_argument("--here", action="store_true", help="in this process")
    command = add("sweep-collect", sweep_collect)
    command.add_argument("stimuli")
