"""The audit of the committed claims, the tables of the chapters, the collated file."""

import json

import pandas as pd

from vlmbias import ledger
from vlmbias.ledger import tables

from .conftest import executed

CARRIES = {"consistent", "inconsistent", "not checkable"}


def test_every_claim_has_a_verdict_and_every_check_a_reason():
    checks = ledger.audit()
    assert set(checks["verdict"]) <= CARRIES
    assert (checks["reason"] != "").all()
    assert ((checks["verdict"] == "inconsistent") == (checks["severity"] != "")).all()
    card = ledger.scorecard()
    assert card["audit"].isin(CARRIES).all() and len(card) == len(ledger.load())


def test_the_exchanged_rows_are_found_and_the_others_hold():
    found = ledger.audit("pretraining").set_index("claim")["verdict"]
    table = found[found.index.str.startswith("effect_sizes.table2.")]
    exchanged = [f"effect_sizes.table2.{row}" for row in ("flower-insect", "instrument-weapon")]
    assert set(table[table == "inconsistent"].index) == {f"{row}.{v}" for row in exchanged for v in ("mean", "sd")}
    assert (table == "consistent").sum() == 6


def test_every_p_of_table_2_fits_its_d_two_sided_but_one_does_not_fit_the_coded_tail():
    checks = ledger.audit("american_white").set_index("claim")
    pairs = checks[checks["rule"] == "d_p"]
    assert len(pairs) == 9 and (pairs["verdict"] == "consistent").all()
    assert "greater: not d = −.49;" in checks.loc["we_they.tail", "reason"]
    assert checks.loc["we_they.tail", "reading"] == "two-sided"


def test_the_tables_of_paper_one_hold_but_for_these():
    checks = ledger.audit("causalface")
    odd = checks[checks["verdict"] == "inconsistent"]
    assert set(odd["claim"]) == {
        "metrics.sc_weat.causalface.asian_black", "metrics.count-appendix", "metrics.white-preferred",
        "smiling.table_b1.lighting.se", "smiling.appendix.split", "smiling.appendix.pose-rise",
    }  # fmt: skip
    assert (checks.loc[checks["claim"].str.startswith("smiling.table_s2"), "verdict"] == "consistent").all()
    assert len(ledger.load("causalface")) > 400


def test_the_published_calibration_values_hold():
    checks = ledger.audit("calibration")
    assert len(checks) == 8 and (checks["verdict"] == "consistent").all()


def test_a_p_value_shares_the_verdict_of_its_effect_size():
    table = ledger.table("american_white/we_they").set_index("claim")
    assert table.loc["we_they.slip.wl.p", "audit"] == table.loc["we_they.slip.wl.d", "audit"] == "consistent"
    assert table.loc["we_they.slip.wl.d", "printed"] == "−.49"
    assert table.loc["we_they.consistently", ["audit", "severity"]].tolist() == ["inconsistent", "wording"]


def test_words_do_not_judge_the_numbers_that_judge_them():
    table = ledger.table("causalface/smiling").set_index("claim")["audit"]
    assert table["smiling.appendix.split"] == "inconsistent"
    assert table["smiling.table_b1.smile_positive.se"] == "consistent"


def test_a_chapter_table_has_its_own_claims_in_their_order():
    for notebook, claims in ledger.load().groupby("notebook"):
        table = ledger.table(notebook)
        assert table["claim"].tolist() == claims["id"].tolist()
        assert list(table.columns[:5]) == ["claim", "where", "quantity", "subject", "printed"]
        assert list(table.columns[5:]) == ["audit", "severity", "reason"]


def test_collation_is_whole_and_the_same_twice(root):
    place = {"stimuli": "causalface", "model": "ViT-B-32-quickgelu/openai"}
    ledger.record("variation.lighting-p", 0.06, results="_build/results/causalface/variation.json", **place)
    executed(root, "causalface/variation")
    first = ledger.collate().read_bytes()
    assert ledger.collate().read_bytes() == first
    merged = json.loads(first)
    by_id = {claim["id"]: claim for claim in merged["claims"]}
    assert by_id["variation.lighting-p"]["rerun"] == "reproduced (as described)"
    assert len(by_id) == len(ledger.load()) == sum(r["claims"] for r in merged["counts"] if r["kind"] == "audit")
    assert len(merged["checks"]) == len(ledger.audit())
    assert (root / "_build/ledger.json").read_bytes() == first


def test_the_command_prints_what_it_finds(capsys):
    from runner.commands import main

    try:
        main(["ledger", "audit"])
    except SystemExit as ended:
        assert not ended.code
    printed = capsys.readouterr().out
    assert "effect_sizes.table2.flower-insect.mean" in printed and "every record is well formed" in printed


def test_a_chapter_shows_what_was_checked_open_and_the_rest_folded():
    chapter = ledger.table("pretraining/effect_sizes")
    page = ledger.show(chapter).data
    counts = chapter["audit"].value_counts()
    assert f"{len(chapter)} printed claims" in page
    for verdict in CARRIES & set(counts.index):
        assert f"<summary>{verdict}: {counts[verdict]}</summary>" in page
    assert page.index("inconsistent:") < page.index("<summary>consistent") < page.index("not checkable")
    assert page.count(" open>") == 2 and page.count("<tr>") + page.count("<tr ") >= len(chapter)


def test_the_gravest_verdict_on_a_claim_is_the_one_that_is_shown():
    def check(verdict, reason, severity="", claim="a", beside=()):
        return {"claim": claim, "verdict": verdict, "reason": reason, "severity": severity, "beside": beside}

    checks = pd.DataFrame([check("consistent", "one"), check("inconsistent", "two", "number"),
                           check("not checkable", "three"), check("inconsistent", "four", "wording", beside=("b",)),
                           check("consistent", "five", claim="b"), check("not checkable", "six", claim="c"),
                           check("consistent", "seven", claim="c")])
    shown = tables._per_claim(checks)
    assert shown["audit"].to_dict() == {"a": "inconsistent", "b": "inconsistent", "c": "consistent"}
    assert shown["reason"].to_dict() == {"a": "two; four", "b": "four", "c": "seven"}
