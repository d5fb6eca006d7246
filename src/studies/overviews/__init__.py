"""Two figures for the overview of each paper: what its authors found, and the reader's lesson."""

from collections.abc import Callable, Mapping

from studies.overviews import authors, lessons
from studies.overviews.illustration import Illustration

FOUND: Mapping[str, Callable[[], Illustration]] = {
    "causalface": authors.smiling,
    "american_white": authors.american,
    "pretraining": authors.regression,
}
LESSON: Mapping[str, Callable[[lessons.Results], Illustration | None]] = {
    "causalface": lessons.accidents,
    "american_white": lessons.answers,
    "pretraining": lessons.assigned,
}
KINDS = ("found", "lesson")
WIDTH = 4.8  # inches: narrower than the house's, so that a phone shows larger type


def figure(paper: str, kind: str, results: lessons.Results) -> Illustration | None:
    """One of the two figures of an overview; None where a chapter that it needs was not run.

    Parameters
    ----------
    paper : short name of the paper.
    kind : `found`, from the printed numbers; `lesson`, from the chapters' results.
    results : chapter → what it handed to its prose.
    """
    one = FOUND[paper]() if kind == "found" else LESSON[paper](results)
    if one is not None:
        one.figure.set_figwidth(WIDTH)
    return one
