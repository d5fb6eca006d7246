"""What a result is called: the sentence that quotes it.

Comes in: a notebook's Markdown, the pages of the book. Goes out: per glued key, its section and its
sentence, the place marked. May not: name a result by hand.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from nbformat import NotebookNode

from runner.statements import STATEMENT
from vlmbias import paths

NOT_QUOTED = "not quoted on the page"
_ROLE = re.compile(r"\{([\w:]+)\}`([^`]*)`")
_PLACE = re.compile("\ue000(\\d+)\ue001")
_ONLY_IF = re.compile(
    r"\[(?P<text>(?:[^\[\]]|\[[^\[\]]*\])*)\]\{\.if-(?P<no>not-)?run\}|^\{\.if-(?:not-)?run\}$",
    re.M,
)
_BLOCK = re.compile(r"^\s*(?:#+ |[-*+] |\d+\. |\||[:`]{3,}|$)")  # a line that begins something new
_END = re.compile(
    r"(?<=[.!?])(?<!\b[A-Z]\.)(?<!al\.)(?<!Fig\.)(?<!Eq\.)(?<!e\.g\.)(?<!i\.e\.)(?<!cf\.)(?<!vs\.)"
    '["”*_)]* +(?=[A-Z"“(*\ue000])'
)
_GONE = [
    (r"!?\[([^\]]*)\]\([^)]*\)", r"\1"),
    (r"<[^>]+>", ""),
    (r"\$([^$]*)\$", r"\1"),
    (r"[*`]+", ""),
    (r"(?<!\w)_|_(?!\w)", ""),
    (r"\\+(?:mathrm|text|,|;)?", ""),
    (r"\s+", " "),
]


@dataclass(frozen=True)
class Label:
    """Where a result stands: `before` and `after` it in its sentence, how it is printed there,
    under which heading."""

    section: str = ""
    before: str = ""
    after: str = ""
    form: str = ""
    elsewhere: str = NOT_QUOTED

    @property
    def quoted(self) -> bool:
        """Whether a sentence of the chapter has it."""
        return bool(self.before or self.after or self.form)

    def printed(self, value: Any) -> str:
        """A value as its sentence prints it; to four digits where no sentence says how."""
        try:
            return format(value, self.form or (".4g" if isinstance(value, float) else ""))
        except (ValueError, TypeError):
            return str(value)

    def around(self, most: int) -> tuple[str, str]:
        """The words before and after the place, at most so many letters together, cut between
        words."""
        return (
            _cut(self.before[::-1], most * 2 // 3)[::-1],
            _cut(self.after, most - most * 2 // 3),
        )

    def line(self, value: Any, most: int = 90) -> str:
        """One line for a terminal: section, and the sentence with the value in brackets."""
        if not self.quoted:
            return self.elsewhere
        before, after = self.around(most)
        return f"{self.section}: {before}[{self.printed(value)}]{after}"


def _cut(text: str, most: int) -> str:
    """The beginning of a text, up to the last whole word."""
    if len(text) <= most:
        return text
    return text[:most].rpartition(" ")[0].rstrip() + " …"


def labels(notebook: NotebookNode, keys: Iterable[str], *, name: str) -> dict[str, Label]:
    """The label of each key: the first sentence of the notebook that quotes it, else the page that
    does.

    Parameters
    ----------
    notebook : the chapter, with its Markdown.
    keys : what it glued.
    name : `<paper>/<name>`, by which other pages quote it.
    """
    quoted: dict[str, Label] = {}
    for section, sentence, roles in _sentences(notebook):
        for match in _PLACE.finditer(sentence):
            kind, target = roles[int(match[1])]
            key, _, form = target.partition(":")
            if kind == "glue:text":
                before, after = (
                    _plain(part, roles)
                    for part in (sentence[: match.start()], sentence[match.end() :])
                )
                quoted.setdefault(key, Label(section, before.lstrip(), after.rstrip(), form))
    others = _quoted_elsewhere(name)
    return {key: quoted.get(key, Label(elsewhere=others.get(key, NOT_QUOTED))) for key in keys}


def _sentences(notebook: NotebookNode):
    """Section, sentence with numbered places for its roles, and these roles; in order."""
    section = ""
    for cell in (cell for cell in notebook.cells if cell.cell_type == "markdown"):
        roles: list[tuple[str, str]] = []

        def keep(match: re.Match, roles=roles) -> str:
            roles.append((match[1], match[2]))
            return f"\ue000{len(roles) - 1}\ue001"

        text = _ONLY_IF.sub(
            lambda found: "" if found["no"] else found["text"] or "",
            STATEMENT.sub(r"\g<text>", cell.source),
        )
        for block in _blocks(_ROLE.sub(keep, text)):
            if heading := re.match(r"#+ +(.+)", block):
                section = _plain(heading[1], roles)
            else:
                yield from ((section, sentence, roles) for sentence in _END.split(block))


def _blocks(text: str) -> list[str]:
    """Paragraphs, list items, rows of tables and headings, each on one line."""
    blocks: list[str] = []
    for line in text.splitlines():
        if _BLOCK.match(line) or not blocks or blocks[-1].startswith("#"):
            blocks.append(line.strip())
        else:
            blocks[-1] = f"{blocks[-1]} {line.strip()}".strip()
    return [
        re.sub(r"\s*\|\s*", " · ", block.strip("| "))
        if block.startswith("|")
        else re.sub(r"^(?:[-*+]|\d+\.) +", "", block)
        for block in blocks
    ]


def _plain(text: str, roles: list[tuple[str, str]]) -> str:
    """Markdown as plain words; another number's place is "…"."""

    def shown(match: re.Match) -> str:
        kind, target = roles[int(match[1])]
        words = re.fullmatch(r"(.*?)\s*<[^>]+>", target)
        return "" if kind.startswith("cite") else words[1] if words else "…"

    text = _PLACE.sub(shown, text)
    for pattern, instead in _GONE:
        text = re.sub(pattern, instead, text)
    return text


def _quoted_elsewhere(name: str) -> dict[str, str]:
    """Which page of the book quotes which result of a notebook (role `{result}`)."""
    found: dict[str, str] = {}
    for path in sorted((paths.root() / "book").rglob("*.md")):
        text = path.read_text("utf-8")
        for key in re.findall(rf"\{{result\}}`{re.escape(name)}::([^:`]+)", text):
            found.setdefault(key, f'quoted on the page "{_title(text, path)}"')
    return found


def _title(text: str, path: Path) -> str:
    heading = re.search(r"^# +(.+)", text, flags=re.MULTILINE)
    return heading[1].strip() if heading else path.stem
