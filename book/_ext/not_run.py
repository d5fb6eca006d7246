"""A glued value that is missing reads "not run", whatever number format its sentence asks for.

Comes in: what `vb.note` glued. Goes out: the text of `` {glue:text}`name:.2f` ``. May not: format anything else.
"""

from __future__ import annotations

from functools import wraps

from myst_nb.ext.glue import crossref, roles
from sphinx.application import Sphinx

from vlmbias.notes import NOT_RUN


def or_not_run(formatted):
    """The formatter, except that the words for a missing value go through unchanged."""

    @wraps(formatted)
    def text(value: str, form: str) -> str:
        return NOT_RUN if value.strip("'\"") == NOT_RUN else formatted(value, form)

    return text


def setup(app: Sphinx) -> dict:
    """Let both ways of gluing, within a page and across pages, know the words."""
    for module in (roles, crossref):
        if not hasattr(module.format_plain_text, "__wrapped__"):
            module.format_plain_text = or_not_run(module.format_plain_text)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
