"""A few pages of a built site, printed by a real browser into one PDF."""

import re

import pytest
import yaml
from devtools import CHROMIUM

from runner import pdf

pytestmark = pytest.mark.skipif(not CHROMIUM, reason="no Chromium here to print the pages with")

PAGES = ("book/read", "book/primers/association", "notebooks/test/page")


def test_pages_are_printed_into_one_file(site, own_page, tmp_path):
    parts = [{"caption": "All", "chapters": [{"file": name} for name in PAGES[1:]]}]
    toc, file = tmp_path / "_toc.yml", tmp_path / "a.pdf"
    toc.write_text(yaml.safe_dump({"root": PAGES[0], "parts": parts}))
    pdf.print_page(
        pdf.whole(site, toc, title="A book", author="us", built="2026-01-02"), site, file
    )
    data = file.read_bytes()
    printed = len(re.findall(rb"/Type ?/Page\b", data))
    # a cover, the contents, and each page begin on a new sheet; none of them is long
    assert 2 + len(PAGES) <= printed <= 20
    assert b"/Outlines" in data and b"(A page)" in data, "the headings can be chosen from"
    destinations = re.findall(rb"/(?:Dest|D) ?/([\w#-]+)|/(?:Dest|D) ?\(([^)]*)\)", data)
    assert any(b"book-primers-association" in b"".join(one) for one in destinations), (
        "links within the file"
    )
    assert list(tmp_path.glob("*.part")) == [] and not (site / "whole.html").exists()
