"""A page in one file: what it loads (styles, scripts, fonts, pictures) is inside, so that it can be
moved and mailed.
"""

import re
from base64 import b64encode
from mimetypes import guess_type
from pathlib import Path
from urllib.parse import unquote

# what one page does without: links to its neighbours, search, icons that come with their fonts
_NOT_NEEDED = re.compile(
    r'<link\b[^>]*\brel="(?:preload|index|search|next|prev|icon|shortcut icon|canonical)"[^>]*>'
    r'|<script\b[^>]*\bsrc="[^"]*(?:searchtools|language_data|sphinx_highlight|design-tabs'
    r'|fontawesome)[^"]*"[^>]*>\s*</script>'
)
_LOADED = re.compile(r'(<(?:link|script|img)\b[^>]*?\b(?:href|src)=")([^"]+)')
_LOADED_BY_STYLE = re.compile(r"""((?:@import |url\()["']?)([^"')]+)""")
_OTHER_FORMATS = re.compile(r',\s*url\([^)]+\.ttf[^)]*\)\s*format\(["\']?truetype["\']?\)')
_FONT_OF_MATHJAX = re.compile(r"%%URL%%/([\w-]+\.woff)")
_FONTS = "_static/mathjax/output/chtml/fonts/woff-v2"


def whole(page: Path, root: Path) -> str:
    """The text of a page with all that it loads inside.

    Parameters
    ----------
    page : the HTML file, below `root`.
    root : the folder of the site that it was built as.
    """
    text = _NOT_NEEDED.sub("", page.read_text("utf-8"))
    return _LOADED.sub(lambda link: link[1] + _inside(link[2], page, root), text)


def _inside(address: str, beside: Path, root: Path) -> str:
    """The address of a file as one that holds it; of what is elsewhere, or is not there, nothing:
    a page asks no network.
    """
    if address.startswith(("data:", "#")):
        return address
    file = (beside.parent / unquote(re.split("[?#]", address)[0])).resolve()
    if not file.is_file():
        return "data:,"
    content = file.read_bytes()
    if file.suffix == ".css":
        text = _OTHER_FORMATS.sub("", content.decode())
        text = _LOADED_BY_STYLE.sub(lambda link: link[1] + _inside(link[2], file, root), text)
        content = text.encode()
    elif b"%%URL%%" in content:
        fonts = root / _FONTS / "any"
        content = _FONT_OF_MATHJAX.sub(
            lambda font: _inside(font[1], fonts, root), content.decode()
        ).encode()
    kind = guess_type(file.name)[0] or "application/octet-stream"
    return f"data:{kind};base64,{b64encode(content).decode()}"
