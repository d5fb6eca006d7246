"""Every form of the sentences on the page about found photographs."""

import math

import pytest

from studies.greenhouse import confounds_words as said

NAN = math.nan


@pytest.mark.parametrize(
    ("adjusted", "matched", "expected"),
    [
        (0.1, 0.1, "adjustment and matching both remove more than half of the error"),
        (0.1, 0.3, "adjustment removes more than half of the error, and matching does not"),
        (0.3, 0.1, "matching removes more than half of the error, and adjustment does not"),
        (0.2, 0.5, "adjustment and matching leave half of the error or more"),
        (0.2, 0.3, "adjustment and matching make the error smaller, but leave half of it or more"),
        (0.42, 0.37, "the error stays nearly as large, both after adjustment and after matching"),
        (NAN, 0.1, None),
    ],
)
def test_repairs_are_judged_by_half_the_error(adjusted, matched, expected):
    found = said.repaired(0.4, adjusted, matched)
    assert found == expected


@pytest.mark.parametrize(
    ("adjusted", "how"), [(0.02, "much nearer"), (0.2, "a little nearer"), (-0.4, "not bring")]
)
def test_one_network_has_three_forms(adjusted, how):
    assert how in str(said.one_case(0.3, adjusted))
    assert how in str(said.one_case(-0.3, -adjusted))
    assert said.one_case(math.nan, adjusted) is None and said.one_case(0.3, NAN) is None


def test_two_effects_make_one_sentence_or_two():
    assert said.of_both("it helps", "it helps") == "For age and for the smile, it helps."
    assert said.of_both("it helps", "it fails") == "For age, it helps. For the smile, it fails."
    assert said.of_both(None, "it helps") is None and said.of_both("it helps", None) is None
    helps, fails = "Then it is gone", "Even then it stays"
    assert said.clothes_of_both(helps, helps) == "Then it is gone, for age and for the smile alike."
    assert (
        said.clothes_of_both(helps, fails)
        == "For age: then it is gone. For the smile: even then it stays."
    )
    assert said.clothes_of_both(None, fails) is None and said.clothes_of_both(fails, None) is None


def test_clothes_pushed_or_not():
    assert "had pushed" in str(said.pushed(0.1, 0.2)) and "are not" in str(said.pushed(0.2, 0.1))
    assert said.pushed(NAN, 0.1) is None


@pytest.mark.parametrize(
    ("after", "begins", "why"),
    [
        (0.1, "Adjusting for clothes, too, removes more than half", "So most of this error"),
        (
            0.3,
            "Adjusting for clothes, too, makes the error smaller",
            "So the clothes are one cause",
        ),
        (0.5, "Adjusting for clothes, too, does not", "So the clothes do not explain"),
    ],
)
def test_clothes_have_three_forms(after, begins, why):
    assert str(said.with_clothes(0.4, after)).startswith(begins)
    assert str(said.cause(0.4, after)).startswith(why)
    assert said.with_clothes(NAN, after) is None and said.cause(0.4, NAN) is None


def test_an_error_grows_or_not():
    assert said.grows(0.1, 0.2) == "grows" and said.grows(0.2, 0.2) == "does not grow"
    assert said.grows(NAN, 0.2) is None


def test_nearer_to_the_captions_in_none_some_and_all_networks():
    none, some, every = (said.photographs_nearer(hits, 10, "age") for hits in (0, 7, 10))
    assert none == "For age, the experiment is nearer to the captions in all 10 networks."
    more = "For age, adjusted photographs are nearer to the captions in"
    assert some == f"{more} 7 of the 10 networks." and every == f"{more} all 10 networks."
    assert said.photographs_nearer(0, 0, "age") is None


def test_pictures_are_enough_only_where_errors_are_alike():
    assert "(0.08)" in str(said.as_near(0.09, 0.08)) and said.as_near(0.2, 0.08) is None
    assert said.as_near(NAN, 0.1) is None and said.as_near(0.1, NAN) is None


def test_intervals_contain_zero_both_neither_or_one():
    assert said.contain_zero(True, True) == "Both intervals contain zero."
    assert said.contain_zero(False, False) == "Neither interval contains zero."
    one, other = said.contain_zero(True, False), said.contain_zero(False, True)
    assert one == "The interval for the crests contains zero, and the one for the hues does not."
    assert other == "The interval for the hues contains zero, and the one for the crests does not."


@pytest.mark.parametrize(
    ("crests", "hues", "parts"),
    [
        ((0.2, 0.01), (0.6, 0.6), ["crests, almost nothing", "hues, the difference is still"]),
        ((0.2, 0.1), (0.6, -0.01), ["crests, a part of", "hues, almost nothing"]),
        ((0.2, 0.01), (-0.6, 0.01), ["Between the crests and between the hues, almost nothing"]),
        ((0.0, 0.1), (0.6, 0.9), ["Between the crests and between the hues, the difference is"]),
    ],
)
def test_clothes_that_are_left_have_three_forms(crests, hues, parts):
    found = str(said.clothes_left(crests, hues))
    assert all(part in found for part in parts)
    assert ("takes care of the clothes" in found) == ("almost nothing" in found)
    assert said.clothes_left((NAN, 0.1), hues) is None


def test_a_leak_into_the_skin_hurts_more_where_it_means_something_or_not():
    assert "skin hurts them more: " in str(said.meaning(0.2, 0.1))
    assert "skin does not hurt them more: " in str(said.meaning(0.1, 0.1))
    assert said.meaning(NAN, 0.1) is None and said.meaning(0.1, NAN) is None


@pytest.mark.parametrize(
    ("hits", "part"),
    [
        (10, "Even then, the experiment is nearer than adjusted photographs in all 10 networks."),
        (8, "At every strength, the experiment is nearer than adjusted photographs in 8 of the 10"),
        (0, "In none of the 10 networks is the experiment nearer"),
    ],
)
def test_a_leaking_experiment_has_three_forms(hits, part):
    assert part in str(said.leaky(hits, 10))
    assert said.leaky(0, 0) is None


def test_the_first_leak_that_matters():
    assert "In 2 of the 3, adjusted" in str(said.first_leak([0.8, 0.6, math.inf]))
    assert "(λ = 0.60 or more)" in str(said.first_leak([0.8, 0.6, math.inf]))
    assert "even without a leak" in str(said.first_leak([0.0, math.inf]))
    assert "In all 3, the experiment is still" in str(said.first_leak([math.inf] * 3))
    assert said.first_leak([]) is None and said.first_leak([NAN]) is None


def test_intervals_of_the_experiment_miss_zero_or_not():
    none, some = said.misses(0, 32, 0.95), said.misses(5, 32, 0.95)
    assert "misses zero in none of the 32 cases, no more often than chance allows" in str(none)
    assert "5 of the 32 cases, more often than chance allows" in str(some)
    assert said.misses(0, 0, 0.95) is None
