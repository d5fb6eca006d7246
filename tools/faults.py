"""Faults planted in the code one at a time: which does a test notice? Run by hand, and nightly.

    PY="env PYTHONPATH=src .venv/bin/python tools/faults.py"
    $PY record            # run the tests once, and keep which lines each of them runs
    $PY draw              # draw random mutants by package into tools/mutants.toml
    $PY draw --again      # keep those whose code still stands, draw the others anew
    $PY run mutants       # or: run planted [--only battery] [--sample 30 --seed 1]
    $PY rates             # found, of how many, by package, from tools/found.csv

`tools/planted.toml` holds faults that somebody thought of, each with the tests of its module;
`tools/mutants.toml` holds random ones, and the recorded lines choose their tests. A fault counts as
found if a test fails or runs out of time. A mutant in a notebook counts as found if the notebook no
longer runs or a statement of it no longer holds, as in `make book` of continuous integration, or if
a test that names the notebook fails. `record` needs `pip install coverage pytest-cov`.

Faults are planted in a copy of the tracked files in a temporary folder, never in this checkout.
"""

import argparse
import ast
import contextlib
import csv
import importlib
import json
import os
import random
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import tomllib
import xml.etree.ElementTree as ElementTree
from collections import Counter, defaultdict
from pathlib import Path

ROOT = Path(__file__).parents[1]
TOOLS = ROOT / "tools"
RECORD = ROOT / "_build" / "tests-by-line.json"
FOUND = TOOLS / "found.csv"
LIMIT = 600  # seconds that the tests of one fault may take
CHOSEN = (25, 10.0)  # so many tests, and so many seconds of them, for one mutant
PACKAGES = {  # folder: mutants drawn in it
    "src/vlmbias": 70,
    "src/audit": 20,
    "src/studies": 80,
    "src/greenhouse": 50,
    "src/runner": 35,
    "book/_ext": 20,
    "notebooks": 25,
}
COMMON = (
    "hypothesis",
    "numpy",
    "pandas",
    "PIL.Image",
    "pydantic",
    "scipy.stats",
    "statsmodels.api",
    "torch",
)
"""Imported once, before the process divides: most tests spend most of their time on these."""

KEYS = ("file", "where", "text", "operator", "new")  # what a mutant is found again by
SWAPS = {
    ast.Lt: ("<", "<="),
    ast.LtE: ("<=", "<"),
    ast.Gt: (">", ">="),
    ast.GtE: (">=", ">"),
    ast.Eq: ("==", "!="),
    ast.NotEq: ("!=", "=="),
    ast.In: ("in", "not in"),
    ast.NotIn: ("not in", "in"),
    ast.Is: ("is", "is not"),
    ast.IsNot: ("is not", "is"),
    ast.Add: ("+", "-"),
    ast.Sub: ("-", "+"),
    ast.Mult: ("*", "/"),
    ast.Div: ("/", "*"),
    ast.FloorDiv: ("//", "/"),
    ast.Mod: ("%", "*"),
    ast.Pow: ("**", "*"),
    ast.And: ("and", "or"),
    ast.Or: ("or", "and"),
}


# --- where a random mutant may be ---------------------------------------------------------------


