"""What a page says of its pictures: whose they are, how many of each group, and whether they are
the paper's."""

import pandas as pd
import pytest

from studies.american_white import pictured
from vlmbias.stimuli.imageset import ImageSet


def people(source, **sizes):
    races = [name.replace("_", " ") for name, size in sizes.items() for _ in range(size)]
    return ImageSet("a set", pd.DataFrame({"race": races}), source)


@pytest.mark.parametrize(
    ("source", "sizes", "called"),
    [
        (
            "greenhouse",
            {"teal": 2, "lime": 3, "amber": 1, "violet": 4},
            {"asian": "violet", "black": "amber", "latino": "lime", "white": "teal"},
        ),
        (
            "fairface",
            {"white": 2, "latino_hispanic": 3, "indian": 9},
            {"latino": "latino hispanic", "white": "white"},
        ),
        ("cfd", {"white": 2, "asian": 3}, {"asian": "asian", "white": "white"}),
    ],
)
def test_groups_stand_where_the_paper_has_them(source, sizes, called):
    found = pictured.groups(people(source, **sizes))
    assert found == called
    assert list(found) == sorted(found)


def test_what_is_shown_is_named_for_what_it_is():
    paper = {"asian": 109, "black": 197, "latino": 108, "white": 183}
    assert pictured.shown(people("cfd", **paper)) == (
        "On this page, it uses 597 portraits of the Chicago Face Database (109 asian, 197 black,"
        " 108 latino, 183 white), as many as the paper has."
    )
    fewer = pictured.shown(people("cfd", **paper | {"white": 182}))
    assert " 596 portraits" in fewer
    assert fewer.endswith("but not as many as the paper has.")
    other = pictured.shown(people("fairface", white=2, latino_hispanic=1, indian=5))
    assert "3 photographs of FairFace (1 latino hispanic, 2 white)" in other
    assert other.endswith("no verdict on the paper.")
    assert pictured.shown(people("greenhouse", teal=1)).endswith("stand for no group of people.")
    borrowed = people("greenhouse", teal=183, amber=109, lime=108, violet=197)
    assert pictured.shown(borrowed).endswith(
        "Each colour has as many drawings as one of the paper's groups has portraits."
    )
    stranger = pictured.shown(people("folder", white=1))
    assert "1 pictures of a set (1 white). They are not the paper's" in stranger
