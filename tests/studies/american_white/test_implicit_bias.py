"""Correlations that share a variable, against published examples and simulation; simulated IATs,
against what they were told to depend on."""

from statistics import correlation

import numpy as np
import pandas as pd
import pytest
from scipy import stats
from sklearn.linear_model import LinearRegression

import vlmbias as vb
from studies.american_white import implicit_bias
from vlmbias.ledger.claims import claims


def test_scores_depend_on_what_is_stated():
    rng = np.random.default_rng(0)
    drivers = {"one": rng.normal(5, 2, 30), "two": rng.normal(size=30), "none": rng.normal(size=30)}
    found = implicit_bias.simulated(
        drivers, slopes={"one": 2.0, "two": -1.0}, left=1.5, reliability=0.6, n=4_000, seed=1
    )
    z = {name: (values - values.mean()) / values.std() for name, values in drivers.items()}
    told = 2 * z["one"] - z["two"]
    np.testing.assert_allclose(found.mean(axis=0), told, atol=0.25)
    spread = 1.5**2 + (told.var() + 1.5**2) * 0.4 / 0.6
    assert found.var(axis=0).mean() == pytest.approx(spread, rel=0.03)
    exact = implicit_bias.simulated(
        drivers, slopes={"two": 3.0}, left=0.0, reliability=1.0, n=2, seed=1
    )
    np.testing.assert_allclose(exact, np.tile(3 * z["two"], (2, 1)))
    again = implicit_bias.simulated(drivers, slopes={}, n=2, seed=7)
    assert np.array_equal(
        again, implicit_bias.simulated(drivers, slopes={}, n=2, seed=7)
    ) and again.shape == (2, 30)
    with pytest.raises(ValueError, match="reliability must be above 0 and at most 1, got 0"):
        implicit_bias.simulated(drivers, slopes={}, reliability=0, n=1, seed=0)


def test_a_second_measurement_repeats_the_reliable_share():
    place = {"x": np.random.default_rng(0).normal(size=400)}
    first, second = (
        implicit_bias.simulated(place, slopes={"x": 1.0}, left=0.0, reliability=0.7, n=1, seed=k)[0]
        for k in (1, 2)
    )
    assert correlation(first, second) == pytest.approx(0.7, abs=0.05)


def test_two_correlations_are_compared_as_in_the_published_example():
    found = implicit_bias.compared(0.4, 0.5, 0.1, n=103)  # the example of Steiger (1980), p. 247
    assert found["t"] == pytest.approx(-0.89, abs=0.005) and found["p"] == pytest.approx(
        0.37, abs=0.006
    )
    assert found["difference"] == pytest.approx(-0.1) and found["low"] < -0.1 < 0 < found["high"]
    turned = implicit_bias.compared(0.5, 0.4, 0.1, n=103)
    assert turned["t"] == pytest.approx(-found["t"]) and turned["low"] == pytest.approx(
        -found["high"]
    )


@pytest.mark.parametrize(
    ("one", "other", "between"), [(0.6, 0.6, 0.8), (0.7, 0.3, 0.5), (-0.2, 0.4, 0.1)]
)
def test_its_interval_and_its_test_keep_their_level(one, other, between):
    rng = np.random.default_rng(5)
    sigma = np.array([[1, one, other], [one, 1, between], [other, between, 1]])
    drawn = rng.multivariate_normal(np.zeros(3), sigma, size=(3_000, 51))
    z = (drawn - drawn.mean(axis=1, keepdims=True)) / drawn.std(axis=1, keepdims=True)
    r = np.einsum("kni,knj->kij", z, z) / 51
    found = implicit_bias.compared(r[:, 0, 1], r[:, 0, 2], r[:, 1, 2], n=51)
    covered = (found["low"] <= one - other) & (one - other <= found["high"])
    assert covered.mean() == pytest.approx(0.95, abs=0.015)
    if one == other:
        assert (found["p"] <= 0.05).mean() == pytest.approx(0.05, abs=0.013)


def test_what_is_left_where_the_other_is_held():
    rng = np.random.default_rng(6)
    other = rng.normal(size=40)
    one = other + rng.normal(size=40)
    outcome = one + other + rng.normal(size=40)
    given = other[:, None]
    left = [
        values - LinearRegression().fit(given, values).predict(given) for values in (outcome, one)
    ]
    r = np.corrcoef(*left)[0, 1]
    by_three = implicit_bias.held(
        *(np.corrcoef(*pair)[0, 1] for pair in ((outcome, one), (outcome, other), (one, other))),
        n=40,
    )
    assert by_three["r"] == pytest.approx(r)
    t = r * np.sqrt(37 / (1 - r**2))
    assert by_three["p"] == pytest.approx(2 * stats.t.sf(abs(t), 37))
    half = 1.959964 / np.sqrt(36)
    assert (by_three["low"], by_three["high"]) == pytest.approx(
        tuple(np.tanh(np.arctanh(r) + np.array([-half, half])))
    )
    assert implicit_bias.beyond(np.stack([outcome, one]), one, given)[0] == pytest.approx(r)
    two = np.column_stack([other, rng.normal(size=40)])
    left = [values - LinearRegression().fit(two, values).predict(two) for values in (outcome, one)]
    assert implicit_bias.beyond(outcome[None], one, two)[0] == pytest.approx(
        np.corrcoef(*left)[0, 1]
    )


