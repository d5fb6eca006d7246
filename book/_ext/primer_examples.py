"""Numbers and tables of the worked examples on the pages on methods: the role `{primer}` and the
directive `{primer-table}`.

Comes in: `studies.primer_examples`. Goes out: the computed value or table. May not: hold a number
of its own.
"""

from __future__ import annotations

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.util.docutils import SphinxDirective, SphinxRole

from studies import primer_examples, primers


def depend(env) -> None:
    """The page changes when the examples do."""
    env.note_dependency(primer_examples.__file__)
    env.note_dependency(primers.__file__)


class PrimerRole(SphinxRole):
    """`` {primer}`association.d:.2f` ``: a value of a page's example, and its format."""

    def run(self) -> tuple[list[nodes.Node], list[nodes.system_message]]:
        depend(self.env)
        name, _, form = self.text.partition(":")
        page, _, key = name.partition(".")
        try:
            text = format(primer_examples.example(page).values[key], form)
        except (KeyError, ValueError) as problem:
            message = self.inliner.reporter.error(f"primer role: {problem}", line=self.lineno)
            return [self.inliner.problematic(self.rawtext, self.rawtext, message)], [message]
        return [nodes.inline(self.rawtext, text, classes=["vb-result"])], []


class PrimerTable(SphinxDirective):
    """`{primer-table} ranking.six`: a table of a page's example."""

    required_arguments = 1

    def run(self) -> list[nodes.Node]:
        depend(self.env)
        page, _, key = self.arguments[0].partition(".")
        try:
            table = primer_examples.example(page).tables[key]
        except KeyError as problem:
            raise self.error(f"primer-table has no {problem}") from problem
        head = [table.index.name or "", *table.columns]
        rows = [[name, *row] for name, row in zip(table.index, table.to_numpy(), strict=True)]
        lines = [head, ["---"] * len(head), *rows]
        text = "\n".join(f"| {' | '.join(map(str, line))} |" for line in lines)
        return self.parse_text_to_nodes(text)


def setup(app: Sphinx) -> dict:
    app.add_role("primer", PrimerRole())
    app.add_directive("primer-table", PrimerTable)
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}
