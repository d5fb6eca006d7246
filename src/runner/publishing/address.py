"""The address of the repository, in the two files that name it:
`python src/runner/publishing/address.py https://…`.

Then `make pair` puts the cell that installs the book from there into every `.ipynb`, and pages have
a button for Colab.

Comes in: the address. Goes out: `repository: url` in `_config.yml`, from which all links in the
book are made, and `repository-code` in `CITATION.cff`. May not: import anything but the standard
library, or change another line.
"""

from __future__ import annotations

import re
import sys
from pathlib import Path
from urllib.parse import urlsplit

SETTING = re.compile(r'^(repository:\n(?:  .*\n)*?  url: )"(.*)"', re.MULTILINE)
CODE = re.compile(r'^repository-code: "?(.*?)"?$\n?', re.MULTILINE)
BEFORE = re.compile(r"^license:", re.MULTILINE)


def checked(address: str) -> str:
    """The address without its last slash.

    Raises
    ------
    ValueError : it is no https address of a host and a path, or has signs that would end it in
    YAML.
    """
    parts = urlsplit(address)
    more = parts.query + parts.fragment
    whole = parts.scheme == "https" and "." in parts.netloc and parts.path.strip("/") and not more
    if not whole or re.search(r'["\s\\]|@', address):
        raise ValueError(
            f"the address of a repository is like https://host/owner/name; got {address!r}"
        )
    return address.rstrip("/")


def of_settings(config: str) -> str:
    """The address that the text of `_config.yml` gives; empty if none is set."""
    if not (found := SETTING.search(config)):
        raise ValueError('_config.yml has no line `url: "…"` below `repository:`; write one')
    return found[2]


def write(root: Path, address: str) -> None:
    """Put the address into both files below `root`; an empty one takes it out."""
    address = address and checked(address)
    config, citation = root / "_config.yml", root / "CITATION.cff"
    new = SETTING.sub(lambda found: f'{found[1]}"{address}"', config.read_text())
    cited = CODE.sub("", citation.read_text())
    line = f'repository-code: "{address}"\n' if address else ""
    for path, text in (
        (config, new),
        (citation, BEFORE.sub(lambda found: line + found[0], cited, count=1)),
    ):
        aside = path.with_name(path.name + ".new")
        aside.write_text(text)
        aside.rename(path)


if __name__ == "__main__":
    try:
        write(Path(__file__).resolve().parents[3], *sys.argv[1:])
    except (ValueError, TypeError) as error:
        sys.exit(
            f"{error}"
            if isinstance(error, ValueError)
            else "usage: address.py https://host/owner/name"
        )
