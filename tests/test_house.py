"""The rules of the house: who may import whom, what a notebook has, how much code there is."""

from __future__ import annotations

import ast
import io
import re
import subprocess
import symtable
import sys
import tokenize
from functools import cache
from importlib.util import resolve_name
from pathlib import Path

import nbformat
import pytest
import yaml

from runner import names as of_readers
from runner import notebooks, pairs, parameters, plan

ROOT = Path(__file__).parents[1]
SOURCES = sorted((ROOT / "src").rglob("*.py"))
NOTEBOOKS = sorted((ROOT / "notebooks").glob("*/*.py"))
CHAPTERS = [path for path in NOTEBOOKS if path.parent.name != "greenhouse"]  # an experiment each
REAL = [path for path in CHAPTERS if path.parent.name == "real"]

# a room, or what stands beside the rooms, may import itself and what comes before it
ORDER = {
    "vlmbias": [
        *("paths", "processes", "progress", "number_signs", "rows"),
        *("whole_files", "checked", "kept", "notes", "papers"),
        *("stimuli", "sources", "embedding", "generation"),
        *("measures", "inference", "external", "battery", "pipeline", "figures", "ledger"),
    ],
    "greenhouse": [
        *("world", "speech", "linear_probe", "retrained", "fleet_table", "speaker_tables"),
        *("painted", "train", "panel", "association_tests", "caption_truth", "campaign", "study"),
        *("fleet", "speaking", "paintings", "export"),
    ],
}
# what a package may import beside itself
NAMES_ALONE = "greenhouse.world.groups."  # it imports nothing; its names are those of everybody
PACKAGES = {
    "audit": set(),
    "vlmbias": {"audit"},
    "greenhouse": {"vlmbias", "audit"},
    "studies": {"vlmbias", "audit", "greenhouse"},
    "runner": {"vlmbias", "audit"},
}
# and the one module each that may import what its package may not, inside functions
BRIDGES = {
    "vlmbias.stimuli.rendered": "greenhouse",  # the image sets that the Greenhouse paints
    "runner.commands.laboratory": "greenhouse",  # its commands
    "vlmbias.__main__": "runner",  # `python -m vlmbias`
}
TORCH = {"torch", "torchvision", "open_clip", "timm", "transformers", "diffusers", "kornia"}


def imports(path: Path) -> list[tuple[str, bool]]:
    """Every module a file imports, by its full name, and whether that happens when the file is
    imported. A string that names a module of ours is an import, too: somebody loads it by name."""
    tree, found = ast.parse(path.read_text()), []
    package = place(path) if path.name == "__init__.py" else place(path).rpartition(".")[0]

    def visit(node: ast.AST, top: bool) -> None:
        if isinstance(node, ast.If) and "TYPE_CHECKING" in ast.unparse(node.test):
            return
        if isinstance(node, ast.Import):
            found.extend((alias.name, top) for alias in node.names)
        elif isinstance(node, ast.Constant) and isinstance(node.value, str):
            found.extend((name, False) for name in named_modules(node.value))
        elif isinstance(node, ast.ImportFrom):
            module = resolve_name("." * node.level + (node.module or ""), package)
            found.extend((f"{module}.{alias.name}", top) for alias in node.names)
        for child in ast.iter_child_nodes(node):
            visit(
                child,
                top and not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda),
            )

    visit(tree, True)
    return found


def named_modules(text: str) -> list[str]:
    """The modules that a string names: `greenhouse.world.grid`, or the package of
    `greenhouse.world.{name}`."""
    if not re.fullmatch(rf"({'|'.join(PACKAGES)})(\.\w+)*\.?", text) or "." not in text:
        return []
    there = (ROOT / "src").joinpath(*text.rstrip(".").split("."))
    return [text.rstrip(".")] if there.is_dir() or there.with_suffix(".py").is_file() else []


def room(module: str) -> str | None:
    """The room of `vlmbias.<room>…`, the part of `greenhouse.<part>…`."""
    package, _, inside = module.partition(".")
    return inside.partition(".")[0] or None if package in ORDER else None


def place(path: Path) -> str:
    name = path.relative_to(ROOT / "src").with_suffix("").as_posix().replace("/", ".")
    return name.removesuffix(".__init__")


