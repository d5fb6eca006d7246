"""`vlmbias first-light` in a small checkout: two steps, one of open files and one of weights, and
what goes wrong."""

import csv
import hashlib
import shutil
from collections import namedtuple
from pathlib import Path

import pytest
import yaml

from runner import commands, first_light
from runner.first_light import CLIP, Step
from vlmbias import paths

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
STEPS = (
    Step(
        "table", "What the table says", ("mine",), ("paper/reads",), 1, 1.0, decides=("reads.mean",)
    ),
    Step("words", "What the model sees", (), ("paper/looks",), 1, 1.0, weights=CLIP),
)


@pytest.fixture
def checkout(hub, open_files, tmp_path, monkeypatch):
    """A checkout, the server of whose open source is the hub's, and whose steps are two."""
    root = tmp_path / "root"
    entry = {
        "open": True,
        "small": True,
        "purpose": "tests.",
        "licence": "MIT.",
        "citation": "Us.",
        "base": "https://localhost/",
        "files": [
            {"path": "table.csv", "bytes": len(TABLE), "sha256": hashlib.sha256(TABLE).hexdigest()}
        ],
    }
    for name, text in (FILES | {"data/sources.yaml": yaml.safe_dump({"mine": entry})}).items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(text)
    shutil.copy(ROOT / "Snakefile", root)
    shutil.copytree(ROOT / "profiles", root / "profiles")
    monkeypatch.setenv("VLMBIAS_ROOT", str(root))
    monkeypatch.delenv("VLMBIAS_MIRROR", raising=False)
    monkeypatch.chdir(root)
    hub.files["table.csv"] = TABLE
    monkeypatch.setattr(first_light, "FIRST", STEPS)
    # each call is a process of its own, whose end frees the lock; here all are one
    monkeypatch.setattr("runner.commands.graph.only_one", lambda: None)
    first_light.needs.cache_clear()
    yield root
    first_light.needs.cache_clear()


def go(capfd, *words):
    """The exit status of a call, and what it said."""
    from runner import weights

    weights._state.cache_clear()  # a new process knows nothing of the last
    with pytest.raises(SystemExit) as ended:
        commands.main(["first-light", *words])
    return ended.value.code, capfd.readouterr().out


def made():
    return {
        path.relative_to(paths.build()).as_posix(): path.stat().st_mtime_ns
        for path in paths.build().glob("executed/*/*.ipynb")
    }


def test_each_step_fails_by_itself_and_is_made_good_by_the_same_command(checkout, hub, capfd):
    weights = {
        name: hub.files.pop(name) for name in [*hub.files] if name.startswith(CLIP.repository)
    }
    hub.wrong.add("table.csv")
    code, said = go(capfd)
    assert code == 1 and made() == {}
    assert (
        "table: mine: " in said
        and "not the file that was checked" in said
        and "found 10 bytes" in said
    )
    assert (
        "✗ words:" in said
        and f"{CLIP.model}' are not on this machine and could not be downloaded" in said
    )
    assert "No other record has a verdict yet" in said
    question = "What the table says:\n  mean, all: printed 3.0, ours "
    assert f"{question}–: not run (because paper/reads has recorded no value)" in said

    hub.files |= weights  # the hub is back, the table is not: the second step no longer waits
    code, said = go(capfd)
    assert (
        code == 1
        and "✓ words" in said
        and "✗ table" in said
        and [*made()] == ["executed/paper/looks.ipynb"]
    )
    (page,) = [path.read_text() for path in paths.build().glob("executed/*/*.ipynb")]
    assert "run on OpenAI's CLIP" in page

    hub.wrong.clear()
    before, asked = made(), len(hub.asked)
    code, said = go(capfd)
    assert (
        code == 0
        and "Not settled" not in said
        and before.items() <= made().items()
        and len(made()) == 2
    )
    assert [path for path, _ in hub.downloads()[asked:] if "resolve" in path] == []
    assert (
        f"{question}3.0 as described: reproduced (as described)" in said
        and "1 × reproduced (as described)" in said
    )
    assert 'vlmbias export-results paper --by "Your name"' in said
    with open(paths.build() / "first-light.csv", newline="") as table:
        assert [*csv.DictReader(table)] == [
            {
                "claim": "reads.mean",
                "chapter": "paper/reads",
                "where": "Table 1",
                "printed": "3.0",
                "ours": "3.0 as described",
                "verdict": "reproduced (as described)",
            }
        ]

    before, asked = made(), len(hub.asked)
    code, said = go(capfd)
    assert code == 0 and made() == before and len(hub.asked) == asked and "▸" not in said
    code, said = go(capfd, "--plan")
    assert code == 0 and said.count("nothing") == 2 and said.count("1 of 1") == 2


