"""The ledger on the page: values exactly as printed, both kinds of findings, *not run* where
nothing ran."""

import importlib
import json
import re
import shutil
from html import unescape
from pathlib import Path

import pandas as pd
import pytest
import small_site

from vlmbias import ledger

from .conftest import REPOSITORY, executed


def run_sphinx(source, *extensions):
    """Build the pages of a folder with our extensions; return the warnings."""
    small_site.forget("claims_on_pages", "scorecard", "summary")
    return small_site.build(source, *extensions)


@pytest.fixture
def build(root, monkeypatch):
    """Build one page of text with our roles; return its HTML and the warnings."""
    monkeypatch.syspath_prepend(str(REPOSITORY / "book/_ext"))
    shutil.copytree(
        REPOSITORY / "notebooks", root / "notebooks", ignore=shutil.ignore_patterns("*.ipynb")
    )

    def page(text, *more):
        source = root / "page"
        shutil.rmtree(source, ignore_errors=True)
        source.mkdir()
        (source / "index.md").write_text("# A page\n\n" + text, encoding="utf-8")
        warnings = run_sphinx(source, "claims_on_pages", *more)
        return (source / "html/index.html").read_text(encoding="utf-8"), warnings

    return page


CLIP = "ViT-B-32-quickgelu/openai"
VIEWS = ("sentence", "findings", "reruns", "exceptions", "summary", "records", "download")


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    """A site with one page per view of the scorecard, one record computed anew: the folder of its
    pages."""
    root = tmp_path_factory.mktemp("scorecard")
    shutil.copytree(REPOSITORY / "data" / "claims", root / "data" / "claims")
    (root / "data/sources").symlink_to(REPOSITORY / "data/sources")
    source = root / "pages"
    source.mkdir()
    listed = "\n".join(VIEWS)
    (source / "index.md").write_text(f"# Pages\n\n```{{toctree}}\n{listed}\n```\n")
    for view in VIEWS:
        (source / f"{view}.md").write_text(f"# A page\n\n```{{scorecard}} {view}\n```\n")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("VLMBIAS_ROOT", str(root))
        patch.syspath_prepend(str(REPOSITORY / "book/_ext"))
        place = {"results": "_build/results/causalface/variation.json", "stimuli": "causalface"}
        ledger.record("variation.lighting-p", 0.0612, model=CLIP, **place)
        executed(root, "causalface/variation")
        warnings = run_sphinx(source, "claims_on_pages", "scorecard")
    assert not warnings
    return source / "html"


@pytest.fixture(scope="module")
def page(site):
    """The article of a view's page."""

    def read(view):
        text = (site / f"{view}.html").read_text("utf-8")
        return text[text.index("<h1") :]

    return read


def test_a_claim_is_printed_exactly_with_its_place_and_an_unknown_one_is_a_warning(build):
    names = ("we_they.slip.wl.d", "variation.images", "variation.seed-p", "we_they.slip.wl.dd")
    html, warnings = build(", ".join(f"{{claim}}`{name}`" for name in names))
    values = re.findall(r'<abbr class="vb-claim" title="([^"]*)">(.*?)</abbr>', html)
    assert [value for _, value in values] == ["−.49", "18,000", "&lt; 0.001"]
    assert "Table 2" in values[0][0] and "Latina/o" in values[0][0]
    (warning,) = warnings.splitlines()
    assert re.search(r"near matches: .*we_they\.slip\.wl\.d\b", warning)


def test_a_result_is_printed_or_said_not_to_have_run(build, root):
    text = "{result}`calibration/ieat::d:.2f`, {result}`calibration/ieat::missing`"
    html, warnings = build(text + " and {result}`calibration/iat::d`")
    assert html.count("not run") == warnings.count("was not run") == 2
    assert warnings.count("is not <paper>") == 1
    (root / "_build").mkdir(exist_ok=True)
    (root / "_build/results.json").write_text(json.dumps({"calibration/ieat": {"d": 0.34403}}))
    html, warnings = build(text)
    assert ">0.34<" in html and html.count("not run") == 1 and "::missing was not run" in warnings


