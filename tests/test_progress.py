"""Long steps speak, short ones do not, and what they say is a line that a log can show."""

import re

import pytest

from vlmbias import progress


@pytest.fixture
def clock(monkeypatch):
    now = [0.0]
    monkeypatch.setattr(progress.time, "monotonic", lambda: now[0])
    return now


def counted(clock, total, seconds_each, batch):
    with progress.Progress(total, "images by X") as one:
        for start in range(0, total, batch):
            n = min(batch, total - start)
            clock[0] += n * seconds_each
            one.update(n)


def test_a_long_step_says_how_many_and_how_long_then_each_tenth(clock, capsys):
    counted(clock, 18_000, 0.13, 256)
    first, *lines = capsys.readouterr().out.splitlines()
    assert "18,000 images by X" in first and "38 minutes" in first
    assert all(line.startswith("▸ images by X: ") for line in lines)
    said = [tuple(map(int, re.findall(r"\d+", line))) for line in lines]
    assert [tenth for tenth, _ in said] == list(range(10, 100, 10))
    assert said[0] == (10, 35) and said[-1] == (90, 4)


def test_what_is_soon_over_is_not_spoken_of(clock, capsys):
    counted(clock, 1_000, 0.01, 100)
    with progress.Progress(0, "images by X"):
        pass
    assert capsys.readouterr().out == ""


def test_where_a_runner_listens_nothing_is_printed(clock, capsys, monkeypatch, tmp_path):
    monkeypatch.setenv(progress.PLACE, str(tmp_path / "said"))
    counted(clock, 3, 100, 1)
    progress.say("▸ done")
    assert capsys.readouterr().out == ""
    first, *more, last = (tmp_path / "said").read_text().splitlines()
    assert "3 images by X" in first and last == "▸ done" and more


@pytest.mark.parametrize(
    ("seconds", "said"),
    [(3, "3 seconds"), (89, "a minute"), (100, "2 minutes"), (10_000, "3 hours")],
)
def test_times_as_one_says_them(seconds, said):
    assert progress.spoken(seconds) == said
