"""Servers on loopback that send what was not asked for. In every try a second source has to
arrive."""

import gzip
import hashlib
import socket
import threading
import time
import zlib
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import yaml
from case import Case

WANTED = b"x,y\n1,2\n" * 400
KIND = "downloads"


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
_SMALL = gzip.compress(WANTED)
# what is sent, in parts with pauses (a number is seconds)
ANSWERS: dict[str, list[bytes | float]] = {
    **{
        f"cut after {n} bytes": [head(**_LENGTH) + WANTED[:n]]
        for n in (0, 1, 7, 1600, len(WANTED) - 1)
    },
    **{
        f"stalls after {n} bytes": [head(**_LENGTH) + WANTED[:n], 4.0]
        for n in (0, 1, 1600, len(WANTED) - 1)
    },
    "stalls inside the head": [head(**_LENGTH)[:20], 4.0],
    "a chunk without a size": [head(**_CHUNKED) + b"\r\n" + WANTED],
    "a chunk of a size in words": [head(**_CHUNKED) + b"many\r\n" + WANTED],
    "a chunk of negative size": [head(**_CHUNKED) + b"-5\r\n" + WANTED],
    "a chunk of more than there is": [head(**_CHUNKED) + b"ffffff\r\n" + WANTED],
    "a last chunk that is missing": [head(**_CHUNKED) + chunk(WANTED[:1600])],
    "chunks that stall": [head(**_CHUNKED) + chunk(WANTED[:1600]), 4.0],
    "no gzip, called gzip": [head(**_GZIP, **_LENGTH) + WANTED],
    "gzip cut in the middle": [head(**_GZIP) + _SMALL[: len(_SMALL) // 2]],
    "gzip with a wrong checksum": [head(**_GZIP) + _SMALL[:-8] + bytes(8)],
    "gzip of other bytes": [head(**_GZIP) + gzip.compress(b"z" * len(WANTED))],
    "gzip of a bomb": [head(**_GZIP) + gzip.compress(bytes(100_000_000))],
    "deflate that is none": [head(Content_Encoding="deflate") + WANTED],
    "deflate of a bomb": [head(Content_Encoding="deflate") + zlib.compress(bytes(50_000_000))],
    "an encoding that nobody knows": [head(Content_Encoding="rot13", **_LENGTH) + WANTED[::-1]],
    "one bit turned": [head(**_LENGTH) + WANTED[:9] + b"3" + WANTED[10:]],
    "twice the file": [head() + WANTED * 2],
    "one byte more": [head() + WANTED + b"\n"],
    "zeros of the right length": [head(**_LENGTH) + bytes(len(WANTED))],
    "a length that is less": [head(Content_Length=5) + WANTED],
    "a length that is no number": [head(Content_Length="all") + WANTED[:9]],
    "a negative length": [head(Content_Length=-1) + WANTED[:9]],
    "a web page": [head() + b"<!DOCTYPE html><html><body>Please log in</body></html>"],
    "a pointer of Git LFS": [
        head() + b"version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 3200\n"
    ],
    "a redirection in a circle": [head(302, Location="/mine/a.csv")],
    "a redirection to a file": [head(302, Location="file:///etc/passwd")],
    "a redirection to another protocol": [head(301, Location="ftp://localhost/a.csv")],
    "a redirection without TLS": [head(302, Location="http://127.0.0.1:9/a.csv")],
    "a redirection to nowhere": [head(302)],
    "a redirection to what is no address": [head(302, Location="http://[::bad")],
    **{
        f"status {n}": [head(n) + b"no"]
        for n in (204, 206, 304, 401, 403, 404, 410, 429, 500, 503, 999)
    },
    "no head at all": [WANTED],
    "a head of another protocol": [b"SSH-2.0-OpenSSH_9.2\r\n"],
    "a head of zeros": [bytes(400)],
    "a head without an end": [b"HTTP/1.1 200 OK\r\n" + b"X-A: " + b"a" * 200_000],
    "a thousand headers": [b"HTTP/1.1 200 OK\r\n" + b"X-A: a\r\n" * 1000 + b"\r\n" + WANTED],
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


def prepare(answer: list[bytes | float], folder: Path) -> None:
    """A server that answers so, and a catalogue of three sources that come from it."""
    from vlmbias import paths
    from vlmbias.sources import download

    web, state = _server()
    state["answer"] = answer
    base = f"http://localhost:{web.server_port}/"
    download._SECURE, download._PATIENCE = (base,), 5.0
    send = download._download
    download._download = lambda entry, *rest: send(entry.model_copy(update={"base": base}), *rest)
    paths.data = lambda: folder / "data"
    (folder / "data/sources").mkdir(parents=True, exist_ok=True)

    def entry(name: str) -> dict[str, Any]:
        listed = [
            {
                "path": f"{name}/a.csv",
                "bytes": len(WANTED),
                "sha256": hashlib.sha256(WANTED).hexdigest(),
            }
        ]
        return {
            "open": True,
            "small": True,
            "purpose": "x.",
            "licence": "MIT.",
            "citation": "Us.",
            "base": "https://localhost/",
            "files": listed,
        }

    (folder / "data/sources/index.yaml").write_text(
        yaml.safe_dump({name: entry(name) for name in ("first", "mine", "last")}, sort_keys=False)
    )


def _fetch(answer: list[bytes | float], folder: Path) -> None:
    from vlmbias import sources

    prepare(answer, folder)
    began = time.monotonic()
    problems = sources.fetch_small(timeout=1.0)
    assert len(problems) == 1 and problems[0].startswith("mine: "), problems
    assert "a.csv" in problems[0] or "no connection to localhost" in problems[0], problems
    assert len(problems[0]) < 500 and "\n" not in problems[0] and "object at" not in problems[0], (
        problems
    )
    assert sorted(path.parent.name for path in folder.rglob("a.csv")) == ["first", "last"], list(
        folder.rglob("*")
    )
    assert (folder / "cache/sources/last-failed-try").is_file(), "the failed try is not noted"
    assert time.monotonic() - began < 20


def cases() -> Iterator[Case]:
    """One per answer."""
    for name, answer in ANSWERS.items():
        yield Case(KIND, name, lambda folder, answer=answer: _fetch(answer, folder))
