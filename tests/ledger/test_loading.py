"""Claim files: every malformed one is an error with file, line and rule; nothing else is ever
raised."""

import pytest
import yaml
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from jsonschema import Draft202012Validator

from vlmbias import ledger
from vlmbias.ledger.claims import read, schema

from .conftest import REPOSITORY

GOOD = """\
citation: "An example"
shared:
- &table
  where: Table 1
  notebook: example/one
  model: none
  data: none
  target: none
  unit: d
claims:
- <<: *table
  id: one.first
  quantity: d
  subject: first
  value: ".51"
- <<: *table
  id: one.second
  quantity: d
  subject: second
  value: ".49"
  audit:
  - rule: same
    of: {parts: [one.first]}
"""


def write(tmp_path, text, name="example.yaml"):
    path = tmp_path / "claims" / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, "utf-8")
    return path


def test_a_good_file_keeps_what_is_printed(tmp_path):
    first, second = read(write(tmp_path, GOOD))
    found = (first.value, first.paper, first.where, second.value)
    assert found == (".51", "example", "Table 1", ".49")
    assert second.audit[0].of == {"parts": ["one.first"]}


CHECK = "of: {parts: [one.first]}"
VALUE, SUBJECT = 'value: ".51"', "subject: first"
LONG = "subject: first\n  quote: " + "word " * 120
# what is written in place of what, and the line and the rule that the error names
MALFORMED = [
    (SUBJECT, "subject: [first", 15, "not readable as YAML"),
    (SUBJECT, "subject: first\n  subject: again", 11, "'subject' is given twice"),
    ("\nclaims:", "\nclaim:", 1, "claims: required"),
    ("- &table", "- &tables", 11, "undefined alias"),
    (VALUE, "value: .51", 15, "value: Input should be a valid string"),
    (VALUE, 'value: ".51 "', 15, "value: String should match pattern"),
    (VALUE, 'value: ".51"\n  valeu: "1"', 16, "valeu: Extra inputs"),
    ("id: one.first", "id: First!", 12, "id: String should match"),
    ("id: one.first", "id: one.second", 17, "an id is given once"),
    ("notebook: example/one", "notebook: other/one", 12, "its notebook is example/"),
    ("target: none", "target: people", 11, "target: Input should be 'model', 'training',"),
    (SUBJECT, "subject: first\n  tolerance: -1", 15, "tolerance: Input should be greater than or"),
    (SUBJECT, LONG, 15, "at most 500 characters"),
    ("rule: same", "rule: samee", 22, "rule: String should match pattern '^(above|among|"),
    (CHECK, f"{CHECK}\n    severity: bad", 24, "severity: Input should be 'conclusion'"),
    (CHECK, "of: {}", 23, "of: Dictionary should have at least 1 item"),
]


@pytest.fixture
def alone(tmp_path, monkeypatch):
    """A repository with one claim file."""
    monkeypatch.setenv("VLMBIAS_ROOT", str(tmp_path))
    return tmp_path / "data"


@pytest.mark.parametrize(("old", "new", "line", "rule"), MALFORMED)
def test_a_malformed_file_is_an_error_with_file_line_and_rule(alone, old, new, line, rule):
    write(alone, GOOD)
    assert len(ledger.audit("example")) == 2 and old in GOOD
    write(alone, GOOD.replace(old, new, 1))
    with pytest.raises(ledger.LedgerError, match=rf"claims/example\.yaml:{line}: ") as raised:
        ledger.audit("example")
    assert rule in str(raised.value)


@pytest.mark.parametrize(
    ("check", "problem"),
    [
        ("{rule: same, of: {parts: [one.firt]}}", "near matches: one.first"),
        ("{rule: same, of: {parts: one.third*}}", "no claim 'one.third*'"),
        ("{rule: same_sign, of: {values: [one.first, one.first], others: [one.first]}}", ""),
        ("{rule: among, of: {words: [one.first]}}", ""),
    ],
)
def test_a_check_that_cannot_be_applied_names_claim_and_rule(alone, check, problem):
    write(alone, GOOD.replace("rule: same\n    " + CHECK, check))
    rule = check[7:].partition(",")[0]
    with pytest.raises(
        ledger.LedgerError, match=f"claim one.second: rule {rule} cannot be applied"
    ) as raised:
        ledger.audit("example")
    assert problem in str(raised.value)


@settings(deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    st.integers(0, len(GOOD)),
    st.integers(0, 12),
    st.text(alphabet="\"'{}[]:,-&*!|>%@` \n\t#abc019.\\U", max_size=8),
)
def test_a_file_damaged_anywhere_is_read_or_named(tmp_path, at, cut, new):
    try:
        read(write(tmp_path, GOOD[:at] + new + GOOD[at + cut :]))
    except ledger.LedgerError as problem:
        assert "example.yaml:" in str(problem)


def test_ids_are_unique_over_files_and_a_paper_may_have_several(alone):
    write(alone, GOOD)
    write(alone, GOOD.replace("one.", "one.more."), "example.appendix.yaml")
    ids = ledger.load("example")["id"].tolist()
    assert ids == ["one.first", "one.second", "one.more.first", "one.more.second"]
    write(alone, GOOD.replace("example/", "other/"), "other.yaml")
    with pytest.raises(
        ledger.LedgerError, match=r"claims/other.yaml: one.first is in claims/example.yaml"
    ):
        ledger.load()


def test_unknown_names_list_what_there_is():
    for ask, known in (
        (lambda: ledger.claim("variation.seed-larges"), r"near matches: variation\.seed-largest"),
        (lambda: ledger.load("hausladen"), "american_white, calibration, causalface, pretraining"),
        (lambda: ledger.table("we_they"), "american_white/we_they"),
    ):
        with pytest.raises(ledger.LedgerError, match=known):
            ask()


def test_the_schema_for_editors_is_current_and_accepts_the_files(root):
    place = root / "data/claims/schema.json"
    before = place.read_bytes()
    place.unlink()
    assert ledger.write_schema() == place
    assert place.read_bytes() == before, "run `ledger.write_schema()`"
    check = Draft202012Validator(schema())
    for sheet in (REPOSITORY / "data/claims").glob("*.yaml"):
        text = sheet.read_text("utf-8")
        assert text.startswith("# yaml-language-server: $schema=schema.json\n"), sheet.name
        check.validate(yaml.safe_load(text))
    assert not check.is_valid(yaml.safe_load(GOOD.replace(VALUE, 'value: ".51"\n  valeu: "1"')))
