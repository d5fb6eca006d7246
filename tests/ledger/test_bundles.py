"""Bundles of results: written from a build without a way to the reader's files, read as if a
stranger wrote them."""

import copy
import hashlib
import json
import re
import shutil
from contextlib import suppress

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from runner import commands
from runner.commands import contributing as command
from vlmbias import ledger, paths
from vlmbias.ledger import bundles
from vlmbias.sources.catalogue import catalogue

from .conftest import REPOSITORY, WHOLE, executed
from .test_pages import run_sphinx

CLIP = "ViT-B-32-quickgelu/openai"
NOTEBOOK = "american_white/we_they"
CLAIM, OTHER = "we_they.clip.wa.d", "we_they.clip.wl.d"  # printed .46 and .08, on cfd with CLIP
VALUE = {"claim": CLAIM, "protocol": "described", "value": 0.4612, "stimuli": "cfd", "model": CLIP}
CHAPTER = {
    "notebook": NOTEBOOK,
    "settings": "paper",
    "commit": "68bf64f0bd",
    "code": "a" * 64,
    "seconds": 15,
    "machine": "Linux x86_64, 2 cores",
    "versions": {"numpy": "2.4.6"},
    "parameters": {"seed": 0, "reference": ""},
    "data": {"cfd": {"hash": "b" * 64, "whole": True, "drawn": False}},
    "values": [VALUE],
}
BUNDLE = {
    "format": "vlmbias results 1",
    "paper": "american_white",
    "by": "A. Reader",
    "chapters": [CHAPTER],
}


@pytest.fixture
def root(root):
    """With the notebooks to look parameters up in."""
    (root / "notebooks").symlink_to(REPOSITORY / "notebooks")
    return root


def changed(place, value):
    """The bundle with another value at a place such as `chapters.0.values.0.value`; `...` removes
    the entry."""
    whole = copy.deepcopy(BUNDLE)
    *way, last = [int(step) if step.isdecimal() else step for step in place.split(".")]
    inside = whole
    for step in way:
        inside = inside[step]
    if value is ...:
        del inside[last]
    else:
        inside[last] = value
    return whole


def read(root, content):
    path = root / "theirs.json"
    path.write_text(content if isinstance(content, str) else json.dumps(content))
    return bundles.read(path)


def verdict(whole):
    (row,) = bundles.with_verdicts(bundles.Bundle.model_validate(whole))
    return row["verdict"]


# --- reading --------------------------------------------------------------------------------------


def test_a_bundle_is_read_and_judged_as_a_rerun_is(root):
    (row,) = bundles.with_verdicts(read(root, BUNDLE))
    assert row["verdict"] == "reproduced (as described)" and row["found"] == "0.4612 as described"
    assert (row["by"], row["commit"], row["model"]) == ("A. Reader", "68bf64f0bd", CLIP)
    assert verdict(changed("chapters.0.values.0.value", 0.52)) == "differs"
    both = [VALUE | {"value": 0.9}, VALUE | {"protocol": "released"}]
    assert verdict(changed("chapters.0.values", both)) == "reproduced (as released)"


