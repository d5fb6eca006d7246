"""Words that may not come back, in prose, in public names and in what figures say."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import yaml

from runner import notebooks

ROOT = Path(__file__).parents[1]
WORDS = yaml.safe_load((ROOT / "tests/unwanted_words.yaml").read_text(encoding="utf-8"))
PROSE = [
    (re.compile(rf"\b(?:{one['prose']})\b", re.IGNORECASE), one["use"])
    for one in WORDS
    if "prose" in one
]
NAMES = {name: one["use"] for one in WORDS for name in one.get("names", "").split()}
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
SOURCES = sorted([*(ROOT / "src").rglob("*.py"), *(ROOT / "book/_ext").glob("*.py")])
# names in which such a word means something else, or which files that are kept call so
MEANT = {
    "least_squares": "the name of the method",
    "at_least": "audit rules are named so in data/claims",
    "first_look": "the first look at a page",
    "looks": "of the Greenhouse: features that belong to an identity, see bias.yaml",
    "with_looks": "likewise",
    "LOOKS": "likewise",
    "Looks": "likewise",
    "LOOK_WEIGHT": "likewise",
    "OF_LOOKS": "likewise",
    "arm_shift": "of the Greenhouse: its recipes, whose hashes name networks, call it an arm",
}


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
    plain = re.sub(
        r"^:label: .*$|^`*:+`* *\{solution-start\} .*$|\{solution-start\} \S+|^\{figure\} \S+ \S+$",
        " ",
        plain,
        flags=re.M,
    )
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


def public_names(tree: ast.Module, module: str) -> Iterator[tuple[str, str]]:
    """The names that a module offers, and where each stands: itself, functions, classes, their
    parameters and fields, and constants."""
    yield module, module

    def within(body: list[ast.stmt], owner: str) -> Iterator[tuple[str, str]]:
        for node in body:
            if isinstance(node, ast.FunctionDef | ast.ClassDef):
                if node.name.startswith("_") and not node.name.startswith("__"):
                    continue
                yield node.name, f"{owner}{node.name}"
                if isinstance(node, ast.ClassDef):
                    yield from within(node.body, f"{node.name}.")
                else:
                    each = [*node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs]
                    yield from ((one.arg, f"{owner}{node.name}({one.arg})") for one in each)
            elif isinstance(node, ast.Assign | ast.AnnAssign):
                targets = node.targets if isinstance(node, ast.Assign) else [node.target]
                for target in targets:
                    if isinstance(target, ast.Name) and not target.id.startswith("_"):
                        yield target.id, f"{owner}{target.id}"

    yield from within(tree.body, "")


def bad_names(code: str, module: str) -> list[str]:
    return [
        f"{where}: {NAMES[part]}"
        for name, where in public_names(ast.parse(code), module)
        for part in name.lower().split("_")
        if part in NAMES and not {name, where} & set(MEANT)
    ]


def test_no_public_name_has_a_word_that_was_given_up():
    found = [
        f"{name_of(path)}: {bad}"
        for path in SOURCES
        for bad in bad_names(path.read_text(encoding="utf-8"), path.stem)
    ]
    assert not found, "\n".join(found)


def test_random_numbers_are_given_by_keyword():
    """`rng` of a caller, or `seed` of a stream that starts here; never by place. A seed that says
    who somebody is, is no randomness."""
    who = {"gallery.py", "causalface.py", "noise.py"}
    for path in (path for path in SOURCES if path.parent.name != "world" and path.name not in who):
        module = ast.parse(path.read_text(encoding="utf-8"))
        classes = [node for node in module.body if isinstance(node, ast.ClassDef)]
        for node in (node for owner in (module, *classes) for node in owner.body):
            if isinstance(node, ast.FunctionDef) and not node.name.startswith("_"):
                given = {one.arg for one in [*node.args.posonlyargs, *node.args.args]}
                if not node.name.endswith("folder_of"):
                    assert not given & {"rng", "seed"}, f"{name_of(path)}: {node.name}"


def test_words_are_found_in_prose_and_names_and_not_in_code():
    for text, times in (
        ("A false alarm, and the alarms.", 2),
        ("They can be told apart, of course, and dealt with.", 0),
        ("`alarms` is a column; [here](foils.md).", 0),
    ):
        assert len(unwanted(text)) == times, text
    code = "def told_from_null(found, *, _least=1): pass\ndef _told(said): pass\n"
    found = [line.partition(":")[0] for line in bad_names(code, "judge")]
    assert found == ["judge", "told_from_null", "told_from_null(_least)"]
