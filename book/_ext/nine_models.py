"""`{play} nine-models`: one image test, nine real models as nine dots.

Every test is drawn into the page; a script shows one of them at a time. Without it all are there.
"""

from __future__ import annotations

from html import escape

import pandas as pd
from play import Play

from vlmbias.external import facts
from vlmbias.figures.showing import source_line
from vlmbias.number_signs import in_words

TABLE = "clip_image_tests"
FIRST = "European American / African American, pleasant / unpleasant"  # chosen before any result
ALPHA = 0.05
WIDTH, LEFT, RIGHT, ROW, TOP = 400, 112, 388, 17, 14  # of a drawing, in its own units
ENDS = 2.0  # an effect size lies between −2 and 2


def tests() -> dict[str, pd.DataFrame]:
    """The rows of every test by its name, the first one first; `significant`: two-sided."""
    table = facts.table(TABLE)
    table = table.assign(significant=facts.two_sided(table) <= ALPHA)
    found = dict(list(table.groupby("called", sort=False)))
    return {FIRST: found.pop(FIRST)} | found


def in_sentences(name: str, rows: pd.DataFrame) -> str:
    """One test in words: what a dot on either side means, and how many models lie there."""
    to = name.split(", ")[1].split(" / ")[0]
    left, right = rows["d"] < 0, rows["d"] > 0
    n = {side: (int(own.sum()), int((own & rows["significant"]).sum())) for side, own in
         (("left", left), ("right", right))}  # fmt: skip
    first, second = (f"“{group}”" for group in name.split(", ")[0].split(" / "))
    return (
        f"Photographs of {first} are closer to “{to}” (right of 0) in {n['right'][0]} of"
        f" {len(rows)} models ({n['right'][1]} significant). Those of {second} are closer (left of"
        f" 0) in {n['left'][0]} ({n['left'][1]} significant)."
    )


def plotted(name: str, rows: pd.DataFrame) -> str:
    """One test as a picture: a line per model, a dot at its effect size, filled if significant;
    below, which group is closer on either side."""

    def at(d: float) -> float:
        return LEFT + (d + ENDS) / (2 * ENDS) * (RIGHT - LEFT)

    height = TOP + ROW * len(rows) + 40
    floor = TOP + ROW * len(rows)
    parts = [
        f'<line class="nm-{"zero" if tick == 0 else "grid"}" x1="{at(tick):.0f}" y1="4"'
        f' x2="{at(tick):.0f}" y2="{floor}"/>'
        f'<text class="nm-tick" x="{at(tick):.0f}" y="{floor + 14}">{in_words(str(tick))}</text>'
        for tick in (-2, -1, 0, 1, 2)
    ]
    for place, row in enumerate(rows.itertuples()):
        y = TOP + ROW * place + 2
        parts.append(
            f'<text x="0" y="{y + 4}">{escape(row.model.replace("@336px", "@336"))}</text>'
            f'<circle class="{"nm-on" if row.significant else "nm-off"}" cx="{at(row.d):.1f}"'
            f' cy="{y}" r="5"/>'
        )
    first, second = (escape(group) for group in name.split(", ")[0].split(" / "))
    parts += [
        f'<text x="{LEFT}" y="{floor + 32}">← {second}</text>',
        f'<text class="nm-first" x="{RIGHT}" y="{floor + 32}">{first} →</text>',
    ]
    alt = "; ".join(f"{row.model} {row.d:.2f}" for row in rows.itertuples())
    return (
        f'<svg viewBox="0 0 {WIDTH} {height}" role="img" aria-label="Effect sizes: {escape(alt)}">'
        f"{''.join(parts)}</svg>"
    )


def html() -> str:
    """All tests, one figure each, and what the dots mean."""
    figures = [
        f"<figure><figcaption><strong>{escape(name)}</strong>"
        f" <span>({rows['n_target'].iloc[0]} + {rows['n_target'].iloc[0]} photographs)</span>"
        f"</figcaption>{plotted(name, rows)}<p>{escape(in_sentences(name, rows))}</p></figure>"
        for name, rows in tests().items()
    ]
    about = (
        "Filled dots: significant, each model tested by itself (p ≤ .05, two-sided, not corrected"
        " for many tests). The scale is the effect size d: how far apart the two groups are, in"
        " standard deviations of all photographs of the test. Data:"
        f" {source_line(f'published:{TABLE}')}."
    )
    return f'{"".join(figures)}<p class="play-note">{about}</p>'


PLAY = Play(made_from=(f"data/published/{TABLE}.csv",), still=html, keeps_still=True)
