"""The data that this repository does not hold, as lists: the directive `{data-sources}`.

Comes in: `data/sources/index.yaml`, through `vlmbias.sources`. Goes out: the sources that the book
may fetch (`open`), or those that a person has to ask for (`ask`). May not: say more than the file
does.
"""

from __future__ import annotations

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.util.docutils import SphinxDirective

from vlmbias import paths
from vlmbias.sources.catalogue import Source, catalogue


def _entry(one: Source) -> str:
    size = f", {sum(file.bytes for file in one.files) / 1000:,.0f} kB" if one.open else ""
    lines = {"For": one.purpose, "From": one.citation, "Terms": one.licence, "How": one.obtain}
    body = "\\\n  ".join(f"*{name}:* {text}" for name, text in lines.items() if text)
    return f"`{one.key}`{size}\n: {body}\n"


class DataSources(SphinxDirective):
    """`{data-sources} open` or `{data-sources} ask`."""

    required_arguments = 1

    def run(self) -> list[nodes.Node]:
        self.env.note_dependency(str(paths.data() / "sources/index.yaml"))
        is_open = {"open": True, "ask": False}[self.arguments[0]]
        entries = [_entry(one) for one in catalogue().values() if one.open == is_open]
        return self.parse_text_to_nodes("\n".join(entries))


def setup(app: Sphinx) -> dict:
    app.add_directive("data-sources", DataSources)
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}
