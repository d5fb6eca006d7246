"""One way to put a figure on a page: with its alt text, a caption, the source of its data, and a
visible mark where that is the Greenhouse or made up."""

import html
import io
import re
import sys
from base64 import b64encode
from collections.abc import Sequence
from typing import Any

from vlmbias import number_signs
from vlmbias.figures.styling import COLOURS, style
from vlmbias.papers import PAPERS

LIMITS = "../../book/greenhouse/limits.html"  # from a notebook's page
MARK = "Greenhouse · planted by us, not about people"
MARKS = {
    "greenhouse": MARK,
    "simulated": "Simulated · no model was measured",
    "example": "Example · made-up numbers, no model was measured",
}
_LARGEST_SVG = 200_000  # bytes; beyond it a picture is smaller, and draws faster, as pixels
_SHORTEST_ALT = 20


def show(
    figure: Any, *, alt: str, caption: str, source: str | Sequence[str], name: str | None = None
) -> None:
    """Display a figure as one `<figure>`: the picture, its alt text, its caption, where its data
    come from.

    Parameters
    ----------
    figure : matplotlib.figure.Figure
    alt : str
        What the picture shows, for those who cannot see it: its form and its main finding.
    caption : str
        Plain text.
    source : str or several
        `"greenhouse"` (puts a visible mark on the picture and links to the limits page);
        `"simulated"` (numbers drawn so that they fit what a paper prints; puts a mark of its own on
        the picture); `"example"` (made-up numbers that explain a method; marked likewise);
        `"model:<name>"` (what was computed here with a model of others);
        `"paper:<short name>"`, with a place after a comma if wanted (`"paper:causalface, Fig. 2"`);
        `"real:<key of data/sources/index.yaml>"`, or `"real:folder"` for a reader's own pictures;
        `"published:<table of data/published>"`, numbers of others that ship with the repository.
    name : str, optional
        Anchor of the figure on its page, for `` {ref}`words <name>` ``.

    Raises
    ------
    ValueError
        No real alt text or caption, or an unknown source.
    TypeError
        Not a matplotlib figure.

    Examples
    --------
    >>> figure, axes = vb.figures.panels()
    >>> line = axes[0, 0].plot([0, 1], [0, 2])
    >>> about = {"caption": "What is planted.", "source": "example"}
    >>> vb.figures.show(figure, alt="A line that rises from 0 to 2.", **about)
    >>> vb.figures.show(figure, alt="A line.", **about)
    Traceback (most recent call last):
        ...
    ValueError: show: alt='A line.' is too short (7 of at least 20 characters); say what the ...
    """
    from IPython.display import display

    shown = to_html(figure, alt=alt, caption=caption, source=source, name=name)
    display({"text/html": shown}, raw=True)


def to_html(
    figure: Any, *, alt: str, caption: str, source: str | Sequence[str], name: str | None = None
) -> str:
    """The HTML that `show` displays; see there."""
    if len(alt.strip()) < _SHORTEST_ALT:
        raise ValueError(
            f"show: alt={alt!r} is too short ({len(alt.strip())} of at least {_SHORTEST_ALT}"
            " characters); say what the picture shows"
        )
    if not caption.strip():
        raise ValueError("show: caption is empty; say what is plotted and what to notice")
    sources = [source] if isinstance(source, str) else source
    lines = dict.fromkeys(source_line(one) for one in sources)
    marks = [one for one in MARKS if one in sources]
    if not hasattr(figure, "savefig"):
        raise TypeError(f"show: needs a matplotlib figure, got {type(figure).__name__}")
    card = _matplotlib(figure, alt, marks)
    anchor = f' id="{html.escape(name)}"' if name else ""
    about = f'{html.escape(caption)}<span class="vb-source">Data: {"; ".join(lines)}.</span>'
    return (
        f'<figure class="vb-figure"{anchor}><div class="vb-card">{card}</div>'
        f"<figcaption>{about}</figcaption></figure>"
    )