@pytest.mark.parametrize(
    ("place", "value", "says"),
    [
        ("format", "vlmbias results 2", "format: Input should be 'vlmbias results 1'"),
        ("format", ..., "format: Field required"),
        ("more", 1, "more: Extra inputs are not permitted"),
        ("by", " ", "by: String should match pattern"),
        ("by", "A\u202e", "by: 'A\\u202e' looks like the path of a file, or does not print"),
        (
            "paper",
            "causalface",
            "'american_white/we_they' is there twice, or of another paper than 'causalface'",
        ),
        ("chapters", [], "chapters: List should have at least 1 item"),
        ("chapters", [CHAPTER, CHAPTER], "is there twice"),
        ("chapters.0.commit", "main", "chapters.0.commit: String should match"),
        ("chapters.0.code", "abc", "chapters.0.code: String should match"),
        ("chapters.0.seconds", -1, "chapters.0.seconds: Input should be greater"),
        ("chapters.0.seconds", "15", "chapters.0.seconds: Input should be a valid number"),
        ("chapters.0.notebook", "../we_they", "chapters.0.notebook: String should match"),
        (
            "chapters.0.data",
            {"cdf": CHAPTER["data"]["cfd"]},
            "no source 'cdf' in data/sources.yaml",
        ),
        (
            "chapters.0.parameters.root",
            "/home/ann/faces",
            "'/home/ann/faces' looks like the path of a file",
        ),
        ("chapters.0.parameters.root", "C:\\faces", "looks like the path of a file"),
        ("chapters.0.parameters.models", ["greenhouse", "~/ckpt"], "looks like the path of a file"),
        ("chapters.0.parameters.deep", [[1]], "chapters.0.parameters.deep"),
        ("chapters.0.values", [], "chapters.0.values: List should have at least 1 item"),
        ("chapters.0.values", [VALUE, VALUE], f"{CLAIM} is given twice as described"),
        ("chapters.0.values.0.claim", "we_they.clip.wa", "no claim 'we_they.clip.wa' among"),
        (
            "chapters.0.values.0.claim",
            "variation.images",
            "variation.images belongs to causalface/variation, not to ame",
        ),
        (
            "chapters.0.values.0.value",
            "0.46",
            "value: must be a number (without quotation marks) below",
        ),
        (
            "chapters.0.machine",
            "ann@host:/home/ann",
            "'ann@host:/home/ann' looks like the path of a file",
        ),
        ("chapters.0.values.0.model", "x/../../y", "'x/../../y' looks like the path of a file"),
        ("by", "x" * 101, "by: String should have at most 100 characters"),
        ("chapters.0.values.0.value", None, "chapters.0.values.0.value"),
        ("chapters.0.values.0.value", 1e301, "chapters.0.values.0.value"),
        ("chapters.0.values.0.value", 10**400, "chapters.0.values.0.value"),
        ("chapters.0.values.0.value", True, f"{CLAIM}: its value is a number, got True"),
        (
            "chapters.0.values.0.claim",
            "we_they.abstract",
            "we_they.abstract: its value is True or False (a statement)",
        ),
        ("chapters.0.values.0.protocol", "mine", "Input should be 'described' or 'released'"),
    ],
)
def test_what_breaks_a_rule_is_refused_with_entry_and_rule(root, place, value, says):
    with pytest.raises(ledger.LedgerError, match=re.escape(says)) as error:
        read(root, changed(place, value))
    assert str(error.value).startswith("theirs.json: no bundle of results: ") and "\n" not in str(
        error.value
    )


@pytest.mark.parametrize(
    ("content", "says"),
    [
        ("", "Expecting value"),
        ("[" * 100_000, "recursion"),
        ("[]", "valid dictionary"),
        (json.dumps(BUNDLE).replace("0.4612", "NaN"), "NaN is no finite number"),
        (json.dumps(BUNDLE).replace("0.4612", "-Infinity"), "-Infinity is no finite number"),
        (json.dumps(BUNDLE).replace("0.4612", "1e999"), "chapters.0.values.0.value"),
        (json.dumps(BUNDLE).replace("0.4612", "9" * 5_000), "integer string conversion"),
        (
            json.dumps(BUNDLE).replace('"by":', '"by": "B.", "by":'),
            "a name is given twice in one entry",
        ),
        (json.dumps(BUNDLE) + " " * bundles.LARGEST, "over 2,000,000 bytes"),
    ],
)
def test_what_is_no_json_of_its_kind_is_refused(root, content, says):
    with pytest.raises(ledger.LedgerError, match=re.escape(says)):
        read(root, content)


def test_what_is_no_file_is_refused(root):
    for path in (root, root / "none.json"):
        with pytest.raises(ledger.LedgerError, match="no bundle of results"):
            bundles.read(path)


short = st.text(max_size=8)
plain = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | short,
    lambda inside: st.lists(inside, max_size=3) | st.dictionaries(short, inside),
    max_leaves=8,
)
PLACES = [
    "format",
    "paper",
    "by",
    "chapters",
    "chapters.0",
    *(f"chapters.0.{name}" for name in CHAPTER),
    "chapters.0.data.cfd",
    "chapters.0.data.cfd.hash",
    "chapters.0.parameters.seed",
    *(f"chapters.0.values.0.{name}" for name in VALUE),
]


