"""Colours stand in one place: pages that readers play with have those of the figures, and no module
of a study has any of its own."""

import re

import pytest

from vlmbias import paths
from vlmbias.figures import COLOURS

ROOT = paths.root()
HEX = re.compile(r"#[0-9A-Fa-f]{6}\b")
PLAY = ROOT / "book/static/play"


@pytest.mark.parametrize(
    ("name", "colour"),
    [("lit", "lit"), ("over", "lit"), ("under", "under"), ("same", "same")],
)
def test_a_page_has_the_colour_of_its_still_figure(name, colour):
    found = re.findall(rf"--{name}: (#\w+)", (PLAY / "play.css").read_text("utf-8"))
    assert found[0].lower() == COLOURS[colour].lower()


def test_the_map_has_the_shades_of_its_still_figure():
    style = (PLAY / "play.css").read_text("utf-8").lower()
    script = (PLAY / "american-play.js").read_text("utf-8")
    for name in ("few", "many"):
        code = COLOURS[name].lower()
        assert code in style
        parts = ", ".join(str(int(code[k : k + 2], 16)) for k in (1, 3, 5))
        assert f"[{parts}]" in script


@pytest.mark.parametrize(
    "path",
    sorted([*(ROOT / "src/studies").rglob("*.py"), *(ROOT / "notebooks").glob("*/*.py")]),
    ids=lambda path: f"{path.parent.name}/{path.name}",
)
def test_no_study_or_page_has_a_colour_of_its_own(path):
    assert not HEX.findall(path.read_text("utf-8")), "a name of vlmbias.figures.COLOURS"
