"""What chapters recorded with several models, from where they were run and from what is shipped."""

import json

import pytest

from vlmbias.ledger import compared, other_models

OTHER = "greenhouse%2Fb0"


def values(number):
    about = {"claim": "a", "protocol": "described", "stimuli": "greenhouse/icons", "model": "m"}
    return [about | {"value": number}]


def executed(folder, results, model, number, files=()):
    made = {"files": dict(files), "parameters": {"model": model}, "seconds": 2.0}
    made |= {"settings": "smoke", "commit": "c", "versions": {}}
    for place in (folder, results):
        place.mkdir(parents=True, exist_ok=True)
    (folder / "chapter.ipynb").write_text(json.dumps({"metadata": {"vlmbias": made}}))
    (results / "chapter.json").write_text(json.dumps(values(number)))


@pytest.fixture
def build(tmp_path, monkeypatch):
    """A checkout in which a chapter was run with the book's model, and the numbers of another are
    shipped."""
    monkeypatch.setenv("VLMBIAS_ROOT", str(tmp_path))
    code = {"src/vlmbias/room.py": "1", "data/table.csv": "2"}
    places = (tmp_path / "_build" / one / "paper" for one in ("executed", "results"))
    executed(*places, "greenhouse", 0.5, code)
    shipped = other_models.run_here("paper")["chapter"] | {"values": values(0.25)}
    place = tmp_path / f"data/greenhouse/comparisons/paper/{OTHER}.json"
    place.parent.mkdir(parents=True)
    place.write_text(json.dumps({"chapter": shipped}))
    return tmp_path / "_build"


def test_the_books_own_and_the_shipped_stand_side_by_side(build):
    runs, found = compared("paper")
    assert runs[["model", "book", "shipped"]].values.tolist() == [
        ["greenhouse", True, False],
        ["greenhouse/b0", False, True],
    ]
    assert found[["model", "value", "chapter"]].values.tolist() == [
        ["greenhouse", 0.5, "chapter"],
        ["greenhouse/b0", 0.25, "chapter"],
    ]
    assert runs["code"].nunique() == 1 and runs["seconds"].tolist() == [2.0, 2.0]


def test_what_was_run_here_takes_the_place_of_what_is_shipped(build):
    place = build / f"models/{OTHER}/paper"
    executed(place, place, "greenhouse/b0", 0.125)
    runs, found = compared("paper")
    assert found["value"].tolist() == [0.5, 0.125] and not runs["shipped"].any()
    assert runs["code"].nunique() == 2  # other code: the files differ


def test_models_can_be_chosen(build):
    executed(*[build / "models/third/paper"] * 2, "third", 0.75)
    assert len(compared("paper")[0]) == 3
    runs = compared("paper", ["greenhouse/b0"])[0]
    assert runs["model"].tolist() == ["greenhouse", "greenhouse/b0"]
    with pytest.raises(
        ValueError, match=r"'another': nothing was run .* are: greenhouse/b0, third\. "
    ):
        compared("paper", ["greenhouse/b0", "another"])
    assert [len(table) for table in compared("other paper")] == [0, 0]


def test_only_code_makes_another_fingerprint():
    one = other_models.code({"src/a.py": "1", "data/x": "1"})
    assert one == other_models.code({"data/x": "2", "src/a.py": "1"})
    assert one != other_models.code({"src/a.py": "2"})
