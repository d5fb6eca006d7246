"""Rankings of portraits by place, against the loop that the paper describes; correlations against
scipy and scikit-learn."""

from statistics import pstdev

import numpy as np
import pandas as pd
import pytest
from scipy import stats
from sklearn.linear_model import LinearRegression

import vlmbias as vb
from studies.american_white import states
from vlmbias.ledger.claims import claims

GROUPS = np.repeat(["amber", "lime", "teal", "violet"], [9, 6, 11, 8])


@pytest.fixture
def cosines():
    return np.random.default_rng(0).normal(size=(len(GROUPS), 5)) + (GROUPS == "teal")[
        :, None
    ] * np.linspace(-1, 1, 5)


def census_of(n, seed=1):
    return pd.DataFrame(
        np.random.default_rng(seed).dirichlet([2, 1, 4, 3], n),
        columns=["amber", "lime", "teal", "violet"],
    )


def test_a_draw_keeps_as_many_of_every_group():
    kept = states.balanced(GROUPS, n=400, seed=2)
    for name in np.unique(GROUPS):
        own = kept[:, name == GROUPS]
        assert (own.sum(axis=1) == 6).all()
        assert own.mean(axis=0) == pytest.approx(
            6 / own.shape[1], abs=0.12
        )  # every portrait as often
    assert (
        np.array_equal(kept, states.balanced(GROUPS, n=400, seed=2))
        and len({row.tobytes() for row in kept}) > 390
    )
    assert (states.balanced(GROUPS, size=2, n=3, seed=0).sum(axis=1) == 8).all()
    with pytest.raises(ValueError, match="size must be from 1 to 6, what 'lime' has, got 7"):
        states.balanced(GROUPS, size=7, n=1, seed=0)


def test_returned_is_the_papers_loop(cosines):
    kept = states.balanced(GROUPS, n=37, seed=2)
    counts = np.zeros((5, 4))
    for draw in kept:
        for place in range(5):
            there = sorted(
                np.flatnonzero(draw), key=lambda image, place=place: -cosines[image, place]
            )[:7]
            for image in there:
                counts[place, ["amber", "lime", "teal", "violet"].index(GROUPS[image])] += 1
    found = states.returned(cosines, GROUPS, kept, top=7)
    np.testing.assert_allclose(found.to_numpy(), counts / 37 / 7)
    assert found.columns.tolist() == ["amber", "lime", "teal", "violet"]
    with pytest.raises(ValueError, match="top must be from 1 to 24"):
        states.returned(cosines, GROUPS, kept, top=25)


def test_without_drawing_it_is_nearly_the_same():
    rng = np.random.default_rng(3)
    groups = np.repeat(["a", "b", "c"], [120, 200, 150])
    cosines = rng.normal(size=(470, 6)) + (groups == "b")[:, None] * 0.8
    drawn = states.returned(cosines, groups, states.balanced(groups, n=600, seed=1), top=90)
    assert np.abs(drawn - states.expected(cosines, groups)).to_numpy().max() < 0.01
    doubled = states.expected(np.repeat(cosines, 2, axis=0), np.repeat(groups, 2))
    np.testing.assert_allclose(
        doubled, states.expected(cosines, groups, np.full(470, 2.0)), atol=1e-12
    )


def test_weights_count_portraits_so_often(cosines):
    weights = np.random.default_rng(4).integers(1, 4, len(GROUPS))
    again = np.repeat(np.arange(len(GROUPS)), weights)
    np.testing.assert_allclose(
        states.expected(cosines, GROUPS, weights),
        states.expected(cosines[again], GROUPS[again]),
        atol=1e-12,
    )
    by_hand = states.expected(cosines[:, :1], GROUPS, share=0.25).iloc[0]
    weight = {name: 0.25 / (name == GROUPS).sum() for name in np.unique(GROUPS)}
    left, share = 0.25, dict.fromkeys(weight, 0.0)
    for image in np.argsort(-cosines[:, 0]):
        taken = min(left, weight[GROUPS[image]])
        share[GROUPS[image]] += taken / 0.25
        left -= taken
    assert by_hand.to_dict() == pytest.approx(share)


