"""The first run with a network, rehearsed: random weights of the true architectures, loopback. Run
by hand.

    PYTHONPATH=src .venv/bin/python tools/rehearse.py [--size tiny] [--part PART …]
    [--keep FOLDER]

Comes in: this checkout, and VLMBIAS_MIRROR, a mirror of the open files other than the table and the
pictures. Goes out: a line per thing that was looked at, "ok" or what is wrong; the exit status is 1
if anything is. May not: touch this checkout or the reader's caches: it works in a clone, with
folders of its own.

The parts are, in this order: faults (Ctrl-C in a download, a full disk, wrong bytes), light (the
chapters of the page on first light with the settings `open`, three times, while the hub breaks one
download off and sends a wrong table), sweep (three models, one of which nobody has), paper (a
chapter on a part of its set, killed while pictures are embedded), book (the whole book, twice).
With `--size tiny`, networks are small, there are 10 identities, and chapters have the sizes of the
settings `smoke`. At true size about 1.1 GB are written; `light` takes some 10 core-minutes, `book`
another 12.
"""

import argparse
import csv
import hashlib
import io
import json
import os
import re
import resource
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path

import numpy as np
import yaml
from PIL import Image

REPOSITORY = Path(__file__).parents[1]
sys.path[:0] = [str(REPOSITORY / "tests"), str(REPOSITORY / "src")]
import exports  # noqa: E402
import released_layout  # noqa: E402
from rehearsal.networks import FILE, REPOSITORIES, TINY, on_the_hub  # noqa: E402
from rehearsal.servers import Server, serving  # noqa: E402

HEADING = "The protocol, run on"
CLIP = "ViT-B-32-quickgelu/openai"
WEIGHTS = f"{REPOSITORIES['ViT-B-32-quickgelu'][1]}/{FILE}"
PARTS = ("faults", "light", "sweep", "paper", "book")
EXECUTED = "_build/executed/{}.ipynb"
CHAPTERS = (
    "pretraining/upstream",
    "pretraining/effect_sizes",
    "pretraining/downstream",
    "causalface/neutral_prompt",
    "pretraining/train_mode",
    "calibration/ieat",
    "pretraining/tests_and_stimuli",
)
OPEN = ("book", "--settings", "open", "--")
# every process of the rehearsal gets the open files from loopback, and takes drawings for
# photographs where asked to
SITE = """
import os
from vlmbias.sources import download
original = download._download
download._SECURE = ("http://127.0.0.1:",)
download._download = lambda source, *rest: original(
    source.model_copy(update={"base": os.environ["REHEARSAL_OPEN"]}), *rest)
if os.environ.get("REHEARSAL_TINY"):
    import json, sys
    from importlib.machinery import PathFinder
    class Small:
        @staticmethod
        def find_spec(name, path=None, target=None):
            if name == "open_clip.factory":
                spec = PathFinder.find_spec(name, path)
                load = spec.loader.exec_module
                def small(module):
                    load(module)
                    module._MODEL_CONFIGS.update(json.loads(os.environ["REHEARSAL_TINY"]))
                spec.loader.exec_module = small
                return spec
    sys.meta_path.insert(0, Small)
"""


