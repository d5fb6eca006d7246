"""Tables → figures: one function per figure family, one house style, one way to show."""

from vlmbias.figures.comparisons import levels, planted_against_shown, rates, tiles
from vlmbias.figures.families import (
    box_by_attribute,
    contact_sheet,
    dose_response,
    forest,
    forest_in_both_units,
    published_vs_recomputed,
)
from vlmbias.figures.showing import show
from vlmbias.figures.spreads import covariance_ellipse, ellipses
from vlmbias.figures.styling import COLOURS, PALETTE, PEOPLE, colours_for, panels, style

__all__ = [
    "COLOURS",
    "PALETTE",
    "PEOPLE",
    "box_by_attribute",
    "colours_for",
    "contact_sheet",
    "covariance_ellipse",
    "dose_response",
    "ellipses",
    "forest",
    "forest_in_both_units",
    "levels",
    "panels",
    "planted_against_shown",
    "published_vs_recomputed",
    "rates",
    "show",
    "style",
    "tiles",
]
