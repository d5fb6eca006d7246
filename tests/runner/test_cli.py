"""The command line: one clear message where something is wrong, and no slow import."""

import argparse
import os
import shlex
import subprocess
import sys

import pytest

from runner import commands as cli
from runner.commands import examples


def test_help_is_asked_of_no_room():
    slow = {"torch", "pandas", "numpy", "papermill", "jupytext"}
    code = (
        f"import sys; from runner import commands as cli; cli.parser(None); assert not {slow} &"
        " set(sys.modules)"
    )
    subprocess.run([sys.executable, "-c", code], check=True)


def test_a_wrong_parameter_is_one_message(checkout):
    with pytest.raises(SystemExit) as stop:
        cli.main(["run", "paper/chapter", "-p", "seeds=3"])
    assert "no such parameter" in str(stop.value) and "scale = 1.5  # times what" in str(stop.value)


def test_pairs_are_written_and_checked(checkout, capsys):
    with pytest.raises(SystemExit, match=r"run `make pair`: chapter.ipynb"):
        cli.main(["pair", "--check"])
    with pytest.raises(SystemExit) as stop:
        cli.main(["pair"])
    assert not stop.value.code
    with pytest.raises(SystemExit) as stop:
        cli.main(["pair", "--check"])
    assert not stop.value.code


def test_a_rerun_says_how_it_differs(checkout, capsys):
    with pytest.raises(SystemExit) as stop:
        cli.main(["run", "paper/chapter", "-p", "n=4"])
    assert not stop.value.code, stop.value
    assert "run `make book` first" in capsys.readouterr().out
    copy = next((checkout / "_build/runs/paper/chapter").glob("*/notebook.ipynb"))
    place = checkout / "_build/executed/paper/chapter.ipynb"
    place.parent.mkdir(parents=True)
    place.write_bytes(copy.read_bytes())
    with pytest.raises(SystemExit):
        cli.main(["run", "paper/chapter", "-p", "n=6"])
    out = capsys.readouterr().out
    assert [row.split()[1:] for row in out.splitlines() if row.startswith("product")] == [
        ["6", "9", "changed"]
    ]
    assert "2 results: 2 changed.\nThis notebook draws nothing at random." in out
    assert len(list((checkout / "_build/runs/paper/chapter").glob("*/page.html"))) == 2


def test_a_terminal_that_knows_only_ascii_stops_nothing(checkout):
    """The mark before every job, and the one before every error."""
    environment = os.environ | {"PYTHONIOENCODING": "ascii", "PYTHONUTF8": "0"}
    code = (
        "from runner import commands, reruns\n"
        "reruns.rerun = lambda *_, **__: '▸ done'\n"
        "try:\n    commands.main(['run', 'paper/chapter'])\n"
        "except SystemExit as ended:\n    assert not ended.code\n"
        "commands.main(['run', 'paper/chaptre'])"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], env=environment, capture_output=True, text=True
    )
    assert done.stdout == "? done\n" and done.returncode == 1
    assert done.stderr.startswith("? no notebook 'paper/chaptre'")


def commands_of(parser, before=()):
    """Every command below a parser, in words, with its parser."""
    for group in (
        action for action in parser._actions if isinstance(action, argparse._SubParsersAction)
    ):
        for name, one in group.choices.items():
            if not before:  # its options are there where it is asked for
                one = cli.parser(name)._subparsers._group_actions[0].choices[name]
            yield (*before, name), one
            yield from commands_of(one, (*before, name))


def test_every_command_has_a_handler():
    """A row of `COMMANDS` whose module adds no such command would end in a traceback."""
    for words, one in commands_of(cli.parser(None)):
        below = [a for a in one._actions if isinstance(a, argparse._SubParsersAction)]
        assert below or callable(one.get_default("handler")), words


def test_every_command_says_what_it_does_and_shows_examples_that_parse():
    found = dict(commands_of(cli.parser(None)))
    assert {"sources fetch", "greenhouse train", "ledger audit", "sweep"} <= {
        " ".join(name) for name in found
    }
    for words, one in found.items():
        assert one.description, f"vlmbias {' '.join(words)} --help does not say what it does"
        if "job of" not in one.description:
            lines = examples.EXAMPLES[" ".join(words)].strip().splitlines()
            assert all(line.strip() in one.format_help() for line in lines), words
            for line in lines:
                given = shlex.split(line)[1:]
                assert tuple(given[: len(words)]) == words or words[0] in (
                    "ledger",
                    "sources",
                    "greenhouse",
                )
                cli.parser(given[0]).parse_args(given)  # an example that is none ends the process
    assert {tuple(name.split()) for name in examples.EXAMPLES} <= set(found), (
        "an example of no command"
    )


def test_the_help_of_run_says_how_parameters_and_settings_are_given(capsys):
    with pytest.raises(SystemExit):
        cli.main(["run", "--help"])
    text = " ".join(capsys.readouterr().out.split())
    assert "another value of a parameter; may be repeated, also for the same parameter" in text
    assert "greenhouse, smoke, open or paper" in text and "0 judges none" in text


def test_the_parameters_of_a_notebook_are_listed_with_defaults_and_meanings(checkout, capsys):
    for settings, line in (
        ("greenhouse", "n = 3  # how many"),
        ("smoke", "n = 3  # how many  (settings smoke: 2)"),
    ):
        with pytest.raises(SystemExit) as stop:
            cli.main(["run", "paper/chapter", "--parameters", "--settings", settings])
        shown = capsys.readouterr().out.splitlines()
        assert (
            not stop.value.code
            and shown[0].strip() == line
            and len(shown) == 4
            and "results" not in "".join(shown)
        )
    assert not (checkout / "_build/runs").exists()


def test_help_lists_no_job_of_the_graph(capsys):
    for words in (["--help"], ["greenhouse", "--help"]):
        with pytest.raises(SystemExit):
            cli.main(words)
        listed = capsys.readouterr().out
        assert not any(
            name in listed
            for name in ("run-notebook", "embed ", "sweep-model", "sweep-collect", "\n    job ")
        )
    assert (
        cli.parser("run-notebook").parse_args(["run-notebook", "paper/one"]).notebook == "paper/one"
    )
