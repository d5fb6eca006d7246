"""A hub of models and a server of open files, on loopback, with the faults that a test asks for."""

import hashlib
import re
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

COMMIT = "0123456789abcdef0123456789abcdef01234567"
_FILE = re.compile(r"/(?P<repository>[^/]+/[^/]+)/resolve/[^/]+/(?P<file>.+)")


@dataclass
class Server:
    """What is served, what goes wrong, and what was asked.

    Attributes
    ----------
    files : content by "owner/repository/file" (the hub), or by a path below `/open/` (sources).
    cut : of these, the connection ends after so many bytes, once.
    wrong : of these, as many zeros are sent in place of the content; the headers stay as they were.
    slow : these are sent in fifty parts, with a pause before each.
    down : every answer is an error 503.
    asked : (method, path, range) of each request.
    """

    address: str = ""
    files: dict[str, bytes] = field(default_factory=dict)
    cut: dict[str, int] = field(default_factory=dict)
    wrong: set[str] = field(default_factory=set)
    slow: set[str] = field(default_factory=set)
    down: bool = False
    asked: list[tuple[str, str, str]] = field(default_factory=list)

    def downloads(self) -> list[tuple[str, str]]:
        """(path, range) of each request for a content."""
        return [(path, part) for method, path, part in self.asked if method == "GET"]


@contextmanager
def serving() -> Iterator[Server]:
    """A server, for as long as the block lasts."""
    about, digests = Server(), {}

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_HEAD(self):
            self.answer(body=False)

        def do_GET(self):
            self.answer(body=True)

        def answer(self, body):
            about.asked.append((self.command, self.path, self.headers.get("Range", "")))
            if about.down:
                return self.refuse(503)
            hub = _FILE.fullmatch(self.path)
            name = f"{hub['repository']}/{hub['file']}" if hub else self.path.removeprefix("/open/")
            if name not in about.files:
                known = hub and any(one.startswith(f"{hub['repository']}/") for one in about.files)
                return self.refuse(404, "EntryNotFound" if known else "RepoNotFound")
            content = about.files[name]
            begin = int(self.headers.get("Range", "bytes=0-")[6:].partition("-")[0])
            self.send_response(206 if begin else 200)
            if begin:
                self.send_header(
                    "Content-Range", f"bytes {begin}-{len(content) - 1}/{len(content)}"
                )
            digest = self.digest(content)
            for header, value in {
                "ETag": f'"{digest}"',
                "X-Linked-ETag": f'"{digest}"',
                "X-Repo-Commit": COMMIT,
                "X-Linked-Size": len(content),
                "Accept-Ranges": "bytes",
                "Content-Length": len(content) - begin,
            }.items():
                self.send_header(header, str(value))
            self.end_headers()
            if body:
                sent = bytes(len(content)) if name in about.wrong else content
                end = about.cut.pop(name, len(content))
                self.send(memoryview(sent)[begin:end], 50 if name in about.slow else 1)
                self.close_connection = end < len(content)

        def send(self, content, parts):
            step = len(content) // parts + 1
            for start in range(0, len(content), step):
                time.sleep(0.2 * (parts > 1))
                self.wfile.write(content[start : start + step])

        def digest(self, content):
            if id(content) not in digests:
                digests[id(content)] = hashlib.sha256(content).hexdigest()
            return digests[id(content)]

        def refuse(self, status, code=""):
            self.send_response(status)
            self.send_header("X-Error-Code", code)
            self.send_header("Content-Length", "0")
            self.end_headers()

        def log_message(self, format, *args):
            pass

    web = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    web.daemon_threads = True
    web.handle_error = lambda request, client_address: None  # who asked was killed, and went away
    about.address = f"http://127.0.0.1:{web.server_port}"
    threading.Thread(target=web.serve_forever, daemon=True).start()
    try:
        yield about
    finally:
        web.shutdown()
        web.server_close()
