"""A small book whose optional sources come from a server on a bad line: it is built, and one line
says without what."""

import hashlib
import os
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest
import yaml
from small_book import build, write

CONTENT = b"x,y\n" * 5000
FAULTS = ("cut", "stall", "chunk", "gzip")
# the catalogue takes https only; what the book's process asks for over https it gets from this
# machine
REDIRECT = """
import requests
get = requests.get
requests.get = lambda url, **options: get(url.replace("https://", "http://", 1), **options)
"""


@pytest.fixture
def server():
    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_GET(self):
            fault = self.path.split("/")[1]
            web.asked.append(fault)
            self.close_connection = True
            self.send_response(200)
            header = {
                "chunk": ("Transfer-Encoding", "chunked"),
                "gzip": ("Content-Encoding", "gzip"),
            }
            self.send_header(*header.get(fault, ("Content-Length", str(len(CONTENT)))))
            self.end_headers()
            begin = {
                "cut": CONTENT[:100],
                "stall": CONTENT[:100],
                "chunk": b"64\r\n" + CONTENT[:100] + b"\r\nno\r\n",
            }
            self.wfile.write(begin.get(fault, CONTENT))
            time.sleep(8 * (fault == "stall"))

        def log_message(self, format, *args):
            pass

    web = ThreadingHTTPServer(("localhost", 0), Handler)
    web.daemon_threads, web.asked = True, []
    threading.Thread(target=web.serve_forever, daemon=True).start()
    yield web
    web.shutdown()
    web.server_close()


def test_broken_downloads_do_not_stop_a_book(server, tmp_path):
    folder = write(tmp_path / "book")
    file = {"path": "a.csv", "bytes": len(CONTENT), "sha256": hashlib.sha256(CONTENT).hexdigest()}
    sources = {
        name: {
            "open": True,
            "small": True,
            "purpose": "tests.",
            "licence": "MIT.",
            "citation": "Us.",
            "base": f"https://localhost:{server.server_port}/{name}/",
            "files": [file],
        }
        for name in (*FAULTS, "whole")
    }
    (folder / "data/sources.yaml").write_text(yaml.safe_dump(sources, sort_keys=False))
    (tmp_path / "path").mkdir()
    (tmp_path / "path/sitecustomize.py").write_text(REDIRECT)
    surroundings = {
        "VLMBIAS_CACHE": str(tmp_path / "cache"),
        "NO_PROXY": "localhost",
        "PYTHONPATH": os.pathsep.join(
            filter(None, (str(tmp_path / "path"), os.environ.get("PYTHONPATH")))
        ),
    }
    done = build(folder, **surroundings)
    assert done.returncode == 0 and (folder / "_build/site/built.json").is_file(), done.stdout
    (line,) = [line for line in done.stdout.splitlines() if "going on without" in line]
    assert line == (
        "a.csv was cut short: going on without cut, chunk; a.csv stalled: going on without stall; "
        "a.csv sent what is not compressed as it says: going on without gzip "
        "(optional; `make sources` tries again)"
    )
    assert server.asked == [*FAULTS, "whole"]
    kept = tmp_path / "cache/sources"
    assert sorted(path.name for path in kept.iterdir()) == ["last-failed-try", "whole"]
    again = build(folder, **surroundings)
    assert again.returncode == 0 and len(server.asked) == 5, "no second try within a day"
