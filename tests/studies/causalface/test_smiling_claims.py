"""Every predicate on a world in which it holds, as printed, and on worlds in which it does not."""

import numpy as np
import pandas as pd
import pytest
from test_smiling import WHO, faces_of, seen_of

import vlmbias as vb
from studies import roles
from studies.causalface import smiling
from studies.causalface.smiling import Trajectory
from vlmbias.papers import CAUSALFACE

DIMENSIONS = list(CAUSALFACE.dimensions)
POSITIVE = list(CAUSALFACE.positive)
NEGATIVE = [name for name in DIMENSIONS if name not in POSITIVE]
SMILES = np.array(smiling.SMILES)
OUTLIER, WHITE = "black female", "white female"


# --- statements that name groups
# (middle, slope, curvature) by (group, dimension), over u from -1 to 1

AS_PRINTED = {
    **{
        (group, name): (0.01 * k, 1, 0) for k, group in enumerate(WHO.groups) for name in DIMENSIONS
    },
    **{("white male", name): (0.1, 1, 0) for name in DIMENSIONS},
    **{(OUTLIER, name): (0, 3, 0) for name in smiling.STEEP},
    **{(f"white {gender}", "positive_communion"): (2.5, 1, 0) for gender in ("male", "female")},
    **{(f"{race} female", "positive_agency"): (-1, 1, 0) for race in ("white", "asian")},
    ("asian male", "positive_agency"): (2, 1, 0),
    ("asian male", "conservative_belief"): (5, 1, 0),
    (OUTLIER, "positive_agency"): (-4, 0.9, 0),
    (OUTLIER, "negative_agency"): (0, 0.5, 0),
    (OUTLIER, "progressive_belief"): (-5, 0.5, 0),
    (OUTLIER, "negative_communion"): (-6, 0.5, 0),
    ("asian male", "negative_communion"): (5, -1, 0),
    ("white male", "negative_communion"): (3, -1, 0),
    ("black male", "negative_communion"): (3, -1, 0),
    ("asian female", "negative_communion"): (-3, 0.6, 0),
    (WHITE, "negative_communion"): (-3, 0.1, 1),
}


def people(change=None):
    u, terms = (2 * SMILES - 1.5) / 6.5, AS_PRINTED | (change or {})
    values = [
        [np.polynomial.polynomial.polyval(u, terms[group, name]) for name in DIMENSIONS]
        for group in WHO.groups
    ]
    own = Trajectory(
        np.array(values, float).swapaxes(1, 2)[None], SMILES, WHO.groups, tuple(DIMENSIONS)
    )
    return smiling.about_people(own, WHO)


def test_statements_about_people_hold_as_printed():
    found = people()
    assert found.pop("steepest-panels") == 4
    assert found.pop("asian-men-dimensions") == 3
    assert [name for name, holds in found.items() if holds is not True] == []


