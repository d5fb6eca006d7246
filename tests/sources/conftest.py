"""A catalogue of one's own, a server to download from, and a cache that is thrown away."""

import hashlib
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest
import yaml

from vlmbias import paths

CONTENT = {"data/a.csv": b"x,y\n1,2\n" * 40, "b.csv": b"z\n3\n"}


def entry(**change):
    files = [
        {"path": path, "bytes": len(content), "sha256": hashlib.sha256(content).hexdigest()}
        for path, content in CONTENT.items()
    ]
    return {
        "open": True,
        "small": True,
        "purpose": "tests.",
        "licence": "MIT.",
        "citation": "Us.",
        "base": "https://localhost/",
        "mirror": "theirs",
        "files": files,
        **change,
    }


@pytest.fixture(autouse=True)
def catalogue(tmp_path, monkeypatch):
    """Write `data/sources/index.yaml`; by default an open source and one that must be asked for."""
    monkeypatch.setenv("VLMBIAS_CACHE", str(tmp_path / "cache"))
    monkeypatch.delenv("VLMBIAS_MIRROR", raising=False)
    monkeypatch.setattr(paths, "data", lambda: tmp_path / "data")
    (tmp_path / "data" / "sources").mkdir(parents=True)

    def write(**entries):
        (tmp_path / "data" / "sources" / "index.yaml").write_text(yaml.safe_dump(entries))

    write(
        mine=entry(),
        asked={
            "open": False,
            "purpose": "faces.",
            "licence": "Research only.",
            "citation": "Them.",
            "obtain": "Fill in the form.",
        },
    )
    return write


@pytest.fixture
def cache(tmp_path):
    """Put content where a download of `mine` would be."""

    def put(content=CONTENT):
        for path, data in content.items():
            place = tmp_path / "cache" / "sources" / "mine" / path
            place.parent.mkdir(parents=True, exist_ok=True)
            place.write_bytes(data)

    return put


@pytest.fixture
def server(monkeypatch):
    """A local web server; `server.sent` maps a path to what it sends, `server.asked` lists the
    requests. Set `server.answer` to do something else with one; `server.told` counts its bytes."""

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self):
            web.asked.append(self.path[1:])
            try:
                web.answer(self)
            except OSError:  # the client went away
                web.gone.set()

        def start(self, status=200, **headers):
            self.send_response(status)
            for name, value in headers.items():
                self.send_header(name.replace("_", "-"), value)
            self.end_headers()

        def send(self, some):
            self.wfile.write(some)
            web.told += len(some)

        def log_message(self, format, *args):
            pass

    def answer(request):
        content = web.sent.get(request.path[1:])
        request.start(404 if content is None else 200)
        request.send(content or b"")

    web = ThreadingHTTPServer(("localhost", 0), Handler)
    web.daemon_threads, web.answer, web.gone = True, answer, threading.Event()
    web.sent, web.asked, web.told = dict(CONTENT), [], 0
    web.base = f"http://localhost:{web.server_port}/"
    threading.Thread(target=web.serve_forever, daemon=True).start()
    from vlmbias.sources import download

    monkeypatch.setattr(download, "_SECURE", (web.base,))
    send = download._download
    monkeypatch.setattr(
        download,
        "_download",
        lambda source, *rest: send(source.model_copy(update={"base": web.base}), *rest),
    )
    yield web
    web.shutdown()
    web.server_close()
