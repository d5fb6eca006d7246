"""The faults that `campaign/planted.py` plants can be planted: each place stands once in its file.

One that cannot be planted any more is a fault that nobody looks for.
"""

import sys
import tomllib
from collections import Counter

import pytest

from vlmbias import paths

CAMPAIGN = paths.root() / "tests/campaign"
FAULTS = tomllib.loads((CAMPAIGN / "planted.toml").read_text(encoding="utf-8"))["fault"]


@pytest.fixture(scope="module")
def places():
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sys, "path", [str(CAMPAIGN), *sys.path])
        from planted import places
    return places


@pytest.mark.parametrize("fault", FAULTS, ids=lambda fault: fault["id"])
def test_a_fault_can_be_planted_and_its_tests_are_there(fault, places):
    content = (paths.root() / fault["file"]).read_text(encoding="utf-8")
    (place,) = places(content, fault["old"])
    assert place[0] != fault["new"]
    assert all((paths.root() / test.partition("::")[0]).exists() for test in fault["tests"])


def test_every_fault_has_a_name_of_its_own():
    assert not [name for name, n in Counter(one["id"] for one in FAULTS).items() if n > 1]