def clone(scratch: Path, server: Server, *, tiny: bool) -> Path:
    """A clone whose catalogue expects the twin's table and noise for the pictures; the server gets
    both.

    Where it is `tiny`, its settings `open` and `paper` have the sizes of `smoke`.
    """
    import vlmbias as vb
    from studies.pretraining import downstream, effect_sizes, twin
    from vlmbias.external.study_table import FILES, KEY

    root = scratch / "root"
    subprocess.run(["git", "clone", "-q", "--shared", str(REPOSITORY), str(root)], check=True)
    printed = vb.ledger.load("pretraining")
    cells, r = effect_sizes.cells(printed), downstream.printed(printed)["r"].to_dict()
    entries, files = yaml.safe_load((root / "data/sources/index.yaml").read_text("utf-8")), []
    for stimuli, path in zip(("new", "old"), FILES.values(), strict=True):
        table = twin.generate(cells, r, stimuli=stimuli)
        origin = np.select(
            [table["model"] <= "simulated-009", table["model"] <= "simulated-038"],
            ["openai", "cherti"],
            "open_clip",
        )
        released_layout.write(
            table.assign(model=table["model"].str.replace("simulated", "network"), origin=origin),
            scratch / "table.csv",
        )
        content = (scratch / "table.csv").read_bytes()
        server.files[path] = content
        files.append(
            {"path": path, "bytes": len(content), "sha256": hashlib.sha256(content).hexdigest()}
        )
    entries[KEY]["files"] = files
    pictures(root / "data/sources/ieat-photographs.csv", server)
    (root / "data/sources/index.yaml").write_text(yaml.safe_dump(entries))
    for name in ("open", "paper") if tiny else ():
        place = root / f"data/settings/{name}.yaml"
        own, small = (
            yaml.safe_load((place.parent / f"{one}.yaml").read_text("utf-8"))
            for one in (name, "smoke")
        )
        sizes = {key: small[key] for key in ("identities", "parameters")}
        place.write_text(yaml.safe_dump(own | sizes | {"embedded": {}}))
    who = ["-c", "user.name=rehearsal", "-c", "user.email=rehearsal@localhost"]
    subprocess.run(
        ["git", *who, "commit", "-qam", "Expect what the rehearsal serves"], cwd=root, check=True
    )
    return root


def pictures(listed: Path, server: Server) -> None:
    """Noise in the places of the published pictures: on the server, and in the list of files."""
    rng = np.random.default_rng(0)
    rows = [*csv.DictReader(listed.read_text("utf-8").splitlines())]
    for row in (row for row in rows if "." in row["path"].rpartition("/")[2]):  # not the licence
        content = io.BytesIO()
        kind = {".png": "PNG", ".gif": "GIF"}.get(Path(row["path"]).suffix.lower(), "JPEG")
        Image.fromarray(rng.integers(0, 256, (64, 64, 3), dtype=np.uint8)).save(content, kind)
        server.files[row["path"]] = content.getvalue()
        row |= {
            "bytes": len(content.getvalue()),
            "sha256": hashlib.sha256(content.getvalue()).hexdigest(),
        }
    with open(listed, "w", newline="", encoding="utf-8") as file:
        table = csv.DictWriter(file, list(rows[0]))
        table.writeheader()
        table.writerows(rows)


def environment(scratch: Path, root: Path, server: Server, *, tiny: bool) -> dict[str, str]:
    """Where every process of the rehearsal looks, and where nothing of the reader's lies."""
    (scratch / "site").mkdir()
    (scratch / "site/sitecustomize.py").write_text(SITE)
    ours = {
        "PYTHONPATH": f"{scratch / 'site'}:{root / 'src'}",
        "VLMBIAS_ROOT": str(root),
        "HF_ENDPOINT": server.address,
        "HF_HOME": str(scratch / "home"),
        "VLMBIAS_DATA": str(scratch / "mine"),
        "VLMBIAS_CACHE": str(scratch / "cache"),
        "REHEARSAL_OPEN": f"{server.address}/open/",
    }
    if tiny:
        ours["REHEARSAL_TINY"] = json.dumps(TINY)
    return {name: value for name, value in os.environ.items() if name != "VLMBIAS_SETTINGS"} | ours


