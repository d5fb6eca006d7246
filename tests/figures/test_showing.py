"""How a figure comes onto a page: with alt text, caption, source, and its mark."""

import base64
import io
import re
import xml.etree.ElementTree as ElementTree

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
import pytest
from matplotlib.figure import Figure
from PIL import Image

from vlmbias.figures import panels, show
from vlmbias.figures.showing import MARK, MARKS, source_line, to_html

ALT = "A line that rises from left to right."
HARD = 'Points where a < b & c > "d" hold.'


def picture(html):
    kind, data = re.search(r'src="data:image/([^;]+);base64,([^"]+)"', html).groups()
    return kind, base64.b64decode(data)


def a_line():
    figure, ((axes,),) = panels()
    axes.plot([0, 1], [0, 1])
    return figure


def test_one_figure_with_alt_caption_and_source():
    about = {"caption": "a < b.", "source": "paper:causalface, Fig. 2"}
    root = ElementTree.fromstring(to_html(a_line(), alt=HARD, **about, name="rise"))
    assert root.tag == "figure" and root.get("id") == "rise"
    (image,) = root.iter("img")
    assert image.get("alt") == HARD
    text = "".join(root.find("figcaption").itertext())
    assert text == "a < b.Data: printed in Hausladen et al. (2025), Fig. 2."


@pytest.mark.parametrize(
    ("source", "mark"),
    [
        (["greenhouse", "paper:pretraining"], MARK),
        (["simulated", "greenhouse"], f"{MARK}; {MARKS['simulated']}"),
        ("example", MARKS["example"]),
    ],
)
def test_what_is_not_about_people_is_marked_on_the_picture_itself_and_below(source, mark):
    marked = to_html(a_line(), alt=ALT, caption="Rising.", source=source)
    assert mark in picture(marked)[1].decode()
    assert ('href="../../book/greenhouse/limits.html"' in marked) == ("greenhouse" in source)
    assert ("no model was measured" in marked) == (source[0] != "greenhouse")
    plain = to_html(a_line(), alt=ALT, caption="Rising.", source="paper:pretraining")
    assert not [one for one in MARKS.values() if one in picture(plain)[1].decode()]


def test_the_mark_stays_visible_on_a_large_picture():
    figure = Figure()
    rng = np.random.default_rng(0)
    figure.subplots().imshow(rng.uniform(size=(280, 280, 3)))
    kind, marked = picture(to_html(figure, alt=ALT, caption="Noise.", source="greenhouse"))
    _, plain = picture(to_html(figure, alt=ALT, caption="Noise.", source="paper:calibration"))
    marked, plain = (Image.open(io.BytesIO(data)) for data in (marked, plain))
    assert kind == "webp"
    assert marked.height > plain.height  # the mark has its own strip below
    assert np.asarray(marked.convert("L"))[-30:].min() < 200


def test_show_displays_once_and_closes_the_pyplot_figure(monkeypatch):
    shown = []
    monkeypatch.setattr("IPython.display.display", lambda data, raw: shown.append((data, raw)))
    figure, axes = plt.subplots()
    axes.plot([0, 1])
    show(figure, alt=ALT, caption="Rising.", source="greenhouse")
    ((data, raw),) = shown
    assert raw and list(data) == ["text/html"] and data["text/html"].count("<figure") == 1
    assert not plt.fignum_exists(figure.number)


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ({"alt": " plot " * 3 + " " * 30}, "too short .* at least 20 .*; say what the picture"),
        ({"caption": " "}, "caption is empty"),
        ({"source": "paper:nobody"}, "unknown source 'paper:nobody'; valid: greenhouse, "),
    ],
)
def test_bad_words_are_one_clear_error(words, message):
    given = {"alt": ALT, "caption": "Rising.", "source": "greenhouse"} | words
    with pytest.raises(ValueError, match=message):
        to_html(a_line(), **given)
    with pytest.raises(TypeError, match="needs a matplotlib figure, got DataFrame"):
        to_html(pd.DataFrame(), alt=ALT, caption="Rising.", source="greenhouse")


def test_real_sources_are_those_of_the_list(monkeypatch, tmp_path):
    (tmp_path / "data/sources").mkdir(parents=True)
    entry = (
        "{open: false, purpose: p, licence: l, obtain: ask, citation: 'Some & Body (2021), A set,"
        " in (2020)'}"
    )
    (tmp_path / "data/sources/index.yaml").write_text(f"one: {entry}\n")
    facts = (
        "citation: 'Any & Body (2020), Numbers', repository: github.com/any/body, mirror: any,"
        f" taken: all, commit: {'a' * 40}, originals: [{{path: a.csv, sha256: {'b' * 64}}}],"
        " licence: l, rows: 1, key: [x], columns: {x: number}"
    )
    (tmp_path / "data" / "published").mkdir()
    (tmp_path / "data" / "published" / "index.yaml").write_text(
        f"a: {{{facts}}}\nb: {{{facts}, computed: true, not_cc_by: true}}\n"
        f"c: {{{facts.replace('(2020), N', '(2020) and Two et al. (2021), N')}}}\n"
    )
    monkeypatch.setenv("VLMBIAS_ROOT", str(tmp_path))
    assert source_line("model:ViT-B-32/<i>") == "computed here with ViT-B-32/&lt;i&gt;"
    assert source_line("real:one") == "one, from Some &amp; Body (2021)"
    assert source_line("published:a") == "published by Any &amp; Body (2020)"
    assert source_line("published:b") == (
        "computed from results published by Any &amp; Body (2020); not under CC BY"
    )
    both = "published by Any &amp; Body (2020) and Two et al. (2021)"
    assert source_line("published:c") == both
    with pytest.raises(ValueError, match=r"unknown source 'real:two'; valid: .*real:one"):
        source_line("real:two")
