"""Claim files: every malformed one is an error with file, line and rule; nothing else is ever
raised."""

import json
import re

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
    path.write_bytes(text if isinstance(text, bytes) else text.encode("utf-8", "surrogatepass"))
    return path


def test_a_good_file_keeps_what_is_printed(tmp_path):
    first, second = read(write(tmp_path, GOOD))
    assert (first.value, first.paper, first.where, second.value) == (
        ".51",
        "example",
        "Table 1",
        ".49",
    )
    assert second.audit[0].of == {"parts": ["one.first"]}


TEXT = GOOD.replace("where: Table 1", 'where: Section 1\n  quote: "First .51, then .49."')
CHECK = "of: {parts: [one.first]}"
VALUE, SUBJECT = 'value: ".51"', "subject: first"
MALFORMED = [
    # the file
    ("", GOOD, "subject: first", "subject: [first", 15, "not readable as YAML"),
    ("", GOOD, SUBJECT, "subject: first\n  subject: again", 11, "'subject' is given twice"),
    ("", GOOD, "\nclaims:", "\nclaim:", 1, "claims: Field required"),
    ("", GOOD, "citation:", "year: 2022\ncitation:", 1, "year: Extra inputs"),
    ("", GOOD, "- &table", "- &tables", 11, "undefined alias"),
    (
        "",
        GOOD,
        'citation: "An example"',
        'citation: ""',
        1,
        "citation: String should have at least 1 character",
    ),
    # fields
    ("value as a number", GOOD, VALUE, "value: .51", 15, "value: Input should be a valid string"),
    (
        "words as a number",
        GOOD,
        VALUE,
        'value: "much"',
        11,
        "not a number; write words with `unit: statement`",
    ),
    ("blank at the end", GOOD, VALUE, 'value: ".51 "', 15, "value: String should match pattern"),
    ("empty value", GOOD, VALUE, 'value: ""', 15, "value: String should have at least 1 character"),
    ("unknown field", GOOD, VALUE, 'value: ".51"\n  valeu: "1"', 16, "valeu: Extra inputs"),
    (
        "a sign by itself",
        GOOD,
        VALUE,
        'value: ".51"\n  relation: "<"',
        16,
        "relation: Extra inputs",
    ),
    ("no such id", GOOD, "id: one.first", "id: First!", 12, "id: String should match"),
    ("id twice", GOOD, "id: one.first", "id: one.second", 17, "an id is given once"),
    (
        "another chapter",
        GOOD,
        "id: one.first",
        "id: two.first",
        11,
        "the id begins with the chapter, one., and",
    ),
    (
        "another paper",
        GOOD,
        "notebook: example/one",
        "notebook: other/one",
        12,
        "its notebook is example/",
    ),
    (
        "no paper",
        GOOD,
        "notebook: example/one",
        "notebook: one",
        11,
        "notebook: String should match",
    ),
    (
        "no such target",
        GOOD,
        "target: none",
        "target: people",
        11,
        "target: Input should be 'model', 'training',",
    ),
    (
        "nothing required",
        GOOD,
        "  quantity: d\n  subject: first",
        "  subject: first",
        11,
        "quantity: Field required",
    ),
    (
        "n in words",
        GOOD,
        SUBJECT,
        "subject: first\n  n: few",
        15,
        "n: Input should be a valid integer",
    ),
    (
        "n of nobody",
        GOOD,
        SUBJECT,
        "subject: first\n  n: 0",
        15,
        "n: Input should be greater than 0",
    ),
    (
        "tolerance",
        GOOD,
        SUBJECT,
        "subject: first\n  tolerance: -1",
        15,
        "tolerance: Input should be greater than or",
    ),
    (
        "who inferred",
        GOOD,
        SUBJECT,
        "subject: first\n  inferred: me",
        15,
        "inferred: Input should be 'paper' or 'us'",
    ),
    (
        "quote too long",
        GOOD,
        SUBJECT,
        'subject: first\n  quote: "' + "word " * 120 + '"',
        15,
        "at most 500 characters",
    ),
    # fields together
    (
        "no quote",
        GOOD,
        "where: Table 1",
        "where: Section 1",
        11,
        "outside a table needs its sentence as `quote`",
    ),
    (
        "not in the quote",
        TEXT,
        VALUE,
        'value: ".52"',
        12,
        "value '.52' does not occur in the quote",
    ),
    (
        "ours, from where",
        GOOD,
        SUBJECT,
        "subject: first\n  inferred: us",
        11,
        "says in its note where it was read",
    ),
    (
        "ours, judged",
        GOOD,
        'value: ".49"',
        'value: ".49"\n  inferred: us\n  note: "a count"',
        16,
        "(`inferred: us`) is an input; give the check to what is printed",
    ),
    (
        "a count",
        GOOD,
        SUBJECT,
        "subject: first\n  unit: count",
        11,
        "'.51' is not a whole number, as `unit: count` is",
    ),
    (
        "no p",
        GOOD,
        VALUE,
        'value: "1.51"\n  unit: p',
        11,
        "'1.51' is no p-value: it lies outside 0 to 1",
    ),
    (
        "n of words",
        GOOD,
        VALUE,
        "value: most\n  unit: statement\n  n: 3",
        11,
        "words have no tolerance, draws or n",
    ),
    (
        "draws",
        GOOD,
        SUBJECT,
        "subject: first\n  draws: 100",
        11,
        "draws are those behind a sampled p; the unit is d",
    ),
    (
        "no model",
        GOOD,
        "target: none",
        "target: model",
        11,
        "target 'model' needs the model that it is about",
    ),
    (
        "list of data",
        GOOD,
        "data: none",
        'data: "cfd,oasis"',
        11,
        "names are separated by a comma and one blank",
    ),
    # checks
    (
        "no such rule",
        GOOD,
        "rule: same",
        "rule: samee",
        22,
        "rule: String should match pattern '^(above|among|",
    ),
    (
        "no such severity",
        GOOD,
        CHECK,
        f"{CHECK}\n    severity: bad",
        24,
        "severity: Input should be 'conclusion'",
    ),
    (
        "no such says",
        GOOD,
        CHECK,
        f"{CHECK}\n    says: few",
        24,
        "says: String should match pattern '^(all|most|",
    ),
    (
        "says by case",
        GOOD,
        CHECK,
        f"{CHECK}\n    says: most",
        22,
        "`says: most` is for a rule that goes case by case",
    ),
    ("no rule", GOOD, "rule: same\n    of", "of", 22, "rule: Field required"),
    (
        "nothing to set against",
        GOOD,
        CHECK,
        "of: {}",
        23,
        "of: Dictionary should have at least 1 item",
    ),
    ("an empty list", GOOD, CHECK, "of: {parts: []}", 22, "rule same: `parts` names no claim"),
    (
        "against itself",
        GOOD,
        CHECK,
        "of: {parts: [one.second]}",
        16,
        "rule same sets the claim against itself",
    ),
    (
        "twice",
        GOOD,
        "  - rule: same",
        f"  - {{rule: same, {CHECK}}}\n  - rule: same",
        16,
        "rule same is given twice",
    ),
    (
        "a second value",
        GOOD,
        CHECK,
        "of: {parts: [one.first], value: one.first}",
        16,
        "`value` is for a statement",
    ),
    ("an unknown claim", GOOD, CHECK, "of: {parts: [one.firt]}", 22, "near matches: one.first"),
    ("a pattern of none", GOOD, CHECK, "of: {parts: one.third*}", 22, "no claim 'one.third*'"),
    (
        "an unknown part",
        GOOD,
        CHECK,
        "of: {part: [one.first]}",
        22,
        "rule same cannot be applied: .*'part'",
    ),
    (
        "a list too long",
        GOOD,
        "rule: same\n    " + CHECK,
        "{rule: same_sign, of: {values: [one.first, one.first], others: [one.first]}}",
        22,
        "rule same_sign cannot be applied: zip",
    ),
    (
        "words for numbers",
        GOOD,
        "rule: same\n    " + CHECK,
        "{rule: among, of: {words: [one.first]}}",
        22,
        "rule among cannot be applied",
    ),
]