class Places:
    """Every place of a file at which an operator can change something, as dicts of `start`, `end`
    (offsets), `new`, `operator`, `line` and `where` ."""

    def __init__(self, text: str):
        self.text = text
        lines = text.splitlines(keepends=True)
        self.starts = [0]
        for line in lines:
            self.starts.append(self.starts[-1] + len(line))
        self.lines, self.found = lines, []
        self._walk(ast.parse(text), "")

    def _offset(self, line: int, column: int) -> int:
        return self.starts[line - 1] + len(
            self.lines[line - 1].encode()[:column].decode()
        )  # columns count bytes

    def _span(self, node) -> tuple[int, int]:
        return (
            self._offset(node.lineno, node.col_offset),
            self._offset(node.end_lineno, node.end_col_offset),
        )

    def _add(self, operator: str, start: int, end: int, new: str, node, where: str) -> None:
        self.found.append(
            {
                "operator": operator,
                "start": start,
                "end": end,
                "new": new,
                "line": node.lineno,
                "where": where,
            }
        )

    def _between(self, operator: str, left, right, kind, node, where: str) -> None:
        """Swap the sign that stands between two nodes."""
        if kind not in SWAPS:
            return
        old, new = SWAPS[kind]
        start, end = self._span(left)[1], self._span(right)[0]
        words = r"\s+".join(map(re.escape, old.split()))
        found = re.search(rf"\b{words}\b" if old[0].isalpha() else words, self.text[start:end])
        if found:
            self._add(operator, start + found.start(), start + found.end(), new, node, where)

    def _walk(self, node, where: str) -> None:
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            where = f"{where}.{node.name}".lstrip(".")
        match node:
            case ast.Compare():
                for left, kind, right in zip(
                    [node.left, *node.comparators], node.ops, node.comparators, strict=False
                ):
                    self._between("compare", left, right, type(kind), node, where)
            case ast.BinOp():
                self._between("arithmetic", node.left, node.right, type(node.op), node, where)
            case ast.BoolOp():
                self._between("logic", *node.values[:2], type(node.op), node, where)
            case ast.UnaryOp(op=ast.Not()):
                start, end = self._span(node)
                inner = self.text[slice(*self._span(node.operand))]
                self._add("logic", start, end, f"({inner})", node, where)
            case ast.Constant(value=bool(value)):
                self._add("truth", *self._span(node), str(not value), node, where)
            case ast.Constant(value=int(value)):
                self._add("number", *self._span(node), str(value + 1), node, where)
            case ast.Constant(value=float(value)):
                self._add("number", *self._span(node), str(value * 1.5 or 1.0), node, where)
            case ast.If() | ast.IfExp():
                start, end = self._span(node.test)
                new = f"not ({self.text[start:end]})"
                self._add("condition", start, end, new, node.test, where)
            case ast.Return(value=value) if value is not None:
                self._add("return", *self._span(value), "None", node, where)
            case ast.Expr(value=ast.Call()):
                self._add("call", *self._span(node), "None", node, where)
            case ast.Call(keywords=[*words]) if words:
                for word in words:
                    start, end = self._span(word)
                    rest = re.match(r"\s*,\s*", self.text[end:])
                    if word.arg and (rest or self.text[end:].lstrip().startswith(")")):
                        gone = end + (rest.end() if rest else 0)
                        self._add("argument", start, gone, "", word.value, where)
        for child in self._children(node):
            self._walk(child, where)

    @staticmethod
    def _children(node):
        """All that can run: no annotations, and no pieces of an f-string, whose offsets are not
        those of the file."""
        if isinstance(node, ast.JoinedStr):
            return
        for name, value in ast.iter_fields(node):
            if name in ("annotation", "returns"):
                continue
            for child in value if isinstance(value, list) else [value]:
                if isinstance(child, ast.AST):
                    yield child


def sources(package: str) -> list[Path]:
    return sorted(path for path in (ROOT / package).rglob("*.py") if path.name != "__main__.py")


def candidates(package: str) -> list[dict]:
    """All places of a package; of a notebook, without its parameters and without calls that only
    record or show."""
    found = []
    for path in sources(package):
        text = path.read_text("utf-8")
        quiet = {
            number
            for number, line in enumerate(text.splitlines(), 1)
            if re.match(r"\s*(import |from |vb\.note|vb\.figures|plt\.|@)", line)
        }
        if package == "notebooks":
            quiet |= _parameters(text)
        for place in Places(text).found:
            if place["line"] not in quiet:
                line = text.splitlines()[place["line"] - 1].strip()
                found.append(place | {"file": str(path.relative_to(ROOT)), "text": line})
    return found


def _parameters(text: str) -> set[int]:
    """The lines of a notebook's cell of parameters."""
    inside, found = False, set()
    for number, line in enumerate(text.splitlines(), 1):
        if line.startswith("# %%"):
            inside = '"parameters"' in line
        if inside:
            found.add(number)
    return found


