"""Sphinx over a few pages with extensions of the book, in the process of the tests."""

import io
import sys
from collections.abc import Sequence
from pathlib import Path

from sphinx.application import Sphinx
from sphinx.util.docutils import docutils_namespace


def forget(*names: str) -> None:
    """Modules that are to be imported anew: they keep what they have read."""
    for name in names:
        sys.modules.pop(name, None)


def build(source: Path, *extensions: str, syntax: Sequence[str] = ()) -> str:
    """Build the pages of a folder into its `html`; the warnings.

    Parameters
    ----------
    syntax : extensions of the syntax, by MyST's names.
    """
    warnings = io.StringIO()
    options = {
        "extensions": ["myst_parser", *extensions],
        # a build of notebooks in this process changes what Sphinx takes for the default
        "source_suffix": {".md": "markdown"},
        "myst_enable_extensions": list(syntax),
    }
    with docutils_namespace():
        places = (source, None, source / "html", source / "trees")
        Sphinx(*places, "html", status=None, warning=warnings, confoverrides=options).build()
    return warnings.getvalue()
