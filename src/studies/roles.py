"""Who plays which part: the groups of a paper, or those that stand in their places, drawn or of a
reader's folder.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from vlmbias import figures
from vlmbias.papers import Paper
from vlmbias.stimuli.reader_folders import COUNTERPARTS


@dataclass(frozen=True)
class Roles:
    """The groups that are compared, by the part that each plays.

    Attributes
    ----------
    called : the name of each of the paper's groups in the data at hand, `"white"` → …, per level of
        an attribute.
    groups : every combination, in the paper's order.
    outlier : the group that is singled out.
    colours : of each group, by its first attribute.
    """

    called: Mapping[str, str]
    groups: tuple[str, ...]
    outlier: str
    colours: Mapping[str, str]

    @property
    def others(self) -> tuple[str, ...]:
        """All groups but the outlier."""
        return tuple(group for group in self.groups if group != self.outlier)

    def group(self, printed: str) -> str:
        """The group that stands where the paper has `printed`, such as ``"white female"``."""
        return _renamed(printed, self.called)

    def having(self, level: str) -> tuple[str, ...]:
        """The groups with one level of an attribute, by its name in the paper, such as
        ``"male"``."""
        return tuple(group for group in self.groups if self.called[level] in group.split())

    def with_outlier(self, group: str) -> "Roles":
        """The same groups, another one singled out; an unknown group is an error that lists the
        known ones."""
        if group not in self.groups:
            raise ValueError(f"no group {group!r}; there are: {', '.join(self.groups)}")
        return replace(self, outlier=group)


def of(seen: Any, paper: Paper) -> Roles:
    """The roles in what was seen, a `Perception` or an `ImageSet`: the paper's own groups, the
    drawn ones where it was the Greenhouse, or those of a reader's folder (`in_order`)."""
    if is_own(seen):
        return named(paper, in_order(paper, seen.table))
    return greenhouse_roles(paper) if seen.source == "greenhouse" else named(paper, {})


def is_own(seen: Any) -> bool:
    """Whether the pictures are those of a reader's own folder, marked as drawings or not."""
    return getattr(seen, "stimuli", getattr(seen, "name", "")) in ("folder", "greenhouse/folder")


def drawn(seen: Any) -> bool:
    """Whether the pictures are drawings of the Greenhouse; the source of what was seen is the
    Greenhouse also where only the model is."""
    pictures = getattr(seen, "images", None)
    return (seen if pictures is None else pictures).source == "greenhouse"


def sources(seen: Any, mark: str = "") -> str | list[str]:
    """Where a figure's data come from, as `vb.figures.show` names it: a reader's own pictures
    beside the Greenhouse's model that looked at them.

    Parameters
    ----------
    seen : a `Perception` or an `ImageSet`.
    mark : of what looked at the images, "greenhouse" where it is the Greenhouse's; of a
        `Perception`, its own.
    """
    if "greenhouse" not in (seen.source, mark):
        return f"real:{getattr(seen, 'stimuli', seen.source)}"
    return ["real:folder", "greenhouse"] if is_own(seen) and not drawn(seen) else "greenhouse"


def in_order(paper: Paper, table: Any) -> dict[str, str]:
    """What each group of a paper is called in a reader's own table.

    Names of the paper's, or of the drawn groups, keep their places; others take them in the order
    in which they come."""
    called = {}
    for column, levels in paper.groups.items():
        own, drawn_ = (
            list(dict.fromkeys(table[column])),
            [COUNTERPARTS.get(level, level) for level in levels],
        )
        known = next((names for names in (list(levels), drawn_) if set(names) == set(own)), own)
        called |= dict(zip(levels, known, strict=True))
    return called


def greenhouse_roles(paper: Paper) -> Roles:
    """The roles of the drawn groups, each where the files of an export have the paper's group."""
    return named(paper, COUNTERPARTS)


def named(paper: Paper, called: Mapping[str, str]) -> Roles:
    """The roles where the groups of a paper go by other names; a level that `called` lacks keeps
    its own."""
    if not paper.groups:
        raise ValueError(f"{paper.name} compares no groups of people; its roles cannot be named")
    levels = {level: called.get(level, level) for own in paper.groups.values() for level in own}
    groups = tuple(_renamed(group, levels) for group in paper.crossed)
    first = [levels[level] for level in next(iter(paper.groups.values()))]
    shade = figures.colours_for(first) if called else dict(zip(first, figures.PEOPLE, strict=False))
    return Roles(
        levels,
        groups,
        _renamed(paper.outlier, levels),
        {group: shade[group.split()[0]] for group in groups},
    )


def _renamed(group: str, called: Mapping[str, str]) -> str:
    return " ".join(called[level] for level in group.split())
