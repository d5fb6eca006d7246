"""What a reader types or writes that no command can use: one clear line, before anything starts."""

import threading
import time

import pytest

from runner import commands, plan
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


def said(capsys, *words):
    """The one line with which a command refuses its words."""
    with pytest.raises(SystemExit) as ended:
        commands.main([*map(str, words)])
    printed = capsys.readouterr()
    lines = [line for line in (printed.err or str(ended.value.code)).splitlines() if line.strip()]
    assert ended.value.code not in (0, None)
    return lines[-1]


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (["book", "--profile", "defalt"], "no profile 'defalt'; there are default, slurm"),
        (
            ["book", "nonexistent_target"],
            "there is no target 'nonexistent_target'; a target is a file below _build/, or",
        ),
        (["book", "--", "--dry-run", "alll"], ""),
        (["campaign", "fleet", "alll"], "there is no target 'alll'"),
        (["campaign", "speakers", "--minutes", "nan"], "got 'nan'"),
        (["campaign", "fleet", "--jobs", "0"], "greater than or equal to 1, got '0'"),
        (["train-network", "fleet", "nope"], "nobody asked for the job 'nope' of fleet"),
        (["train", "decoder", "--b", "1"], "the decoder learns no captions: leave out --b"),
        (["train", "decoder", "--seed", "80"], "a whole number from 0 to 79, got 80"),
        (["sources", "cfd"], "say --fetch, or --check"),
        (["sources", "--check", "cfd", "a", "b"], "one set of faces and its folder at a time"),
        (["bok"], "No such command 'bok'. Did you mean 'book'?; see `vlmbias --help`"),
        (
            ["run", "american_white/we_they", "--seeds", "-1"],
            "Invalid value for '--seeds': Input should be greater than or equal to 0",
        ),
        (
            ["book", "--settings", "papr"],
            "no settings 'papr'; there are: greenhouse, open, paper, smoke",
        ),
        (
            ["sweep-model", "../../etc", "greenhouse"],
            "no stimuli '../../etc'; there are greenhouse",
        ),
        (
            ["run", "american_white/we_they", "--settings", "../../data/settings/smoke"],
            "no settings '../../data/",
        ),
    ],
)
def test_a_word_of_no_use_is_refused_in_one_line(nothing_starts, capsys, words, says):
    if not says:  # what follows an option may be its value
        with pytest.raises(pytest.fail.Exception, match="it started"):
            commands.main(words)
        return
    assert says in said(capsys, *words)


def test_a_number_is_written_in_digits(nothing_starts):
    with pytest.raises(
        SystemExit, match="seed = '1_0': must be a number in digits alone, without _"
    ):
        commands.main(["run", "american_white/we_they", "-p", "seed=1_0"])


@pytest.mark.parametrize("what", ["default", "answers", "decoder"])
def test_where_nothing_can_be_written_nothing_is_trained(nothing_starts, tmp_path, what):
    (tmp_path / "file").write_text("mine")
    for place in (tmp_path / "file", tmp_path / "file/below", "/proc/nowhere"):
        with pytest.raises(SystemExit, match=r"--out '.*': cannot be a folder to write into"):
            commands.main(["train", what, "--out", str(place)])
    assert (tmp_path / "file").read_text() == "mine"


# --- settings -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("parameters: {n_resample: 7}", "parameters: no notebook has a parameter 'n_resample'"),
        (
            "parameters: {n: {deep: 1}}",
            "parameters: n = {'deep': 1} is not a number, a word, true or false, or a list",
        ),
        (
            "notebooks: {paper/chapter: {parameters: {n: [[1]]}}}",
            r"parameters: n = \[\[1\]\] is not a number, a word",
        ),
        ("identities: -1", "identities: Input should be greater than or equal to 1"),
    ],
)
def test_settings_that_nothing_could_follow_are_refused_at_once(checkout, text, says):
    (checkout / "data/settings/mine.yaml").write_text(f"{text}\n")
    began = time.monotonic()
    with pytest.raises(ValueError, match=says) as refused:
        plan.settings("mine")
    assert "mine.yaml" in str(refused.value) and time.monotonic() - began < 5


# --- two at once, and workers of a process that is gone -------------------------------------------


def test_the_same_run_twice_at_once_is_run_once(tmp_path, monkeypatch):
    monkeypatch.setattr("vlmbias.paths.build", lambda: tmp_path)
    record, ran = {"notebook": "paper/chapter"}, []

    def slowly(record, *, executed, **_):
        ran.append(1)
        time.sleep(0.3)
        assert not executed.exists()
        executed.write_text("done")

    monkeypatch.setattr("runner.execute.run", slowly)
    both = [threading.Thread(target=runs.one, args=[record]) for _ in range(2)]
    for one in both:
        one.start()
    for one in both:
        one.join()
    assert ran == [1] and runs.copy(record).read_text() == "done"
