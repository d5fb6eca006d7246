"""Keep every page readable with no network.

Comes in: the Sphinx application. Goes out: MathJax (one script, its fonts) among the site's
static files, and no Thebe. May not: change what a page says.
"""

from __future__ import annotations

from importlib import import_module
from pathlib import Path

from sphinx.application import Sphinx
from sphinx.util.fileutil import copy_asset
from sphinx.util.osutil import ensuredir

MATHJAX = "tex-mml-chtml.js"
FONTS = "output/chtml/fonts/woff-v2"


def use_local_mathjax(app: Sphinx, config) -> None:
    """Point Sphinx at the copy that `copy_libraries` makes; the default is a content network."""
    config.mathjax_path = f"mathjax/{MATHJAX}"


def drop_thebe(app: Sphinx) -> None:
    """Unplug Thebe, which Jupyter Book always loads: it refers to a script on a content network."""
    for event in ("env-before-read-docs", "doctree-resolved"):
        listeners = app.events.listeners[event]
        listeners[:] = [
            one for one in listeners if not one.handler.__module__.startswith("sphinx_thebe")
        ]


def copy_libraries(app: Sphinx, error: Exception | None) -> None:
    """Write MathJax from its installed package into the built site, once."""
    if error or app.builder.format != "html":
        return
    static = Path(app.outdir, "_static")
    installed = import_module("sphinx-mathjax-offline").__file__ or ""
    mathjax = Path(installed).parent / "static" / "mathjax"
    if not (static / "mathjax" / MATHJAX).exists():
        ensuredir(static / "mathjax" / FONTS)
        copy_asset(str(mathjax / FONTS), str(static / "mathjax" / FONTS))
        copy_asset(str(mathjax / MATHJAX), str(static / "mathjax"))


def setup(app: Sphinx) -> dict:
    app.connect("config-inited", use_local_mathjax)
    app.connect("builder-inited", drop_thebe, priority=1)
    app.connect("build-finished", copy_libraries)
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}
