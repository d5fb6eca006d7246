"""One parameter with several values: a run each, on one page, side by side.

Comes in: a notebook, a parameter, its values, what else a reader gives. Goes out: the runs, each in
its folder; one page with a figure in small panels, the chapter's own figures and a table that has a
column per run; the same as text. May not: judge otherwise than a rerun with one value does.
"""

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from html import escape
from typing import Any

import nbformat
from nbformat import NotebookNode

from runner import plan
from runner.reruns import difference_table, noise, page, report, steps, verdicts
from runner.reruns.computed import RECORDED, TABLE, TEXT
from runner.reruns.verdicts import is_number
from vlmbias import figures, kept, paths
from vlmbias.figures.showing import to_html
from vlmbias.sources.catalogue import catalogue

PANELS, LINES, ROWS = 6, 6, 30
KINDS_PLOTTED = (TABLE, TEXT, RECORDED)
NO_BOOK = (
    "Several values are compared with the book's run, which is not there: run `make book` first."
)


@dataclass(frozen=True)
class Side:
    """One of the values, its run, and how that differs from the book's."""

    value: str
    record: Mapping[str, Any]
    run: report.Run
    made: report.Report


def rerun_each(
    notebook: str,
    name: str,
    values: Sequence[str],
    given: Mapping[str, str],
    *,
    settings: str,
    seeds: int = steps.SEEDS,
) -> str:
    """Run a notebook once per value of a parameter, two at a time; say where the page is, and what
    differs.

    Parameters
    ----------
    notebook : `<paper>/<name>`, or its path.
    name, values : the parameter, and its values as text.
    given : further parameters, the same in every run.
    settings : name of the settings.
    seeds : how many other seeds of the book's own run show what is noise.

    Raises
    ------
    ValueError : the book's own run is not there, or a run failed; those that ended are kept.
    """
    files, chosen = plan.hashes(plan.INPUTS), plan.settings(settings)
    records = [
        plan.record(notebook, chosen, given={**given, name: value}, files=files) for value in values
    ]
    if (book := steps.book_run(records[0]["notebook"])) is None:
        raise ValueError(NO_BOOK)
    own = book.notebook.metadata["vlmbias"]
    there = sum(noise.copy(one).is_file() for one in records)
    print(
        f"▸ {records[0]['notebook']} with {name} = {', '.join(values)}: {len(values)} "
        f"runs, {there} kept from before",
        flush=True,
    )
    for line in noise.run_missing(records, called=lambda one: f"{name} {one['parameters'][name]}"):
        print(line, flush=True)
    if failed := [
        value for value, one in zip(values, records, strict=True) if not noise.copy(one).is_file()
    ]:
        raise ValueError(
            f"{name} = {', '.join(failed)} failed (above); the runs that ended are kept"
        )
    others, why = steps.with_other_seeds(records[0], own, files, seeds)
    sides = []
    for value, one in zip(values, records, strict=True):
        run = steps.kept(one)
        made = report.made(book, run, others, name=one["notebook"], given=steps.differing(one, own))
        sides.append(Side(value, run.notebook.metadata["vlmbias"], run, made))
    message = " ".join(filter(None, (why, steps.other_code(own, files))))
    words = ["vlmbias", "run", records[0]["notebook"], "-p", name, *values]
    words += [word for pair in given.items() for word in ("-p", *pair)]
    where = page.write(
        _page(book, sides, name, page.joined(words, settings), message), _place(records)
    )
    rows = text(sides, name)
    return "\n".join(
        [os.path.relpath(where, paths.root()), "", *rows, *([message] if message else [])]
    )


def _place(records: Sequence[Mapping[str, Any]]) -> Any:
    digest = kept.key({"runs": [dict(record) for record in records]})[:10]
    place = noise.folder(dict(records[0])).with_name(f"several-{digest}")
    place.mkdir(parents=True, exist_ok=True)
    return place


def _lines(side: Side, name: str) -> list[str]:
    """What one value changed: how much, and the largest change."""
    return [f"{name} = {side.value}:", *side.made.happened, *side.made.largest[:2]]


def differing(sides: Sequence[Side]) -> list[str]:
    """The results in which some run differs from the book's, the most surprising first."""
    found: dict[str, tuple[float, float]] = {}
    for side in sides:
        for row in side.made.table.itertuples():
            if row.verdict != verdicts.SAME:
                key = str(row.result)
                found[key] = max(found.get(key, (-1.0, -1.0)), (row.surprise, row.relative))
    return sorted(found, key=lambda key: found[key], reverse=True)


