"""The rules of the house: who may import whom, what a notebook has, how much code there is."""

from __future__ import annotations

import ast
import io
import os
import re
import subprocess
import symtable
import sys
import tokenize
from importlib.util import resolve_name
from pathlib import Path

import nbformat
import pytest

from runner import names as of_readers
from runner import notebooks, pairs, parameters, plan

ROOT = Path(__file__).parents[1]
SOURCES = sorted((ROOT / "src").rglob("*.py"))
NOTEBOOKS = sorted((ROOT / "notebooks").glob("*/*.py"))
CHAPTERS = [path for path in NOTEBOOKS if path.parent.name != "greenhouse"]  # an experiment each
REAL = [path for path in CHAPTERS if path.parent.name == "real"]
BY_NAME = {"ids": lambda path: path.relative_to(ROOT).as_posix()}

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
    return (
        path.relative_to(ROOT / "src")
        .with_suffix("")
        .as_posix()
        .replace("/", ".")
        .removesuffix(".__init__")
    )


@pytest.mark.parametrize("path", SOURCES, **BY_NAME)
def test_no_room_imports_a_later_one(path):
    module = place(path)
    own = room(module)
    for imported, top in imports(path):
        if module.startswith("greenhouse.world"):
            assert not imported.startswith(("vlmbias", "greenhouse.train")), (
                f"the world imports {imported}"
            )
        package, other = module.split(".")[0], imported.split(".")[0]
        if other == BRIDGES.get(module):
            assert not top or module.endswith(".__main__"), (
                f"{imported} is imported when {module} is; do it inside the function that needs it"
            )
        elif other in PACKAGES and other != package and not imported.startswith(NAMES_ALONE):
            assert other in PACKAGES[package], (
                f"{module} imports {imported}; {package} may import {PACKAGES[package]}"
            )
        if own and other == package and (later := room(imported)):
            order = ORDER[package]
            assert order.index(later) <= order.index(own), f"{own} imports {later}, which is later"
        if imported.split(".")[0] in TORCH:
            rooms = ("vlmbias.embedding", "vlmbias.generation", "greenhouse.train")
            assert module.startswith(rooms), f"{module} imports {imported}"


@pytest.mark.parametrize("package", ORDER)
def test_every_room_has_its_place_in_the_order(package):
    there = {path.stem for path in (ROOT / "src" / package).iterdir()} - {"__pycache__"}
    assert there - {"__init__", "__main__"} == set(ORDER[package])
    assert len(ORDER[package]) == len(set(ORDER[package]))


def test_a_module_that_is_loaded_by_its_name_is_seen(tmp_path, monkeypatch):
    monkeypatch.setattr(sys.modules[__name__], "ROOT", tmp_path)
    path = tmp_path / "src/vlmbias/stimuli/images.py"
    for folder in (path.parent, tmp_path / "src/greenhouse/world"):
        folder.mkdir(parents=True)
    path.write_text(
        'import os\nX = "vlmbias.stimuli.images"\n'
        'def f(name):\n    import_module(f"greenhouse.world.{name}")\n'
        '    return "a sentence on vlmbias.", "runner", "greenhouse.json"\n'
    )
    assert imports(path) == [
        ("os", True),
        ("vlmbias.stimuli.images", False),
        ("greenhouse.world", False),
    ]


# two modules of one name, and why that is no confusion
TWICE = {
    "sweep": "the command, and what it measures",
    "run": "the command, and one training of a network",
    "ieat": "the data set, and the chapter of its name",
}


def test_no_two_modules_share_a_name_without_need():
    stems = [path.stem for path in SOURCES if path.stem != "__init__"]
    assert {stem for stem in stems if stems.count(stem) > 1} == set(TWICE)


@pytest.mark.parametrize("path", SOURCES, **BY_NAME)
def test_every_module_says_what_it_is(path):
    assert ast.get_docstring(ast.parse(path.read_text())), "a module opens with a docstring"


def test_importing_the_package_imports_no_torch():
    for module, without in (
        ("vlmbias", "'runner'"),
        ("runner.commands", "'vlmbias.stimuli'"),
        ("runner.plan", "'jupytext', 'nbformat'"),  # what `make book` asks before it does anything
    ):
        code = (
            f"import sys, {module}; assert not {{'torch', 'pandas', 'numpy', {without}}} &"
            " set(sys.modules)"
        )
        subprocess.run([sys.executable, "-c", code], check=True)


def test_importing_the_world_imports_nothing_of_ours():
    code = "import sys, greenhouse.world; assert not {'torch', 'vlmbias'} & set(sys.modules)"
    subprocess.run([sys.executable, "-c", code], check=True)


