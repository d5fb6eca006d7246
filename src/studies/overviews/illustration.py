"""A figure with its words.

Comes in: a figure. Goes out: `Illustration`, which holds it with what a page needs beside it. May
not: draw.
"""

from dataclasses import dataclass

from matplotlib.figure import Figure


@dataclass(frozen=True)
class Illustration:
    """A figure, its words, and where its data come from."""

    figure: Figure
    alt: str
    caption: str
    source: str | tuple[str, ...]


def one_line(text: str) -> str:
    """A label of several lines as one."""
    return " ".join(text.split())
