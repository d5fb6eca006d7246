"""The steps of `vlmbias first-light` and the records that each set of data reaches: the directive
`{first-light}`.

Comes in: the steps (`runner.first_light`), the claims, the papers' settings. Goes out: paragraphs,
`opening` and `groups`, tables `steps`, `fetched` and `chapters`, the form of the `answer`.
May not: say what will be found, only what a value can be set beside.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

from claims_on_pages import NAMES, depend
from docutils import nodes
from sphinx.application import Sphinx
from sphinx.util.docutils import SphinxDirective

from runner import first_light
from runner.commands import first_light as command
from vlmbias import ledger, paths
from vlmbias.ledger.claims import Claim
from vlmbias.sources.catalogue import Source, catalogue


def _table(head: tuple[str, ...], rows: list[tuple[str, ...]]) -> str:
    body = "\n".join("* - " + "\n  - ".join(row) for row in [head, *rows])
    return f":::{{list-table}}\n:header-rows: 1\n\n{body}\n:::"


def _chapter(name: str) -> str:
    return f"{{doc}}`../notebooks/{name}`"


def _total() -> tuple[float, int]:
    """Megabytes and minutes of all steps; weights that two steps use are counted once."""
    every = first_light.steps()
    once = {step.weights: step.weights.megabytes for step in every if step.weights}
    files = sum(first_light.size(replace(step, weights=None)) for step in every)
    return files + sum(once.values()), sum(step.minutes for step in every)


def _free() -> list[Claim]:
    """The records for which an internet connection alone brings all data and models."""
    return [claim for claim, needed, keys in first_light.reach() if needed and not keys]


def opening() -> str:
    """What the command does, in a paragraph."""
    megabytes, minutes = _total()
    return (
        f"With an internet connection, one command downloads {megabytes / 1000:.1f} GB of free"
        f" files and runs what can be run with them, in about {minutes} minutes beside the"
        " download. We recorded"
        f" {len(ledger.load()):,} numbers and statements that the papers print. For"
        f" {len(_free()):,} of these *records*, the command gets all data and models that one needs"
        " to compute them."
    )


def steps() -> str:
    """What each step settles, runs and costs; weights that an earlier step has downloaded are not
    counted again."""
    rows, here, free = [], set(), Counter(claim.notebook for claim in _free())
    for step in first_light.steps():
        again = step.weights.megabytes if step.weights in here and step.weights else 0
        here.add(step.weights)
        runs = ", ".join(
            [*map(_chapter, step.chapters), *["none: 26 tests alone"] * bool(step.sweeps)]
        )
        rows.append(
            (
                f"`{step.name}`",
                step.settles,
                runs,
                f"{sum(free[name] for name in step.chapters):,}",
                f"{first_light.size(step) - again:,.0f}",
                f"{step.minutes}{'' if step.measured else ' (estimated)'}",
                f"{step.gigabytes:g}",
            )
        )
    megabytes, minutes = _total()
    most = max(step.gigabytes for step in first_light.steps())
    rows.append(
        ("all", "–", "–", f"{len(_free()):,}", f"{megabytes:,.0f}", f"{minutes}", f"{most:g}")
    )
    head = "step", "what it settles", "chapters", "records", "MB", "minutes", "GB of memory"
    return _table(head, rows)


def answer() -> str:
    """How the command answers the question of its first step; an ellipsis is what it will find."""
    step, known = first_light.FIRST[0], ledger.load().set_index("id")
    lines = [
        command.answer(known.loc[name], known.loc[name, "value"], "…", "…") for name in step.decides
    ]
    return "\n".join(["```text", f"{step.settles}:", *lines, "```"])


def fetched() -> str:
    """What a person has to fetch, in the sets that complete records, by how many; and how."""
    known = catalogue()
    sets = Counter(keys for _, _, keys in first_light.reach() if keys)
    rows = [
        (
            " and ".join(f"`{key}`" for key in sorted(keys)),
            f"{n:,}",
            "a signed form for "
            + " and ".join(f"`{key}`" for key in sorted(keys) if _signed(known[key]))
            + " and downloads" * (len(keys) > 1)
            if any(_signed(known[key]) for key in keys)
            else "download" + "s" * (len(keys) > 1),
        )
        for keys, n in sets.most_common()
    ]
    return _table(("what you need, all of a row", "records that it completes", "how"), rows)


def _signed(source: Source) -> bool:
    return "signed" in (source.licence or "")


def groups() -> str:
    """How many records need what, in a paragraph."""
    every = first_light.reach()
    by_hand = sum(bool(keys) for _, _, keys in every)
    neither = sum(not needed and not keys for _, needed, keys in every)
    return (
        f"Of the {len(every):,} records, {by_hand:,} need files that a program cannot fetch for you"
        f" (and {neither:,} need neither data nor a model: they are, for example, the number of"
        " words in a list)."
    )


def chapters() -> str:
    """Per chapter: its records, by what a value for them needs."""
    by_need = {
        "with the internet alone": lambda needed, keys: needed and not keys,
        "with what a person fetches": lambda needed, keys: bool(keys),
        "need no data and no model": lambda needed, keys: not needed and not keys,
    }
    every = first_light.reach()
    names = dict.fromkeys(claim.notebook for claim, _, _ in every)
    rows = []
    for name in (*names, ""):
        own = [(needed, keys) for claim, needed, keys in every if name in ("", claim.notebook)]
        rows.append(
            (
                f"{NAMES[name.partition('/')[0]]}: {_chapter(name)}" if name else "all",
                f"{len(own):,}",
                *(f"{sum(map(test, *zip(*own, strict=True))):,}" for test in by_need.values()),
            )
        )
    return _table(("chapter", "records", *by_need), rows)


class FirstLight(SphinxDirective):
    """`{first-light} opening`, `steps`, `answer`, `groups`, `fetched` or `chapters`."""

    required_arguments = 1

    def run(self) -> list[nodes.Node]:
        depend(self.env)
        for name in ("sources.yaml", f"settings/{first_light.SETTINGS}.yaml"):
            self.env.note_dependency(str(paths.data() / name))
        made = {
            "opening": opening,
            "steps": steps,
            "answer": answer,
            "fetched": fetched,
            "groups": groups,
            "chapters": chapters,
        }
        return self.parse_text_to_nodes(made[self.arguments[0]]())


def setup(app: Sphinx) -> dict:
    app.add_directive("first-light", FirstLight)
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}