@pytest.mark.parametrize(
    ("group", "dimension", "terms", "broken"),
    [
        ("asian female", "warmth", (9, 4, 0), "steepest steepest-panels"),
        (OUTLIER, "negative_agency", (0, 1.5, 0), "steepest-panels frowning-lowest"),
        (OUTLIER, "competence", (3, 3, 0), "frowning-lowest competence-lowest"),
        ("asian female", "competence", (4, 1, 0), "smiling-competence competence-highest"),
        (WHITE, "positive_communion", (0, 1, 0), "smiling-communion"),
        ("asian female", "positive_communion", (4, 1, 0), "smiling-communion"),
        ("white male", "positive_agency", (3, 1, 0), "asian-men asian-men-dimensions"),
        ("asian male", "progressive_belief", (40, 1, 0), "asian-men-dimensions outlier"),
        ("black male", "positive_agency", (-2, 1, 0), "caption-distinct"),
        ("asian female", "negative_communion", (3.5, 0.6, 0), "caption-distinct"),
        ("white male", "warmth", (0.1, -1, 0), "one-panel"),
        ("white male", "negative_communion", (3, 0.1, 0), "men-decrease"),
        (
            "asian female",
            "negative_communion",
            (-3, -0.6, 0),
            "men-decrease women-increase steepest-panels",
        ),
        (OUTLIER, "negative_communion", (-6, -0.5, 0), "men-decrease women-increase"),
        (WHITE, "negative_communion", (-3, 0.1, -1), "white-women"),
        (WHITE, "negative_communion", (-3, 0.55, 0.25), "white-women"),
        (
            "asian female",
            "progressive_belief",
            (0, 20, 0),
            "discussion-black-women discussion-extreme frowning-lowest",
        ),
        ("asian female", "negative_agency", (0, -20, 0), "discussion-extreme one-panel"),
    ],
)
def test_a_statement_about_people_fails_where_it_is_not_so(group, dimension, terms, broken):
    before, after = people(), people({(group, dimension): terms})
    assert {name for name in before if before[name] != after[name]} == set(broken.split())


def test_black_women_are_at_the_extremes_in_more_than_half_of_the_panels():
    inner = {(OUTLIER, name): (0.03, 1, 0) for name in DIMENSIONS}
    high = {(OUTLIER, name): (9, 1, 0) for name in DIMENSIONS[:4]}
    assert not people(inner)["black-women-extremes"]
    assert not people(inner | high)["black-women-extremes"]
    assert people(inner | high | {(OUTLIER, DIMENSIONS[4]): (-9, 1, 0)})["black-women-extremes"]


# --- statements about all faces

RISE = {
    "positive": 2 * np.minimum(SMILES, 0) - 0.1 * np.maximum(SMILES, 0),
    "negative": -2 * np.minimum(SMILES, 0) - 0.1 * np.maximum(SMILES, 0),
}
LIGHTS, POSES = np.arange(-1.0, 7.0), np.array([-3, -1.5, 0, 1.5, 3])
LIT, TURNED = np.array([10, 3, 4, 8, 7, 2, 0, 0.5]), np.array([-1.0, -2, -3, -2, -1])
COEFFICIENTS = dict(smile_positive=1, smile_negative=-1, lighting=-1, pose_left=1, pose_right=-1)
PRINTED = {
    ("delta", "smiling"): lambda name: RISE["positive" if name in POSITIVE else "negative"],
    ("delta", "lighting"): lambda name: LIT,
    ("delta", "pose"): lambda name: TURNED - (name in NEGATIVE),
    ("raw", "smiling"): lambda name: SMILES if name in POSITIVE else -SMILES,
    ("raw", "lighting"): lambda name: LIGHTS,
    ("raw", "pose"): lambda name: -np.abs(POSES),
}


SMILING, LIGHTING, POSE = (("delta", name) for name in ("smiling", "lighting", "pose"))


def only(dimension, values, of):
    """The course of one dimension, with the others as printed."""
    return lambda name: np.asarray(values, float) if name == dimension else PRINTED[of](name)


def of_all(values):
    return lambda name: np.asarray(values, float)


def levels(change=None, **coefficients):
    found = {"delta": {}, "raw": {}}
    for (kind, attribute), curve in (PRINTED | (change or {})).items():
        values = np.array([curve(name) for name in DIMENSIONS], float).T
        at = {"smiling": SMILES, "lighting": LIGHTS, "pose": POSES}[attribute]
        found[kind][attribute] = Trajectory(values[None, None], at, ("all",), tuple(DIMENSIONS))
    return smiling.about_levels(
        found["delta"], found["raw"], pd.Series(COEFFICIENTS | coefficients)
    )


NUMBERS = (
    "lighting-highest",
    "pose-average",
    *(f"{name}-r" for name in smiling.VARIED),
    *(f"table_s2.{name}.average" for name in smiling.VARIED),
)


