"""The graph: model → vectors; notebook → executed notebook + results → ledger → book; results for other models.

Run it with `make book` (or `vlmbias book`), which first writes `_build/inputs/*.json`: for each notebook,
the content hashes of everything it is made from. A file there changes only when one of those contents
does, so the graph needs no other input and a `touch` reruns nothing. Rules are thin calls of the package.
"""

import json
import shlex
import sys
import threading
import time
from pathlib import Path
from urllib.parse import quote

from snakemake.scheduling.job_scheduler import JobScheduler

# What Snakemake does at SIGTERM takes a lock. Where the thread that the signal interrupts has that lock, as while it does
# the same for the signal before (`make` hands on what reached everybody), it would wait for itself: a thread need not.
GENTLY = JobScheduler.exit_gracefully
JobScheduler.exit_gracefully = lambda *of: threading.Thread(target=GENTLY, args=of, daemon=True).start()

BEGAN = time.time()
VLMBIAS = f"exec {shlex.quote(sys.executable)} -m vlmbias"
NOTEBOOKS = sorted(path.with_suffix("").relative_to("notebooks").as_posix() for path in Path("notebooks").glob("*/*.py"))


def asked(kind):
    """The jobs of a kind that the settings ask for: chapters with other models, models that embed."""
    listed = Path(f"_build/inputs/{kind}.json")
    return [f"_build/{kind}/{job}.json" for job in (json.loads(listed.read_text()) if listed.is_file() else [])]


MODELS = asked("models")


def vectors(record):
    """What the models of a notebook's input record see. It has to be there first, but a notebook is not run again when
    a model has looked at more: of what a notebook uses, its own record holds the hashes."""
    place = Path(f"_build/inputs/{record}.json")
    named = json.loads(place.read_text("utf-8")).get("vectors", {}) if place.is_file() else {}
    return [ancient(f"_build/vectors/{quote(model, safe='')}.json") for model in named]


def made_from(wildcards):
    """A notebook's own inputs; a page that compares models on a paper is made of the results of that paper's chapters,
    for every model that has any."""
    place = Path(f"_build/inputs/notebooks/{wildcards.notebook}.json")
    yield str(place)
    yield from vectors(f"notebooks/{wildcards.notebook}")
    paper = json.loads(place.read_text("utf-8")).get("compares", "") if place.is_file() else ""
    if paper:
        yield from (f"_build/results/{other}.json" for other in NOTEBOOKS
                    if other.startswith(f"{paper}/") and other != wildcards.notebook)
        yield from (one for one in MODELS if f"/{paper}/" in one)  # others that are there are in its record


wildcard_constraints:
    model="[^/]+",
    campaign="[a-z-]+",
    job="[a-z0-9.-]+",
    stimuli="[a-z-]+",


rule all:
    input:
        expand("_build/executed/{notebook}.ipynb", notebook=NOTEBOOKS),
        expand("_build/results/{notebook}.json", notebook=NOTEBOOKS),
        "_build/ledger.json",
        "_build/site/built.json",


rule vectors:
    input:
        "_build/inputs/vectors/{model}.json",
    output:
        "_build/vectors/{model}.json",
    threads: lambda wildcards: 1 if wildcards.model.startswith("greenhouse") else min(8, workflow.cores or 1)
    shell:
        "{VLMBIAS} embed {wildcards.model} --threads {threads}"


rule notebook:
    input:
        made_from,
    output:
        executed="_build/executed/{notebook}.ipynb",
        results="_build/results/{notebook}.json",
    threads: 1
    shell:
        "{VLMBIAS} run-notebook {wildcards.notebook} --threads {threads}"


def embedded_for(wildcards):
    """The vectors, for results that are asked for."""
    asked_for = f"_build/models/{wildcards.model}/{wildcards.notebook}.json" in MODELS
    return vectors(f"models/{wildcards.model}/{wildcards.notebook}") if asked_for else []


rule model:
    input:
        embedded_for,
        record="_build/inputs/models/{model}/{notebook}.json",
    output:
        executed="_build/models/{model}/{notebook}.ipynb",
        results="_build/models/{model}/{notebook}.json",
    threads: 1
    shell:
        "{VLMBIAS} run-notebook --model {wildcards.model}/{wildcards.notebook} --threads {threads}"


rule ledger:
    input:
        "_build/inputs/ledger.json",
        expand("_build/results/{notebook}.json", notebook=NOTEBOOKS),
    output:
        "_build/ledger.json",
    shell:
        "{VLMBIAS} collate"


rule book:
    input:
        "_build/inputs/book.json",
        "_build/ledger.json",
        expand("_build/executed/{notebook}.ipynb", notebook=NOTEBOOKS),
    output:
        "_build/site/built.json",
    shell:
        "{VLMBIAS} stage"


# --- training: `vlmbias campaign NAME` writes what its jobs are made from. A job's name holds the hash of that, so what
# is done stays (`update`: Snakemake removes nothing before a job, and the job goes on with what it finds).


def begins_from(wildcards):
    """The warm start that a network begins from; its input record names it."""
    record = json.loads(Path(f"_build/inputs/campaign/{wildcards.campaign}/{wildcards.job}.json").read_text())
    return [ancient(f"_build/campaign/starts/{record['begins_from']}/done.json")] if "begins_from" in record else []


rule train:
    input:
        begins_from,
        ancient("_build/inputs/campaign/{campaign}/{job}.json"),
    output:
        update("_build/campaign/{campaign}/{job}/done.json"),
    threads: 1
    shell:
        "export OMP_NUM_THREADS={threads}; {VLMBIAS} train-network {wildcards.campaign} {wildcards.job}"


# --- the sweep: `vlmbias sweep` writes which models, and asks for the table


def swept(wildcards):
    """The records of the models that were asked for with these stimuli."""
    jobs = json.loads(Path(f"_build/inputs/sweep/{wildcards.stimuli}.json").read_text())
    return [f"_build/sweep/{wildcards.stimuli}/{job}.json" for job in jobs]


rule sweep_model:
    input:
        "_build/inputs/sweep/{stimuli}/{model}.json",
    output:
        "_build/sweep/{stimuli}/{model}.json",
    threads: 1
    shell:
        "export OMP_NUM_THREADS={threads}; {VLMBIAS} sweep-model {wildcards.stimuli} {wildcards.model}"


rule sweep:
    input:
        swept,
    output:
        "_build/sweep/{stimuli}.effect_sizes.csv",
    shell:
        "{VLMBIAS} sweep-collect {wildcards.stimuli}"


def failed_by_itself(path):
    """Whether a notebook's run in this build came to its end, with an error; one that was killed did not."""
    if path.stat().st_mtime <= BEGAN:
        return False
    try:
        about = json.loads(path.read_text("utf-8"))["metadata"].get("papermill", {})
    except ValueError:  # killed while it was written
        return False
    return about.get("end_time") is not None


onerror:
    failed = sorted(str(path) for path in Path("_build/failed").glob("**/*.ipynb") if failed_by_itself(path))
    if failed:
        print("Failed notebooks, each with its error inside:", *failed, sep="\n  ")
    print("What succeeded is kept, and the same command resumes here. If something failed, mend its cause first.")
