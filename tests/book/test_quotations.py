"""What pages quote from the papers is in the quotations of the ledger, or in the list beside this
file."""

import re
from collections.abc import Iterator
from pathlib import Path

from runner import notebooks
from vlmbias import paths
from vlmbias.ledger.claims import claims
from vlmbias.papers import PAPERS

ROOT = paths.root()
PAGES = sorted(
    path
    for paper in PAPERS
    for path in (ROOT / f"book/{paper}.md", *(ROOT / "notebooks" / paper).glob("*.py"))
    if path.is_file()
)
FEWEST = 4  # words; shorter parts are names of things


def plain(text: str) -> str:
    """Without what type and lines make different."""
    for marks, mark in (("’‘", "'"), ("“”„", '"'), ("*_", "")):
        text = re.sub(f"[{marks}]", mark, text)
    return " ".join(text.split()).lower()


def prose(path: Path) -> str:
    if path.suffix == ".md":
        return path.read_text("utf-8")
    cells = notebooks.read(path).cells
    return "\n\n".join(cell.source for cell in cells if cell.cell_type == "markdown")


def quoted(text: str) -> Iterator[str]:
    """The passages between straight marks in the block quotations of a page, divided where
    something is left out."""
    for block in re.findall(r"(?:^> .*\n?)+", text, re.MULTILINE):
        lines = " ".join(line[2:] for line in block.splitlines())
        for passage in re.findall(r'"([^"]+)"', lines):
            for part in re.split(r"…|\.\.\.|\[[^\]]*\]", passage):
                found = plain(part).strip(" .,;")
                if len(found.split()) >= FEWEST:
                    yield found


def test_what_a_page_quotes_is_what_the_paper_says():
    beside = (Path(__file__).parent / "quotations.txt").read_text("utf-8")
    for path in PAGES:
        paper = path.stem if path.suffix == ".md" else path.parent.name
        known = plain(" | ".join([beside, *(str(one.quote) for one in claims(paper).values())]))
        wrong = [one for one in quoted(prose(path)) if one not in known]
        assert not wrong, f"{path.name}: compare with the paper, and with its record: {wrong}"


def test_quotations_are_found_in_parts():
    text = '> "One two three four … five six seven eight [sic] nine"\n> (Section 1)\n\n"not this"'
    assert list(quoted(text)) == ["one two three four", "five six seven eight"]
