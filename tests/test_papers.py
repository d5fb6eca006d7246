import pytest

import vlmbias as vb
from vlmbias import papers


def test_the_fixed_things_fit_each_other_the_stimuli_and_the_claims():
    claimed = vb.ledger.load().set_index("paper").index.unique()
    assert set(claimed) <= set(papers.PAPERS)
    one = papers.CAUSALFACE
    known = vb.prompts("social_perception").table
    assert set(one.dimensions) == set(known.loc[~known["neutral"], "dimension"])
    assert {pole for pair in one.poles.values() for pole in pair} < set(one.dimensions)


def test_what_follows_from_them():
    one = papers.CAUSALFACE
    assert one.positive == (
        "warmth",
        "competence",
        "positive_agency",
        "progressive_belief",
        "positive_communion",
    )
    assert len(one.crossed) == 6 and one.crossed[0] == "white male" and one.outlier in one.crossed
    assert list(one.colours) == ["white", "asian", "black"]
    assert not set(papers.COLOURS) & {
        vb.figures.COLOURS[hue] for hue in ("teal", "amber", "violet", "lime")
    }
    assert papers.PRETRAINING.colours == {} and papers.PRETRAINING.crossed == ("",)


def test_an_unknown_paper_is_an_error_that_lists_the_known_ones():
    assert papers.paper("causalface") is papers.CAUSALFACE
    with pytest.raises(
        ValueError, match="no paper 'hausladen'; there are: causalface, american_white"
    ):
        papers.paper("hausladen")
