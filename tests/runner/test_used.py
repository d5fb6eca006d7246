"""What a heading says was used, and which sources the parameters name: held against settings and
notebooks."""

import ast

import pytest

from runner import notebooks, plan, used
from vlmbias import sources
from vlmbias.sources.catalogue import catalogue
from vlmbias.stimuli.reader_folders import IMAGE_SETS
from vlmbias.stimuli.rendered import GREENHOUSE

SETTINGS = ["greenhouse", "smoke", "open", "paper"]
CLIP = "ViT-B-32-quickgelu/openai"
OPENAI = "OpenAI's CLIP (ViT-B-32)"
DRAWINGS = "the Greenhouse's drawings"
TWINS = {"pretraining/downstream", "pretraining/upstream"}


def asked(notebook, settings="greenhouse", **given):
    """The cells of a notebook, its parameters and the values that differ."""
    content = notebooks.read(plan.source(notebook))
    return content, *plan.parameters(notebook, plan.settings(settings), given)


def label(notebook, settings="greenhouse", states=None, **given):
    content, known, values = asked(notebook, settings, **given)
    code = notebooks.protocol_code(content)
    return used.label(
        notebook, known, values, rendered=used.rendered_sets(code), states=states or {}
    )


def is_ours(name):
    return name.startswith(("greenhouse", "data/greenhouse/"))


def looked_at(notebook, settings):
    """The names that the parameters of the second section give to images and models, read off one
    by one."""
    _, known, values = asked(notebook, settings)
    if values.get("cosines"):
        return [values["cosines"]]
    found = []
    for name, one in known.items():
        value = values.get(name, one.default)
        if one.kind in (
            "image set",
            "model",
            "model that answers",
            "model that describes",
            "model that paints",
        ):
            found += (
                []
                if one.meaning.startswith(used.APART)
                else value
                if isinstance(value, list)
                else [value]
            )
    return [name for name in found if name]


@pytest.mark.parametrize("settings", SETTINGS)
def test_no_heading_calls_drawings_real_or_real_data_drawn(settings):
    for notebook in set(plan.notebooks()) - TWINS:
        if not (names := looked_at(notebook, settings)):
            continue
        said, drawn = label(notebook, settings), [is_ours(name) for name in names]
        if all(drawn):
            assert said == "the Greenhouse", notebook
        elif (
            any(drawn) or notebook == "pretraining/effect_sizes"
        ):  # which has drawn flowers in any case
            assert "the Greenhouse" in said and said != "the Greenhouse", notebook
        else:
            assert "Greenhouse" not in said, notebook
        assert "open data" not in said and "`" not in said, "everything in the settings has a name"


@pytest.mark.parametrize("settings", SETTINGS)
def test_what_the_settings_require_is_what_their_parameters_name(settings):
    chosen = plan.settings(settings)
    for notebook in plan.notebooks():
        _, known, values = asked(notebook, settings)
        required = chosen.notebooks.get(notebook, plan.Choice()).requires
        assert set(required) == set(used.sources(known, values)), notebook
        assert set(required) <= catalogue().keys()


@pytest.mark.parametrize(
    ("notebook", "settings", "given", "said"),
    [
        ("american_white/agreement", "open", {}, "the Greenhouse"),
        ("american_white/we_they", "greenhouse", {"model": CLIP}, f"{DRAWINGS}, with {OPENAI}"),
        (
            "american_white/we_they",
            "greenhouse",
            {"stimuli": "cfd"},
            "the Chicago Face Database, with models of the Greenhouse",
        ),
        (
            "american_white/we_they",
            "greenhouse",
            {"stimuli": "folder", "root": "mine", "model": CLIP},
            f"your own folder, with {OPENAI}",
        ),
        (
            "american_white/we_they",
            "paper",
            {},
            f"the Chicago Face Database, with {OPENAI}, BLIP and SLIP",
        ),
        ("american_white/traits", "open", {}, f"FairFace (for comparison), with {OPENAI}"),
        (
            "american_white/implicit_bias",
            "open",
            {},
            (
                "FairFace (for comparison), the released census shares and the IAT by state, with"
                f" {OPENAI}"
            ),
        ),
        ("causalface/neutral_prompt", "greenhouse", {"text_model": CLIP}, "the Greenhouse"),
        ("causalface/age", "open", {}, "the released cosines"),
        (
            "causalface/age",
            "greenhouse",
            {"utkface": "utkface"},
            f"{DRAWINGS} and UTKFace, with models of the Greenhouse",
        ),
        ("causalface/stimuli", "paper", {}, "CausalFace, FairFace and UTKFace"),
        (
            "pretraining/effect_sizes",
            "open",
            {},
            f"the Chicago Face Database and {DRAWINGS}, with {OPENAI}",
        ),
        ("pretraining/train_mode", "open", {}, f"{DRAWINGS}, with the ResNet trained on CC12M"),
        (
            "pretraining/effect_sizes",
            "greenhouse",
            {"model": "RN50/not-named"},
            f"{DRAWINGS}, with `RN50/not-named`",
        ),
    ],
)
def test_a_heading_names_what_is_looked_at_and_who_looks(notebook, settings, given, said):
    assert label(notebook, settings, **given) == said


