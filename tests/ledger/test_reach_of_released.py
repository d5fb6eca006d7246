"""Which records the released table of effect sizes reaches: shown with a file of its layout where
it would be.

The file is the simulated twin's, once with its marks and once without them, as only a test may
write it.
"""

import hashlib
import json

import in_process
import numpy as np
import pytest
import released_layout
import yaml

import vlmbias as vb
from runner import plan
from studies.pretraining import downstream, twin
from studies.pretraining import effect_sizes as study
from vlmbias import paths
from vlmbias.external import study_table
from vlmbias.ledger.claims import claims
from vlmbias.ledger.results import at_hand, rerun_verdict

from .conftest import REPOSITORY

UNREACHABLE = set((REPOSITORY / "tests/ledger/unreachable.txt").read_text("utf-8").splitlines())
CHAPTERS = [
    "pretraining/effect_sizes",
    "pretraining/downstream",
    pytest.param("pretraining/upstream", marks=pytest.mark.long),
]
OWN = ("nrc-oasis", "seat-ieat")  # what such a table is the data of
COUNTS = {
    f"effect_sizes.{name}"
    for name in (
        *("models", "models-openai", "models-cherti", "models-openclip", "datasets"),
        *("architectures", "architectures-conclusion", "bars", "cases"),
    )
}


def unmarked(table):
    """The table as if somebody had measured it."""
    number = table["model"].str.removeprefix("simulated-")
    origin = np.select([number <= "009", number <= "038"], ["openai", "cherti"], "open_clip")
    return table.assign(model="network-" + number, origin=origin)


@pytest.fixture
def place(tmp_path, monkeypatch):
    """A copy of the repository whose catalogue expects our tables; call it to put them where
    downloads are."""
    printed = vb.ledger.load("pretraining")
    cells, r = study.cells(printed), downstream.printed(printed)["r"].to_dict()
    root = tmp_path / "root"
    (root / "data/sources").mkdir(parents=True)
    for folder in (REPOSITORY, REPOSITORY / "data", REPOSITORY / "data/sources"):
        for one in folder.iterdir():
            if one.name not in ("data", "sources", "_build", ".git", "index.yaml"):
                (root / one.relative_to(REPOSITORY)).symlink_to(one)
    catalogue = yaml.safe_load((REPOSITORY / "data/sources/index.yaml").read_text("utf-8"))

    def put(change=lambda table: table):
        files = []
        for stimuli, path in zip(("new", "old"), study_table.FILES.values(), strict=True):
            there = tmp_path / "cache/sources" / study_table.KEY / path
            there.parent.mkdir(parents=True, exist_ok=True)
            released_layout.write(change(twin.generate(cells, r, stimuli=stimuli)), there)
            digest = hashlib.sha256(there.read_bytes()).hexdigest()
            files.append({"path": path, "bytes": there.stat().st_size, "sha256": digest})
        changed = {**catalogue, study_table.KEY: {**catalogue[study_table.KEY], "files": files}}
        (root / "data/sources/index.yaml").write_text(yaml.safe_dump(changed))

    monkeypatch.setenv("VLMBIAS_ROOT", str(root))
    monkeypatch.setenv("VLMBIAS_CACHE", str(tmp_path / "cache"))
    return put


def found(name):
    record = plan.record(name, plan.settings("smoke"), files={})
    assert record["sources"][study_table.KEY]["available"]
    record["protocol_only"] = name == "pretraining/downstream"  # its claims come before the rest
    results = paths.build() / "smoke" / name / "results.json"
    in_process.run(record, results, drawn=False)
    return [one | {"sources": at_hand(record)} for one in json.loads(results.read_text())]


@pytest.mark.parametrize("name", CHAPTERS)
def test_every_record_of_the_released_tables_is_reached(place, name):
    place(unmarked)
    about = {one.id: one for one in claims("pretraining").values() if one.notebook == name}
    about = {key: one for key, one in about.items() if one.data in OWN or key in COUNTS}
    records = [one for one in found(name) if one["claim"] in about]
    assert {one["claim"] for one in records} == set(about) - UNREACHABLE
    verdicts = {one["claim"]: rerun_verdict(about[one["claim"]], [one])[0] for one in records}
    for key, verdict in verdicts.items():
        ours = about[key].inferred == "us" and about[key].data == "none"
        assert ours or not verdict.startswith("not run"), key
    # the printed cells, which the twin has; not the coefficients of upstream, to the digit
    cells = [
        key for key in verdicts if key.endswith((".mean", ".sd", ".r")) and "table2" not in key
    ]
    assert cells or name == "pretraining/upstream"
    assert all(verdicts[key].startswith("reproduced") for key in cells)


def test_a_simulated_table_in_its_place_is_never_set_beside_a_claim(place):
    place()
    about = {one.id: one for one in claims("pretraining").values() if one.data in OWN}
    records = [one for one in found("pretraining/downstream") if one["claim"] in about]
    assert records
    for one in records:
        assert one["stimuli"].startswith("simulated/")
        assert rerun_verdict(about[one["claim"]], [one])[0].startswith("not run")
