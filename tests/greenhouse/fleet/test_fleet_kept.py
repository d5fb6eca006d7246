"""What ships of a fleet is of this fleet: nothing stays of an earlier one."""

from greenhouse.fleet import collect


def test_what_an_earlier_fleet_left_is_removed(tmp_path):
    for name in ("planted-001", "planted-002"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "card.json").write_text("{}")
    (tmp_path / "old.safetensors").write_text("x")
    collect.keep_only(tmp_path, {"planted-002"})
    assert [one.name for one in tmp_path.iterdir()] == ["planted-002"]
    assert (tmp_path / "planted-002/card.json").is_file()
