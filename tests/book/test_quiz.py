"""Every quiz answer, computed: the option that is marked right is the one that comes out."""

import importlib
import inspect
import json
from fractions import Fraction
from math import comb, sqrt

import numpy as np
import pytest
from scipy import stats

import vlmbias as vb
from greenhouse import retrained
from greenhouse.world import grammar
from studies.american_white import reported
from studies.calibration import ieat
from studies.greenhouse import collection, worksheet
from studies.pretraining import shuffle
from vlmbias import paths


@pytest.fixture(scope="module")
def quiz():
    with pytest.MonkeyPatch.context() as patched:
        patched.syspath_prepend(str(paths.root() / "book/_ext"))
        yield importlib.import_module("quiz")


@pytest.fixture(scope="module")
def sheet():
    return worksheet.perceptions(retrained.scores("grid"))


def glued(notebook, key):
    """A chapter's glued result; where the book was not built here, the test of that question is
    skipped."""
    file = paths.build() / "results.json"
    if not file.exists():
        pytest.skip("no results of the chapters here")
    return json.loads(file.read_text())[notebook][key]


def nearest(value, options):
    """The option whose number is nearest to a value."""
    return min(options, key=lambda option: abs(float(Fraction(option.strip("%"))) - value))


def ceiling(options):
    impossible = [one for one in options if float(one) > ieat.ceiling(6)]
    assert len(impossible) == 1
    return impossible[0]


def smallest_p(options):
    angle = np.concatenate([np.linspace(0.1, 0.2, 6), np.linspace(1.3, 1.4, 6)])
    apart = np.column_stack([np.cos(angle), np.sin(angle)])
    p = vb.eat(apart[:6], apart[6:], np.array([[1.0, 0.0]]), np.array([[0.0, 1.0]])).p_value
    assert p == pytest.approx(1 / comb(12, 6))
    return f"1/{round(1 / p)}"


def scale(options):
    x, y = np.random.default_rng(0).normal([[1.0], [0.0]], 1, (2, 8))
    same = np.isclose(vb.measures.effect_size(x, y), vb.measures.effect_size(x / 1000, y / 1000))
    return options[1 if same else 2]


def two_spreads(options):
    assert f"{worksheet.by_hand()['d']:.2f}" == "1.53"
    return f"{worksheet.by_hand()['d_within']:.2f}"


def nothing_planted(options):
    roles = grammar.load().bias.roles
    found = ieat.in_networks(
        retrained.vectors(),
        (roles["favoured"], roles["disfavoured"]),
        ("pleasant", "unpleasant"),
        sizes=[12],
        n_permutations=1_000,
        seed=0,
    )
    rate = (found.loc[found["b"] == 0, "p"] <= 0.05).mean()
    return options[0] if rate < 0.2 else options[1] if rate < 2 / 3 else options[2]


def sign(options):
    moves = np.array([1.0] * 50 + [-1.0] * 50)
    return f"{np.median(np.abs(moves)):.0f} and {abs(moves.mean()):.0f}"


def folded(options):
    draws = np.random.default_rng(0).normal(size=400_000)
    growth = np.median(np.abs(draws + 0.5)) / np.median(np.abs(draws)) - 1
    sizes = {"not at all": 0.0, "by an eighth": 1 / 8, "by a half": 0.5, "it doubles": 1.0}
    return min(sizes, key=lambda name: abs(sizes[name] - growth))


def as_much(options):
    p, n = float(vb.ledger.claim("variation.lighting-p").value), 8_000
    error = sqrt((2 * n + 1) / (12 * n**2))  # of the share, if both are alike
    share = 0.5 + stats.norm.isf(p / 2) * error
    assert abs(share - 0.5) < 1.96 * error
    return min(options, key=lambda option: abs(int(option.split()[2]) / 100 - share))


def pairs(options):
    """Simulated: 40,000 samples of 100 identities with 100 pairs each."""
    draw = np.random.default_rng(0)
    means = draw.normal(size=(40_000, 100)).mean(axis=1) + draw.normal(0, 1 / 100, 40_000)
    return nearest(means.std(), options)


def order(options, sheet):
    warmth, competence = (
        worksheet.in_one_network(sheet, name)["absdiff"] for name in worksheet.DIMENSIONS
    )
    assert warmth.idxmax() == "smile"
    return competence.idxmax()


def of_networks(m):
    """The smallest p of one network among m."""
    return vb.networks.rank_p_value(1.0, np.zeros(m)).p_value


def null_networks(options):
    return min((one for one in options if of_networks(int(one)) < 0.05), key=int)