def _row(sides: Sequence[Side], key: str) -> list[str]:
    """A result by run, the book's first, and what another seed gives."""
    rows = [
        side.made.table.set_index("result").loc[key]
        if key in set(side.made.table["result"])
        else None
        for side in sides
    ]
    first = next(row for row in rows if row is not None)
    values = [
        verdicts.ABSENT if row is None else row.now or difference_table.value(row.here)
        for row in rows
    ]
    return [
        first.was or difference_table.value(first.book),
        *values,
        difference_table.interval(first),
    ]


def text(sides: Sequence[Side], name: str) -> list[str]:
    """For a terminal: what each value changed, and the first results side by side."""
    keys = differing(sides)
    heads = ["result", "the book's", *(side.value for side in sides), "another seed gives"]
    body = [[key, *_row(sides, key)] for key in keys[: difference_table.IN_TERMINAL]]
    cut = [[cell[:50] for cell in row] for row in [heads, *body]]
    widths = [max(len(row[n]) for row in cut) for n in range(len(heads))]
    lines = [
        *sides[0].made.expected,
        "",
        *(line for side in sides for line in [*_lines(side, name), ""]),
    ]
    lines += [
        "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip()
        for row in cut
    ]
    return lines + [f"… and {len(keys) - len(body)} more that differ: on the page"] * (
        len(keys) > len(body)
    )


def _page(
    book: report.Run, sides: Sequence[Side], name: str, command: str, message: str
) -> NotebookNode:
    """The page, as a notebook of one cell."""
    title = next(
        line for line in book.notebook.cells[0].source.splitlines() if line.startswith("# ")
    )
    about = sides[0].record
    parts = ['<div class="vb-rerun-report">', f"<style>{page.STYLE}</style>"]
    parts += [f"<p>{page.html_of(line)}</p>" for line in sides[0].made.expected]
    for side in sides:
        head, *lines = _lines(side, name)
        parts += [
            f"<p><strong>{page.html_of(head)}</strong></p><ul>",
            *(f"<li>{page.html_of(line)}</li>" for line in lines),
            "</ul>",
        ]
    parts += [
        _small(book, sides, name),
        _pictures(sides, name),
        _table(sides),
        f"<p>{page.html_of(message)}</p></div>",
    ]
    cells = [
        nbformat.v4.new_markdown_cell(
            "\n".join(
                [
                    f"{title}: {name} = {', '.join(side.value for side in sides)}",
                    "",
                    "::::{admonition} Reruns, not the book's page",
                    ":class: important",
                    "",
                    f"**Run:** `{command}`, commit `{about['commit']}`, {about['started'][:10]}.",
                    *page.own_page(about["notebook"]),
                    "::::",
                    "",
                    "````{raw} html",
                    "\n".join(parts),
                    "````",
                ]
            )
        )
    ]
    return nbformat.v4.new_notebook(cells=cells, metadata={"vlmbias": dict(about)})


def _small(book: report.Run, sides: Sequence[Side], name: str) -> str:
    """The figure: per quantity that differs most a panel; in it the book's run and each value, a
    colour per case.
    """
    shown = _quantities(sides)
    if not shown:
        return "<p>No number differs between these runs.</p>"
    rows = (len(shown) + 1) // 2
    drawing, axes = figures.panels(rows, min(2, len(shown)), height=2.9 * rows)
    own = book.notebook.metadata["vlmbias"]["parameters"].get(name)
    ticks = [
        f"the book:\n{own}".replace("/", "/\n"),
        *(side.value.replace("/", "/\n") for side in sides),
    ]
    line = (
        "o-" if all(_is_size(side.value) for side in sides) else "o"
    )  # nothing lies between two names
    for panel, (quantity, cases) in zip(axes.flat, shown, strict=False):
        for n, (place, numbers) in enumerate(cases):
            panel.plot(
                range(len(ticks)),
                numbers,
                line,
                color=figures.PALETTE[n % len(figures.PALETTE)],
                label=place,
                markersize=4,
            )
        panel.set(title=quantity[:60], xticks=range(len(ticks)))
        panel.set_xticklabels(ticks, fontsize=8)
        panel.axhline(0, color=figures.COLOURS["reference"], lw=0.8, zorder=0)
        panel.legend(fontsize=7)
    for panel in axes.flat[len(shown) :]:
        panel.set_visible(False)
    text = "; ".join(
        f"{quantity}: "
        + ", ".join(
            f"{place} {' to '.join(f'{one:.3g}' for one in numbers)}"
            for place, numbers in cases[:2]
        )
        for quantity, cases in shown
    )
    return to_html(
        drawing,
        alt=f"A panel per quantity, the book's run and each value, a colour per case. {text}.",
        caption=f"The quantities that differ most, by {name}; at the left of each "
        "panel, the book's run.",
        source=_sources([side.record for side in sides]),
    )