class Rehearsal:
    """Commands in the clone, and what was looked at."""

    def __init__(self, root: Path, surroundings: Mapping[str, str]):
        self.root, self.surroundings, self.wrong = root, surroundings, 0

    def go(self, *words: str, **more: str) -> tuple[int, str, float]:
        """A command's exit status, what it said, and its seconds."""
        began = time.monotonic()
        done = subprocess.run(
            [sys.executable, "-m", "vlmbias", *words],
            cwd=self.root,
            text=True,
            errors="replace",
            env={**self.surroundings, **more},
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
        )
        most = (
            resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1e6
        )  # of the largest process so far
        print(
            f"--- vlmbias {' '.join(words)}: status {done.returncode},"
            f" {time.monotonic() - began:.0f} s, no process above {most:.2f} GB",
            flush=True,
        )
        return done.returncode, done.stdout, time.monotonic() - began

    def until(self, sign: str, *words: str, end: int, **more: str) -> tuple[int, str]:
        """A command that gets a signal, with all its processes, once it has said something or a
        minute has passed; its status, and what it said."""
        with tempfile.TemporaryFile("w+", errors="replace") as said:
            begun = subprocess.Popen(
                [sys.executable, "-m", "vlmbias", *words],
                cwd=self.root,
                stdout=said,
                stderr=subprocess.STDOUT,
                start_new_session=True,
                env={**self.surroundings, **more},
            )
            heard, last = "", time.monotonic() + 600
            while sign not in heard and begun.poll() is None and time.monotonic() < last:
                time.sleep(0.2)
                said.seek(0)
                heard = said.read()
            time.sleep(1)
            with suppress(ProcessLookupError):
                os.killpg(begun.pid, end)
            begun.wait()
            said.seek(0)
            print(
                f"--- vlmbias {' '.join(words)}: signal {end}, status {begun.returncode}",
                flush=True,
            )
            return begun.returncode, said.read()

    def verdicts(self) -> list[dict[str, str]]:
        """The records of the ledger, as this build leaves them."""
        self.go("collate")
        return json.loads((self.root / "_build/ledger.json").read_bytes())["claims"]

    def look(self, what: str, right: bool, said: str = "") -> None:
        """Say whether something is as it should be."""
        self.wrong += not right
        print(
            f"{'ok' if right else 'WRONG'}:"
            f" {what}{'' if right else said and chr(10) + said[-1500:]}",
            flush=True,
        )


@contextmanager
def small_disk(place: Path, size: int) -> Iterator[bool]:
    """A folder on a disk of so many bytes; False where this machine does not let us have one."""
    place.mkdir()
    mount = ["mount", "-t", "tmpfs", "-o", f"size={size}", "tmpfs", str(place)]
    there = not subprocess.run(mount, capture_output=True).returncode
    try:
        yield there
    finally:
        if there:
            subprocess.run(["umount", str(place)], check=True)


def faults(book: Rehearsal, server: Server, scratch: Path) -> None:
    """One after another: Ctrl-C in a download, too small a disk, one that fills, bytes that are not
    the file's."""
    words = (*OPEN, EXECUTED.format("causalface/neutral_prompt"))
    megabytes = len(server.files[WEIGHTS]) / 1e6
    shelf = scratch / "home/hub"
    server.slow.add(WEIGHTS)
    code, said = book.until("▸ weights of" if megabytes > 1 else "✗", *words, end=signal.SIGINT)
    whole = [path for path in shelf.glob("**/snapshots/*/*") if path.is_file()]
    book.look(
        "Ctrl-C in a download ends it with a word, and leaves no file that counts as whole",
        code == 130
        and not whole
        and "interrupted: of ViT-B-32-quickgelu/openai nothing is kept" in said
        and "Traceback" not in said,
        said,
    )
    server.slow.clear()
    for what, share in (
        ("a disk that is too small", 0.5),
        ("a disk that fills in a download", 1.5),
    ):
        place = scratch / f"disk{share:g}"
        with small_disk(place, int(share * megabytes * 1e6)) as there:
            if not there:
                print(f"NOT LOOKED AT: {what}; no small disk can be had here")
                continue
            if share > 1:
                server.slow.add(WEIGHTS)
                threading.Thread(
                    target=fill, args=(place, int(megabytes * 1e6)), daemon=True
                ).start()
            code, said, _ = book.go(*words, HF_HOME=str(place / "home"))
            book.look(
                f"{what} is called that",
                code == 1 and "the disk is full" in said and "404" not in said,
                said,
            )
            server.slow.clear()
    server.wrong.add(WEIGHTS)
    code, said, _ = book.go(*words)
    named = re.search(r"'(/[^']+)' is damaged: its SHA-256", said)
    book.look(
        "weights of the right size and another content are refused, with the file's place",
        code == 1 and bool(named),
        said,
    )
    server.wrong.clear()
    if named:
        Path(named[1]).unlink()  # what the message says