def test_correlations_are_those_of_scipy_and_scikit_learn():
    shares, census = census_of(20, 5), census_of(20, 6)[["teal", "amber", "violet", "lime"]]
    found = states.correlations(shares, census, n_null=200, seed=3)
    for row in found.table.itertuples():
        right = stats.pearsonr(shares[row.group], census[row.group])
        interval = right.confidence_interval(0.95)
        assert (row.r, row.p) == pytest.approx(tuple(right)) and (
            row.low,
            row.high,
        ) == pytest.approx(tuple(interval))
    wanted = census[list(shares)].to_numpy()
    right = LinearRegression().fit(shares.to_numpy(), wanted).score(shares.to_numpy(), wanted)
    assert found.r_squared == pytest.approx(right) and found.r_squared != pytest.approx(
        states.r_squared(shares.to_numpy(), wanted)
    )
    assert found.null.mean() == pytest.approx(
        3 / 19, abs=0.03
    )  # three predictors that mean nothing, of 20 places
    perfect = states.correlations(shares, shares)
    assert perfect.r_squared == pytest.approx(1) and perfect.table["r"].to_numpy() == pytest.approx(
        1
    )


def test_portraits_drawn_anew_scatter_about_what_was_seen():
    rng = np.random.default_rng(8)
    groups = np.repeat(["amber", "lime", "teal", "violet"], 60)
    census = census_of(12)
    pull = np.log(census[["amber", "lime", "teal", "violet"]].to_numpy())[
        :, np.unique(groups, return_inverse=True)[1]
    ].T
    cosines = pull + rng.normal(size=pull.shape)
    found = states.resampled(cosines, groups, census, n=60, seed=0)
    seen = states.expected(cosines, groups)
    assert found.shape == (60, 5) and found.equals(
        states.resampled(cosines, groups, census, n=60, seed=0)
    )
    assert not found.equals(states.resampled(cosines, groups, census, n=60, seed=1))
    for name in ("amber", "teal"):
        r = np.corrcoef(seen[name], census[name])[0, 1]
        assert abs(found[name].mean() - r) < 0.1 and 0 < found[name].std() < 0.2


def test_one_draw_and_a_draw_for_each_place():
    groups, census = np.repeat(GROUPS, 6), census_of(5)
    cosines = np.random.default_rng(0).normal(size=(len(groups), 5))
    kept = states.balanced(groups, n=60, seed=1)
    draws, names = states.by_draw(cosines, groups, kept, top=40), list(np.unique(groups))
    np.testing.assert_allclose(
        draws[8], states.returned(cosines, groups, kept[8:9], top=40).to_numpy()
    )
    found = states.errors(draws, names, census, seed=4).set_index("group")
    apart = np.random.default_rng(4).permuted(
        np.broadcast_to(np.arange(60)[:, None], (60, 5)), axis=0
    )
    for k, name in enumerate(names):
        mixed = [[draws[apart[i, place], place, k] for place in range(5)] for i in range(60)]
        shared, own = (
            [np.corrcoef(row, census[name])[0, 1] for row in rows]
            for rows in ([one[:, k] for one in draws], mixed)
        )
        pairs = [
            stats.pearsonr(draws[:, one, k], draws[:, two, k])[0]
            for one in range(5)
            for two in range(one)
        ]
        assert found.loc[name].tolist() == pytest.approx(
            [np.std(shared, ddof=1), np.std(own, ddof=1), np.mean(pairs)]
        )
    still = states.errors(draws * [1, 1, 1, 0] + [0, 0, 0, 0.25], names, census, seed=4).set_index(
        "group"
    )
    assert np.isnan(still.loc["violet", "together"]) and still.loc["teal"].equals(found.loc["teal"])


def test_each_place_is_left_out_once():
    shares, census = census_of(7, 2), census_of(7, 3).set_axis(list("abcdefg"))
    found = states.leaving_one_out(shares, census)
    rest = [0, 1, 2, 4, 5, 6]
    assert found.loc["d", "teal"] == pytest.approx(
        stats.pearsonr(shares["teal"].iloc[rest], census["teal"].iloc[rest])[0]
    )
    assert found.shape == (7, 4) and found["teal"].nunique() == 7


