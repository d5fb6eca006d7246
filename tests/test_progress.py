"""Long steps speak, short ones do not, and what they say is a line that a log can show."""

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
    lines = capsys.readouterr().out.splitlines()
    assert lines[:3] == [
        "▸ 18,000 images by X, about 38 minutes",
        "▸ images by X: 10 %, about 35 minutes left",
        "▸ images by X: 20 %, about 31 minutes left",
    ]
    assert len(lines) == 10 and lines[-1].startswith("▸ images by X: 90 %, about 4 minutes")


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
    assert (tmp_path / "said").read_text().splitlines() == [
        "▸ 3 images by X, about 3 minutes",
        "▸ images by X: 60 %, about 2 minutes left",
        "▸ done",
    ]


@pytest.mark.parametrize(
    ("seconds", "said"),
    [(3, "3 seconds"), (89, "a minute"), (100, "2 minutes"), (10_000, "3 hours")],
)
def test_times_as_one_says_them(seconds, said):
    assert progress.spoken(seconds) == said
