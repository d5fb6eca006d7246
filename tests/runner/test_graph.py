"""How commands ask Snakemake for networks: how many at once, until when, and what a kill leaves."""

import fcntl
import os
import re
import signal
import sys
import time
from pathlib import Path

import numpy as np
import pytest
from safetensors.numpy import load_file, save_file
from tiny_networks import ARCHITECTURE, START

from greenhouse import campaign, fleet, speaking, study
from greenhouse.train import warm
from greenhouse.train.recipe import Recipe
from runner.commands import graph

ROOT = Path(__file__).parents[2]


@pytest.fixture
def instead(monkeypatch):
    """Some lines of Python in Snakemake's place."""

    def replace(code):
        monkeypatch.setattr(
            graph, "snakemake", lambda profile, *words: [sys.executable, "-c", code, *words]
        )

    return replace


def test_what_snakemake_says_of_its_targets_is_handed_on(instead):
    instead("import sys; sys.exit('--cores 3' not in ' '.join(sys.argv))")
    assert graph.ask_snakemake("default", "a", jobs=3)
    assert not graph.ask_snakemake("default", "a", jobs=4)
    assert not graph.ask_snakemake("default", "a")


def test_when_the_time_is_up_what_runs_is_waited_for(instead, tmp_path):
    instead(
        "import pathlib, signal, sys, time\n"
        f"place = pathlib.Path({str(tmp_path)!r})\n"
        "def told(*_):\n"
        "    time.sleep(0.5)\n"
        "    (place / 'finished').touch()\n"
        "    sys.exit(1)\n"
        "signal.signal(signal.SIGTERM, told)\n"
        "time.sleep(60)\n"
    )
    began = time.monotonic()
    assert not graph.ask_snakemake("default", "a", seconds=2.0)
    assert (tmp_path / "finished").exists() and time.monotonic() - began < 30


def test_the_rules_know_the_names_of_all_networks_that_are_trained():
    """A name that a rule's pattern does not match is a file that nobody makes."""
    text = (ROOT / "Snakefile").read_text("utf-8")
    (block,) = re.findall(r"^wildcard_constraints:\n((?:    .*\n)+)", text, re.MULTILINE)
    allowed = dict(re.findall(r'(\w+)="([^"]+)"', block))
    jobs = [*study.plan().missing(), *fleet.Plan().missing(), *speaking.jobs(range(2))]
    starts = [job.start for job in jobs if job.start is not None]
    assert len(jobs) > 200 and {job.campaign for job in jobs} == set(campaign.SECONDS) - {"starts"}
    for job in (*jobs, *starts):
        assert re.fullmatch(allowed["campaign"], job.campaign)
        assert re.fullmatch(allowed["job"], job.name)


def test_who_waits_for_another_build_is_told_its_process(tmp_path, monkeypatch, capsys):
    monkeypatch.setenv("VLMBIAS_ROOT", str(tmp_path))
    graph.only_one()
    assert not capsys.readouterr().out
    lock = fcntl.flock  # the second one would wait for ever for this very process
    monkeypatch.setattr(fcntl, "flock", lambda at, how: lock(at, how) if how & fcntl.LOCK_NB else 0)
    graph.only_one()
    assert f"(process {os.getpid()})" in capsys.readouterr().out


@pytest.mark.slow
def test_a_killed_snakemake_leaves_no_job_and_the_next_goes_on(tmp_path, monkeypatch):
    """The real one: killed alone in the middle of a training, as by a memory limit."""
    for name in ("Snakefile", "profiles", "data"):
        (tmp_path / name).symlink_to(ROOT / name)
    monkeypatch.setenv("VLMBIAS_ROOT", str(tmp_path))
    monkeypatch.setenv("PYTHONPATH", str(ROOT / "src"))
    monkeypatch.chdir(tmp_path)
    recipe = Recipe().but(architecture=ARCHITECTURE, start=START | {"of": 1, "steps": 4000})
    start = campaign.start_of(recipe, 0)
    (target,) = campaign.prepare([start])
    name, made = start.name, warm.file_of(recipe, 0)
    partial = made.with_suffix(".partial")
    words = graph.snakemake("default", target)
    first = os.posix_spawn(words[0], words, os.environ)
    _wait_for(partial.exists)
    job = int(_jobs(name)[0])
    os.kill(first, signal.SIGKILL)
    os.waitpid(first, 0)
    _wait_for(lambda: not _jobs(name))
    assert partial.exists() and not made.exists(), job
    # as if all but one of its steps were done: what is made then is what was there, but for a step
    state = load_file(partial)
    save_file(state, partial, metadata={"run": made.name, "step": "3999"})
    assert graph.ask_snakemake("default", target) and not partial.exists()
    for key, value in load_file(made).items():
        np.testing.assert_allclose(value, state[f"tower/{key}"], atol=2 * recipe.start.rate)


def _jobs(name):
    """The processes that train this warm start."""
    found = []
    for place in Path("/proc").glob("[0-9]*"):
        try:
            words = (place / "cmdline").read_bytes().split(b"\0")
        except OSError:
            continue
        if name.encode() in words and b"train-network" in words:
            found.append(place.name)
    return found


def _wait_for(condition, seconds=120):
    until = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < until, "it did not come"
        time.sleep(0.1)
