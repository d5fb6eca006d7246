"""`make book SETTINGS=open` in a small checkout: a chapter on an open file and one on weights, and
what goes wrong."""

import hashlib
import shutil
import sys
from pathlib import Path

import pytest
import yaml

from runner import commands, used
from runner.commands import graph
from vlmbias import ledger, paths, sources

ROOT = Path(__file__).parents[2]
TABLE = b"value\n3.0\n"
HEAD = """\
# ---
# jupyter:
#   kernelspec: {display_name: Python 3, language: python, name: python3}
# ---

# %% [markdown]
# # A chapter
#
# ## The protocol, run on {data}

# %% tags=["parameters"]
"""
READS = (
    HEAD
    + """\
results = "_build/results/paper/reads.json"  # where the results go

# %% tags=["needs-mine"]
from vlmbias import ledger, sources

value = float(sources.path("mine", "table.csv").read_text().split()[1])
ledger.record("reads.mean", value, results=results, stimuli="mine", model="none")
"""
)
LOOKS = (
    HEAD
    + """\
model = "greenhouse"  # who looks; a model
results = "_build/results/paper/looks.json"  # where the results go

# %%
assert model == "ViT-B-32-quickgelu/openai"
"""
)
FILES = {
    "notebooks/paper/reads.py": READS,
    "notebooks/paper/looks.py": LOOKS,
    "data/settings/open.yaml": (
        "notebooks:\n  paper/looks:\n    parameters: {model: ViT-B-32-quickgelu/openai}\n"
    ),
    "data/claims/paper.yaml": (
        "citation: Us.\nclaims:\n  - {id: reads.mean, where: Table 1, quantity: mean, "
        'subject: all, value: "3.0", unit: points, model: none, data: mine, target: none, '
        "notebook: paper/reads}\n"
    ),
    "requirements.lock": "numpy==1\n",
}
TARGETS = [f"_build/executed/paper/{name}.ipynb" for name in ("reads", "looks")]


@pytest.fixture
def checkout(hub, open_files, tmp_path, monkeypatch):
    """A checkout, the server of whose open source is the hub's."""
    root = tmp_path / "root"
    file = {"path": "table.csv", "bytes": len(TABLE), "sha256": hashlib.sha256(TABLE).hexdigest()}
    about = {"open": True, "small": True, "purpose": "tests.", "licence": "MIT.", "citation": "Us."}
    listed = {"mine": about | {"base": "https://localhost/", "files": [file]}}
    files = FILES | {"data/sources/index.yaml": yaml.safe_dump(listed)}
    for name, text in files.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(text)
    shutil.copy(ROOT / "Snakefile", root)
    shutil.copytree(ROOT / "profiles", root / "profiles")
    monkeypatch.setenv("VLMBIAS_ROOT", str(root))
    monkeypatch.delenv("VLMBIAS_MIRROR", raising=False)
    monkeypatch.chdir(root)
    hub.files["table.csv"] = TABLE
    # each call is a process of its own, which becomes Snakemake; here all are one
    monkeypatch.setattr(graph, "only_one", lambda: None)
    monkeypatch.setattr(
        graph,
        "become_snakemake",
        lambda profile, *words: sys.exit(not graph.ask_snakemake(profile, *words)),
    )
    return root


def go(capfd, *words):
    """The exit status of a command, by default of the build, and what it said."""
    used._state.cache_clear()  # a new process knows nothing of the last
    with pytest.raises(SystemExit) as ended:
        commands.main([*(words or ("book", "--settings", "open", "--", *TARGETS))])
    return int(ended.value.code or 0), capfd.readouterr().out


def page(name):
    return (paths.build() / f"executed/paper/{name}.ipynb").read_text()


def test_what_is_missing_is_a_note_and_the_same_command_makes_it_good(checkout, hub, capfd):
    gone = {name: hub.files.pop(name) for name in [*hub.files] if name.startswith("timm/")}
    hub.wrong.add("table.csv")
    code, said = go(capfd)
    assert code == 0 and "not the file that was checked" in said
    assert "could not be downloaded" in page("looks")
    assert ledger.scorecard()["rerun"].str.startswith("not run").all()

    hub.files |= gone
    hub.wrong.clear()
    assert go(capfd, "sources", "--fetch", "mine")[0] == 0
    assert go(capfd)[0] == 0
    assert "could not be downloaded" not in page("looks")
    assert ledger.scorecard()["rerun"].tolist() == ["reproduced (as described)"]


def test_a_disk_that_fills_while_a_file_is_written_is_named(checkout, hub, monkeypatch):
    def no_space(self, content):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(Path, "write_bytes", no_space)
    (problem,) = sources.fetch(["mine"])
    assert "No space left on device" in problem and not sources.available("mine")