def draw(options) -> None:
    """Draw mutants, by package, with a seed; `--again` keeps those whose line still stands once in
    its function and draws one with the same operator for each that is gone."""
    rng = random.Random(options.seed)
    kept = load("mutants") if options.again else []
    rows = []
    for package, wanted in PACKAGES.items():
        places = candidates(package)
        old = [one for one in kept if one["package"] == package]
        if not old:
            operators: list[str | None] = [None] * wanted
        else:
            stands = Counter(map(_key, places))
            still = [one for one in old if stands[_key(one)] == 1]
            rows += still
            operators = [one["operator"] for one in old if one not in still]
        single = Counter(map(_key, places))
        places = [place for place in places if single[_key(place)] == 1]
        taken = {(one["file"], one["text"]) for one in rows}
        for operator in operators:
            left = [
                place
                for place in places
                if operator in (None, place["operator"])
                and (place["file"], place["text"]) not in taken
            ]
            if left:
                one = rng.choice(left)
                taken.add((one["file"], one["text"]))
                rows.append({"package": package} | dict(zip(KEYS, _key(one), strict=True)))
    order = list(PACKAGES)
    rows.sort(key=lambda one: (order.index(one["package"]), one["file"], one["text"]))
    write_toml([one | {"id": f"M{number:03}"} for number, one in enumerate(rows, 1)])


def _key(place: dict) -> tuple:
    """What a mutant is found again by."""
    return tuple(place[key] for key in KEYS)


def write_toml(rows: list[dict]) -> None:
    head = (
        "# Random mutants, drawn by `tools/faults.py draw`: a line of a function, and what the"
        " operator writes there."
    )
    parts = [head]
    for one in rows:
        body = [f"{key} = {json.dumps(one[key], ensure_ascii=False)}" for key in ("id", *one)]
        parts.append("[[fault]]\n" + "\n".join(dict.fromkeys(body)))
    (TOOLS / "mutants.toml").write_text("\n\n".join(parts) + "\n", "utf-8")


def load(kind: str) -> list[dict]:
    with (TOOLS / f"{kind}.toml").open("rb") as file:
        return tomllib.load(file)["fault"]


# --- which tests run which line -----------------------------------------------------------------


def record(options) -> None:
    """Run the tests that are not long, but for those that build pages, and keep who runs what."""
    with tempfile.TemporaryDirectory() as temporary:
        data, report = Path(temporary, "coverage"), Path(temporary, "report.xml")
        environment = os.environ | {"COVERAGE_FILE": str(data)}
        words = f"-n {options.n} --dist loadgroup --cov=src --cov=book/_ext --cov-context=test"
        command = [sys.executable, "-m", "pytest", *words.split(), "--cov-report="]
        command += ["-m", "not slow and not long", f"--junitxml={report}"]
        subprocess.run(command, cwd=ROOT, env=environment, check=False)
        keep_record(data, report)


def keep_record(data: Path, report: Path) -> None:
    """`RECORD`: for each file and line the numbers of the tests, and their names and seconds."""
    from coverage import CoverageData

    seconds, failed = {}, set()
    for case in ElementTree.parse(report).iter("testcase"):
        names = case.get("classname", "").split(".")
        path = next(
            (
                i
                for i in range(len(names), 0, -1)
                if Path(ROOT, *names[:i]).with_suffix(".py").is_file()
            ),
            0,
        )
        inner = "::".join([*names[path:], case.get("name", "")])
        name = _plain("/".join(names[:path]) + f".py::{inner}")
        seconds[name] = float(case.get("time", 0))
        if case.find("failure") is not None or case.find("error") is not None:
            failed.add(name)
    tests = sorted(set(seconds) - failed)
    number = {name: n for n, name in enumerate(tests)}
    covered = CoverageData(str(data))
    covered.read()
    lines = {}
    for file in covered.measured_files():
        by_line = {}
        for line, contexts in covered.contexts_by_lineno(file).items():
            names = {_plain(one.partition("|")[0]) for one in contexts if one}
            by_line[line] = sorted(number[name] for name in names if name in number)
        name = Path(file)
        lines[str(name.relative_to(ROOT) if name.is_absolute() else name)] = by_line
    RECORD.parent.mkdir(exist_ok=True)
    RECORD.write_text(
        json.dumps({"tests": [(name, seconds[name]) for name in tests], "lines": lines})
    )
    print(f"{len(tests)} tests, {len(lines)} files, {len(failed)} failed and are not used")


def _plain(test: str) -> str:
    """The name of a test without the group that xdist adds."""
    return re.sub(r"@[^\]@]*$", "", test)


