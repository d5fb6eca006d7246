"""`vlmbias campaign NAME`: what is missing is asked for until nothing is; only then are tables
written."""

import json

import pytest

from greenhouse import campaign as campaigns
from runner import commands
from runner.commands import graph, laboratory


@pytest.fixture
def fake(tmp_path, monkeypatch):
    """A campaign of three jobs, the first of which fails a gate and is followed by another; what
    Snakemake was asked for, by round; and which jobs it cannot do."""
    monkeypatch.setenv("VLMBIAS_ROOT", str(tmp_path))
    (tmp_path / "profiles/default").mkdir(parents=True)
    (tmp_path / "profiles/default/config.yaml").touch()
    (tmp_path / "Snakefile").touch()
    rounds, broken, written = [], set(), []

    def job(k):
        return campaigns.Job("fleet", f"job-{k}", {"k": k})

    def wanted():
        done = job(0).done()
        every = [job(k) for k in range(3)] + [job(3)] * bool(done and not done["accepted"])
        return [one for one in every if one.done() is None]

    def ask(profile, *targets, jobs=None, seconds=None):
        rounds.append(sorted(targets))
        for name in {target.split("/")[3] for target in targets} - broken:
            one = job(int(name[-1]))
            about = campaigns.read("fleet", name)
            one.folder.mkdir(parents=True)
            (one.folder / campaigns.DONE).write_text(json.dumps({"accepted": about["k"] > 0}))
        return not broken

    def collect():
        written.append(1)
        return "the tables"

    own = campaigns.Campaign(wanted, pytest.fail, collect)
    monkeypatch.setattr(laboratory, "_campaign", lambda name: own)
    monkeypatch.setattr(graph, "ask_snakemake", ask)
    monkeypatch.setattr(graph, "only_one", lambda: None)  # each call is a process of its own
    return rounds, broken, written


def status(*words):
    with pytest.raises(SystemExit) as ended:
        commands.main(["campaign", "fleet", *words])
    return ended.value.code


def asked(rounds):
    return [[target.split("/")[3] for target in targets] for targets in rounds]


def test_one_that_failed_a_gate_is_followed_by_another_and_tables_come_last(fake, capsys):
    rounds, _, written = fake
    assert status() == 0 and asked(rounds) == [["job-0", "job-1", "job-2"], ["job-3"]]
    assert written == [1] and capsys.readouterr().out.endswith("the tables\n")
    assert status() == 0 and len(rounds) == 2 and written == [1, 1]  # nothing is left to do


def test_where_a_job_fails_no_table_is_written_and_the_same_command_goes_on(fake, capsys):
    rounds, broken, written = fake
    broken.add("job-1")
    assert status() == 1 and not written
    assert "the same command goes on" in capsys.readouterr().out
    broken.clear()
    assert status() == 0 and written
    assert asked(rounds) == [["job-0", "job-1", "job-2"], ["job-1", "job-3"]]


def test_after_the_time_nothing_is_started(fake):
    rounds, _, written = fake
    assert status("--minutes", "0") == 1 and not rounds and not written
