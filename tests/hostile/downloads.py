"""Servers on loopback that send what was not asked for. In every try a second source has to
arrive."""

import gzip
import hashlib
import socket
import threading
import time
from collections.abc import Iterator
from functools import partial
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import yaml
from case import Case

WANTED = b"x,y\n1,2\n" * 400


def head(status: int = 200, /, **headers: Any) -> bytes:
    lines = [
        f"HTTP/1.1 {status} X",
        *(f"{name.replace('_', '-')}: {value}" for name, value in headers.items()),
    ]
    return "\r\n".join([*lines, "Connection: close", "", ""]).encode()


def chunk(some: bytes) -> bytes:
    return f"{len(some):x}\r\n".encode() + some + b"\r\n"


_LENGTH = {"Content_Length": len(WANTED)}
_CHUNKED, _GZIP = {"Transfer_Encoding": "chunked"}, {"Content_Encoding": "gzip"}
# what is sent, in parts with pauses (a number is seconds)
ANSWERS: dict[str, list[bytes | float]] = {
    "cut after 1600 bytes": [head(**_LENGTH) + WANTED[:1600]],
    "stalls after 1600 bytes": [head(**_LENGTH) + WANTED[:1600], 2.0],
    "stalls inside the head": [head(**_LENGTH)[:20], 2.0],
    "a chunk of a size in words": [head(**_CHUNKED) + b"many\r\n" + WANTED],
    "a last chunk that is missing": [head(**_CHUNKED) + chunk(WANTED[:1600])],
    "no gzip, called gzip": [head(**_GZIP, **_LENGTH) + WANTED],
    "gzip of a bomb": [head(**_GZIP) + gzip.compress(bytes(100_000_000), 1)],
    "one bit turned": [head(**_LENGTH) + WANTED[:9] + b"3" + WANTED[10:]],
    "one byte more": [head() + WANTED + b"\n"],
    "a length that is less": [head(Content_Length=5) + WANTED],
    "a length that is no number": [head(Content_Length="all") + WANTED[:9]],
    "a web page": [head() + b"<!DOCTYPE html><html><body>Please log in</body></html>"],
    "a pointer of Git LFS": [
        head() + b"version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 3200\n"
    ],
    "a redirection in a circle": [head(302, Location="/mine/a.csv")],
    "a redirection to a file": [head(302, Location="file:///etc/passwd")],
    "a redirection without TLS": [head(302, Location="http://127.0.0.1:9/a.csv")],
    "a redirection to what is no address": [head(302, Location="http://[::bad")],
    "status 503": [head(503) + b"no"],
    "no head at all": [WANTED],
    "a head without an end": [b"HTTP/1.1 200 OK\r\n" + b"X-A: " + b"a" * 200_000],
    "nothing": [],
}


def _server() -> tuple[ThreadingHTTPServer, dict[str, Any]]:
    state: dict[str, Any] = {}

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            try:
                for part in (
                    state["answer"] if "/mine/" in self.path else [head(**_LENGTH) + WANTED]
                ):
                    time.sleep(part) if isinstance(part, float) else self.wfile.write(part)
                self.wfile.flush()
                self.connection.shutdown(socket.SHUT_RDWR)
            except OSError:
                pass

        def log_message(self, format: str, *args: Any) -> None:
            pass

    web = ThreadingHTTPServer(("localhost", 0), Handler)
    web.daemon_threads = True
    threading.Thread(target=web.serve_forever, daemon=True).start()
    return web, state


def _fetch(answer: list[bytes | float], folder: Path) -> None:
    """Of three sources, the second comes from a server that answers so: it is told of in one line
    that names it, and the others arrive."""
    from vlmbias import paths, sources
    from vlmbias.sources import download

    web, state = _server()
    state["answer"], base = answer, f"http://localhost:{web.server_port}/"
    download._SECURE, download._PATIENCE = (base,), 3.0
    send = download._download
    download._download = lambda entry, *rest: send(entry.model_copy(update={"base": base}), *rest)
    paths.data = lambda: folder / "data"
    (folder / "data/sources").mkdir(parents=True)
    about = {"bytes": len(WANTED), "sha256": hashlib.sha256(WANTED).hexdigest()}
    plain = {"open": True, "small": True, "base": "https://localhost/"}
    plain |= {"purpose": "x.", "licence": "MIT.", "citation": "Us."}
    listed = {
        name: plain | {"files": [about | {"path": f"{name}/a.csv"}]}
        for name in ("first", "mine", "last")
    }
    (folder / "data/sources/index.yaml").write_text(yaml.safe_dump(listed, sort_keys=False))
    began = time.monotonic()
    (problem,) = sources.fetch_small(timeout=0.5)
    assert problem.startswith("mine: ") and time.monotonic() - began < 20, problem
    assert "a.csv" in problem or "no connection to localhost" in problem, problem
    assert len(problem) < 500 and "\n" not in problem and "object at" not in problem, problem
    found = sorted(path.parent.name for path in folder.rglob("a.csv"))
    assert found == ["first", "last"], found
    assert (folder / "cache/sources/last-failed-try").is_file(), "the failed try is not noted"


def cases() -> Iterator[Case]:
    """One per answer."""
    for name, answer in ANSWERS.items():
        yield Case(name, partial(_fetch, answer))
