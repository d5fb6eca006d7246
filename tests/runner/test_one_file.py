"""A page in one file."""

import re
from base64 import b64decode

from runner.reruns import one_file

PAGE = """<html><head><link rel="icon" href="_static/i.svg"/>
<link rel="preload" as="font" href="_static/f.woff2" />
<link rel="stylesheet" href="../_static/a.css?v=1" /><script src="../_static/now.js"></script>
<script defer="defer" src="../_static/late.js"></script>
<script src="../_static/searchtools.js"></script></head>
<body><img src="../_images/p.png"/><img src="data:image/png;base64,AA=="/><a href="https://here.example/b.html">x</a></body></html>"""
STYLE = """@import "b.css";
@font-face {src: url("f.woff2") format("woff2"), url(f.ttf) format("truetype")}
p {background: url("#mark")}"""


def inside(text, kind):
    """What the addresses of this kind hold, in order."""
    return [b64decode(one).decode() for one in re.findall(rf"data:{kind};base64,([\w+/=]+)", text)]


def test_all_that_a_page_loads_is_inside(tmp_path):
    files = {
        "one/page.html": PAGE,
        "_static/a.css": STYLE,
        "_static/b.css": "p {background: url('p.png')}",
        "_static/now.js": "now('</script>')",
        "_static/late.js": "late('url(\"%%URL%%/A.woff\")')",
        "_static/searchtools.js": "searches()",
        "_static/mathjax/output/chtml/fonts/woff-v2/A.woff": "a font of formulas",
        "_static/f.woff2": "a font",
        "_static/p.png": "a background",
        "_images/p.png": "a picture",
    }
    for name, text in files.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text)
    text = one_file.whole(tmp_path / "one/page.html", tmp_path)
    loaded = re.findall(r'(?:src|href)="([^"]*)"', text)
    assert [one for one in loaded if not one.startswith("data:")] == ["https://here.example/b.html"]
    assert inside(text, "image/png") == ["a picture", "\0"]
    now, late = inside(text, "text/javascript")
    assert now == "now('</script>')" and inside(late, "font/woff") == ["a font of formulas"]
    assert re.search(r'<script defer="defer" src="data:text/javascript', text)
    (style,) = inside(text, "text/css")
    assert inside(style, "font/woff2") == ["a font"] and ".ttf" not in style
    assert 'url("#mark")' in style
    (imported,) = inside(style, "text/css")
    assert inside(imported, "image/png") == ["a background"]
