"""What strangers send, door by door: servers, folders of pictures and their tables, weights."""

import importlib

import downloads
import folders
import pytest
import weights
from case import judged
from installed import needs

import vlmbias as vb

pytestmark = needs("transformers", "diffusers")

CASES = {
    f"{door.__name__}: {case.name}": case
    for door in (downloads, folders, weights)
    for case in door.cases()
}


@pytest.fixture(scope="module", autouse=True)
def loaded_once():
    """Before the process divides: what every try would import again."""
    vb.encoder("greenhouse", device="cpu")
    for name in ("transformers.models.blip", "diffusers.models.autoencoders.vq_model", "timm"):
        importlib.import_module(name)


@pytest.mark.parametrize("name", CASES)
def test_it_is_refused_clearly_or_done_right(name, tmp_path):
    assert judged(CASES[name], tmp_path) == "handled"
