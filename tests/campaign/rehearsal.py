"""The first run with a network, rehearsed at full size: true architectures, random weights,
loopback. Run by hand.

    PYTHONPATH=src .venv/bin/python tests/campaign/rehearsal.py [--only STEP] [--paper] [--book]
    [--keep FOLDER]

Comes in: this checkout, and VLMBIAS_MIRROR, a mirror of the open files other than the table and the
pictures. Goes out: a line per thing that was looked at, "ok" or what is wrong; the exit status is 1
if anything is. May not: touch this checkout or the reader's caches: it works in a clone, with
folders of its own.

About 1.1 GB are written; `first-light` alone takes some 10 core-minutes, `--book` another 12. The
hub breaks one download off and the first table it sends is wrong; then the same command is given
again, and again.
"""

import argparse
import csv
import hashlib
import io
import json
import os
import re
import resource
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Mapping
from pathlib import Path

import numpy as np
import yaml
from PIL import Image

REPOSITORY = Path(__file__).parents[2]
sys.path[:0] = [str(REPOSITORY / "tests"), str(REPOSITORY / "src")]
from rehearsal.networks import FILE, REPOSITORIES, on_the_hub  # noqa: E402
from rehearsal.servers import Server, serving  # noqa: E402

HEADING = "The protocol, run on"
# every process of the rehearsal gets the open files from loopback, and takes drawings for
# photographs where asked to
SITE = """
import os
from vlmbias.sources import download
original = download._download
download._SECURE = ("http://127.0.0.1:",)
download._download = lambda source, *rest: original(
    source.model_copy(update={"base": os.environ["REHEARSAL_OPEN"]}), *rest)
if os.environ.get("REHEARSAL_UNMARKED"):
    from vlmbias.stimuli import causalface
    causalface.marked = lambda *_, **__: {}
"""


