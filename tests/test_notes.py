import json

import numpy as np
import pandas as pd
import pytest

import vlmbias as vb
from vlmbias.notes import NOT_RUN, flattened


def test_values_are_flattened_to_plain_numbers_and_words():
    width = pd.Series({"FairFace": np.float32(0.5), "UTKFace": np.nan})
    rate = {("grid", 0): 1.0, ("grid", 1): np.inf}
    values = {"n": np.int64(3), "name": "violet eared", "none": None, "width": width, "rate": rate}
    found = flattened(values)
    assert found == {
        **{"n": 3, "name": "violet eared", "none": NOT_RUN},
        **{"width.FairFace": 0.5, "width.UTKFace": NOT_RUN},
        **{"rate.grid.0": 1.0, "rate.grid.1": np.inf},
    }
    assert {type(value) for value in found.values()} == {int, float, str}


@pytest.mark.parametrize("value", [True, np.bool_(True), [1, 2], pd.DataFrame()])
def test_what_is_no_number_and_no_word_is_refused(value):
    with pytest.raises(TypeError, match="note: x"):
        flattened({"x": value})


def test_a_note_can_be_read_back_from_the_notebook(monkeypatch):
    shown = []
    monkeypatch.setattr(
        "myst_nb.ext.glue.ipy_display",
        lambda data, **about: shown.append((data, about["metadata"])),
    )
    vb.note(gap=0.25, found={"set": "none"})
    read = {
        about["scrapbook"]["name"]: data[about["scrapbook"]["mime_prefix"] + "text/plain"]
        for data, about in shown
    }
    assert read == {"gap": "0.25", "found.set": "'none'"} and json.dumps(read)
