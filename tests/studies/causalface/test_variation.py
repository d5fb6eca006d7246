"""What moves perception, against slow versions on made-up faces in which groups, dimensions and
identities differ."""

from collections import Counter
from itertools import combinations

import numpy as np
import pandas as pd
import pytest
import slow
import worlds
from scipy import stats

import vlmbias as vb
from studies.causalface import variation
from studies.shown import Shown
from vlmbias.papers import CAUSALFACE

DIMENSIONS = CAUSALFACE.dimensions
LEVELS = {
    "age": [0, 1, 2, 3, 4],
    "smiling": [-2, -1, 0, 1, 2],
    "lighting": [0, 1, 2],
    "pose": [-1, 0, 1],
}
rng = np.random.default_rng


GROUPS = [f"{race} {gender}" for race in "abc" for gender in "fm"]
FACES = worlds.faces(12, GROUPS, LEVELS, rng=rng(1))
VALUES = pd.DataFrame(
    rng(2).normal(size=(len(FACES), 8)) * np.arange(1, 9), columns=list(DIMENSIONS)
)


def table_of(faces=FACES, values=VALUES, n=60, **choice):
    return variation.differences(
        faces, values, variation.pairs(faces, n=n, seed=3, min_gap=1.1, **choice)
    )


# --- what a p-value says of two samples


def test_superiority_inverts_the_rank_sum_test_without_ties():
    first, second = rng(4).normal(0.3, 1, 400), rng(5).normal(0, 1, 400)
    test = stats.mannwhitneyu(first, second, method="asymptotic", use_continuity=False)
    estimate, low, high = variation.superiority(test.pvalue, 400)
    assert estimate == pytest.approx(np.mean(first[:, None] > second[None, :]))
    assert high - estimate == pytest.approx(estimate - low)
    at_end = stats.mannwhitneyu(
        np.arange(400) + 0.5, np.arange(400), method="asymptotic", use_continuity=False
    )
    assert variation.superiority(at_end.pvalue, 400, confidence_level=1 - at_end.pvalue)[
        1
    ] == pytest.approx(0.5)
    narrow = variation.superiority(0.06, 400, confidence_level=0.5)
    assert narrow[2] - narrow[0] < high - estimate


# --- pairs and differences


def test_pairs_differ_in_one_attribute_and_keep_their_gap():
    found = variation.pairs(FACES, n=200, seed=3, min_gap=1.1)
    assert list(found) == list(variation.ATTRIBUTES)
    for attribute, both in found.items():
        first, second = (FACES.iloc[both[:, end]].reset_index(drop=True) for end in (0, 1))
        rest = [name for name in variation.ATTRIBUTES if name != attribute]
        assert (first[attribute] != second[attribute]).all() and first[rest].equals(second[rest])
    steps = {
        name: np.abs(np.diff(FACES[name].to_numpy()[found[name]], axis=1)).min() for name in LEVELS
    }
    assert steps == {"age": 2, "smiling": 2, "lighting": 1, "pose": 1}
    near = variation.pairs(FACES, n=200, seed=3, min_gap=None)["age"]
    assert np.abs(np.diff(FACES["age"].to_numpy()[near], axis=1)).min() == 1


def test_copies_make_pairs_of_prototypes_more_common_between_series_only():
    prototype = (FACES["subset"] == "prototype").to_numpy()
    share = {
        copies: {
            name: prototype[both].all(axis=1).mean()
            for name, both in variation.pairs(
                FACES, n=4_000, seed=3, min_gap=1.1, copies=copies
            ).items()
        }
        for copies in (1, 4)
    }
    # a pair that differs between series is one of prototypes as often as prototypes stand in the
    # table, whose pictures otherwise are as many as there are varied levels
    varied = sum(len(levels) - 1 for levels in LEVELS.values())
    for name in variation.BETWEEN_SERIES:
        assert share[1][name] == pytest.approx(1 / (1 + varied), abs=0.03)
        assert share[4][name] == pytest.approx(4 / (4 + varied), abs=0.03)
    assert {name: share[1][name] for name in LEVELS} == {name: share[4][name] for name in LEVELS}


