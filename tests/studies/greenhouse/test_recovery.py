"""Made-up gaps, scores and vectors in which every network, group and axis differs; slow versions
loop over them."""

from itertools import combinations, product

import numpy as np
import pandas as pd
import pytest
from scipy import stats

from greenhouse.retrained import Scores, Vectors
from greenhouse.world import grammar as grammars
from greenhouse.world import grid, truth
from studies.greenhouse import recovery

SPOKEN = grammars.load()
BIAS = SPOKEN.bias
GROUPS = {"hue": grid.HUES, "crest": grid.CRESTS}
AXES = ("warmth", "competence", "we")


def people(n=12):
    """The same faces in all eight groups, with attributes as captions know them."""
    one_each = truth.population(n, first_seed=20_400_000, seed=7)
    return pd.concat(
        [one_each.assign(race=hue, gender=crest) for hue in grid.HUES for crest in grid.CRESTS],
        ignore_index=True,
    )


PEOPLE = people()


def level(seed, axis, group, what):
    return np.random.default_rng([seed, AXES.index(axis), sum(map(ord, group)), len(what)]).normal()


def gaps(seeds=(3, 5, 8), b=1.0):
    rows = []
    for seed, axis, groups in product(seeds, AXES, GROUPS.values()):
        for first, second in combinations(sorted(groups), 2):
            values = {
                what: level(seed if what == "measured" else 0, axis, first, what)
                - level(seed if what == "measured" else 0, axis, second, what)
                for what in ("measured", "counted", "per_face")
            }
            rows.append(
                {
                    "kind": "made up",
                    "b": b,
                    "seed": seed,
                    "first": first,
                    "second": second,
                    "axis": axis,
                    **values,
                }
            )
    return pd.DataFrame(rows)


# --- what was planted


def test_the_bias_table_is_shown_entry_by_entry():
    table = recovery.bias_entries(BIAS)
    assert list(table.index) == list(recovery.AXES)
    assert (
        table.columns.unique(0).tolist()[:2] == ["hue", "crest"]
        and table.columns.unique(0)[-1] == "legitimate"
    )
    cells = 0
    for axis in recovery.AXES:
        entry, row = BIAS.axes[axis], table.loc[axis]
        own = {
            ("legitimate", name): value
            for name, value in entry["legitimate"].items()
            if name != "category"
        }
        own |= {
            ("hue", name): value for name, value in entry.get("planted", {}).get("race", {}).items()
        }
        own |= {
            ("crest", name): value
            for name, value in entry.get("planted", {}).get("gender", {}).items()
        }
        for each in entry.get("interactions", ()):
            who = "only " + " ".join(each["who"].values())
            own |= {(who, name): value for name, value in each.items() if name != "who"}
        assert row.dropna().to_dict() == own
        cells += len(own)
    assert cells == int(table.notna().sum().sum())


def test_both_truths_are_those_of_the_world_and_part_by_half_the_difference_of_variances():
    table = recovery.both_truths(SPOKEN, PEOPLE, 0.7, axes=["warmth", "pleasant"])
    table = table.set_index(["first", "second", "axis"])
    single = truth.per_face(SPOKEN, PEOPLE, 0.7, axes=["warmth", "pleasant"])
    for (first, second, axis), row in table.iterrows():
        column = "race" if first in grid.HUES else "gender"
        ours = [single.loc[PEOPLE[column] == name, axis].mean() for name in (first, second)]
        count = truth.counted(SPOKEN, PEOPLE, column, 0.7, axes=["warmth", "pleasant"])[axis]
        assert row["per_face"] == pytest.approx(ours[0] - ours[1])
        assert row["counted"] == pytest.approx(count[first] - count[second])
        assert row["apart"] == pytest.approx(row["per_face"] - row["counted"])
        assert row["attribute"] == ("hue" if column == "race" else "crest")
    assert len(table) == 7 * 2
    slot, first, second = "communion", *grid.HUES[:2]
    words = SPOKEN.words(slot)
    odds = (
        SPOKEN.log_probabilities(slot, PEOPLE, 0.7)
        + np.log(SPOKEN.group_shares(PEOPLE)[slot])[:, None]
    )
    half = {
        hue: np.mean(
            [
                odds[(PEOPLE["race"] == hue).to_numpy(), words.index(word)].var() / 2
                for word in SPOKEN.slots[slot]["warmth"]
            ]
        )
        for hue in (first, second)
    }
    pair = tuple(sorted((first, second)))
    assert table.loc[(*pair, "warmth"), "spread"] == pytest.approx(half[pair[1]] - half[pair[0]])
    assert np.corrcoef(table["apart"], table["spread"])[0, 1] > 0.9