def test_printed_correlations_beside_one_another():
    found = implicit_bias.printed(vb.ledger.claim, n=51).set_index(["model", "question"])
    row = found.loc[("BLIP", "more than the census")]
    assert row["value"] == pytest.approx(0.69 - 0.60) and row["p"] == pytest.approx(
        implicit_bias.compared(0.69, 0.60, 0.70, n=51)["p"]
    )
    assert (found["p_low"] < found["p"]).all() and (found["p"] < found["p_high"]).all()
    assert found.loc[("CLIP", "census held"), "value"] == pytest.approx(
        implicit_bias.held(0.64, 0.60, 0.90, n=51)["r"]
    )
    assert found.loc[("CLIP", "model held"), "value"] == pytest.approx(
        implicit_bias.held(0.60, 0.64, 0.90, n=51)["r"]
    )
    assert found.loc[("CLIP", "model held"), "low"] == pytest.approx(
        float(implicit_bias.held(0.60, 0.64, 0.90, n=51)["low"])
    )


def test_many_iats_are_asked_one_by_one():
    rng = np.random.default_rng(8)
    census = rng.normal(size=30)
    returned = census + 0.3 * rng.normal(size=30)
    region = np.repeat(["a", "b", "c"], 10)
    iats = returned + 1.2 * rng.normal(size=(50, 30))
    hits = {"higher": 0, "significant": 0, "beyond": 0, "beyond_region": 0}
    for scores in iats:
        r = stats.pearsonr(scores, returned)[0], stats.pearsonr(scores, census)[0]
        p = implicit_bias.compared(*r, np.corrcoef(returned, census)[0, 1], n=30)["p"]
        hits["higher"] += r[0] > r[1]
        hits["significant"] += r[0] > r[1] and p <= 0.3
        for name, given in (
            ("beyond", census[:, None]),
            ("beyond_region", np.column_stack([census, region == "b", region == "c"])),
        ):
            left = [
                values - LinearRegression().fit(given, values).predict(given)
                for values in (scores, returned)
            ]
            part, df = np.corrcoef(*left)[0, 1], 28 - given.shape[1]
            hits[name] += (
                part > 0 and 2 * stats.t.sf(abs(part) * np.sqrt(df / (1 - part**2)), df) <= 0.3
            )
    found = implicit_bias.over_iats(returned, census, region, iats, alpha=0.3)
    assert {name: found[name] * 50 for name in hits} == pytest.approx(hits) and len(
        set(hits.values())
    ) > 2
    assert found["returned"] == pytest.approx(
        np.mean([stats.pearsonr(scores, returned)[0] for scores in iats])
    )
    assert found["census"] == pytest.approx(
        np.mean([stats.pearsonr(scores, census)[0] for scores in iats])
    )


def test_every_reader_is_asked_about_the_same_scores():
    rng = np.random.default_rng(4)
    census, region = rng.normal(size=20), np.repeat(["a", "b"], 10)
    drivers = {"it": rng.normal(size=20)}
    readers = {"exact": drivers["it"], "rough": drivers["it"] + rng.normal(size=20)}
    kept = {"reliability": 0.8, "n": 60, "seed": 3}
    worlds = {"it": {"it": 1.0}, "nothing": {}}
    found = implicit_bias.in_worlds(readers, census, region, drivers, worlds=worlds, **kept)
    assert found[["world", "reader"]].to_numpy().tolist() == [
        ["it", "exact"],
        ["it", "rough"],
        ["nothing", "exact"],
        ["nothing", "rough"],
    ]
    for row in found.to_dict("records"):
        iats = implicit_bias.simulated(drivers, slopes=worlds[row["world"]], **kept)
        assert implicit_bias.over_iats(readers[row["reader"]], census, region, iats) == {
            name: value for name, value in row.items() if name not in ("world", "reader")
        }


def test_with_many_places_the_better_reader_always_wins():
    rng = np.random.default_rng(5)
    truth = rng.normal(size=30)
    census, rough = truth + 0.4 * rng.normal(size=30), truth + rng.normal(size=30)
    ask = {"worlds": {"it": {"it": 1.0}}, "reliability": 0.8, "n": 200, "seed": 0}
    rate = {}
    for times in (1, 30):
        found = implicit_bias.in_worlds(
            {"exact": truth, "rough": rough},
            census,
            np.repeat(["a", "b"], 15),
            {"it": truth},
            times=times,
            **ask,
        )
        rate[times] = found.set_index("reader")["higher"]
    assert rate[30]["exact"] == 1 > rate[1]["exact"] and rate[30]["rough"] == 0 < rate[1]["rough"]


