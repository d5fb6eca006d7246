"""Sentences that results decide: every form is written out here, to be read."""

import doctest

from studies.pretraining import tests_and_stimuli_words


def test_the_forms_in_the_docstrings_are_those_that_are_made():
    found = doctest.testmod(tests_and_stimuli_words)
    assert found.attempted > 5 and not found.failed
