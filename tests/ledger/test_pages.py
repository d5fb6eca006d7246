"""The ledger on the page: values exactly as printed, both kinds of findings, *not run* where
nothing ran."""

import importlib
import json
import re
import shutil
import sys
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
        ledger.record("variation.lighting-p", 0.0612, model="ViT-B-32-quickgelu/openai", **place)
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


def test_a_claim_is_printed_exactly_with_its_place(build):
    text = (
        "It is {claim}`we_they.slip.wl.d`, or {claim}`variation.images`, p"
        " {claim}`variation.seed-p`."
    )
    html, warnings = build(text)
    assert not warnings
    values = re.findall(r'<abbr class="vb-claim" title="([^"]*)">(.*?)</abbr>', html)
    assert [value for _, value in values] == ["−.49", "18,000", "&lt; 0.001"]
    assert "Table 2" in values[0][0] and "Latina/o" in values[0][0]


def test_an_unknown_claim_is_a_warning_with_near_matches(build):
    _, warnings = build("{claim}`we_they.slip.wl.dd`")
    assert "near matches" in warnings and "we_they.slip.wl.d" in warnings


def test_a_result_is_printed_or_said_not_to_have_run(build, root):
    text = "{result}`calibration/ieat::d:.2f` and {result}`calibration/ieat::missing`"
    assert "is not <paper>" in build("{result}`calibration/iat::d`")[1]
    html, warnings = build(text)
    assert html.count("not run") == warnings.count("was not run") == 2
    (root / "_build").mkdir(exist_ok=True)
    (root / "_build/results.json").write_text(json.dumps({"calibration/ieat": {"d": 0.34403}}))
    html, warnings = build(text)
    assert ">0.34<" in html and html.count("not run") == 1 and "::missing was not run" in warnings


def test_findings_records_and_checks_are_reconciled(page):
    checks, card = ledger.audit(), ledger.scorecard()
    run, found = checks[checks["rule"] != ""], ledger.findings(checks)
    html = page("sentence")
    numbers = [
        int(one.replace(",", ""))
        for one in re.findall(r"[\d,]+\d|\d", html[html.index("The ledger holds") :])
    ]
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


def test_the_earlier_appendix_stands_apart_and_is_said_to_be_superseded(page):
    published, apart = page("findings").split("The published paper no longer prints it", 1)
    assert "arlier appendix" not in published and published.count("<li><strong>") > 20
    about = re.findall(r"<li><strong>.*?</li>", apart)
    assert about and all("arlier appendix" in line for line in about)


def test_words_of_ours_are_not_put_in_quotation_marks(page):
    html = unescape(page("exceptions"))
    assert ", less likely to treat all equally: consistent" in html
    assert "“correlate with increased performance”: consistent but for" in html
    assert "<em>in our words:</em> Asian above Black" in page("records")


def test_what_was_computed_stands_beside_what_is_printed(page):
    html = page("reruns")
    assert "1 printed claim computed anew. " in html and "its chapter records no value" in html
    assert "our own count" not in html
    row = html[html.index("<tbody>") : html.index("</tbody>")]
    assert "reproduced (as described)" in row and ">0.06<" in row and "0.0612 as described" in row
    assert row.count("<tr") == 1


def test_every_record_is_listed_with_its_id_and_the_verdict_first(page):
    rows = re.findall(r"<tr id=.*?</tr>", page("records"))
    card = ledger.scorecard().set_index("id")
    assert len(rows) == len(card)
    listed = sorted(
        card.index,
        key=lambda claim: list(card["notebook"].unique()).index(card.loc[claim, "notebook"]),
    )
    for row, (claim, record) in zip(rows, card.loc[listed].iterrows(), strict=True):
        first = re.search(r'<td data-label="verdict"><strong>(.*?)</strong>', row)
        assert first and f"<code>{claim}</code>" in row and row.index("<td") == first.start()
        assert unescape(first[1]).startswith(
            "used in" if record["audit"] == "input" else record["audit"]
        )
        assert f'data-chapter="{record["notebook"]}"' in row
    bar = next(row for row in rows if 'id="record-effect_sizes-new-age-all-text-mean"' in row)
    assert '<td data-label="printed"><em>ours:</em> .565</td>' in bar


def test_records_are_folded_by_chapter_and_say_how_many_do_not_hold(page):
    html = page("records")
    folds = re.findall(r"<details class=\"vb-chapter-records\" id=.*?</details>", html)
    card = ledger.scorecard()
    assert len(folds) == card["notebook"].nunique() and "<details open" not in html
    said = dict(
        re.findall(r"<summary>(.*?): <span class=\"vb-shown\">(.*?)</span>", "".join(folds))
    )
    own = card[card["notebook"] == "causalface/variation"]
    failed = int((own["audit"] == "inconsistent").sum())
    assert (
        said["Hausladen et al. 2025, causalface/variation"]
        == f"{len(own)} records, {failed or 'none'} inconsistent"
    )
    assert sum(fold.count("<tr id=") for fold in folds) == len(card)


def test_the_links_of_findings_lead_to_records(page):
    links = set(re.findall(r'href="#(record-[^"]+)"', page("findings") + page("exceptions")))
    assert links and links <= set(re.findall(r'id="(record-[^"]+)"', page("records")))


