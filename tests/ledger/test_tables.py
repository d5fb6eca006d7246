"""The audit of the committed claims, the tables of the chapters, the collated file."""

import json
import re
import subprocess
import sys

import pandas as pd
import pytest

from vlmbias import ledger
from vlmbias.ledger import collation
from vlmbias.ledger.collation import in_words

from .conftest import executed

CARRIES = set(ledger.VERDICTS)
ELSEWHERE = ["checked as part of", "input"]


def test_every_claim_has_a_verdict_and_every_check_a_reason():
    checks = ledger.audit()
    assert set(checks["verdict"]) == CARRIES
    assert (checks.loc[checks["verdict"] != "checked as part of", "reason"] != "").all()
    for column in ("severity", "finding"):
        assert ((checks["verdict"] == "inconsistent") == (checks[column] != "")).all()
    failed = checks[checks["verdict"] == "inconsistent"]
    assert (failed["finding"] != failed["claim"]).all(), "say what is wrong"
    named = checks["verdict"].isin(["consistent but for", "checked as part of"])
    assert (checks.loc[named, "exceptions"].map(len) > 0).all()
    card = ledger.scorecard()
    assert card["audit"].isin(CARRIES).all() and len(card) == len(ledger.load())


def test_what_is_checked_elsewhere_says_where():
    checks = ledger.audit().set_index("claim")
    part = checks[checks["verdict"].isin(ELSEWHERE)]
    for claim, exceptions in part["exceptions"].items():
        assert set(exceptions) <= set(checks.index) and claim not in exceptions
    assert (
        part.loc["effect_sizes.new.race.all-text.mean", "exceptions"][0]
        == "effect_sizes.table2.race.mean"
    )
    assert "captions.level.black" in part.loc["captions.levels", "exceptions"]


def test_exceptions_are_named():
    table = ledger.table("american_white/we_they").set_index("claim")["verdict"]
    both = "consistent but for CLIP, White − Black (−.01) and SLIP, White − Latina/o (−.49)"
    assert table["we_they.caption"] == table["we_they.abstract"] == both
    one = ledger.table("causalface/metrics").set_index("claim")["verdict"]
    assert one["metrics.decline-fairface"] == "consistent but for FairFace, Asian (3.88)"
    assert (
        in_words("checked as part of", tuple("abcdef")) == "checked as part of a, b, c and 3 more"
    )
    assert in_words("consistent", ("a",)) == "consistent"
    assert in_words("input", ("a", "b")) == "used in the check of a and b"
    assert in_words("input", ()) == "used in no check"
    effects = ledger.table("pretraining/effect_sizes").set_index("claim")["verdict"]
    assert effects["effect_sizes.variance-average"] == (
        "consistent but for 3 of 4 orders, in which the variance rises (by 9.0 %, 12.5 %, 29.6 %)"
    )


def test_values_of_ours_never_stand_under_printed():
    checks, claims = ledger.audit(), ledger.load().set_index("id")
    ours = claims.loc[checks["claim"], "inferred"].to_numpy() == "us"
    assert (
        ours.sum() > 100
        and (checks.loc[ours, "printed"] == "").all()
        and (checks.loc[ours, "ours"] != "").all()
    )
    assert (checks.loc[~ours, "ours"] == "").all() and (checks.loc[~ours, "printed"] != "").all()
    table = ledger.table("pretraining/effect_sizes").set_index("claim")
    bar = table.loc["effect_sizes.new.age.all-text.mean"]
    assert (bar["printed"], bar["ours"], bar["inferred"]) == ("", ".565", "us")


def test_values_of_ours_are_inputs_and_no_finding_is_about_them():
    checks, inferred = ledger.audit(), ledger.load().set_index("id")["inferred"]
    ours = checks["claim"].map(inferred) == "us"
    assert (ours == (checks["verdict"] == "input")).all() and (checks.loc[ours, "rule"] == "").all()
    concerned = [name for claims in ledger.findings(checks)["claims"] for name in claims]
    assert len(concerned) > 30 and set(inferred[concerned]) == {"paper"}
    counts = collation.per_claim(checks).loc[
        [f"we_they.n-{group}" for group in ("asian", "black", "latina", "white")]
    ]
    assert (
        set(counts["audit"]) == {"input"}
        and counts["verdict"].str.startswith("used in the check of we_they.").all()
    )


def test_a_finding_never_falls_on_a_count_of_ours(root):
    """The group sizes enter a check that fails; a record of ours beside a printed one does not fail
    with it."""
    failed = ledger.audit("american_white").query("claim == 'vqa.state.black.south-africa'").iloc[0]
    assert failed["verdict"] == "inconsistent" and failed["beside"] == ()
    pair = (
        ledger.audit("american_white").query("claim == 'traits.egalitarianism.blip.wa.d'").iloc[0]
    )
    assert pair["beside"] == ("traits.egalitarianism.blip.wa.p",)


