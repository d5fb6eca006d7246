"""Words that may not come back, in prose and in what figures say."""

import ast
import re
from pathlib import Path

import yaml

from runner import notebooks

ROOT = Path(__file__).parents[1]
WORDS = yaml.safe_load((ROOT / "tests/unwanted_words.yaml").read_text(encoding="utf-8"))
PROSE = [(re.compile(rf"\b(?:{one['prose']})\b", re.I), one["use"]) for one in WORDS]
PAGES = sorted(
    [
        *(ROOT / "book").rglob("*.md"),
        *(ROOT / "book/teach").glob("*.markdown"),
        ROOT / "book/teach/quiz.yaml",
        *(ROOT / "notebooks").glob("*/*.py"),
        *(ROOT / "src/studies").rglob("*.py"),
        *(ROOT / "src/vlmbias/figures").glob("*.py"),
        *(ROOT / "book/_ext").glob("*.py"),
    ]
)


def name_of(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


def said_by(code: str) -> list[str]:
    """The strings of code that are sentences or labels: two words and more, docstrings apart."""
    tree = ast.parse(code)
    for node in ast.walk(tree):
        if ast.get_docstring(node) if isinstance(node, DOCUMENTED) else False:
            node.body = node.body[1:]
    texts = [node.value for node in ast.walk(tree) if isinstance(node, ast.Constant)]
    return [text for text in texts if isinstance(text, str) and len(text.split()) > 1]


DOCUMENTED = ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef


def prose(path: Path) -> str:
    """What a reader gets of a page: its text, and what its code writes into figures and tables."""
    if path.suffix != ".py":
        return path.read_text(encoding="utf-8")
    if not path.is_relative_to(ROOT / "notebooks"):
        return "\n".join(said_by(path.read_text(encoding="utf-8")))
    cells = notebooks.read(path).cells
    parts = [
        [cell.source] if cell.cell_type == "markdown" else said_by(cell.source) for cell in cells
    ]
    return "\n".join(text for part in parts for text in part)


def unwanted(text: str) -> list[str]:
    """Each unwanted word of a text with its neighbours, and what to write. Code, addresses and
    names of labels are left out."""
    plain = re.sub(r"```\{code-cell\}.*?```", " ", text, flags=re.DOTALL)
    names = r"^:label: .*$|\{solution-start\} \S+|^\{figure\} \S+ \S+$"
    plain = re.sub(names, " ", plain, flags=re.M)
    plain = re.sub(r"`[^`\n]*`|\]\([^)\s]*\)|\{[\w:]+\}|^\([\w-]+\)=$", " ", plain, flags=re.M)
    plain = " ".join(plain.split())
    return [
        f"… {plain[max(0, hit.start() - 40) : hit.end() + 30]} …: {use}"
        for pattern, use in PROSE
        for hit in pattern.finditer(plain)
    ]


def test_no_page_uses_a_word_that_was_given_up():
    found = [f"{name_of(path)}: {hit}" for path in PAGES for hit in unwanted(prose(path))]
    assert not found, "\n".join(found)


def test_words_are_found_in_prose_and_not_in_code():
    for text, times in (
        ("A false alarm, and the alarms.", 2),
        ("They can be told apart, of course, and dealt with.", 0),
        ("`alarms` is a column; [here](foils.md).", 0),
    ):
        assert len(unwanted(text)) == times, text
