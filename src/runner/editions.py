"""Editions of the book side by side, where it is published:
`python src/runner/editions.py TARGET greenhouse=SITE open=SITE`.

The first edition lies at the root of the new folder, every other in a folder of its name; on each
page a switch leads to the same page of the others. A site that is not there is left out. Only the
standard library is used, as the job that publishes installs nothing.
"""

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
PLACE = re.compile(r'(<article class="bd-article"[^>]*>)(<nav class="vb-editions".*?</nav>)?')
ABOUT = "book/read.html"


def join(editions: dict[str, Path], target: Path) -> list[str]:
    """Lay the editions that exist into `target`, anew; return their names.

    Raises
    ------
    ValueError : the first is not there, or another has the name of a folder in it."""
    first = next(iter(editions))
    there = {name: site for name, site in editions.items() if (site / "index.html").is_file()}
    if first not in there:
        raise ValueError(
            f"the edition {first!r} has no index.html in {editions[first]}; build it: "
            f"make book SETTINGS={first}"
        )
    for name in there:
        if name != first and (there[first] / name).exists():
            raise ValueError(
                f"the edition {name!r} would replace the folder {name}/ of {first!r}; name it"
                " otherwise"
            )
    shutil.rmtree(target, ignore_errors=True)
    roots = {name: target if name == first else target / name for name in there}
    for name, site in there.items():
        shutil.copytree(site, roots[name], dirs_exist_ok=name == first)
    for name, site in there.items():
        for page in sorted(site.rglob("*.html")):
            _switch(roots, name, page.relative_to(site))
    return list(there)


def _switch(roots: dict[str, Path], own: str, page: Path) -> None:
    """Put the switch before the text of one page; a deck of slides stays as it is."""
    path = roots[own] / page
    text = path.read_text("utf-8")
    if len(roots) == 1 or not PLACE.search(text):
        return

    def link(to: Path) -> str:
        return Path(os.path.relpath(to, path.parent)).as_posix()

    items = []
    for name, root in roots.items():
        words = html.escape(f"{name} – {SAYS.get(name, 'settings of that name')}")
        other = root / page if (root / page).is_file() else root / "index.html"
        items.append(
            f'<li aria-current="page">{words}</li>'
            if name == own
            else f'<li><a href="{link(other)}">{words}</a></li>'
        )
    filled = (
        f'<nav class="vb-editions" aria-label="Editions"><a href="{link(roots[own] / ABOUT)}'
        f'#editions">Edition</a><ul>{"".join(items)}</ul></nav>'
    )
    path.write_text(PLACE.sub(lambda place: place[1] + filled, text, count=1), "utf-8")


def main(words: list[str]) -> None:
    """Join what is named on the command line, and say what was left out."""
    given = [word.partition("=") for word in words[1:]]
    if not given or not all(name and folder for name, _, folder in given):
        sys.exit("usage: editions.py TARGET name=SITE [name=SITE …]")
    editions = {name: Path(folder) for name, _, folder in given}
    try:
        joined = join(editions, Path(words[0]))
    except ValueError as error:
        sys.exit(str(error))
    for name, site in editions.items():
        print(f"{name}: {'in ' + words[0] if name in joined else f'not in {site}, left out'}")


if __name__ == "__main__":
    main(sys.argv[1:])
