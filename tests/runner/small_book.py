"""A whole small book: two notebooks that record a claim each, pages, and all that `vlmbias book`
needs to build it; and a server of sources on a bad line."""

import hashlib
import os
import shutil
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import yaml

ROOT = Path(__file__).parents[2]
CLAIM = """\
  - {{id: {name}.mean, where: Table 1, quantity: mean, subject: all, value: "3.0", unit: points, model: none,
     data: none, target: none, notebook: paper/{name}}}
"""  # noqa: E501
NOTEBOOK = """\
# ---
# jupyter:
#   kernelspec:
#     display_name: Python 3
#     language: python
#     name: python3
# ---

# %% [markdown]
# # {name}
#
# A mean of {{glue:text}}`mean`.

# %% tags=["parameters"]
n = 3  # how many
results = "_build/results/paper/{name}.json"  # where the results go

# %%
from myst_nb import glue
from vlmbias import ledger

glue("mean", float(n), display=False)
ledger.record("{name}.mean", float(n), results=results, stimuli="open", model="open")
"""
FILES = {
    "data/settings/greenhouse.yaml": "{}\n",
    "data/sources/index.yaml": "{}\n",
    "requirements.lock": "numpy==1\n",
    "_config.yml": (
        'title: A book\nexecute: {execute_notebooks: "off"}\nonly_build_toc_files: true\n'
    ),
    "_toc.yml": (
        "format: jb-book\nroot: book/index\nchapters:\n"
        "- file: notebooks/paper/one\n- file: notebooks/paper/two\n- file: book/status\n"
    ),
    "book/index.md": "# A book\n",
    "book/status.md": "# Last run\n\n```{list-table}\n{times}\n```\n\n(runs)=\n## Runs\n",
    "data/claims/paper.yaml": (
        "citation: Us.\nclaims:\n" + "".join(CLAIM.format(name=name) for name in ("one", "two"))
    ),
} | {f"notebooks/paper/{name}.py": NOTEBOOK.format(name=name) for name in ("one", "two")}


def write(folder: Path) -> Path:
    """Write the checkout of a small book."""
    for name, text in FILES.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text)
    shutil.copy(ROOT / "Snakefile", folder)
    shutil.copytree(ROOT / "profiles", folder / "profiles")
    return folder


def build(folder: Path, *words: str, wait: bool = True, **environment: str):
    """`vlmbias book` there: the finished process, or with wait=False the running one in a session
    of its own."""
    command = [sys.executable, "-m", "vlmbias", "book", *words]
    surroundings = os.environ | {"VLMBIAS_ROOT": str(folder)} | environment
    options = {
        "cwd": folder,
        "env": surroundings,
        "text": True,
        "stdout": subprocess.PIPE,
        "stderr": subprocess.STDOUT,
    }
    if wait:
        return subprocess.run(command, **options)
    return subprocess.Popen(command, **options, start_new_session=True)


# --- its optional sources, from a server on a bad line --------------------------------------------

CONTENT = b"x,y\n" * 5000
# the catalogue takes https only; what the book's process asks for over https it gets from this
# machine
REDIRECT = """
import requests
get = requests.Session.get
def plain(session, url, **options):
    session.mount("http://", requests.adapters.HTTPAdapter())
    return get(session, url.replace("https://", "http://", 1), **options)
requests.Session.get = plain
"""


@contextmanager
def bad_line() -> Iterator[ThreadingHTTPServer]:
    """A server that breaks off whatever is below `cut`; its `asked` lists the first part of every
    address."""

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self):
            web.asked.append(self.path.split("/")[1])
            self.send_response(200)
            self.send_header("Content-Length", str(len(CONTENT)))
            self.end_headers()
            self.wfile.write(CONTENT[:100] if web.asked[-1] == "cut" else CONTENT)

        def log_message(self, format, *args):
            pass

    web = ThreadingHTTPServer(("localhost", 0), Handler)
    web.daemon_threads, web.asked = True, []
    threading.Thread(target=web.serve_forever, daemon=True).start()
    try:
        yield web
    finally:
        web.shutdown()
        web.server_close()


@dataclass(frozen=True)
class Built:
    """A small book whose sources are on a bad line, as its first build left it.

    Attributes
    ----------
    first : the finished process of that build.
    asked : what the server was asked for, up to now.
    """

    folder: Path
    cache: Path
    first: subprocess.CompletedProcess
    asked: list[str]
    surroundings: dict[str, str]

    def build(self, *words: str) -> subprocess.CompletedProcess:
        """`vlmbias book` once more."""
        return build(self.folder, *words, **self.surroundings)


@contextmanager
def built(place: Path) -> Iterator[Built]:
    """Build a small book below `place`, in a folder whose name is hard to quote."""
    folder = write(place / "a b" / "ü")
    file = {"path": "a.csv", "bytes": len(CONTENT), "sha256": hashlib.sha256(CONTENT).hexdigest()}
    about = {"open": True, "small": True, "purpose": "tests.", "licence": "MIT.", "citation": "Us."}
    (place / "path").mkdir()
    (place / "path/sitecustomize.py").write_text(REDIRECT)
    with bad_line() as web:
        sources = {
            name: about | {"base": f"https://localhost:{web.server_port}/{name}/", "files": [file]}
            for name in ("cut", "whole")
        }
        (folder / "data/sources/index.yaml").write_text(yaml.safe_dump(sources, sort_keys=False))
        surroundings = {
            "VLMBIAS_CACHE": str(place / "cache"),
            "NO_PROXY": "localhost",
            "PYTHONPATH": f"{place / 'path'}{os.pathsep}{os.environ.get('PYTHONPATH', '')}",
        }
        first = build(folder, **surroundings)
        yield Built(folder, place / "cache", first, web.asked, surroundings)
