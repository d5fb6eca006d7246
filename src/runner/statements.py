"""Statements of a page, checked where the page is staged.

    [A more precise test is significant more often.]{.holds #grows}

A notebook records `vb.holds(grows=…)`; a page of prose names the chapter, too:
`#sensitivity.grows`. What holds is plain text, what does not is marked (an error where `strict`),
and a statement that is None, because its source is missing, is not printed.
"""

import copy
import re
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from nbformat import NotebookNode

from runner import left_out
from runner.glued_values import collected, glued
from vlmbias import number_signs
from vlmbias.notes import NOT_RUN

# brackets in a statement may hold no others
STATEMENT = re.compile(r"\[(?P<text>(?:[^\[\]]|\[[^\[\]]*\])*)\]\{\.holds #(?P<name>[\w./-]+)\}")
GLUED = re.compile(r"\{glue:text\}`(?P<name>[^`:]+)(?::(?P<form>[^`]*))?`")
PREFIX = "holds."
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


class DoesNotHold(ValueError):
    """A page says what this run does not show."""


def recorded(values: Mapping[str, Any]) -> dict[str, bool | None]:
    """The statements among glued values, by name."""
    found = {key.removeprefix(PREFIX): v for key, v in values.items() if key.startswith(PREFIX)}
    return {name: value if isinstance(value, bool) else None for name, value in found.items()}


def of_chapters(results: Mapping[str, Mapping[str, Any]]) -> dict[str, bool | None]:
    """The statements of all notebooks, as prose names them: `<name of the notebook>.<statement>`.

    Parameters
    ----------
    results : the glued values of every notebook, by `<part>/<name>`.
    """
    return {
        f"{notebook.rpartition('/')[2]}.{name}": value
        for notebook, values in results.items()
        for name, value in recorded(values).items()
    }


def statements(text: str, known: Mapping[str, bool | None]) -> Iterator[tuple[str, bool | None]]:
    """Every statement of a text, with whether it holds; None: it was not run."""
    for one in STATEMENT.finditer(text):
        if one["name"] not in known:
            raise ValueError(
                f"#{one['name']}: no notebook records this statement; add it to a vb.holds(…)"
            )
        yield one["text"], known[one["name"]]


def settled(
    text: str, known: Mapping[str, bool | None], *, strict: bool, warn: Callable[[str], None]
) -> str:
    """A text with its statements as plain sentences; what does not hold is marked.

    Raises
    ------
    DoesNotHold
        If `strict`, for statements that do not hold; else `warn` is told of each.
    ValueError
        For a statement that nobody records.
    """
    false = [words for words, holds in statements(text, known) if holds is False]
    if false and strict:
        raise DoesNotHold("the page says what this run does not show: " + " · ".join(false))
    for words in false:
        warn(f"does not hold in this run: {words}")

    def shown(one: re.Match) -> str:
        holds = known[one["name"]]
        if holds is None:
            return left_out.GONE
        return one["text"] if holds else f"[{one['text']}]{{.does-not-hold}}"

    return left_out.tidied(STATEMENT.sub(shown, text))


def settled_notebook(
    notebook: NotebookNode,
    *,
    strict: bool,
    results: left_out.Results | None = None,
    warn: Callable[[str], None] = lambda _: None,
    lost: Callable[[str], None] = lambda _: None,
) -> NotebookNode:
    """The same for the prose of an executed notebook, which is not changed; what lacks a result is
    left out of it.

    Parameters
    ----------
    results : what all notebooks glued; by default in the last build.
    lost : is told of a missing result of which the prose says nothing.
    """
    values, page = glued(notebook), copy.deepcopy(notebook)
    known = recorded(values)
    lacks = left_out.lacking(values, collected() if results is None else results)
    for cell in page.cells:
        if cell.cell_type == "markdown":
            said = settled(cell.source, known, strict=strict, warn=warn)
            cell.source = left_out.settled(said, lacks, warn=lost)
    return page


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