def source_line(source: str) -> str:
    """The words, as HTML, that say where data come from."""
    if source == "greenhouse":
        return f'<a href="{LIMITS}">the Greenhouse</a> (what it can and cannot show)'
    if source == "simulated":
        return "simulated from what the paper prints; no model was measured"
    if source == "example":
        return "made up for this page; no model was measured"
    if source.startswith("model:"):
        return f"computed here with {html.escape(source.removeprefix('model:'))}"
    from vlmbias.external import facts
    from vlmbias.sources.catalogue import catalogue

    cited = {name: one.citation for name, one in PAPERS.items()}
    known = {f"paper:{short}": f"printed in {citation}" for short, citation in cited.items()}
    known |= {
        f"real:{key}": f"{key}, from {_short(one.citation)}" for key, one in catalogue().items()
    }
    for name, one in facts.described().items():
        how = "computed from results published by" if one.computed else "published by"
        terms = "; not under CC BY" if one.not_cc_by else ""
        known[f"published:{name}"] = f"{how} {_short(one.citation)}{terms}"
    known["real:folder"] = "pictures in a folder of the reader's own"
    key, comma, place = source.partition(",")
    if key not in known:
        raise ValueError(
            f"show: unknown source {source!r}; valid: greenhouse, simulated, example, "
            f"{', '.join(known)}, model:<name>"
        )
    return html.escape(known[key] + comma + place)


def _short(citation: str) -> str:
    """The authors and years that a citation begins with, or what stands before a first comma."""
    begins = re.match(r".*?\(\d{4}\)(?: and [^,;:()]+ \(\d{4}\))*|[^,;]+", citation)
    return begins[0] if begins else citation


def _matplotlib(figure: Any, alt: str, marks: Sequence[str]) -> str:
    """The picture as an element."""
    added = []
    if marks:
        ink, words = COLOURS[marks[0]], " · ".join(marks).upper()
        line = "; ".join(MARKS[one] for one in marks)
        middle = {
            "ha": "center",
            "va": "center",
            "fontsize": 44 if len(marks) == 1 else 28,
            "alpha": 0.07,
            "zorder": -1,
            "in_layout": False,
        }
        # between pictures it would stand under their labels alone
        if any(axes.axison for axes in figure.axes):
            added.append(figure.text(0.5, 0.5, words, color=ink, **middle))
        below = {"ha": "right", "va": "top", "fontsize": 10, "alpha": 0.9}
        added.append(figure.text(1, -0.01, line, color=ink, **below))
    with_signs(figure)
    data, kind = _save(figure, format="svg", metadata={"Date": None}), "svg+xml"
    if len(data) > _LARGEST_SVG:
        # rendered faces carry grain, which no lossless format packs: WebP takes a tenth of PNG's
        # bytes
        data, kind = _save(figure, format="webp", dpi=192, pil_kwargs={"quality": 85}), "webp"
    for one in added:
        one.remove()
    if pyplot := sys.modules.get("matplotlib.pyplot"):
        pyplot.close(figure)  # else the notebook shows it a second time, without alt text
    size = f'width="{figure.get_figwidth() * 96:.0f}"'
    source = f"data:image/{kind};base64,{b64encode(data).decode()}"
    return f'<img alt="{html.escape(alt)}" {size} src="{source}"/>'


def with_signs(figure: Any) -> None:
    """Write − in front of the negative numbers in a matplotlib figure's words, and % right after a
    number; those on its ticks, too."""
    from matplotlib.text import Text
    from matplotlib.ticker import FixedFormatter, FuncFormatter

    for one in figure.findobj(Text):
        one.set_text(number_signs.in_words(one.get_text()))
    for axis in (axis for axes in figure.axes for axis in (axes.xaxis, axes.yaxis)):
        for formatter in (axis.get_major_formatter(), axis.get_minor_formatter()):
            if isinstance(formatter, FixedFormatter):
                formatter.seq = [number_signs.in_words(str(one)) for one in formatter.seq]
            elif isinstance(formatter, FuncFormatter):
                formatter.func = lambda value, place, given=formatter.func: number_signs.in_words(
                    given(value, place)
                )


def _save(figure: Any, **options: Any) -> bytes:
    file = io.BytesIO()
    with style():  # some settings, such as fonts as outlines, matter only now
        figure.savefig(file, bbox_inches="tight", pad_inches=0.06, facecolor="white", **options)
    return file.getvalue()
