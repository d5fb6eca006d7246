"""Which words of a figure stand on each other or on the data, from matplotlib's own layout."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any
from unittest import mock

import numpy as np
from matplotlib.artist import Artist
from matplotlib.axes import Axes
from matplotlib.collections import PathCollection
from matplotlib.figure import Figure
from matplotlib.legend import Legend
from matplotlib.lines import Line2D
from matplotlib.path import Path
from matplotlib.text import Text
from matplotlib.transforms import BboxBase

from vlmbias.figures import showing

_FAINT = 0.3  # words paler than this are a ground to others
Shape = tuple[Text, np.ndarray]
_SLACK = 1.0  # points by which boxes may meet: a box holds its letters with some air


class Watch(Artist):
    """Drawn last, it notes in `found` what overlaps at that moment, and draws nothing.

    Only while a figure is saved does everything stand where the reader will see it.
    """

    def __init__(self, figure: Figure):
        super().__init__()
        self.found: list[str] = []
        self.set_zorder(float("inf"))
        self.set_in_layout(False)
        figure.add_artist(self)

    def draw(self, renderer: Any) -> None:
        """Look at the whole figure."""
        assert isinstance(self.figure, Figure)
        self.found = _overlaps(self.figure)


def overlaps(figure: Figure) -> list[str]:
    """What overlaps what, such as `"'Asian' on 'Black'"`: words on other words, labels and legends
    on points or lines of the data; empty where everything can be read."""
    watch = Watch(figure)
    figure.draw_without_rendering()
    watch.remove()
    return watch.found


@contextmanager
def watched() -> Iterator[list[str]]:
    """What overlaps in the figures that are shown in the block, as they stand in the saved
    picture, where marks have been added and the edges cut."""
    found: list[str] = []
    save = showing._save

    def looked_at(figure: Figure, **options: Any) -> bytes:
        watch = Watch(figure)
        try:
            return save(figure, **options)
        finally:
            watch.remove()
            found.extend(watch.found)

    with mock.patch.object(showing, "_save", looked_at):
        yield found


def _overlaps(figure: Figure) -> list[str]:
    legends, slack = figure.findobj(Legend), _SLACK * figure.dpi / 72
    inside = {id(text): legend for legend in legends for text in legend.findobj(Text)}
    ticks = {id(tick) for axes in figure.axes for tick in _all_tick_labels(axes)}
    drawn = {id(tick) for axes in figure.axes for tick in _drawn_tick_labels(axes)}
    texts = [
        text
        for text in figure.findobj(Text)
        if _readable(text) and (id(text) not in ticks or id(text) in drawn)
    ]
    shapes = [(text, _corners(text)) for text in texts]
    found = [
        f"{_name(one)} on {_name(other)}"
        for (one, first), (other, second) in _near(shapes)
        if (inside.get(id(one)) is None) is (inside.get(id(other)) is None)
        if inside.get(id(one)) is None or inside.get(id(one)) is not inside.get(id(other))
        if _meet(first, second, slack)
    ]
    for legend in legends:
        own, box = {*map(id, legend.findobj(Text))}, _rectangle(legend.get_window_extent())
        others = [
            text for text, shape in shapes if id(text) not in own and _meet(shape, box, slack)
        ]
        found += [f"{_name(text)} on the legend" for text in others]
    for axes in figure.axes:
        points, lines = list(_points(axes)), list(_lines(axes))
        for text, shape in shapes:
            own = text.axes is axes and id(text) not in ticks and id(text) not in inside
            if own and any(_holds(shape, one, slack) for one in points):
                found.append(f"{_name(text)} on a point of the data")
        panel = _rectangle(axes.get_window_extent())
        for text, shape in shapes:
            other = text.axes if text.axes is not axes and id(text) not in inside else None
            if isinstance(other, Axes) and _apart(axes, other) and _meet(shape, panel, slack):
                found.append(f"{_name(text)} on another panel")
        for legend in legends:
            box = legend.get_window_extent()
            on = any(one.intersects_bbox(box, bar) for one, bar in lines)
            if on or any(_holds(_rectangle(box), one, slack) for one in points):
                name = _name(next(iter(legend.get_texts()), None))
                found.append(f"the legend ({name} …) on the data")
    return found


def _near(shapes: list[Shape]) -> Iterator[tuple[Shape, Shape]]:
    """The pairs whose upright boxes meet: a heat map has thousands that do not, and few that do."""
    if not shapes:
        return
    corners = np.array([shape for _, shape in shapes])
    low, high = corners.min(axis=1), corners.max(axis=1)
    shared = np.minimum(high[:, None], high) - np.maximum(low[:, None], low)
    for one, other in np.argwhere(np.triu((shared > 0).all(axis=2), 1)):
        yield shapes[one], shapes[other]


def _readable(text: Text) -> bool:
    """Whether anything of it is drawn, itself and what it belongs to."""
    pale = (alpha := text.get_alpha()) is not None and alpha < _FAINT
    shown = text.get_visible() and (text.axes is None or text.axes.get_visible())
    return bool(text.get_text().strip()) and shown and not pale


def _all_tick_labels(axes: Axes) -> Iterator[Text]:
    for axis in (axes.xaxis, axes.yaxis):
        for tick in (*axis.get_major_ticks(), *axis.get_minor_ticks()):
            yield from (tick.label1, tick.label2)


def _drawn_tick_labels(axes: Axes) -> Iterator[Text]:
    """The labels that stand beside the axes: matplotlib keeps some beyond the limits, and draws
    them not."""
    for axis in (axes.xaxis, axes.yaxis):
        if not (axes.axison and axis.get_visible()):
            continue
        low, high = sorted(axis.get_transform().transform(axis.get_view_interval()))
        for tick in (*axis.get_major_ticks(), *axis.get_minor_ticks()):
            place = axis.get_transform().transform([tick.get_loc()])[0]
            if tick.get_visible() and low - 1e-9 <= place <= high + 1e-9:
                yield from (label for label in (tick.label1, tick.label2) if label.get_visible())


def _corners(text: Text) -> np.ndarray:
    """The corners of the text's box on the canvas, turned as the text is."""
    box, angle = text.get_window_extent(), text.get_rotation()
    centre = np.array([box.x0 + box.x1, box.y0 + box.y1]) / 2
    width, height = box.width, box.height
    if angle % 90:
        text.set_rotation(0)
        level = text.get_window_extent()
        text.set_rotation(angle)
        width, height, turn = level.width, level.height, np.radians(angle)
    else:
        turn = 0.0
    offsets = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]]) * [width / 2, height / 2]
    rotation = np.array([[np.cos(turn), np.sin(turn)], [-np.sin(turn), np.cos(turn)]])
    return centre + offsets @ rotation


