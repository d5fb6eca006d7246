"""What is fixed about a paper: how it is cited, what it measures, whom it compares, and their
colours in figures.

Comes in: nothing. Goes out: one frozen `Paper` each, by the name of its folder of notebooks. May
not: hold a printed result (these are in `data/claims`), or give a drawn group the name of a real
one.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from itertools import product
from types import MappingProxyType


def _fixed(**entries: tuple[str, ...]) -> Mapping[str, tuple[str, ...]]:
    return MappingProxyType(entries)


@dataclass(frozen=True)
class Paper:
    """What is fixed about one paper.

    Attributes
    ----------
    name : the folder of its notebooks and the beginning of its claim files.
    citation : authors and year, as a figure's source line prints them.
    dimensions : what it measures about each image, by the names of `data/stimuli`, in the order of
        its figures.
    poles : per pair of opposite dimensions, the positive one first.
    groups : per attribute, the groups it compares, in the order of its tables.
    outlier : the group that its conclusions single out; empty if none.
    """

    name: str
    citation: str
    dimensions: tuple[str, ...] = ()
    poles: Mapping[str, tuple[str, ...]] = field(default_factory=_fixed)
    groups: Mapping[str, tuple[str, ...]] = field(default_factory=_fixed)
    outlier: str = ""

    @property
    def positive(self) -> tuple[str, ...]:
        """The dimensions in which more is better: those without an opposite, and the first pole of
        each pair."""
        negative = {pole[1] for pole in self.poles.values()}
        return tuple(name for name in self.dimensions if name not in negative)

    @property
    def crossed(self) -> tuple[str, ...]:
        """Every combination of its groups, as `"black female"`."""
        return tuple(" ".join(group) for group in product(*self.groups.values()))

    @property
    def colours(self) -> dict[str, str]:
        """A colour per group of the first attribute, which readers of all colour visions can tell
        apart."""
        return dict(zip(next(iter(self.groups.values()), ()), COLOURS, strict=False))


# none of the colours of the Greenhouse's hues, so that no drawn group looks like a real one's
# stand-in
COLOURS = ("#0072B2", "#CC79A7", "#444444", "#009E73")

CAUSALFACE = Paper(
    "causalface",
    "Hausladen et al. (2025)",
    dimensions=(
        "warmth",
        "competence",
        "positive_agency",
        "negative_agency",
        "progressive_belief",
        "conservative_belief",
        "positive_communion",
        "negative_communion",
    ),
    poles=_fixed(
        agency=("positive_agency", "negative_agency"),
        belief=("progressive_belief", "conservative_belief"),
        communion=("positive_communion", "negative_communion"),
    ),
    groups=_fixed(race=("white", "asian", "black"), gender=("male", "female")),
    outlier="black female",
)
RACES = ("asian", "black", "latino", "white")
AMERICAN_WHITE = Paper("american_white", "Wolfe & Caliskan (2022)", groups=_fixed(race=RACES))
PRETRAINING = Paper("pretraining", "Ghate et al. (2025)")
CALIBRATION = Paper("calibration", "Steed & Caliskan (2021)")

PAPERS = MappingProxyType(
    {one.name: one for one in (CAUSALFACE, AMERICAN_WHITE, PRETRAINING, CALIBRATION)}
)


def paper(name: str) -> Paper:
    """The paper of a folder of notebooks; an unknown name is an error that lists the known ones."""
    if name not in PAPERS:
        raise ValueError(f"no paper {name!r}; there are: {', '.join(PAPERS)}")
    return PAPERS[name]