def fill(place: Path, size: int) -> None:
    """Take most of a disk once a download has begun there."""
    while not any(place.glob("home/hub/**/*.incomplete")):
        time.sleep(0.1)
    with suppress(OSError), open(place / "filler", "wb") as file:
        while True:
            file.write(bytes(min(100_000, size)))
            file.flush()


def light(book: Rehearsal, server: Server) -> None:
    """The chapters that a network alone makes good, with a wrong table and a broken download; then
    again, and again."""
    from vlmbias.external.study_table import FILES

    words = (*OPEN, *map(EXECUTED.format, CHAPTERS))
    server.wrong.add(next(iter(FILES.values())))
    server.cut[WEIGHTS] = len(server.files[WEIGHTS]) // 3
    before = len(server.asked)
    code, said, _ = book.go(*words)
    book.look(
        "a wrong table is refused, by name, and the chapters run",
        code == 0 and "not the file that was checked" in said,
        said,
    )
    parts = [
        part
        for method, path, part in server.asked[before:]
        if method == "GET" and path.endswith(FILE) and WEIGHTS.rpartition("/")[0] in path
    ]
    large = len(server.files[WEIGHTS]) > 30_000_000  # the hub's library keeps what it has by 10 MB
    book.look(
        "a download that broke goes on by itself",
        len(parts) == 2 and parts[1].startswith("bytes=") == large,
        str(parts),
    )
    server.wrong.clear()
    book.go("sources", "--fetch")
    code, said, _ = book.go(*words)
    book.look("the same command settles the rest", code == 0, said)
    asked = len(server.asked)
    code, said, seconds = book.go(*words)
    book.look(
        f"a third time nothing is run or fetched ({seconds:.0f} s)",
        code == 0
        and "▸" not in said
        and all(method == "HEAD" for method, *_ in server.asked[asked:]),
        said,
    )
    rows = book.verdicts()
    print(Counter((row["notebook"], row["rerun"].partition(" (because")[0]) for row in rows))
    judged = [
        row["id"]
        for row in rows
        if row["notebook"] == "causalface/neutral_prompt" and "weights" in row["found"]
    ]
    book.look("nothing is judged by noise", not judged, str(judged))
    decided = {row["id"]: row["rerun"] for row in rows if "significant-families" in row["id"]}
    book.look(
        "the question of the table is answered",
        bool(decided) and not any(one.startswith("not run") for one in decided.values()),
        str(decided),
    )
    listed = subprocess.run(
        ["git", "show", "HEAD~1:data/sources/index.yaml"],
        cwd=book.root,
        check=True,
        capture_output=True,
    )
    (book.root / "data/sources/index.yaml").write_bytes(listed.stdout)
    reasons = {row["rerun"] for row in book.verdicts()}
    book.look(
        "of another table than the listed one there is no verdict",
        any("not the one in data/sources/index.yaml" in one for one in reasons),
        str(reasons),
    )
    subprocess.run(["git", "checkout", "-q", "data/sources/index.yaml"], cwd=book.root, check=True)


def sweep(book: Rehearsal) -> None:
    """Three models, one of which nobody has: the table is collected all the same."""
    models = ("greenhouse", CLIP, "ViT-B-32/laion2b_s34b_b79k")
    words = ("sweep", *models, "--stimuli", "greenhouse")
    code, said, _ = book.go(*words)
    book.look(
        "a sweep of three with one missing",
        code == 0 and "2 models measured, 1 failed" in said,
        said,
    )
    table = book.root / "_build/sweep/greenhouse.effect_sizes.csv"
    rows = table.read_text("utf-8").splitlines() if table.is_file() else []
    book.look("its table has 26 tests of two models", len(rows) == 1 + 2 * 26, str(len(rows)))
    code, said, _ = book.go(*words)
    book.look("given again, it measures nothing again", code == 0 and "▸" not in said, said)