def test_what_the_text_says_of_both_models():
    rng = np.random.default_rng(9)
    white = rng.normal(size=51)
    census = white + 2 * rng.normal(size=51)
    returned = {
        "clip": white + 0.5 * rng.normal(size=51),
        "slip": census,
        "blip": white + 0.7 * rng.normal(size=51),
    }
    said = implicit_bias.claims(returned, census, white, -white)
    for name, one in returned.items():
        if name != "slip":
            assert said[f"abstract.{name}"] == pytest.approx(np.corrcoef(white, one)[0, 1])
            assert said[f"text.{name}-black"] == pytest.approx(-np.corrcoef(white, one)[0, 1])
    assert all(said[name] is True for name in implicit_bias.OF_PEOPLE)
    weaker = implicit_bias.claims(returned, white, white, white)
    assert (
        not any(weaker[name] for name in implicit_bias.OF_PEOPLE - {"positive"})
        and weaker["positive"]
    )
    one_weak = implicit_bias.claims(returned | {"blip": -white}, census, white, -white)
    assert not any(one_weak[name] for name in implicit_bias.OF_PEOPLE)
    alone = implicit_bias.claims({"clip": returned["clip"]}, census, white, white)
    assert set(alone) == {"abstract.clip", "text.clip", "figure.clip", "text.clip-black"}
    made = set(said) | set(implicit_bias.from_census(white, census))
    ours = [
        name
        for name, one in claims("american_white").items()
        if one.notebook == "american_white/implicit_bias"
    ]
    assert {f"implicit_bias.{name}" for name in made} == set(ours) - {"implicit_bias.years"}, (
        "what the scores are of"
    )
    assert implicit_bias.from_census(white, census)["text.census"] == pytest.approx(
        np.corrcoef(white, census)[0, 1]
    )
    named = {"clip": "ViT-B-32-quickgelu/openai", "blip": "blip/itm-base-coco"}
    of_one = [
        claims("american_white")[f"implicit_bias.{name}"]
        for name in said
        if name not in implicit_bias.OF_PEOPLE
    ]
    assert all(named[implicit_bias.about(one.id)] == one.model for one in of_one)


@pytest.mark.parametrize(
    ("p", "sentence"),
    [
        ([0.4, 0.3], "The difference is not significant in either model"),
        ([0.04, 0.3], "The difference is significant in CLIP only"),
        ([0.04, 0.05], "The difference is significant in both models"),
    ],
)
def test_models_with_a_clear_difference_are_named(p, sentence):
    assert implicit_bias.distinguished(pd.Series(p, ["CLIP", "BLIP"])) == sentence


@pytest.mark.parametrize(
    ("low", "high", "words"), [(0.07, 0.1, "more often"), (0, 0.01, "less"), (0.02, 0.03, "about")]
)
def test_links_that_a_step_pretends(low, high, words):
    step = pd.Series({"low": low, "high": high})
    assert implicit_bias.bends(step, chance=0.025).startswith(f"This is {words}")


def test_a_high_partial_correlation_is_explained_or_not():
    assert implicit_bias.as_high(0.1, 0.05).endswith("may explain BLIP's result.")
    assert implicit_bias.as_high(0.1, 0.001).endswith("makes such a high value likely.")
    neither = implicit_bias.as_high(0.004, 0.001)
    assert "0.4%" in neither and neither.endswith("cannot say how BLIP's result came about.")


def test_more_places_help_or_do_not():
    assert "no more often" in implicit_bias.more_places([0.16, 0.17], [0.08, 0.7])
    assert "the false one no more often" in implicit_bias.more_places([0.16, 0.99], [0.08, 0.09])
    assert "also the one that does not exist" in implicit_bias.more_places([0.16, 1], [0.08, 0.7])


@pytest.mark.parametrize(
    ("low", "high", "sentence"),
    [
        (
            [0.027, 0.0001],
            [0.07, 0.001],
            "a significant link remains for BLIP. For CLIP, this depends on how the printed numbers"
            " were rounded.",
        ),
        ([0.001, 0.0001], [0.01, 0.001], "a significant link remains for CLIP and BLIP."),
        (
            [0.06, 0.04],
            [0.2, 0.06],
            "a significant link may remain for BLIP: this depends on how the printed numbers were"
            " rounded.",
        ),
        ([0.06, 0.06], [0.2, 0.2], "no significant link remains."),
    ],
)
def test_models_that_add_to_the_census_are_named(low, high, sentence):
    rest = pd.DataFrame({"p_low": low, "p_high": high}, index=["CLIP", "BLIP"])
    yes = implicit_bias.answer(rest)
    assert ("yes for" in yes) == ("link remains for" in sentence)
    assert ("unclear for" in yes) == ("rounded" in sentence)
    assert ("not shown for" in yes) == (min(low) > 0.05 or high == [0.2, 0.06])
    assert implicit_bias.adds(rest) == f"With the census held constant, {sentence}"