# --- gaps between groups


def test_departures_are_from_the_mean_of_all_groups_of_a_kind():
    found = recovery.departures(gaps()).set_index(["seed", "axis", "group"])
    for seed, axis, groups in product((3, 5, 8), AXES, GROUPS.values()):
        for what in ("measured", "counted", "per_face"):
            own = {
                group: level(seed if what == "measured" else 0, axis, group, what)
                for group in groups
            }
            for group in groups:
                assert found.loc[(seed, axis, group), what] == pytest.approx(
                    own[group] - np.mean(list(own.values()))
                )
    assert len(found) == 3 * 3 * 6 and set(found.xs("we", level="axis").loc[3, "attribute"]) == {
        "hue",
        "crest",
    }


def test_slopes_over_departures_are_slopes_over_all_pairs_through_zero():
    table = gaps()
    found = recovery.slopes(recovery.departures(table), ["attribute", "axis"])
    found = found.set_index(["attribute", "axis", "seed", "truth"])
    for (seed, axis), own in table.groupby(["seed", "axis"]):
        for attribute, groups in GROUPS.items():
            part = own[own["first"].isin(groups)]
            for name in recovery.TRUTHS:
                slope = np.linalg.lstsq(part[[name]], part["measured"], rcond=None)[0][0]
                assert found.loc[(attribute, axis, seed, name), "slope"] == pytest.approx(slope)
    assert len(found) == 2 * 3 * 3 * 2
    tiny = table.assign(counted=table["counted"] * 1e-4)
    assert set(recovery.slopes(recovery.departures(tiny), ["axis"])["truth"]) == {"per_face"}


def test_what_holds_over_networks_is_a_summary_of_one_value_each():
    table = recovery.slopes(recovery.departures(gaps()), ["attribute"])
    summary = recovery.over_networks(table, ["attribute", "truth"], "slope")
    own = table.query("attribute == 'crest' and truth == 'counted'")["slope"]
    assert (
        summary.loc[("crest", "counted"), "mean"] == pytest.approx(own.mean())
        and summary["n"].eq(3).all()
    )
    alone = recovery.over_networks(table.query("truth == 'counted'"), ["attribute"], "slope")
    assert alone.loc["crest", "mean"] == pytest.approx(own.mean()), "one column gives plain keys"


# --- where nothing was planted


def test_all_pairs_are_the_gaps_that_were_measured():
    table = gaps()
    found = recovery.all_pairs(recovery.levels(recovery.departures(table)))
    assert found.shape == (3, 3 * 7)
    for row, seed in zip(found, (3, 5, 8), strict=True):
        sizes = np.sort(table.loc[table["seed"] == seed, "measured"].abs())
        assert np.allclose(np.sort(np.abs(row)), sizes)


def test_names_are_exchanged_within_a_network_alike_on_all_axes():
    levels = recovery.levels(recovery.departures(gaps()))
    orders, rng = set(), np.random.default_rng(1)
    for _ in range(40):
        mixed = recovery.exchanged(levels, rng=rng)
        for attribute, values in levels.items():
            for network in range(3):
                new = mixed[attribute][network, 0]
                order = [int(np.flatnonzero(np.isclose(values[network, 0], one))[0]) for one in new]
                assert np.allclose(mixed[attribute][network], values[network][:, order])
                orders.add((attribute, network, tuple(order)))
    assert len({order for kind, network, order in orders if kind == "crest" and network == 0}) == 2
    assert len({order for kind, network, order in orders if kind == "hue" and network == 2}) > 12


def test_rejections_are_those_of_t_tests_over_subsets():
    rng = np.random.default_rng(2)
    values = rng.normal(size=(9, 30)) + np.linspace(-1.5, 1.5, 30)
    chosen = rng.permuted(np.tile(np.arange(9) < 6, (5, 1)), axis=1)
    p = np.array([stats.ttest_1samp(values[subset], 0).pvalue for subset in chosen])
    rate, holm = recovery.rejections(values, chosen, alpha=0.05)
    assert rate == pytest.approx((p < 0.05).mean()) and 0 < rate < 1
    assert holm == pytest.approx((p.min(axis=1) < 0.05 / 30).mean())


