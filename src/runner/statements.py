"""What a page says of a run, settled where pages are staged.

    [A more precise test is significant more often.]{.holds #grows}

is a statement: a notebook records `vb.holds(grows=…)`, and a page of prose names the chapter, too:
`#sensitivity.grows`. What holds is plain text, what does not is marked, and a statement that is
None, because its source is missing, is not printed.

    [The largest difference is {result}`calibration/ieat::gap.d:.1e`.]{.if-run} [It was not computed
    here.]{.if-not-run}

prints the first brackets where every result in them is there, and the second, which may be absent,
where one is not. A line `{.if-run}` above a paragraph or a directive says the same of all of it.
"""

import copy
import re
from collections.abc import Callable, Iterator, Mapping
from typing import Any, NamedTuple

from nbformat import NotebookNode

from runner.glued_values import collected, glued
from vlmbias import number_signs
from vlmbias.notes import NOT_RUN

_BRACKETS = r"\[(?P<text>(?:[^\[\]]|\[[^\[\]]*\])*)\]"  # those within them may hold no others
STATEMENT = re.compile(_BRACKETS + r"\{\.holds #(?P<name>[\w./-]+)\}")
_KIND = r"\{\.(?P<kind>if-run|if-not-run)\}"
_MARKED = (
    re.compile(_BRACKETS + _KIND),
    # a directive to its end, or a paragraph
    re.compile(
        rf"^{_KIND}\n(?P<text>(?P<fence>:::+)[\s\S]*?\n(?P=fence)$|.+(?:\n.+)*)", re.MULTILINE
    ),
)
PRINTED = re.compile(r"\{(?P<role>glue:text|result)\}`(?P<name>[^`]+)`")
GLUED = re.compile(r"\{glue:text\}`(?P<name>[^`:]+)(?::(?P<form>[^`]*))?`")
PREFIX = "holds."
_GONE = "\0"  # in place of what is not printed, until its item of a list is looked at
_GONE_ITEM = re.compile(rf"^ *(?:[-*+]|\d+\.) (?: *{_GONE})+ *(?:\n|\Z)", flags=re.MULTILINE)
_ROW_OR_ITEM = re.compile(r" *(?:\||[-*+] |\d+\. )")
_MARKUP = (
    (r"!?\[([^\]]*)\]\([^)]*\)", r"\1"),  # of a link, its words
    (r"\{cite[^}]*\}`[^`]*`", ""),
    (r"\{[\w:]+\}`([^`<]+?) *<[^`]*`", r"\1"),  # a role with words of its own
    (r"\{[\w:]+\}`[^`]*`", "…"),
    (r"</?[a-z][^>]*>", ""),
    (r"\\+(?:mathrm|text|,|;)?", ""),
    (r"[*`$]+|(?<!\w)_|_(?!\w)", ""),
    (r"\s+", " "),
)

Results = Mapping[str, Mapping[str, Any]]
"""What all notebooks glued, by `<part>/<name>`."""


class Settled(NamedTuple):
    """What a page prints, its sentences that do not hold, and what has to be mended in it."""

    text: str
    false: list[str]
    wrong: list[str]


def recorded(values: Mapping[str, Any]) -> dict[str, bool | None]:
    """The statements among glued values, by name."""
    found = {key.removeprefix(PREFIX): v for key, v in values.items() if key.startswith(PREFIX)}
    return {name: value if isinstance(value, bool) else None for name, value in found.items()}


def of_chapters(results: Results) -> dict[str, bool | None]:
    """The statements of all notebooks, as prose names them: `<notebook>.<statement>`."""
    return {
        f"{notebook.rpartition('/')[2]}.{name}": value
        for notebook, values in results.items()
        for name, value in recorded(values).items()
    }


def lacking(own: Mapping[str, Any], results: Results) -> Callable[[str], bool]:
    """Whether a text prints a result that was not run.

    Parameters
    ----------
    own : what the page's notebook glued (a name that it did not glue is left to be warned of).
    results : what all notebooks glued.
    """

    def value(role: str, name: str) -> Any:
        if role == "glue:text":
            return own.get(name.partition(":")[0])
        notebook, _, key = name.partition("::")
        return results.get(notebook, {}).get(key.partition(":")[0], NOT_RUN)

    return lambda text: any(value(*one) == NOT_RUN for one in PRINTED.findall(text))


