"""What a reader types or writes that no command can use: one clear line, before anything starts."""

import threading
import time

import pytest

from runner import commands
from runner.reruns import runs


@pytest.fixture
def nothing_starts(monkeypatch):
    for step in (
        "runner.commands.graph.only_one",
        "runner.commands.graph.become_snakemake",
        "runner.execute.run",
        "runner.commands.graph.ask_snakemake",
        "greenhouse.train.produce.produce",
        "greenhouse.train.speakers.produce",
        "greenhouse.train.decoder.produce",
        "greenhouse.train.warm.load",
        "runner.reruns.rerun",
    ):
        monkeypatch.setattr(step, lambda *_, **__: pytest.fail("it started"))


CHAPTER = "american_white/we_they"


@pytest.mark.parametrize(
    ("words", "says"),
    [
        ("book --profile defalt", "no profile 'defalt'; there are default, slurm"),
        ("book nonexistent_target", "no target 'nonexistent_target'; a target is a file below"),
        ("book --settings papr", "no settings 'papr'; there are: greenhouse, open, paper, smoke"),
        ("campaign fleet alll", "there is no target 'alll'"),
        ("campaign speakers --minutes nan", "got 'nan'"),
        ("campaign fleet --jobs 0", "greater than or equal to 1, got '0'"),
        ("train-network fleet nope", "nobody asked for the job 'nope' of fleet"),
        ("train decoder --b 1", "leave out --b"),
        ("train decoder --seed 80", "from 0 to 79, got 80"),
        ("sources cfd", "say --fetch, or --check"),
        ("sources --check cfd a b", "one set of faces and its folder at a time"),
        ("bok", "'bok'. Did you mean 'book'?; see `vlmbias --help`"),
        ("sweep-model ../../etc greenhouse", "no stimuli '../../etc'; there are greenhouse"),
        (f"run {CHAPTER} --seeds -1", "Invalid value for '--seeds'"),
        (f"run {CHAPTER} --settings ../../data/settings/smoke", "no settings '../../data/"),
    ],
)
def test_a_word_of_no_use_is_refused_before_anything_starts(nothing_starts, capsys, words, says):
    with pytest.raises(SystemExit) as ended:
        commands.main(words.split())
    said = capsys.readouterr().err or str(ended.value.code)
    assert ended.value.code not in (0, None) and says in said.splitlines()[-1]


def test_what_follows_an_option_of_snakemake_may_be_its_value(nothing_starts):
    with pytest.raises(pytest.fail.Exception, match="it started"):
        commands.main(["book", "--", "--dry-run", "alll"])


@pytest.mark.parametrize("what", ["default", "answers", "decoder"])
def test_where_nothing_can_be_written_nothing_is_trained(nothing_starts, tmp_path, what):
    (tmp_path / "file").write_text("mine")
    for place in (tmp_path / "file", tmp_path / "file/below", "/proc/nowhere"):
        with pytest.raises(SystemExit, match=r"--out '.*': cannot be a folder to write into"):
            commands.main(["train", what, "--out", str(place)])
    assert (tmp_path / "file").read_text() == "mine"


def test_the_same_run_twice_at_once_is_run_once(tmp_path, monkeypatch):
    monkeypatch.setattr("vlmbias.paths.build", lambda: tmp_path)
    record, ran = {"notebook": "paper/chapter"}, []

    def slowly(record, *, executed, excused, **_):
        ran.append(excused)  # of a rerun, a solution may fail
        time.sleep(0.3)
        assert not executed.exists()
        executed.write_text("done")

    monkeypatch.setattr("runner.execute.run", slowly)
    both = [threading.Thread(target=runs.one, args=[record]) for _ in range(2)]
    for one in both:
        one.start()
    for one in both:
        one.join()
    assert ran == [True] and runs.copy(record).read_text() == "done"
