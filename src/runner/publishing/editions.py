"""Editions of the book side by side:
`python src/runner/publishing/editions.py TARGET greenhouse=SITE open=SITE`.

Comes in: built sites with the same pages, each under the name of its settings. Goes out: one
folder; the first edition at its root, every other in a folder of its name, on each page a switch to
the same page of the others. A site that is not there is left out, and said so. May not: import
anything but the standard library, or change a site it was given."""

from __future__ import annotations

import html
import os
import re
import shutil
import sys
from pathlib import Path

SAYS = {
    "greenhouse": "the Greenhouse: our own faces and networks",
    "open": "open weights, open data",
    "paper": "the papers' own data",
}
# where a page's text begins, and the switch that an earlier call put there
PLACE = re.compile(r'(<article class="bd-article"[^>]*>)(<nav class="vb-editions".*?</nav>)?')
ABOUT = "book/read.html"
NAME = re.compile(r"[a-z][a-z0-9-]*")


def named(words: list[str]) -> dict[str, Path]:
    """The editions `name=folder`, in their order.

    Raises
    ------
    ValueError : no `=`, a name that is no plain word or comes twice, or the same name as a folder
    of the book."""
    editions: dict[str, Path] = {}
    for word in words:
        name, given, folder = word.partition("=")
        if not given or not NAME.fullmatch(name):
            raise ValueError(
                "an edition is name=folder, with a name of small letters (open=site/html); got"
                f" {word!r}"
            )
        if name in editions:
            raise ValueError(f"two editions are called {name!r}; give each a name of its own")
        editions[name] = Path(folder)
    return editions


def join(editions: dict[str, Path], target: Path) -> list[str]:
    """Lay the editions that exist into `target`, anew; return their names.

    Raises
    ------
    ValueError : the first is not there, another has the name of a folder in it, or `target` lies in
    one of them."""
    first = next(iter(editions))
    if not (editions[first] / "index.html").is_file():
        raise ValueError(
            f"the edition {first!r} has no index.html in {editions[first]}; build it: "
            f"make book SETTINGS={first}"
        )
    there = {
        name: site.resolve() for name, site in editions.items() if (site / "index.html").is_file()
    }
    for name, site in there.items():
        if target.resolve().is_relative_to(site):
            raise ValueError(
                f"{target} lies in the edition {name!r} ({site}); name a folder outside of it"
            )
        if name != first and (there[first] / name).exists():
            raise ValueError(
                f"the edition {name!r} would replace the folder {name}/ of {first!r}; name it"
                " otherwise"
            )
    aside = target.with_name(f"{target.name}.new")
    shutil.rmtree(aside, ignore_errors=True)
    roots = {name: aside if name == first else aside / name for name in there}
    for name, site in there.items():
        shutil.copytree(site, roots[name], dirs_exist_ok=name == first)
    for name, site in there.items():
        for page in sorted(site.rglob("*.html")):
            _switch(roots, name, page.relative_to(site))
    shutil.rmtree(target, ignore_errors=True)
    aside.rename(target)
    return list(there)


def _switch(roots: dict[str, Path], own: str, page: Path) -> None:
    """Put the switch before the text of one page; a deck of slides stays as it is."""
    path = roots[own] / page
    text = path.read_text(encoding="utf-8")
    if len(roots) == 1 or not PLACE.search(text):
        return
    items = []
    for name, root in roots.items():
        words = html.escape(f"{name} – {SAYS.get(name, 'settings of that name')}")
        if name == own:
            items.append(f'<li aria-current="page">{words}</li>')
            continue
        other = root / page if (root / page).is_file() else root / "index.html"
        items.append(
            f'<li><a href="{Path(os.path.relpath(other, path.parent)).as_posix()}">{words}</a></li>'
        )
    about = Path(os.path.relpath(roots[own] / ABOUT, path.parent)).as_posix()
    filled = (
        f'<nav class="vb-editions" aria-label="Editions"><a href="{about}#editions">Edition</a>'
        f"<ul>{''.join(items)}</ul></nav>"
    )
    path.write_text(PLACE.sub(lambda place: place[1] + filled, text, count=1), encoding="utf-8")


def main(words: list[str]) -> int:
    """Join what is named on the command line; 2 and one line where it is wrong."""
    if len(words) < 2:
        print("usage: editions.py TARGET name=SITE [name=SITE …]", file=sys.stderr)
        return 2
    try:
        editions = named(words[1:])
        joined = join(editions, Path(words[0]))
    except ValueError as error:
        print(error, file=sys.stderr)
        return 2
    for name in editions:
        print(
            f"{name}:"
            f" {'at ' + words[0] if name in joined else f'not there ({editions[name]}), left out'}"
        )
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