def test_an_export_of_the_greenhouse_is_called_that_wherever_it_lies():
    drawn = {"cfd": {"drawn": True}}
    assert label("american_white/we_they", stimuli="cfd", states=drawn) == "the Greenhouse"
    assert (
        label("american_white/we_they", stimuli="cfd", model=CLIP, states=drawn)
        == f"{DRAWINGS}, with {OPENAI}"
    )
    cosines = {"causalface-cosines": {"drawn": True}}
    assert label("causalface/age", "open", states=cosines) == "the Greenhouse"


def test_a_checkpoint_of_the_greenhouse_is_called_that(tmp_path):
    assert label("american_white/we_they", model=str(tmp_path)) == f"{DRAWINGS}, with `{tmp_path}`"
    (tmp_path / "words.txt").write_text("a")
    assert label("american_white/we_they", model=str(tmp_path)) == "the Greenhouse"


def test_a_table_or_the_twin_that_stands_for_it():
    for notebook, with_table in (
        ("pretraining/downstream", "the released table"),
        ("pretraining/upstream", "the simulated twin and the released table"),
    ):
        for states, said in (
            ({"clip-bias-results": {"available": True}}, with_table),
            ({"clip-bias-results": {"available": False}}, "the simulated twin"),
        ):
            assert label(notebook, states=states) == said
            assert "clip-bias-results" in notebooks.needs(asked(notebook)[0])


def test_a_set_that_lies_elsewhere_is_not_judged_by_its_usual_place():
    _, known, values = asked("american_white/we_they", stimuli="cfd", model=CLIP)
    assert used.sources(known, values) == ["cfd"] and used.models(known, values) == [CLIP]
    _, known, values = asked("american_white/we_they", stimuli="cfd", root="elsewhere")
    assert used.sources(known, values) == [] and used.models(known, values) == []


def test_a_record_has_the_states_and_the_label_of_what_the_parameters_name(monkeypatch):
    state = {
        "available": True,
        "note": "",
        "hash": "b",
        "whole": False,
        "lacks": "24 of 597",
        "drawn": False,
    }
    monkeypatch.setattr(sources, "state", lambda key: state)
    record = plan.record(
        "american_white/we_they", plan.settings("greenhouse"), given={"stimuli": "cfd"}, files={}
    )
    assert record["sources"] == {"cfd": state} and record["models"] == []
    assert record["data"] == "the Chicago Face Database, with models of the Greenhouse"


def test_every_set_has_a_name():
    assert {name.partition("/")[0] for name in IMAGE_SETS} <= used.CALLED.keys()
    assert not used.CALLED.keys() & set(GREENHOUSE)


def names(cells):
    return {
        node.id
        for cell in cells
        if cell.cell_type == "code"
        for node in ast.walk(ast.parse(cell.source))
        if isinstance(node, ast.Name)
    }


def test_what_is_for_the_laboratory_is_not_used_by_the_second_section_and_the_rest_is():
    kinds = (
        "image set",
        "model",
        "model that answers",
        "model that describes",
        "model that paints",
    )
    for notebook in plan.notebooks():
        content = notebooks.read(plan.source(notebook))
        known = {name: one for name, one in asked(notebook)[1].items() if one.kind in kinds}
        apart = {name for name, one in known.items() if one.meaning.startswith(used.APART)}
        section = notebooks.second_section(content)
        if not section:
            continue
        assert not apart & names(section), notebook
        own = [cell.id for cell in section]
        before = content.cells[
            : next((n for n, cell in enumerate(content.cells) if cell.id in own), None)
        ]
        before = [cell for cell in before if "parameters" not in notebooks.tags(cell)]
        assert known.keys() - apart <= names(section) | names(before), notebook
        heading = section[0].source.splitlines()[0]
        assert ("{data}" in heading) or not known, (
            f"{notebook}: {heading} is fixed, its images or models are not"
        )
