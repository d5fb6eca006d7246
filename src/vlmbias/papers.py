"""What is fixed about a paper: its names, how it is cited, what it measures, whom it compares.
A new paper is one more in `PAPERS`."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from itertools import product


@dataclass(frozen=True)
class Paper:
    """What is fixed about one paper.

    Attributes
    ----------
    name : the folder of its notebooks and the beginning of its claim files.
    citation : authors and year, as a figure's source line prints them: "Ghate et al. (2025)".
    reference : its key in `book/references.bib`.
    letter : with which the codes of `book/differences.yaml` begin; empty if it has none there.
    part : what its chapters are for, where they do not audit it; empty for a paper that the book
        is about.
    dimensions : what it measures about each image, by the names of `data/stimuli`, in the order of
        its figures.
    poles : per pair of opposite dimensions, the positive one first.
    groups : per attribute, the groups it compares, in the order of its tables.
    outlier : the group that its conclusions single out; empty if none.
    """

    name: str
    citation: str
    reference: str
    letter: str = ""
    part: str = ""
    dimensions: tuple[str, ...] = ()
    poles: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    groups: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    outlier: str = ""

    @property
    def short(self) -> str:
        """Authors and year without brackets: "Ghate et al. 2025"."""
        return self.citation.replace("(", "").replace(")", "")

    @property
    def heading(self) -> str:
        """Above its chapters in `_toc.yml`, and in tables of chapters."""
        return self.part or self.short

    @property
    def label(self) -> str:
        """As the ledger's pages name it: "Ghate et al. 2025", "Real models: Steed & Caliskan
        2021"."""
        return f"{self.part}: {self.short}" if self.part else self.short

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


CAUSALFACE = Paper(
    "causalface",
    "Hausladen et al. (2025)",
    "hausladen2025",
    "H",
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
    poles={
        "agency": ("positive_agency", "negative_agency"),
        "belief": ("progressive_belief", "conservative_belief"),
        "communion": ("positive_communion", "negative_communion"),
    },
    groups={"race": ("white", "asian", "black"), "gender": ("male", "female")},
    outlier="black female",
)
RACES = ("asian", "black", "latino", "white")

# in the order of the book
PAPERS = {
    paper.name: paper
    for paper in (
        CAUSALFACE,
        Paper(
            "american_white", "Wolfe & Caliskan (2022)", "wolfe2022", "W", groups={"race": RACES}
        ),
        Paper("pretraining", "Ghate et al. (2025)", "ghate2025", "G"),
        Paper("calibration", "Steed & Caliskan (2021)", "steed2021", part="Real models"),
    )
}


def paper(name: str) -> Paper:
    """The paper of a folder of notebooks; an unknown name is an error that lists the known ones.

    Examples
    --------
    >>> hausladen = vb.papers.paper("causalface")
    >>> hausladen.citation, hausladen.outlier
    ('Hausladen et al. (2025)', 'black female')
    >>> hausladen.crossed[:3]
    ('white male', 'white female', 'asian male')
    >>> vb.papers.paper("nature")
    Traceback (most recent call last):
        ...
    ValueError: no paper 'nature'; there are: causalface, american_white, pretraining, ...
    """
    if name not in PAPERS:
        raise ValueError(f"no paper {name!r}; there are: {', '.join(PAPERS)}")
    return PAPERS[name]
