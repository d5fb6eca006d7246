"""A whole small book: two notebooks that record a claim each, pages, and all that `vlmbias book`
needs to build it."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

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
    "data/sources.yaml": "{}\n",
    "requirements.lock": "numpy==1\n",
    "_config.yml": (
        'title: A book\nexecute: {execute_notebooks: "off"}\nonly_build_toc_files: true\n'
    ),
    "_toc.yml": (
        "format: jb-book\nroot: book/index\nchapters:\n"
        "- file: notebooks/paper/one\n- file: notebooks/paper/two\n- file: book/status\n"
    ),
    "book/index.md": "# A book\n",
    "book/status.md": "# Last run\n\n```{list-table}\n{times}\n```\n",
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
