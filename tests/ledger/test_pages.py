"""The ledger on the page: values exactly as printed, both kinds of findings, *not run* where nothing ran."""

import io
import json
import re
import shutil
import sys

import pytest
from sphinx.application import Sphinx
from sphinx.util.docutils import docutils_namespace

from .conftest import REPOSITORY


@pytest.fixture
def build(root, monkeypatch):
    """Build one page of text with our extension; return its HTML and the warnings."""
    monkeypatch.syspath_prepend(str(REPOSITORY / "book/_ext"))
    monkeypatch.delitem(sys.modules, "ledger", raising=False)
    shutil.copytree(REPOSITORY / "notebooks", root / "notebooks", ignore=shutil.ignore_patterns("*.ipynb"))

    def page(text):
        source = root / "page"
        shutil.rmtree(source, ignore_errors=True)
        source.mkdir()
        (source / "index.md").write_text("# A page\n\n" + text, encoding="utf-8")
        warnings = io.StringIO()
        with docutils_namespace():
            app = Sphinx(
                source, None, source / "html", source / "trees", "html", status=None, warning=warnings,
                confoverrides={"extensions": ["myst_parser", "ledger"]},
            )  # fmt: skip
            app.build()
        assert app.env is not None
        page.depends = {str(path) for path in app.env.dependencies["index"]}
        return (source / "html/index.html").read_text(encoding="utf-8"), warnings.getvalue()

    return page


def test_a_claim_is_printed_exactly_and_noted_as_a_dependency(build):
    text = "It is {claim}`we_they.slip.wl.d`, or {claim}`variation.images`, p {claim}`variation.seed-p`."
    html, warnings = build(text)
    assert not warnings
    values = re.findall(r'<abbr class="vb-claim" title="([^"]*)">(.*?)</abbr>', html)
    assert [value for _, value in values] == ["−.49", "18,000", "&lt; 0.001"]
    assert "Table 2" in values[0][0] and "Latina/o" in values[0][0]
    names = {path.rpartition("/")[2] for path in build.depends}
    assert {"american_white.yaml", "causalface.yaml"} <= names and "pretraining.yaml" not in names


def test_an_unknown_claim_is_a_warning_with_near_matches(build):
    _, warnings = build("{claim}`we_they.slip.wl.dd`")
    assert "near matches" in warnings and "we_they.slip.wl.d" in warnings


def test_a_result_is_printed_or_said_not_to_have_run(build, root):
    text = "{result}`calibration/ieat::d:.2f` and {result}`calibration/ieat::missing`"
    assert "<em" in build(text)[0] and build(text)[0].count("not run") == 2
    (root / "_build").mkdir(exist_ok=True)
    (root / "_build/results.json").write_text(json.dumps({"calibration/ieat": {"d": 0.34403}}))
    html, warnings = build(text)
    assert ">0.34<" in html and html.count("not run") == 1 and not warnings


@pytest.mark.parametrize("text", ["calibration/iat::d", "calibration/ieat", "calibration/ieat::"])
def test_a_result_of_no_notebook_is_a_warning(build, text):
    assert "is not &lt;paper&gt;" in build(f"{{result}}`{text}`")[1].replace("<", "&lt;").replace(">", "&gt;")


def test_the_scorecard_shows_what_holds_beside_what_does_not(build):
    html, warnings = build("```{scorecard} findings\n:paper: american_white\n```\n\n```{scorecard} summary\n```\n")
    assert not warnings
    table = html[html.index("<table") :]
    assert "inconsistent (wording)" in table and table.count("<p>consistent</p>") > 15
    assert re.search(r"<p>22 checks: 21 hold, 1 does not\.</p>", html)
    rows = re.findall(r"<tr.*?</tr>", html, re.DOTALL)
    assert any("−.49" in row and ">consistent<" in row for row in rows)
    totals = [re.findall(r"<p>(\d+)</p>", row) for row in rows if "<p>All</p>" in row]
    assert len(totals) == 2 and all(int(cells[-1]) == sum(map(int, cells[:-1])) for cells in totals)
    assert totals[0][-1] == totals[1][-1]


def test_every_claim_can_be_listed(build):
    html, warnings = build("```{scorecard} claims\n:paper: causalface\n```\n")
    assert not warnings and html.count("has recorded no value") == html.count("<tr") - 1 > 30


def test_a_wrong_view_is_an_error(build):
    assert "scorecard shows summary, findings, claims" in build("```{scorecard} all\n```\n")[1]
