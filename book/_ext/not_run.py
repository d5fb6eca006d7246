"""A sentence whose result is missing is not printed.

Comes in: pages whose sentences print results, `` {glue:text}`name:.2f` `` and
`` {result}`chapter::name` ``. Goes out: the pages without the sentences that lack one. In Markdown,

    [The largest difference is {result}`calibration/ieat::gap.d:.1e`.]{.if-run} [It was not computed
    here.]{.if-not-run}

prints the first brackets where every result in them is there, and the second, which may be absent,
where one is not. A line `{.if-run}` above a paragraph, a list or a directive says the same of all
of it. What is left empty goes too: the paragraph, the item of a list, the row of a table. May not:
print "not run" in a sentence. Where one lacks a result and says nothing, its paragraph goes, and a
warning, which ends the build of the book, names what it lacks.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from functools import wraps

from docutils import nodes
from myst_nb.ext.glue import crossref, roles
from sphinx.application import Sphinx
from sphinx.transforms.post_transforms import SphinxPostTransform
from sphinx.util import logging

from vlmbias.notes import NOT_RUN

IF_RUN, IF_NOT_RUN, MISSING, GLUED = "if-run", "if-not-run", "vb-not-run", "pasted-text"
BLOCKS = (nodes.row, nodes.list_item, nodes.paragraph, nodes.definition_list_item)
# brackets with a class, in plain text; brackets inside them may hold no others
_SPAN = re.compile(r"\[(?P<text>(?:[^\[\]]|\[[^\[\]]*\])*)\]\{\.(?P<kind>if-run|if-not-run)\}")
_WARN = logging.getLogger(__name__).warning


def or_not_run(formatted: Callable[[str, str], str]) -> Callable[[str, str], str]:
    """The formatter of glued values, except that the words for a missing one go through
    unchanged."""

    @wraps(formatted)
    def text(value: str, form: str) -> str:
        return NOT_RUN if value.strip("'\"") == NOT_RUN else formatted(value, form)

    return text


def missing(tree: nodes.Element) -> list[nodes.Element]:
    """The places in a tree where a result is missing."""

    def lacks(node: nodes.Element) -> bool:
        classes = node.get("classes", ())
        return MISSING in classes or (GLUED in classes and node.astext() == NOT_RUN)

    return [node for node in tree.findall(nodes.Element) if lacks(node)]


def settle(document: nodes.Element) -> list[str]:
    """Take out of a page what lacks a result, or what stands for it where nothing does; changed in
    place.

    Returns
    -------
    What had to be taken out although nothing said so: the words of each such block.
    """
    for unit in reversed(list(_of_class(document, IF_RUN))):  # those inside others first
        other = _alternative(unit)
        if missing(unit):
            _remove(unit)
        elif other is not None:
            _remove(other)
    undeclared = []
    while left := missing(document):
        block = _block(left[0])
        undeclared.append(" ".join(block.astext().split()))
        _remove(block)
    for unit in [*_of_class(document, IF_RUN), *_of_class(document, IF_NOT_RUN)]:
        unit["classes"] = [name for name in unit["classes"] if name not in (IF_RUN, IF_NOT_RUN)]
    return undeclared


def _of_class(tree: nodes.Element, name: str) -> Iterator[nodes.Element]:
    return (node for node in tree.findall(nodes.Element) if name in node.get("classes", ()))


def _alternative(unit: nodes.Element) -> nodes.Element | None:
    """What stands right after it to be shown in its place."""
    after = unit.parent[unit.parent.index(unit) + 1 :]
    following = next(
        (node for node in after if not isinstance(node, nodes.Text) or node.strip()), None
    )
    known = isinstance(following, nodes.Element) and IF_NOT_RUN in following.get("classes", ())
    return following if known else None


def _block(node: nodes.Node) -> nodes.Element:
    """The row, item or paragraph in which a value stands; the value itself, as in a heading, if
    there is none."""
    around = node
    while around.parent is not None and not isinstance(around, BLOCKS):
        around = around.parent
    if around.parent is None:
        return node
    while (
        isinstance(around.parent, nodes.list_item | nodes.entry)
        and around.parent.index(around) == 0
    ):
        around = around.parent  # a paragraph that opens an item or a cell speaks for it
    return around.parent if isinstance(around, nodes.entry) else around


def _remove(node: nodes.Element) -> None:
    """Take a node out, and what is empty without it: of a table, the row."""
    parent = node.parent
    after = parent[parent.index(node) + 1 :]
    parent.remove(node)
    if after and isinstance(after[0], nodes.Text) and isinstance(node, nodes.inline):
        parent.replace(after[0], nodes.Text(after[0].lstrip()))
    holds = (
        nodes.paragraph,
        nodes.list_item,
        nodes.bullet_list,
        nodes.enumerated_list,
        nodes.entry,
        nodes.row,
        nodes.definition,
        nodes.definition_list_item,
        nodes.definition_list,
    )
    if isinstance(parent, nodes.tbody) and not len(parent):
        _remove(parent.parent.parent)
    elif (
        isinstance(parent, holds)
        and not parent.astext().strip()
        and not list(parent.findall(nodes.image))
    ):
        _remove(parent.parent if isinstance(parent, nodes.entry) else parent)


def _refuse(message: str) -> None:
    raise ValueError(message)


def settled(
    text: str, value: Callable[[str], str], *, missing: Callable[[str], None] = _refuse
) -> str:
    """The same for plain Markdown: the text without the brackets that lack a result, and the
    results filled in.

    Parameters
    ----------
    text : one slide, or one answer.
    value : fills the results into a text; what is missing reads `NOT_RUN`.
    missing : is told of a result that is missing where no brackets say what then.

    Raises
    ------
    ValueError : in that case, by default.
    """
    found, last, lacked, parts = list(_SPAN.finditer(text)), 0, False, []
    for one in found:
        between = value(text[last : one.start()])
        filled = value(one["text"])
        if one["kind"] == IF_RUN:
            lacked = NOT_RUN in filled
            shown = "" if lacked else filled
        else:
            shown = filled if lacked else ""
        parts += [between.rstrip(" ") if not shown else between, shown]
        last = one.end()
    parts.append(value(text[last:]))
    for part in parts:
        if NOT_RUN in part:
            line = next(line for line in part.splitlines() if NOT_RUN in line)
            missing(
                f"a result is missing in {line.strip()!r}: put the sentence into [ … ]{{.{IF_RUN}}}"
            )
    return "".join(parts)


class LeaveOut(SphinxPostTransform):
    """Settle every page after its values are there, before its references are resolved."""

    default_priority = 6

    def run(self, **_: object) -> None:
        for text in settle(self.document):
            shown = text if len(text) < 200 else f"{text[:200]}…"
            _WARN(
                f"a result is missing in {shown!r}: put the sentence into [ … ]{{.{IF_RUN}}}",
                location=self.env.docname,
            )


def setup(app: Sphinx) -> dict:
    """Let both ways of gluing, within a page and across pages, know the words, and settle every
    page."""
    for module in (roles, crossref):
        if not hasattr(module.format_plain_text, "__wrapped__"):
            module.format_plain_text = or_not_run(module.format_plain_text)
    app.add_post_transform(LeaveOut)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
