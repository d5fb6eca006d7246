"""Servers that send too much or too slowly, tries that fail, and what a kill leaves. What else a
server may send is in `tests/hostile/downloads.py`."""

import gzip
import os
import signal
import subprocess
import sys
import time

import pytest

from vlmbias import paths, sources
from vlmbias.sources import download

from .conftest import CONTENT, entry

WANTED = CONTENT["data/a.csv"]


def files():
    return [path.name for path in paths.cache().rglob("*") if path.is_file()]


def endless(request, status=200, **headers):
    request.start(status, **headers)
    while True:
        request.send(b"x" * 65_536)


def test_an_endless_body_is_cut_at_the_stated_size(server):
    server.answer = endless
    (problem,) = sources.fetch(["mine"])
    assert "data/a.csv" in problem and "more than the 320 bytes" in problem and files() == []
    assert server.gone.wait(5) and server.told < 100_000_000  # what lay in the sockets' buffers


def test_what_is_merely_compressed_is_the_file(server):
    server.answer = lambda request: (
        request.start(Content_Encoding="gzip"),
        request.send(gzip.compress(CONTENT[request.path[1:]])),
    )
    assert sources.fetch(["mine"]) == []


@pytest.mark.parametrize("part", ["head", "body"])
def test_one_byte_at_a_time_ends_at_the_deadline(server, monkeypatch, part):
    monkeypatch.setattr(download, "_PATIENCE", 0.6)

    def answer(request):
        if part == "body":
            request.start()
        for _ in range(100):
            request.send(b"x")
            time.sleep(0.05)

    server.answer = answer
    began = time.monotonic()
    (problem,) = sources.fetch(["mine"], timeout=5)
    assert "https://localhost/data/a.csv was not whole in time" in problem
    assert time.monotonic() - began < 3 and files() == []


def test_a_large_file_has_more_time(server, monkeypatch):
    """The deadline grows with the stated size: half a second of silence is fine for 320 bytes at
    320 per second, and too long for 4."""
    monkeypatch.setattr(download, "_PATIENCE", 0.2)
    monkeypatch.setattr(download, "_SLOWEST", 320)

    def answer(request):
        request.start()
        time.sleep(0.5)
        request.send(CONTENT[request.path[1:]])

    server.answer = answer
    (problem,) = sources.fetch(["mine"])
    assert "b.csv was not whole in time" in problem and files() == ["a.csv"]


@pytest.mark.parametrize("host", ["localhost", "127.0.0.1"])
def test_only_a_redirection_within_what_is_secure_is_followed(server, host):
    """The same server under another name, as one that is reached without TLS."""

    def answer(request):
        if request.path.startswith("/twice/"):
            request.start()
            request.send(CONTENT[request.path.removeprefix("/twice/")])
        else:
            address = f"http://{host}:{server.server_port}/twice{request.path}"
            request.start(302, Location=address)

    server.answer = answer
    problems = sources.fetch(["mine"])
    assert (problems == []) == (host == "localhost") == sources.available("mine")
    assert all("leads to what does not begin with" in problem for problem in problems)


def test_the_body_of_a_redirection_is_not_read(server):
    server.answer = lambda request: endless(request, 302, Location="/nowhere")
    assert len(sources.fetch(["mine"], timeout=1)) == 1 and server.told < 1e9


def cut(request):
    request.start(Content_Length=320)
    request.send(WANTED[:100])


def test_a_refusal_is_told_with_its_status(server):
    server.answer = lambda request: request.start(403)
    (problem,) = sources.fetch(["mine"])
    assert "403" in problem and "data/a.csv" in problem


def test_a_source_is_left_at_the_first_file_that_does_not_arrive(server):
    server.answer = cut
    assert len(sources.fetch(["mine"])) == 1 and server.asked == ["data/a.csv"]


@pytest.fixture
def nobody(server):
    """The address of a server that is gone."""
    server.shutdown()
    server.server_close()


def test_without_a_network_there_is_one_try_and_one_line(nobody, catalogue, capsys):
    catalogue(one=entry(), two=entry())
    (problem,) = sources.fetch(["one", "two"])
    assert problem.startswith("one, two: no connection to localhost")
    sources.fetch_small()
    assert "going on without one, two" in capsys.readouterr().out.splitlines()[1]
    assert files() == ["last-failed-try"]


def test_a_failed_try_is_noted_and_not_repeated_for_a_day(server, capsys):
    server.sent.clear()
    assert len(sources.fetch_small()) == 1 and "going on without" in capsys.readouterr().out
    assert sources.fetch_small() == [] and len(server.asked) == 1 and capsys.readouterr().out == ""
    assert len(sources.fetch_small(force=True)) == 1 and len(server.asked) == 2
    note = paths.cache() / "sources/last-failed-try"
    os.utime(note, (time.time() - 86_401,) * 2)
    server.sent.update(CONTENT)
    assert sources.fetch_small() == [] and sources.available("mine") and not note.exists()


@pytest.mark.parametrize("error", [KeyboardInterrupt, MemoryError])
def test_a_try_that_ends_in_the_middle_is_noted_as_well(monkeypatch, error):
    def end(*arguments):
        raise error

    monkeypatch.setattr(download, "_download", end)
    with pytest.raises(error):
        sources.fetch_small()
    assert files() == ["last-failed-try"]


KILLED = """
import os, pathlib, signal, sys
from vlmbias.whole_files import replacing
with replacing(pathlib.Path(sys.argv[1])) as temporary:
    temporary.write_bytes(b"half")
    os.kill(os.getpid(), signal.SIGKILL)
"""


def test_what_a_killed_fetch_leaves_is_swept_at_the_next_start(server, cache):
    cache({"b.csv": CONTENT["b.csv"]})
    folder = paths.cache() / "sources" / "mine" / "data"
    done = subprocess.run([sys.executable, "-c", KILLED, str(folder / "a.csv")], check=False)
    assert done.returncode == -signal.SIGKILL
    (left,) = folder.iterdir()
    assert left.read_bytes() == b"half"
    others = [folder / f".mine.{os.getpid()}", folder / ".hidden", folder / "a.csv.99999999"]
    for path in others:
        path.write_bytes(b"x")
    for path in (left, *others):
        os.utime(path, (time.time() - 61,) * 2)
    assert sources.fetch(["mine"]) == []
    assert sorted(folder.iterdir()) == sorted([*others, folder / "a.csv"])
