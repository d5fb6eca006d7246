"""A figure with its words."""

from dataclasses import dataclass

from matplotlib.figure import Figure


@dataclass(frozen=True)
class Illustration:
    """A figure, its words, and where its data come from."""

    figure: Figure
    alt: str
    caption: str
    source: str | tuple[str, ...]
