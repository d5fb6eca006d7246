"""The command line: one clear message where something is wrong, and no slow import."""

import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

import nbformat
import pytest
import typer
from outputs import glue

from runner import commands as cli
from runner import plan


def test_a_rerun_says_how_it_differs(checkout, capsys):
    """From the command to the page, with a kernel; all else of it is in `test_rerun.py`."""
    files = plan.hashes(plan.INPUTS)
    book = plan.record("paper/chapter", plan.settings("greenhouse"), given={"n": 4}, files=files)
    code = nbformat.v4.new_code_cell("", outputs=[glue("product", 6.0), glue("numpy", 4.0)])
    copy = nbformat.v4.new_notebook(cells=[code], metadata={"vlmbias": book})
    place = checkout / "_build/executed/paper/chapter.ipynb"
    place.parent.mkdir(parents=True)
    nbformat.write(copy, place)
    with pytest.raises(SystemExit) as stop:
        cli.main(["run", "paper/chapter", "-p", "n=6"])
    assert not stop.value.code, stop.value
    out = capsys.readouterr().out
    rows = [row.split()[1:] for row in out.splitlines() if row.startswith("product")]
    assert rows == [["6", "9", "changed"]]
    assert "2 results: 2 changed.\nThis notebook draws nothing at random." in out
    assert len(list((checkout / "_build/runs/paper/chapter").glob("*/page.html"))) == 1


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


APP = typer.main.get_command(cli.app)


def found(words):
    """The command that the first words name, with its context, and the other words."""
    command, rest = APP, list(words)
    context = command.make_context("vlmbias", [], resilient_parsing=True)
    while rest and getattr(command, "commands", None):
        name, command, rest = command.resolve_command(context, rest)
        context = command.context_class(command, info_name=name, parent=context)
    return command, context, rest


def public(group, before=()):
    for name, one in group.commands.items():
        if not one.hidden:
            below = getattr(one, "commands", None)
            yield from public(one, (*before, name)) if below else [" ".join((*before, name))]


@pytest.mark.parametrize("name", list(public(APP)))
def test_a_command_says_what_it_does_and_its_examples_parse(name):
    command, context, _ = found(name.split())
    lines = [line.strip() for line in command.get_help(context).splitlines()]
    shown = [line for line in lines if line.startswith("vlmbias ")]
    assert len(lines[2]) > 20 and shown, name
    for line in shown:
        assert line.startswith(f"vlmbias {name}")
        one, _, rest = found(shlex.split(line)[1:])
        assert one is command
        one.make_context(name, rest)  # an example that is none is an error


def shown_on_pages():
    """Every command that a page, a notebook or a file of data shows, with where."""
    root = Path(__file__).parents[2]
    for path in sorted(
        path
        for pattern in ("*.md", "book/**/*.md", "notebooks/*/*.py", "data/**/*.yaml")
        for path in root.glob(pattern)
        if path.name != "CHANGELOG.md"  # what was there once
    ):
        text = path.read_text("utf-8")
        for words in re.findall(r"`vlmbias ([^`]+)`|\.venv/bin/vlmbias ([^`#\n]+)", text):
            if words := re.sub(r"<\w+>|\[\w+\]", "X", "".join(words).strip()):
                yield path.relative_to(root).as_posix(), words


def test_every_command_that_a_page_shows_is_one():
    every = list(shown_on_pages())
    assert len(every) > 40
    for where, words in every:
        command, _, rest = found(shlex.split(words))
        try:
            if rest and not {"…", "NAME"} & set(rest):
                command.make_context("vlmbias", rest)
        except typer.TyperException as wrong:
            pytest.fail(f"{where}: vlmbias {words}: {wrong.format_message()}")


def test_a_command_that_is_gone_names_one_that_there_is():
    for old, new in cli.GONE.items():
        with pytest.raises(SystemExit, match=f"`vlmbias {old}` is gone; .*{re.escape(new)}"):
            cli.main([*old.split(), "--seed", "1"])
        assert new.split()[0].rstrip(",") in APP.commands


def test_interrupted_is_130_and_a_traceback_is_there_for_the_asking(monkeypatch, capsys):
    def interrupted(*_, **__):
        raise KeyboardInterrupt

    monkeypatch.setattr("runner.pairs.pair", interrupted)
    with pytest.raises(SystemExit) as ended:
        cli.main(["pair"])
    assert ended.value.code == 130 and not capsys.readouterr().err.strip()
    monkeypatch.setattr("runner.pairs.pair", lambda *_, **__: 1 / 0)
    with pytest.raises(SystemExit, match="✗ division by zero"):
        cli.main(["pair"])
    monkeypatch.setenv("VLMBIAS_TRACEBACK", "1")
    with pytest.raises(ZeroDivisionError):
        cli.main(["pair"])


def test_the_parameters_of_a_notebook_are_listed_with_the_values_of_the_settings(checkout, capsys):
    with pytest.raises(SystemExit) as stop:
        cli.main(["run", "paper/chapter", "--parameters", "--settings", "smoke"])
    first, *others = capsys.readouterr().out.splitlines()
    assert not stop.value.code and len(others) == 3
    assert first.strip() == "n = 3  # how many  (settings smoke: 2)"
    assert not (checkout / "_build/runs").exists()


def test_every_step_of_the_graph_is_a_command_that_help_does_not_list():
    text = (Path(__file__).parents[2] / "Snakefile").read_text("utf-8")
    steps = set(re.findall(r"\{VLMBIAS\} ([\w-]+)", text))
    hidden = {name for name, one in APP.commands.items() if one.hidden}
    assert len(steps) >= 7 and steps <= hidden