@cache
def cells(path: Path) -> list[nbformat.NotebookNode]:
    """The cells of a notebook; nobody changes them."""
    return notebooks.read(path).cells


def code_cells(path: Path) -> list[nbformat.NotebookNode]:
    return [cell for cell in cells(path) if cell.cell_type == "code"]


def against_the_order(path: Path) -> list[str]:
    """What a module imports that it may not."""
    module, found = place(path), []
    package, own = module.split(".")[0], room(module)
    for imported, top in imports(path):
        other, later = imported.split(".")[0], room(imported)
        if module.startswith("greenhouse.world") and imported.startswith(
            ("vlmbias", "greenhouse.train")
        ):
            found.append(f"the world imports {imported}")
        if other == BRIDGES.get(module):
            if top and not module.endswith(".__main__"):
                found.append(f"{module} imports {imported} outside the function that needs it")
        elif other in PACKAGES.keys() - PACKAGES[package] - {package}:
            allowed = imported.startswith(NAMES_ALONE)
            found += [] if allowed else [f"{module} imports {imported}, of another package"]
        if own and later and other == package:
            order = ORDER[package]
            if order.index(later) > order.index(own):
                found.append(f"{own} imports {later}, which is later")
        rooms = ("vlmbias.embedding", "vlmbias.generation", "greenhouse.train")
        if other in TORCH and not module.startswith(rooms):
            found.append(f"{module} imports {imported}")
    return found


def test_no_room_imports_a_later_one():
    assert not [problem for path in SOURCES for problem in against_the_order(path)]


@pytest.mark.parametrize("package", ORDER)
def test_every_room_has_its_place_in_the_order(package):
    there = {path.stem for path in (ROOT / "src" / package).iterdir()} - {"__pycache__"}
    assert there - {"__init__", "__main__"} == set(ORDER[package])
    assert len(ORDER[package]) == len(set(ORDER[package]))


@pytest.mark.parametrize(
    ("module", "without"),
    [
        ("vlmbias", {"torch", "pandas", "numpy", "runner"}),
        ("runner.commands", {"torch", "pandas", "numpy", "vlmbias.stimuli"}),
        # what `make book` asks before it does anything
        ("runner.plan", {"torch", "pandas", "numpy", "jupytext", "nbformat"}),
        ("greenhouse.world", {"torch", "vlmbias"}),
    ],
)
def test_what_is_imported_first_is_soon_there(module, without):
    code = f"import sys, {module}; assert not {without} & set(sys.modules)"
    subprocess.run([sys.executable, "-c", code], check=True)


def code_lines(text: str) -> int:
    """Lines with code: no blanks, comments or docstrings."""
    documented = ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef
    words = set()
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, documented) and ast.get_docstring(node) is not None:
            words.update(range(node.body[0].lineno, node.body[0].end_lineno + 1))
    layout = ["COMMENT", "NL", "NEWLINE", "INDENT", "DEDENT", "ENDMARKER"]
    blank = {getattr(tokenize, name) for name in layout}
    lines = set()
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        if token.type not in blank:
            lines.update(range(token.start[0], token.end[0] + 1))
    return len(lines - words)


# the formatter gives each argument of a long call a line of its own: 400 such lines are one sitting
MOST = 400


def test_a_module_says_what_it_is_and_can_be_read_in_one_sitting():
    for path in SOURCES:
        text = path.read_text("utf-8")
        assert ast.get_docstring(ast.parse(text)), f"{path} opens with no docstring"
        if text.count("\n") > MOST:
            assert code_lines(text) <= MOST, f"{path} has too many lines of code: divide it"


def test_the_stub_lists_the_public_names_that_are_loaded_on_first_use():
    import vlmbias

    stub = ast.parse((ROOT / "src/vlmbias/__init__.pyi").read_text())
    lines = [node for node in stub.body if isinstance(node, ast.ImportFrom)]
    seen = {alias.name: str(node.module) for node in lines for alias in node.names}
    assert sorted(seen) == vlmbias.__all__ and len(seen) == len(lines) > 30
    for name, module in seen.items():
        assert getattr(vlmbias, name) is getattr(sys.modules[module], name), name
    with pytest.raises(AttributeError, match=r"no attribute 'encoders'; public .*, encoder,"):
        _ = vlmbias.encoders


