"""The steps of `vlmbias first-light` and the records that each set of data reaches: the directive
`{first-light}`.

Comes in: the steps (`runner.first_light`), the claims, the papers' settings. Goes out: tables
`steps`, `asked` and `chapters`, a paragraph, `records`, and the form of the command's `answer`.
May not: say what will be found, only what a value can be set beside.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

from docutils import nodes
from ledger import NAMES, depend
from sphinx.application import Sphinx
from sphinx.util.docutils import SphinxDirective

from runner import first_light
from runner.commands import first_light as command
from vlmbias import ledger, paths


def _table(head: tuple[str, ...], rows: list[tuple[str, ...]]) -> str:
    body = "\n".join("* - " + "\n  - ".join(row) for row in [head, *rows])
    return f":::{{list-table}}\n:header-rows: 1\n\n{body}\n:::"


def _chapter(name: str) -> str:
    return f"{{doc}}`../notebooks/{name}`"


def steps() -> str:
    """What each step settles, runs and costs; weights that an earlier step has downloaded are not
    counted again."""
    rows, here = [], set()
    for step in first_light.steps():
        again = step.weights.megabytes if step.weights in here and step.weights else 0
        here.add(step.weights)
        runs = ", ".join(
            [*map(_chapter, step.chapters), *(f"`vlmbias sweep`, {one}" for one in step.sweeps)]
        )
        rows.append(
            (
                f"`{step.name}`",
                step.settles,
                runs,
                f"{first_light.size(step) - again:,.0f}",
                f"{step.minutes}{'' if step.measured else ' (estimated)'}",
                f"{step.gigabytes:g}",
            )
        )
    every = first_light.steps()
    once = {step.weights: step.weights.megabytes for step in every if step.weights}
    files = sum(first_light.size(replace(step, weights=None)) for step in every)
    rows.append(
        (
            "all of them",
            "–",
            "–",
            f"{files + sum(once.values()):,.0f}",
            f"{sum(step.minutes for step in every)}",
            f"{max(step.gigabytes for step in every):g}",
        )
    )
    return _table(
        ("step", "what it settles", "what it runs", "MB to download", "minutes", "GB of memory"),
        rows,
    )


def answer() -> str:
    """How the command answers the question of its first step; an ellipsis is what it will find."""
    step, known = first_light.FIRST[0], ledger.load().set_index("id")
    lines = [
        command.answer(known.loc[name], known.loc[name, "value"], "…", "…") for name in step.decides
    ]
    return "\n".join(["```text", f"{step.settles}:", *lines, "```"])


def asked() -> str:
    """What has to be asked for, in the sets that complete records, by how many."""
    sets = Counter(keys for _, _, keys in first_light.reach() if keys)
    rows = [
        (" and ".join(f"`{key}`" for key in sorted(keys)), f"{n:,}")
        for keys, n in sets.most_common()
    ]
    return _table(("what you have to get", "records that it completes"), rows)


def chapters() -> str:
    """Per chapter: its records, how many the open part reaches, and what the others need."""
    rows = [
        (
            NAMES[name.partition("/")[0]] + ": " + _chapter(name),
            f"{records:,}",
            f"{n:,}",
            ", ".join(f"`{key}`" for key in lacking)
            or ("nothing" if n == records else "nothing: they name neither data nor a model"),
        )
        for name, records, n, lacking in first_light.chapters()
    ]
    return _table(
        ("chapter", "records", "reached with a network alone", "what its other records need"), rows
    )


def records() -> str:
    """How many records the open part reaches, how many need more, and how many name no data and no
    model."""
    every = first_light.reach()
    n = sum(needed and not keys for _, needed, keys in every)
    more = sum(bool(keys) for _, _, keys in every)
    return (
        f"The ledger has {len(every):,} records. A network alone brings all that {n:,} of them"
        f" need. Another {more:,} need data or weights that a person has to ask for. The rest are"
        " about neither data nor a model, such as the number of words in a list; the free files"
        " decide a few of these."
    )


class FirstLight(SphinxDirective):
    """`{first-light} steps`, `answer`, `asked`, `chapters` or `records`."""

    required_arguments = 1

    def run(self) -> list[nodes.Node]:
        depend(self.env)
        for name in ("sources.yaml", f"settings/{first_light.SETTINGS}.yaml"):
            self.env.note_dependency(str(paths.data() / name))
        made = {
            "steps": steps,
            "answer": answer,
            "asked": asked,
            "chapters": chapters,
            "records": records,
        }
        return self.parse_text_to_nodes(made[self.arguments[0]]())


def setup(app: Sphinx) -> dict:
    app.add_directive("first-light", FirstLight)
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}
