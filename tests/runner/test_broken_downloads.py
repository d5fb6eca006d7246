"""A small book one of whose optional sources breaks off: it is built, and one line says without
what."""


def test_a_broken_download_does_not_stop_a_book(small):
    assert small.first.returncode == 0, small.first.stdout
    assert (small.folder / "_build/site/built.json").is_file()
    (said,) = (one for one in small.first.stdout.splitlines() if "going on without" in one)
    assert "without cut: " in said and "/a.csv " in said and "sources --fetch" in said
    assert small.asked[:2] == ["cut", "whole"]
    kept = small.cache / "sources"
    assert sorted(path.name for path in kept.iterdir()) == ["last-failed-try", "whole"]


def test_within_a_day_there_is_no_second_try(small):
    again = small.build()
    assert again.returncode == 0 and len(small.asked) == 2
