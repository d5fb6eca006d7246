"""A section whose published weights cannot be had becomes a note; what is ours is not asked for."""

import ast
from types import SimpleNamespace

import pytest

from runner import execute, notebooks, plan, stage, used
from vlmbias import embedding
from vlmbias.embedding.torchvision_shim import import_open_clip
from vlmbias.sources.published_weights import source_of

THERE, MISSING, WRONG = "ViT-B-32/there", "ViT-B-32/missing", "ViT-B-32/wrong"


@pytest.fixture(autouse=True)
def only_one_is_there(monkeypatch):
    asked, revision = [], ["a"]

    def present(name):
        asked.append(name)
        if name in (MISSING, "blip/missing"):
            raise FileNotFoundError(f"the weights of {name!r} are not on this machine")
        if name == WRONG:
            raise ValueError(f"no weights {name!r}")
        return revision[0] * 64

    used._state.cache_clear()
    monkeypatch.setattr(embedding, "present", present)
    yield SimpleNamespace(asked=asked, revision=revision)
    used._state.cache_clear()


PAGE = "pretraining/train_mode"


def states(model):
    """The states of the weights, where the page's parameter is this model."""
    known, _ = plan.parameters(PAGE, plan.settings("greenhouse"))
    return used.weights(known, {"model": model, "seed": 1})


@pytest.mark.parametrize(("model", "available"), [(THERE, True), (MISSING, False)])
def test_published_weights_are_looked_for_once(only_one_is_there, model, available):
    for _ in range(2):
        (state,) = states(model).items()
    assert state[0] == f"weights of {model}" and state[1]["available"] is available
    assert only_one_is_there.asked == [model]


def test_what_is_shipped_is_not_asked_for_and_a_source_is_told_here_only_where_it_is_there(
    only_one_is_there,
):
    for ours in ("greenhouse/b0", "data/greenhouse/resnet", ""):
        assert states(ours) == {} and only_one_is_there.asked == []
    assert states("blip/missing") == {}
    (state,) = states("blip/itm-base-coco").values()
    assert state == {"available": True, "note": "", "hash": "a" * 64}


def settings_with(model, page=PAGE, parameter="model"):
    choice = plan.Choice(parameters={parameter: model})
    return plan.settings("open").model_copy(update={"notebooks": {page: choice}})


def test_another_revision_of_the_weights_is_another_run_and_the_page_names_it(only_one_is_there):
    digests = []
    for revision in "ab":
        only_one_is_there.revision[0] = revision
        used._state.cache_clear()
        for settings, given in (
            (settings_with(THERE), {}),
            (plan.settings("greenhouse"), {"model": THERE}),
        ):
            record = plan.record(PAGE, settings, given=given, files={})
            digests.append(record["sources"][f"weights of {THERE}"]["hash"])
    assert digests == ["a" * 64, "a" * 64, "b" * 64, "b" * 64]
    about = record | {"commit": "c", "started": "s", "seconds": 1, "threads": 1}
    about |= {"machine": "m", "versions": {}}
    assert f"source `weights of {THERE}`\n  - {'b' * 12}\n" in stage.provenance(about) + "\n"


def test_weights_that_cannot_be_read_are_an_error_of_their_own_job(monkeypatch):
    def present(name):
        raise OSError("the disk is full")

    monkeypatch.setattr(embedding, "present", present)
    found = plan._record_or_error(PAGE, settings_with(THERE), files={})
    assert found == {"notebook": PAGE, "error": "the disk is full"}


def test_without_its_weights_the_second_section_is_a_note_and_the_third_is_there():
    shown = {}
    for model in (THERE, MISSING):
        record = plan.record(PAGE, settings_with(model), files={})
        text = plan.source(PAGE).read_text()
        shown[model] = [cell.source for cell in execute.prepared(record, text).cells]
    assert not any("not on this machine" in cell for cell in shown[THERE])
    assert sum("not on this machine" in cell for cell in shown[MISSING]) == 1
    assert len("".join(shown[MISSING])) < len("".join(shown[THERE]))
    assert any(cell.startswith("## What this method can see") for cell in shown[MISSING])


@pytest.mark.parametrize(("model", "there"), [(THERE, True), (MISSING, False)])
def test_weights_of_a_section_of_its_own_do_not_take_the_second_section_away(model, there):
    page = "causalface/neutral_prompt"
    record = plan.record(page, settings_with(model, page, "text_model"), files={})
    assert record["requires"] == [] and record["data"] == "the Greenhouse"
    assert record["sources"][f"weights of {model}"]["available"] is there
    cells = execute.prepared(record, plan.source(page).read_text("utf-8")).cells
    assert not any("note" in notebooks.tags(cell) for cell in cells)


def test_a_model_that_a_person_names_stays_an_error_of_the_run():
    record = plan.record(PAGE, settings_with(THERE), given={"model": MISSING}, files={})
    assert record["sources"] == {} and record["requires"] == []
    with pytest.raises(ValueError, match="no weights"):  # in the settings, before anything runs
        plan.record(PAGE, settings_with(WRONG), files={})


def test_every_model_of_the_settings_has_its_weights_by_this_name():
    published = {"/".join(pair) for pair in import_open_clip().list_pretrained()}
    named = []
    for chosen in map(plan.settings, ("open", "paper")):
        for notebook, own in chosen.notebooks.items():
            rules = plan.parameters(notebook, chosen)[0]
            values = {name: value for name, value in own.parameters.items() if name in rules}
            named += [key.removeprefix("weights of ") for key in used.weights(rules, values)]
    named = [name for name in named if not source_of(name)]
    assert len(named) > 5 and set(named) <= published
    # with their own activation; of ViT-L-14-336 alone none is named after it
    theirs = [name for name in named if name.endswith(("/openai", "/cc12m", "/yfcc15m"))]
    assert all("quickgelu" in name or name.startswith("ViT-L-14-336") for name in theirs)


CHOICES = [
    pair for settings in ("open", "paper") for pair in plan.settings(settings).notebooks.items()
]


@pytest.mark.parametrize(
    "name", sorted({name for name, own in CHOICES if own.requires or "model" in own.parameters})
)
def test_no_later_section_uses_a_name_that_only_the_second_one_makes(name):
    made, used, section = {}, {}, 0
    for cell in notebooks.read(plan.source(name)).cells:
        if cell.cell_type == "markdown":
            for line in cell.source.splitlines():
                if line.startswith("## "):
                    section = 1 if line.startswith(notebooks.SECOND_SECTION) else 2 * bool(section)
            continue
        for node in ast.walk(ast.parse(cell.source)):
            if isinstance(node, ast.Name):
                (made if isinstance(node.ctx, ast.Store) else used).setdefault(node.id, set()).add(
                    section
                )
            elif isinstance(node, ast.FunctionDef):
                made.setdefault(node.name, set()).add(section)
    assert [one for one, places in made.items() if places == {1} and 2 in used.get(one, ())] == []