def lean(shared, networks=24, axes=10, seed=0):
    """Networks with gaps of their own, and one that they all share."""
    rng = np.random.default_rng(seed)
    return {
        name: rng.normal(size=(networks, axes, len(groups)))
        + shared * rng.normal(size=(axes, len(groups)))
        for name, groups in GROUPS.items()
    }


def test_exchangeable_networks_alarm_at_the_level_and_a_shared_lean_does_not():
    silent = recovery.false_positive_rates(lean(0.0), [8, 24], seed=3, n_draws=120)
    assert silent["n"].tolist() == [8, 24]
    assert ((silent["low"] <= silent["rate"]) & (silent["rate"] <= silent["high"])).all()
    assert (
        np.allclose(silent["expected"], 0.05, atol=0.02) and silent["holm_expected"].lt(0.12).all()
    )
    leaning = recovery.false_positive_rates(lean(1.0), [24], seed=3, n_draws=60).iloc[0]
    assert leaning["rate"] > 2 * leaning["high"] and leaning["holm"] == 1.0
    assert leaning["expected"] == pytest.approx(0.05, abs=0.025)
    with pytest.raises(ValueError, match="subsets of 25 networks; from 2 to 24"):
        recovery.false_positive_rates(lean(0.0), [25], seed=0)


def test_networks_with_a_shared_lean_are_alike():
    own = lean(0.0, networks=6)
    found = recovery.likeness(own, seed=2, n_draws=80)
    flat = [np.concatenate([own[name][k].ravel() for name in own]) for k in range(6)]
    assert found["r"] == pytest.approx(
        np.mean([np.corrcoef(one, other)[0, 1] for one, other in combinations(flat, 2)])
    )
    assert found["low"] <= found["r"] <= found["high"]
    leaning = recovery.likeness(lean(1.0, networks=6), seed=2, n_draws=80)
    assert leaning["r"] > 2 * leaning["high"] > 0


def test_null_tests_are_one_per_pair_and_axis():
    table = gaps(b=0.0)
    found = recovery.null_tests(table).set_index(["first", "second", "axis"])
    assert len(found) == 7 * 3
    for key, own in table.groupby(["first", "second", "axis"]):
        assert found.loc[key, "mean"] == pytest.approx(own["measured"].mean())
        assert found.loc[key, "p"] == pytest.approx(stats.ttest_1samp(own["measured"], 0).pvalue)
    pairs = recovery.by_pair(found.reset_index(), alpha=0.4).set_index(["first", "second"])
    own = found.sort_index().loc[("budded", "eared")]
    slow = {
        "axes": 3,
        "mean": own["mean"].abs().mean(),
        "sd": own["sd"].mean(),
        "one_sign": own["one_sign"].max(),
        "significant": (own["p"] < 0.4).sum(),
        "holm": (own["p_holm"] < 0.4).sum(),
    }
    assert pairs.loc[("budded", "eared")].to_dict() == pytest.approx(slow)


# --- where two things meet


def readings(effects, faces=PEOPLE, networks=1, noise=0.0):
    """Readings on one axis: the sum of effects {feature: effect}, each for a hue or None and a
    crest or None."""
    value = np.zeros(len(faces))
    for (hue, crest), own in effects:
        here = (faces["race"].eq(hue) if hue else True) & (
            faces["gender"].eq(crest) if crest else True
        )
        for name, effect in own.items():
            value += (
                effect * np.asarray(here & pd.Series(True, faces.index)) * BIAS.feature(name, faces)
            )
    rng = np.random.default_rng(5)
    return (value + noise * rng.normal(size=(networks, len(faces))))[:, :, None]


HUE, CREST = BIAS.outlier["race"], BIAS.outlier["gender"]
OTHER = next(hue for hue in grid.HUES if hue != HUE)
OTHER_CREST = next(crest for crest in grid.CRESTS if crest != CREST)


def contrast(effects, test="three-way"):
    table = recovery.contrasts(readings(effects), PEOPLE, BIAS, ["any"])
    return table[table["test"] == test].set_index("feature")["value"]


def test_the_three_way_contrast_is_what_was_planted_for_one_group():
    found = contrast([((HUE, CREST), {"prime": -0.4, "smiling": 0.3, "constant": 0.2})])
    assert found.to_dict() == pytest.approx(
        {"constant": 0.2, "prime": -0.4, "age": 0.0, "smiling": 0.3}
    )
    elsewhere = contrast([((OTHER, CREST), {"prime": 0.6})])
    assert elsewhere["prime"] == pytest.approx(-0.6 / (len(grid.HUES) - 1))