def code_lines(text: str) -> int:
    """Lines with code: no blanks, comments or docstrings."""
    documented = ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef
    words = set()
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, documented) and ast.get_docstring(node) is not None:
            words.update(range(node.body[0].lineno, node.body[0].end_lineno + 1))
    blank = {
        tokenize.COMMENT,
        tokenize.NL,
        tokenize.NEWLINE,
        tokenize.INDENT,
        tokenize.DEDENT,
        tokenize.ENDMARKER,
    }
    lines = set()
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        if token.type not in blank:
            lines.update(range(token.start[0], token.end[0] + 1))
    return len(lines - words)


# the formatter gives each argument of a long call a line of its own: 400 such lines are one sitting
MOST = 400
LONGER: dict[str, str] = {}  # modules of more lines of code, each with the reason


@pytest.mark.parametrize("path", SOURCES, **BY_NAME)
def test_a_module_can_be_read_in_one_sitting(path):
    """A package grows by modules; a module that is better whole stands in `LONGER`, with the
    reason."""
    name, size = path.relative_to(ROOT / "src").as_posix(), code_lines(path.read_text())
    assert size <= MOST or LONGER.get(name), (
        f"{name} has {size} lines of code: divide it, or say why not in LONGER"
    )
    assert size > MOST or name not in LONGER, f"{name} is short again: take it out of LONGER"


def test_the_stub_lists_the_public_names_that_are_loaded_on_first_use():
    import vlmbias

    stub = ast.parse((ROOT / "src/vlmbias/__init__.pyi").read_text())
    lines = [node for node in stub.body if isinstance(node, ast.ImportFrom)]
    seen = {alias.name: str(node.module) for node in lines for alias in node.names}
    assert sorted(seen) == vlmbias.__all__ and len(seen) == len(lines) > 30
    for name, module in seen.items():
        assert getattr(vlmbias, name) is getattr(sys.modules[module], name), (
            f"{name} does not come from {module}"
        )
    with pytest.raises(AttributeError, match=r"no attribute 'encoders'; public .*, encoder,"):
        _ = vlmbias.encoders


@pytest.mark.parametrize("path", NOTEBOOKS, **BY_NAME)
def test_a_notebook_and_its_pair_agree(path):
    pair = path.with_suffix(".ipynb")
    assert pair.is_file(), "run `make pair`"
    content = nbformat.read(pair, as_version=4)
    nbformat.validate(content)
    assert [(c.cell_type, c.source, c.metadata) for c in content.cells] == [
        (c.cell_type, c.source, c.metadata)
        for c in nbformat.reads(pairs.pair_text(path), as_version=4).cells
    ], "run `make pair`"
    assert pair.read_text() == pairs.pair_text(path), "run `make pair`"
    assert all(not cell.get("outputs") for cell in content.cells), "outputs are never committed"


@pytest.mark.parametrize("path", NOTEBOOKS, **BY_NAME)
def test_parameters_are_explained_and_results_go_to_the_notebooks_own_file(path):
    name = path.relative_to(ROOT / "notebooks").with_suffix("").as_posix()
    found = parameters.declared(notebooks.read(path), where=path)  # an error if one has no comment
    assert found["results"].default == f"_build/results/{name}.json"
    assert {name for name, one in found.items() if not one.has_rule} == {"results"}, (
        "end the comment in what is valid"
    )
    # a column "seed" of a table, which says which network a row is of, draws nothing
    assert "seed" in found or not re.search(r"(?<!\")\bseed\b", path.read_text())


@pytest.mark.parametrize("path", NOTEBOOKS, **BY_NAME)
def test_cells_compile_and_needed_sources_are_listed(path):
    import yaml

    listed = set(yaml.safe_load((ROOT / "data/sources/index.yaml").read_text()))
    notebook = notebooks.read(path)
    assert set(notebooks.needs(notebook)) <= listed, (
        "a tag needs-<source> names a key of data/sources/index.yaml"
    )
    for cell in notebook.cells:
        if cell.cell_type == "code":
            ast.parse(cell.source)


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


@pytest.mark.parametrize("path", NOTEBOOKS, **BY_NAME)
def test_without_its_sources_a_notebook_still_runs_cell_by_cell(path):
    """Outside the runner, too: a cell that needs a source asks for it, and no other cell needs what
    it makes."""
    made = {}
    for cell in (cell for cell in notebooks.read(path).cells if cell.cell_type == "code"):
        needed = [
            tag.removeprefix("needs-") for tag in notebooks.tags(cell) if tag.startswith("needs-")
        ]
        bound, read = names(cell.source)
        for name in read & made.keys():
            only = f"{name} is there only with {made[name]}, and is used in: {cell.source[:160]}"
            assert made[name] <= set(needed), only
        if needed:
            (whole,) = ast.parse(cell.source).body
            asked = f"vb.sources.at_hand({', '.join(map(repr, needed))})"
            assert isinstance(whole, ast.If) and ast.unparse(whole.test) == asked, (
                f"begin the cell with `if {asked}:`"
            )
            made |= {name: set(needed) for name in bound if made.get(name, True)}
        else:
            made |= {name: set() for name in bound}


