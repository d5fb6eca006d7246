"""`vlmbias first-light`: everything that a network alone can settle, step by step, and what came
out of it.

Comes in: the command line. Goes out: downloads in the cache, executed chapters and sweeps in
`_build`, and `_build/first-light.csv`: each record, what is printed and what was found. May not:
run a chapter by another way than the graph of `vlmbias book`, or let one step's end be the end of
the others.
"""

from __future__ import annotations

import json
import os
import subprocess
import textwrap
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

from runner.commands import graph
from runner.commands.shared_options import PROFILE
from vlmbias import paths

if TYPE_CHECKING:
    import pandas as pd

    from runner.first_light import Step

TABLE = "first-light.csv"
WIDTHS = (10, 44, 12, 9, 8, 26)  # of the columns of the plan, in signs


def first_light(options) -> int:
    """Print the plan, go through the steps, and say what came out; 1 where a step failed."""
    from runner import first_light

    os.chdir(paths.root())
    chosen, whole = first_light.steps(options.only), first_light.whole()
    print(planned(chosen, whole), flush=True)
    if options.plan:
        return 0
    graph.only_one()
    causes = {}
    try:
        for step in chosen:
            if cause := first_light.left(step, whole) and done(step, options.profile):
                causes[step.name] = cause
                print(f"✗ {step.name}: {cause}", flush=True)
            else:
                print(f"✓ {step.name}", flush=True)
    except KeyboardInterrupt:
        print("interrupted: what is whole is kept, and the same command goes on", flush=True)
        raise
    print(came_out(chosen))
    if causes:
        print(
            "\nNot settled; the same command tries again:",
            *(f"{name}: {cause}" for name, cause in causes.items()),
            sep="\n  ",
        )
    return 1 if causes else 0


# --- before ---------------------------------------------------------------------------------------


def planned(chosen: list[Step], whole: set[str]) -> str:
    """The plan as a table: what each step settles, still downloads and costs, and how far it is."""
    from runner import first_light

    counted = set()
    rows = [("step", "what it settles", "to download", "minutes", "memory", "done")]
    for step in chosen:
        wanted, left = (*step.chapters, *step.sweeps), first_light.left(step, whole)
        here = [one for one in wanted if one not in left]
        weights = (
            {step.weights} - counted
            if step.weights and not first_light.here(step.weights)
            else set()
        )
        counted |= weights
        megabytes = (
            first_light.missing(step) / 1e6 + sum(one.megabytes for one in weights) if left else 0
        )
        rows.append(
            (
                step.name,
                step.settles,
                f"{megabytes:,.1f} MB" if megabytes else "nothing",
                f"{'' if step.measured else '~ '}{step.minutes}" if left else "0",
                f"{step.gigabytes:g} GB",
                f"{len(here)} of {len(wanted)}" + (f": {', '.join(here)}" if here and left else ""),
            )
        )
    notes = [
        "Minutes are those of one core, without the download; ~ marks an estimate, the others were"
        " measured with random weights. Weights that two steps use are downloaded, and counted,"
        " once."
    ]
    return "\n".join([*(line for row in rows for line in _lines(row)), *notes])


def _lines(row: tuple[str, ...]) -> list[str]:
    """A row of a table as lines, its cells wrapped to the columns' widths."""
    cells = [textwrap.wrap(cell, width) for cell, width in zip(row, WIDTHS, strict=True)]
    padded = [cell + [""] * (max(map(len, cells)) - len(cell)) for cell in cells]
    return [
        "  ".join(part.ljust(width) for part, width in zip(line, WIDTHS, strict=True)).rstrip()
        for line in zip(*padded, strict=True)
    ]


# --- during ---------------------------------------------------------------------------------------


def done(step: Step, profile: str) -> str:
    """Do what is left of a step; why something of it is left afterwards, or nothing."""
    from runner import first_light

    if cause := first_light.full(step):
        return cause
    print(f"▸ {step.name}: {step.settles.lower()} …", flush=True)
    try:
        causes = _run(step, profile)
    except (OSError, ValueError) as problem:  # a disk that fills, a set that cannot be read
        causes = [str(problem)]
    left = first_light.left(step, first_light.whole())
    return "; ".join(causes or [f"not whole: {', '.join(left)}"]) if left else ""


def _run(step: Step, profile: str) -> list[str]:
    """Download what a step needs, run what can be run, and say what went wrong."""
    from runner import plan
    from vlmbias import sources

    causes = sources.fetch(step.sources)
    there = {key for key in step.sources if sources.available(key)}
    chapters, targets = [], []
    for name in step.chapters:
        if step.weights or there & set(_needs(name)):
            chapters.append(name)
    if chapters:
        plan.prepare("open", chapters)
        lacking = {name: _lacking(name, step) for name in chapters}
        causes += dict.fromkeys(cause for cause in lacking.values() if cause)
        targets += [f"_build/executed/{name}.ipynb" for name in chapters if not lacking[name]]
    if step.sweeps and there:
        targets += _sweeps(step)
    if targets:
        graph.embed_first(profile, *targets)
        if subprocess.run(graph.snakemake(profile, *targets), close_fds=False).returncode:
            causes += [cause for name in chapters if (cause := _error(name))]
    return causes + _not_measured(step)


def _needs(notebook: str) -> tuple[str, ...]:
    from runner import first_light

    return first_light.needs(notebook)