@pytest.mark.parametrize(
    "who", [(HUE, None), (OTHER, None), (None, CREST), (None, OTHER_CREST), (None, None)]
)
def test_two_way_effects_cancel_and_a_comparison_with_all_others_keeps_them(who):
    own = [
        ((HUE, None), {"constant": 0.7}),
        (who, {"age": 0.5, "smiling": -0.4}),
        ((None, CREST), {"prime": 1.1}),
    ]
    assert np.allclose(contrast(own), 0, atol=1e-9)
    if who != (None, None):
        assert abs(contrast(own, "one against all")["age"]) > 0.05


def test_courses_are_least_squares_within_each_group():
    values = readings([((HUE, None), {"age": 1.0})], networks=2, noise=1.0)
    found = recovery.slopes_within(values, PEOPLE, BIAS)
    for (i, hue), (j, crest), network in product(
        enumerate(grid.HUES), enumerate(grid.CRESTS), range(2)
    ):
        own = PEOPLE[(PEOPLE["race"] == hue) & (PEOPLE["gender"] == crest)]
        design = np.column_stack([BIAS.feature(name, own) for name in recovery.FEATURES])
        slow = np.linalg.lstsq(design, values[network, own.index, 0], rcond=None)[0]
        assert np.allclose(found[network, i, j, :, 0], slow)


def test_the_contrast_of_planted_weights_is_the_entry_of_the_bias_table():
    table = recovery.planted_contrasts(SPOKEN, PEOPLE, 0.5)
    three = table[table["test"] == "three-way"].set_index(["axis", "feature"])["weights"]
    for axis in recovery.DIMENSIONS:
        entries = [
            each for each in BIAS.axes[axis].get("interactions", ()) if len(each["who"]) == 2
        ]
        for feature in recovery.FEATURES:
            planted = sum(each.get(feature, 0.0) for each in entries)
            assert three[axis, feature] == pytest.approx(0.5 * planted, abs=1e-9)
    odds = truth.per_face(SPOKEN, PEOPLE, 0.5, axes=["warmth"]).to_numpy()
    slow = recovery.contrasts(odds[None], PEOPLE, BIAS, ["warmth"]).query("test == 'three-way'")
    slow = slow.set_index("feature")["value"]
    ours = table.query("test == 'three-way' and axis == 'warmth'").set_index("feature")["per_face"]
    assert ours.to_dict() == pytest.approx(slow.to_dict())


def test_every_kind_of_interaction_has_an_axis_and_features():
    kind, carried = recovery.kinds(BIAS), recovery.carried(BIAS)
    assert {axis for axis, name in kind.items() if name == "nothing planted"} == set(BIAS.unplanted)
    for axis, name in kind.items():
        who = [each["who"] for each in BIAS.axes[axis].get("interactions", ())]
        assert (name == "three-way") == any(len(one) == 2 for one in who)
        if name.startswith(("hue", "crest")):
            role, feature = name.split(" × ")
            assert carried[axis] == (feature,) and list(who[0]) == [
                {"hue": "race", "crest": "gender"}[role]
            ]
    assert carried[BIAS.unplanted[0]] == recovery.FEATURES


def made_contrasts(effect, n_null=39, n=6, seed=4):
    """One axis with an effect at b = 1 and one without: contrasts of networks at two strengths."""
    rng, rows = np.random.default_rng(seed), []
    for network, b in enumerate([0.0] * n_null + [1.0] * n):
        for axis, feature in product(("planted", "silent"), recovery.FEATURES):
            value = 0.1 * rng.normal() + (
                effect * b if (axis, feature) == ("planted", "prime") else 0
            )
            rows.append(
                {
                    "test": "three-way",
                    "axis": axis,
                    "feature": feature,
                    "network": network,
                    "b": b,
                    "value": value,
                }
            )
    return pd.DataFrame(rows)