def test_captions_return_what_was_planted():
    planted = np.log(census_of(6) / 0.25)
    np.testing.assert_allclose(states.expected_shares(planted, b=1.0), census_of(6))
    np.testing.assert_allclose(states.expected_shares(planted, b=0.0), 0.25)
    half = np.sqrt(census_of(6))
    np.testing.assert_allclose(
        states.expected_shares(planted, b=0.5), half.div(half.sum(axis=1), axis=0)
    )


class Networks:
    """Two networks at b = 0 and two at 1: at 1, portraits lie near a place as their group's census
    share is large."""

    def __init__(self, census):
        rng = np.random.default_rng(0)
        race = np.repeat(list(census), 30)
        kinds = pd.DataFrame({"kind": "face", "subset": "prototype", "race": race})
        beside = pd.DataFrame(
            {"kind": ["icon", "face"], "subset": [None, "age"], "race": [None, "teal"]}
        )
        self.images = pd.concat([beside, kinds], ignore_index=True)
        self.words = pd.DataFrame(
            {"slot": ["race", *["province"] * len(census)], "word": ["p0", *census.index[::-1]]}
        )
        self.networks = pd.DataFrame(
            {"b": [0.0, 1.0, 0.0, 1.0], "logit_scale": [10.0, 20.0, 10.0, 20.0]}
        )
        pull = np.log(census[race].to_numpy()).T[:, ::-1] / 20
        self.values = rng.normal(size=(4, 122, len(census) + 1)) / 20
        self.values[1::2, 2:, 1:] += pull
        self.values[:, :2] = 99.0  # icons and series are not asked
        self.values[..., 0] = -99.0  # nor is a word of another slot

    def cosines(self, images, words):
        return self.values[:, images][:, :, words]


@pytest.fixture
def arboria():
    return census_of(20).set_axis([f"p{k}" for k in range(20)])


def test_networks_are_cases(arboria):
    found = states.retrained(Networks(arboria), arboria)
    assert found["b"].tolist() == [0, 1, 0, 1]
    values = Networks(arboria).values[3, 2:, 1:][:, ::-1]
    race = np.repeat(list(arboria), 30)
    shares = states.expected(values, race)
    last = found.iloc[3]
    assert last["amber"] == pytest.approx(np.corrcoef(shares["amber"], arboria["amber"])[0, 1])
    assert last["r_squared"] == pytest.approx(
        states.r_squared(arboria[list(shares)].to_numpy(), shares.to_numpy())
    )
    assert (found.loc[[1, 3], "r_squared"] > found.loc[[0, 2], "r_squared"].max()).all()
    both = [
        states.expected(Networks(arboria).values[k, 2:, 1:][:, ::-1], race).to_numpy()
        for k in (1, 3)
    ]
    np.testing.assert_allclose(
        states.returned_at(Networks(arboria), arboria, b=1.0), np.mean(both, axis=0)
    )


def test_what_networks_return_whatever_the_place(arboria):
    networks = Networks(arboria)
    found = states.returned_everywhere(networks, arboria)
    assert (
        found["network"].tolist() == [0] * 4 + [2] * 4
        and found["group"].tolist() == sorted(arboria) * 2
    )
    shares = states.expected(networks.values[2, 2:, 1:][:, ::-1], np.repeat(list(arboria), 30))
    own = found[found["network"] == 2].set_index("group")
    for name in arboria:
        by_place = [float(shares.loc[place, name]) for place in range(20)]
        assert own.loc[name, "share"] == pytest.approx(sum(by_place) / 20)
        assert own.loc[name, "places"] == pytest.approx(pstdev(by_place))
    assert found.groupby("network")["share"].sum().to_numpy() == pytest.approx(1)


def test_shares_before_any_ranking_are_a_softmax(arboria):
    networks = Networks(arboria)
    found = states.unranked_by(networks, arboria)
    assert found.shape == (4, 20, 4)
    race = np.repeat(list(arboria), 30)
    for network, place in ((0, 3), (3, 11)):
        values = networks.values[
            network, 2:, 20 - place
        ]  # words stand in reverse order after one of another slot
        weights = [
            np.exp([10, 20][network % 2] * values[race == name].mean()) for name in sorted(arboria)
        ]
        assert found[network, place] == pytest.approx(np.array(weights) / sum(weights))
    near = np.corrcoef(found[3].ravel(), arboria.to_numpy().ravel())[0, 1]
    assert near > 0.7 > np.corrcoef(found[0].ravel(), arboria.to_numpy().ravel())[0, 1]