def test_statements_about_all_faces_hold_as_printed():
    found = levels()
    assert [
        name for name, value in found.items() if name not in NUMBERS and value is not True
    ] == []
    assert found["lighting-highest"] == -1
    r = np.corrcoef(RISE["positive"], RISE["negative"])[0, 1]
    assert found["smiling-r"] == found["table_s2.smiling.average"] == pytest.approx(r)
    found = levels({POSE: only("negative_agency", -TURNED, POSE)})
    for name in ("pose-r", "pose-average", "table_s2.pose.average"):
        assert found[name] == pytest.approx(1 / 3)  # over the three pairs


def by_side(values):
    """A course of positive dimensions, and its mirror image for negative ones."""
    return lambda name: np.asarray(values, float) * (1 if name in POSITIVE else -1)


def below(values):
    """A course, which in negative dimensions is lower by one."""
    return lambda name: np.asarray(values, float) - (name in NEGATIVE)


@pytest.mark.parametrize(
    ("course", "values", "broken"),
    [
        (LIGHTING, of_all([10, 9, 8, 7, 6, 5, 4, 3]), "no-trend lighting-high"),
        (POSE, below([-5, -4, -3, -2, -1]), "no-trend pose-mirrored pose-extreme pose-baseline"),
        (
            LIGHTING,
            of_all([7, 3, 4, 8, 10, 2, 0, 0.5]),
            "lighting-order lighting-highest lighting-high",
        ),
        (
            LIGHTING,
            of_all([10, 3, 4, 2.1, 2.2, 2, 5, 6]),
            "lighting-order lighting-high lighting-lowest",
        ),
        (LIGHTING, of_all([10, 3, 4, 8, 7, 0, 2, 0.5]), "lighting-lowest"),
        (LIGHTING, only("warmth", -LIT / 10, LIGHTING), "lighting-consistent"),
        (
            LIGHTING,
            only("negative_agency", -LIT / 10, LIGHTING),
            "lighting-consistent parallel appendix.same-trend",
        ),
        (
            POSE,
            only("conservative_belief", [-9, -8, -7, -8, -9], POSE),
            "pose-parallel parallel pose-positive appendix.same-trend",
        ),
        (POSE, only("warmth", [-1, -2, -3, -3.5, -1.9], POSE), "pose-mirrored"),
        (POSE, only("warmth", [-1, -2, -3, -2.2, -1.3], POSE), ""),
        (POSE, below(TURNED + 9), "pose-baseline"),
        (POSE, below(-TURNED - 9), "pose-extreme pose-baseline"),
        (
            POSE,
            lambda name: TURNED - 0.5 * (name in NEGATIVE) * POSES,
            "negative-below pose-mirrored",
        ),
        (("raw", "pose"), of_all([-3, -1, -2, -2.5, -3]), "pose-raw appendix.raw-pose"),
        (SMILING, only("progressive_belief", -SMILES, SMILING), "opposed more-progressive"),
        (SMILING, by_side(SMILES), "appendix.cheerful"),
        (SMILING, by_side(-SMILES), "appendix.cheerful appendix.grumpy more-progressive"),
        (("raw", "smiling"), of_all(SMILES), "appendix.raw-smiling"),
        (("raw", "smiling"), of_all(-SMILES), "appendix.raw-smiling"),
        (("raw", "lighting"), of_all(-LIGHTS), "appendix.raw-lighting"),
    ],
)
def test_a_statement_about_all_faces_fails_where_it_is_not_so(course, values, broken):
    before, after = levels(), levels({course: values})
    changed = {name for name in before if before[name] != pytest.approx(after[name])}
    kept = {name for name in changed if name not in NUMBERS or name == "lighting-highest"}
    assert kept == set(broken.split())


