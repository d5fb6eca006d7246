"""What a notebook glued."""

from runner.glued_values import _value


def test_numpy_numbers_are_read_as_numbers():
    texts = ("np.float64(0.5)", "3", "True", "'kind'", "<Figure>")
    assert [_value(text) for text in texts] == [0.5, 3, True, "kind", "<Figure>"]
