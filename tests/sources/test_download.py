"""Servers that do not send what was asked for: too much, too slowly, from elsewhere; and what a
kill leaves."""

import gzip
import hashlib
import os
import signal
import socket
import subprocess
import sys
import time

import pytest

from vlmbias import paths, sources
from vlmbias.sources import download
from vlmbias.whole_files import sweep

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


def test_a_compressed_bomb_is_cut_after_decoding(server):
    def answer(request):
        request.start(Content_Encoding="gzip")
        request.send(gzip.compress(bytes(200_000_000), 1))

    server.answer = answer
    (problem,) = sources.fetch(["mine"])
    assert "more than the 320 bytes" in problem and files() == []


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


def test_a_redirection_within_what_is_secure_is_followed(server):
    def answer(request):
        if request.path.startswith("/twice/"):
            request.start()
            request.send(CONTENT[request.path.removeprefix("/twice/")])
        else:
            request.start(302, Location=f"/twice{request.path}")

    server.answer = answer
    assert sources.fetch(["mine"]) == []


@pytest.mark.parametrize(
    ("location", "says"),
    [
        ("http://127.0.0.1:{port}/a.csv", "http://127.0.0.1"),  # `localhost` stands for https here
        ("file:///etc/passwd", "file:///etc/passwd"),
        ("http://[::bad", "Invalid IPv6 URL"),
        ("/data/a.csv", "redirects"),  # in a circle
    ],
)
def test_another_redirection_is_refused_and_names_file_and_target(server, location, says):
    hosts = []

    def answer(request):
        hosts.append(request.headers["Host"].partition(":")[0])
        request.start(302, Location=location.format(port=server.server_port))

    server.answer = answer
    (problem,) = sources.fetch(["mine"])
    assert "data/a.csv" in problem and says in problem and {*hosts} == {"localhost"}
    assert files() == []


def test_the_body_of_a_redirection_is_not_read(server):
    server.answer = lambda request: endless(request, 302, Location="/nowhere")
    assert len(sources.fetch(["mine"], timeout=1)) == 1 and server.told < 1e9


def cut(request):
    request.start(Content_Length=320)
    request.send(WANTED[:100])


def stall(request):
    cut(request)
    time.sleep(2)


def broken_chunk(request):
    request.protocol_version = "HTTP/1.1"
    request.start(Transfer_Encoding="chunked")
    request.send(b"64\r\n" + WANTED[:100] + b"\r\nno number\r\n")


def negative_chunk(request):
    request.protocol_version = "HTTP/1.1"
    request.start(Transfer_Encoding="chunked")
    request.send(b"-5\r\n" + WANTED)


def false_gzip(request):
    request.start(Content_Encoding="gzip")
    request.send(WANTED)


def wrong_size(request):
    request.start()
    request.send(WANTED[:100])


def wrong_hash(request):
    request.start()
    request.send(WANTED.replace(b"1", b"9"))


def refuse(request):
    request.start(403)


def hang_up(request):
    request.connection.shutdown(socket.SHUT_RDWR)


FAULTS = {
    cut: "cut short",
    stall: "stalled",
    broken_chunk: "",
    negative_chunk: "",
    false_gzip: "compressed",
    wrong_size: "cut short",
    wrong_hash: "not the file that was checked",
    refuse: "403",
    hang_up: "hung up",
}


@pytest.mark.parametrize("fault", list(FAULTS), ids=lambda fault: fault.__name__)
def test_a_source_that_does_not_arrive_whole_is_one_line_and_the_others_come(
    server, catalogue, capsys, fault
):
    before, broken, after = (
        {"path": f"{name}/a.csv", "bytes": 320, "sha256": hashlib.sha256(WANTED).hexdigest()}
        for name in ("before", "data", "after")
    )
    catalogue(first=entry(files=[before]), mine=entry(files=[broken]), other=entry(files=[after]))

    def answer(request):
        if request.path == "/data/a.csv":
            fault(request)
        else:
            request.start()
            request.send(WANTED)

    server.answer = answer
    (problem,) = sources.fetch_small(timeout=0.5)
    assert problem.startswith("mine: ") and "data/a.csv" in problem and FAULTS[fault] in problem
    assert "sources --fetch mine" in problem, "how to try again"
    assert sources.available("first") and sources.available("other")
    assert capsys.readouterr().out.splitlines()[1:] == [f"going on without {problem}"]
    assert sorted(files()) == ["a.csv", "a.csv", "last-failed-try"]


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


def test_a_temporary_file_that_may_be_in_use_stays(tmp_path):
    path = tmp_path / ".a.99999999"
    path.touch()
    sweep(tmp_path)
    assert path.exists()
