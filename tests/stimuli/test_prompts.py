"""Prompt sets: exactly the papers' words, and files that are wrong in every way."""

import re

import pytest
import yaml
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import vlmbias as vb
from vlmbias import paths
from vlmbias.stimuli.prompts import _fill, _read

GOOD = {"note": "n", "from": "f", "templates": ["A {} b."], "dimensions": {"x": ["p", "q"]}}


@pytest.fixture
def stimuli(tmp_path, monkeypatch):
    """A data folder of one's own."""
    folder = tmp_path / "data" / "stimuli"
    folder.mkdir(parents=True)
    monkeypatch.setattr(paths, "data", lambda: tmp_path / "data")

    def write(content, name="mine"):
        text = content if isinstance(content, str) else yaml.safe_dump(content)
        (folder / f"{name}.yaml").write_text(text, encoding="utf-8")

    return write


def test_social_perception_is_table_2_in_four_templates_plus_four_neutral_prompts():
    table = vb.prompts("social_perception").table
    words = table[~table["neutral"]].groupby("dimension", sort=False)["word"].nunique()
    assert words.tolist() == [6, 6, 6, 6, 4, 4, 6, 6] and len(table) == 44 * 4 + 4
    assert table.loc[table["neutral"], "text"].tolist() == [
        "A photo of a person.",
        "A person.",
        "This is a person.",
        "Cropped face photo of a person.",
    ]
    assert table["text"].iloc[0] == "A photo of a warm person."
    assert "This is a intelligent person." in set(table["text"])  # the paper keeps its "a"


def test_the_released_variant_differs_in_one_word_and_one_template():
    table = vb.prompts("social_perception/released").table
    paper = vb.prompts("social_perception").table
    assert set(paper["word"]) - set(table["word"]) == {"likeable"}
    assert set(table["word"]) < set(paper["word"])
    assert set(table["template"]) - set(paper["template"]) == {"cropped face photo of a {} person"}


def test_the_phrases_of_the_traits_are_those_the_ledger_quotes_and_the_others_are_as_many_in_both_worlds():  # noqa: E501
    table = vb.prompts("traits").table.set_index("dimension")["text"]
    for trait in ("patriotism", "egalitarianism", "nativism"):
        assert table[trait] == vb.ledger.claim(f"traits.phrase-{trait}").value
    ours = vb.prompts("greenhouse/traits").table
    assert table.index.tolist() == ours["dimension"].tolist()
    assert (ours["dimension"] == "other").sum() == 21


@pytest.mark.parametrize("name", ["labels", "greenhouse/labels/released"])
def test_labels_are_the_groups_and_ages_beside_the_same_neutral_prompts(name):
    table = vb.prompts(name).table
    words = table[~table["neutral"]].groupby("dimension")["word"].unique().map(list).to_dict()
    ours = name.startswith("greenhouse")
    assert words == {
        "race": ["teal", "amber", "violet"] if ours else ["white", "black", "asian"],
        "gender": ["budded", "eared"] if ours else ["male", "female"],
        "age": ["young", "old"],
    }
    paper = vb.prompts("social_perception/released" if ours else "social_perception").table
    assert table["template"].unique().tolist() == paper["template"].unique().tolist()
    neutral, theirs = (one.loc[one["neutral"], "text"].tolist() for one in (table, paper))
    assert neutral == theirs


def test_the_greenhouse_knows_every_word():
    vocabulary = pytest.importorskip("greenhouse.world.grammar").load().vocabulary
    ours = ["valence", "objects", "names", "kin", "labels", "labels/released", "traits"]
    papers = ["social_perception", "social_perception/released", "we_they"]
    for name in (*papers, *(f"greenhouse/{one}" for one in ours)):
        assert vocabulary.encode(vb.prompts(name).table["text"].tolist()).any(axis=1).all()


