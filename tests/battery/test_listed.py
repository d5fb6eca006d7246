"""The 26 tests of the battery, by kind, and called as in the released table."""

from vlmbias import battery
from vlmbias.battery.tests import PICTURES, ROWS, TURNED
from vlmbias.external import study_table


def test_eight_rows_in_four_orders_are_26_tests():
    table = battery.listed()
    assert len(table) == 26 == table["test"].nunique() and len(ROWS) == 8
    orders = {"all-image": 5, "all-text": 8, "image-target": 5, "text-target": 8}
    assert table.groupby("order").size().to_dict() == orders
    text = table[table["kind"] == "text"].groupby("category")["n"].agg(list).to_dict()
    assert text["race"] == [256, 128, 195] * 2 and text["gender"] == [64, 80] * 2
    pictures = table[table["kind"] == "image"]
    assert pictures.dropna(subset="n").groupby("category")["n"].first().to_dict() == PICTURES
    assert set(pictures.loc[pictures["n"].isna(), "category"]) == {"instrument-weapon"}
    assert TURNED == ("gender",)
    assert (table.query("order == 'image-target'")["against"] == "text").all()
    assert (table.query("order == 'text-target'")["kind"] == "text").all()


def test_the_names_are_those_of_the_released_table():
    for row in battery.listed().itertuples():
        assert row.test == study_table.name_of_test(row.category, row.order, row.targets)
        called = study_table.PICTURES[row.category] if row.kind == "image" else None
        assert row.targets == (called or study_table.TEXT_FILES[f"{row.source}.jsonl"][1])