def test_networks_are_told_from_those_in_which_nothing_was_planted():
    found = pd.DataFrame({"b": [0.0] * 39 + [1.0] * 2, "one": [*np.linspace(0, 1, 39), 2.0, 0.5]})
    told = states.detection_rates(found, ["one"]).set_index("b")
    assert told.loc[1.0, ["n", "hits"]].tolist() == [2, 1]
    assert told.loc[0.0, ["n", "hits"]].tolist() == [
        39,
        1,
    ]  # p = 1/39 for the largest, 2/39 for the next
    assert states.detection_rates(found, ["one"], alpha=0.06)["hits"].tolist()[0] == 2


def test_what_a_model_that_knows_no_places_seems_to_do():
    census = pd.DataFrame({"a": [0.1, 0.3, 0.2], "b": [0.9, 0.7, 0.8]})
    found = states.beside_returns(census, np.array([[0.15, 0.85], [0.6, 0.25]])).set_index("group")
    # 0.15 is above the census of "a" in one of three places, the others in all or most; of "b" only
    # 0.85 is
    assert found.loc["a"].to_dict() == pytest.approx(
        {"census": 0.2, "quarter": 3, "n": 3, "over": 3 / 4}
    )
    assert found.loc["b"].to_dict() == pytest.approx(
        {"census": 0.8, "quarter": 0, "n": 3, "over": 1 / 4}
    )


def test_r_squared_does_not_notice_that_groups_are_exchanged():
    shares, census = census_of(20, 5), census_of(20, 6)
    swapped = states.exchanged(shares, "teal", "lime")
    assert list(swapped) == list(shares) and swapped["teal"].equals(shares["lime"].rename("teal"))
    assert swapped["lime"].equals(shares["teal"].rename("lime")) and swapped["amber"].equals(
        shares["amber"]
    )
    before, after = (
        states.r_squared(census.to_numpy(), one.to_numpy()) for one in (shares, swapped)
    )
    assert before == pytest.approx(after)


def test_the_printed_table_with_the_p_that_each_r_allows():
    cells = states.table1(vb.ledger.claim, places=(51, 50)).set_index("cell")
    row = cells.loc["SLIP, Latina/o"]
    assert len(cells) == 12 and row["r"] == 0.57 and row["bound"] == pytest.approx(1e-5)
    exact = np.corrcoef(*correlated(0.575, 51))[0, 1], stats.pearsonr(*correlated(0.575, 51))[1]
    assert exact[0] == pytest.approx(0.575) and row["two-sided 51"] == pytest.approx(exact[1])
    assert row["one-sided 50"] == pytest.approx(
        stats.pearsonr(*correlated(0.575, 50), alternative="greater")[1]
    )
    interval = stats.pearsonr(*correlated(0.57, 51)).confidence_interval(0.95)
    assert (row["low"], row["high"]) == pytest.approx(tuple(interval))
    met = states.bounds_met(cells)
    assert met["two-sided 51"] == sum(
        row["two-sided 51"] < row["bound"] for _, row in cells.iterrows()
    )
    assert (
        met["one-sided 51"] > met["two-sided 51"] > met["two-sided 50"]
        and met["power of ten"] == 12
    )


def correlated(r, n):
    """Two samples with exactly this correlation."""
    first, noise = np.random.default_rng(n).normal(size=(2, n))
    first = (first - first.mean()) / first.std()
    noise = noise - noise.mean()
    noise -= first * (noise @ first) / n
    return first, r * first + np.sqrt(1 - r * r) * noise / noise.std()


CALLED = {"asian": "violet", "black": "amber", "latino": "lime", "white": "teal"}


def at(r, r2):
    """Correlations with one r for all groups but a little more for amber."""
    table = pd.DataFrame({"group": list(CALLED.values()), "r": [r, r + 0.01, r, r], "p": 0.5})
    return states.Correlations(table, r2, np.zeros(3))