def test_single_networks_are_ranked_among_those_with_nothing_planted():
    table = recovery.sizes(
        recovery.only(made_contrasts(3.0), {"planted": ("prime",), "silent": recovery.FEATURES})
    )
    first = table.query("axis == 'silent' and network == 40")["size"].item()
    values = made_contrasts(3.0).query("axis == 'silent' and network == 40")["value"]
    assert first == pytest.approx(np.sqrt(np.mean(values**2)))
    found = recovery.beyond_null(table, alpha=0.05).set_index(["axis", "b"])
    assert found.loc[("planted", 1.0), ["n", "hits"]].tolist() == [6, 6]
    for axis in ("planted", "silent"):
        own = table[table["axis"] == axis].set_index("network")["size"]
        null = own[:39]
        slow = sum((1 + (null.drop(k) >= null[k]).sum()) / 39 <= 0.05 for k in null.index)
        assert found.loc[(axis, 0.0), "hits"] == slow and found.loc[(axis, 0.0), "n"] == 39
        beyond = sum((1 + (null >= own[k]).sum()) / 40 <= 0.05 for k in range(39, 45))
        assert found.loc[(axis, 1.0), "hits"] == beyond


def test_what_goes_along_with_other_readings_within_groups_is_taken_out():
    rng, faces = (
        np.random.default_rng(2),
        PEOPLE.groupby(["race", "gender"]).head(9).reset_index(drop=True),
    )
    group = (faces["race"] + faces["gender"]).to_numpy()
    lean = pd.Series(dict(zip(sorted(set(group)), rng.normal(size=8), strict=True)))[
        group
    ].to_numpy()
    a, b = rng.normal(size=(2, 3, len(faces))) + lean
    spilled = 0.5 * a - 0.2 * b
    alone = spilled + 0.3 * rng.normal(size=a.shape)
    values = np.stack([a, spilled, b, alone], axis=2)
    found = recovery.without(values, faces, ["a", "spilled", "b", "alone"], ["spilled", "alone"])
    assert np.allclose(found[:, :, [0, 2]], values[:, :, [0, 2]]) and np.allclose(found[:, :, 1], 0)
    for network in range(3):
        X = np.column_stack([a[network], b[network], pd.get_dummies(group).to_numpy(float)])
        slopes = np.linalg.lstsq(X, alone[network], rcond=None)[0][:2]
        assert np.allclose(found[network, :, 3], alone[network] - X[:, :2] @ slopes)


def test_contrasts_are_tested_with_networks_as_cases():
    table = made_contrasts(0.4)
    found = recovery.over_cases(
        table, {"planted": "three-way", "silent": "nothing planted"}
    ).set_index(["kind", "b"])
    for (axis, name), b in product(
        (("planted", "three-way"), ("silent", "nothing planted")), (0.0, 1.0)
    ):
        own = table[(table["axis"] == axis) & (table["b"] == b)]
        p = np.array(
            [stats.ttest_1samp(one["value"], 0).pvalue for _, one in own.groupby("feature")]
        )
        row = found.loc[(name, b)]
        assert (row["n"], row["hits"], row["answers"]) == (4, (p < 0.05).sum(), p.min() < 0.05 / 4)
    assert (
        found.loc[("three-way", 1.0), "answers"]
        and not found.loc[("nothing planted", 1.0), "answers"]
    )


def test_what_is_recovered_is_a_share_of_the_planted_direction():
    strengths = {b: recovery.planted_contrasts(SPOKEN, PEOPLE, b) for b in (0.0, 0.5, 1.0)}
    kind = recovery.kinds(BIAS)
    axes = [axis for axis in kind if kind[axis] == "three-way"]
    parts = [
        strengths[b].assign(value=share * strengths[b]["per_face"], b=b, network=k)
        for k, (b, share) in enumerate([(0.0, 1.0), (0.5, 0.8), (1.0, 0.6)])
    ]
    found = recovery.recovered(pd.concat(parts), strengths, axes).set_index("b")
    assert found.loc[0.5, "share"] == pytest.approx(0.8) and found.loc[
        1.0, "share"
    ] == pytest.approx(0.6)
    assert np.isnan(found.loc[0.0, "share"]) and found.loc[0.0, "size"] == pytest.approx(
        0, abs=1e-9
    )
    own = strengths[1.0].query("test == 'three-way' and axis in @axes")["per_face"]
    assert found.loc[1.0, "planted"] == pytest.approx(np.sqrt((own**2).sum()))
    assert found.loc[1.0, "size"] == pytest.approx(0.6 * found.loc[1.0, "planted"])


