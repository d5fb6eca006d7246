"""Servers that do not send what was asked for: too much, too slowly, from elsewhere; and what a
kill leaves."""

import gzip
import hashlib
import os
import re
import signal
import socket
import subprocess
import sys
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest
import requests

from vlmbias import paths, sources
from vlmbias.sources import download
from vlmbias.whole_files import sweep

from .conftest import CONTENT, entry

WANTED = CONTENT["data/a.csv"]


@pytest.fixture
def hostile(monkeypatch):
    """A local server; set `hostile.answer` to what it does with a request. `hostile.sent` counts
    its bytes."""

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.0"

        def do_GET(self):
            try:
                web.answer(self)
            except OSError:  # the client went away
                web.gone.set()

        def send(self, some):
            self.wfile.write(some)
            web.sent += len(some)

        def start(self, status=200, **headers):
            self.send_response(status)
            for name, value in headers.items():
                self.send_header(name.replace("_", "-"), value)
            self.end_headers()

        def log_message(self, format, *args):
            pass

    web = ThreadingHTTPServer(("localhost", 0), Handler)
    web.daemon_threads, web.sent, web.gone = True, 0, threading.Event()
    threading.Thread(target=web.serve_forever, daemon=True).start()
    web.base = f"http://localhost:{web.server_port}/"
    monkeypatch.setattr(download, "_SECURE", (web.base,))
    original = download._download
    monkeypatch.setattr(
        download,
        "_download",
        lambda entry, *rest: original(entry.model_copy(update={"base": web.base}), *rest),
    )
    yield web
    web.shutdown()
    web.server_close()


def files():
    return [path.name for path in paths.cache().rglob("*") if path.is_file()]


def test_an_endless_body_is_cut_one_byte_after_the_stated_size(hostile, monkeypatch):
    def answer(request):
        request.start()
        while True:
            request.send(b"x" * 65_536)

    kept = []
    within = download._within
    monkeypatch.setattr(download, "_within", lambda *about: kept.append(within(*about)) or kept[-1])
    hostile.answer = answer
    problems = sources.fetch(["mine"])
    assert [len(content) for content in kept] == [len(content) + 1 for content in CONTENT.values()]
    assert len(problems) == 2 and "found 321 bytes" in problems[0] and files() == []
    assert hostile.gone.wait(5) and hostile.sent < 100_000_000  # what lay in the sockets' buffers


@pytest.mark.parametrize("part", ["head", "body"])
def test_one_byte_at_a_time_ends_at_the_deadline(hostile, monkeypatch, part):
    monkeypatch.setattr(download, "_PATIENCE", 0.6)

    def answer(request):
        if part == "body":
            request.start()
        for _ in range(100):
            request.send(b"x")
            time.sleep(0.05)

    hostile.answer = answer
    began = time.monotonic()
    (problem,) = sources.fetch(["mine"], timeout=5)
    assert problem == f"mine: {hostile.base}data/a.csv was not whole after 1 s"
    assert time.monotonic() - began < 3 and files() == []


def test_a_large_file_has_more_time(hostile, monkeypatch):
    """The deadline grows with the stated size: half a second of silence is fine for 320 bytes at
    320 per second."""
    monkeypatch.setattr(download, "_PATIENCE", 0.2)
    monkeypatch.setattr(download, "_SLOWEST", 320)

    def answer(request):
        request.start()
        time.sleep(0.5)
        request.send(CONTENT[request.path[1:]])

    hostile.answer = answer
    assert sources.fetch(["mine"]) == [
        f"mine: {hostile.base}b.csv was not whole after 0 s"
    ]  # 4 bytes
    assert files() == ["a.csv"]


def test_a_compressed_bomb_is_cut_after_decoding(hostile, monkeypatch):
    bomb = gzip.compress(bytes(200_000_000), 1)

    def answer(request):
        request.start(Content_Encoding="gzip")
        request.send(bomb)

    hostile.answer = answer
    assert len(download._body(hostile.base + "x", 321, 5)) == 321
    hostile.answer = lambda request: (
        request.start(Content_Encoding="gzip"),
        request.send(gzip.compress(CONTENT[request.path[1:]])),
    )
    assert sources.fetch(["mine"]) == []  # what is merely compressed is the file


def test_every_hop_is_secure(hostile):
    """`localhost` stands for https here, `127.0.0.1` for a plain address of the same server."""
    served = []

    def answer(request):
        served.append(request.headers["Host"])
        name = request.path.rpartition("/")[2]
        if request.path.startswith("/twice"):
            request.start()
            request.send(CONTENT[{"a.csv": "data/a.csv"}.get(name, name)])
        else:
            request.start(302, Location=to + name)

    hostile.answer = answer
    to = "/twice/"  # relative to the address asked for
    assert sources.fetch(["mine"]) == []
    (paths.cache() / "sources/mine/b.csv").unlink()
    served.clear()
    to = f"http://127.0.0.1:{hostile.server_port}/twice/"
    (problem,) = sources.fetch(["mine"])
    assert re.search(rf"{to}b.csv, to which \S+b.csv leads, does not begin with", problem)
    assert all(host.startswith("localhost") for host in served)


