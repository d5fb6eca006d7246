"""Servers that do not send what was asked for: too much, too slowly, from elsewhere; and what a kill leaves."""

import gzip
import os
import signal
import subprocess
import sys
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest

from vlmbias import paths, sources
from vlmbias.sources import download
from vlmbias.whole_files import sweep

from .conftest import CONTENT

WANTED = CONTENT["data/a.csv"]


@pytest.fixture
def hostile(monkeypatch):
    """A local server; set `hostile.answer` to what it does with a request. `hostile.sent` counts its bytes."""
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
    monkeypatch.setattr(download, "_download", lambda entry, *rest: original(
        entry.model_copy(update={"base": web.base}), *rest))
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
    assert sources.fetch(["mine"], timeout=5) == ["no connection to localhost (Timeout)"]
    assert time.monotonic() - began < 3 and files() == []


def test_a_large_file_has_more_time(hostile, monkeypatch):
    """The deadline grows with the stated size: half a second of silence is fine for 320 bytes at 320 per second."""
    monkeypatch.setattr(download, "_PATIENCE", 0.2)
    monkeypatch.setattr(download, "_SLOWEST", 320)

    def answer(request):
        request.start()
        time.sleep(0.5)
        request.send(CONTENT[request.path[1:]])

    hostile.answer = answer
    assert sources.fetch(["mine"]) == ["no connection to localhost (Timeout)"]  # b.csv, 4 bytes
    assert files() == ["a.csv"]


def test_a_compressed_bomb_is_cut_after_decoding(hostile, monkeypatch):
    bomb = gzip.compress(bytes(200_000_000), 1)

    def answer(request):
        request.start(Content_Encoding="gzip")
        request.send(bomb)

    hostile.answer = answer
    assert len(download._body(hostile.base + "x", 321, 5)) == 321
    hostile.answer = lambda request: (request.start(Content_Encoding="gzip"),
                                      request.send(gzip.compress(CONTENT[request.path[1:]])))
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
    assert f"{to}b.csv does not begin with" in problem and all(host.startswith("localhost") for host in served)


def test_addresses_without_tls_are_refused_before_anything_is_asked():
    with pytest.raises(ValueError, match=r"http://localhost/b\.csv does not begin with https://"):
        download._body("http://localhost/b.csv", 5, 1)


def test_redirections_in_a_circle_end(hostile):
    hostile.answer = lambda request: request.start(302, Location=request.path)
    problems = sources.fetch(["mine"])
    assert len(problems) == 2 and "more than 5 redirections" in problems[0]


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
