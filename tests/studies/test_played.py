"""The still pictures of the two tabs: their words say what is counted, and nothing overlaps."""

import re

import pytest
from overlaps import watched

import vlmbias as vb
from greenhouse import retrained
from greenhouse.world import grammar
from studies.american_white import placeless, reported
from studies.overviews import played
from vlmbias.external import america
from vlmbias.figures import showing

HUES = ["amber", "lime", "teal", "violet"]


@pytest.fixture(scope="module")
def provinces():
    return grammar.load().bias.provinces.set_index("province")


@pytest.fixture(scope="module")
def found(provinces):
    return placeless.returned(retrained.vectors(), provinces[HUES])


def shown(one):
    with watched() as overlapping:
        html = showing.to_html(one.figure, alt=one.alt, caption=one.caption, source=one.source)
    assert not overlapping
    return html


def test_the_answers_stand_still_with_their_values():
    pattern = reported.printed(vb.ledger.claim)
    one = played.answers(pattern)
    for spread in (reported.LITTLE, reported.MUCH):
        table = reported.reported(pattern, reported.gap_at(pattern, spread), spread)
        for column in ("mean", "likeliest"):
            assert ", ".join(f"{reported.percent(value)} %" for value in table[column]) in one.alt
    assert shown(one)
    assert "Simulated · no model was measured" in showing.MARKS[one.source]
    assert not re.search("amber|violet|White|Asian", one.alt + one.caption)


def test_the_maps_stand_still_with_their_values(found, provinces):
    census = america.released_census()
    one = played.places(found, provinces["region"], census, ("black", "white"))
    network, hue = placeless.most_even(found)
    for name in ("black", "white"):
        counted = placeless.beside(found, network, hue, census[name])
        said = f"the {name.capitalize()} share of the population is below it in {counted['over']}"
        assert said in one.alt
    assert f"about {reported.percent(counted['share'])} % {hue}" in one.alt
    assert shown(one)
    assert "invented" in one.caption
