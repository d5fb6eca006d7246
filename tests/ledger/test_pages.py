"""The ledger on the page: values exactly as printed, both kinds of findings, *not run* where nothing ran."""

import io
import json
import re
import shutil
import subprocess
import sys
from html import unescape

import pandas as pd
import pytest
from sphinx.application import Sphinx
from sphinx.util.docutils import docutils_namespace

from vlmbias import ledger, paths

from .conftest import REPOSITORY, executed


@pytest.fixture
def build(root, monkeypatch):
    """Build one page of text with our extension; return its HTML and the warnings."""
    monkeypatch.syspath_prepend(str(REPOSITORY / "book/_ext"))
    for name in ("ledger", "scorecard"):
        monkeypatch.delitem(sys.modules, name, raising=False)
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
                confoverrides={"extensions": ["myst_parser", "ledger", "scorecard"]},
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


def test_findings_records_and_checks_are_reconciled(build):
    html, warnings = build("```{scorecard} sentence\n```\n\n```{scorecard} findings\n```\n")
    assert not warnings
    checks, card = ledger.audit(), ledger.scorecard()
    run, found = checks[checks["rule"] != ""], ledger.findings(checks)
    numbers = [int(one.replace(",", "")) for one in re.findall(r"[\d,]+\d|\d", html[html.index("The ledger holds") :])]
    kinds, verdicts = card["audit"].value_counts(), run["verdict"].value_counts()
    assert numbers[:8] == [
        len(card), len(run), verdicts["consistent"], verdicts["consistent but for"], verdicts["inconsistent"],
        len(found), kinds["inconsistent"], kinds["checked as part of"],
    ]  # fmt: skip
    lines = re.findall(r"<li>(.*?)</li>", html)
    assert len(lines) == len(found)
    assert all(line.count("href=") == 1 and line.startswith("<strong>") for line in lines)


def test_what_was_computed_stands_beside_what_is_printed(build):
    place = {"results": "_build/results/causalface/variation.json", "stimuli": "causalface"}
    ledger.record("variation.lighting-p", 0.0612, model="ViT-B-32-quickgelu/openai", **place)
    executed(paths.root(), "causalface/variation")
    html, warnings = build("```{scorecard} reruns\n```\n")
    assert not warnings and "1 record computed anew" in html
    row = html[html.index("<tbody>") : html.index("</tbody>")]
    assert "reproduced (as described)" in row and ">0.06<" in row and "0.0612 as described" in row
    assert row.count("<tr") == 1 and "its chapter records no value" in html


def test_every_record_is_listed_with_its_id_and_the_verdict_first(build):
    html, warnings = build("```{scorecard} records\n```\n")
    assert not warnings
    rows = re.findall(r"<tr id=.*?</tr>", html)
    card = ledger.scorecard().set_index("id")
    assert len(rows) == len(card)
    for row, (claim, record) in zip(rows, card.iterrows(), strict=True):
        first = re.search(r'<td data-label="verdict"><strong>(.*?)</strong>', row)
        assert f"<code>{claim}</code>" in row and row.index("<td") == first.start()
        assert unescape(first[1]).startswith(record["audit"])
        assert f'data-chapter="{record["notebook"]}"' in row
    bar = next(row for row in rows if 'id="record-effect_sizes-new-age-all-text-mean"' in row)
    assert '<td data-label="printed"><em>ours:</em> .565</td>' in bar


def test_the_links_of_findings_lead_to_records(build):
    html, _ = build("".join(f"```{{scorecard}} {view}\n```\n\n" for view in ("findings", "exceptions", "records")))
    links = set(re.findall(r'href="#(record-[^"]+)"', html))
    assert links and links <= set(re.findall(r'id="(record-[^"]+)"', html))


def test_the_summary_adds_up(build):
    html, warnings = build("```{scorecard} summary\n```\n")
    assert not warnings
    rows = [re.findall(r"<td[^>]*>(.*?)</td>", row) for row in re.findall(r"<tr>.*?</tr>", html)]
    totals = [list(map(int, row[1:])) for row in rows if row and row[0] == "All"]
    assert len(totals) == 2 and totals[0][-1] == totals[1][-1] == len(ledger.load())
    assert all(sum(row[:-1]) == row[-1] for row in totals)


def test_the_whole_ledger_is_a_file_beside_the_page(build, root):
    html, warnings = build("```{scorecard} download\n```\n")
    assert not warnings
    link = re.search(r'href="([^"]+)" download', html)[1]
    assert len(pd.read_csv(root / "page/html" / link)) == len(ledger.load())


def test_a_wrong_view_is_an_error(build):
    assert "scorecard shows download, sentence, findings" in build("```{scorecard} all\n```\n")[1]


@pytest.mark.skipif(not (CHROMIUM := shutil.which("chromium")), reason="chromium is not installed here")
def test_the_filter_works_from_a_file(build, root):
    build("```{scorecard} records\n```\n")
    page = root / "page/html/index.html"
    choose = """<script>
      const bar = document.querySelector(".vb-filter"), [paper, chapter, audit] = bar.querySelectorAll("select");
      const text = [bar.querySelector("output").textContent, chapter.options.length];
      const set = (select, value) => { select.value = value; select.dispatchEvent(new Event("change")); };
      set(paper, "Ghate et al. 2025"); set(audit, "inconsistent");
      text.push(bar.querySelector("output").textContent, chapter.options.length, bar.hidden,
                document.querySelectorAll("#records tbody tr:not([hidden])").length);
      document.title = text.join("|");
    </script>"""
    page.write_text(page.read_text("utf-8").replace("</body>", choose + "</body>"), "utf-8")
    options = ["--headless", "--no-sandbox", "--disable-gpu", "--disable-background-networking", "--dump-dom"]
    done = subprocess.run([str(CHROMIUM), *options, page.as_uri()], capture_output=True, text=True, timeout=120)
    title = re.search(r"<title>(.*?)</title>", done.stdout)[1]
    every, chapters = len(ledger.load()), ledger.load()["notebook"].nunique()
    assert title == f"{every} of {every} records|{chapters + 1}|4 of {every} records|2|false|4"
