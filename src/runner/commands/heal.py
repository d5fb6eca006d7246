"""What is damaged below `_build`, found before the graph is run.

Comes in: the build folder. Goes out: the names of what was removed, so that the graph makes it
anew.
May not: remove what reads and fits, or anything that the graph does not make.
"""

import json
from pathlib import Path
from typing import Any

from runner.plan import notebooks
from vlmbias import paths
from vlmbias.executed import made
from vlmbias.whole_files import write_json


def heal() -> list[str]:
    """Remove what is damaged in `_build`, so that the graph makes it anew; name it.

    An executed notebook goes with its results if either is not whole, or the results are not the
    ones that it left; other files that the graph makes and Snakemake's own notes, if they do not
    read. What was whole at the last look and has not changed since is not read again.
    """
    build, gone = paths.build(), []
    if (last := build / "site.last").is_dir() and not (site := build / "site").exists():
        last.rename(site)  # a kill came between the last site and its successor
    pairs = [
        (build / f"executed/{name}.ipynb", build / f"results/{name}.json") for name in notebooks()
    ]
    pairs += [
        (path, path.with_suffix(".json")) for path in sorted(build.glob("models/*/*/*.ipynb"))
    ]
    known, whole = _read_json(build / "whole.json"), {}
    for pair in pairs:
        here = [path for path in pair if path.exists()]
        state = [[about.st_mtime_ns, about.st_size] for about in (path.stat() for path in here)]
        key = pair[0].relative_to(build).as_posix()
        unchanged = isinstance(known, dict) and known.get(key) == state
        if len(here) == 2 and (unchanged or made(*pair)):
            whole[key] = state
        else:
            gone += here
    others = [
        build / "ledger.json",
        build / "site/built.json",
        *paths.root().glob(".snakemake/metadata/*"),
    ]
    gone += [path for path in others if path.is_file() and _read_json(path) is None]
    for path in gone:
        path.unlink()
    write_json(build / "whole.json", whole)
    return [path.relative_to(paths.root()).as_posix() for path in gone]


def _read_json(path: Path) -> Any:
    """What a JSON file holds; None if it is not there or does not read."""
    try:
        return json.loads(path.read_bytes())
    except (OSError, ValueError, RecursionError):
        return None