def test_the_article_agrees_only_where_a_template_asks(stimuli):
    stimuli({**GOOD, "templates": ["a {}", "{a} {}"], "dimensions": {"x": ["ant", "bee"]}})
    assert vb.prompts("mine").table["text"].tolist() == ["a ant", "an ant", "a bee", "a bee"]


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"templates": ["no gap"]}, "templates.0"),
        ({"templates": ["{}", "{}"]}, "'{}' is listed twice"),
        ({"dimensions": {"x": ["p", "p"]}}, "'p' is listed twice"),
        ({"dimensions": {"x": [True]}}, "dimensions.x.0"),  # an unquoted yes
        ({"variants": {"v": None}}, "mine.yaml"),
    ],
)
def test_a_malformed_file_names_file_and_place(stimuli, change, message):
    stimuli({**GOOD, **change})
    with pytest.raises(ValueError, match=r"mine\.yaml") as problem:
        vb.prompts("mine")
    assert message in str(problem.value)


plain = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
    lambda part: (
        st.lists(part, max_size=3) | st.dictionaries(st.text(max_size=8), part, max_size=3)
    ),
    max_leaves=8,
)
near = st.fixed_dictionaries(
    {}, optional={key: plain for key in [*GOOD, "neutral", "variants", "x"]}
).map(lambda change: {**GOOD, **change})


@settings(
    max_examples=100, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(content=near | plain)
def test_any_content_is_a_prompt_set_or_one_clear_error(tmp_path, content):
    file = tmp_path / "fuzzed.yaml"
    file.write_text(yaml.safe_dump(content, allow_unicode=True), encoding="utf-8")
    try:
        assert all(read.dimensions for read in _read(file, "fuzzed").values())
    except ValueError as problem:
        assert "/fuzzed.yaml:" in str(problem)


def test_the_article_agrees_with_how_a_word_begins_when_it_is_said():
    vowels = "ugly evil Odd honest hour-long 8-year-old MRI unidentified unimportant urban"
    others = "bad European unique one-armed UK US Ukrainian utopian 7-foot happy"
    for article, words in (("an", vowels), ("a", others)):
        for word in words.split():
            assert _fill("{a} {} person", word) == f"{article} {word} person"


def test_what_a_system_left_is_no_prompt_set(stimuli, tmp_path):
    stimuli(GOOD)
    (tmp_path / "data/stimuli/._mine.yaml").write_bytes(b"\0\5\x16\7\0\2\0\0Mac OS X")
    assert len(vb.prompts("mine")) == 2
    with pytest.raises(ValueError, match=r"choose from mine$"):
        vb.prompts("none")


def test_a_file_of_ones_own_is_read_where_it_lies_and_no_half_written_one_beside_ours(
    stimuli, tmp_path, monkeypatch
):
    stimuli(GOOD)
    stimuli("note: half", name="another")
    assert len(vb.prompts("mine")) == 2
    monkeypatch.chdir(tmp_path)
    variant = {"variants": {"b": {"dimensions": {"x": ["r"]}}}}
    (tmp_path / "own.yaml").write_text(yaml.safe_dump(GOOD | variant))
    for name in ("own.yaml", str(tmp_path / "own.yaml")):
        assert vb.prompts(name).table["word"].tolist() == ["p", "q"]
        assert vb.prompts(f"{name}/b").table["word"].tolist() == ["r"]
    with pytest.raises(ValueError, match=r"own\.yaml/c.*choose from own\.yaml, own\.yaml/b$"):
        vb.prompts("own.yaml/c")
    with pytest.raises(FileNotFoundError, match=f"looked for {tmp_path / 'no.yaml'} and "):
        vb.prompts("no.yaml")


def test_the_example_on_the_page_about_reruns_is_a_file_of_ones_own(tmp_path):
    text = (paths.root() / "book/rerun.md").read_text("utf-8")
    (example,) = re.findall(r"```yaml\n(# my_words\.yaml\n.*?)```", text, re.DOTALL)
    (tmp_path / "my_words.yaml").write_text(example)
    table = vb.prompts(str(tmp_path / "my_words.yaml")).table
    assert [*table["dimension"].unique()] == ["we", "they", "neutral"] and len(table) == 5


def test_all_that_a_file_lacks_is_said_at_once(stimuli):
    stimuli({"dimensions": GOOD["dimensions"]})
    with pytest.raises(ValueError, match="note, from: required"):
        vb.prompts("mine")


def test_a_word_that_yaml_takes_for_something_else_is_to_be_quoted(stimuli):
    stimuli(yaml.safe_dump(GOOD).replace("- q", "- no"))
    with pytest.raises(ValueError, match="quotation marks"):
        vb.prompts("mine")