def test_logits_are_those_of_the_chosen_networks():
    columns = ("warmth", "neutral", "competence")
    values = np.random.default_rng(6).normal(size=(3, 5, 3)).astype(np.float32)
    scores = Scores(
        pd.DataFrame({"logit_scale": [2.0, 3.0, 4.0]}),
        pd.DataFrame(index=range(5)),
        values,
        columns,
    )
    found = recovery.logits(scores, [True, False, True], ["competence", "warmth"])
    for i, network in enumerate((0, 2)):
        for k, column in enumerate((2, 0)):
            assert np.allclose(
                found[i, :, k], (network + 2) * (values[network, :, column] - values[network, :, 1])
            )


# --- gates


def knowing(networks=3, seed=0):
    """Networks whose readings are what drives each axis, plus noise: one basis vector per slot and
    word."""
    rng = np.random.default_rng(seed)
    faces = PEOPLE.groupby(["race", "gender"]).head(8).reset_index(drop=True).assign(kind="face")
    every = [*recovery.AXES, *filter(None, truth.CONTRASTS.values())]
    words = pd.DataFrame(
        [
            {"slot": SPOKEN.slot_of(axis), "axes": axis, "word": f"{axis} {k}"}
            for axis in every
            for k in range(3)
        ]
        + [{"slot": "neutral", "axes": "neutral", "word": ""}]
    )
    driven = truth.per_face(SPOKEN, faces, 0.0, axes=recovery.AXES).to_numpy()
    d = len(every) + 1
    images = np.zeros((networks, len(faces) + 1, d))
    images[:, :-1, : len(recovery.AXES)] = driven + 0.05 * rng.normal(
        size=(networks, *driven.shape)
    )
    said = np.zeros((networks, len(words), d))
    for row, axis in enumerate(words["axes"]):
        said[:, row, [*every, "neutral"].index(axis)] = 1.0
    pictures = pd.concat([faces, pd.DataFrame({"kind": ["icon"]})], ignore_index=True)
    return Vectors(
        pd.DataFrame({"logit_scale": 2.0 + np.arange(networks)}), pictures, words, images, said
    )


def test_gates_on_words_are_correlations_within_groups():
    seen = knowing()
    found = recovery.trait_gates(seen, SPOKEN)
    faces = seen.images.iloc[:-1].astype({"seed": int})
    driven = truth.per_face(SPOKEN, faces, 0.0, axes=recovery.AXES)
    cell = [faces["race"], faces["gender"]]
    for network in range(3):
        shown = pd.DataFrame(
            seen.image_vectors[network, :-1, : len(recovery.AXES)], columns=recovery.AXES
        )
        x, y = (table - table.groupby(cell).transform("mean") for table in (driven, shown))
        r = x.corrwith(y)
        own = found.iloc[network]
        assert own["traits_r"] == pytest.approx(r[list(recovery.DIMENSIONS)].mean())
        assert own["weakest_trait_r"] == pytest.approx(r[list(recovery.DIMENSIONS)].min())
        assert own["weakest_phrase_r"] == pytest.approx(r.drop(list(recovery.DIMENSIONS)).min())
        slope = [
            np.polyfit(x[axis], y[axis], 1)[0]
            for axis in r.index
            if axis not in recovery.DIMENSIONS
        ]
        scale = seen.networks["logit_scale"].iloc[network]
        assert own["weakest_phrase_slope"] == pytest.approx(scale * min(slope))
        assert own["phrases_r"] == pytest.approx(r.drop(list(recovery.DIMENSIONS)).mean())
    assert found["weakest_trait_r"].min() > 0.9


def test_attacked_words_fail_and_other_words_stay():
    seen = knowing()
    before = seen.word_vectors.copy()
    shuffled, same, valence = (
        recovery.trait_gates(seen, SPOKEN, attack=attack, seed=1) for attack in recovery.ATTACKS
    )
    assert (shuffled["traits_r"] < 0.6).all() and (same["phrases_r"].abs() < 1e-6).all()
    own = recovery.trait_gates(seen, SPOKEN, seed=1)
    pd.testing.assert_series_equal(valence["traits_r"], own["traits_r"])
    assert (valence["weakest_phrase_slope"].abs() < 0.5 * own["weakest_phrase_slope"]).all()
    assert shuffled["traits_r"].nunique() == 3, (
        "every network's words are shuffled in their own way"
    )
    assert np.array_equal(before, seen.word_vectors)
    assert not recovery.trait_gates(seen, SPOKEN, attack="shuffled", seed=2).equals(shuffled)
    with pytest.raises(
        ValueError,
        match="attack='lost'; there are shuffled, all the same, valence shuffled, and None",
    ):
        recovery.trait_gates(seen, SPOKEN, attack="lost")
