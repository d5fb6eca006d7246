"""Recipes: what ships can be read, what could not be trained is refused at once, and a hash knows
what matters."""

import pytest
import yaml

from greenhouse.train import recipe as recipes
from greenhouse.train.recipe import Recipe
from greenhouse.world import bias


def test_no_weights_of_timm_are_ever_fetched():
    assert (
        recipes.read("convnext").model_config_for(9, 9)["vision_cfg"]["timm_model_pretrained"]
        is False
    )
    with pytest.raises(ValueError, match="timm_model_pretrained"):
        Recipe.model_validate(
            {"architecture": {"vision": {"image_size": 64, "timm_model_pretrained": True}}}
        )


SMALL = {
    "vision": {"image_size": 64, "patch_size": 16, "width": 64, "layers": 3, "head_width": 32},
    "text": {"width": 64, "heads": 2, "layers": 1},
}


def changed(path, value):
    """A recipe in which one entry, as `captions.b`, has a value; beside it those of `SMALL`."""
    *parents, last = path.split(".")
    beside = SMALL.get(parents[-1], {}) if parents[:1] == ["architecture"] else {}
    content = beside | {last: value}
    for parent in reversed(parents):
        content = {parent: content}
    return content


BAD = [  # entry, value, and what the message says beside "got" and the value
    ("steps", 5, "no such entry", "schedule"),
    ("name", "../../../../x", "must be letters", "folder"),
    ("pairing", "fixed", "'drawn' or 'plain'"),
    ("captions.b", 1.5, "less than or equal to 1"),
    ("captions.noise", float("nan"), "finite"),
    ("schedule.steps", True, "valid integer"),
    ("architecture.vision.layers", [1, 1], "four of them"),
    ("architecture.vision.layers", 10**6, "from 1 to 64"),
    ("architecture.vision.timm_model_name", "hf-hub:someone/thing", "plain name"),
]
OF_SEVERAL = [  # a rule on entries together, or on names, and the words that tell it
    ("captions.arms", {"loud": 1}, "captions", "unknown arm 'loud'", "neutral, marking"),
    ("captions.renamed", {"teal": "amber"}, "captions", "exchange names", "{'teal': 'amber'}"),
    ("captions.filter", {"feature": "wit", "above": 0}, "'wit' is unknown", "smiling"),
    ("captions.filter", {"model": "nowhere", "keep": 0.5}, "filter.model 'nowhere'", "checkpoint"),
    ("captions.filter", {"model": "nowhere", "keep": 0}, "filter.keep", "above 0", "got 0"),
    ("pool.shares", {"mauve": 1}, "pool.shares.mauve", "unknown hue 'mauve'", "teal, amber"),
    ("architecture.vision.patch_size", 24, "vision", "must divide image_size 64", "got 24"),
    ("architecture.text.heads", 3, "architecture.text", "must divide width 64", "got 3"),
]


def refusal(folder, text):
    """What is said of a recipe, in one line that begins with its file."""
    (folder / "bad.yaml").write_text(text, encoding="utf-8")
    with pytest.raises(ValueError, match=r"^recipe bad\.yaml") as refused:
        recipes.read(folder / "bad.yaml")
    return str(refused.value)


@pytest.mark.parametrize(
    ("path", "value", "words"),
    [(path, value, (f"{path}: ", *rule, f"got {value!r}")) for path, value, *rule in BAD]
    + [(path, value, tuple(words)) for path, value, *words in OF_SEVERAL],
)
def test_a_bad_entry_is_refused_with_its_file_name_value_and_rule(tmp_path, path, value, words):
    said = refusal(tmp_path, yaml.safe_dump(changed(path, value)))
    assert "\n" not in said and [word for word in words if word not in said] == []


def test_every_fault_of_a_recipe_is_told_at_once(tmp_path):
    said = refusal(tmp_path, "captions: {b: 3, noise: -1}\nschedule: {steps: 0}\nsteps: 5\n")
    told = {line.strip().partition(":")[0] for line in said.splitlines()[1:]}
    assert told == {"captions.b", "captions.noise", "schedule.steps", "steps"}


def test_a_missing_recipe_is_refused_with_what_there_is():
    with pytest.raises(
        ValueError, match=r"there is no recipe 'swin'; give the path .* convnext, default, resnet"
    ):
        recipes.read("swin")


def test_an_architecture_that_nobody_built_is_refused_before_anything_is_rendered(
    tmp_path, monkeypatch
):
    from greenhouse.train import pool
    from runner import commands

    monkeypatch.setattr(pool, "make", lambda *_, **__: pytest.fail("pictures were rendered"))
    file = tmp_path / "odd.yaml"
    file.write_text(
        "architecture: {vision: {image_size: 64, timm_model_name: no_such_net}}", encoding="utf-8"
    )
    with pytest.raises(SystemExit, match=r"cannot build this architecture.*no_such_net"):
        commands.main(["train", str(file), "--out", str(tmp_path / "out")])


def test_a_hash_changes_with_content_and_not_with_the_name():
    base = Recipe()
    changes = [
        {"captions": {"b": 0.5}},
        {"captions": {"renamed": {"teal": "amber", "amber": "teal"}}},
        {"pool": {"faces": 500}},
        {"start": {"steps": 3}},
        {"schedule": {"steps": 3}},
        {"pairing": "plain"},
        {"architecture": {"embed_dim": 32}},
    ]
    assert base.but(name="other").hash() == base.hash() == Recipe().hash()
    assert (
        len({base.hash(), *(base.but(**change).hash() for change in changes)}) == len(changes) + 1
    )


def test_a_hash_changes_with_every_file_of_the_world(tmp_path, monkeypatch):
    hashes = {Recipe().hash()}
    for name in recipes.WORLD_FILES:
        for file in recipes.WORLD_FILES:
            (tmp_path / file).write_bytes((bias.DATA / file).read_bytes() + b"\n" * (file == name))
        with monkeypatch.context() as patch:
            patch.setattr(recipes, "DATA", tmp_path)
            hashes.add(Recipe().hash())
    assert len(hashes) == 1 + len(recipes.WORLD_FILES)