def test_the_audit_is_worked_out_once_for_the_same_files_and_anew_for_others(root, monkeypatch):
    first = ledger.audit("calibration")
    worked_out = []
    monkeypatch.setattr(collation, "_checks", lambda one: worked_out.append(one.id) or [])
    first.loc[:, "verdict"] = "changed by the caller"
    assert set(ledger.audit("calibration")["verdict"]) == {"consistent"} and not worked_out
    sheet = root / "data/claims/calibration.yaml"
    sheet.write_text(sheet.read_text("utf-8") + "# another byte\n", "utf-8")
    ledger.audit("calibration")
    assert worked_out


def test_failures_of_one_cause_are_one_finding():
    checks = ledger.audit()
    found = ledger.findings(checks)
    failed = checks[checks["verdict"] == "inconsistent"]
    assert found["checks"].sum() == len(failed) > len(found)
    card = ledger.scorecard()
    concerned = {claim for claims in found["claims"] for claim in claims}
    assert concerned == set(card.loc[card["audit"] == "inconsistent", "id"]) >= set(failed["claim"])
    exchanged = found[
        found["finding"] == "Table 2 and Figure 2 exchange their non-human rows"
    ].iloc[0]
    assert (
        len(exchanged["claims"]) == exchanged["checks"] == 4 and exchanged["severity"] == "number"
    )
    order = found["severity"].map(["conclusion", "number", "wording"].index)
    assert order.is_monotonic_increasing
    american = found[found["paper"] == "american_white"]
    assert "conclusion" not in set(american["severity"]), (
        "book/american_white.md says that none touches a conclusion"
    )


def test_the_exchanged_rows_are_found_and_the_others_hold():
    found = ledger.audit("pretraining").set_index("claim")["verdict"]
    table = found[found.index.str.startswith("effect_sizes.table2.")]
    exchanged = [f"effect_sizes.table2.{row}" for row in ("flower-insect", "instrument-weapon")]
    assert set(table[table == "inconsistent"].index) == {
        f"{row}.{v}" for row in exchanged for v in ("mean", "sd")
    }
    assert (table == "consistent").sum() == 6


def test_every_p_of_table_2_fits_its_d_two_sided_but_one_does_not_fit_the_coded_tail():
    checks = ledger.audit("american_white").set_index("claim")
    pairs = checks[(checks["rule"] == "d_p") & checks.index.str.startswith("we_they")]
    assert len(pairs) == 9 and (pairs["verdict"] == "consistent").all()
    assert "greater: not SLIP, White − Latina/o (−.49)." in checks.loc["we_they.tail", "reason"]
    reading = checks.loc["we_they.tail", "reading"]
    assert (
        reading.startswith("two-sided; ")
        and "SLIP, White − Black (.49) only with the power of ten" in reading
    )
    assert checks.loc["we_they.tail", ["verdict", "exceptions"]].tolist() == [
        "consistent but for",
        ("SLIP, White − Black (.49)",),
    ]


def test_a_third_of_the_bounds_of_table_1_are_no_bounds_under_any_one_tail():
    checks = ledger.audit("american_white").set_index("claim")
    bounds = checks.loc["states.bounds"]
    assert bounds["verdict"] == "consistent but for" and bounds["exceptions"] == (
        "BLIP, Latina/o (.58)",
        "BLIP, White (.71)",
        "CLIP, Latina/o (.81)",
        "SLIP, White (.53)",
    )
    two_sided = bounds["reason"].partition(". greater")[0]
    assert (
        two_sided.startswith("two-sided: all fit")
        and two_sided.count("only with the power of ten") == 6
    )


def test_numbers_of_one_last_digit_agree_or_are_a_finding():
    checks = ledger.audit()
    same = checks[(checks["rule"] == "same") & (checks["verdict"] == "inconsistent")].set_index(
        "claim"
    )["finding"]
    assert {"implicit_bias.abstract.clip", "states.intro-r2-slip", "states.text-r2-slip"} <= set(
        same.index
    )
    assert set(same[["states.intro-r2-slip", "states.text-r2-slip"]]) == {
        "R² of SLIP is .34 in Table 1, and .33 in the text"
    }


def test_what_chapters_call_contradicted_is_a_finding():
    failed = ledger.audit().query("verdict == 'inconsistent'").groupby("claim")["severity"].agg(set)
    wording = [
        "vqa.one-word",
        "generation.checkpoint-figure",
        "states.prompt-approach",
        "effect_sizes.textual",
        "tests_and_stimuli.table1.heading",
        "tests_and_stimuli.figure5-first-gender",
        "upstream.marginal-reference",
        "traits.intro-egalitarianism",
    ]
    numbers = [
        "vqa.american.black.intro",
        "captions.asian.most.intro",
        "captions.asian.most.abstract",
        "vqa.state.black.south-africa",
        "variation.variations-again",
    ]
    assert all(failed[name] == {"wording"} for name in wording) and all(
        failed[name] == {"number"} for name in numbers
    )