@pytest.fixture
def alone(tmp_path, monkeypatch):
    """A repository with one claim file."""
    monkeypatch.setenv("VLMBIAS_ROOT", str(tmp_path))
    return tmp_path / "data"


@pytest.mark.parametrize(("good", "old", "new", "line", "rule"), [case[1:] for case in MALFORMED])
def test_the_audit_names_file_line_and_rule(alone, good, old, new, line, rule):
    write(alone, good)
    assert (
        ledger.audit("example")["rule"] != ""
    ).sum() == 1 and old in good  # read, and its one check applied
    write(alone, good.replace(old, new, 1))
    with pytest.raises(ledger.LedgerError, match=rf"claims/example\.yaml:{line}: ") as raised:
        ledger.audit("example")
    assert re.search(rule if ".*" in rule else re.escape(rule), str(raised.value), re.DOTALL)


def test_there_are_more_than_thirty_kinds_of_malformed_records():
    assert len({rule for *_, rule in MALFORMED}) > 30


settings.register_profile(
    "files", deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
files = settings(settings.get_profile("files"), max_examples=150)
words = st.sampled_from(
    ["citation", "claims", "shared", "<<", "id", "value", "audit", "rule", "of", "n", "x"]
)
trees = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats()
    | st.text(max_size=8)
    | words
    | st.dates(),
    lambda inner: (
        st.lists(inner, max_size=4) | st.dictionaries(words | st.integers(), inner, max_size=4)
    ),
    max_leaves=12,
)


