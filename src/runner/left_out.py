"""What a page does not print because a result in it is missing, settled where pages are staged.

    [The largest difference is {result}`calibration/ieat::gap.d:.1e`.]{.if-run} [It was not computed
    here.]{.if-not-run}

prints the first brackets where every result in them is there, and the second, which may be absent,
where one is not. A line `{.if-run}` above a paragraph or a directive says the same of all of it.
"""

import re
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from vlmbias.notes import NOT_RUN

_KIND = r"\{\.(?P<kind>if-run|if-not-run)\}"
MARKED = (
    # brackets inside brackets may hold no others
    re.compile(r"\[(?P<text>(?:[^\[\]]|\[[^\[\]]*\])*)\]" + _KIND),
    # a directive to its end, or a paragraph
    re.compile(
        rf"^{_KIND}\n(?P<text>(?P<fence>:::+)[\s\S]*?\n(?P=fence)$|.+(?:\n.+)*)", re.MULTILINE
    ),
)
PRINTED = re.compile(r"\{(?P<role>glue:text|result)\}`(?P<name>[^`]+)`")
GONE = "\0"  # in place of what is not printed, until its item of a list is looked at
_GONE_ITEM = re.compile(rf"^ *(?:[-*+]|\d+\.) (?: *{GONE})+ *(?:\n|\Z)", flags=re.MULTILINE)
_ROW_OR_ITEM = re.compile(r" *(?:\||[-*+] |\d+\. )")

Results = Mapping[str, Mapping[str, Any]]


def lacking(own: Mapping[str, Any], results: Results) -> Callable[[str], bool]:
    """Whether a text prints a result that was not run.

    Parameters
    ----------
    own : what the page's notebook glued (a name that it did not glue is left to be warned of).
    results : what all notebooks glued, by `<part>/<name>`.
    """

    def value(role: str, name: str) -> Any:
        if role == "glue:text":
            return own.get(name.partition(":")[0])
        notebook, _, key = name.partition("::")
        return results.get(notebook, {}).get(key.partition(":")[0], NOT_RUN)

    return lambda text: any(value(*one) == NOT_RUN for one in PRINTED.findall(text))


def settled(text: str, lacks: Callable[[str], bool], *, warn: Callable[[str], None]) -> str:
    """A text without what lacks a result, and with what stands in its place.

    Parameters
    ----------
    lacks : whether a part of the text lacks one (see `lacking`).
    warn : is told of a paragraph, a row or an item that lacks one and does not say what then; it is
        left out, too, unless it holds the beginning or the end of a directive.
    """
    for marked in MARKED:
        text = _chosen(text, marked, lacks)
    text = tidied(text)
    for unit in filter(lacks, _units(text)):
        words = " ".join(unit.split())
        warn(f"a result is missing in {words[:200]!r}: put the sentence into [ … ]{{.if-run}}")
        if ":::" not in unit:
            text = text.replace(unit, "")
    return text


def _units(text: str) -> Iterator[str]:
    """What is left out together: a paragraph, a row of a table, an item of a list."""
    for paragraph in text.split("\n\n"):
        yield from paragraph.split("\n") if _ROW_OR_ITEM.match(paragraph) else [paragraph]


def _chosen(text: str, marked: re.Pattern, lacks: Callable[[str], bool]) -> str:
    """The text, with those of its marked parts that are printed, as plain text."""
    lacked = False

    def shown(part: re.Match) -> str:
        nonlocal lacked
        if part["kind"] == "if-run":
            lacked = lacks(part["text"])
            return GONE if lacked else part["text"]
        return part["text"] if lacked else GONE

    return marked.sub(shown, text)


def tidied(text: str) -> str:
    """A text without what is gone, and without the items of lists that are empty now."""
    return _GONE_ITEM.sub("", text).replace(GONE, "") if GONE in text else text