@settings(
    max_examples=150, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(place=st.sampled_from(PLACES), value=plain)
def test_whatever_stands_somewhere_is_read_or_refused_and_a_bundle_read_is_judged(
    root, place, value
):
    try:
        bundle = read(root, changed(place, value))
    except ledger.LedgerError as refused:
        assert "\n" not in str(refused)
        return
    assert len(bundles.with_verdicts(bundle)) == 1
    kept, again = bundles.add(root / "theirs.json")
    assert (
        again == bundle == bundles.read(kept)
        and kept.parent == root / "data/contributed/american_white"
    )


@settings(
    max_examples=150, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(
    content=st.binary(max_size=200)
    | st.builds(
        lambda at, byte: (
            json.dumps(BUNDLE).encode()[:at] + byte + json.dumps(BUNDLE).encode()[at + 1 :]
        ),
        st.integers(0, len(json.dumps(BUNDLE))),
        st.binary(max_size=2),
    )
)
def test_any_bytes_are_read_or_refused(root, content):
    path = root / "theirs.json"
    path.write_bytes(content)
    with suppress(ledger.LedgerError):
        bundles.with_verdicts(bundles.read(path))


# --- what keeps a value from a verdict ------------------------------------------------------------


@pytest.mark.parametrize(
    ("place", "value", "reason"),
    [
        ("chapters.0.values.0.stimuli", "greenhouse/cfd", "it used the stimuli greenhouse/cfd"),
        ("chapters.0.values.0.stimuli", "folder", "it used the stimuli folder"),
        ("chapters.0.values.0.model", "greenhouse", "it used the model greenhouse"),
        ("chapters.0.values.0.model", command.HIDDEN, "it used the model the reader's own"),
        ("chapters.0.data", {}, "nothing says which copy of cfd it used"),
        ("chapters.0.data.cfd.drawn", True, "its copy of cfd was drawn by the Greenhouse"),
        ("chapters.0.data.cfd.whole", False, "its copy of cfd was not whole)"),
        (
            "chapters.0.data.cfd",
            {**CHAPTER["data"]["cfd"], "whole": False, "lacks": "24 of 597"},
            "its copy of cfd was not whole: 24 of 597)",
        ),
        (
            "chapters.0.data",
            {"causalface-cosines": CHAPTER["data"]["cfd"]},
            "nothing says which copy of cfd it used",
        ),
        (
            "chapters.0.commit",
            "68bf64f0bd+dirty",
            "it ran on code that no commit holds (68bf64f0bd+dirty)",
        ),
        ("chapters.0.commit", "not a git checkout", "it ran on code that no commit holds"),
    ],
)
def test_a_value_without_its_data_model_or_code_is_kept_as_not_run(root, place, value, reason):
    assert verdict(BUNDLE).startswith("reproduced")
    assert verdict(changed(place, value)).startswith(f"not run (because {reason}")


def test_a_source_with_a_checksum_is_the_listed_one(root):
    key = next(key for key, one in catalogue().items() if one.files)
    right = hashlib.sha256(
        " ".join(file.sha256 for file in catalogue()[key].files).encode()
    ).hexdigest()
    for digest, says in (
        (right, "reproduced"),
        ("c" * 64, f"not run (because its copy of {key} is not the one in"),
    ):
        both = CHAPTER["data"] | {key: {"hash": digest, "whole": True, "drawn": False}}
        assert verdict(changed("chapters.0.data", both)).startswith(says)


# --- writing --------------------------------------------------------------------------------------


@pytest.fixture
def build(root, monkeypatch):
    """What a `paper` run of one chapter leaves: two values, a checkpoint and a folder of the
    reader's."""
    (root / "my weights").mkdir()
    place = {"results": f"_build/results/{NOTEBOOK}.json", "stimuli": "cfd"}
    ledger.record(CLAIM, 0.4612, model=CLIP, **place)
    ledger.record(OTHER, 0.5, model="my weights", **place)
    about = {
        "settings": "paper",
        "commit": "68bf64f0bd",
        "machine": "Linux x86_64, 2 cores",
        "seconds": 14.7,
        "versions": {"numpy": "2.4.6"},
        "files": {"src/x.py": "1", "data/claims/x.yaml": "2"},
        "sources": {
            "cfd": WHOLE,
            "slip-weights": {**WHOLE, "available": False, "hash": ""},
            "weights of ViT-B-32/openai": {"available": True, "note": "", "hash": "e" * 64},
        },
        "parameters": {
            "model": CLIP,
            "beside": ["my weights", "greenhouse/b0"],
            "root": "/home/ann/cfd",
            "seed": 0,
            "results": place["results"],
        },
    }
    executed(root, NOTEBOOK, **about)
    (root / f"_build/inputs/notebooks/{NOTEBOOK}.json").write_text(
        json.dumps({"notebook": NOTEBOOK})
    )
    monkeypatch.setattr("vlmbias.sources.state", lambda key: {"hash": "b" * 64})
    command._kinds.cache_clear()
    return root


def run(*words):
    with pytest.raises(SystemExit) as ended:
        commands.main(list(words))
    assert not ended.value.code, ended.value.code


def test_from_a_run_to_a_row_of_the_scorecard(build, capsys):
    run("export-results", "american_white", "--by", "Ann <b>Reader</b>")
    path = build / "_build/bundles/american_white.json"
    written = path.read_text()
    for secret in ("/home", "ann", "my weights", str(build), ".py", ".yaml", ".json"):
        assert secret not in written
    (chapter,) = json.loads(written)["chapters"]
    assert chapter["parameters"] == {
        "model": CLIP,
        "beside": [command.HIDDEN, "greenhouse/b0"],
        "seed": 0,
        "root": command.HIDDEN,
    }
    assert chapter["data"] == {
        "cfd": {"hash": "b" * 64, "whole": True, "drawn": False, "lacks": ""}
    }
    said = capsys.readouterr().out
    assert "1 × reproduced (as described)" in said and "it used the model the reader's own" in said

    run("ledger", "add", str(path))
    (kept,) = (build / "data/contributed/american_white").glob("*.json")
    assert kept.name.startswith("ann-b-reader-b-")
    rows = ledger.contributed("american_white").set_index("id")
    assert rows["verdict"].str.partition(" (because")[0].to_dict() == {
        CLAIM: "reproduced (as described)",
        OTHER: "not run",
    }
    assert ledger.contributed("causalface").empty
    collated = json.loads(ledger.collate().read_text())["contributed"]
    assert [row["by"] for row in collated] == ["Ann <b>Reader</b>"] * 2


def test_the_scorecard_prints_what_was_contributed_apart_and_as_text(build, monkeypatch):
    monkeypatch.syspath_prepend(str(REPOSITORY / "book/_ext"))

    def page():
        source = build / "page"
        shutil.rmtree(source, ignore_errors=True)
        source.mkdir()
        (source / "index.md").write_text(
            "# Computed\n\n```{scorecard} reruns\n```\n\n# Contributed\n\n"
            "```{scorecard} contributed\n```\n"
        )
        assert not run_sphinx(source, "claims_on_pages", "scorecard")[1]
        html = (source / "html/index.html").read_text("utf-8")
        return html[html.index("<h1>Computed") :].split("<h1>Contributed")

    assert "None so far." in page()[1]
    (build / "theirs.json").write_text(json.dumps(changed("by", "Ann <b>Reader</b>")))
    bundles.add(build / "theirs.json")
    own, theirs = page()
    assert (
        "reproduced (as described) (contributed by Ann &lt;b&gt;Reader&lt;/b&gt;, commit"
        " 68bf64f0bd)" in theirs
    )
    assert CLAIM in theirs and "0.4612 as described" in theirs and "<b>Reader" not in theirs
    assert (
        "Reader" not in own and "reproduced (as described)" in own
    )  # this build's own value is another row


def test_a_folder_that_changed_since_the_run_is_not_exported(build, monkeypatch):
    monkeypatch.setattr("vlmbias.sources.state", lambda key: {"hash": "d" * 64})
    with pytest.raises(SystemExit, match=r"cfd has changed since the chapters ran .*then export"):
        commands.main(["export-results", "american_white", "--by", "A"])


def test_nothing_recorded_is_nothing_to_export(root):
    with pytest.raises(SystemExit, match="no chapter of 'causalface' has recorded a value here"):
        commands.main(["export-results", "causalface", "--by", "A"])


def test_a_kept_bundle_that_was_changed_by_hand_is_named(root):
    (root / "theirs.json").write_text(json.dumps(BUNDLE))
    kept, _ = bundles.add(root / "theirs.json")
    kept.write_text(kept.read_text().replace(CLAIM, "we_they.none"))
    with pytest.raises(
        ledger.LedgerError, match=rf"{kept.name}: no bundle of results: .*no claim 'we_they.none'"
    ):
        ledger.contributed()


def test_a_copy_of_a_kept_bundle_counts_once(root):
    (root / "theirs.json").write_text(json.dumps(BUNDLE))
    place, _ = bundles.add(root / "theirs.json")
    shutil.copy(place, place.with_name("a-copy.json"))
    other, _ = bundles.add(write_as(root, changed("by", "B. Reader")))
    assert len(bundles.kept()) == 2 and other in bundles.kept()
    assert bundles.contributed()["by"].tolist() == ["A. Reader", "B. Reader"]


def write_as(root, content):
    (root / "others.json").write_text(json.dumps(content))
    return root / "others.json"


def test_bundles_that_are_shipped_are_well_formed():
    assert set(ledger.contributed().columns) == set(bundles.COLUMNS) and paths.root() == REPOSITORY
