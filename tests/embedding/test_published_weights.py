"""Published weights: named in one place, found by name, missed with a way to get them."""

import re

import pytest

from vlmbias import paths, sources
from vlmbias.sources import folders, published_weights
from vlmbias.sources.catalogue import source


def test_a_file_in_its_place_is_found_and_a_missing_one_is_said(tmp_path, monkeypatch):
    monkeypatch.setenv("VLMBIAS_DATA", str(tmp_path))
    for name, one in published_weights.PUBLISHED.items():
        with pytest.raises(FileNotFoundError, match=re.escape(source(one.source).how)) as missing:
            published_weights.place(name)
        assert str(paths.reader_data() / "weights" / one.file) in str(missing.value)
        (tmp_path / "weights").mkdir(exist_ok=True)
        (tmp_path / "weights" / one.file).touch()
        assert published_weights.place(name) == tmp_path / "weights" / one.file
        assert published_weights.place(name) in sources.folders.supplied(one.source)
    found = {key: len(folders.supplied(key)) for key in published_weights.files()}
    assert found == {"slip-weights": 1, "blip-weights": 3, "vqgan-weights": 1}


def test_a_family_has_one_source_and_other_models_have_none():
    for name, one in published_weights.PUBLISHED.items():
        family = name.partition("/")[0]
        for own in (name, f"{family}/other"):
            assert published_weights.source_of(own) == one.source
        assert name in published_weights.of_family(family)
    for other in ("ViT-B-32-quickgelu/openai", "greenhouse", "slippery/model"):
        assert published_weights.source_of(other) == ""