def clone(scratch: Path, server: Server) -> Path:
    """A clone whose catalogue expects the twin's table and noise for the pictures; the server gets
    both."""
    import vlmbias as vb
    from studies.pretraining import downstream, effect_sizes, twin
    from vlmbias.external.effect_sizes import FILES, KEY

    root = scratch / "root"
    subprocess.run(["git", "clone", "-q", "--shared", str(REPOSITORY), str(root)], check=True)
    printed = vb.ledger.load("pretraining")
    cells, r = effect_sizes.cells(printed), downstream.printed(printed)["r"].to_dict()
    entries, files = yaml.safe_load((root / "data/sources.yaml").read_text("utf-8")), []
    for stimuli, path in zip(("new", "old"), FILES.values(), strict=True):
        table = twin.generate(cells, r, stimuli=stimuli)
        origin = np.select(
            [table["model"] <= "simulated-009", table["model"] <= "simulated-038"],
            ["openai", "cherti"],
            "open_clip",
        )
        twin.write(
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
    (root / "data/sources.yaml").write_text(yaml.safe_dump(entries))
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


def environment(scratch: Path, root: Path, server: Server) -> dict[str, str]:
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

    def look(self, what: str, right: bool, said: str = "") -> None:
        """Say whether something is as it should be."""
        self.wrong += not right
        print(
            f"{'ok' if right else 'WRONG'}:"
            f" {what}{'' if right else said and chr(10) + said[-1500:]}",
            flush=True,
        )


def first_light(book: Rehearsal, server: Server, only: list[str]) -> None:
    """The command, with a wrong table and a broken download; then again, and again."""
    from vlmbias.external.effect_sizes import FILES

    weights = f"{REPOSITORIES['ViT-B-32-quickgelu'][1]}/{FILE}"
    table = next(iter(FILES.values()))
    server.wrong.add(table)
    server.cut[weights] = 200_000_000
    code, said, _ = book.go("first-light", *only)
    if not only or "table" in only:
        book.look(
            "a wrong table is refused, by name",
            code == 1 and "not the file that was checked" in said,
            said,
        )
    if not only or "words" in only:
        begun = [
            part
            for path, part in server.downloads()
            if path.endswith(FILE) and part.startswith("bytes=")
        ]
        book.look(
            "a download that broke goes on where it broke",
            bool(begun) and "bytes=0-" not in begun,
            str(begun),
        )
    server.wrong.clear()
    code, said, _ = book.go("first-light", *only)
    book.look("the same command settles the rest", code == 0, said)
    asked = len(server.asked)
    code, said, seconds = book.go("first-light", *only)
    book.look(
        f"a third time nothing is run or asked for ({seconds:.0f} s)",
        code == 0 and len(server.asked) == asked and "▸" not in said,
        said,
    )
    with open(book.root / "_build/first-light.csv", newline="", encoding="utf-8") as file:
        rows = [*csv.DictReader(file)]
    print(Counter((row["chapter"], row["verdict"].partition(" (because")[0]) for row in rows))
    said_to_be = [row for row in rows if row["verdict"].startswith("reproduced")]
    noise = [
        row["claim"]
        for row in said_to_be
        if row["chapter"] == "causalface/text_geometry"
        and row["ours"].split()[0] not in ("True", "False")
    ]
    book.look("no printed number comes out of noise", not noise, str(noise))


def bundles(book: Rehearsal) -> None:
    """A bundle of the released table's chapters: accepted here, refused where the catalogue lists
    another table."""
    code, said, _ = book.go("export-results", "pretraining", "--by", "A. Reader")
    book.look("a bundle is made", code == 0 and "reproduced" in said, said)
    bundle = "_build/bundles/pretraining.json"
    code, said, _ = book.go("ledger", "add", bundle)
    book.look("and accepted", code == 0 and "reproduced" in said, said)
    listed = subprocess.run(
        ["git", "show", "HEAD~1:data/sources.yaml"], cwd=book.root, check=True, capture_output=True
    )
    (book.root / "data/sources.yaml").write_bytes(listed.stdout)
    code, said, _ = book.go("ledger", "add", bundle)
    other = "not the one in data/sources.yaml"
    book.look("of another table than the listed one it has no verdict", other in said, said)
    subprocess.run(["git", "checkout", "-q", "data/sources.yaml"], cwd=book.root, check=True)


def paper(book: Rehearsal, mine: Path) -> None:
    """A chapter under `paper` on three of a hundred identities that nothing marks as drawn: no
    verdict."""
    from greenhouse import export

    export.causal(mine / "causalface", seeds=3, detail=108)
    name = "causalface/neutral_prompt"
    target = f"_build/executed/{name}.ipynb"
    code, said, _ = book.go("book", "--settings", "paper", "--", target, REHEARSAL_UNMARKED="1")
    book.look("a chapter runs on a part of the set", code == 0, said)
    page = json.loads((book.root / f"_build/executed/{name}.ipynb").read_bytes())
    text = "".join(
        part for cell in page["cells"] if cell["cell_type"] == "markdown" for part in cell["source"]
    )
    book.look(
        "its heading names the set",
        f"{HEADING} CausalFace" in text,
        str(re.findall(f"{HEADING}.*", text)),
    )
    code, said, _ = book.go(
        "export-results", "causalface", "--by", "A. Reader", REHEARSAL_UNMARKED="1"
    )
    book.look("its bundle has no verdict of it", code == 0 and "was not whole" in said, said)
    code, said, _ = book.go("sources", "check", "causalface", REHEARSAL_UNMARKED="1")
    book.look("the check of the folder says that it is not whole", "not whole" in said, said)


def site(book: Rehearsal) -> None:
    """The whole book with open settings: which headings name the Greenhouse although real data
    stand in the section."""
    code, said, _ = book.go("book", "--settings", "open")
    book.look("the whole book is built", code == 0, said)
    for path in sorted(book.root.glob("_build/executed/*/*.ipynb")):
        about = json.loads(path.read_bytes())["metadata"]["vlmbias"]
        text = path.read_text("utf-8")
        (heading,) = re.findall(rf"{HEADING} ([^\\\"]+)", text)[:1] or [""]
        weights = [
            key
            for key, state in about["sources"].items()
            if key.startswith("weights") and state["available"]
        ]
        real = weights or [key for key in about["requires"] if about["sources"][key]["available"]]
        ours = any(word in heading for word in ("Greenhouse", "twin"))
        noted = any(not about["sources"][key]["available"] for key in about["requires"])
        if heading and not noted:
            book.look(
                f"{about['notebook']}: run on {heading}, with {', '.join(real) or 'nothing real'}",
                bool(real) != ours,
            )


def main() -> None:
    """All of it, or the part that is asked for."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--only", default="", help="one step of first-light")
    parser.add_argument("--paper", action="store_true")
    parser.add_argument("--book", action="store_true")
    parser.add_argument("--keep", type=Path, help="a folder to work in, which stays")
    options = parser.parse_args()
    only = ["--only", options.only] if options.only else []
    if not os.environ.get("VLMBIAS_MIRROR"):
        sys.exit("name a mirror of the open files: VLMBIAS_MIRROR")
    with tempfile.TemporaryDirectory() as folder, serving() as server:
        scratch = options.keep or Path(folder)
        scratch.mkdir(parents=True, exist_ok=True)
        from vlmbias.embedding.torchvision_shim import import_open_clip

        architectures = {name: import_open_clip().get_model_config(name) for name in REPOSITORIES}
        server.files |= on_the_hub(architectures)
        root = clone(scratch, server)
        book = Rehearsal(root, environment(scratch, root, server))
        first_light(book, server, only)
        if options.only in ("", "table"):
            bundles(book)
        if options.paper:
            paper(book, scratch / "mine")
        if options.book:
            site(book)
        print(f"{book.wrong} things are wrong")
        sys.exit(book.wrong > 0)


if __name__ == "__main__":
    main()