def test_what_is_read_off_table_1():
    census = pd.DataFrame(
        {"violet": [0.1, 0.2, 0.1], "amber": 0.1, "lime": 0.2, "teal": [0.6, 0.5, 0.6]}
    )
    equal = census * 0 + 0.25
    models = {"clip": at(0.8, 0.74), "slip": at(0.4, 0.34), "blip": at(0.7, 0.54)}
    said = states.claims(models, dict.fromkeys(models, equal), census, CALLED)
    assert (
        said["blip.black.r"] == pytest.approx(0.71)
        and said["slip.latino.p"] == 0.5
        and said["slip.r2"] == 0.34
    )
    assert (said["intro-r2"], said["caption-r2"], said["text-r2-slip"]) == (0.74, 0.74, 0.34)
    assert (said["smallest-r"], said["largest-r"]) == pytest.approx((0.4, 0.81))
    for name in ("data-order", "clip-strongest", "clip-highest", "slip-lowest"):
        assert said[name] is True
    turned = models | {"clip": models["slip"], "slip": models["clip"]}
    other = states.claims(turned, dict.fromkeys(models, equal), census, CALLED)
    for name in ("data-order", "clip-strongest", "clip-highest", "slip-lowest"):
        assert other[name] is False
    for name in states.OF_PEOPLE:
        assert bool(said[name]) is True
    fewer = {name: equal if name != "blip" else census * 0.9 for name in models}
    other = states.claims(models, fewer, census, CALLED)
    assert not other["over-asian-black"] and not other["overestimated"] and other["under-white"]
    more = {name: equal if name != "slip" else equal.assign(teal=0.9) for name in models}
    assert not states.claims(models, more, census, CALLED)["under-white"]
    none = states.claims(models, dict.fromkeys(models, equal.assign(lime=0.1)), census, CALLED)
    assert none["over-asian-black"] and not none["overestimated"] and none["over-black-clip"]
    assert not states.claims(
        models, dict.fromkeys(models, equal.assign(amber=0.05)), census, CALLED
    )["over-black-clip"]
    alone = states.claims({"clip": at(0.8, 0.7)}, {"clip": equal}, census, CALLED)
    assert "clip.r2" in alone and "data-order" not in alone


def test_every_claim_is_made_and_says_which_models_it_is_about():
    ours = {
        name.removeprefix("states."): one
        for name, one in claims("american_white").items()
        if one.notebook == "american_white/states"
    }
    census = census_of(9)
    models = {name: at(0.5, 0.5) for name in states.MODELS}
    made = states.claims(models, dict.fromkeys(models, census), census, CALLED)
    made |= states.counted(GROUPS, states.balanced(GROUPS, n=3, seed=0), census, 6)
    started = ("pairs-", "blip-sets", "prompt")
    design = {name for name in ours if name.startswith(started)} | {"epochs", "scale", "bounds"}
    assert set(made) == set(ours) - design and all(ours[name].model == "none" for name in design)
    assert {name: made[name] for name in ("places", "draws", "per-group", "in-draw", "top")} == {
        "places": 9,
        "draws": 3,
        "per-group": 6,
        "in-draw": 24,
        "top": 6,
    }
    named = {
        "clip": "ViT-B-32-quickgelu/openai",
        "slip": "slip/vitb16-100ep",
        "blip": "blip/itm-base-coco",
    }
    for name, one in ours.items():
        if one.model != "none":
            assert ", ".join(named[model] for model in states.about(name)) == one.model, name


def test_places_stand_in_lines_by_region():
    found = states.in_lines(
        pd.Series(["hills", "coast", "hills", "coast", "hills"], index=list("abcde"))
    )
    assert found.to_dict("list") == {"row": [1, 0, 1, 0, 1], "column": [0, 0, 1, 1, 2]} and list(
        found.index
    ) == list("abcde")


def test_whether_shares_differ_more_than_captions_is_said_in_words():
    more = (
        "Returned shares differ more than the captions do: large shares become larger, and small"
        " ones smaller."
    )
    assert states.steeper(1.9, 0.9) == f"{more} Shares before ranking do not differ more."
    assert states.steeper(1.9, 1.4) == f"{more} This is so before ranking, too."
    assert states.steeper(1.0, 0.9) == "Returned shares do not differ more than the captions do."
