"""What is said of the pictures and of the model, each ours or not."""

from types import SimpleNamespace

import pytest

from studies.made_here import of_ours


@pytest.mark.parametrize(
    "source, model, words",
    [
        ("greenhouse", "greenhouse/b0", "drawn faces of invented groups, and a small network that"),
        ("greenhouse", "ViT-B-32/openai", "drawn faces of invented groups"),
        ("real:folder", "greenhouse", "a small network that we trained on such faces and on"),
    ],
)
def test_what_is_ours_is_said(source, model, words):
    said = of_ours(SimpleNamespace(source=source, model=model))
    assert said.startswith(words)
    assert ("network" in said) == model.startswith("greenhouse")


def test_nothing_is_said_where_nothing_is_ours():
    assert of_ours(SimpleNamespace(source="causalface", model="ViT-B-32/openai")) is None