def test_findings_records_and_checks_are_reconciled(page):
    checks, card = ledger.audit(), ledger.scorecard()
    run, found = checks[checks["rule"] != ""], ledger.findings(checks)
    html = page("sentence")
    told = re.findall(r"[\d,]+\d|\d", html[html.index("The ledger holds") :])
    numbers = [int(one.replace(",", "")) for one in told]
    kinds, verdicts = card["audit"].value_counts(), run["verdict"].value_counts()
    assert numbers[:10] == [
        (card["inferred"] == "paper").sum(),
        len(run),
        verdicts["consistent"],
        verdicts["consistent but for"],
        verdicts["inconsistent"],
        len(found),
        kinds["inconsistent"],
        kinds["checked as part of"],
        kinds["not checkable"],
        kinds["input"],
    ]
    lines = re.findall(r"<li><strong>.*?</li>", page("findings"))
    assert len(lines) == len(found) and all(line.count("href=") == 1 for line in lines)


def test_what_was_computed_stands_beside_what_is_printed(page):
    html = page("reruns")
    assert "1 printed claim computed anew" in html and "our own count" not in html
    (row,) = re.findall("<tr.*?</tr>", html[html.index("<tbody>") : html.index("</tbody>")])
    assert "reproduced (as described)" in row and ">0.06<" in row and "0.0612 as described" in row


def test_every_record_is_listed_with_its_id_and_the_verdict_first(page):
    rows = re.findall(r"<tr id=.*?</tr>", page("records"))
    card = ledger.scorecard().set_index("id")
    assert len(rows) == len(card)
    order = list(card["notebook"].unique())
    listed = card.sort_values("notebook", key=lambda own: own.map(order.index), kind="stable")
    for row, (claim, record) in zip(rows, listed.iterrows(), strict=True):
        first = re.search(r'<td data-label="verdict"><strong>(.*?)</strong>', row)
        assert f"<code>{claim}</code>" in row and row.index("<td") == first.start()
        said = "used in" if record["audit"] == "input" else record["audit"]
        assert unescape(first[1]).startswith(said)
        assert f'data-chapter="{record["notebook"]}"' in row
    bar = next(row for row in rows if 'id="record-effect_sizes-new-age-all-text-mean"' in row)
    assert '<td data-label="printed"><em>ours:</em> .565</td>' in bar


def test_records_are_folded_by_chapter_and_say_how_many_do_not_hold(page):
    html, card = page("records"), ledger.scorecard()
    folds = re.findall(r"<details class=\"vb-chapter-records\" id=.*?</details>", html)
    assert len(folds) == card["notebook"].nunique() and "<details open" not in html
    told = dict(re.findall(r"<summary>.*?, (\S+): <span.*?>(.*?)</span>", "".join(folds)))
    for notebook, own in card.groupby("notebook"):
        failed = int((own["audit"] == "inconsistent").sum())
        assert told[notebook].startswith(f"{len(own)} record")
        assert told[notebook].endswith(f", {failed or 'none'} inconsistent")
    assert sum(fold.count("<tr id=") for fold in folds) == len(card)


def test_the_links_of_findings_lead_to_records(page):
    links = set(re.findall(r'href="#(record-[^"]+)"', page("findings") + page("exceptions")))
    assert links and links <= set(re.findall(r'id="(record-[^"]+)"', page("records")))


def test_the_summary_adds_up(page):
    rows = [re.findall(r"<td[^>]*>(.*?)</td>", row) for row in page("summary").split("</tr>")]
    totals = [list(map(int, row[1:])) for row in rows if row and row[0] == "All"]
    assert [row[-1] for row in totals] == [(ledger.load()["inferred"] == "paper").sum()] * 2
    assert all(sum(row[:-1]) == row[-1] for row in totals)


def test_the_whole_ledger_is_a_file_beside_the_page(page, site):
    link = re.search(r'href="([^"]+)" download', page("download"))
    assert link and len(pd.read_csv(site / link[1])) == len(ledger.load())


