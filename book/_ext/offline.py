"""Keep every page readable with no network: MathJax among the site's own files, and no Thebe."""

from __future__ import annotations

from importlib import import_module
from pathlib import Path

from sphinx.application import Sphinx
from sphinx.util.fileutil import copy_asset
from sphinx.util.osutil import ensuredir

MATHJAX = "tex-mml-chtml.js"
FONTS = "output/chtml/fonts/woff-v2"


def use_local_mathjax(app: Sphinx, config) -> None:
    """Point Sphinx at the copy that `copy_mathjax` makes; the default is a content network."""
    config.mathjax_path = f"mathjax/{MATHJAX}"


def drop_thebe(app: Sphinx) -> None:
    """Unplug Thebe, which Jupyter Book always loads: it refers to a script on a content network."""
    for event in ("env-before-read-docs", "doctree-resolved"):
        for one in list(app.events.listeners[event]):
            if one.handler.__module__.startswith("sphinx_thebe"):
                app.disconnect(one.id)


def copy_mathjax(app: Sphinx, error: Exception | None) -> None:
    """Write one script and its fonts into the built site: the whole package has 24 MB."""
    if error or app.builder.format != "html":
        return
    site = Path(app.outdir, "_static/mathjax")
    installed = import_module("sphinx-mathjax-offline").__file__ or ""
    package = Path(installed).parent / "static/mathjax"
    ensuredir(site / FONTS)
    copy_asset(package / FONTS, site / FONTS)
    copy_asset(package / MATHJAX, site)


def setup(app: Sphinx) -> None:
    app.connect("config-inited", use_local_mathjax)
    app.connect("builder-inited", drop_thebe, priority=1)
    app.connect("build-finished", copy_mathjax)