def paper(book: Rehearsal, mine: Path) -> None:
    """A chapter under `paper` on three of a hundred identities that nothing marks as drawn: no
    verdict."""
    exports.unmarked(exports.causal(mine / "causalface", seeds=3, detail=108))
    name = "causalface/neutral_prompt"
    target = f"_build/executed/{name}.ipynb"
    words = ("book", "--settings", "paper", "--", target)
    book.until("looks at", *words, end=signal.SIGKILL)
    code, said, _ = book.go(*words)
    book.look("killed, a chapter goes on, and runs on a part of the set", code == 0, said)
    page = json.loads((book.root / f"_build/executed/{name}.ipynb").read_bytes())
    text = "".join(
        part for cell in page["cells"] if cell["cell_type"] == "markdown" for part in cell["source"]
    )
    book.look(
        "its heading names the set",
        f"{HEADING} CausalFace" in text,
        str(re.findall(f"{HEADING}.*", text)),
    )
    own = [row["rerun"] for row in book.verdicts() if row["notebook"] == name]
    book.look(
        "the ledger has no verdict of it",
        all(one.startswith("not run") for one in own) and "was not whole" in str(own),
        str(own),
    )
    code, said, _ = book.go("sources", "check", "causalface")
    book.look("the check of the folder says that it is not whole", "not whole" in said, said)


def site(book: Rehearsal, server: Server) -> None:
    """The whole book with open settings: which headings name the Greenhouse although real data
    stand in the section."""
    code, said, _ = book.go("book", "--settings", "open")
    book.look("the whole book is built", code == 0, said)
    before = len(server.asked)
    code, said, seconds = book.go("book", "--settings", "open")
    asked = server.asked[before:]
    book.look(
        f"a second run does nothing ({seconds:.0f} s), and only asks whether weights have changed",
        code == 0
        and "nothing to do" in said
        and all(method == "HEAD" and path.endswith(FILE) for method, path, _ in asked),
        f"{said}\nasked for: {asked}",
    )
    for path in sorted(book.root.glob("_build/executed/*/*.ipynb")):
        about = json.loads(path.read_bytes())["metadata"]["vlmbias"]
        text = path.read_text("utf-8")
        (heading,) = re.findall(rf"{HEADING} ([^\\\"]+)", text)[:1] or [""]
        states = about["sources"]
        real = [
            key for key, state in states.items() if state["available"] and not state.get("drawn")
        ]
        used = [key for key in real if key in about["requires"] or key.startswith("weights")]
        noted = any(not states[key]["available"] for key in about["requires"])
        if (
            heading and not noted
        ):  # of ours alone where nothing of others is used; of others only where some is there
            ours = heading.endswith("(not at hand)") or (
                heading.startswith("the Greenhouse") and not re.search("with|and", heading)
            )
            book.look(
                f"{about['notebook']}: run on {heading}, with"
                f" {', '.join(used or real) or 'nothing real'}",
                not used if ours else bool(real),
            )


def main() -> None:
    """All of it, or the part that is asked for."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument(
        "--size", choices=("true", "tiny"), default="true", help="of networks and chapters"
    )
    parser.add_argument("--part", nargs="+", choices=PARTS, default=PARTS, help="default: all")
    parser.add_argument("--keep", type=Path, help="a folder to work in, which stays")
    options = parser.parse_args()
    if not os.environ.get("VLMBIAS_MIRROR"):
        sys.exit("name a mirror of the open files: VLMBIAS_MIRROR")
    with tempfile.TemporaryDirectory() as folder, serving() as server:
        scratch = options.keep or Path(folder)
        scratch.mkdir(parents=True, exist_ok=True)
        from vlmbias.embedding.torchvision_shim import import_open_clip

        tiny = options.size == "tiny"
        architectures = (
            TINY
            if tiny
            else {name: import_open_clip().get_model_config(name) for name in REPOSITORIES}
        )
        server.files |= on_the_hub(architectures)
        root = clone(scratch, server, tiny=tiny)
        book = Rehearsal(root, environment(scratch, root, server, tiny=tiny))
        parts = {
            "faults": lambda: faults(book, server, scratch),
            "light": lambda: light(book, server),
            "sweep": lambda: sweep(book),
            "paper": lambda: paper(book, scratch / "mine"),
            "book": lambda: site(book, server),
        }
        for part in options.part:
            parts[part]()
        print(f"{book.wrong} things are wrong")
        sys.exit(book.wrong > 0)


if __name__ == "__main__":
    main()