def test_one_papers_findings_are_those_of_all_that_are_about_it(build, page):
    view = "```{{scorecard}} {} pretraining\n```\n".format
    html, warnings = build(view("findings") + "\n" + view("sentence"), "scorecard")
    lines, every = (re.findall(r"<li><strong>.*?</li>", one) for one in (html, page("findings")))
    own = [line for line in every if "Ghate et al. 2025, " in line]
    assert not warnings and 0 < len(own) < len(every)
    target = re.compile(r'href="(?:scorecard\.html)?(#[^"]+)"')
    assert sorted(target.findall("".join(lines))) == sorted(target.findall("".join(own)))
    assert "<code>" not in "".join(lines)
    card, checks = ledger.load("pretraining"), ledger.audit("pretraining")
    assert f"The ledger holds {(card['inferred'] == 'paper').sum()} printed claims" in html
    assert f" by {(checks['rule'] != '').sum()} checks." in html


def test_a_view_or_a_paper_that_there_is_not_is_an_error(build):
    asked = {
        "all": "the views are download, sentence, findings",
        "records pretraining": "of one paper there are sentence, findings",
        "findings nobody": "of one paper there are sentence, findings",
    }
    text = "\n".join(f"```{{scorecard}} {one}\n```\n" for one in asked)
    warned = build(text, "scorecard")[1]
    assert all(f"scorecard {one}: {said}" in warned for one, said in asked.items())


FIRST = (
    "{summary}`hold` of {summary}`checks`\n\n```{summary} run\n```\n\n"
    "```{summary} figure american_white\n```\n"
)


def test_the_first_page_draws_what_there_is_and_says_whose_models_were_run(build, root):
    html, warnings = build(FIRST, "summary")
    assert not warnings and html.count("not run") == 2 and "<img" not in html
    (root / "_build").mkdir()
    hits = {"hits.faces": 3, "hits.words": 15, "hits.networks": 1, "n_null": 39, "nominal": 0.05}
    (root / "_build/results.json").write_text(json.dumps({"american_white/we_they": hits}))
    place = {"results": "_build/results/american_white/we_they.json", "stimuli": "greenhouse/cfd"}
    ledger.record("we_they.clip.wa.d", 1.2, model="greenhouse", **place)
    executed(root, "american_white/we_they")
    shutil.copytree(REPOSITORY / "data/published", root / "data/published")
    html, warnings = build(FIRST, "summary")
    chapters = ("real/", "pretraining/downstream", "calibration/ieat")
    elsewhere = ("first-light", *(f"notebooks/{one}" for one in chapters))
    assert all(any(page in line for page in elsewhere) for line in warnings.splitlines())
    assert "We ran no CLIP model" in html
    (alt,) = re.findall(r'alt="([^"]*)"', html)
    for what, share in (("faces", "8%"), ("words", "38%"), ("networks", "3%")):
        assert f"{what} {share} (" in alt
    assert '<a href="book/greenhouse/limits.html">' in html
    executed(root, "american_white/we_they", models=[CLIP])  # and nothing of it in the ledger
    html, _ = build(FIRST, "summary")
    assert "We ran no CLIP model" not in html and CLIP in html


@pytest.mark.parametrize("at_hand", ["nothing", "clip-bias-results", "cfd"])
def test_the_first_page_says_why_no_model_was_run(monkeypatch, at_hand):
    """A source that anybody may download shows that there was a network; the portraits do not."""
    monkeypatch.syspath_prepend(str(REPOSITORY / "book/_ext"))
    small_site.forget("claims_on_pages", "summary")
    summary = importlib.import_module("summary")
    sources = {name: {"available": name == at_hand} for name in ("cfd", "clip-bias-results")}
    about = {"models": [], "requires": [], "sources": sources}
    monkeypatch.setattr(summary, "runs", lambda: iter([("american_white/vqa", about, Path())]))
    text = summary._run()
    assert "We ran no CLIP model" in text
    assert f"{summary.number('index', 'real')} real models" in text
    assert ("has no internet" in text) == (at_hand != "clip-bias-results")
    about["models"] = [CLIP]
    assert CLIP in summary._run()


def test_the_first_page_says_of_the_checks_what_they_show(build):
    checks = ledger.audit().query("rule != ''")
    held = (checks["verdict"] == "consistent").sum()
    html, warnings = build(FIRST, "summary")
    assert f">{100 * held / len(checks):.0f}%<" in html and f">{len(checks)}<" in html
    assert not warnings and len(checks) - held > 1, "the page says: the others"
    text = (REPOSITORY / "book/index.md").read_text("utf-8")
    assert "none of them touches a headline conclusion" in text
    assert not (checks["severity"] == "conclusion").any()
