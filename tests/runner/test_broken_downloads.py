"""A small book whose optional sources come from a server on a bad line: it is built, and one line
says without what."""

from small_book import FAULTS


def test_broken_downloads_do_not_stop_a_book(small):
    assert small.first.returncode == 0, small.first.stdout
    assert (small.folder / "_build/site/built.json").is_file()
    (line,) = [line for line in small.first.stdout.splitlines() if "going on without" in line]
    without = line.partition(" (optional")[0].split("going on without ")[1:]
    assert {key for part in without for key in part.split(";")[0].split(", ")} == {*FAULTS}
    assert line.count("a.csv") == len(without) < len(FAULTS), "one reason, one clause"
    assert small.asked[: len(FAULTS) + 1] == [*FAULTS, "whole"]
    kept = small.cache / "sources"
    assert sorted(path.name for path in kept.iterdir()) == ["last-failed-try", "whole"]


def test_within_a_day_there_is_no_second_try(small):
    again = small.build()
    assert again.returncode == 0 and len(small.asked) == 5