def five(options):
    return nearest(of_networks(5), options)


def of_the_worksheet(options, sheet):
    found = worksheet.over_identities(sheet, "competence").query("p < .05")
    assert found["difference"].min() < 0 < found["difference"].max(), "they disagree on it"
    return str(len(found))


def target(options):
    """Networks that lean by chance: do new identities repeat the direction, and does a network
    trained again?"""
    draw = np.random.default_rng(0)
    lean = draw.normal(0, 1, (1_000, 2))
    first, new = (lean[:, 0] + draw.normal(0, 0.1, 1_000) for _ in range(2))
    again, on = lean[:, 1] + draw.normal(0, 0.1, 1_000), np.abs(first) > 0.2
    repeated = [(np.sign(first) == np.sign(one))[on].mean() for one in (new, again)]
    assert repeated[0] > 0.95 and abs(repeated[1] - 0.5) < 0.06
    return "about networks trained like it, and about the captions"


def holm(options):
    rate = glued("greenhouse/sensitivity", "holm.identity")
    below = {15: options[0], 50: options[1], 90: None}
    return next((one for most, one in below.items() if rate < most), options[2])


def shuffled(options):
    """Of a hundred assignments to the null fleet and to the other one."""
    for fleet in shuffle.fleets().values():
        found = shuffle.some(fleet, fleet.share, 100)
        assert found["published"] > 40 and found["networks"] <= 9
    return "in more than forty"


def answers(options):
    """The printed answers from probabilities of individuals who vary little, and a lot."""
    pattern, points = reported.printed(vb.ledger.claim), []
    for spread in (reported.LITTLE, reported.MUCH):
        found = reported.reported(pattern, reported.gap_at(pattern, spread), spread)
        ends = [vb.ledger.claim(f"vqa.american.{group}").value for group in ("white", "asian")]
        assert [f"{100 * one:.1f}" for one in found["likeliest"].iloc[[0, -1]]] == ends
        first, last = (reported.percent(found["mean"].iloc[place]) for place in (0, -1))
        points.append(first - last)
    return f"one cannot tell: {points[0]} points and {points[1]} points are both possible"


def turned(options):
    """Between the crests, on warmth, with nothing planted: the ends of the dial."""
    table = collection.grid(collection.crests(), 0.0).query("dimension == 'warmth'")
    ends = table[table["r"].isin([collection.STOPS[0], collection.STOPS[-1]])]
    wide = ends.pivot(index="method", columns="r", values=["low", "high"])
    turning = wide.index[(wide["high"].iloc[:, 0] < 0) & (wide["low"].iloc[:, -1] > 0)]
    assert turning.tolist() == ["naive"]
    return options[0]


COMPUTED = {
    "ceiling": ceiling,
    "smallest-p": smallest_p,
    "scale": scale,
    "two-spreads": two_spreads,
    "nothing-planted": nothing_planted,
    "sign": sign,
    "folded": folded,
    "as-much": as_much,
    "pairs": pairs,
    "order": order,
    "null-networks": null_networks,
    "five": five,
    "worksheet": of_the_worksheet,
    "target": target,
    "holm": holm,
    "shuffle": shuffled,
    "collection": turned,
    "answers": answers,
}


@pytest.mark.parametrize("name", COMPUTED)
def test_the_answer_is_what_comes_out(quiz, name, request):
    (one,) = [question for question in quiz.questions() if question.name == name]
    asked = inspect.signature(COMPUTED[name]).parameters
    more = {"sheet": request.getfixturevalue("sheet")} if "sheet" in asked else {}
    assert COMPUTED[name](list(one.options), **more) == one.answer


def test_every_session_has_five_questions_or_more_and_each_is_computed(quiz):
    found = quiz.questions()
    assert sorted(one.name for one in found) == sorted(COMPUTED)
    assert min(sum(one.session == session for one in found) for session in (1, 2, 3)) >= 5


def test_an_answer_that_is_no_option_is_refused(quiz, tmp_path):
    place = tmp_path / "quiz.yaml"
    place.write_text(
        "- {session: 1, name: x, question: y, options: [a, b], answer: c, because: z}\n"
    )
    with pytest.raises(ValueError, match=r"quiz, x: the answer 'c' must be one of .*: a, b"):
        quiz.questions(place)


def test_the_guess_of_session_1_counts_the_networks_of_its_answer():
    of = glued("greenhouse/sensitivity", "null")
    assert glued("calibration/ieat", "null.12").endswith(f"of the {of}")
