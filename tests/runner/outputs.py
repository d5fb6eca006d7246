"""What a cell leaves in an executed notebook: glued values, tables and figures."""

import nbformat

KIND = "application/papermill.record/"


def glue(name, value):
    return nbformat.v4.new_output(
        "display_data",
        {f"{KIND}text/plain": repr(value)},
        metadata={"scrapbook": {"name": name, "mime_prefix": KIND}},
    )


def show(html):
    return nbformat.v4.new_output("display_data", {"text/html": html})


def figure(name, words):
    return show(f'<figure class="vb-figure" id="{name}"><img alt="{words}"/></figure>')
