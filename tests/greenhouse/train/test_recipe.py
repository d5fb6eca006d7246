"""Recipes: what ships can be read, what could not be trained is refused at once, and a hash knows
what matters."""

import subprocess
import sys

import pytest
from pydantic import ValidationError

from greenhouse.train import recipe as recipes
from greenhouse.train.recipe import RECIPES, Recipe
from greenhouse.world import bias

SHIPPED = sorted(file.stem for file in RECIPES.glob("*.yaml"))


@pytest.mark.parametrize("name", SHIPPED)
def test_every_shipped_recipe_reads_by_name_and_by_path(name):
    recipe = recipes.read(name)
    assert recipe == recipes.read(RECIPES / f"{name}.yaml") and recipe.name == name
    assert recipe.but() == recipe
    config = recipe.model_config_for(100, 16)
    assert config["text_cfg"]["vocab_size"] == 100 and config["vision_cfg"]["image_size"] == 64


def test_the_shipped_recipes_are_the_default_and_four_other_architectures():
    assert SHIPPED == ["convnext", "default", "resnet", "vit-fine", "vit-wide"]
    assert recipes.read("default") == Recipe()
    assert len({recipes.read(name).hash() for name in SHIPPED}) == len(SHIPPED)


def test_an_entry_without_a_value_is_left_to_open_clip(tmp_path):
    (tmp_path / "mine.yaml").write_text(
        "architecture: {vision: {image_size: 64, timm_model_name: test_convnext, width: null}}"
    )
    vision = recipes.read(tmp_path / "mine.yaml").architecture.model_dump()["vision"]
    assert vision == {"image_size": 64, "timm_model_name": "test_convnext"}


def test_no_weights_of_timm_are_ever_fetched():
    assert (
        recipes.read("convnext").model_config_for(9, 9)["vision_cfg"]["timm_model_pretrained"]
        is False
    )
    with pytest.raises(ValueError, match="timm_model_pretrained"):
        Recipe.model_validate(
            {"architecture": {"vision": {"image_size": 64, "timm_model_pretrained": True}}}
        )