def test_addresses_without_tls_are_refused_before_anything_is_asked():
    with pytest.raises(ValueError, match=r"http://localhost/b\.csv does not begin with https://"):
        download._body("http://localhost/b.csv", 5, 1)


@pytest.mark.parametrize(
    ("location", "says"),
    [
        (
            "file:///etc/passwd",
            r"file:///etc/passwd, to which \S+a.csv leads, does not begin with http",
        ),
        ("http://[::bad", r"a.csv is no address, or leads to none .Invalid IPv6 URL."),
    ],
)
def test_a_redirection_that_is_not_followed_names_the_file_that_was_asked_for(
    hostile, location, says
):
    hostile.answer = lambda request: request.start(302, Location=location)
    assert re.search(says, sources.fetch(["mine"])[0])


def test_redirections_in_a_circle_end(hostile):
    hostile.answer = lambda request: request.start(302, Location=request.path)
    problems = sources.fetch(["mine"])
    assert len(problems) == 2 and "more than 5 redirections" in problems[0]


def cut(request):
    request.start(Content_Length=320)
    request.send(WANTED[:100])


def stall(request):
    cut(request)
    time.sleep(3)


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
    cut: "a.csv was cut short",
    stall: "a.csv stalled",
    broken_chunk: "a.csv was cut short",
    negative_chunk: "a.csv was cut short",
    false_gzip: "a.csv sent what is not compressed as it says",
    wrong_size: "what a.csv sent is cut short",
    wrong_hash: "what a.csv sent is not the file that was",
    refuse: "403 Client Error",
    hang_up: "a.csv was cut short before it began",
}


@pytest.mark.parametrize("fault", list(FAULTS), ids=lambda fault: fault.__name__)
def test_a_source_that_does_not_arrive_whole_is_one_line_and_the_others_come(
    hostile, catalogue, capsys, fault
):
    before, broken, after = (
        {"path": f"{name}/a.csv", "bytes": 320, "sha256": hashlib.sha256(WANTED).hexdigest()}
        for name in ("before", "data", "after")
    )
    catalogue(first=entry(files=[before]), mine=entry(files=[broken]), other=entry(files=[after]))
    asked = []

    def answer(request):
        asked.append(request.path)
        if request.path == "/data/a.csv":
            fault(request)
        else:
            request.start()
            request.send(WANTED)

    hostile.answer = answer
    (problem,) = sources.fetch_small(timeout=0.5)
    assert (
        problem.startswith("mine: ") and sources.available("first") and sources.available("other")
    )
    fetching, line = capsys.readouterr().out.splitlines()
    assert fetching.startswith("fetching first, mine, other") and len(line) < 160
    assert line.startswith(FAULTS[fault])
    assert line.endswith(": going on without mine (optional; `make sources` tries again)")
    assert sorted(files()) == ["a.csv", "a.csv", "last-failed-try"]
    asked.clear()
    assert sources.fetch_small() == [] and asked == [], "no second try within a day"
    assert len(sources.fetch_small(force=True, timeout=0.5)) == 1 and asked == ["/data/a.csv"]


def test_a_server_that_hangs_up_is_a_server(hostile, catalogue):
    """Connection reset before anything else came: there is a network, so the others are tried."""
    catalogue(mine=entry(), other=entry())
    hostile.answer = hang_up
    assert [problem.split(":")[0] for problem in sources.fetch(["mine", "other"])] == [
        "mine",
        "other",
    ]


def test_a_source_is_left_at_the_first_file_that_breaks_off(hostile):
    asked = []
    hostile.answer = lambda request: (asked.append(request.path), cut(request))
    assert len(sources.fetch(["mine"])) == 1 and asked == ["/data/a.csv"]


@pytest.mark.parametrize("error", [requests.ConnectionError("down"), requests.Timeout("slow")])
def test_without_a_network_one_line_names_what_will_be_missing(
    catalogue, capsys, monkeypatch, error
):
    tries = []

    def fail(*arguments):
        tries.append(arguments)
        raise error

    monkeypatch.setattr(download, "_download", fail)
    catalogue(one=entry(), two=entry())
    assert len(sources.fetch_small()) == len(tries) == 1
    line = "no network: going on without one, two (optional; `make sources` tries again)"
    assert capsys.readouterr().out.splitlines()[1:] == [line]
    assert sources.fetch_small() == [] and len(tries) == 1


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