def test_sentences_with_two_readings_of_which_one_holds_are_no_finding():
    shown = collation.per_claim(ledger.audit())
    for name in (
        "traits.nativism-black",
        "traits.without-exception",
        "intersections.no-longer",
        "model_zoo.openai-wit",
        "model_zoo.from-openclip",
        "effect_sizes.unaffected",
        "effect_sizes.image",
    ):
        assert shown.loc[name, "audit"] in ("consistent", "not checkable"), name
        one = ledger.claim(name)
        assert one.note or one.audit[0].note, "the other reading is named"


def test_two_printed_p_of_tables_3_to_5_are_impossible_and_no_tail_gives_them_all():
    checks = ledger.audit("american_white").set_index("claim")
    pairs = checks[(checks["rule"] == "d_p") & checks.index.str.startswith("traits")]
    odd = {"traits.egalitarianism.blip.wa.d", "traits.egalitarianism.blip.wl.d"}
    assert len(pairs) == 27 and set(pairs.index[pairs["verdict"] == "inconsistent"]) == odd
    assert "less: not patriotism, BLIP, White − Asian (.56)" in checks.loc["traits.tail", "reason"]
    said = checks[checks.index.str.startswith("traits") & ~checks.index.isin(odd)]
    assert set(said.index[said["verdict"] == "inconsistent"]) == {
        "traits.tail",
        "traits.intro-egalitarianism",
    }
    assert set(said.index[said["verdict"] == "consistent but for"]) == {
        f"traits.{place}-{trait}"
        for place in ("abstract", "intro", "results")
        for trait in ("nativism", "egalitarianism")
    } - {"traits.intro-egalitarianism"}


def test_the_tables_of_paper_one_hold_but_for_these():
    checks = ledger.audit("causalface")
    odd = checks[checks["verdict"] == "inconsistent"]
    assert set(odd["claim"]) == {
        "variation.variations-again",
        "variation.violin",
        "age.only-agency",
        "age.caption-extreme",
        "metrics.sc_weat.caption",
        "metrics.listed-appendix",
        "metrics.white-preferred",
        "smiling.table_b1.lighting.se",
        "smiling.appendix.split",
        "smiling.appendix.pose-rise",
        "neutral_prompt.political",
    }
    but_for = checks[checks["verdict"] == "consistent but for"]
    assert set(but_for["claim"]) == {
        "smiling.opposed",
        "metrics.decline-fairface",
        "metrics.skew-gender",
        "metrics.appendix.skew-gender",
    }
    assert (
        checks.loc[checks["claim"].str.startswith("smiling.table_s2"), "verdict"] != "inconsistent"
    ).all()
    assert len(ledger.load("causalface")) > 490


def test_percentages_from_rounded_variances_hold_and_the_mean_over_orders_does_not():
    checks = ledger.audit("pretraining")
    falls = checks[checks["rule"].isin(["variance_fall", "mean_fall"])].set_index("claim")
    both = falls.loc[["effect_sizes.variance-fall", "effect_sizes.variance-fall-text"]]
    assert (both["verdict"] == "consistent").all()
    assert "rounded to 2 digits" in falls.loc["effect_sizes.variance-fall-text", "reading"]
    mean = falls.loc["effect_sizes.variance-average"]
    assert (
        mean["verdict"] == "consistent but for" and "-9.0, 34.4, -12.5, -29.6 %" in mean["reason"]
    )


def test_the_published_calibration_values_hold():
    checks = ledger.audit("calibration")
    assert len(checks) == 8 and (checks["verdict"] == "consistent").all()


def test_a_p_value_shares_the_verdict_of_its_effect_size():
    table = ledger.table("american_white/we_they").set_index("claim")
    assert (
        table.loc["we_they.slip.wl.p", "audit"]
        == table.loc["we_they.slip.wl.d", "audit"]
        == "consistent"
    )
    assert table.loc["we_they.slip.wl.p", ["printed", "relation"]].tolist() == ["< 10⁻⁴", "<"]
    assert table.loc["we_they.slip.wl.d", "printed"] == "−.49"
    assert table.loc["we_they.consistently", ["audit", "severity"]].tolist() == [
        "inconsistent",
        "wording",
    ]


def test_words_do_not_judge_the_numbers_that_judge_them():
    table = ledger.table("causalface/smiling").set_index("claim")["audit"]
    assert table["smiling.appendix.split"] == "inconsistent"
    assert table["smiling.table_b1.smile_positive.se"] == "consistent"


