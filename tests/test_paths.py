"""Where things are: variables that name folders, from the root or from the reader's own."""

from pathlib import Path

import pytest

from vlmbias import paths


@pytest.mark.parametrize(
    ("variable", "place"),
    [
        ("VLMBIAS_DATA", paths.reader_data),
        ("VLMBIAS_CACHE", paths.cache),
        ("VLMBIAS_MIRROR", paths.mirror),
    ],
)
def test_a_tilde_is_the_readers_own_folder_and_the_rest_is_from_the_root(
    tmp_path, monkeypatch, variable, place
):
    for folder in ("home/x", "root/x"):
        (tmp_path / folder).mkdir(parents=True)
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    monkeypatch.setenv("VLMBIAS_ROOT", "~/../root")
    assert paths.root() == tmp_path / "root"
    for named, folder in (("~/x", "home/x"), ("x", "root/x"), (str(tmp_path / "home/x"), "home/x")):
        monkeypatch.setenv(variable, named)
        assert place() == Path(tmp_path / folder)
