"""What is said of the pictures and of the model, each ours or not."""

from types import SimpleNamespace

import pytest

from studies.made_here import of_ours


@pytest.mark.parametrize("source", ["greenhouse", "folder"])
@pytest.mark.parametrize("model", ["greenhouse/b0", "ViT-B-32/openai"])
def test_what_is_ours_is_said_and_nothing_else(source, model):
    """Where our model looks, what it saw has its mark, whosever the pictures are."""
    seen = {"source": "greenhouse" if model.startswith("greenhouse") else source, "model": model}
    said = of_ours(SimpleNamespace(**seen, images=SimpleNamespace(source=source))) or ""
    assert said.startswith("drawn faces of invented groups") == (source == "greenhouse")
    assert ("a small network that we trained" in said) == model.startswith("greenhouse")
