"""A page in one file: styles, scripts, fonts and pictures inside, so that it can be moved and
mailed.

Comes in: a page that Sphinx built, the folder it was built in. Goes out: the same page, which loads
nothing. May not: change what the page says, or leave a way to a file that a moved page does not
have.
"""

import re
from base64 import b64encode
from html import escape
from mimetypes import guess_type
from pathlib import Path
from urllib.parse import unquote

_SHEET = re.compile(r'<link\b[^>]*\brel="stylesheet"[^>]*>')
_OTHER = re.compile(
    r'<link\b[^>]*\brel="(?:preload|index|search|next|prev|icon|shortcut icon|canonical)"[^>]*>'
)
_SCRIPT = re.compile(r'<script\b([^>]*)\bsrc="([^"]+)"([^>]*)>\s*</script>')
_PICTURE = re.compile(r'(<img\b[^>]*\bsrc=")([^":]+)(")')
_URL = re.compile(r"""url\((["']?)(?!data:|#)([^)"']+)\1\)""")
_FONT_OF_MATHJAX = re.compile(r'url\("%%URL%%/([\w-]+\.woff)"\)')
# one page needs no search; icons come with their fonts
_NOT_NEEDED = ("searchtools", "language_data", "sphinx_highlight", "design-tabs", "fontawesome")
_FONTS = "_static/mathjax/output/chtml/fonts/woff-v2"


def whole(page: Path, root: Path) -> str:
    """The text of a page with all that it loads inside.

    Parameters
    ----------
    page : the HTML file, below `root`.
    root : the folder of the site that it was built as.
    """
    text = page.read_text("utf-8")
    late: list[str] = []

    def script(match: re.Match) -> str:
        if any(name in match[2] for name in _NOT_NEEDED) or (file := _file(match[2], page)) is None:
            return ""
        inside = f"<script>{_script(file, root)}</script>"
        if re.search(r"\b(defer|async)\b", match[1] + match[3]):
            late.append(inside)  # a script inside the page cannot wait for its end: it stands there
            return ""
        return inside

    text = _OTHER.sub("", text)
    text = _SHEET.sub(lambda match: _sheet(match[0], page), text)
    text = _SCRIPT.sub(script, text)
    text = _PICTURE.sub(
        lambda match: match[1] + (_data(match[2], page) or match[2]) + match[3], text
    )
    return text.replace("</body>", "\n".join([*late, "</body>"]), 1)


def _file(address: str, beside: Path) -> Path | None:
    """The file that a page or a style names, if it is there."""
    if "://" in address or address.startswith(("data:", "//")):
        return None
    file = (beside.parent / unquote(address.partition("?")[0].partition("#")[0])).resolve()
    return file if file.is_file() else None


def _data(address: str, beside: Path) -> str | None:
    """A file as an address that holds it."""
    if (file := _file(address, beside)) is None:
        return None
    kind = {".woff2": "font/woff2", ".woff": "font/woff"}.get(file.suffix) or guess_type(file.name)[
        0
    ]
    return (
        f"data:{kind or 'application/octet-stream'};base64,{b64encode(file.read_bytes()).decode()}"
    )


def _sheet(tag: str, page: Path) -> str:
    address = re.search(r'href="([^"]+)"', tag)
    if address is None or (file := _file(address[1], page)) is None:
        return ""
    media = re.search(r'media="([^"]+)"', tag)
    return f"<style{f' media={escape(media[1])!r}' if media else ''}>{_css(file)}</style>"


def _css(file: Path) -> str:
    """A style sheet with its fonts and pictures; of a font in several formats, the first that is
    there in woff2.
    """
    text = file.read_text("utf-8").replace("</style", "<\\/style")
    text = re.sub(
        r'@import (?:url\()?["\']?([^)"\';]+)["\']?\)?;',
        lambda match: _imported(match[1], file),
        text,
    )
    text = re.sub(r',\s*url\(["\']?[^)"\']+\.ttf[^)]*\)\s*format\(["\']?truetype["\']?\)', "", text)

    def inside(match: re.Match) -> str:
        return f'url("{_data(match[2], file) or "data:,"}")'

    return _URL.sub(inside, text)


def _imported(address: str, beside: Path) -> str:
    return "" if (file := _file(address, beside)) is None else _css(file)


def _script(file: Path, root: Path) -> str:
    """A script as it may stand inside a page; MathJax has its fonts with it."""
    text = file.read_text("utf-8")
    if "%%URL%%" in text:
        fonts = root / _FONTS
        text = _FONT_OF_MATHJAX.sub(
            lambda match: f'url("{_data(match[1], fonts / "x") or "data:,"}")', text
        )
    return re.sub(r"</(script)", r"<\\/\1", text, flags=re.IGNORECASE).replace("<!--", "<\\!--")