def test_a_chapter_table_has_its_own_claims_in_their_order():
    for notebook, claims in ledger.load().groupby("notebook"):
        table = ledger.table(notebook)
        assert table["claim"].tolist() == claims["id"].tolist()
        assert list(table.columns) == [
            "claim",
            "where",
            "quantity",
            "subject",
            "printed",
            "ours",
            "inferred",
            "relation",
            "audit",
            "verdict",
            "severity",
            "finding",
            "reason",
            "criterion",
            "note",
        ]


def test_collation_is_whole_and_the_same_twice(root):
    place = {"stimuli": "causalface", "model": "ViT-B-32-quickgelu/openai"}
    ledger.record(
        "variation.lighting-p", 0.06, results="_build/results/causalface/variation.json", **place
    )
    executed(root, "causalface/variation")
    first = ledger.collate().read_bytes()
    assert ledger.collate().read_bytes() == first
    merged = json.loads(first)
    by_id = {claim["id"]: claim for claim in merged["claims"]}
    assert by_id["variation.lighting-p"]["rerun"] == "reproduced (as described)"
    assert (
        len(by_id)
        == len(ledger.load())
        == sum(r["claims"] for r in merged["counts"] if r["kind"] == "audit")
    )
    assert len(merged["checks"]) == len(ledger.audit())
    assert (root / "_build/ledger.json").read_bytes() == first


def test_the_command_prints_what_it_finds(capsys):
    from runner.commands import main

    try:
        main(["ledger", "audit"])
    except SystemExit as ended:
        assert not ended.code
    printed = capsys.readouterr().out
    assert (
        "effect_sizes.table2.flower-insect.mean" in printed
        and "every record is well formed" in printed
    )
    assert "finding (number): Table 2 and Figure 2 exchange" in printed
    assert "but for CLIP, White − Black (−.01), SLIP" in printed


def test_help_loads_no_table_and_no_test():
    code = (
        "import sys, runner.commands; "
        "assert not {'pandas', 'numpy', 'scipy', 'pydantic'} & set(sys.modules)"
    )
    subprocess.run([sys.executable, "-c", code], check=True)


def test_a_chapter_counts_its_claims_by_verdict_and_says_where_they_are():
    chapter = ledger.table("pretraining/effect_sizes")
    page = ledger.show(chapter).data
    printed = chapter[chapter["inferred"] == "paper"]  # values of ours get no verdict
    assert f"{len(printed)} numbers" in page
    counted = re.findall(r"(\d+) [a-z]", page.partition("(")[2].partition(")")[0])
    assert sorted(map(int, counted)) == sorted(printed["audit"].value_counts())
    assert "scorecard.html#records-of-pretraining-effect_sizes" in page


def test_the_ledger_is_a_spreadsheet(root):
    path = ledger.write_csv(root / "_build/ledger.csv")
    rows = pd.read_csv(path, keep_default_na=False, dtype=str).set_index("id")
    assert len(rows) == len(ledger.load())
    assert rows.loc["we_they.slip.wl.d", ["printed", "ours", "inferred"]].tolist() == [
        "−.49",
        "",
        "paper",
    ]
    assert rows.loc["we_they.n-asian", ["printed", "ours", "inferred"]].tolist() == [
        "",
        "109",
        "us",
    ]
    assert {"relation", "reason", "note", "criterion", "verdict", "rerun"} <= set(rows.columns)


@pytest.mark.parametrize("paper", ["causalface", "pretraining"])
def test_no_verdict_of_a_paper_depends_on_what_else_is_loaded(paper):
    alone, together = ledger.audit(paper), ledger.audit()
    together = together[together["paper"] == paper].reset_index(drop=True)
    pd.testing.assert_frame_equal(alone, together)


def test_the_gravest_verdict_on_a_claim_is_the_one_that_is_shown():
    def check(verdict, reason, severity="", claim="a", beside=()):
        return {
            "claim": claim,
            "verdict": verdict,
            "reason": reason,
            "severity": severity,
            "beside": beside,
            "exceptions": (),
            "finding": claim,
        }

    checks = pd.DataFrame(
        [
            check("consistent", "one"),
            check("inconsistent", "two", "number"),
            check("not checkable", "three"),
            check("inconsistent", "four", "wording", beside=("b",)),
            check("consistent", "five", claim="b"),
            check("not checkable", "six", claim="c"),
            check("consistent", "seven", claim="c"),
        ]
    )
    shown = collation.per_claim(checks)
    assert shown["audit"].to_dict() == {"a": "inconsistent", "b": "inconsistent", "c": "consistent"}
    assert shown["severity"].to_dict() == {"a": "number", "b": "wording", "c": ""}
    assert shown["reason"].to_dict() == {"a": "two; four", "b": "four", "c": "seven"}