def test_smiles_can_be_kept_to_a_range_and_attributes_chosen():
    inner = variation.inner_half(FACES["smiling"].where(FACES["subset"] != "pose"))
    assert inner == (-1, 1) and variation.inner_half([1, np.nan, 9]) == (3, 7)
    found = variation.pairs(
        FACES, n=300, seed=3, min_gap=None, attributes=["smiling"], smiles=inner
    )
    assert list(found) == ["smiling"] and set(
        FACES["smiling"].to_numpy()[found["smiling"]].ravel()
    ) == {-1, 0, 1}
    every = variation.pairs(FACES, n=300, seed=3, min_gap=None, attributes=["smiling", "pose"])
    alone = variation.pairs(FACES, n=300, seed=3, min_gap=None, attributes=["pose"])
    assert np.array_equal(every["pose"], alone["pose"])  # each attribute has a draw of its own
    assert set(FACES["smiling"].to_numpy()[every["smiling"]].ravel()) == set(LEVELS["smiling"])


def test_each_attribute_is_drawn_with_a_seed_of_its_own(monkeypatch):
    seeds, one_apart = {}, vb.one_apart

    def recorded(faces, *, by, seed, **choice):
        seeds[by] = tuple(seed)
        return one_apart(faces, by=by, seed=seed, **choice)

    monkeypatch.setattr(vb, "one_apart", recorded)
    variation.pairs(FACES, n=5, seed=3, min_gap=None)
    assert len(set(seeds.values())) == 7 and {seed[0] for seed in seeds.values()} == {3}


def test_differences_are_those_of_each_pair_and_column():
    drawn = variation.pairs(FACES, n=5, seed=3, min_gap=1.1)
    table = variation.differences(FACES, VALUES, drawn, scale=10)
    assert len(table) == 7 * 5 * 8 and list(table["attribute"].unique()) == list(
        variation.ATTRIBUTES
    )
    row = iter(table.itertuples())
    for attribute, both in drawn.items():
        for (one, other), dimension in ((pair, name) for pair in both for name in DIMENSIONS):
            found = next(row)
            assert (found.attribute, found.dimension) == (attribute, dimension)
            assert found.difference == pytest.approx(
                10 * abs(VALUES.at[one, dimension] - VALUES.at[other, dimension])
            )
            assert (found.first, found.second) == (FACES.at[one, "seed"], FACES.at[other, "seed"])


def test_medians_are_those_of_the_rows():
    table = table_of()
    for attribute, median in variation.medians(table).items():
        assert median == np.median(
            [row.difference for row in table.itertuples() if row.attribute == attribute]
        )
    before = pd.Series({"age": 2.0, "pose": 4.0})
    assert variation.largest_change(before, pd.Series({"pose": 3.0, "age": 2.2})) == pytest.approx(
        0.25
    )


# --- the published tests


def test_rank_sums_count_how_often_one_exceeds_the_other():
    table = table_of()
    found = variation.rank_sums(table)
    values = {
        name: table.loc[table["attribute"] == name, "difference"].to_numpy()
        for name in variation.ATTRIBUTES
    }
    assert set(zip(found["first"], found["second"], strict=True)) >= {
        ("smiling", "age"),
        ("lighting", "age"),
    }
    for row in found.itertuples():
        one, other = values[row.first][:, None], values[row.second][None, :]
        assert row.exceeds == pytest.approx(np.mean(one > other) + np.mean(one == other) / 2)
        assert row.p == pytest.approx(
            stats.ranksums(values[row.first], values[row.second]).pvalue, rel=1e-2
        )
    assert np.allclose(found["p_holm"], slow.holm(found["p"].tolist()))