def settled(
    text: str, known: Mapping[str, bool | None], lacks: Callable[[str], bool] = lambda _: False
) -> Settled:
    """A text with its statements as plain sentences, those that do not hold marked, and without
    what lacks a result.

    A paragraph, a row or an item that lacks one and does not say what then is named as wrong, and
    left out, too, unless it holds the beginning or the end of a directive.

    Parameters
    ----------
    known : whether each statement holds, by name; None: it was not run.
    lacks : whether a part of the text lacks a result (see `lacking`).
    """
    false, wrong = [], []

    def said(one: re.Match) -> str:
        holds = known.get(one["name"])
        if one["name"] not in known:
            wrong.append(
                f"#{one['name']}: no notebook records this statement; add it to a vb.holds(…)"
            )
        if holds is False:
            false.append(one["text"])
            return f"[{one['text']}]{{.does-not-hold}}"
        return one["text"] if holds else _GONE

    text = _tidied(STATEMENT.sub(said, text))
    for marked in _MARKED:
        text = _chosen(text, marked, lacks)
    text = _tidied(text)
    for unit in filter(lacks, _units(text)):
        words = " ".join(unit.split())
        wrong.append(
            f"a result is missing in {words[:200]!r}: put the sentence into [ … ]{{.if-run}}"
        )
        if ":::" not in unit:
            text = text.replace(unit, "")
    return Settled(text, false, wrong)


def _chosen(text: str, marked: re.Pattern, lacks: Callable[[str], bool]) -> str:
    """The text, with those of its marked parts that are printed, as plain text."""
    lacked = False

    def shown(part: re.Match) -> str:
        nonlocal lacked
        if part["kind"] == "if-run":
            lacked = lacks(part["text"])
            return _GONE if lacked else part["text"]
        return part["text"] if lacked else _GONE

    return marked.sub(shown, text)


def _tidied(text: str) -> str:
    """A text without what is gone, and without the items of lists that are empty now."""
    return _GONE_ITEM.sub("", text).replace(_GONE, "") if _GONE in text else text


def _units(text: str) -> Iterator[str]:
    """What is left out together: a paragraph, a row of a table, an item of a list."""
    for paragraph in text.split("\n\n"):
        yield from paragraph.split("\n") if _ROW_OR_ITEM.match(paragraph) else [paragraph]


def settled_notebook(
    notebook: NotebookNode, results: Results | None = None
) -> tuple[NotebookNode, list[Settled]]:
    """An executed notebook as it is printed, and what its cells of prose became.

    Parameters
    ----------
    notebook : it is not changed.
    results : by default those of the last build.
    """
    values, page, found = glued(notebook), copy.deepcopy(notebook), []
    known = recorded(values)
    lacks = lacking(values, collected() if results is None else results)
    for cell in page.cells:
        if cell.cell_type == "markdown":
            found.append(settled(cell.source, known, lacks))
            cell.source = found[-1].text
    return page, found


def no_longer(
    notebook: NotebookNode, book: Mapping[str, Any] | None = None
) -> list[tuple[str, str]]:
    """For the report of a rerun: the statements that do not hold in it, by name, as they are
    read.

    Parameters
    ----------
    notebook : executed.
    book : the values of the book's run, which are read where this one has none.
    """
    own = glued(notebook)
    known = recorded(own)
    values = {**(book or {}), **{key: value for key, value in own.items() if value != NOT_RUN}}
    prose = "\n".join(cell.source for cell in notebook.cells if cell.cell_type == "markdown")
    # a run of the protocol alone records fewer statements than the page has
    return [
        (one["name"], plain(one["text"], values))
        for one in STATEMENT.finditer(prose)
        if known.get(one["name"]) is False
    ]


def plain(text: str, values: Mapping[str, Any]) -> str:
    """A sentence as it is read: with its glued values filled in, and without markup."""
    text = GLUED.sub(lambda one: printed(values.get(one["name"], NOT_RUN), one["form"]), text)
    for pattern, instead in _MARKUP:
        text = re.sub(pattern, instead, text)
    return number_signs.in_words(text)


def printed(value: Any, form: str | None) -> str:
    """A glued value as a sentence prints it; a word in the place of a number stays a word."""
    try:
        return format(value, form or "")
    except (ValueError, TypeError):
        return str(value)
