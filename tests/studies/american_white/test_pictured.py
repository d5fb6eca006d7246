"""What a page says of its pictures: how many of each group, and whether they are the paper's."""

import in_process
import numpy as np
import pandas as pd
import pytest
from PIL import Image

from runner import plan
from studies.american_white import pictured
from vlmbias import paths
from vlmbias.stimuli.imageset import ImageSet
from vlmbias.stimuli.reader_folders import METADATA

PAPER = {"asian": 109, "black": 197, "latino": 108, "white": 183}


def people(source, **sizes):
    races = [name.replace("_", " ") for name, size in sizes.items() for _ in range(size)]
    return ImageSet("a set", pd.DataFrame({"race": races}), source)


@pytest.mark.parametrize(
    ("source", "sizes", "called"),
    [
        (
            "greenhouse",
            {"teal": 2, "lime": 3, "amber": 1, "violet": 4},
            {"asian": "violet", "black": "amber", "latino": "lime", "white": "teal"},
        ),
        (
            "fairface",
            {"white": 2, "latino_hispanic": 3, "indian": 9},
            {"latino": "latino hispanic", "white": "white"},
        ),
        ("cfd", {"white": 2, "asian": 3}, {"asian": "asian", "white": "white"}),
    ],
)
def test_groups_stand_where_the_paper_has_them(source, sizes, called):
    found = pictured.groups(people(source, **sizes))
    assert found == called
    assert list(found) == sorted(found)


@pytest.mark.parametrize(
    ("source", "sizes", "said"),
    [
        ("cfd", PAPER, "597 portraits; 197 black; as many as the paper has"),
        ("cfd", PAPER | {"white": 182}, "596 portraits; not as many as the paper has"),
        (
            "fairface",
            {"white": 2, "latino_hispanic": 1, "indian": 5},
            "3 photographs; 1 latino hispanic, 2 white; no verdict on the paper",
        ),
        ("greenhouse", {"teal": 1}, "stand for no group of people"),
        ("folder", {"white": 1}, "1 pictures; no verdict on the paper"),
    ],
)
def test_what_is_shown_is_named_for_what_it_is(source, sizes, said):
    found = pictured.shown(people(source, **sizes))
    assert all(one in found for one in said.split("; ")), found
    assert ("not as many" in found) == ("not as many" in said)
    drawn = pictured.shown(people("greenhouse", teal=183, amber=109, lime=108, violet=197))
    assert "as many drawings as" in drawn
    assert "as many drawings as" not in pictured.shown(people("greenhouse", teal=1))


@pytest.mark.parametrize("chapter", ["traits", "we_they"])
def test_each_d_of_own_groups_stands_in_a_table_of_the_page(chapter, tmp_path):
    """A report takes its results from there: the ledger has no claim about such groups."""
    rows = ["path,seed,race"]
    for who in range(12):
        noise = np.random.default_rng(who).integers(0, 255, (8, 8, 3), dtype="uint8")
        Image.fromarray(noise).save(tmp_path / f"{who}.png")
        rows.append(f"{who}.png,{who},{('ginger', 'green', 'plum')[who % 3]}")
    (tmp_path / METADATA).write_text("\n".join(rows))
    given = {"stimuli": "folder", "root": str(tmp_path)}
    record = plan.record(f"american_white/{chapter}", plan.settings("smoke"), given=given, files={})
    cells = in_process.run(record, paths.build() / "smoke/own/results.json", drawn=False)
    code = [cell.source for cell in cells if cell.source.startswith("tables.readable(")]
    shown = "".join(in_process.shown(one).to_html() for one in code)
    found = in_process.shown("headline")
    assert {"green", "plum"} <= {*found.index.get_level_values(-1)}
    assert all(f"{abs(d):.2f}</td>" in shown for d in found["d"])