def only_ledger_errors(path):
    try:
        read(path)
    except ledger.LedgerError as problem:
        assert "example.yaml:" in str(problem)


@files
@given(st.text(max_size=60) | st.binary(max_size=60))
def test_random_text_never_crashes(tmp_path, content):
    only_ledger_errors(write(tmp_path, content))


@files
@given(trees)
def test_random_yaml_never_crashes(tmp_path, tree):
    only_ledger_errors(write(tmp_path, yaml.safe_dump(tree)))


@files
@given(trees, trees)
def test_random_claims_never_crash(tmp_path, shared, claims):
    only_ledger_errors(
        write(tmp_path, yaml.safe_dump({"citation": "c", "shared": shared, "claims": claims}))
    )


@files
@given(st.data())
def test_a_damaged_file_never_crashes(tmp_path, data):
    at = data.draw(st.integers(0, len(GOOD)))
    cut = data.draw(st.integers(0, 12))
    new = data.draw(st.text(alphabet="\"'{}[]:,-&*!|>%@` \n\t#abc019.\\U", max_size=8))
    only_ledger_errors(write(tmp_path, GOOD[:at] + new + GOOD[at + cut :]))


@pytest.mark.parametrize(
    "text",
    [
        *("", "- " * 3000, "[" * 3000, "&a [*a]", "claims: &a\n- *a\n", "? [a]\n: b\n"),
        *('"\\UFFFFFFFF"', "!!timestamp x", "%YAML 1." + "9" * 5000 + "\n"),
    ],
)
def test_known_hard_cases_never_crash(tmp_path, text):
    with pytest.raises(ledger.LedgerError):
        read(write(tmp_path, text))