def test_the_plan_downloads_and_runs_nothing(checkout, hub, capfd):
    code, said = go(capfd, "--plan")
    assert (
        code == 0
        and hub.asked == []
        and made() == {}
        and not (paths.build() / "first-light.csv").exists()
    )
    assert "605.0 MB" in said and said.count("0 of 1") == 2
    code, said = go(capfd, "--plan", "--only", "table")
    assert "What the table says" in said and "605" not in said
    assert go(capfd, "--only", "tables")[0] == "✗ no step 'tables'; the steps are: table, words"


def test_a_disk_that_cannot_take_the_weights_is_named_before_anything_is_asked_for(
    checkout, hub, capfd, monkeypatch
):
    usage = namedtuple("usage", "total used free")
    monkeypatch.setattr(shutil, "disk_usage", lambda place: usage(10**9, 9 * 10**8, 10**8))
    code, said = go(capfd, "--only", "words")
    assert code == 1 and hub.asked == []
    assert (
        "words: the disk is full: 605 MB are to be downloaded into" in said
        and "100 MB are free" in said
    )


def test_a_disk_that_fills_while_a_file_is_written_is_named(checkout, hub, capfd, monkeypatch):
    def no_space(self, content):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(Path, "write_bytes", no_space)
    code, said = go(capfd, "--only", "table")
    assert code == 1 and "table: mine: " in said and "No space left on device" in said
    assert made() == {}


def test_the_steps_are_those_that_open_settings_can_run_with_downloads_alone():
    """Every chapter that reads an open file, or asks for weights and for nothing that a person has
    to obtain."""
    from runner import plan
    from vlmbias.sources.catalogue import catalogue

    is_open = {key for key, one in catalogue().items() if one.open}
    chosen, expected = plan.settings("open"), set()
    for name in plan.notebooks():
        choice = chosen.notebooks.get(name, plan.Choice())
        models = [value for value in choice.parameters.values() if "quickgelu" in str(value)]
        if is_open & {*first_light.needs(name), *choice.requires} or (
            models and not choice.requires
        ):
            expected.add(name)
    steps = first_light.steps()
    run = [name for step in steps for name in step.chapters]
    assert set(run) == expected and len(run) == len(set(run)) and steps[0].name == "table"
    for step in steps:
        assert set(step.sources) <= is_open
        assert all(
            is_open & set(first_light.needs(name)) <= set(step.sources) for name in step.chapters
        )
        weights = [
            chosen.notebooks[name].parameters.get("model") for name in step.chapters if step.weights
        ]
        assert all(one == step.weights.model for one in weights)


def test_the_records_that_the_steps_reach_are_counted_from_what_they_get():
    rows = {name: (records, n, lacking) for name, records, n, lacking in first_light.chapters()}
    from vlmbias.ledger.claims import claims

    for name, (records, n, lacking) in rows.items():
        own = [one for one in claims().values() if one.notebook == name]
        assert records == len(own) and n <= records
        if "131 CLIP models" in {one.model for one in own}:
            assert n == sum(one.model == "131 CLIP models" for one in own) and not lacking
    assert rows["causalface/text_geometry"][1] == sum(
        one.data == "none" and one.model == CLIP.model
        for one in claims("causalface").values()
        if one.notebook == "causalface/text_geometry"
    )
    assert rows["american_white/vqa"][1:] == (0, ["blip-weights", "cfd"])
    assert rows["american_white/generation"][2] == ["cfd", "vqgan-weights"]
    assert rows["causalface/age"][1] == 0, (
        "the chapter asks for faces, whatever single records are about"
    )
    assert rows["pretraining/tests_and_stimuli"][1:] == (3, ["nrc-vad", "oasis"])
