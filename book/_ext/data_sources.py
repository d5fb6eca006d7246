"""The data that this repository does not hold, as a list: the directive `{data-sources}`."""

from __future__ import annotations

import computed
from sphinx.application import Sphinx

from vlmbias.sources.catalogue import Source, catalogue


def listed(page: str, kind: str) -> str:
    """`{data-sources} open`, those that the book may fetch; `ask`, those that a person asks for."""
    is_open = {"open": True, "ask": False}[kind]
    return "\n".join(_entry(one) for one in catalogue().values() if one.open == is_open)


def _entry(one: Source) -> str:
    size = f", {sum(file.bytes for file in one.files) / 1000:,.0f} kB" if one.open else ""
    lines = {"For": one.purpose, "From": one.citation, "Terms": one.licence, "How": one.obtain}
    body = "\\\n  ".join(f"*{name}:* {text}" for name, text in lines.items() if text)
    return f"`{one.key}`{size}\n: {body}\n"


def setup(app: Sphinx) -> None:
    computed.directive(app, "data-sources", listed)
