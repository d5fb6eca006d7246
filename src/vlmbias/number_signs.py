"""The signs of a number that is read, in words and in the text of a page: −0.41, not -0.41; 80%,
not 80 %. A hyphen inside a name (`ViT-B-32`, `2019-2021`), a program and an address keep theirs.
"""

from __future__ import annotations

import re
from html.parser import HTMLParser

MINUS = "\N{MINUS SIGN}"
# in front of a number at the beginning, after a space, a bracket or a sign; or in an exponent, as
# in 2e-44
_NUMBER = re.compile(r"(?:(?<=^)|(?<=[\s(\[{,;:=<>≤≥≈±|/×–]))-(?=\.?\d)|(?<=\d[eE])-(?=\d+\b)")
_SPACED = re.compile(r"(?<=\d)[ \n\u00a0\u202f]%(?!\w)")
_NO_PROSE = frozenset(
    ("code", "pre", "script", "style", "textarea", "kbd", "samp", "svg", "mjx-container")
)
_INLINE = frozenset(
    ("a", "abbr", "b", "cite", "em", "i", "small", "span", "strong", "sub", "sup", "u", "wbr")
)


def counted(number: int, one: str, several: str = "") -> str:
    """A number and its noun; `several` is its plural, where that is not `one` with an s."""
    return f"{number:,} {one if number == 1 else several or one + 's'}"


def in_words(text: str) -> str:
    """The text with a minus sign in front of its numbers, and a per cent sign right after them."""
    return _SPACED.sub("%", _NUMBER.sub(MINUS, text))


class _Page(HTMLParser):
    """The places of the text nodes of a page, each with the letter that is read right before it."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=False)
        self.nodes: list[tuple[int, str, str]] = []
        self._closed: list[str] = []
        self._before, self._lines = "", [0]

    def read(self, html: str) -> list[tuple[int, str, str]]:
        for line in html.splitlines(keepends=True):
            self._lines.append(self._lines[-1] + len(line))
        self.feed(html)
        self.close()
        return self.nodes

    def _at(self) -> int:
        line, column = self.getpos()
        return self._lines[line - 1] + column

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag not in _INLINE:
            self._before = ""
        mathematics = tag in ("span", "div") and "math" in (dict(attrs).get("class") or "").split()
        if self._closed:
            self._closed += [tag] * (tag == self._closed[0])
        elif tag in _NO_PROSE or mathematics:
            self._closed.append(tag)

    def handle_endtag(self, tag: str) -> None:
        if self._closed and tag == self._closed[0]:
            self._closed.pop()
            self._before = "x"
        elif tag not in _INLINE:
            self._before = ""

    def handle_data(self, data: str) -> None:
        if not self._closed:
            self.nodes.append((self._at(), data, self._before))
            self._before = data[-1]

    def handle_entityref(self, name: str) -> None:
        self._before = "x" if name not in ("nbsp", "lt", "gt", "le", "ge") else ""

    def handle_charref(self, name: str) -> None:
        self._before = "x"


def in_html(html: str) -> str:
    """A page with the signs of the numbers of its text."""
    parts, last = [], 0
    for place, text, before in _Page().read(html):
        if "-" in text or "%" in text:
            parts += [html[last:place], in_words(before + text)[len(before) :]]
            last = place + len(text)
    return "".join([*parts, html[last:]])
