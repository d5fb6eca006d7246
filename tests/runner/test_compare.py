"""How two runs differ."""

from runner.compare import _value, differences


def test_numpy_numbers_are_read_as_numbers():
    texts = ("np.float64(0.5)", "3", "True", "'kind'", "<Figure>")
    assert [_value(text) for text in texts] == [0.5, 3, True, "kind", "<Figure>"]


def test_a_table_of_differences():
    rows = differences({"d": 1.0, "p": 0.5, "word": "kind", "gone": 1}, {"d": 1.25, "p": 0.5, "word": "cold", "new": 2})
    table = {row.split()[0]: row.split()[1:] for row in rows.splitlines()}
    assert table["d"] == ["1", "1.25", "+0.25"]
    assert table["p"] == ["0.5", "0.5", "+0"]
    assert table["word"] == ["kind", "cold", "differs"]
    assert table["gone"] == ["1", "–", "differs"] and table["new"] == ["–", "2", "differs"]