@pytest.mark.parametrize(
    ("line", "broken"),
    [
        ("smile_positive", {"more-positive", "discussion-smiling"}),
        ("smile_negative", {"less-negative"}),
        ("lighting", {"appendix.lighting-negative"}),
        ("pose_left", {"appendix.pose-rise"}),
        ("pose_right", {"appendix.pose-rise"}),
    ],
)
def test_a_statement_about_a_line_follows_its_slope(line, broken):
    before, after = levels(), levels(**{line: -COEFFICIENTS[line]})
    assert {name for name in before if before[name] != after[name]} == broken


# --- tests, numbers, and all together


def judged(constant, words=(0, 0, 0), alike=(1.0,)):
    """With p that a contrast is constant over lighting and pose; whether the difference of each
    word excludes zero, and on which side; p that groups are alike."""
    pairs = pd.DataFrame({"attribute": ["lighting", "pose", "smiling"]})
    pairs["p_constant_holm"] = [*constant, 0.001]
    ends = [(-1, 1), (1, 2), (-2, -1)]  # by sign
    names = ["honest", "dishonest", "negative_communion"]
    table = pd.DataFrame([ends[sign] for sign in words], names, columns=["low", "high"])
    return smiling.tested(pairs, table, pd.DataFrame({"p_alike_holm": alike}))


@pytest.mark.parametrize(
    ("p", "holds"), [((0.2, 0.06), True), ((0.2, 0.04), False), ((0.04, 0.2), False)]
)
def test_legibility_holds_where_no_contrast_changes_with_light_or_pose(p, holds):
    of_all_faces, _ = judged(p)
    assert of_all_faces == {"legibility": holds, "legibility-again": holds}


@pytest.mark.parametrize(
    ("words", "holds"),
    [
        ((-1, 0, 0), set()),
        ((0, 1, 0), {"honesty", "dishonesty"}),
        ((0, 0, -1), {"honesty", "caption-women"}),
    ],
)
def test_statements_about_words_and_groups_follow_their_own_test(words, holds):
    for alike, different in (([0.2, 0.06], set()), ([0.2, 0.04], {"different"})):
        _, found = judged((0.2, 0.2), words, alike)
        assert {name for name, value in found.items() if value} == holds | different


def test_what_is_recorded_is_in_the_ledger_and_of_the_kind_it_asks_for():
    seen = seen_of(faces_of())
    everywhere, people_only = smiling.claims(seen, WHO, n=60, seed=1)
    claims = vb.ledger.table("causalface/smiling").set_index("claim")
    units = vb.ledger.load().set_index("id")["unit"]
    assert not set(everywhere) & set(people_only)
    for name, value in (everywhere | people_only).items():
        assert f"smiling.{name}" in claims.index
        assert isinstance(value, bool) == (units[f"smiling.{name}"] == "statement"), name
    table = smiling.poles(
        {
            name: smiling.trajectory(100 * seen.delta(), seen.table, name, n=60, seed=1)
            for name in smiling.VARIED
        }
    ).set_index(["attribute", "pair"])
    assert everywhere["table_s2.pose.belief.r"] == table.loc[("pose", "belief"), "r"]
    assert everywhere["table_s2.smiling.agency.p"] == table.loc[("smiling", "agency"), "p"]
    row = smiling.lines(seen).loc["pose_right"]
    for part in ("coef", "se", "p", "const.coef", "const.se", "const.p", "r2", "n"):
        assert everywhere[f"table_b1.pose_right.{part}"] == row[part]


def test_groups_go_by_the_names_that_the_data_have():
    renamed = {
        "black": "teal",
        "white": "amber",
        "asian": "violet",
        "female": "eared",
        "male": "budded",
    }
    drawn = roles.named(CAUSALFACE, renamed)
    table = faces_of().replace({"race": renamed, "gender": renamed})
    seen, same = seen_of(faces_of()), seen_of(table)
    renamed_too = smiling.claims(same, drawn, n=20, seed=1)
    assert renamed_too == smiling.claims(seen, WHO, n=20, seed=1)