def _planned(notebook: str) -> dict[str, Any]:
    return json.loads((paths.build() / f"inputs/notebooks/{notebook}.json").read_text("utf-8"))


def _lacking(notebook: str, step: Step) -> str:
    """Why the weights of a step are not there, as the plan of a notebook says; empty where they
    are."""
    record = _planned(notebook)
    if "error" in record:
        return record["error"]
    if not step.weights:
        return ""
    state = record["sources"].get(f"weights of {step.weights.model}")
    return (
        ""
        if state and state["available"]
        else str(state["note"] if state else f"no {step.weights.model} asked for")
    )


def _sweeps(step: Step) -> list[str]:
    """Write what a step's sweeps are made from; what to ask the graph for."""
    from runner.commands import sweep

    models = [step.weights.model] if step.weights else []
    return [
        target for stimuli in step.sweeps for target in sweep.prepare(stimuli, models, retry=True)
    ]


def _not_measured(step: Step) -> list[str]:
    """Why a step's model was not measured, for each of its stimuli."""
    causes = []
    for stimuli in step.sweeps:
        model = step.weights.model if step.weights else ""
        record = paths.build() / "sweep" / stimuli / f"{quote(model, safe='')}.json"
        about = json.loads(record.read_text("utf-8")) if record.is_file() else {}
        if about.get("status") == "failed":
            causes.append(f"{stimuli}: {about['reason']}")
    return causes


def _error(notebook: str) -> str:
    """The error in the kept copy of a notebook that failed; empty if there is none."""
    copy = paths.build() / f"failed/{notebook}.ipynb"
    if not copy.is_file():
        return ""
    cells = json.loads(copy.read_bytes())["cells"]
    errors = [
        one for cell in cells for one in cell.get("outputs", ()) if one["output_type"] == "error"
    ]
    message = (
        f"{errors[0]['ename']}: {errors[0]['evalue']}" if errors else "ended before its last cell"
    )
    return f"{notebook}: {message} (its copy: _build/failed/{notebook}.ipynb)"


# --- after ----------------------------------------------------------------------------------------


def came_out(chosen: list[Step]) -> str:
    """What was asked, with its answer; every record with a verdict; counts; how to make a bundle.
    Writes the CSV."""
    from vlmbias.whole_files import replacing

    rows = verdicts({name for step in chosen for name in step.chapters})
    with replacing(paths.build() / TABLE) as temporary:
        rows.to_csv(temporary, index=False, lineterminator="\n")
    first, rest = (
        _decided(chosen, rows),
        rows[~rows["claim"].isin([one for step in chosen for one in step.decides])],
    )
    found = rest[~rest["verdict"].str.startswith("not run")]
    shown = (
        found.drop(columns="chapter").to_string(index=False, max_colwidth=48) if len(found) else ""
    )
    short = rows["verdict"].str.replace(r" \(because.*", "", regex=True)
    counted = rows.groupby(["chapter", short], sort=False).size()
    lines = [f"  {chapter}: {n} × {verdict}" for (chapter, verdict), n in counted.items()]
    judged = rows[~rows["verdict"].str.startswith("not run")]
    papers = dict.fromkeys(name.partition("/")[0] for name in judged["chapter"])
    after = [f'  vlmbias export-results {paper} --by "Your name"' for paper in papers]
    none = f"No {'other ' * bool(first)}record has a verdict yet."
    return "\n".join(
        [
            *first,
            "",
            shown or none,
            "",
            "Records by chapter:",
            *lines,
            f"All of them, with reasons: _build/{TABLE}",
            *(["Send what was found:", *after] if after else []),
        ]
    )


def _decided(chosen: list[Step], rows: pd.DataFrame) -> list[str]:
    """Per step with a question that records of its own answer: the question, and each with printed,
    ours, verdict."""
    from vlmbias import ledger

    lines, known = [], ledger.load().set_index("id")
    for step in chosen:
        own = rows.set_index("claim").reindex(step.decides).dropna(subset="verdict")
        lines += ["", f"{step.settles}:"] if len(own) else []
        lines += [
            answer(known.loc[name], row["printed"], row["ours"] or "–", row["verdict"])
            for name, row in own.iterrows()
        ]
    return lines


def answer(record: pd.Series, printed: str, ours: str, verdict: str) -> str:
    """The line that answers a step's question with one record of the ledger."""
    return f"  {record['quantity']}, {record['subject']}: printed {printed}, ours {ours}: {verdict}"


def verdicts(chapters: set[str]) -> pd.DataFrame:
    """One row per record of these chapters: claim, chapter, where, printed, ours, verdict; from the
    ledger."""
    from vlmbias import ledger

    card = ledger.scorecard()
    names = {
        "id": "claim",
        "notebook": "chapter",
        "where": "where",
        "value": "printed",
        "found": "ours",
        "rerun": "verdict",
    }
    return card.loc[card["notebook"].isin(chapters), list(names)].rename(columns=names)


def register(add) -> None:
    """Add the command; `add` is described in `runner.commands`."""
    command = add("first-light", first_light)
    command.add_argument(
        "--plan", action="store_true", help="only print the steps, what they cost and what is done"
    )
    command.add_argument(
        "--only", default="", metavar="STEP", help="table, words, stimuli, train-mode or rest"
    )
    command.add_argument("--profile", **PROFILE)
