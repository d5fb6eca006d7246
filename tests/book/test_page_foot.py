"""What ends every page: when it changed, how to cite it, where to mend it."""

import re
from types import SimpleNamespace

import page_foot
import pytest
from test_published import pages, read_with

from vlmbias import paths
from vlmbias.papers import PAPERS

GITHUB = "https://github.com/owner/book"


@pytest.mark.parametrize(
    ("url", "edit", "issue"),
    [
        (
            GITHUB,
            f"{GITHUB}/edit/main/book/data.md",
            f"{GITHUB}/issues/new?title=On%20the%20page%3A%20Data",
        ),
        (
            "https://gitlab.com/o/b",
            "https://gitlab.com/o/b/-/edit/main/book/data.md",
            "https://gitlab.com/o/b/-/issues/new?issue[title]=On%20the%20page%3A%20Data",
        ),
        ("https://host.example/o/b", None, "https://host.example/o/b/issues"),
    ],
)
def test_edit_and_issue_follow_from_the_address(url, edit, issue):
    found = dict(page_foot.links(url, "main", "book/data.md", "Data"))
    assert found.get("Edit this page") == edit and found["Report a fault of this page"] == issue
    assert page_foot.links("", "main", "book/data.md", "Data") == []


def test_a_page_knows_its_source_and_its_paper():
    assert page_foot.source("notebooks/causalface/age") == "notebooks/causalface/age.py"
    assert page_foot.source("book/data") == "book/data.md" and page_foot.source("genindex") == ""
    for page in ("notebooks/causalface/age", "book/causalface"):
        assert page_foot.paper(page) == PAPERS["causalface"].reference
    assert page_foot.paper("book/data") == ""
    assert {paper.reference for paper in PAPERS.values()} <= set(page_foot.references())


def test_the_day_is_that_of_the_last_commit(monkeypatch):
    log = "\x002026-02-03\n\nbook/a.md\n\x002026-01-02\n\nbook/a.md\nbook/b.md\n"
    done = SimpleNamespace(stdout=log)
    monkeypatch.setattr(page_foot.subprocess, "run", lambda *command, **how: done)
    days = page_foot.changed.__wrapped__()
    assert days == {"book/a.md": "2026-02-03", "book/b.md": "2026-01-02"}
    monkeypatch.undo()
    days = page_foot.changed()  # of this history, where there is one
    assert not days or re.fullmatch(r"\d{4}-\d\d-\d\d", days["book/data.md"])


def test_every_page_ends_with_it(site):
    for path in pages(site):
        text = path.read_text("utf-8")
        if not (paths.root() / path.relative_to(site)).with_suffix(".md").is_file():
            continue
        assert text.count('<footer class="vb-foot">') == 1, path
        foot = text.partition('<footer class="vb-foot">')[2].partition("</footer>")[0]
        assert "@misc{vlmbias," in foot and "Edit this page" not in foot, "no address is set"
    paper = (site / "book/causalface.html").read_text("utf-8")
    assert "@inproceedings{hausladen2025" in paper and 'class="highlight-bibtex' in paper


def test_launch_buttons_follow_from_one_setting(monkeypatch, tmp_path):
    assert "binderhub_url" not in read_with(monkeypatch).html_theme_options["launch_buttons"]
    addressed = read_with(monkeypatch, variables={"VLMBIAS_REPOSITORY": GITHUB})
    buttons = addressed.html_theme_options["launch_buttons"]
    assert buttons["binderhub_url"] and "colab_url" not in buttons, "the notebooks lack the cell"
    config = (paths.root() / "_config.yml").read_text()
    (tmp_path / "_config.yml").write_text(config.replace('  url: ""', f'  url: "{GITHUB}"'))
    monkeypatch.setenv("VLMBIAS_ROOT", str(tmp_path))
    assert read_with(monkeypatch, url=GITHUB).html_theme_options["launch_buttons"]["colab_url"]