VISION = (
    "architecture: {vision: {image_size: 64, patch_size: 16, width: 64, layers: 3, head_width: 32"
)
BAD = {
    "steps: 5": "steps: there is no such entry; .*schedule.*, got 5",
    "captions: {b: 1.5}": "captions.b: Input should be less than or equal to 1, got 1.5",
    "captions: {b: strong}": "captions.b: Input should be a valid number, .*got 'strong'",
    "captions: {arms: {loud: 1}}": "captions: unknown arm 'loud'; choose from neutral, marking",
    "captions: {arms: {neutral: 2}}": (
        "captions.arms.neutral: Input should be less than or equal to 1, got 2"
    ),
    "captions: {noise: -0.1}": (
        "captions.noise: Input should be greater than or equal to 0, got -0.1"
    ),
    "captions: {renamed: {teal: amber}}": (
        "captions: renamed must exchange names within teal, .* got {'teal': 'amber'}"
    ),
    "captions: {renamed: {mauve: teal}}": (
        "captions: renamed names no group 'mauve'; there are teal"
    ),
    "captions: {filter: {feature: smiling}}": (
        r"captions.filter: a filter is \{feature: …, above: …\} or"
    ),
    "captions: {filter: {feature: wit, above: 0}}": (
        "filter.feature 'wit' is unknown; choose from smiling"
    ),
    "captions: {filter: {model: nowhere, keep: 0.5}}": (
        "filter.model 'nowhere' is no checkpoint folder"
    ),
    "captions: {filter: {model: nowhere, keep: 0}}": "filter.keep must be above 0, got 0",
    "pool: {faces: 3}": "pool.faces: Input should be greater than or equal to 64, got 3",
    "pool: {seed: 17000}": "pool.seed: must be own, or a whole number from 0 to 16999, got 17000",
    "pool: {shares: {mauve: 1}}": (
        "pool.shares.mauve.*: unknown hue 'mauve'; choose from teal, amber"
    ),
    "schedule: {learning_rate: 0}": "schedule.learning_rate: Input should be greater than 0, got 0",
    "start: {of: 0}": "start.of: Input should be greater than or equal to 1, got 0",
    "pairing: fixed": "pairing: Input should be 'drawn' or 'plain', got 'fixed'",
    "architecture: {vision: {image_size: 64, patches: 8}}": (
        r"vision.patches: there is no such entry; .*patch_size.*, got 8"
    ),
    "architecture: {vision: {image_size: 16}}": (
        "vision.image_size: .* greater than or equal to 32, got 16"
    ),
    f"{VISION}, patch_size: 24}}}}".replace(
        "patch_size: 16, ", ""
    ): "patch_size must divide image_size 64, got 24",
    f"{VISION}}}}}".replace(
        "head_width: 32", "head_width: 24"
    ): "vision: head_width must divide width 64, got 24",
    f"{VISION}}}}}".replace(
        "layers: 3", "layers: [1, 1]"
    ): r"vision.layers: .* or four of them .*, got \[1, 1\]",
    f"{VISION}}}}}".replace(
        "width: 64", "width: wide", 1
    ): "vision.width: .* valid integer, got 'wide'",
    "architecture: {text: {width: 64, heads: 3}}": (
        "architecture.text: heads must divide width 64, got 3"
    ),
    "name: ../../../../x": "name: must be letters, .* as it names a folder; got '../../../../x'",
    "name: /tmp/x": "name: must be letters, .* got '/tmp/x'",
    "name: ..": "name: must be letters, .* got '..'",
    "name: 7": "name: Input should be a valid string, got 7",
    "captions: {b: yes}": "captions.b: Input should be a valid number, got True",
    "captions: {noise: .nan}": "captions.noise: Input should be a finite number, got nan",
    "captions: {filter: {feature: smiling, above: .nan}}": (
        "filter.above: Input should be a finite number, got nan"
    ),
    "schedule: {learning_rate: .inf}": (
        "schedule.learning_rate: Input should be a finite number, got inf"
    ),
    "schedule: {steps: yes}": "schedule.steps: Input should be a valid integer, got True",
    "schedule: {steps: 1000000000}": (
        "schedule.steps: Input should be less than or equal to 1000000, got 1000000000"
    ),
    "pool: {shares: {teal: 1.0e+308, amber: 1}}": (
        "pool.shares.teal: .* less than or equal to 1000000"
    ),
    "architecture: {embed_dim: 10000000}": (
        "architecture.embed_dim: .* less than or equal to 2048, got 10000000"
    ),
    "architecture: {text: {width: 64, heads: 2, layers: 1000000}}": (
        "text.layers: .* less than or equal to 64, got 1000000"
    ),
    f"{VISION}}}}}".replace(
        "layers: 3", "layers: 1000000"
    ): "vision.layers: .* from 1 to 64.* got 1000000",
    f"{VISION}, mlp_ratio: .inf}}}}": "vision.mlp_ratio: .* finite number, got inf",
    f"{VISION}, patch_dropout: .nan}}}}": ("vision.patch_dropout: .* finite number, got nan"),
    "architecture: {vision: {image_size: yes}}": ("vision.image_size: .* valid integer, got True"),
    "architecture: {vision: {image_size: 64, timm_model_name: 'hf-hub:someone/thing'}}": (
        "timm_model_name: must be the plain name of a model of timm, .* got 'hf-hub:someone/thing'"
    ),
    "architecture: {vision: {image_size: 64, timm_model_name: 'local-dir:/tmp'}}": (
        "plain name .* got 'local-dir:/tmp'"
    ),
    "- a list": "is not readable as a YAML mapping",
    "captions: {b: 1": "is not readable as a YAML mapping",
}


@pytest.mark.parametrize(("text", "message"), BAD.items(), ids=range(len(BAD)))
def test_a_bad_recipe_is_refused_with_file_entry_value_and_rule(tmp_path, text, message):
    file = tmp_path / "bad.yaml"
    file.write_text(text, encoding="utf-8")
    with pytest.raises(ValueError, match=message) as refused:
        recipes.read(file)
    assert (
        str(refused.value).startswith("recipe bad.yaml")
        and "\n" not in str(refused.value).split("YAML")[0]
    )


def test_a_recipe_whose_aliases_stand_for_more_than_a_memory_is_refused_at_once(tmp_path):
    lines = [
        "a0: &a0 [1, 1, 1, 1, 1, 1, 1, 1, 1]",
        *(f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 9)}]" for n in range(1, 12)),
    ]
    (tmp_path / "bad.yaml").write_text("\n".join(lines))
    with pytest.raises(
        ValueError, match=r"recipe bad.yaml is not readable .* stand for more than 1,000,000 values"
    ):
        recipes.read(tmp_path / "bad.yaml")