def tests_of(mutant: dict, line: int, recorded: dict) -> list[str]:
    """The tests that run a line; if it only runs on import, those that run its file. The tests of
    the module come first, then the quick ones, until the limits are reached."""
    by_line = recorded["lines"].get(mutant["file"], {})
    numbers = by_line.get(str(line)) or {n for each in by_line.values() for n in each}
    stem = Path(mutant["file"]).stem
    own = sorted(
        (recorded["tests"][n] for n in numbers),
        key=lambda test: (stem not in test[0].partition("::")[0], test[1]),
    )
    chosen, total = [], 0.0
    for name, seconds in own:
        if len(chosen) < CHOSEN[0] and total + seconds < CHOSEN[1]:
            chosen.append(name)
            total += seconds
    return chosen


# --- planting -----------------------------------------------------------------------------------


def copied(folder: Path) -> Path:
    """The tracked files as they are now, the environment, and what was embedded."""
    names = subprocess.run(
        ["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, check=True
    ).stdout
    for name in filter(None, names.decode().split("\0")):
        if (ROOT / name).is_file():
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(ROOT / name, folder / name)
    (folder / ".venv").symlink_to((ROOT / ".venv").resolve())
    if (ROOT / "_build/cache").is_dir():
        shutil.copytree(ROOT / "_build/cache", folder / "_build/cache")
    return folder


def tested(folder: Path, tests: list[str], notebook: str = "") -> str:
    """How the tests end, in a process of their own: "passed", "timed out", or the first that
    failed."""
    printed = folder.with_suffix(".txt")
    if not (child := os.fork()):
        with printed.open("w") as file:
            os.dup2(file.fileno(), 1)
            os.dup2(file.fileno(), 2)
        os.setpgid(0, 0)
        signal.alarm(LIMIT)
        os.chdir(folder)
        sys.dont_write_bytecode = True
        sys.path[:0] = [str(folder / "src"), str(folder / "tests")]
        os.environ["PYTHONPATH"] = str(folder / "src")
        if notebook and (problem := _notebook(notebook)):
            print(f"FAILED {problem}", flush=True)
            os._exit(1)
        import pytest

        plain = ["-q", "-x", "-p", "no:cacheprovider", "-p", "no:xdist", "-m", "not long"]
        os._exit(int(pytest.main([*plain, *tests])) if tests else 0)
    ended = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    with contextlib.suppress(ProcessLookupError):
        os.killpg(child, signal.SIGKILL)  # what the tests left running
    if ended == -signal.SIGALRM:
        return "timed out"
    failed = re.search(
        r"^(?:FAILED|ERROR) (\S+)", printed.read_text(errors="replace"), re.MULTILINE
    )
    return "passed" if not ended else failed[1] if failed else f"not judged: status {ended}"


def _notebook(name: str) -> str:
    """Why a notebook fails in continuous integration; empty if it does not."""
    import in_process

    from runner import plan

    results = Path("_build/tried/results.json").absolute()
    results.parent.mkdir(parents=True, exist_ok=True)
    try:
        cells = in_process.run(plan.record(name, plan.settings("greenhouse"), files={}), results)
    except BaseException as problem:
        return type(problem).__name__
    for one in (output for cell in cells for output in cell.get("outputs", [])):
        glued = one["metadata"].get("scrapbook", {}).get("name", "")
        said = [text for kind, text in one.items() if kind.endswith("record/text/plain")]
        if glued.startswith("holds.") and said == ["False"]:
            return glued
    return ""


def found_in(content: str, fault: dict) -> list[dict]:
    """Where the code of a fault stands: `start` and `end`. Of one that somebody thought of, blanks
    and line breaks between words do not matter."""
    if "operator" not in fault:
        words = r"\s*".join(map(re.escape, re.findall(r"\w+|[^\w\s]", fault["old"])))
        return [{"start": one.start(), "end": one.end()} for one in re.finditer(words, content)]
    lines = content.splitlines()
    places = [
        place | {"file": fault["file"], "text": lines[place["line"] - 1].strip()}
        for place in Places(content).found
    ]
    return [place for place in places if _key(place) == _key(fault)]


def planted(folder: Path, fault: dict, recorded: dict) -> str:
    """Plant a fault, run its tests, take it out again, and say how they ended."""
    path = folder / fault["file"]
    content = path.read_text("utf-8")
    found = found_in(content, fault)
    if len(found) != 1:
        return f"not planted: its code stands {len(found)} times"
    at = found[0]
    changed = content[: at["start"]] + fault["new"] + content[at["end"] :]
    notebook = ""
    if fault["file"].startswith("notebooks/"):
        notebook = str(Path(fault["file"]).relative_to("notebooks").with_suffix(""))
        tests = ["tests/test_statements.py", "-k", Path(notebook).name]
    else:
        tests = fault["tests"] if "tests" in fault else tests_of(fault, at["line"], recorded)
        if not tests:
            return "passed"  # no test runs it
    before = path.stat()
    path.write_text(changed, "utf-8")
    try:
        return tested(folder, [*tests], notebook)
    finally:
        path.write_text(content, "utf-8")
        os.utime(path, ns=(before.st_atime_ns, before.st_mtime_ns))


def run(options) -> None:
    """Plant each fault in turn; outcomes are kept in `FOUND` as they come, and not tried twice."""
    faults = load(options.kind)
    chosen = [one for one in faults if any(part in str(one) for part in options.only)]
    if options.sample:
        chosen = random.Random(options.seed).sample(chosen, min(options.sample, len(chosen)))
    known = {} if options.afresh else kept()
    recorded = json.loads(RECORD.read_text()) if RECORD.is_file() else {}
    if options.kind == "mutants" and not recorded:
        sys.exit("no test is recorded: run `tools/faults.py record` first")
    os.environ |= {"OMP_NUM_THREADS": "1", "PYTHONDONTWRITEBYTECODE": "1", "CI": "true"}
    os.environ["VLMBIAS_NO_BROWSER"] = "1"
    for name in COMMON:
        importlib.import_module(name)
    with tempfile.TemporaryDirectory(prefix="faults-") as temporary:
        folder = copied(Path(temporary) / "tree")
        for fault in chosen:
            if fault["id"] in known:
                continue
            start = time.monotonic()
            outcome = planted(folder, fault, recorded)
            plain = outcome in ("passed", "timed out")
            kind = outcome.partition(":")[0] if plain or outcome.startswith("not ") else "found"
            known[fault["id"]] = {
                "id": fault["id"],
                "package": fault.get("package") or package_of(fault["file"]),
                "outcome": kind,
                "by": "" if outcome == "passed" else outcome,
            }
            keep(known)
            print(f"{fault['id']} {time.monotonic() - start:5.0f} s  {outcome}", flush=True)
    rates(options)


def package_of(file: str) -> str:
    return next(name for name in PACKAGES if file.startswith(name))


def kept() -> dict[str, dict]:
    if not FOUND.is_file():
        return {}
    with FOUND.open(encoding="utf-8", newline="") as file:
        return {row["id"]: row for row in csv.DictReader(file)}


def keep(known: dict[str, dict]) -> None:
    with FOUND.open("w", encoding="utf-8", newline="") as file:
        table = csv.DictWriter(file, ["id", "package", "outcome", "by"], lineterminator="\n")
        table.writeheader()
        table.writerows(known[name] for name in sorted(known))


def rates(_) -> None:
    """Found, of how many that could be planted, by package: random and thought of."""
    count = defaultdict(Counter)
    for row in kept().values():
        kind = "mutants" if row["id"].startswith("M") else "planted"
        count[kind, row["package"]][row["outcome"]] += 1
    for (kind, package), each in sorted(count.items()):
        tried = sum(each.values()) - each["not planted"] - each["not judged"]
        found = each["found"] + each["timed out"]
        share = f"{found / tried:.0%}" if tried else "–"
        print(f"{kind:8} {package:15} {found:3} of {tried:3}  {share}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    commands = parser.add_subparsers(required=True)
    for action in (record, draw, run, rates):
        command = commands.add_parser(action.__name__, help=action.__doc__.partition("\n")[0])
        command.set_defaults(action=action)
        command.add_argument("--seed", type=int, default=35)
        if action is record:
            command.add_argument("-n", type=int, default=2, help="processes")
        if action is draw:
            command.add_argument("--again", action="store_true")
        if action is run:
            command.add_argument("kind", choices=("mutants", "planted"))
            command.add_argument("--only", nargs="+", default=[""], help="parts of ids or files")
            command.add_argument("--sample", type=int, help="so many, drawn at random")
            command.add_argument("--afresh", action="store_true", help="try known ones again")
    options = parser.parse_args()
    options.action(options)


if __name__ == "__main__":
    main()
