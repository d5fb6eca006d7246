"""The steps of the graph, which the Snakefile starts and nobody types."""

import json
import os
import time
from typing import Annotated
from urllib.parse import unquote

import typer

from vlmbias import paths


def run_notebook(
    name: Annotated[str, typer.Argument(metavar="NOTEBOOK")],
    model: Annotated[bool, typer.Option("--model", help="it is <model>/<paper>/<name>")] = False,
    threads: int = 1,
) -> None:
    """Execute a notebook, or its protocol for another model."""
    from runner import execute

    execute.end_with_parent()
    build = paths.build()
    inputs, executed, results, failed = (
        ("models", "models", "models", "failed/models")
        if model
        else ("notebooks", "executed", "results", "failed")
    )
    record = json.loads((build / f"inputs/{inputs}/{name}.json").read_bytes())
    shown = unquote(name)
    print(f"▸ {shown} …", flush=True)
    made = execute.run(
        record,
        executed=build / f"{executed}/{name}.ipynb",
        results=build / f"{results}/{name}.json",
        working=build / f"{failed}/{name}.ipynb",
        threads=threads,
    )
    print(
        f"✓ {shown} ({made['seconds']:.0f} s, {made['core_seconds']:.0f} core-seconds)", flush=True
    )


def embed(
    job: Annotated[str, typer.Argument(help="the model, its slashes quoted")], threads: int = 1
) -> None:
    """Put image sets through a model, into the store, so that notebooks only read vectors."""
    from runner import execute

    execute.end_with_parent()
    execute.set_threads(threads)
    record = json.loads((paths.build() / f"inputs/vectors/{job}.json").read_bytes())
    os.environ["VLMBIAS_IDENTITIES"] = str(record["identities"] or "")
    from vlmbias import embedding
    from vlmbias.stimuli.images import images
    from vlmbias.whole_files import write_json

    model = embedding.encoder(record["model"])
    sets = {name: images(name) for name in record["images"]}
    listed = ", ".join(f"{len(shown):,} images of {name}" for name, shown in sets.items())
    print(f"▸ {model.name} looks at {listed}; what is stored is not looked at again …", flush=True)
    counts = {name: len(embedding.embed(model, shown)) for name, shown in sets.items()}
    write_json(paths.build() / f"vectors/{job}.json", record | {"images": counts})
    print(f"✓ {sum(counts.values()):,} images by {model.name}", flush=True)


def collate() -> None:
    """Merge the results of all notebooks into `_build/ledger.json`."""
    from vlmbias import ledger

    print(ledger.collate())


def stage() -> None:
    """Lay out the book in `_build/stage`, and render it into `_build/site`."""
    from runner import execute
    from runner import stage as staging

    execute.end_with_parent()
    print("▸ building the pages …", flush=True)
    began = time.perf_counter()
    staging.build()
    print(f"✓ the book ({time.perf_counter() - began:.0f} s)")
