import re

import pytest
import yaml

import vlmbias as vb
from vlmbias import papers, paths


def test_the_fixed_things_fit_each_other_the_stimuli_and_the_claims():
    claimed = vb.ledger.load().set_index("paper").index.unique()
    assert set(claimed) <= set(papers.PAPERS)
    one = papers.CAUSALFACE
    known = vb.prompts("social_perception").table
    assert set(one.dimensions) == set(known.loc[~known["neutral"], "dimension"])
    assert {pole for pair in one.poles.values() for pole in pair} < set(one.dimensions)
    assert {"warmth", "competence"} | {good for good, _ in one.poles.values()} == {*one.positive}
    assert len(one.crossed) == 6 and one.outlier in one.crossed
    assert papers.paper("pretraining").crossed == ("",)


def test_each_is_named_once_and_cited_as_the_references_have_it():
    every = papers.PAPERS.values()
    for names in ([one.label for one in every], [one.letter for one in every if one.letter]):
        assert len(names) == len(set(names))
    references = (paths.root() / "book/references.bib").read_text("utf-8")
    for one in every:
        assert re.fullmatch("[A-Z]?", one.letter) and f"{{{one.reference}," in references
        assert one.reference.endswith(re.sub(r"\D", "", one.citation))


def test_the_contents_of_the_book_have_each_papers_chapters_under_its_heading():
    contents = yaml.safe_load((paths.root() / "_toc.yml").read_text("utf-8"))
    for one in papers.PAPERS.values():
        below = {
            chapter["file"]
            for part in contents["parts"]
            if part["caption"] == one.heading
            for chapter in part["chapters"]
        }
        notebooks = (paths.root() / "notebooks" / one.name).glob("*.py")
        assert below >= {f"notebooks/{one.name}/{path.stem}" for path in notebooks}


def test_an_unknown_paper_is_an_error_that_lists_the_known_ones():
    assert papers.paper("causalface") is papers.CAUSALFACE
    with pytest.raises(ValueError, match=r"no paper 'hausladen'.* causalface, american_white"):
        papers.paper("hausladen")
