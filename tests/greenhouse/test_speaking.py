"""Networks that answer or describe: one of another recipe or grammar is not taken for one of
today's."""

import json

import pytest

from greenhouse import campaign, speaking


def test_what_another_recipe_made_is_asked_for_again_and_not_collected(tmp_path, monkeypatch):
    monkeypatch.setenv("VLMBIAS_ROOT", str(tmp_path))
    with monkeypatch.context() as earlier:
        earlier.setattr(speaking, "wanted", lambda kind: "another")
        for job in speaking.jobs([3]):
            job.folder.mkdir(parents=True)
            card = {"kind": job.about["kind"], "recipe_hash": "another"}
            (job.folder / "card.json").write_text(json.dumps(card))
            (job.folder / campaign.DONE).write_text("{}")
        assert campaign.prepare(speaking.jobs([3])) == []
    assert len(campaign.prepare(speaking.jobs([3]))) == 4
    with pytest.raises(ValueError, match="no network that answers or describes is there yet"):
        speaking.collect(tmp_path / "out")
