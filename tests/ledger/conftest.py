"""A repository root of its own for every test that writes: the real claims, an empty `_build`."""

import hashlib
import json
import shutil
from pathlib import Path

import pytest

REPOSITORY = Path(__file__).resolve().parents[2]
WHOLE = {"available": True, "hash": "b" * 64, "whole": True, "lacks": "", "drawn": False}


@pytest.fixture
def root(tmp_path, monkeypatch):
    shutil.copytree(REPOSITORY / "data" / "claims", tmp_path / "data" / "claims")
    (tmp_path / "data/sources").symlink_to(REPOSITORY / "data/sources")
    monkeypatch.setenv("VLMBIAS_ROOT", str(tmp_path))
    return tmp_path


def executed(root, notebook, **change):
    """Leave what the runner leaves of a notebook whose results file is there: its input record and
    its copy."""
    planned = {
        "notebook": notebook,
        "files": {"notebooks/x.py": "1"},
        "parameters": {"n": 1},
        "sources": {name: WHOLE for name in ("cfd", "causalface", "fairface", "utkface", "oasis")},
    }
    results = (root / "_build/results" / f"{notebook}.json").read_bytes()
    about = {
        **planned,
        "commit": "c",
        "settings": "paper",
        "machine": "Linux x86_64, 2 cores",
        "versions": {"numpy": "2"},
        "results_sha256": hashlib.sha256(results).hexdigest(),
        **change,
    }
    for place, content in (
        ("inputs/notebooks", planned),
        ("executed", {"metadata": {"vlmbias": about}}),
    ):
        path = root / "_build" / place / f"{notebook}.{'json' if content is planned else 'ipynb'}"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(json.dumps(content))
