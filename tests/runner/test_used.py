"""What a heading says was used, and which sources the parameters name: held against settings and
notebooks."""

import ast
from functools import cache

import pytest

from runner import notebooks, plan, used
from vlmbias import sources
from vlmbias.sources.catalogue import catalogue

SETTINGS = ["greenhouse", "smoke", "open", "paper"]
CLIP = "ViT-B-32-quickgelu/openai"
OPENAI = "OpenAI's CLIP (ViT-B-32)"
DRAWINGS = "the Greenhouse's drawings"
TWINS = {"pretraining/downstream", "pretraining/upstream"}


@cache
def content(notebook):
    return notebooks.read(plan.source(notebook))


def asked(notebook, settings="greenhouse", **given):
    """The cells of a notebook, its parameters and the values that differ."""
    return content(notebook), *plan.parameters(notebook, plan.settings(settings), given)


def label(notebook, settings="greenhouse", states=None, **given):
    cells, known, values = asked(notebook, settings, **given)
    rendered = used.rendered_sets(notebooks.protocol_code(cells))
    return used.label(notebook, known, values, rendered=rendered, states=states or {})


def looked_at(notebook, settings):
    """The names that the parameters of the second section give to images and models, read off one
    by one."""
    _, known, values = asked(notebook, settings)
    if values.get("cosines"):
        return [values["cosines"]]
    found = []
    for name, one in known.items():
        looks = one.kind == "image set" or one.kind in used.ROOMS
        if looks and not one.meaning.startswith(("Greenhouse:", "Words:")):
            value = values.get(name, one.default)
            found += value if isinstance(value, list) else [value]
    return [name for name in found if name]


@pytest.mark.parametrize("settings", SETTINGS)
def test_no_heading_calls_drawings_real_or_real_data_drawn(settings):
    for notebook in set(plan.notebooks()) - TWINS:
        if not (names := looked_at(notebook, settings)):
            continue
        said = label(notebook, settings)
        drawn = [name.startswith(("greenhouse", "data/greenhouse/")) for name in names]
        mixed = any(drawn) or notebook == "pretraining/effect_sizes"  # it has drawn flowers anyway
        assert (said == "the Greenhouse") == all(drawn), notebook
        assert ("the Greenhouse" in said) == mixed, notebook
        assert "open data" not in said and "`" not in said, "everything in the settings has a name"


@pytest.mark.parametrize("settings", SETTINGS)
def test_what_the_settings_require_is_what_their_parameters_name(settings):
    chosen = plan.settings(settings)
    for notebook in plan.notebooks():
        _, known, values = asked(notebook, settings)
        required = chosen.notebooks.get(notebook, plan.Choice()).requires
        assert set(required) == set(used.sources(known, values)), notebook
        assert set(required) <= catalogue().keys()


WE, AGE = "american_white/we_they", "causalface/age"
DRAWN = {"cfd": {"drawn": True}, "causalface-cosines": {"drawn": True}}
CFD, OWN = {"stimuli": "cfd"}, {"stimuli": "folder", "root": "mine"}
OURS = "models of the Greenhouse"


@pytest.mark.parametrize(
    ("notebook", "settings", "given", "said"),
    [
        (WE, "greenhouse", {"model": CLIP}, f"{DRAWINGS}, with {OPENAI}"),
        (WE, "greenhouse", CFD, f"the Chicago Face Database, with {OURS}"),
        (WE, "greenhouse", OWN | {"model": CLIP}, f"your own folder, with {OPENAI}"),
        (WE, "paper", {}, f"the Chicago Face Database, with {OPENAI}, BLIP and SLIP"),
        (WE, "greenhouse", {"model": "RN50/not-named"}, f"{DRAWINGS}, with `RN50/not-named`"),
        (
            "american_white/implicit_bias",
            "open",
            {},
            "FairFace (for comparison), the released census shares and the IAT by state, with "
            f"{OPENAI}",
        ),
        ("causalface/neutral_prompt", "greenhouse", {"text_model": CLIP}, "the Greenhouse"),
        (AGE, "open", {}, "the released cosines"),
        (AGE, "greenhouse", {"utkface": "utkface"}, f"{DRAWINGS} and UTKFace, with {OURS}"),
    ],
)
def test_a_heading_names_what_is_looked_at_and_who_looks(notebook, settings, given, said):
    assert label(notebook, settings, **given) == said


def test_what_was_drawn_is_called_so_wherever_it_lies(tmp_path):
    assert label(WE, states=DRAWN, **CFD) == "the Greenhouse"
    assert label(WE, states=DRAWN, model=CLIP, **CFD) == f"{DRAWINGS}, with {OPENAI}"
    assert label(AGE, "open", states=DRAWN) == "the Greenhouse"  # cosines that were released
    assert label(WE, model=str(tmp_path)) == f"{DRAWINGS}, with `{tmp_path}`"
    (tmp_path / "words.txt").write_text("a")  # a checkpoint of the Greenhouse has one
    assert label(WE, model=str(tmp_path)) == "the Greenhouse"


@pytest.mark.parametrize("notebook", sorted(TWINS))
def test_a_section_for_the_released_table_says_whether_it_is_there(notebook):
    there, not_there = (
        label(notebook, states={"clip-bias-results": {"available": one}}) for one in (True, False)
    )
    assert "table" in there and not_there == f"{there} (not at hand)"
    assert "clip-bias-results" in notebooks.needs(asked(notebook)[0])


def test_a_set_that_lies_elsewhere_is_not_judged_by_its_usual_place():
    _, known, values = asked(WE, stimuli="cfd", model=CLIP)
    assert used.sources(known, values) == ["cfd"] and used.models(known, values) == [CLIP]
    _, known, values = asked(WE, stimuli="cfd", root="elsewhere")
    assert used.sources(known, values) == [] and used.models(known, values) == []


def test_a_record_has_the_states_and_the_label_of_what_the_parameters_name(monkeypatch):
    state = {"available": True, "note": "", "hash": "b", "whole": False, "lacks": "24 of 597"}
    state["drawn"] = False
    monkeypatch.setattr(sources, "state", lambda key: state)
    record = plan.record(WE, plan.settings("greenhouse"), given=CFD, files={})
    assert record["sources"] == {"cfd": state} and record["models"] == []
    assert record["data"] == f"the Chicago Face Database, with {OURS}"


def names(cells):
    return {
        node.id
        for cell in cells
        if cell.cell_type == "code"
        for node in ast.walk(ast.parse(cell.source))
        if isinstance(node, ast.Name)
    }


def test_what_is_for_the_laboratory_is_not_used_by_the_second_section_and_the_rest_is():
    for notebook in plan.notebooks():
        whole, known, _ = asked(notebook)
        if not (section := notebooks.second_section(whole)):
            continue
        shown = {n for n, one in known.items() if one.kind == "image set" or one.kind in used.ROOMS}
        apart = {name for name in shown if known[name].meaning.startswith(used.APART)}
        assert not apart & names(section), notebook
        ids = [cell.id for cell in section]
        at = next((n for n, cell in enumerate(whole.cells) if cell.id in ids), None)
        before = [cell for cell in whole.cells[:at] if "parameters" not in notebooks.tags(cell)]
        assert shown - apart <= names(section) | names(before), notebook
        heading = section[0].source.splitlines()[0]
        assert "{data}" in heading or not shown, f"{notebook}: its images or models are not fixed"
