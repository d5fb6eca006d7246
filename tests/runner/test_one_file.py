"""A page in one file."""

import base64

from runner.reruns import one_file

PAGE = """<html><head><link rel="icon" href="_static/i.svg"/>
<link rel="preload" as="font" href="_static/f.woff2" />
<link rel="stylesheet" href="../_static/a.css?v=1" /><script src="../_static/now.js"></script>
<script defer="defer" src="../_static/late.js"></script>
<script src="../_static/searchtools.js"></script></head>
<body><img src="../_images/p.png"/><img src="data:image/png;base64,AA=="/><a href="https://here.example/b.html">x</a></body></html>"""


def test_all_that_a_page_loads_is_inside(tmp_path):
    for name, text in {
        "one/page.html": PAGE,
        "_static/a.css": '@import "b.css";\n@font-face {src: url("f.woff2") format("woff2"), '
        "url(f.ttf) "
        'format("truetype")}',
        "_static/b.css": "p {background: url('p.png')}",
        "_static/now.js": "now('</script>')",
        "_static/late.js": "late('url(\"%%URL%%/A.woff\")')",
        "_static/searchtools.js": "searches()",
    }.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text)
    fonts = tmp_path / "_static/mathjax/output/chtml/fonts/woff-v2"
    fonts.mkdir(parents=True)
    (tmp_path / "_images").mkdir()
    for file in (
        fonts / "A.woff",
        tmp_path / "_static/f.woff2",
        tmp_path / "_static/p.png",
        tmp_path / "_images/p.png",
    ):
        file.write_bytes(b"bytes")
    text, inside = (
        one_file.whole(tmp_path / "one/page.html", tmp_path),
        base64.b64encode(b"bytes").decode(),
    )
    assert (
        "_static" not in text
        and "_images" not in text
        and "searches()" not in text
        and ".ttf" not in text
    )
    assert (
        text.count(inside) == 4
        and f"data:font/woff2;base64,{inside}" in text
        and f"data:image/png;base64,{inside}" in text
    )
    assert f'url("data:font/woff;base64,{inside}")' in text and "%%URL%%" not in text
    assert "now('<\\/script>')" in text and text.index("</a>") < text.index("late(") < text.index(
        "</body>"
    )
    assert 'href="https://here.example/b.html"' in text
