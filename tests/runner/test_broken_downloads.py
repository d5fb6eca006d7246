"""A small book whose optional sources come from a server on a bad line: it is built, and one line
says without what."""

from small_book import FAULTS


def test_broken_downloads_do_not_stop_a_book(small):
    assert small.first.returncode == 0, small.first.stdout
    assert (small.folder / "_build/site/built.json").is_file()
    said = [line for line in small.first.stdout.splitlines() if "going on without" in line]
    assert [line.split("without ")[1].split(":")[0] for line in said] == [*FAULTS]
    assert all("/a.csv " in line and "sources --fetch" in line for line in said)
    assert small.asked[: len(FAULTS) + 1] == [*FAULTS, "whole"]
    kept = small.cache / "sources"
    assert sorted(path.name for path in kept.iterdir()) == ["last-failed-try", "whole"]


def test_within_a_day_there_is_no_second_try(small):
    again = small.build()
    assert again.returncode == 0 and len(small.asked) == 5