def test_the_summary_adds_up(page):
    rows = [
        re.findall(r"<td[^>]*>(.*?)</td>", row)
        for row in re.findall(r"<tr>.*?</tr>", page("summary"))
    ]
    totals = [list(map(int, row[1:])) for row in rows if row and row[0] == "All"]
    assert (
        len(totals) == 2
        and totals[0][-1] == totals[1][-1] == (ledger.load()["inferred"] == "paper").sum()
    )
    assert all(sum(row[:-1]) == row[-1] for row in totals)


def test_the_whole_ledger_is_a_file_beside_the_page(page, site):
    link = re.search(r'href="([^"]+)" download', page("download"))
    assert link and len(pd.read_csv(site / link[1])) == len(ledger.load())


def test_one_papers_findings_are_those_of_all_that_are_about_it(build, page):
    view = "```{{scorecard}} {} pretraining\n```\n".format
    html, warnings = build(view("findings") + "\n" + view("sentence"), "scorecard")
    lines = re.findall(r"<li><strong>.*?</li>", html)
    own = [
        line
        for line in re.findall(r"<li><strong>.*?</li>", page("findings"))
        if "Ghate et al. 2025, " in line
    ]
    assert not warnings and 0 < len(own) < page("findings").count("<li><strong>")
    target = re.compile(r'href="(?:scorecard\.html)?(#[^"]+)"')
    assert sorted(target.findall("".join(lines))) == sorted(target.findall("".join(own)))
    assert all("<code>" not in line and 'href="scorecard.html#' in line for line in lines)
    for line in lines:  # the finding itself is the link, where the scorecard names the record
        (finding,) = re.findall("<a[^>]*>(.*?)</a>", line)
        assert any(f": {finding}: <a" in one for one in own), finding
    card, checks = ledger.load("pretraining"), ledger.audit("pretraining")
    printed = (card["inferred"] == "paper").sum()
    assert (
        f"The ledger holds {printed} printed claims of this paper, set against one another by "
        in html
    )
    assert f" by {(checks['rule'] != '').sum()} checks." in html


@pytest.mark.parametrize(
    ("asked", "said"),
    [
        ("all", "the views are download, sentence, findings"),
        ("records pretraining", "of one paper there are sentence, findings"),
        ("findings nobody", "of one paper there are sentence, findings"),
    ],
)
def test_a_view_or_a_paper_that_there_is_not_is_an_error(build, asked, said):
    warned = build(f"```{{scorecard}} {asked}\n```\n", "scorecard")[1]
    assert f"scorecard {asked}: {said}" in warned


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
    elsewhere = ("first-light", "notebooks/real/")
    assert "We ran no CLIP model" in html and not [
        line for line in warnings.splitlines() if not any(page in line for page in elsewhere)
    ]
    (alt,) = re.findall(r'alt="([^"]*)"', html)
    for what, share in (("faces", "8%"), ("words", "38%"), ("networks", "3%")):
        assert f"{what} {share} (" in alt
    assert '<a href="book/greenhouse/limits.html">' in html
    executed(
        root, "american_white/we_they", models=["ViT-B-32-quickgelu/openai"]
    )  # and nothing of it in the ledger
    html, _ = build(FIRST, "summary")
    assert "We ran no CLIP model" not in html and "ViT-B-32-quickgelu/openai" in html


@pytest.mark.parametrize("at_hand", ["nothing", "clip-bias-results", "cfd"])
def test_the_first_page_says_why_no_model_was_run(monkeypatch, at_hand):
    """A source that anybody may download shows that there was a network; the portraits do not."""
    summary = first_page(monkeypatch)
    sources = {name: {"available": name == at_hand} for name in ("cfd", "clip-bias-results")}
    about = {"models": [], "requires": [], "sources": sources}
    monkeypatch.setattr(summary, "runs", lambda: iter([("american_white/vqa", about, Path())]))
    text = summary._run()
    assert "We ran no CLIP model" in text and "The book contains neither" in text
    models = sum(len(own) for own in summary.real_models().values())
    assert f"{models} real models" in text and summary.number("index", "real") == str(models)
    assert ("has no internet" in text) == (at_hand != "clip-bias-results")
    about["models"] = ["ViT-B-32-quickgelu/openai"]
    assert "ViT-B-32-quickgelu/openai" in summary._run()


def first_page(monkeypatch):
    """The extension that writes the first page's sentences."""
    monkeypatch.syspath_prepend(str(REPOSITORY / "book/_ext"))
    for name in ("claims_on_pages", "summary"):
        sys.modules.pop(name, None)
    return importlib.import_module("summary")


def test_the_first_page_says_of_the_checks_what_they_show(build):
    checks = ledger.audit().query("rule != ''")
    held = (checks["verdict"] == "consistent").sum()
    html, warnings = build(FIRST, "summary")
    assert f">{100 * held / len(checks):.0f}%<" in html and f">{len(checks)}<" in html
    assert not warnings and len(checks) - held > 1, "the page says: the others"
    text = (REPOSITORY / "book/index.md").read_text("utf-8")
    assert "none of them touches a headline conclusion" in text
    assert not (checks["severity"] == "conclusion").any()
