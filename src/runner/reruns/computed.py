"""Everything that a notebook computed: recorded values, glued values with the sentences that quote
them, cells of tables, figures.
"""

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from bs4 import BeautifulSoup, Tag
from nbformat import NotebookNode

from runner import statements
from runner.glued_values import glued
from runner.notebooks import SECOND_SECTION
from runner.reruns.runs import Run
from vlmbias.ledger.claims import LedgerError, claim
from vlmbias.ledger.results import read_results

_OF_PROTOCOL = "described"  # the protocol that needs no word
_NUMBER = re.compile(r"[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?")
_PROTOCOL = SECOND_SECTION.removeprefix("## ").partition(",")[0]
# a line that begins something new; and where a sentence ends
_BLOCK = re.compile(r"\n\s*\n|\n(?=\s*(?:#+ |[-*+] |\d+\. |\|))")
_END = re.compile(
    r"(?<=[.!?])(?<!\b[A-Z]\.)(?<!al\.)(?<!Fig\.)(?<!Eq\.)(?<!e\.g\.)(?<!i\.e\.)(?<!cf\.)(?<!vs\.)"
    r'["”*_)]* +(?=[A-Z"“(*{])'
)
_LAYOUT = (  # what is printed only where its results are there; fences; headings
    (re.compile(r"\[((?:[^\[\]]|\[[^\[\]]*\])*)\]\{\.if-run\}"), r"\1"),
    (re.compile(r"\[(?:[^\[\]]|\[[^\[\]]*\])*\]\{\.if-not-run\}"), ""),
    (re.compile(r"^(?:\{\.if-(?:not-)?run\}|\s*[:`]{3,}.*|\s*:\w+:.*)$", re.M), ""),
    (re.compile(r"^(#+ .+)$", re.M), r"\n\1\n"),
)


@dataclass(frozen=True)
class Result:
    """One value of a run.

    Attributes
    ----------
    value : a number, a truth value or words.
    text : the value as a table prints it; empty elsewhere.
    place : where it stands, in words.
    quoted : what its sentence says before it, the value as it is printed there, and what comes
        after it; empty where no sentence has it.
    """

    value: Any
    text: str = ""
    place: str = ""
    quoted: tuple[str, ...] = ()

    def shown(self) -> str:
        """The value in few letters."""
        number = isinstance(self.value, int | float)
        text = self.text or (
            f"{self.value:.4g}" if isinstance(self.value, float) else str(self.value)
        )
        return text.replace("-", "−") if number else text


@dataclass(frozen=True)
class Figure:
    """One figure of a run: its HTML, the words that stand for it, whether the paper's protocol drew
    it.
    """

    html: str
    alt: str
    of_protocol: bool


def results(run: Run) -> dict[str, Result]:
    """The results of a run, by key: what is recorded for claims, then the notebook in its order."""
    found = dict(_recorded(run))
    sentences = _sentences(run.notebook, glued(run.notebook))
    counts: Counter[str] = Counter()
    for section, cell in _sections(run.notebook):
        for key, value in glued(NotebookNode(cells=[cell])).items():
            if not key.startswith(statements.PREFIX):  # the report lists those that do not hold
                place, quoted = sentences.get(key, (f"{section}: not quoted on the page", ()))
                found[key] = Result(value, "", place, quoted)
        for table in _tables(cell):
            counts[section] += 1
            name = f"{section}, table {counts[section]}" if section else f"table {counts[section]}"
            for key, text in _cells(table):
                number = as_number(text)
                found.setdefault(f"{name}: {key}", Result(text if number is None else number, text))
    return found


def figures(notebook: NotebookNode) -> dict[str, Figure]:
    """The figures of a run, by name; those that `vb.figures.show` named none have a number."""
    found: dict[str, Figure] = {}
    for section, cell in _sections(notebook):
        for one in (one for page in _pages(cell) for one in page.select("figure.vb-figure")):
            name = str(one.get("id") or f"figure {len(found) + 1}")
            if name.endswith("-slide"):  # for slides alone; it stands on no page
                continue
            picture = one.select_one("[alt], [aria-label]")
            alt = picture and (picture.get("alt") or picture.get("aria-label"))
            found[name] = Figure(str(one), str(alt or ""), section.startswith(_PROTOCOL))
    return found


def _recorded(run: Run) -> Iterator[tuple[str, Result]]:
    for one in read_results(run.results) if run.results.is_file() else ():
        how = "" if one["protocol"] == _OF_PROTOCOL else f", as {one['protocol']}"
        try:
            about = claim(one["claim"])
            place = f"recorded in the place of the paper's {about.quantity}, {about.subject}"
        except LedgerError:  # since taken out of the ledger
            place = "recorded"
        value = one["value"]
        text = ("holds" if value else "does not hold") if isinstance(value, bool) else ""
        yield one["claim"] + how, Result(value, text, place)