def test_t_tests_are_over_values_and_over_the_identities_that_both_have():
    table = table_of(n=40)
    table = table[
        ~((table["attribute"] == "pose") & (table["first"] == 103))
    ]  # one identity without this attribute
    found = variation.t_tests(table)
    for (valence, first, second), row in found.iterrows():
        own = [
            name
            for name in DIMENSIONS
            if (name.startswith("neg") or name == "conservative_belief") == (valence == "negative")
        ]
        part = table[table["dimension"].isin(own)]
        one, other = (part[part["attribute"] == name] for name in (first, second))
        pooled = np.sqrt(
            (
                one["difference"].var() * (len(one) - 1)
                + other["difference"].var() * (len(other) - 1)
            )
            / (len(one) + len(other) - 2)
            * (1 / len(one) + 1 / len(other))
        )
        gap = one["difference"].mean() - other["difference"].mean()
        assert row["difference"] == pytest.approx(gap) and row["t"] == pytest.approx(gap / pooled)
        shared = sorted(set(one["first"]) & set(other["first"]))
        means = [
            np.array([own.loc[own["first"] == k, "difference"].mean() for k in shared])
            for own in (one, other)
        ]
        gaps = means[0] - means[1]
        t = gaps.mean() / gaps.std(ddof=1) * np.sqrt(len(gaps))
        assert row["paired_t"] == pytest.approx(t)
        assert row["paired_p"] == pytest.approx(2 * stats.t.sf(abs(t), len(gaps) - 1))
        assert first != "pose" or 103 not in shared
    for p in ("p", "paired_p"):
        assert np.allclose(found[f"{p}_holm"], slow.holm(found[p].tolist()))


# --- identities drawn anew


def test_identities_are_drawn_once_for_all_attributes():
    table = table_of(n=30)
    age = table[table["attribute"] == "age"]
    twice = age.assign(attribute="smiling", difference=2 * age["difference"])
    twin = pd.concat([age, age.assign(attribute="pose"), twice])
    draws = variation.resampled(twin.astype({"attribute": "category"}), n=40, seed=9)
    same = draws["identities"]
    assert np.array_equal(same["age"], same["pose"]) and np.allclose(
        same["smiling"], 2 * same["age"]
    )
    assert same["age"].nunique() > 5 and not np.array_equal(
        draws["values"]["age"], draws["values"]["pose"]
    )
    assert len(draws["values"]) == 40


