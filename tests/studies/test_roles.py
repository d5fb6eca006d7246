"""Which group plays which part: a paper's own, a drawn one, a reader's."""

from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest

import vlmbias as vb
from studies import roles
from vlmbias.papers import CAUSALFACE, paper


def seen(source):
    words = pd.DataFrame({"dimension": ["warmth"], "word": ["warm"], "neutral": [False]})
    return vb.Perception(pd.DataFrame(index=range(1)), words, np.zeros((1, 1)), source)


def test_a_papers_own_groups_keep_their_names_and_colours():
    who = roles.of(seen("causalface"), CAUSALFACE)
    assert who.groups == CAUSALFACE.crossed
    assert who.outlier == who.group("black female") == "black female"
    assert who.having("male") == ("white male", "asian male", "black male")
    assert set(who.others) == set(who.groups) - {"black female"}
    assert len(who.others) == 5
    assert who.colours["asian male"] == who.colours["asian female"] == vb.figures.PEOPLE[1]


def test_drawn_groups_stand_in_the_places_of_the_papers():
    who = roles.of(seen("greenhouse"), CAUSALFACE)
    assert who == roles.greenhouse_roles(CAUSALFACE)
    assert not set(who.groups) & set(CAUSALFACE.crossed)
    assert who.group("white male") == " ".join(who.called[level] for level in ("white", "male"))
    assert all(who.colours[group] == vb.figures.COLOURS[group.split()[0]] for group in who.groups)
    assert {group.split()[1] for group in who.having("female")} == {who.called["female"]}


def test_any_group_can_be_the_outlier_if_it_is_there():
    who = roles.named(CAUSALFACE, {"white": "pale", "female": "f"}).with_outlier("pale f")
    assert who.outlier == "pale f"
    assert "pale f" not in who.others
    assert who.group("asian female") == "asian f"
    with pytest.raises(ValueError, match="no group 'pale m'; there are: pale male, pale f"):
        who.with_outlier("pale m")


def test_a_paper_without_groups_is_an_error_that_says_so():
    with pytest.raises(ValueError, match="pretraining compares no groups"):
        roles.named(paper("pretraining"), {})


def test_a_figure_names_a_readers_own_pictures_beside_the_model_that_looked_at_them():
    own = SimpleNamespace(source="folder", name="folder")
    drawn = SimpleNamespace(source="greenhouse", name="greenhouse/folder")
    assert roles.sources(own, "greenhouse") == ["real:folder", "greenhouse"]
    assert roles.sources(own, "open_clip") == "real:folder"
    assert roles.sources(drawn, "greenhouse") == "greenhouse"
    looked = SimpleNamespace(source="greenhouse", stimuli="folder", images=own)
    assert roles.sources(looked) == ["real:folder", "greenhouse"]
    assert roles.sources(seen("greenhouse")) == "greenhouse"
    real = SimpleNamespace(source="causalface", stimuli="causalface", images=None)
    assert roles.sources(real) == "real:causalface"