def test_every_fault_of_a_recipe_is_told_at_once(tmp_path):
    file = tmp_path / "bad.yaml"
    file.write_text(
        "name: ../x\npairing: fixed\ncaptions: {b: 3, noise: -1}\nschedule: {steps: 0}\nsteps: 5\n"
        "architecture: {vision: {image_size: 8, patch_size: 0}, text: {width: wide}}",
        encoding="utf-8",
    )
    with pytest.raises(ValueError, match=r"^recipe bad.yaml: 9 entries break a rule\n") as refused:
        recipes.read(file)
    lines = str(refused.value).splitlines()[1:]
    assert {line.strip().partition(":")[0] for line in lines} == {
        "name",
        "architecture.vision.image_size",
        "architecture.vision.patch_size",
        "architecture.text.width",
        "captions.b",
        "captions.noise",
        "schedule.steps",
        "pairing",
        "steps",
    }


def test_a_missing_recipe_is_refused_with_what_there_is():
    with pytest.raises(
        ValueError, match=r"there is no recipe 'swin'; give the path .* convnext, default, resnet"
    ):
        recipes.read("swin")


def test_the_command_line_refuses_before_it_imports_torch(tmp_path):
    """As `vlmbias train bad.yaml` does: one line, exit 1, and nothing heavy was loaded
    for it."""
    file = tmp_path / "bad.yaml"
    file.write_text("captions: {b: 3}", encoding="utf-8")
    code = (
        "import sys\nfrom runner import commands\n"
        f"try:\n    commands.main(['train', {str(file)!r}])\n"
        "except SystemExit as end:\n    print(end.code)\n"
        "print(sorted({'torch', 'open_clip', 'timm', 'sklearn', 'scipy'} & set(sys.modules)))"
    )
    said = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True
    ).stdout
    assert (
        said == "✗ recipe bad.yaml: captions.b: Input should be less than or"
        " equal to 1, got 3\n[]\n"
    )


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--seed", "17000"], "--seed: must be a whole number from 0 to 16,999, got 17000"),
        (["--seed", "-1"], "'--seed': .* equal to 0"),
        (["--b", "2"], "'--b': .* equal to 1"),
        (["--b", "nan"], "'--b': .* got 'nan'"),
    ],
)
def test_a_bad_option_is_refused(words, message, capsys):
    import re

    from runner import commands

    with pytest.raises(SystemExit) as ended:
        commands.main(["train", "default", *words])
    assert re.search(message, f"{ended.value.code}{capsys.readouterr().err}")


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


def test_but_changes_what_is_named_and_checks_it():
    base = Recipe()
    changed = base.but(captions={"b": 0.25}, pairing="plain", name="other")
    assert (changed.captions.b, changed.pairing, changed.name) == (0.25, "plain", "other")
    assert changed.but(captions={"b": 1.0}, pairing="drawn", name="default") == base
    assert (
        base == Recipe()
        and changed.schedule == base.schedule
        and changed.captions.noise == base.captions.noise
    )
    with pytest.raises(ValidationError, match="less than or equal to 1"):
        base.but(captions={"b": 2})
    with pytest.raises(ValidationError):
        base.captions.b = 0.5  # type: ignore[misc] (frozen)


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


@pytest.mark.parametrize("name", recipes.WORLD_FILES)
def test_a_hash_changes_with_every_file_of_the_world(name, tmp_path, monkeypatch):
    for file in recipes.WORLD_FILES:
        (tmp_path / file).write_bytes((bias.DATA / file).read_bytes())
    before = Recipe().hash()
    monkeypatch.setattr(recipes, "DATA", tmp_path)
    assert Recipe().hash() == before
    (tmp_path / name).write_bytes((tmp_path / name).read_bytes() + b"\n")
    assert Recipe().hash() != before


def test_the_image_tower_moves_between_two_locked_parts():
    schedule = Recipe().schedule
    moving = [step for step in range(schedule.steps) if not schedule.locked(step)]
    assert moving == list(
        range(schedule.locked_steps, schedule.locked_steps + schedule.joint_steps)
    )
    assert 0 < len(moving) < schedule.steps