def _is_size(text: str) -> bool:
    try:
        return bool(float(text) == float(text))
    except ValueError:
        return False


def _quantities(sides: Sequence[Side]) -> list[tuple[str, list[tuple[str, list[float]]]]]:
    """Up to `PANELS` quantities, the largest changes of any run first; of each, the cases with a
    number in every run.

    Tables come first: they call groups what the pictures' groups are called, and claims what the
    paper's are. A case that repeats another but for rounding is left out.
    """
    tabled = [side.made.table.set_index("result")["here"] for side in sides]
    found: dict[str, list[tuple[str, list[float]]]] = {}
    ranked = [
        own
        for side in sides
        for own in side.made.ranked
        if own.changes[0].minor == 0 and not own.settled
    ]
    for own in sorted(ranked, key=lambda one: KINDS_PLOTTED.index(one.changes[0].result.kind)):
        cases: list[tuple[str, list[float]]] = []
        for one in (one for one in own.changes if one.numeric and one.texts[0] != one.texts[1]):
            key, place = (
                one.result.key,
                one.result.place if one.result.kind == TABLE else one.result.key,
            )
            numbers = [one.before, *(values.get(key) for values in tabled)]
            drawn = [*cases, *(case for others in found.values() for case in others)]
            if all(map(is_number, numbers)) and not any(
                _alike(numbers, other) for _, other in drawn
            ):
                cases.append((place, [float(number) for number in numbers]))
        title = own.name or own.changes[0].result.key
        if cases and title not in found:
            found[title] = cases[:LINES]
    return list(found.items())[:PANELS]


def _alike(one: Sequence[float], other: Sequence[float]) -> bool:
    return all(abs(a - b) <= 0.006 + 0.02 * abs(a) for a, b in zip(one, other, strict=True))


def _sources(records: Sequence[Mapping[str, Any]]) -> list[str]:
    """Where the data of these runs come from, as `vb.figures.show` names it."""
    found: dict[str, None] = {}
    for one in records:
        values = [str(value) for value in one["parameters"].values()]
        found |= dict.fromkeys(["greenhouse"] * ("Greenhouse" in one["data"]))
        found |= dict.fromkeys(["real:folder"] * ("folder" in values))
        found |= dict.fromkeys(
            f"real:{key}"
            for key, state in one["sources"].items()
            if state["available"] and key in catalogue() and key in values
        )
        found |= dict.fromkeys(f"model:{model}" for model in one["models"])
    return list(found) or ["greenhouse"]


def _pictures(sides: Sequence[Side], name: str) -> str:
    """The chapter's own figures that can change, of the book and of every run."""
    parts = []
    for n, (old, _) in enumerate(sides[0].made.pictures):
        ran = [
            (
                f"{name} = {side.value}",
                side.made.pictures[n][1] if n < len(side.made.pictures) else None,
            )
            for side in sides
        ]
        each = "".join(
            f'<div><p class="vb-side">{escape(whose)}</p>{report.shown(one)}</div>'
            for whose, one in [(report.OLD.capitalize(), old), *ran]
        )
        parts.append(f'<div class="vb-before-after">{each}</div>')
    return "\n".join([*parts, *["<p>Each figure has a scale of its own.</p>"] * bool(parts)])


def _table(sides: Sequence[Side]) -> str:
    heads = ["result", "the book's", *(side.value for side in sides), "another seed gives"]
    keys = differing(sides)
    parts = [
        "<p><strong>Results that differ, the most surprising first</strong></p>",
        _rows(sides, heads, keys[:ROWS]),
    ]
    if rest := keys[ROWS:]:
        parts.append(
            f'<details class="claims"><summary>{len(rest)} less surprising</summary>\n'
            f"{_rows(sides, heads, rest)}\n</details>"
        )
    return "\n".join(parts)


def _rows(sides: Sequence[Side], heads: Sequence[str], keys: Sequence[str]) -> str:
    lines = []
    for key in keys:
        cells = "".join(
            f'<td data-label="{escape(head)}">{escape(cell)}</td>'
            for head, cell in zip(heads[1:], _row(sides, key), strict=True)
        )
        lines.append(f"<tr><td><code>{escape(key)}</code></td>{cells}</tr>")
    head = "".join(f"<th>{escape(name)}</th>" for name in heads)
    return (
        '<div class="vb-scroll"><table class="vb-ledger vb-cards vb-rerun">'
        f"<thead><tr>{head}</tr></thead>\n"
        f"<tbody>{''.join(lines)}</tbody></table></div>"
    )
