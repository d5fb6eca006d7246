"""Records that no notebook's run can reach: `unreachable.txt`.

A run reaches a record if its data and model can be had here and its chapter records a value for it.
Which records the chapters of the first paper reach is seen in their own runs
(tests/test_paper_settings.py).
"""

from vlmbias.ledger.claims import claims
from vlmbias.sources.folders import FILES
from vlmbias.stimuli.reader_folders import IMAGE_SETS

from .conftest import REPOSITORY

LISTED = (REPOSITORY / "tests/ledger/unreachable.txt").read_text("utf-8").splitlines()
# with a loader, or in what a chapter downloads
DATA = {"none", "ieat", "clip-bias-stimuli", "nrc-vad", *IMAGE_SETS, *FILES}
NO_ENCODER = ("131 CLIP models",)  # but their effect sizes were released: test_reach_of_released.py
RELEASED = {"nrc-oasis", "seat-ieat"}


def test_the_list_names_claims_in_their_order():
    assert [name for name in claims() if name in set(LISTED)] == LISTED, (
        "ids of claims, once each, in their order"
    )


def test_a_record_whose_data_or_model_nothing_loads_is_listed():
    for name, claim in claims().items():
        loaded = set(claim.data.split(", ")) <= DATA
        seen = not any(one.startswith(NO_ENCODER) for one in claim.model.split(", "))
        released = claim.data in RELEASED and claim.model in NO_ENCODER
        reached = (loaded and seen) or released
        assert reached or name in LISTED, (
            f"{name}: no run can have its data ({claim.data}) or model ({claim.model}). Add a"
            " loader or an encoder; if there can be none, add its id to unreachable.txt beside this"
        )