def test_a_notebook_and_its_pair_agree_and_no_output_is_committed():
    for path in NOTEBOOKS:
        pair = path.with_suffix(".ipynb")
        assert pair.is_file() and pair.read_text() == pairs.pair_text(path), "run `make pair`"
        content = nbformat.read(pair, as_version=4)
        assert all(not cell.get("outputs") for cell in content.cells), path


def test_parameters_are_explained_and_results_go_to_the_notebooks_own_file():
    for path in NOTEBOOKS:
        name = path.relative_to(ROOT / "notebooks").with_suffix("").as_posix()
        found = parameters.declared(notebooks.read(path), where=path)  # an error without a comment
        assert found["results"].default == f"_build/results/{name}.json"
        without = {name for name, one in found.items() if not one.has_rule}
        assert without == {"results"}, f"{path}: end the comment in what is valid"
        # a column "seed" of a table, which says which network a row is of, draws nothing
        assert "seed" in found or not re.search(r"(?<!\")\bseed\b", path.read_text()), path


def names(source: str) -> tuple[set[str], set[str]]:
    """The names that a cell binds for the cells after it, and those that it reads and does not
    bind."""

    def within(table):
        yield table
        for inner in table.get_children():
            yield from within(inner)

    cell = symtable.symtable(source, "cell", "exec")
    bound = {one.get_name() for one in cell.get_symbols() if one.is_assigned() or one.is_imported()}
    read = {
        one.get_name()
        for table in within(cell)
        for one in table.get_symbols()
        if one.is_referenced() and (table is cell or one.is_global())
    }
    return bound, read - bound


def test_without_its_sources_a_notebook_still_runs_cell_by_cell():
    """Outside the runner, too: a cell that needs a source asks for it, and no other cell needs what
    it makes."""
    listed = set(yaml.safe_load((ROOT / "data/sources/index.yaml").read_text()))
    for path in NOTEBOOKS:
        made = {}
        for cell in code_cells(path):
            tags = [tag for tag in notebooks.tags(cell) if tag.startswith("needs-")]
            needed = [tag.removeprefix("needs-") for tag in tags]
            assert set(needed) <= listed, "needs-<source> names a key of data/sources/index.yaml"
            bound, read = names(cell.source)
            for name in read & made.keys():
                only = f"{path}: {name} is there only with {made[name]}: {cell.source[:160]}"
                assert made[name] <= set(needed), only
            if needed:
                (whole,) = ast.parse(cell.source).body
                asked = f"vb.sources.at_hand({', '.join(map(repr, needed))})"
                asks = isinstance(whole, ast.If) and ast.unparse(whole.test) == asked
                assert asks, f"{path}: begin the cell with `if {asked}:`"
                made |= {name: set(needed) for name in bound if made.get(name, True)}
            else:
                made |= {name: set() for name in bound}


ON_A_PAPER = [
    "What the paper reports",
    "The protocol, run on",
    "What this method can see",
    "Where paper and code differ",
]
ON_REAL_MODELS = [
    "What the table holds",
    "What came out",
    "What it cannot say",
    "What it means for the three papers",
]


def test_a_chapter_answers_its_questions_in_order():
    for path in CHAPTERS:
        first = ON_REAL_MODELS if path in REAL else ON_A_PAPER
        prose = "\n".join(cell.source for cell in cells(path) if cell.cell_type == "markdown")
        found = re.findall(r"^## +(.+?) *$", prose, flags=re.MULTILINE)
        wanted = [*first, "Take-aways", "Exercises", "Questions to discuss"]
        asked = [one for one in wanted for own in found if own.startswith(one)]
        places = [own for own in found if any(own.startswith(one) for one in wanted)]
        assert asked == wanted, f"{path}: wanted {wanted}, found {found}"
        assert all(map(str.startswith, places, wanted)), f"{path}: wanted {wanted}, found {found}"