def test_medians_of_identities_drawn_anew_are_those_of_the_repeated_table():
    table = table_of(n=30)
    pool = np.unique(table[["first", "second"]])
    draws = variation.resampled(table, n=25, seed=9)["identities"]
    times = vb.cluster_weights(pool, n_resamples=25, seed=9)
    assert len(draws) == 25
    for name in ("seed", "race", "pose"):
        part = table[table["attribute"] == name]
        for row, own in enumerate(times):
            often = dict(zip(pool, own, strict=True))
            count = [
                often[one.first] * (often[one.second] if name == "seed" else 1)
                for one in part.itertuples()
            ]
            drawn = np.sort(np.repeat(part["difference"], count))
            assert draws.at[row, name] == drawn[(len(drawn) - 1) // 2]


def test_a_draw_that_leaves_an_attribute_without_values_is_left_out():
    table = table_of(n=4)
    few = table[(table["attribute"] != "age") | (table["first"] == table["first"].iloc[-1])]
    few = pd.concat([few[few["attribute"] != "age"], table[table["attribute"] == "age"].head(8)])
    draws = variation.resampled(few, n=60, seed=9)["identities"]
    assert 0 < len(draws) < 60 and draws.notna().all().all()


def test_the_bootstrap_of_values_is_as_wide_as_that_of_order_statistics():
    values = rng(8).exponential(size=401)
    one = pd.DataFrame(
        {
            "attribute": pd.Categorical(["age"] * 401),
            "difference": values,
            "first": np.arange(401) % 7,
            "second": np.arange(401) % 7,
        }
    )
    draws = variation.resampled(one, n=3_000, seed=1)["values"]["age"]
    low, high = np.sort(values)[stats.binom.ppf([0.025, 0.975], 401, 0.5).astype(int)]
    assert np.quantile(draws, [0.025, 0.975]) == pytest.approx([low, high], rel=0.05)


def test_intervals_and_their_width():
    table = table_of(n=30)
    names = list(variation.ATTRIBUTES)
    draws = {
        unit: pd.DataFrame(rng(k).normal(0, spread, (2_000, 7)), columns=names)
        for k, (unit, spread) in enumerate((("values", 1), ("identities", np.arange(1, 8))))
    }
    lines = variation.intervals(table, draws, confidence_level=0.9)
    assert lines["median"].is_monotonic_decreasing and len(lines) == 14
    for row in lines.itertuples():
        own = np.sort(draws[row.resampled][row.attribute])
        assert own[99] <= row.low <= own[100] and own[1899] <= row.high <= own[1900]
        assert row.width == row.high - row.low
        assert row.median == np.median(table.loc[table["attribute"] == row.attribute, "difference"])
    wider = variation.widening(lines)
    assert [wider[name] for name in variation.ATTRIBUTES] == pytest.approx(
        list(range(1, 8)), rel=0.1
    )


def test_equivalence_needs_the_whole_interval_within_the_band():
    spread = pd.DataFrame({"lighting": np.linspace(0.8, 1.2, 1_001), "age": 1.0})
    draws = {"values": spread, "identities": spread.assign(age=1.25)}
    found = variation.equivalence(draws, "lighting", "age", margin=(0.8, 1.25))
    assert found.loc["values", ["low", "high"]].tolist() == pytest.approx([0.82, 1.18])
    assert found.loc["identities", ["low", "high"]].tolist() == pytest.approx([0.656, 0.944])
    assert found["equal"].tolist() == [True, False]
    assert not variation.equivalence(draws, "lighting", "age", margin=(0.8, 1.1)).loc[
        "values", "equal"
    ]


# --- claims


def drawn_from(sizes, n=200, spread=0.3):
    """Differences around the given sizes, of twenty identities."""
    about = {"dimension": np.tile(DIMENSIONS, n // 8), "first": np.arange(n) % 20, "second": 0}
    parts = [
        pd.DataFrame(
            {"attribute": name, **about, "difference": size + spread * rng([11, k]).normal(size=n)}
        )
        for k, (name, size) in enumerate(sizes.items())
    ]
    return pd.concat(parts).astype({"attribute": pd.CategoricalDtype(list(variation.ATTRIBUTES))})


AS_PRINTED = {
    "seed": 5.0,
    "race": 3.0,
    "gender": 2.0,
    "age": 1.0,
    "smiling": 1.98,
    "lighting": 1.0,
    "pose": 2.0,
}


def test_claims_hold_in_a_world_as_printed():
    found = variation.claims(drawn_from(AS_PRINTED))
    # lighting is as age on positive words, too, where the appendix finds a difference
    assert [name for name, value in found.items() if value is False] == ["table_b2.others"]
    assert found["lighting-p"] > 0.05 > found["smiling-p"] > found["seed-p"]
    b2 = variation.t_tests(drawn_from(AS_PRINTED))
    assert found["table_b2.positive.pose_gender.t"] == b2.loc[("positive", "pose", "gender"), "t"]
    assert found["table_b2.negative.lighting_age.p"] == b2.loc[("negative", "lighting", "age"), "p"]
    assert found["table_b2.pairs"] == 18
    five = [found[name] for name in found if name.startswith("table_b2.") and name.endswith(".p")]
    assert len(five) == 5 and found["table_b2.not-significant"] == min(five)


OTHERS, LARGER = {"table_b2.others"}, {"smiling-over-age", "abstract-smiling", "discussion-smiling"}
ALIKE = {"lighting-as-age", "abstract-lighting", "discussion-lighting"}


@pytest.mark.parametrize(
    ("change", "broken"),
    [
        ({"pose": 9.0}, {"seed-largest"} | OTHERS),
        ({"race": 9.0}, {"seed-largest", "seed-within"} | OTHERS),
        ({"gender": 9.0}, {"seed-largest", "seed-within"} | OTHERS),
        ({"age": 4.0, "lighting": 4.0}, LARGER | OTHERS),
        ({"lighting": 1.5}, ALIKE),
        ({"lighting": 1.5, "pose": 1.0}, ALIKE | OTHERS),
    ],
)
def test_a_claim_fails_where_what_it_says_is_not_so(change, broken):
    found = variation.claims(drawn_from(AS_PRINTED | change))
    assert {name for name, value in found.items() if value is False} == broken


def test_the_largest_p_of_identity_counts():
    near = variation.claims(drawn_from(AS_PRINTED | {"seed": 3.05}))
    tests = variation.rank_sums(drawn_from(AS_PRINTED | {"seed": 3.05}))
    assert near["seed-p"] == tests.loc[tests["first"] == "seed", "p"].max() > 0.01


def test_counts_are_those_of_the_design():
    table = table_of(n=10)
    found = variation.counts(FACES, table, n=10, min_gap=1.1)
    levels = {"age-levels": 4, "smiling-levels": 4, "lighting-levels": 2, "pose-levels": 2}
    assert found == {
        "seeds": 12,
        "prototypes": 6,
        "races": 3,
        "genders": 2,
        "variations": 12,
        "per-prototype": 13,
        "per-seed": 78,
        "images": 936,
        "draws": 10,
        "dimensions": 8,
        "attributes": 7,
        "values": 80,
        "gap": 1.1,
        **levels,
    }
    assert variation.stacked(FACES) == sum(
        FACES["subset"].isin([name, "prototype"]).sum() for name in LEVELS
    )
    assert variation.counts(FACES.drop(columns="subset"), table, n=10, min_gap=1.1) == {}


def test_every_recorded_claim_is_in_the_ledger():
    table = table_of(n=10)
    names = {
        **variation.claims(drawn_from(AS_PRINTED)),
        **variation.counts(FACES, table, n=10, min_gap=1.1),
    }
    assert {f"variation.{name}" for name in names} < set(
        vb.ledger.table("causalface/variation")["claim"]
    )


# --- retrained networks


def shown_of(networks=3, k=2, seed=5):
    """Prototypes, in another order than by identity, seen by networks of two strengths."""
    faces = FACES[FACES["subset"] == "prototype"].reset_index(drop=True)
    logits = rng(seed).normal(size=(networks, len(faces), k))
    return Shown(pd.DataFrame({"b": np.arange(networks) % 2}), faces, logits, DIMENSIONS[:k])


def test_each_network_has_its_own_medians():
    one = shown_of()
    drawn = {"race": np.array([[0, 5], [1, 2], [3, 9]]), "seed": np.array([[4, 7]])}
    found = variation.medians_by_network(one, drawn)
    for k in range(3):
        for name, both in drawn.items():
            sizes = [
                abs(one.logits[k, i, d] - one.logits[k, j, d]) for i, j in both for d in range(2)
            ]
            assert found.at[k, name] == pytest.approx(np.median(sizes))
    assert found["b"].tolist() == [0, 1, 0]


def test_networks_beyond_those_with_nothing_planted_are_counted():
    numbers = rng(8)
    moved = pd.DataFrame(
        {
            "b": [0.0] * 39 + [0.5] * 6 + [1.0] * 4,
            "race": numbers.exponential(size=49),
            "gender": numbers.exponential(size=49),
        }
    )
    moved.loc[45:, "race"] += 20
    found = variation.beyond_null(moved, ["race", "gender"])
    for (name, b), row in found.iterrows():
        null = moved.loc[moved["b"] == 0, name]
        own = moved.loc[moved["b"] == b, name]
        hits = sum(slow.rank_p(value, null) <= 0.05 for value in own)
        assert (row["hits"], row["n"]) == (hits, len(own))
    assert len(found) == 4 and found.loc[("race", 1.0), "rate"] == 1


def test_signed_gaps_are_differences_within_identities_for_every_pair():
    one = shown_of()
    gaps = variation.signed_gaps(one)
    pairs = [("race", *pair) for pair in combinations("abc", 2)] + [("gender", "f", "m")]
    assert Counter(gaps.cells["column"]) == {"race": 6, "gender": 2} and gaps.values.shape == (
        3,
        12,
        8,
    )
    assert (
        list(
            gaps.cells[["column", "first", "second"]]
            .drop_duplicates()
            .itertuples(index=False, name=None)
        )
        == pairs
    )
    for cell, row in gaps.cells.iterrows():
        k = DIMENSIONS.index(row["dimension"])
        for place, seed in enumerate(sorted(one.images["seed"].unique())):
            own = one.images["seed"] == seed
            shown = [
                one.logits[:, (own & (one.images[row["column"]] == row[end])).to_numpy(), k].mean(
                    axis=1
                )
                for end in ("first", "second")
            ]
            assert np.allclose(gaps.values[:, place, cell], shown[0] - shown[1])
    assert np.allclose(gaps.by_network.to_numpy(), gaps.values.sum(axis=1) / 12)


def test_gaps_stand_beside_the_truth_of_their_groups():
    one = shown_of(networks=4)
    gaps = variation.signed_gaps(one)
    levels = {
        column: pd.DataFrame(
            rng(k).normal(size=(k, 8)), index=list(names), columns=list(DIMENSIONS)[::-1]
        )
        for column, k, names in (("race", 3, "cab"), ("gender", 2, "mf"))
    }
    table = variation.beside_truth(
        gaps, {"one": levels, "other": {name: 3 * own for name, own in levels.items()}}
    )
    assert table["yardstick"].tolist() == ["one"] * 8 + ["other"] * 8
    for place, row in table.iterrows():
        own = levels[row["column"]][row["dimension"]]
        factor = 1 if row["yardstick"] == "one" else 3
        assert row["planted"] == pytest.approx(factor * (own[row["first"]] - own[row["second"]]))
        each = gaps.values[:, :, place % 8].mean(axis=1)
        assert row["mean"] == pytest.approx(each.mean())
        assert (row["low"], row["high"]) == pytest.approx(slow.mean_interval(each))


def test_sign_tests_are_over_the_identities_of_one_network():
    gaps = variation.signed_gaps(shown_of())
    p = variation.sign_tests(gaps)
    assert p.shape == (3, 8)
    for network in range(3):
        for cell in range(8):
            own = gaps.values[network, :, cell]
            t = own.mean() / own.std(ddof=1) * np.sqrt(12)
            assert p[network, cell] == pytest.approx(2 * stats.t.sf(abs(t), 11))


def test_race_and_gender_are_compared_by_the_papers_tests_and_by_identity():
    one = shown_of(networks=2, k=3)
    drawn = variation.pairs(one.images, n=30, seed=4, min_gap=None, attributes=variation.GROUPED_BY)
    found = variation.race_against_gender(one, drawn)
    for network in range(2):
        values = pd.DataFrame(one.logits[network], columns=list(DIMENSIONS[:3]))
        table = variation.differences(one.images, values, drawn)
        race, gender = (table[table["attribute"] == name] for name in variation.GROUPED_BY)
        pairs = [own["difference"].to_numpy().reshape(30, 3).sum(axis=1) for own in (race, gender)]
        means = pd.concat(
            [own.groupby("first")["difference"].mean() for own in (race, gender)], axis=1
        ).dropna()
        expected = [
            stats.mannwhitneyu(race["difference"], gender["difference"]).pvalue,
            stats.ttest_ind(race["difference"], gender["difference"]).pvalue,
            stats.mannwhitneyu(*pairs).pvalue,
            stats.ttest_rel(*means.to_numpy().T).pvalue,
        ]
        assert found.loc[network].tolist() == pytest.approx(expected)
        cases = (len(race), len(race), len(pairs[0]), len(means))
        assert all(str(n) in name for n, name in zip(cases, found, strict=True))
