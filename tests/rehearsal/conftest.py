"""A reader's machine on the day when there is a network: a hub, a server of open files, empty
caches."""

import pytest
from huggingface_hub import constants

from runner import used
from vlmbias.embedding import encoders
from vlmbias.embedding.torchvision_shim import import_open_clip
from vlmbias.sources import download

from .networks import TINY, on_the_hub
from .servers import serving


@pytest.fixture(scope="session")
def tiny_files():
    return on_the_hub(TINY)


@pytest.fixture
def hub(tiny_files, tmp_path, monkeypatch):
    """The hub, with tiny networks under two real names, and an empty cache."""
    import_open_clip()
    from open_clip import factory

    for name, config in TINY.items():
        monkeypatch.setitem(factory._MODEL_CONFIGS, name, config)
    used._state.cache_clear()
    encoders._shared.cache_clear()
    with serving() as server:
        server.files |= tiny_files
        monkeypatch.setattr(constants, "ENDPOINT", server.address)
        monkeypatch.setattr(
            constants,
            "HUGGINGFACE_CO_URL_TEMPLATE",
            server.address + "/{repo_id}/resolve/{revision}/{filename}",
        )
        monkeypatch.setattr(constants, "HF_HUB_CACHE", str(tmp_path / "hub"))
        monkeypatch.setattr(
            constants, "DOWNLOAD_CHUNK_SIZE", 100_000
        )  # what a break may cost; on the hub, 10 MB
        monkeypatch.setenv("VLMBIAS_CACHE", str(tmp_path / "cache"))
        yield server
    used._state.cache_clear()
    encoders._shared.cache_clear()


@pytest.fixture
def open_files(hub, monkeypatch):
    """The same server in place of every open source; its files are named by their paths in the
    source."""
    original = download._download
    monkeypatch.setattr(download, "_SECURE", ("http://127.0.0.1:",))
    monkeypatch.setattr(
        download,
        "_download",
        lambda source, *rest: original(
            source.model_copy(update={"base": f"{hub.address}/open/"}), *rest
        ),
    )
    return hub
