"""A fourth paper is one entry in `papers.py` and its own files: no other line of code changes."""

import os
import re
import shutil
import subprocess
import sys
from html import unescape
from pathlib import Path

import pytest

from vlmbias.papers import PAPERS

ROOT = Path(__file__).parents[1]
LETTER = next(one for one in "TXYZQ" if one not in {paper.letter for paper in PAPERS.values()})
BEFORE = [paper.label for paper in PAPERS.values() if paper.letter][-1]  # it is listed after this
ENTRY = f'            Paper("toy", "Toy & Game (2030)", "toy2030", "{LETTER}"),\n'
CHAPTER = f"""\
# ---
# jupyter:
#   kernelspec:
#     display_name: Python 3
#     language: python
#     name: python3
# ---

# %% [markdown]
# # How tall are towers?
#
# A tower has {{glue:text}}`bricks` bricks ({LETTER}1).

# %% tags=["parameters"]
bricks = 7  # how many
results = "_build/results/toy/towers.json"  # where the results go

# %%
import vlmbias as vb
from studies.toy import towers

vb.note(bricks=towers.height(bricks))
vb.ledger.record("towers.most", float(bricks), results=results, stimuli="none", model="none")
"""
CLAIMS = """\
citation: "T. Toy and A. Game (2030), Towers, TOY"
shared:
- &towers {notebook: toy/towers, where: Table 1, model: none, data: none, target: none, unit: count}
claims:
- {<<: *towers, id: towers.all, quantity: towers, subject: all, value: "40"}
- {<<: *towers, id: towers.most, quantity: bricks, subject: tallest, value: "7"}
- <<: *towers
  id: towers.fallen
  quantity: share that fell
  subject: all
  value: "31"
  unit: "%"
  audit: [{rule: percent_count, of: {of: towers.all}, cause: "31 % of 40 towers is no number"}]
"""
PAGE = f"""\
# Towers

{{claim}}`towers.fallen` % fell ({LETTER}1).

```{{scorecard}} findings toy
```

```{{scorecard}} sentence toy
```
"""
REFERENCE = "\n@misc{toy2030,\n  author = {Toy, T. and Game, A.},\n  title = {Towers},\n}\n"
CONTENTS = """\
format: jb-book
root: book/toy
parts:
  - caption: Toy & Game 2030
    chapters:
      - file: notebooks/toy/towers
  - caption: The verdicts
    chapters:
      - file: book/scorecard
      - file: book/differences
      - file: book/rerun
      - file: book/status
      - file: book/glossary
"""
FILES = {
    "_toc.yml": CONTENTS,
    "data/claims/toy.yaml": CLAIMS,
    "data/stimuli/own_images.yaml": "toy/towers: {why: it counts bricks}\n",
    "src/studies/toy/__init__.py": '"""The towers of Toy & Game (2030)."""\n',
    "src/studies/toy/towers.py": '"""Heights."""\n\n\ndef height(n):\n    return n\n',
    "notebooks/toy/towers.py": CHAPTER,
    "book/toy.md": PAGE,
    "book/scorecard.md": "# Card\n\n```{scorecard} summary\n```\n\n```{scorecard} records\n```\n",
    "book/differences.md": "# List\n\n```{differences}\n```\n",
    "book/differences.yaml": f"toy:\n  {LETTER}1: bricks are counted from 0 in the code\n",
    "book/rerun.md": "# Own images\n\n```{own-images} chapters\n```\n",
    "book/status.md": "# Last run\n\n```{list-table}\n{times}\n```\n\n(runs)=\n## Runs\n",
    "book/glossary.md": "# Words\n\n:::{glossary}\nTower\n  High.\n:::\n",
}
RUN = """\
from runner import execute, plan, stage
from vlmbias import ledger, paths, whole_files

build = paths.build()
record = plan.record("toy/towers", plan.settings("greenhouse"), files=plan.hashes(plan.INPUTS))
whole_files.write_json(build / "inputs/notebooks/toy/towers.json", record)
execute.run(record, executed=build / "executed/toy/towers.ipynb",
            results=build / "results/toy/towers.json", working=build / "working.ipynb")
ledger.collate()
stage.build()
"""


@pytest.fixture(scope="module")
def pages(tmp_path_factory) -> dict[str, str]:
    """The pages of a copy of the book with a fourth paper. Of the others only the calibration's
    claims are left, and no chapter, so that it is soon built."""
    root = tmp_path_factory.mktemp("book")
    copied = ("src", "book/_ext", "book/static", "data/settings", "data/published", "data/sources")
    for name in copied:
        shutil.copytree(ROOT / name, root / name, ignore=shutil.ignore_patterns("__pycache__"))
    files = ("_config.yml", "CITATION.cff", "requirements.lock", "book/references.bib")
    for name in (*files, "data/claims/calibration.yaml"):
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(ROOT / name, root / name)
    papers = root / "src/vlmbias/papers.py"
    (next_one,) = re.findall(r' *Paper\("calibration".*\n', papers.read_text("utf-8"))
    papers.write_text(papers.read_text("utf-8").replace(next_one, ENTRY + next_one))
    with (root / "book/references.bib").open("a") as references:
        references.write(REFERENCE)
    for name, text in FILES.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(text)
    where = {"VLMBIAS_ROOT": str(root), "PYTHONPATH": str(root / "src")}
    command = [sys.executable, "-c", RUN]
    done = subprocess.run(command, cwd=root, env=os.environ | where, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr[-3000:]
    site = root / "_build/site/_build/html"
    return {path.stem: path.read_text("utf-8") for path in site.rglob("*.html")}


def words(page: str) -> str:
    """The text of a page, from its title on."""
    text = re.sub(r"<[^>]+>", " ", page[page.index("<h1") :])
    return " ".join(unescape(text).split())


def test_its_overview_prints_its_claims_and_its_findings(pages):
    text = words(pages["toy"])
    assert f"31 % fell ( {LETTER}1 )" in text and "31% of 40 towers is no number" in text
    assert "The ledger holds 3 printed claims of this paper" in text
    assert 'title="Toy &amp; Game 2030, Table 1: share that fell, all"' in pages["toy"]


def test_the_scorecard_counts_it_under_its_name_among_the_others(pages):
    text = words(pages["scorecard"])
    assert f"{BEFORE} 0 0 0 0 0 0 Toy & Game 2030 2 0 0 0 1 3 Real models: Steed" in text
    assert "Toy & Game 2030 1 0 0 2 3" in text  # one of its three came out again


def test_its_chapter_is_staged_with_the_reference_and_links_to_its_differences(pages):
    text = words(pages["towers"])
    assert f"A tower has 7 bricks ( {LETTER}1 )." in text and "@misc{toy2030, author" in text
    assert f"differences.html#difference-{LETTER.lower()}1" in pages["towers"]
    assert "Toy & Game 2030 #" in words(pages["differences"])
    assert "Toy & Game 2030: How tall are towers? no – it counts bricks" in words(pages["rerun"])
