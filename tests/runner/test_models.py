"""The chapters of a paper, for other models: beside the book's results, resumably, one failure
stopping nothing."""

import json
import re
import shutil
import subprocess
import sys
from pathlib import Path

import forked
import pytest

from runner import plan
from runner.commands import graph

ROOT = Path(__file__).parents[2]
JOB = "greenhouse%2Fb0/paper"


LABORATORY = "\n# %% [markdown]\n# ## What this method can see"
FAILS = "\n# %%\nassert model == 'greenhouse', 'never heard of it'\n"
WRITES = """
# %%
from pathlib import Path
Path("../..", results).write_text(f'["{model} {n}"]')
"""


@pytest.fixture
def paper(checkout):
    """A paper of three notebooks: one that names its model, one that fails for greenhouse/b0, one
    with no model."""
    one = checkout / "notebooks/paper/chapter.py"
    text = one.read_text().replace("needs-photos", "photos")
    text = text.replace(
        "n = 3  # how", 'model = "greenhouse"  # who looks\nn = 3  # how'
    ).partition(LABORATORY)[0]
    one.write_text(text + WRITES + LABORATORY + "\n\n# %%\nraise SystemError('the laboratory')\n")
    one.with_name("fails.py").write_text(text.replace("/chapter.json", "/fails.json") + FAILS)
    page = text.replace('model = "greenhouse"  # who looks', 'paper = "paper"  # whose; a text')
    page = page.replace("/chapter.json", "/models.json") + "\n# %%\n# vb.ledger.compared(paper)\n"
    one.with_name("models.py").write_text(page)
    shutil.copy(ROOT / "Snakefile", checkout)
    shutil.copytree(ROOT / "profiles", checkout / "profiles")
    (checkout / "data/greenhouse").symlink_to(ROOT / "data/greenhouse")
    canonical = checkout / "_build/results/paper/chapter.json"
    canonical.parent.mkdir(parents=True)
    canonical.write_text('["the book\'s"]')
    return checkout


def rules(checkout, target):
    """The rules of the graph that lead to a target."""
    command = [sys.executable, "-m", "snakemake", "--rulegraph", "--nolock", target]
    told = subprocess.run(command, cwd=checkout, capture_output=True, text=True)
    assert told.returncode == 0, told.stdout + told.stderr
    return set(re.findall(r'label = "(\w+)"', told.stdout))


def test_one_command_runs_every_chapter_and_keeps_what_is_done(paper):
    command = ["run", "paper", "-p", "model=greenhouse/b0", "--settings", "smoke"]
    ended, said = forked.vlmbias(*command)
    assert ended == 1 and "2 chapters of paper for greenhouse/b0" in said
    assert "▸ greenhouse/b0/paper/fails …" in said and "-p paper=paper" in said
    assert "paper/fails failed: AssertionError: never heard of it" in said
    assert f"_build/failed/models/{JOB}/fails.ipynb" in said
    done, folder = paper / f"_build/models/{JOB}/chapter.json", paper / f"_build/models/{JOB}"
    assert json.loads(done.read_text()) == ["greenhouse/b0 2"]
    assert sorted(path.name for path in folder.iterdir()) == ["chapter.ipynb", "chapter.json"]
    about = json.loads((folder / "chapter.ipynb").read_text())["metadata"]["vlmbias"]
    assert about["parameters"]["model"] == "greenhouse/b0" and about["settings"] == "smoke"
    assert (paper / "_build/results/paper/chapter.json").read_text() == '["the book\'s"]'
    assert not (paper / "_build/executed").exists()

    before = done.stat().st_mtime_ns
    mended = paper / "notebooks/paper/fails.py"
    mended.write_text(mended.read_text().replace("assert model == 'greenhouse'", "assert model"))
    ended, said = forked.vlmbias(*command)
    assert ended == 0 and "fails" in said and "chapter …" not in said, said
    assert done.stat().st_mtime_ns == before and (folder / "fails.json").is_file()


def test_a_paper_without_chapters_is_one_message(paper):
    with pytest.raises(
        ValueError, match="no notebook of 'papers' has a parameter `model`; the papers are: paper"
    ):
        plan.chapters("papers")


def test_the_settings_may_name_models(paper):
    settings = paper / "data/settings/smoke.yaml"
    settings.write_text(settings.read_text() + "models: {paper: [greenhouse/b0]}\n")
    plan.prepare("smoke")
    asked = json.loads((paper / "_build/inputs/models.json").read_text())
    assert asked == [f"{JOB}/chapter", f"{JOB}/fails"]
    record = json.loads((paper / f"_build/inputs/models/{JOB}/chapter.json").read_text())
    assert record["parameters"]["model"] == "greenhouse/b0" and record["parameters"]["n"] == 2
    assert record["protocol_only"] and record["files"]
    assert {"model", "notebook"} <= rules(paper, "_build/executed/paper/models.ipynb")


STAND_IN = """
import sys
from pathlib import Path

kind, name = sys.argv[1:3]
made = {
    "embed": [f"vectors/{name}.json"],
    "run-notebook": [f"executed/{name}.ipynb", f"results/{name}.json"],
}[kind]
for path in (Path("_build", one) for one in made):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("[]")
with open("done.txt", "a") as log:
    print(kind, name, file=log)
"""


def test_vectors_come_first_and_more_of_them_rerun_no_notebook(paper, monkeypatch):
    settings = paper / "data/settings/smoke.yaml"
    settings.write_text(settings.read_text() + "embedded: {greenhouse: [greenhouse/icons]}\n")
    plan.prepare("smoke")
    for name, text in (("__init__", ""), ("__main__", STAND_IN)):
        (paper / f"stand_in/vlmbias/{name}.py").parent.mkdir(parents=True, exist_ok=True)
        (paper / f"stand_in/vlmbias/{name}.py").write_text(text)
    monkeypatch.chdir(paper)
    monkeypatch.setenv("PYTHONPATH", str(paper / "stand_in"))
    found_before = paper / f"_build/models/{JOB}/chapter.json"
    for place in (found_before, found_before.with_suffix(".ipynb")):
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text("[]")
    chapter = paper / "_build/inputs/notebooks/paper/chapter.json"
    seen = paper / "_build/inputs/vectors/greenhouse.json"
    target = "_build/executed/paper/models.ipynb"

    def made(*changed):
        for record in changed:
            record.write_text(record.read_text() + " ")
        (paper / "done.txt").write_text("")
        graph.embed_first("default", target)
        subprocess.run(graph.snakemake("default", target), check=True, capture_output=True)
        return (paper / "done.txt").read_text().splitlines()

    embed, fails, *both = (
        "embed greenhouse",
        *(f"run-notebook paper/{name}" for name in ("fails", "chapter", "models")),
    )
    # the page `models` reads what its paper's other two found
    first = made()
    assert first[0] == embed and first[-1] == both[1] and {*first} == {embed, fails, *both}
    # Snakemake alone would make the vectors, leave the notebook as it was, and end well
    assert made(seen, chapter) == [embed, *both], "what a notebook uses is in its own record"
    assert found_before.read_text() == "[]"