def _rectangle(box: BboxBase) -> np.ndarray:
    return np.array([[box.x0, box.y0], [box.x1, box.y0], [box.x1, box.y1], [box.x0, box.y1]])


def _apart(one: Axes, other: Axes) -> bool:
    """Whether two panels stand beside each other, neither twins nor one in the other."""
    return not one.get_window_extent().overlaps(other.get_window_extent())


def _sides(shape: np.ndarray) -> np.ndarray:
    """The directions across the two pairs of sides of a box, of length 1."""
    edges = np.array([shape[1] - shape[0], shape[3] - shape[0]])
    lengths = np.linalg.norm(edges, axis=1, keepdims=True)
    return edges / np.where(lengths, lengths, 1)


def _meet(one: np.ndarray, other: np.ndarray, slack: float) -> bool:
    """Whether two boxes share more than their rims: no line of their sides' directions keeps them
    apart."""
    for side in (*_sides(one), *_sides(other)):
        first, second = one @ side, other @ side
        if min(first.max(), second.max()) - max(first.min(), second.min()) <= slack:
            return False
    return True


def _holds(shape: np.ndarray, points: np.ndarray, slack: float) -> bool:
    """Whether a box has one of these points in it."""
    apart = (points - shape.mean(axis=0)) @ _sides(shape).T
    reach = np.abs((shape - shape.mean(axis=0)) @ _sides(shape).T).max(axis=0) - slack
    return bool((np.abs(apart) < reach).all(axis=1).any())


def _points(axes: Axes) -> Iterator[np.ndarray]:
    """Where the marks of the data stand on the canvas."""
    for line in axes.lines:
        if line.get_marker() not in ("None", None, "", " ") and _of_data(line, axes):
            yield line.get_transform().transform(line.get_xydata())
    for dots in axes.collections:
        places = dots.get_offsets() if isinstance(dots, PathCollection) else ()
        if dots.get_visible() and len(places):
            yield np.asarray(dots.get_offset_transform().transform(places))


def _lines(axes: Axes) -> Iterator[tuple[Path, bool]]:
    """The lines of the data, and its bars, as paths on the canvas; whether it is a bar."""
    for line in axes.lines:
        if line.get_linestyle() not in ("None", "", " ") and _of_data(line, axes):
            yield line.get_transform().transform_path(line.get_path()), False
    for patch in axes.patches:
        if patch.get_visible() and patch.get_transform().contains_branch(axes.transData):
            yield patch.get_transform().transform_path(patch.get_path()), True


def _of_data(line: Line2D, axes: Axes) -> bool:
    return line.get_visible() and line.get_transform() == axes.transData


def _name(text: Text | None) -> str:
    words = " ".join(text.get_text().split()) if text else ""
    return repr(words if len(words) <= 40 else words[:39] + "…")
