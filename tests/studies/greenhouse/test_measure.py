"""The template for a reader's own study, against definitions written out person by person."""

import numpy as np
import pandas as pd
import pytest
from scipy import stats

import vlmbias as vb
from greenhouse import retrained
from studies.greenhouse import measure


@pytest.fixture(scope="module")
def seen():
    faces = vb.images("greenhouse/causalface")
    few = faces.where((faces.table["seed"] < 6) & (faces.table["subset"] == "prototype"))
    return vb.perceive(few, "greenhouse")


def by_hand(seen, trait, first, second, words=None):
    """The difference for each person: means over pictures, of means over words, one at a time."""
    every = seen.words[seen.words["dimension"].astype(str) == trait]["word"].astype(str)
    each = {}
    for person in sorted(set(seen.table["seed"])):
        means = {}
        for group in (first, second):
            rows = np.flatnonzero((seen.table["seed"] == person) & (seen.table["race"] == group))
            cosines = [seen.word(word)[row] for row in rows for word in words or every]
            means[group] = np.mean(cosines) - np.mean([seen.neutral()[row] for row in rows])
        each[person] = (means[first] - means[second]) * seen.logit_scale
    return each


@pytest.mark.parametrize("trait", ["warmth", "negative_communion"])
def test_a_difference_is_the_mean_over_people_of_what_each_shows(seen, trait):
    expected = by_hand(seen, trait, "teal", "violet")
    found = measure.differences(measure.scores(seen, trait), "teal", "violet")
    assert found.to_dict() == pytest.approx(expected)
    mean = measure.gap(seen.images, "greenhouse", trait, "teal", "violet")
    assert mean == pytest.approx(np.mean(list(expected.values())))


def test_words_by_themselves_average_to_the_trait(seen):
    found = measure.gaps_by_word(seen, "warmth", "teal", "amber").set_index("word")["difference"]
    for word, value in found.items():
        expected = by_hand(seen, "warmth", "teal", "amber", [str(word)])
        assert value == pytest.approx(np.mean(list(expected.values())))
    whole = by_hand(seen, "warmth", "teal", "amber")
    assert found.mean() == pytest.approx(np.mean(list(whole.values())))


def test_every_pair_is_tested_once_over_people(seen):
    tests = measure.every_pair(seen)
    assert len(tests) == 8 * 3 and not tests.duplicated(["trait", "groups"]).any()
    row = tests.query("trait == 'competence' and groups == 'teal − violet'").iloc[0]
    each = list(by_hand(seen, "competence", "teal", "violet").values())
    assert row["people"] == 6 and row["difference"] == pytest.approx(np.mean(each))
    assert row["p"] == pytest.approx(stats.ttest_1samp(each, 0).pvalue)


def test_more_pictures_of_the_same_people_shrink_the_error_by_pictures_alone():
    rng = np.random.default_rng(5)
    rows = [
        {"seed": person, "race": group, "score": own + rng.normal(0, 0.1)}
        for person in range(30)
        for group in ("a", "b")
        for own in [rng.normal(0, 1)]  # what this person shows in this group, in every picture
        for _ in range(20)
    ]
    errors = measure.standard_errors(pd.DataFrame(rows), "a", "b", pictures=(1, 5, None))
    by_pictures, by_people = errors["by pictures"], errors["by people"]
    assert list(errors["pictures of each"]) == [1, 5, "all"]
    assert by_pictures.iloc[2] < by_pictures.iloc[0] / 3  # 20 pictures: a factor of 4.5
    assert by_people.iloc[2] == pytest.approx(by_people.iloc[0], rel=0.1)


def test_retrained_networks_are_those_of_both_kinds_and_no_others():
    found = measure.trained_again("warmth", "teal", "amber")
    known = retrained.networks().query("condition == 'none' and b in (0, 1)")
    assert found["captions"].value_counts().to_dict() == {
        "alike": int((known["b"] == 0).sum()),
        "differ": int((known["b"] == 1).sum()),
    }
    table = retrained.gaps().query("axis == 'warmth' and b == 1 and condition == 'none'")
    shipped = table.query("first == 'amber' and second == 'teal'")["measured"].to_numpy()
    differ = found.query("captions == 'differ'")["difference"].to_numpy()
    assert -differ == pytest.approx(shipped, abs=0.01)  # scores are rounded, and summed otherwise


def test_overlap_is_said_in_each_of_its_forms():
    alike = pd.Series([-0.1, 0.05])
    assert measure.overlap(pd.Series([0.2, -0.3]), alike).startswith("Every network")
    assert measure.overlap(pd.Series([0.1, 0.0]), alike).startswith("No network")
    assert measure.overlap(pd.Series([0.1, 0.3, 0.4]), alike).startswith("1 of the 3 networks")


def test_pictures_that_share_no_person_are_refused(tmp_path, monkeypatch):
    faces = vb.images("greenhouse/causalface")
    apart = (faces.table["race"] == "teal") == (faces.table["seed"] < 50)
    monkeypatch.setattr(measure.vb, "images", lambda *_: faces.where(apart))
    with pytest.raises(ValueError, match=r"fewer than two values of seed .* are in both groups"):
        measure.first_two_groups("mine")


def test_the_figure_says_in_words_what_it_shows():
    networks = pd.DataFrame({"captions": ["alike", "alike", "differ"], "difference": [-1, 2, 3.0]})
    estimates = {"other people": (0.5, (0.25, 0.75))}
    text = measure.alternative(estimates, networks)
    for part in ("+0.50, from +0.25 to +0.75", "2 networks", "from -1.00 to +2.00", "1 networks"):
        assert part in text
    labels = [
        one.get_text() for one in measure.figure(estimates, networks).axes[0].get_yticklabels()
    ]
    assert labels == [
        "this model: other people",
        "2 networks: captions treat all alike",
        "1 networks: captions differ",
    ]