def _sections(notebook: NotebookNode) -> Iterator[tuple[str, NotebookNode]]:
    """Every cell with the heading that it stands under."""
    section = ""
    for cell in notebook.cells:
        if cell.cell_type == "markdown":
            heads = re.findall(r"^##? +(.+)", cell.source, re.MULTILINE)
            section = _heading(heads[-1]) if heads else section
        yield section, cell


def _heading(words: str) -> str:
    """A heading's words; of the paper's protocol, without what it was run on, which two runs may
    differ in.
    """
    text = re.sub(r"[*`#]", "", words).strip()
    return _PROTOCOL if text.startswith(f"{_PROTOCOL}, run on") else text


def _sentences(
    notebook: NotebookNode, values: Mapping[str, Any]
) -> dict[str, tuple[str, tuple[str, ...]]]:
    """The first sentence that quotes each glued value, as this run prints it: its section, and its
    three parts.
    """
    found: dict[str, tuple[str, tuple[str, ...]]] = {}
    section = ""
    for cell in (one for one in notebook.cells if one.cell_type == "markdown"):
        text = statements.STATEMENT.sub(r"\g<text>", cell.source)
        for pattern, instead in _LAYOUT:
            text = pattern.sub(instead, text)
        for block in _BLOCK.split(text):
            if block.strip().startswith("#"):
                section = statements.plain(block.strip("# \n"), values)
                continue
            for sentence in _END.split(_without_marks(block)):
                for role in statements.GLUED.finditer(sentence):
                    parts = sentence[: role.start()], role[0], sentence[role.end() :]
                    quoted = tuple(statements.plain(part, values) for part in parts)
                    found.setdefault(role["name"], (section, quoted))
    return found


def _without_marks(block: str) -> str:
    """A paragraph, an item of a list or a row of a table on one line."""
    line = " ".join(block.split())
    if line.startswith("|"):
        return re.sub(r"\s*\|\s*", " · ", line.strip("| "))
    return re.sub(r"^(?:[-*+]|\d+\.) +", "", line)


def _pages(cell: NotebookNode) -> Iterator[BeautifulSoup]:
    for output in cell.get("outputs", ()):
        html = output.get("data", {}).get("text/html", "")
        yield BeautifulSoup("".join(html), "html.parser")


def _tables(cell: NotebookNode) -> Iterator[Tag]:
    """The tables that a study computed; those of what is printed have no such cells."""
    for page in _pages(cell):
        yield from (table for table in page.find_all("table") if table.select_one("td.data"))


def _cells(table: Tag) -> Iterator[tuple[str, str]]:
    """Each cell of a table, by its row and its column."""
    labels, columns = _labels(table, "row"), _labels(table, "col")
    rows: dict[int, list[str]] = {}
    for cell in table.select("td.data"):
        row = re.findall(r"\brow(\d+)", " ".join(cell.get("class") or ()))[0]
        rows.setdefault(int(row), []).append(_text(cell))
    words = 0 if labels else _words_at_left(list(rows.values()))
    seen: Counter[str] = Counter()
    for row, texts in rows.items():
        own = labels.get(row) or texts[:words] or [f"row {row + 1}"]
        for column, text in list(enumerate(texts))[words:]:
            key = f"{', '.join(own)} · {', '.join(columns.get(column, ()))}"
            seen[key] += 1
            yield key + f" ({seen[key]})" * (seen[key] > 1), text


def _words_at_left(rows: Sequence[Sequence[str]]) -> int:
    """How many columns of words, before the first with a number, tell the rows apart; 0 if none
    do.
    """
    for n in range(1, min(map(len, rows))):
        if any(as_number(own[n - 1]) is not None for own in rows):
            return 0
        if len({tuple(own[:n]) for own in rows}) == len(rows):
            return n
    return 0


def _labels(table: Tag, kind: str) -> dict[int, list[str]]:
    """The labels of rows (or columns) by number, the outer level first; one may span several."""
    levels: dict[int, dict[int, str]] = {}
    for head in table.select(f"th.{kind}_heading"):
        marks = " ".join(head.get("class") or ())
        level, number = (int(re.findall(rf"\b{word}(\d+)", marks)[0]) for word in ("level", kind))
        for one in range(number, number + int(str(head.get(f"{kind}span") or 1))):
            levels.setdefault(one, {})[level] = _text(head)
    return {one: [text for _, text in sorted(own.items()) if text] for one, own in levels.items()}


def _text(tag: Tag) -> str:
    return " ".join(tag.get_text(" ").split())


def as_number(text: str) -> float | None:
    """What a printed number says, without its sign for per cent; None for words."""
    plain = text.replace("−", "-").replace(",", "").replace("\u00a0", " ").removesuffix("%").strip()
    return float(plain) if _NUMBER.fullmatch(plain) else None
