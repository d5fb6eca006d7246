"""The paper's own numbers give the verdicts of the audit; statements turn with their cells."""

from itertools import product

import numpy as np
import pandas as pd
import pytest

import vlmbias as vb
from studies.american_white import claimed
from vlmbias.ledger.claims import claims

LETTERS, TRAITS = "abl", ("patriotism", "egalitarianism", "nativism")


def of_chapter(name):
    """The claims of a chapter, by the id without its prefix."""
    return {
        one.id.partition(".")[2]: one
        for one in claims("american_white").values()
        if one.notebook == f"american_white/{name}"
    }


def printed(prefix, keys):
    """d and p as printed, p at half of its bound (or .5)."""
    d, p = {}, {}
    for key in keys:
        *trait, model, letter = key
        name = ".".join([prefix, *trait, model, f"w{letter}"])
        d[key], bound = (vb.ledger.claim(f"{name}.{part}").printed for part in "dp")
        d[key], p[key] = d[key].number, bound.number / 2 if bound.relation == "<" else 0.5
    return d, p


WE_THEY = printed("we_they", product(claimed.MODELS, LETTERS))
PHRASES = printed("traits", product(TRAITS, claimed.MODELS, LETTERS))


@pytest.mark.parametrize(
    ("chapter", "found", "cells", "other"),
    [
        ("we_they", claimed.we_they(*WE_THEY), WE_THEY[0], {"tail"}),
        ("traits", claimed.traits(*PHRASES), PHRASES[0], set()),
    ],
)
def test_statements_come_out_as_the_ledgers_audit_has_them(chapter, found, cells, other):
    audit, ledger = vb.ledger.audit("american_white"), of_chapter(chapter)
    for name, value in found.items():
        own = audit[(audit["claim"] == f"{chapter}.{name}") & (audit["rule"] != "same")]
        if isinstance(value, bool):
            assert value == (own["verdict"] == "consistent").all(), name
        else:
            assert ledger[name].printed.meets(value, value), name
        assert isinstance(value, bool) == (ledger[name].unit == "statement"), name
    of_cells = {".".join([*key[:-1], f"w{key[-1]}"]) for key in cells}
    of_models = {name for name, one in ledger.items() if one.model != "none"}
    left = of_models - set(found) - {f"{cell}.{part}" for cell in of_cells for part in "dp"}
    assert {name.split("-")[0] for name in left} == other


@pytest.mark.parametrize(
    ("cell", "d", "p", "changed"),
    [
        ("blip b", -0.3, 0.01, "black"),
        ("slip b", -0.3, 0.01, "black"),
        ("blip l", -0.1, 0.01, "latina"),
        ("clip l", -0.1, 0.01, "latina"),
        ("slip l", 0.1, 0.01, "latina"),
        ("clip b", -0.01, 0.04, "black-clip"),
        ("slip a", 0.7, 0.3, "asian-largest asian-p"),
        ("clip a", 0.3, 1e-9, "asian-smallest abstract-asian intro-asian asian-p"),
        (
            "patriotism clip a",
            -0.1,
            0.01,
            "abstract-patriotism intro-patriotism results-patriotism patriotism"
            " without-exception patriotism-smallest",
        ),
        ("patriotism slip l", 0.15, 0.01, "patriotism-one patriotism-smallest"),
        ("patriotism slip b", 1.4, 1e-9, "patriotism-largest"),
        ("patriotism blip b", 0.32, 0.2, "patriotism-one"),
        ("egalitarianism clip b", 0.1, 0.01, "egalitarianism egalitarianism-caption"),
        ("egalitarianism clip l", -0.9, 0.01, "egalitarianism-strongly"),
        ("egalitarianism blip l", -1.0, 0.3, "egalitarianism-caption"),
        ("egalitarianism slip l", -0.1, 0.3, "egalitarianism-slip"),
        ("nativism slip b", -0.1, 0.3, "abstract-nativism intro-nativism results-nativism"),
        ("nativism blip b", -1.5, 0.3, "nativism-black-blip"),
        ("nativism clip b", -0.9, 0.3, "nativism-black nativism-small"),
        ("nativism slip l", -0.7, 0.01, "nativism"),
        ("nativism clip a", -1.2, 0.3, "nativism-caption"),
    ],
)
def test_each_statement_depends_on_its_own_cells(cell, d, p, changed):
    key = tuple(cell.split())
    says, own = (claimed.we_they, WE_THEY) if len(key) == 2 else (claimed.traits, PHRASES)
    before, after = says(*own), says(own[0] | {key: d}, own[1] | {key: p})
    assert {name for name in before if before[name] != after[name]} == set(changed.split())


