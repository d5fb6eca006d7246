"""How fast the second paper's experiments are, each against the plain way in the same run:
`python benchmarks/american_white.py`.

Ranking: 597 portraits, 51 places, 1,000 balanced draws; the plain way begins anew in every draw,
with cosines, a sort and a count per place, as the protocol is told. Its cost is proportional to the
draws, so a few are timed and counted up. Answers and captions: the shipped models of the
Greenhouse, many pictures at a time against one at a time, decoded greedily; both ways must give the
same texts. Medians of CPU time on one thread; ratios compare within one run."""

from __future__ import annotations

# isort: off
from _goals import Row, finish, milliseconds  # before numpy, as it sets one thread
# isort: on

from collections.abc import Callable

import numpy as np
import pandas as pd

import vlmbias as vb
from studies.american_white import states

SIZES = {"asian": 109, "black": 197, "latino": 108, "white": 183}
PLACES, DRAWS, TIMED, TOP, LENGTH = 51, 1_000, 4, 108, 512
EVERY, TOGETHER = 6, 50  # which portraits are looked at, and how many at a time


def one_draw(
    portraits: np.ndarray, places: np.ndarray, groups: np.ndarray, kept: np.ndarray
) -> np.ndarray:
    """The shares of the groups for every place in one draw, from the vectors on: places ×
    groups."""
    own, names = portraits[kept], groups[kept]
    own = own / np.linalg.norm(own, axis=1, keepdims=True)
    rows = []
    for place in places:
        cosines = pd.Series(own @ (place / np.linalg.norm(place)))
        nearest = cosines.sort_values(ascending=False, kind="stable").index[:TOP]
        rows.append(pd.Series(names[nearest]).value_counts().reindex(list(SIZES), fill_value=0))
    return np.array(rows) / TOP


def ranking() -> Row:
    """All draws at once against one after the other."""
    rng = np.random.default_rng(0)
    groups = np.repeat(list(SIZES), list(SIZES.values()))
    portraits, places = rng.normal(size=(len(groups), LENGTH)), rng.normal(size=(PLACES, LENGTH))
    kept = states.balanced(groups, n=DRAWS, seed=0)

    def ours() -> np.ndarray:
        faces, names = (
            one / np.linalg.norm(one, axis=1, keepdims=True) for one in (portraits, places)
        )
        return states.by_draw(faces @ names.T, groups, kept, top=TOP)

    shares = ours()
    for draw in range(TIMED):
        assert np.allclose(shares[draw], one_draw(portraits, places, groups, kept[draw]))
    plain = milliseconds(
        lambda: [one_draw(portraits, places, groups, draw) for draw in kept[:TIMED]], 3
    )
    whole = plain * DRAWS / TIMED
    return Row(
        "ranking, 1,000 draws", "one draw after the other", milliseconds(ours, 5), whole, 150
    )


def speech(name: str, speak: Callable[[int], pd.Series]) -> Row:
    """Texts about many pictures at a time against one at a time: equal, and then timed."""
    together, alone = speak(TOGETHER), speak(1)
    assert together.equals(alone), "greedy decoding gives the same texts either way"
    print(f"{name}: {len(alone)} texts, {alone.nunique()} different, the same either way")
    both = (milliseconds(lambda size=size: speak(size), 3) for size in (TOGETHER, 1))
    return Row(name, "one picture at a time", *both, goal=3)


def main() -> None:
    """Print one row per task: ours, the plain way, their ratio and the goal."""
    faces = vb.images("greenhouse/cfd")
    faces = faces.where(np.arange(len(faces)) % EVERY == 0)
    answerer, captioner = vb.answerer("greenhouse/answers"), vb.captioner("greenhouse/captions")
    question = "what state does this person live in?"
    finish(
        [
            ranking(),
            speech(
                "answers",
                lambda size: answerer.answers(faces, question, beams=1, batch_size=size)["answer"],
            ),
            speech(
                "captions",
                lambda size: captioner.captions(faces, top_p=0, seed=0, batch_size=size)["caption"],
            ),
        ]
    )


if __name__ == "__main__":
    main()