def test_every_exercise_has_a_solution_that_is_checked():
    for path in NOTEBOOKS:
        exercise, solved, count = None, set(), 0
        for cell in cells(path):
            if cell.cell_type == "markdown":
                count += len(re.findall(r"^[:`]{3,}\{exercise\}", cell.source, flags=re.MULTILINE))
                block = r"\{solution-start\} *(\S+)|(\{solution-end\})"
                for start, end in re.findall(block, cell.source):
                    assert not end or exercise in solved, f"{exercise}: no cell tagged `solution`"
                    exercise = start or None
            elif "solution" in notebooks.tags(cell):
                assert exercise, "a solution stands between solution-start and solution-end"
                assert "hide-input" in notebooks.tags(cell), exercise
                last = ast.parse(cell.source).body[-1]
                assert isinstance(last, ast.Assert), f"{exercise}: the solution ends in an assert"
                solved.add(exercise)
        assert len(solved) == count >= 2, f"{path}: {count} exercises, solved: {sorted(solved)}"


def calls(tree: ast.AST, name: str) -> list[ast.Call]:
    """The calls of what ends in a name."""
    found = [node for node in ast.walk(tree) if isinstance(node, ast.Call)]
    return [call for call in found if ast.unparse(call.func).endswith(name)]


def test_a_notebook_describes_each_figure_and_glues_and_shows_one_thing_at_a_time():
    for path in NOTEBOOKS:
        for cell in code_cells(path):
            assert not re.search(r"(plt|fig)\.show\(", cell.source), "use vb.figures.show"
            tree = ast.parse(cell.source)
            for call in calls(tree, "figures.show"):
                lacks = {"alt", "caption", "source"} - {keyword.arg for keyword in call.keywords}
                assert not lacks, f"{path}: {lacks}: {ast.unparse(call)[:80]}"
            for node in ast.walk(tree):
                if isinstance(node, ast.For | ast.While | ast.FunctionDef):
                    assert not calls(node, "figures.show"), f"{path}: show each figure by itself"
            glued = [ast.unparse(one.func) for one in calls(tree, "glue")]
            assert "glue" not in glued, f"{path}: glue with vb.note or vb.holds"


LEAST_VISIBLE = 30  # lines of a chapter that a reader would type; settings and tables that no
# sentence uses are folded, so an argument from printed numbers needs few


def test_a_chapter_shows_code_that_a_reader_would_type():
    folded = {"hide-input", "hide-cell", "remove-input", "remove-cell", "parameters", "solution"}
    for path in CHAPTERS:
        shown = [one for one in code_cells(path) if not {*notebooks.tags(one)} & folded]
        lines = sum(code_lines(one.source) for one in shown)
        assert lines >= LEAST_VISIBLE, f"{path} shows {lines} lines of code; unfold what decides"


def test_a_paper_s_chapters_for_another_model_are_those_that_embed_with_it():
    found = plan.chapters("american_white")
    assert "american_white/we_they" in found
    assert not {"american_white/vqa", "american_white/captions"} & {*found}


@pytest.mark.parametrize(
    "settings", sorted(path.stem for path in (ROOT / "data" / "settings").glob("*.yaml"))
)
def test_settings_fit_the_notebooks_and_name_sets_that_there_are(settings):
    chosen = plan.settings(settings)
    assert set(chosen.notebooks) <= set(plan.notebooks())
    assert all(plan.chapters(paper) for paper in chosen.models)  # an error for a paper that is none
    folder = parameters.Parameter("here", "", "where the sets lie", kind="folder", empty=True)
    for notebook in plan.notebooks():
        record = plan.record(notebook, chosen, files={})  # an error for a wrong parameter or source
        assert settings != "greenhouse" or not record["changed"]
        known, values = plan.parameters(notebook, chosen)
        everything = {name: values.get(name, one.default) for name, one in known.items()}
        given = [name for name, one in known.items() if one.kind in ("image set", "prompt set")]
        of_readers.check({**known, "here": folder}, {**everything, "here": str(ROOT)}, given=given)


def test_text_is_read_and_written_in_a_named_encoding():
    """Else a system in another language cannot read what this one wrote."""
    at_least = {"read_text": 1, "write_text": 2}
    bare = [
        f"{path.relative_to(ROOT)}:{call.lineno}"
        for path in [*SOURCES, *(ROOT / "book/_ext").glob("*.py")]
        for call in ast.walk(ast.parse(path.read_bytes()))
        if isinstance(call, ast.Call) and isinstance(call.func, ast.Attribute)
        if len(call.args) < at_least.get(call.func.attr, 0)
        if all(given.arg != "encoding" for given in call.keywords)
    ]
    assert not bare