def test_no_one_is_said_to_treat_all_equally_once_slip_agrees():
    d = PHRASES[0] | {("egalitarianism", "slip", letter): -0.5 for letter in LETTERS}
    found = claimed.traits(d, PHRASES[1])
    assert all(found[f"{part}-egalitarianism"] for part in ("abstract", "intro", "results"))


def test_a_claim_names_its_models():
    assert claimed.about("we_they.abstract") == ["blip", "clip", "slip"]
    assert claimed.about("we_they.black-clip") == ["clip"]
    models = {one.model for one in claims("american_white").values() if "/" in one.model}
    assert {name for model in models for name in model.split(", ")} >= set(claimed.MODELS.values())


CALLED = {"asian": "violet", "black": "amber", "latino": "lime", "white": "teal"}
CENSUS = pd.DataFrame(
    {"violet": [0.1, 0.2, 0.1], "amber": 0.1, "lime": 0.2, "teal": [0.6, 0.5, 0.6]}
)
EQUAL = CENSUS * 0 + 0.25
SQUARES = {"clip": 0.74, "slip": 0.34, "blip": 0.54}


def of_states(squares=SQUARES, **shares):
    """With r = R² + .1 for every group, and a little more for amber; equal shares but those
    given."""
    tables = {
        model: pd.DataFrame(
            {"r": [r2 + 0.1, r2 + 0.11, r2 + 0.1, r2 + 0.1], "p": 0.5}, list(CALLED.values())
        )
        for model, r2 in squares.items()
    }
    given = dict.fromkeys(squares, EQUAL) | shares
    return claimed.states(tables, squares, given, CENSUS, CALLED)


def test_what_is_read_off_table_1():
    said, order = of_states(), ("data-order", "clip-strongest", "clip-highest", "slip-lowest")
    assert said["blip.black.r"] == pytest.approx(0.65)
    assert said["slip.latino.p"] == 0.5
    assert (said["slip.r2"], said["text-r2-slip"]) == (0.34, 0.34)
    assert (said["intro-r2"], said["caption-r2"]) == (0.74, 0.74)
    assert (said["smallest-r"], said["largest-r"]) == pytest.approx((0.44, 0.85))
    assert all(said[name] is True for name in order)
    turned = of_states({"clip": 0.34, "slip": 0.74, "blip": 0.54})
    assert all(turned[name] is False for name in order)
    people = claimed.OF_PEOPLE & set(said)
    assert len(people) == 4
    assert all(bool(said[name]) for name in people)
    fewer = of_states(blip=CENSUS * 0.9)
    assert not fewer["over-asian-black"]
    assert not fewer["overestimated"]
    assert fewer["under-white"]
    assert not of_states(slip=EQUAL.assign(teal=0.9))["under-white"]
    none = of_states(**dict.fromkeys(SQUARES, EQUAL.assign(lime=0.1)))
    assert none["over-asian-black"]
    assert not none["overestimated"]
    assert none["over-black-clip"]
    assert not of_states(clip=EQUAL.assign(amber=0.05))["over-black-clip"]
    alone = of_states({"clip": 0.7})
    assert "clip.r2" in alone
    assert "data-order" not in alone
    ours = of_chapter("states")
    assert {name for name, one in ours.items() if one.model != "none"} == set(said)


def test_what_the_text_says_of_both_models():
    rng = np.random.default_rng(9)
    white = rng.normal(size=51)
    census = white + 2 * rng.normal(size=51)
    returned = {
        "clip": white + 0.5 * rng.normal(size=51),
        "slip": census,
        "blip": white + 0.7 * rng.normal(size=51),
    }
    said = claimed.implicit_bias(returned, census, white, -white)
    for name in ("clip", "blip"):
        r = np.corrcoef(white, returned[name])[0, 1]
        assert said[f"abstract.{name}"] == pytest.approx(r)
        assert said[f"text.{name}-black"] == pytest.approx(-r)
    people = claimed.OF_PEOPLE & set(said)
    assert len(people) == 5
    assert all(said[name] is True for name in people)
    weaker = claimed.implicit_bias(returned, white, white, white)
    assert {name for name in people if weaker[name]} == {"positive"}
    one_weak = claimed.implicit_bias(returned | {"blip": -white}, census, white, -white)
    assert not any(one_weak[name] for name in people)
    alone = claimed.implicit_bias({"clip": returned["clip"]}, census, white, white)
    assert set(alone) == {"abstract.clip", "text.clip", "figure.clip", "text.clip-black"}
    ours = of_chapter("implicit_bias")
    assert {name for name, one in ours.items() if one.model != "none"} == set(said)
