"""Sentences that compare computed values, and are no statements: each has a reason in a list.

    python tools/comparatives.py           what is not in the list, and what the list has too much
    python tools/comparatives.py --write   the list anew; new sentences get "?" as their reason

A sentence whose truth a rerun could change is a statement (`vb.holds`). A sentence with a glued
number and a word such as *larger* or *never* may be one that was forgotten. Left out here are
statements, quotations, exercises, tables and headings.
"""

import csv
import re
import sys
from pathlib import Path

from runner import notebooks
from runner.statements import STATEMENT

ROOT = Path(__file__).parents[1]
LIST = ROOT / "tests/book/comparatives.csv"
REASONS = {
    "number": "the glued number or word is the comparison itself, with its sign",
    "made": "how something was made, drawn or counted; no result",
    "printed": "about what a paper prints; the ledger audits it",
    "term": "a definition, or arithmetic that is always true",
    "chosen": "the compared thing is chosen by the code: the largest, the first",
    "asks": "a question, a condition or an instruction",
    "elsewhere": "says again what a statement of the chapter that is linked says",
}
_OF = (
    "(?:larg|small|high|low|great|strong|weak|wid|narrow|far|near|rar|long|short|old|young|few|sur)"
)
WORDS = re.compile(
    rf"\b(more|less|most(?:ly)?|least|{_OF}(?:t?her|e?r|e?st)|farther|better|worse|best|worst|often"
    r"|rarely|always|never|hardly|clearly|significant(?:ly)?|too|only|all but)\b",
    re.IGNORECASE,
)
NUMBER = re.compile(r"\{(?:glue:\w+|result)\}")


def prose(path):
    """The text of a page without code and exercises."""
    text = path.read_text("utf-8")
    if path.suffix == ".py":
        cells = notebooks.parse(text).cells
        text = "\n\n".join(cell.source for cell in cells if cell.cell_type == "markdown")
    return re.split(r"^#+ Exercises", text, flags=re.MULTILINE)[0]


def sentences(path):
    """Those of a page that hold a glued number and a comparing word outside a statement."""
    text = STATEMENT.sub("", prose(path))
    text = re.sub(r'"[^"\n]*"|“[^”\n]*”', "", text)
    for paragraph in re.split(r"\n\s*\n|\n(?=\s*(?:[-|*]|\d+\.) )", text):
        if not re.match(r"\s*[#|>]", paragraph):
            for one in re.split(r"(?<=[.!?:])[*_)]*\s+", " ".join(paragraph.split())):
                if WORDS.search(one) and NUMBER.search(one):
                    yield one


def found():
    """(page, sentence) of all pages, in order."""
    pages = [*sorted((ROOT / "notebooks").rglob("*.py")), *sorted((ROOT / "book").rglob("*.md"))]
    return [
        (path.relative_to(ROOT).with_suffix("").as_posix(), one)
        for path in pages
        for one in dict.fromkeys(sentences(path))
    ]


def listed():
    """(page, sentence) → reason."""
    with LIST.open(encoding="utf-8", newline="") as file:
        return {(row["page"], row["sentence"]): row["reason"] for row in csv.DictReader(file)}


def write():
    known = listed() if LIST.is_file() else {}
    with LIST.open("w", encoding="utf-8", newline="") as file:
        out = csv.writer(file, lineterminator="\n")
        out.writerow(("reason", "page", "sentence"))
        out.writerows((known.get(one, "?"), *one) for one in found())


if __name__ == "__main__":
    if sys.argv[1:] == ["--write"]:
        write()
    new, old = found(), listed()
    for page, one in new:
        if old.get((page, one), "?") not in REASONS:
            print(f"{page}: {one}")
    print(f"{len(new)} sentences, {len(set(old) - set(new))} in the list only")
