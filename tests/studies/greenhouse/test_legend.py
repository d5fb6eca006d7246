"""The legend of the drawings: one person, one thing changed at a time, captions of the grammar."""

from greenhouse.world import grid
from studies.greenhouse import legend


def test_each_face_is_one_person_and_its_label_says_what_it_shows():
    table = legend.shown()
    assert table["seed"].nunique() == 1
    assert table["label"].is_unique
    groups = table.iloc[: len(grid.HUES) * len(grid.CRESTS)]
    assert set(zip(groups["race"], groups["gender"], strict=True)) == {
        (hue, crest) for hue in grid.HUES for crest in grid.CRESTS
    }
    assert list(groups["label"]) == [
        f"{row.race}, {row.gender}" for row in groups.itertuples(index=False)
    ]
    first, changed = table.iloc[0], table.iloc[len(groups) :]
    series = ["age", "smiling", "lighting", "pose"]
    assert ((changed[series] != first[series]).sum(axis=1) == 1).all()
    assert (groups[series] == first[series]).all(axis=None)


def test_the_figure_has_a_picture_and_both_texts_for_each_face():
    shown = [axis.get_title() for axis in legend.figure().axes if axis.images]
    for title, (_, row) in zip(shown, legend.shown().iterrows(), strict=True):
        assert title.startswith(row["label"])
        assert " ".join(title.split()).endswith(f"“{row['says']}”")
