"""The audit of the committed claims, the tables of the chapters, the collated file."""

import contextlib
import json

import pandas as pd
import pytest

from runner.commands import main
from vlmbias import ledger
from vlmbias.ledger import collation
from vlmbias.ledger.collation import in_words

from .conftest import executed


def test_every_claim_has_a_verdict_and_every_check_a_reason():
    checks, claims = ledger.audit(), ledger.load().set_index("id")
    assert set(checks["verdict"]) == set(ledger.VERDICTS)
    assert (checks.loc[checks["verdict"] != "checked as part of", "reason"] != "").all()
    for column in ("severity", "finding"):
        assert ((checks["verdict"] == "inconsistent") == (checks[column] != "")).all()
    failed = checks[checks["verdict"] == "inconsistent"]
    bare = failed.loc[failed["finding"] == failed["claim"], "claim"].tolist()
    assert not bare, f"inconsistent, and no cause in their file in data/claims: {bare}"
    named = checks["verdict"].isin(["consistent but for", "checked as part of"])
    assert (checks.loc[named, "exceptions"].map(len) > 0).all()
    part = checks[checks["verdict"].isin(["checked as part of", "input"])].set_index("claim")
    for claim, others in part["exceptions"].items():
        assert set(others) <= set(claims.index) and claim not in others
    assert "captions.level.black" in part.loc["captions.levels", "exceptions"]
    card = ledger.scorecard()
    assert card["audit"].isin(ledger.VERDICTS).all() and len(card) == len(claims)


def test_a_check_that_holds_but_for_an_exception_is_not_counted_as_one_that_holds():
    every = ledger.audit("pretraining").query("rule != ''")
    chapters = [ledger.tally(own) for _, own in every.groupby("notebook")]
    assert all(one["hold"] + one["but_for"] + one["fail"] == one["n"] for one in chapters)
    assert any(one["but_for"] for one in chapters)
    assert ledger.tally(every) == {
        name: sum(one[name] for one in chapters) for name in ("n", "hold", "but_for", "fail")
    }


def test_exceptions_are_named():
    several = in_words("checked as part of", tuple("abcdef"))
    assert several == "checked as part of a, b, c and 3 more"
    assert in_words("consistent", ("a",)) == "consistent"
    assert in_words("input", ("a", "b")) == "used in the check of a and b"
    assert in_words("input", ()) == "used in no check"


def test_values_of_ours_are_inputs_and_no_finding_is_about_them():
    checks, inferred = ledger.audit(), ledger.load().set_index("id")["inferred"]
    ours = checks["claim"].map(inferred) == "us"
    assert ours.sum() > 100 and (checks.loc[ours, ["printed", "rule"]] == "").all(axis=None)
    assert ((checks["ours"] != "") == ours).all() and ((checks["printed"] == "") == ours).all()
    assert (ours == (checks["verdict"] == "input")).all()
    concerned = [name for claims in ledger.findings(checks)["claims"] for name in claims]
    assert len(concerned) > 30 and set(inferred[concerned]) == {"paper"}


def test_a_check_concerns_the_printed_record_beside_it_and_no_count_of_ours():
    """The group sizes enter a check that fails; a p-value is checked with its effect size."""
    checks = ledger.audit("american_white").set_index("claim")
    failed = checks.loc["vqa.state.black.south-africa"]
    assert failed["verdict"] == "inconsistent" and failed["beside"] == ()
    pair = checks.loc["traits.egalitarianism.blip.wa.d"]
    assert pair["beside"] == ("traits.egalitarianism.blip.wa.p",)
    table = ledger.table("american_white/we_they").set_index("claim")
    p, d = table.loc["we_they.slip.wl.p"], table.loc["we_they.slip.wl.d"]
    assert p["audit"] == d["audit"] == "consistent"
    assert (p["printed"], p["relation"], d["printed"]) == ("< 10⁻⁴", "<", "−.49")


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
    order = found["severity"].map(["conclusion", "number", "wording"].index)
    assert order.is_monotonic_increasing


VERDICTS = {
    "inconsistent": (
        "effect_sizes.table2.flower-insect.mean",  # two rows exchanged
        "effect_sizes.table2.instrument-weapon.sd",
        "traits.egalitarianism.blip.wa.d",  # a p that no data can give
        "states.intro-r2-slip",  # another last digit in the table
        "variation.variations-again",
    ),
    "consistent but for": (
        "we_they.tail",
        "states.bounds",
        "metrics.decline-fairface",
    ),
    "consistent": (
        "we_they.clip.wa.d",
        "effect_sizes.variance-fall-text",
        "smiling.table_b1.smile_positive.se",
    ),
}


@pytest.mark.parametrize("verdict", VERDICTS)
def test_verdicts_that_are_known_stay(verdict):
    found = ledger.audit().groupby("claim")["verdict"].agg(set)
    changed = {name: found[name] for name in VERDICTS[verdict] if found[name] != {verdict}}
    assert not changed, f"of these records, the audit no longer says {verdict}: {changed}"


def test_a_chapter_table_has_its_own_claims_in_their_order():
    for notebook, claims in ledger.load().groupby("notebook"):
        assert ledger.table(notebook)["claim"].tolist() == claims["id"].tolist()


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
    counted = sum(row["claims"] for row in merged["counts"] if row["kind"] == "audit")
    assert len(by_id) == len(ledger.load()) == counted
    assert len(merged["checks"]) == len(ledger.audit())


def test_the_command_prints_what_it_finds(capsys):
    with contextlib.suppress(SystemExit):
        main(["ledger", "audit"])
    printed = capsys.readouterr().out
    assert "every record is well formed" in printed
    assert printed.count("finding (") == len(ledger.findings(ledger.audit()))


def test_the_ledger_is_a_spreadsheet(root):
    path = ledger.write_csv(root / "_build/ledger.csv")
    rows = pd.read_csv(path, keep_default_na=False, dtype=str).set_index("id")
    assert len(rows) == len(ledger.load())
    columns = ["printed", "ours", "inferred"]
    assert rows.loc["we_they.slip.wl.d", columns].tolist() == ["−.49", "", "paper"]
    assert rows.loc["we_they.n-asian", columns].tolist() == ["", "109", "us"]


def test_no_verdict_of_a_paper_depends_on_what_else_is_loaded():
    alone, together = ledger.audit("pretraining"), ledger.audit()
    together = together[together["paper"] == "pretraining"].reset_index(drop=True)
    pd.testing.assert_frame_equal(alone, together)


def test_the_gravest_verdict_on_a_claim_is_the_one_that_is_shown():
    columns = ("claim", "verdict", "reason", "severity", "beside")
    rows = [
        ("a", "consistent", "one", "", ()),
        ("a", "inconsistent", "two", "number", ()),
        ("a", "not checkable", "three", "", ()),
        ("a", "inconsistent", "four", "wording", ("b",)),
        ("b", "consistent", "five", "", ()),
        ("c", "not checkable", "six", "", ()),
        ("c", "consistent", "seven", "", ()),
    ]
    checks = pd.DataFrame(rows, columns=columns).assign(exceptions=[()] * len(rows), finding="x")
    shown = collation.per_claim(checks)
    assert shown["audit"].to_dict() == {"a": "inconsistent", "b": "inconsistent", "c": "consistent"}
    assert shown["severity"].to_dict() == {"a": "number", "b": "wording", "c": ""}
    assert shown["reason"].to_dict() == {"a": "two; four", "b": "four", "c": "seven"}