def headings(notebook) -> list[str]:
    prose = "\n".join(cell.source for cell in notebook.cells if cell.cell_type == "markdown")
    return re.findall(r"^## +(.+?) *$", prose, flags=re.MULTILINE)


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


@pytest.mark.parametrize("path", CHAPTERS, **BY_NAME)
def test_a_chapter_answers_its_questions_in_order(path):
    first = ON_REAL_MODELS if path in REAL else ON_A_PAPER
    wanted = [*first, "Take-aways", "Exercises", "Questions to discuss"]
    found = headings(notebooks.read(path))
    places = [
        next((k for k, heading in enumerate(found) if heading.startswith(start)), None)
        for start in wanted
    ]
    assert None not in places, f"wanted {wanted}, found {found}"
    assert places == sorted(places), f"wanted this order: {wanted}, found {found}"


@pytest.mark.parametrize("path", NOTEBOOKS, **BY_NAME)
def test_every_exercise_has_a_solution_that_is_checked(path):
    exercise, solved, count = None, set(), 0
    for cell in notebooks.read(path).cells:
        if cell.cell_type == "markdown":
            count += len(re.findall(r"^[:`]{3,}\{exercise\}", cell.source, flags=re.MULTILINE))
            for start, end in re.findall(
                r"\{solution-start\} *(\S+)|(\{solution-end\})", cell.source
            ):
                assert not end or exercise in solved, (
                    f"{exercise}: no cell tagged `solution` before its end"
                )
                exercise = start or None
        elif "solution" in notebooks.tags(cell):
            assert exercise, "a solution cell stands between solution-start and solution-end"
            assert "hide-input" in notebooks.tags(cell), exercise
            last = ast.parse(cell.source).body[-1]
            assert isinstance(last, ast.Assert), f"{exercise}: the solution ends in an assert"
            solved.add(exercise)
    assert len(solved) == count >= 2, f"{count} exercises, solved: {sorted(solved)}"


@pytest.mark.parametrize("path", NOTEBOOKS, **BY_NAME)
def test_every_figure_is_described(path):
    for cell in notebooks.read(path).cells:
        if cell.cell_type != "code":
            continue
        assert "plt.show(" not in cell.source and "fig.show(" not in cell.source, (
            "show figures with vb.figures.show"
        )
        for node in ast.walk(ast.parse(cell.source)):
            if isinstance(node, ast.Call) and ast.unparse(node.func).endswith("figures.show"):
                given = {keyword.arg for keyword in node.keywords}
                assert {
                    "alt",
                    "caption",
                    "source",
                } <= given, f"line {node.lineno}: {ast.unparse(node)[:80]}"


@pytest.mark.parametrize(
    "settings", sorted(path.stem for path in (ROOT / "data" / "settings").glob("*.yaml"))
)
def test_settings_fit_the_notebooks(settings):
    chosen = plan.settings(settings)
    assert set(chosen.notebooks) <= set(plan.notebooks())
    assert all(plan.chapters(paper) for paper in chosen.models)  # an error for a paper that is none
    for notebook in plan.notebooks():
        record = plan.record(notebook, chosen, files={})  # an error for a wrong parameter or source
        assert settings != "greenhouse" or not record["changed"]


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


def test_no_two_test_modules_share_a_name():
    """Outside packages, pytest imports a module by its bare name."""
    loose = [
        path.name
        for path in (ROOT / "tests").rglob("test_*.py")
        if not (path.parent / "__init__.py").is_file()
    ]
    assert sorted(loose) == sorted(set(loose))


@pytest.mark.parametrize(
    "settings", sorted(path.stem for path in (ROOT / "data" / "settings").glob("*.yaml"))
)
def test_settings_and_parameters_name_image_and_prompt_sets_that_there_are(settings):
    chosen = plan.settings(settings)
    for notebook in plan.notebooks():
        known, values = plan.parameters(notebook, chosen)
        everything = {name: values.get(name, one.default) for name, one in known.items()}
        given = [name for name, one in known.items() if one.kind in ("image set", "prompt set")]
        folder = parameters.Parameter("here", "", "where the sets lie", kind="folder", empty=True)
        of_readers.check({**known, "here": folder}, {**everything, "here": str(ROOT)}, given=given)


@pytest.mark.xdist_group("own")
def test_a_group_of_tests_keeps_to_one_process(request):
    """Else what one builds for all, such as the site, is built in every process, and nothing says
    so."""
    if "PYTEST_XDIST_WORKER" not in os.environ:
        pytest.skip("one process runs all tests here")
    assert request.node.nodeid.endswith("@own")
