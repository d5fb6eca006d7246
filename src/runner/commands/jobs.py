"""`vlmbias run-notebook | embed`: jobs of the graph, which the Snakefile starts and nobody types.

Comes in: the input record of a job. Goes out: what the graph expects of it. May not: outlive the
process that started it.
"""

import argparse
import json
import os
from urllib.parse import unquote

from vlmbias import paths


def run_notebook(options: argparse.Namespace) -> None:
    """One job of the graph: a notebook, or its protocol for another model
    (`<model>/<paper>/<name>`)."""
    from runner import execute

    execute.end_with_parent()
    name, build = options.notebook, paths.build()
    inputs, executed, results, failed = (
        ("models", "models", "models", "failed/models")
        if options.model
        else ("notebooks", "executed", "results", "failed")
    )
    record = json.loads((build / f"inputs/{inputs}/{name}.json").read_text())
    shown = unquote(name)
    print(f"▸ {shown} …", flush=True)
    made = execute.run(
        record,
        executed=build / f"{executed}/{name}.ipynb",
        results=build / f"{results}/{name}.json",
        working=build / f"{failed}/{name}.ipynb",
        threads=options.threads,
    )
    print(
        f"✓ {shown} ({made['seconds']:.0f} s, {made['core_seconds']:.0f} core-seconds)", flush=True
    )


def embed(options: argparse.Namespace) -> None:
    """One job of the graph: image sets through a model, into the store, so that notebooks only read
    vectors."""
    from runner import execute

    execute.end_with_parent()
    execute.set_threads(options.threads)
    record = json.loads((paths.build() / f"inputs/vectors/{options.job}.json").read_text())
    os.environ["VLMBIAS_IDENTITIES"] = str(record["identities"] or "")
    from vlmbias import embedding
    from vlmbias.stimuli.images import images
    from vlmbias.whole_files import write_json

    model = embedding.encoder(record["model"])
    sets = {name: images(name) for name in record["images"]}
    listed = ", ".join(f"{len(shown):,} images of {name}" for name, shown in sets.items())
    print(f"▸ {model.name} looks at {listed}; what is stored is not looked at again …", flush=True)
    counts = {name: len(embedding.embed(model, shown)) for name, shown in sets.items()}
    write_json(paths.build() / f"vectors/{options.job}.json", record | {"images": counts})
    print(f"✓ {sum(counts.values()):,} images by {model.name}", flush=True)


def register(add) -> None:
    """Add the commands; `add` is described in `runner.commands`."""
    command = add("run-notebook", run_notebook)
    command.add_argument("notebook")
    command.add_argument(
        "--model", action="store_true", help="the notebook is <model>/<paper>/<name>"
    )
    command.add_argument("--threads", type=int, default=1)
    command = add("embed", embed)
    command.add_argument("job", help="the model, its slashes quoted")
    command.add_argument("--threads", type=int, default=1)
