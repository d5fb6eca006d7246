"""Sentences that results decide: every form is written out here, to be read."""

import doctest

import numpy as np
import pandas as pd

from studies.pretraining import stress_words
from vlmbias.notes import NOT_RUN


def test_the_forms_in_the_docstrings_are_those_that_are_made():
    found = doctest.testmod(stress_words)
    assert found.attempted > 5 and not found.failed


def test_rates_may_be_numbers_of_numpy():
    both = stress_words.too_much(np.float64(0.6), np.float64(0.5), 0.09)
    assert both == "The published regression finds far too much, in both sets of networks."
    assert stress_words.too_much(0.2, 0.15, 0.09).endswith(
        "finds too much, in both sets of networks."
    )
    assert stress_words.too_much(0.2, float("nan"), 0.09) == NOT_RUN


def test_families_found_wrongly_are_called_so():
    found = stress_words.with_large_reference(["marked"], [], ["faint"])
    assert "of which none is among the families that differ" in found
    assert "of these, a and b are among the families" in stress_words.with_large_reference(
        list("abc"), [], ["a", "b"]
    )
    assert stress_words.with_large_reference(["a"], ["a", "b"], ["a"]).endswith(
        "a and b are found."
    )


def test_shares_at_which_much_is_found_everywhere():
    shares = pd.DataFrame({"share": [0.0, 0.1], "published": [48, 48], "networks": [2, 2]})
    assert stress_words.at_nothing(shares).endswith("finds as much as elsewhere.")


def test_both_factors_wrong_and_networks_left_out():
    assert stress_words.as_a_whole(0.2, 0.001, 0.01).endswith("which is wrong.")
    assert stress_words.rejected(3).startswith("3 of them did not learn")
    assert stress_words.by_seed(pd.Series([0, 0])).endswith("finds no significant families.")
