"""What a rerun is said to have changed."""

import json
import re

import in_process
import nbformat
import pandas as pd
import pytest
from test_computed import glue, notebook, show

from runner import plan
from runner.reruns import largest, report
from runner.reruns.computed import RECORDED, Result
from studies import tables
from vlmbias import paths

CODE = (
    "tests = look(model)\nvb.note(d=tests, word=tests)\n"
    "display(tests)\nvb.figures.show(tests, name='run')"
)
ALT = "Two comparisons: {}"


def run(d, *, drawn=0.0, word="kind", rows=("lime", "teal")):
    frame = pd.DataFrame(
        {"d": d, "d from": [one - 1 for one in d], "p": [0.01, 0.5], "n": [5, 6]}, index=list(rows)
    )
    alt = ALT.format(", ".join(f"{one:.2f}" for one in d))
    figure = f'<figure class="vb-figure" id="run"><img alt="{alt}"/></figure>'
    page = notebook(
        glue("d", d[0] + drawn),
        glue("word", word),
        show(tables.readable(frame).to_html()),
        show(figure),
        source=CODE,
    )
    return report.Run(page, None)


def made(here, *others, given=("model",)):
    return report.made(run([2.46, 3.39]), here, others, name="paper/x", given=given)


def test_the_first_lines_say_what_could_change_how_much_did_and_which_way():
    found = made(run([0.10, -0.08]), run([2.46, 3.39]), run([2.46, 3.39]))
    assert found.expected == [
        "`model` can change 10 of 11 results: 2 in the text, 8 in tables. They stand in “The "
        "protocol”.",
        "Nothing in “What the paper reports” depends on it.",
    ]
    assert found.happened[0] == "Of these 10, 5 changed: 5 as with none of the other seeds."
    assert (
        found.happened[1].startswith("Leaving out p-values")
        and "3 of 3 numbers lie nearer to zero" in found.happened[1]
    )
    assert found.happened[1].endswith("1 changed their sign.")


def test_the_change_that_the_figure_shows_is_named_first_with_its_groups():
    found = made(run([0.10, -0.08], word="cold"))
    assert found.largest[0] == (
        "d (The protocol, table 1): lime, from 2.46 to 0.10; teal, from 3.39 to −0.08. Both went "
        "down. It was not judged against other seeds."
    )
    assert not any("d from" in one for one in found.largest)
    old, new = found.pictures[0]
    assert old.alt == ALT.format("2.46, 3.39") and new.alt == ALT.format("0.10, -0.08")
    lines = report.pictures_text(found)
    assert lines == ["Figure run", f"  the book: {old.alt}", f"  this run: {new.alt}"]
    assert (
        'id="run"' not in report.pictures_html(found)
        and report.pictures_html(found).count("<figure") == 2
    )


def test_groups_of_a_readers_own_are_in_it():
    found = made(run([1.19, 0.57], rows=("ochre", "blue")))
    assert (
        "d (The protocol, table 1): ochre, 1.19 (not in the book's run); blue, 0.57 (not in"
        in "\n".join(found.largest)
    )


def test_what_other_seeds_give_is_said_and_does_not_lead():
    seeds = [
        run([2.46, 3.39], drawn=step, word=word)
        for step, word in ((0.1, "cold"), (-0.1, "kind"), (0.2, "kind"))
    ]
    found = made(run([2.46, 3.39], drawn=0.15, word="cold"), *seeds, given=["model"])
    assert found.happened == ["Of these 10, 2 changed: 2 within what another seed gives."]
    beyond = made(run([2.46, 3.39], drawn=9), *seeds)
    assert "1 beyond what another seed gives" in beyond.happened[0]
    assert re.search(r"Another seed gives 2\.\d+ to 2\.\d+\.", beyond.largest[0])


def test_nothing_changed_is_said_as_such():
    same = made(run([2.46, 3.39]))
    assert same.happened == ["Of these 10, none changed."] and same.largest == []
    assert made(run([2.46, 3.39]), given=[]).expected == [
        "Nothing was changed: this is the book's run again."
    ]


def test_a_change_that_the_parameter_does_not_reach_is_told_apart():
    other = run([2.46, 3.39])
    other.notebook.cells[1].outputs = [glue("n", 4)]
    assert (
        made(other)
        .happened[-1]
        .startswith("1 more changed that these parameters do not reach, such as `n`")
    )


FIVE = {
    # chapter: what the report has to say, as the chapter's own figure shows it
    "american_white/we_they": r"(?m)^Effect size d.*from 2\.\d+ to 0\.\d+.*from 3.*All 3",
    "american_white/traits": r"(?m)^Effect size d.*from 3\.\d+ to 0\.\d+",
    "causalface/smiling": r"(?m)(from|stands where)",
    "causalface/variation": r"order is \[.*stands where the book has",
    "pretraining/effect_sizes": r"above 0\.2\..*the book has \d+ of the 26",
}


def executed(name, model, place):
    """A chapter up to the laboratory's section, as a copy in the books' form."""
    record = plan.record(name, plan.settings("smoke"), given={"model": model}, files={}) | {
        "protocol_only": True
    }
    results = paths.build() / "smoke" / "report" / place / name / "results.json"
    results.parent.mkdir(parents=True, exist_ok=True)
    cells = in_process.run(record, results)
    for cell in cells:
        if cell.cell_type == "code":
            cell.outputs = [
                nbformat.v4.new_output(
                    "display_data",
                    {
                        kind: text
                        for kind, text in one.items()
                        if kind != "metadata" and isinstance(text, str)
                    },
                    metadata=one["metadata"],
                )
                for one in cell.get("outputs", [])
            ]
    results.write_text(results.read_text() if results.is_file() else json.dumps([]))
    return report.Run(nbformat.v4.new_notebook(cells=cells), results)


TWO = ("american_white/we_they", "pretraining/effect_sizes")


@pytest.mark.slow
@pytest.mark.parametrize(
    "name", [one if one in TWO else pytest.param(one, marks=pytest.mark.long) for one in FIVE]
)
def test_the_network_without_planted_bias_is_told_from_the_planted_one(name, monkeypatch):
    """The first rerun that the book recommends; its report names what the chapter's own figure
    shows.
    """
    monkeypatch.setenv("VLMBIAS_IDENTITIES", str(plan.settings("smoke").identities))
    book, here = (
        executed(name, model, place)
        for model, place in (("greenhouse", "book"), ("greenhouse/b0", "here"))
    )
    found = report.made(book, here, [], name=name, given=["model"])
    assert re.search(FIVE[name], "\n".join(found.largest)), found.largest
    assert (
        found.table["verdict"] != "same"
    ).any() and "more changed that these parameters do not reach" not in "\n".join(found.happened)
    recorded = [
        row.verdict
        for row in found.table.itertuples()
        if "." in row.result and ":" not in row.result
    ]
    assert recorded, "what was recorded for claims is compared"
    before, after = zip(*((old.alt, new.alt) for old, new in found.pictures), strict=True)
    assert before and before != after, (
        "the figures before and after are in the report, with their words"
    )


def test_a_number_gets_a_minus_sign_and_a_name_keeps_its_hyphens():
    def printed(text):
        return largest._text(Result("key", RECORDED, text, "section", text=text), None)

    assert printed("-0.41 (-1.2 to 0.3)") == "−0.41 (−1.2 to 0.3)"
    assert printed("ViT-B-32-quickgelu/openai") == "ViT-B-32-quickgelu/openai"
