"""Claim files: every malformed one is an error with file, line and rule; nothing else is ever raised."""

import pytest
import yaml
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from vlmbias import ledger
from vlmbias.ledger.claims import read

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
    path.parent.mkdir(exist_ok=True)
    path.write_bytes(text if isinstance(text, bytes) else text.encode("utf-8", "surrogatepass"))
    return path


def test_a_good_file_keeps_what_is_printed(tmp_path):
    first, second = read(write(tmp_path, GOOD))
    assert (first.value, first.paper, first.where, second.value) == (".51", "example", "Table 1", ".49")
    assert second.audit[0].of == {"parts": ["one.first"]}


@pytest.mark.parametrize(
    ("old", "new", "line", "rule"),
    [
        ('value: ".51"', "value: .51", 15, "value: Input should be a valid string"),
        ('value: ".51"', 'value: "much"', 11, "not a number; write words with `unit: statement`"),
        ('value: ".51"', 'value: ".51"\n  valeu: "1"', 16, "valeu: Extra inputs"),
        ("subject: first", "subject: first\n  subject: again", 11, "'subject' is given twice"),
        ("id: one.second", "id: one.first", 17, "an id is given once"),
        ("notebook: example/one", "notebook: other/one", 12, "its notebook is example/"),
        ("id: one.first", "id: First!", 12, "id: String should match"),
        ("target: none", "target: people", 11, "target: Input should be 'model', 'training', 'data' or 'none'"),
        ("rule: same", "rule: samee", 22, "rule: String should match pattern '^(above|coefficient|d_p|"),
        ("  quantity: d\n  subject: first", "  subject: first", 11, "quantity: Field required"),
        ("notebook: example/one", "notebook: one", 11, "notebook: String should match"),
        ("\nclaims:", "\nclaim:", 1, "claims: Field required"),
        ("citation:", "year: 2022\ncitation:", 1, "year: Extra inputs"),
        ("subject: first", "subject: first\n  n: few", 15, "n: Input should be a valid integer"),
        ("subject: first", 'subject: first\n  quote: "' + "word " * 120 + '"', 15, "at most 500 characters"),
        ("subject: first", "subject: [first", 15, "not readable as YAML"),
    ],
)
def test_errors_give_file_line_and_rule(tmp_path, old, new, line, rule):
    assert old in GOOD
    with pytest.raises(ledger.LedgerError, match=rf"claims/example\.yaml:{line}: ") as raised:
        read(write(tmp_path, GOOD.replace(old, new, 1)))
    assert rule in str(raised.value)


settings.register_profile("files", deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
files = settings(settings.get_profile("files"), max_examples=150)
words = st.sampled_from(["citation", "claims", "shared", "<<", "id", "value", "audit", "rule", "of", "n", "x"])
trees = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8) | words | st.dates(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(words | st.integers(), inner, max_size=4),
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
    only_ledger_errors(write(tmp_path, yaml.safe_dump({"citation": "c", "shared": shared, "claims": claims})))


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
    with pytest.raises(ledger.LedgerError, match=r"claims/other.yaml:12: .* already in claims/example.yaml"):
        ledger.load()
    (root / "data/claims/other.yaml").unlink()
    write(root / "data", GOOD.replace("[one.first]", "[one.firt]"))
    with pytest.raises(ledger.LedgerError, match=r"example.yaml:22: claim one.second.*near matches: one.first"):
        ledger.audit("example")
    write(root / "data", GOOD.replace("parts:", "part:"))
    with pytest.raises(ledger.LedgerError, match=r"example.yaml:22: .*rule same cannot be applied: .*'part'"):
        ledger.audit("example")


def test_a_paper_may_have_several_files_and_errors_name_the_right_one(root):
    write(root / "data", GOOD)
    second = GOOD.replace("one.", "one.more.").replace("parts:", "part:")
    write(root / "data", second, "example.appendix.yaml")
    ids = ledger.load("example")["id"].tolist()
    assert ids == ["one.first", "one.second", "one.more.first", "one.more.second"]
    with pytest.raises(ledger.LedgerError, match=r"example\.appendix\.yaml:22: claim one\.more\.second"):
        ledger.audit("example")


def test_unknown_names_list_what_there_is():
    with pytest.raises(ledger.LedgerError, match=r"near matches: variation\.seed-largest"):
        ledger.claim("variation.seed-larges")
    with pytest.raises(ledger.LedgerError, match="american_white, calibration, causalface, pretraining"):
        ledger.load("hausladen")
    with pytest.raises(ledger.LedgerError, match="american_white/we_they"):
        ledger.table("we_they")


def test_the_committed_claims_are_plain():
    claims = ledger.load()
    assert claims["id"].is_unique and len(claims) > 150
    assert (claims["id"].str.partition(".")[0] == claims["notebook"].str.partition("/")[2]).all()
    chapters = {"causalface/variation", "american_white/we_they", "pretraining/effect_sizes", "calibration/ieat"}
    assert chapters <= set(claims["notebook"])
    quoted = claims[(claims["inferred"] == "paper") & (claims["paper"] != "calibration")]
    in_text = quoted[~quoted["where"].str.startswith("Table")]
    assert (in_text["quote"] != "").all()
    assert all(path.suffix == ".yaml" for path in (REPOSITORY / "data/claims").iterdir())
