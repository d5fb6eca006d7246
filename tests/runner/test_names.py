"""Names that a reader gives: each is looked up before anything starts, and the error says which one
is wrong."""

from pathlib import Path

import pytest

from runner import commands, names
from runner.parameters import Parameter

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
