"""Colours stand in one place: pages that readers play with have those of the figures, and no module
of a study has any of its own."""

import re

from vlmbias import paths
from vlmbias.figures import COLOURS

ROOT = paths.root()
HEX = re.compile(r"#[0-9A-Fa-f]{6}\b")
PLAY = ROOT / "book/static/play"


def test_pages_to_play_with_have_the_colours_of_their_still_figures():
    style = (PLAY / "play.css").read_text("utf-8").lower()
    for name, colour in (("lit", "lit"), ("over", "lit"), ("under", "under"), ("same", "same")):
        assert f"--{name}: {COLOURS[colour].lower()}" in style
    script = (PLAY / "american-play.js").read_text("utf-8")
    for name in ("few", "many"):
        code = COLOURS[name].lower()
        parts = ", ".join(str(int(code[k : k + 2], 16)) for k in (1, 3, 5))
        assert code in style and f"[{parts}]" in script


def test_no_study_or_page_has_a_colour_of_its_own():
    files = [*(ROOT / "src/studies").rglob("*.py"), *(ROOT / "notebooks").glob("*/*.py")]
    own = {path: HEX.findall(path.read_text("utf-8")) for path in files}
    found = {path.name: colours for path, colours in own.items() if colours}
    assert found == {}, "a name of vlmbias.figures.COLOURS"