def test_ids_are_unique_over_files_and_checks_can_be_applied(root):
    write(root / "data", GOOD)
    assert "one.first" in set(ledger.load("example")["id"])
    write(root / "data", GOOD.replace("example/", "other/"), "other.yaml")
    with pytest.raises(
        ledger.LedgerError, match=r"claims/other.yaml:12: .* already in claims/example.yaml"
    ):
        ledger.load()
    (root / "data/claims/other.yaml").unlink()
    write(root / "data", GOOD.replace("[one.first]", "[one.firt]"))
    with pytest.raises(
        ledger.LedgerError, match=r"example.yaml:22: claim one.second.*near matches: one.first"
    ):
        ledger.audit("example")
    write(root / "data", GOOD.replace("parts:", "part:"))
    with pytest.raises(
        ledger.LedgerError, match=r"example.yaml:22: .*rule same cannot be applied: .*'part'"
    ):
        ledger.audit("example")


def test_a_paper_may_have_several_files_and_errors_name_the_right_one(root):
    write(root / "data", GOOD)
    second = GOOD.replace("one.", "one.more.").replace("parts:", "part:")
    write(root / "data", second, "example.appendix.yaml")
    ids = ledger.load("example")["id"].tolist()
    assert ids == ["one.first", "one.second", "one.more.first", "one.more.second"]
    with pytest.raises(
        ledger.LedgerError, match=r"example\.appendix\.yaml:22: claim one\.more\.second"
    ):
        ledger.audit("example")


def test_unknown_names_list_what_there_is():
    with pytest.raises(ledger.LedgerError, match=r"near matches: variation\.seed-largest"):
        ledger.claim("variation.seed-larges")
    with pytest.raises(
        ledger.LedgerError, match="american_white, calibration, causalface, pretraining"
    ):
        ledger.load("hausladen")
    with pytest.raises(ledger.LedgerError, match="american_white/we_they"):
        ledger.table("we_they")


def test_the_committed_claims_are_plain():
    claims = ledger.load()
    assert claims["id"].is_unique and len(claims) > 150
    assert (claims["id"].str.partition(".")[0] == claims["notebook"].str.partition("/")[2]).all()
    chapters = {
        "causalface/variation",
        "american_white/we_they",
        "pretraining/effect_sizes",
        "calibration/ieat",
    }
    assert chapters <= set(claims["notebook"])
    quoted = claims[(claims["inferred"] == "paper") & (claims["paper"] != "calibration")]
    in_text = quoted[
        ~quoted["where"].str.startswith("Table") & ~quoted["where"].str.endswith("on the bars")
    ]
    assert (in_text["quote"] != "").all()
    others = {
        path.name for path in (REPOSITORY / "data/claims").iterdir() if path.suffix != ".yaml"
    }
    assert others == {"schema.json"}


def test_signs_of_inequality_are_printed_ones():
    claims = ledger.load().set_index("id")
    assert claims.loc["we_they.slip.wl.p", ["value", "relation"]].tolist() == ["< 10⁻⁴", "<"]
    assert claims.loc["stimuli.fairface.age", ["value", "relation"]].tolist() == [
        "20 years and older",
        "≥",
    ]
    assert (
        claims.loc["smiling.opposed", "relation"] == "" and (claims["relation"] == "=").sum() > 300
    )


def test_the_schema_for_editors_is_current_and_accepts_the_files():
    path = REPOSITORY / "data/claims/schema.json"
    assert json.loads(path.read_text("utf-8")) == schema(), "run `vlmbias ledger schema`"
    check = Draft202012Validator(schema())
    for sheet in (REPOSITORY / "data/claims").glob("*.yaml"):
        text = sheet.read_text("utf-8")
        assert text.startswith("# yaml-language-server: $schema=schema.json\n"), sheet.name
        check.validate(yaml.safe_load(text))
    assert not check.is_valid(yaml.safe_load(GOOD.replace(VALUE, 'value: ".51"\n  valeu: "1"')))


def test_the_schema_is_written_where_editors_look(root):
    assert ledger.write_schema() == root / "data/claims/schema.json"
    assert (root / "data/claims/schema.json").read_bytes() == (
        REPOSITORY / "data/claims/schema.json"
    ).read_bytes()
