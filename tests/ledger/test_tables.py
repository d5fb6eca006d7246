"""The audit of the committed claims, the tables of the chapters, the collated file."""

import contextlib
import json
import re

import pandas as pd
import pytest

from runner.commands import main
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
    assert table["we_they.caption"] == (
        "consistent but for CLIP, White − Black (−.01) and SLIP, White − Latina/o (−.49)"
    )
    several = in_words("checked as part of", tuple("abcdef"))
    assert several == "checked as part of a, b, c and 3 more"
    assert in_words("consistent", ("a",)) == "consistent"
    assert in_words("input", ("a", "b")) == "used in the check of a and b"
    assert in_words("input", ()) == "used in no check"


def test_values_of_ours_are_inputs_and_no_finding_is_about_them():
    checks, claims = ledger.audit(), ledger.load().set_index("id")
    inferred = claims["inferred"]
    ours = checks["claim"].map(inferred) == "us"
    assert ours.sum() > 100 and (checks.loc[ours, ["printed", "rule"]] == "").all(axis=None)
    assert (checks.loc[ours, "ours"] != "").all() and (checks.loc[~ours, "ours"] == "").all()
    assert (checks.loc[~ours, "printed"] != "").all()
    assert (ours == (checks["verdict"] == "input")).all()
    concerned = [name for claims in ledger.findings(checks)["claims"] for name in claims]
    assert len(concerned) > 30 and set(inferred[concerned]) == {"paper"}
    shown = collation.per_claim(checks).loc["we_they.n-asian"]
    assert shown["audit"] == "input"
    assert shown["verdict"].startswith("used in the check of we_they.")


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
    order = found["severity"].map(["conclusion", "number", "wording"].index)
    assert order.is_monotonic_increasing
    american = found[found["paper"] == "american_white"]
    assert "conclusion" not in set(american["severity"]), (
        "book/american_white.md says that none touches a conclusion"
    )


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
    assert {name for name in VERDICTS[verdict] if found[name] != {verdict}} == set()


def test_a_wording_is_no_number_and_no_wrong_conclusion_is_a_wording():
    failed = ledger.audit().query("verdict == 'inconsistent'").groupby("claim")["severity"].agg(set)
    for name in ("vqa.one-word", "effect_sizes.textual"):
        assert failed[name] == {"wording"}
    for name in ("vqa.american.black.intro", "captions.asian.most.abstract"):
        assert failed[name] == {"number"}


def test_a_tail_and_its_bounds_say_what_speaks_against_each_reading():
    checks = ledger.audit("american_white").set_index("claim")
    tail, bounds = checks.loc["we_they.tail"], checks.loc["states.bounds"]
    assert "greater: not SLIP, White − Latina/o (−.49)." in tail["reason"]
    assert tail["exceptions"] == ("SLIP, White − Black (.49)",)
    two_sided = bounds["reason"].partition(". greater")[0]
    assert two_sided.startswith("two-sided: all fit") and len(bounds["exceptions"]) == 4
    assert two_sided.count("only with the power of ten") == 6


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
    assert (
        len(by_id)
        == len(ledger.load())
        == sum(r["claims"] for r in merged["counts"] if r["kind"] == "audit")
    )
    assert len(merged["checks"]) == len(ledger.audit())
    assert (root / "_build/ledger.json").read_bytes() == first


def test_the_command_prints_what_it_finds(capsys):
    with contextlib.suppress(SystemExit):
        main(["ledger", "audit"])
    printed = capsys.readouterr().out
    assert "every record is well formed" in printed
    assert "finding (number): Table 2 and Figure 2 exchange" in printed
    assert "but for CLIP, White − Black (−.01), SLIP" in printed


def test_a_chapter_counts_its_claims_by_verdict_and_says_where_they_are():
    chapter = ledger.table("pretraining/effect_sizes")
    page = ledger.show(chapter).data
    printed = chapter[chapter["inferred"] == "paper"]  # values of ours get no verdict
    assert f"{len(printed)} numbers" in page
    counted = re.findall(r"\d+", page.partition("(")[2].partition(")")[0])
    assert sorted(map(int, counted)) == sorted(printed["audit"].value_counts())
    assert "scorecard.html#records-of-pretraining-effect_sizes" in page


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
