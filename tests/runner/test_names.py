"""Names that a reader gives: each is looked up before anything starts, and the error says which one
is wrong."""

from contextlib import nullcontext
from pathlib import Path

import pytest
import yaml

from runner import commands, names
from runner.parameters import Parameter
from vlmbias import paths

KNOWN = {
    name: Parameter.read(name, "", rule)
    for name, rule in {
        "stimuli": "faces; an image set",
        "words": "words; a prompt set",
        "model": "sees them; a model",
        "root": "of the faces; empty or a folder",
        "more": "beside them; empty or an image set",
        "table": "numbers; empty or a table",
        "group": "the first; empty or a group",
    }.items()
}


def wrong(given, **settings):
    """The lines of the error for what a reader gave, after what the settings chose; none if there
    is no error."""
    try:
        names.check(KNOWN, settings | given, given=given)
    except ValueError as error:
        return str(error).splitlines()[1:]
    return []


@pytest.mark.parametrize(
    ("given", "says"),
    [
        ({"stimuli": "greenhouse/causalfac"}, "must be one of greenhouse/causalface, "),
        ({"stimuli": ["greenhouse/cfd", "cdf"]}, "stimuli = 'cdf': must be one of"),
        ({"more": "folder"}, "nothing says what it needs of one"),
        ({"model": "greenhouse/b9"}, "unknown model 'greenhouse/b9'; did you mean "),
        ({"root": "no/such/place"}, "root = 'no/such/place': no such folder: looked for "),
        ({"table": "no.csv"}, "table = 'no.csv': no such file: looked for "),
        (
            {"group": "ochr", "stimuli": "greenhouse/cfd"},
            "group = 'ochr': must be one of the groups of the pictures: ",
        ),
        ({"root": "data", "stimuli": "greenhouse/cfd"}, "is drawn and reads no folder"),
    ],
)
def test_a_name_of_nothing_is_one_line_that_says_what_is_valid(given, says):
    (line,) = wrong(given)
    assert says in line
    others = {"words": "x"} if "group" not in given else {}  # every wrong name has its line
    assert len(wrong(others | given)) == 1 + len(others)


def test_names_of_something_are_taken_and_what_the_settings_chose_is_not_looked_up(
    tmp_path, monkeypatch
):
    monkeypatch.setenv("VLMBIAS_DATA", str(tmp_path))
    (tmp_path / "mine").mkdir()
    assert not wrong(
        {"stimuli": "greenhouse/cfd", "words": "we_they", "model": "greenhouse/b0", "more": ""}
    )
    assert not wrong({"words": "we_they"}, stimuli="causalface", model="ViT-B-32-quickgelu/openai")
    # below the root, in the reader's data, and as they are
    for folder in ("data/stimuli", "mine", str(tmp_path), "~"):
        assert not wrong({"root": folder})


def test_a_relative_path_is_read_from_where_the_reader_stands(tmp_path, monkeypatch):
    for folder in ("mine", "greenhouse", "we_they"):
        (tmp_path / folder).mkdir()
    (tmp_path / "own.yaml").touch()
    known = KNOWN | {"models": Parameter.read("models", ["greenhouse"], "all; a model")}
    monkeypatch.chdir(tmp_path)
    mine = str(tmp_path / "mine")
    given = {"root": ".", "model": "mine/", "table": "own.yaml", "words": "own.yaml/released"}
    assert names.from_here(known, given | {"models": "[mine, greenhouse/b0]"}) == {
        "root": str(tmp_path),
        "model": mine,
        "table": str(tmp_path / "own.yaml"),
        "words": str(tmp_path / "own.yaml/released"),
        "models": f'["{mine}", "greenhouse/b0"]',
    }
    # what is none, or the name of something else, is left as it is
    others = {"root": "data", "model": "greenhouse", "words": "we_they", "stimuli": "mine"}
    assert names.from_here(known, others) == others
    monkeypatch.chdir(paths.data())  # what lies in the repository has the same name everywhere
    assert names.from_here(known, {"root": "stimuli"}) == {"root": "data/stimuli"}


def test_the_folders_and_files_that_were_looked_for_are_named(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for given in ({"root": "no/such"}, {"table": "no/such"}, {"model": "no/such/place"}):
        (line,) = wrong(given)
        (name,) = given.values()
        assert f"{tmp_path / name} and {paths.root() / name}" in line
    (tmp_path / "deep").mkdir()
    (tmp_path / "deep/a.safetensors").touch()
    (line,) = wrong({"model": "deep/typo"})  # no repository of the hub: its folder is there
    assert str(tmp_path / "deep/typo") in line and "hub" not in line
    (line,) = wrong({"model": "deep/a.safetensors"})
    assert f"{tmp_path / 'deep/a.safetensors'} is a file" in line


def test_words_of_ones_own_have_the_dimensions_that_the_chapter_compares(tmp_path):
    known = {"words": Parameter.read("words", "we_they", "words; a prompt set")}
    own, content = tmp_path / "mine.yaml", {"note": "n", "from": "f"}
    for more in ({"they": ["them"], "it": ["it"]}, {}):
        own.write_text(yaml.safe_dump(content | {"dimensions": {"we": ["us"]} | more}))
        with nullcontext() if more else pytest.raises(ValueError, match="has no 'they' among"):
            names.check(known, {"words": str(own)}, given=["words"])


def test_a_set_that_only_a_reader_has_needs_its_folder(tmp_path, monkeypatch):
    monkeypatch.setenv("VLMBIAS_DATA", str(tmp_path))
    (line,) = wrong({"stimuli": "utkface/all"})
    assert "stimuli = 'utkface/all': no folder of 'utkface': " in line and "UTKFace" in line
    assert not wrong({"stimuli": "utkface"}, root=str(tmp_path))  # where it lies is said elsewhere
    (tmp_path / "UTKFace").mkdir()
    assert not wrong({"stimuli": "utkface/all"})


def test_where_a_rerun_writes_is_not_chosen():
    known = {**KNOWN, "results": Parameter("results", "a.json", "where they go")}
    with pytest.raises(ValueError, match=r"results = 'b.json': .* leave it out"):
        names.check(known, {"results": "b.json"}, given=["results"])
    names.check(known, {"results": "b.json"}, given=[])


def test_a_wrong_name_stops_a_rerun_before_anything_is_read_or_started(checkout, monkeypatch):
    notebook = checkout / "notebooks/paper/chapter.py"
    notebook.write_text(
        notebook.read_text().replace("n = 3  #", 'faces = "cfd"  # whose; an image set\nn = 3  #')
    )
    for step in ("runner.execute.run", "runner.plan.hashes"):
        monkeypatch.setattr(step, lambda *_, **__: pytest.fail("it started"))
    with pytest.raises(SystemExit, match="faces = 'cdf': must be one of"):
        commands.main(["run", "paper/chapter", "-p", "faces=cdf"])


def test_a_rerun_reads_its_folders_from_the_root_wherever_it_is_called(
    checkout, tmp_path_factory, monkeypatch
):
    seen = []
    monkeypatch.chdir(tmp_path_factory.mktemp("elsewhere"))
    monkeypatch.setattr("runner.reruns.rerun", lambda *_, **__: seen.append(Path.cwd()))
    with pytest.raises(SystemExit):
        commands.main(["run", "paper/chapter"])
    assert seen == [checkout]
