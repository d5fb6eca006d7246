"""Sentences with numbers on different built pages that speak of the same thing: do they agree?

    .venv/bin/python tools/alike.py            # those whose numbers differ, most alike first
    .venv/bin/python tools/alike.py --same     # those whose numbers agree, too
    .venv/bin/python tools/alike.py --least .6 # only the more alike (1: equal but for the numbers)

Reads `_build/site/_build/html`, so build the book first. A pair that is listed is no fault: it is
for somebody to read both pages. Two sentences are compared by their words, numbers apart; rare
words count more. Both may be right, and then each page has to say what differs. Words that stand
on more than three pages are a form that is filled in, and are left out.
"""

import argparse
import re
from collections import Counter
from pathlib import Path

import numpy as np
from bs4 import BeautifulSoup
from sklearn.feature_extraction.text import TfidfVectorizer

SITE = Path(__file__).parents[1] / "_build" / "site" / "_build" / "html"
NUMBER = re.compile(r"(?<![\w.])[−+-]?\d[\d.,]*\d|(?<![\w.])[−+-]?\d")
END = re.compile(r"(?<=[.?!:)])\s+(?=[A-Z“(])")


def sentences(page: Path) -> list[str]:
    """The sentences of one page that hold a number, in order; tables and code left out."""
    article = BeautifulSoup(page.read_text("utf-8"), "html.parser").find("article")
    if article is None:
        return []
    for aside in article.select(
        "table, pre, script, style, svg, .highlight, .footnote, figcaption"
    ):
        aside.decompose()
    blocks = (" ".join(block.get_text(" ").split()) for block in article.select("p, li"))
    found = (one for block in blocks for one in END.split(block) if NUMBER.search(one))
    return list(dict.fromkeys(one for one in found if len(one.split()) >= 7))


def pairs(site: Path, least: float) -> list[tuple[float, str, str, str, str]]:
    """(likeness, page, sentence, other page, its sentence), most alike first."""
    rows = [
        (str(page.relative_to(site).with_suffix("")), one)
        for page in sorted(site.rglob("*.html"))
        for one in sentences(page)
    ]
    pages_of = Counter(form for _, form in {(page, NUMBER.sub(" ", one)) for page, one in rows})
    rows = [(page, one) for page, one in rows if pages_of[NUMBER.sub(" ", one)] <= 3]
    words = [NUMBER.sub(" ", one) for _, one in rows]
    vectors = TfidfVectorizer(ngram_range=(1, 2), sublinear_tf=True).fit_transform(words)
    alike = (vectors @ vectors.T).tocoo()
    found = [
        (float(value), *rows[i], *rows[j])
        for i, j, value in zip(alike.row, alike.col, alike.data, strict=True)
        if i < j and value >= least and rows[i][0] != rows[j][0]
    ]
    return sorted(found, reverse=True)


def main() -> None:
    """Print the pairs as a list."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--same", action="store_true", help="those whose numbers agree, too")
    parser.add_argument("--least", type=float, default=0.5, help="how alike, from 0 to 1")
    given = parser.parse_args()
    found = pairs(SITE, given.least)
    agree = np.array([set(NUMBER.findall(a)) == set(NUMBER.findall(b)) for _, _, a, _, b in found])
    print(f"{len(found)} pairs of sentences are alike; in {int(agree.sum())} the numbers agree")
    for (value, page, one, other, its), same in zip(found, agree, strict=True):
        if given.same or not same:
            print(f"\n{value:.2f}{' same' if same else ''}\n  {page}: {one}\n  {other}: {its}")


if __name__ == "__main__":
    main()
