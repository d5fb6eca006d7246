"""The released effect sizes, from a local server to the reader: whole, as a pointer, as a web
page."""

import hashlib

import pytest
import released_layout

import vlmbias as vb
from studies.pretraining import downstream, twin
from studies.pretraining import effect_sizes as study
from vlmbias import sources
from vlmbias.external import study_table

FILE = study_table.FILES["nrc-oasis"]


@pytest.fixture(scope="module")
def table(tmp_path_factory):
    """A table in the released layout, as bytes; made before the catalogue is replaced."""
    claims, path = vb.ledger.load("pretraining"), tmp_path_factory.mktemp("released") / "table.csv"
    released_layout.write(
        twin.generate(study.cells(claims), downstream.printed(claims)["r"].to_dict()), path
    )
    return path.read_bytes()


@pytest.fixture
def offered(table, catalogue, server):
    """A catalogue with the released file's key and the table's checksum; what the server sends can
    be changed."""
    file = {"path": FILE, "bytes": len(table), "sha256": hashlib.sha256(table).hexdigest()}
    catalogue(
        **{
            study_table.KEY: {
                "open": True,
                "purpose": "effect sizes.",
                "licence": "MIT",
                "citation": "Them.",
                "base": "https://example.org/",
                "files": [file],
            }
        }
    )
    server.sent[FILE] = table
    return server


def test_the_fetched_table_is_read(offered):
    with pytest.raises(
        sources.SourceUnavailable, match=f"`vlmbias sources --fetch {study_table.KEY}` downloads it"
    ):
        study_table.released()
    assert sources.fetch([study_table.KEY]) == [] and offered.asked == [FILE]
    found = study_table.released()
    assert len(found) == 3406 and study_table.behind(found)["stimuli"] == "simulated/nrc-oasis"


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (
            b"version https://git-lfs.github.com/spec/v1\noid sha256:4387\nsize 1810137\n",
            "a Git LFS pointer, not the file",
        ),
        (
            b"<!DOCTYPE html><title>Rate limited</title>",
            "a web page (an error message?), not the file",
        ),
        (b"model,effect_size\n", "cut short"),
    ],
)
def test_what_is_sent_in_its_place_is_named_and_not_kept(offered, content, message):
    offered.sent[FILE] = content
    (problem,) = sources.fetch([study_table.KEY])
    assert message in problem
    with pytest.raises(sources.SourceUnavailable):
        study_table.released()
