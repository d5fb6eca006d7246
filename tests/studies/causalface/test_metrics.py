"""Six metrics, image by image and text by text on made-up faces in which everything differs."""

import itertools

import numpy as np
import pandas as pd
import pytest
import worlds
from measures import oracles

import vlmbias as vb
from studies import roles
from studies.causalface import metrics
from vlmbias.papers import CAUSALFACE

CALLED = {"white": "teal", "asian": "violet", "black": "amber", "male": "eared", "female": "budded"}
WHO = roles.named(CAUSALFACE, CALLED)
DIMENSIONS = list(CAUSALFACE.dimensions)
POSITIVE = {"warmth", "competence", "positive_agency", "progressive_belief", "positive_communion"}


def table_of(seeds=5, **columns):
    return worlds.faces(seeds, WHO.groups, rng=np.random.default_rng(7)).assign(**columns)


def pair(table, seed=0):
    """One set under dimensions' words (two each, three for warmth) and under groups' names."""
    texts = {name: 2 + (name == "warmth") for name in DIMENSIONS}
    names = {"group": list(CALLED.values())}
    return tuple(
        worlds.seen(table, words, rng=np.random.default_rng([seed, k]))
        for k, words in enumerate((texts, names))
    )


def look_at(table=None, seed=0):
    return metrics.looked(*pair(table_of() if table is None else table, seed), WHO)


# --- what is looked at


def test_each_image_is_set_beside_the_name_of_its_own_group():
    table = table_of()
    seen, named = pair(table)
    one = metrics.looked(seen, named, WHO)
    assert len(one) == len(table)
    for axis in ("race", "gender"):
        own = [named.word(called)[k] for k, called in enumerate(table[axis])]
        assert one.own[axis].tolist() == own
        assert one.group[axis].tolist() == table[axis].tolist()
    assert one.cluster.tolist() == table["seed"].tolist()
    assert np.array_equal(one.neutral, named.neutral())
    assert not np.array_equal(one.neutral, seen.neutral())
    assert list(one.dimension[:4]) == ["warmth"] * 3 + ["competence"]
    assert np.array_equal(one.words, seen.cosines[:, :17])
    assert one.raw.equals(seen.raw())


def test_of_a_generated_set_the_series_over_age_is_used_with_its_prototypes():
    table = table_of(subset="age")
    table.loc[::4, "subset"], table.loc[1::4, "subset"] = "prototype", "smiling"
    one, kept = look_at(table), np.flatnonzero(table["subset"] != "smiling")
    assert one.seen.table["seed"].tolist() == table["seed"][kept].tolist()
    assert 0 < len(kept) < len(table)
    assert np.array_equal(one.words, pair(table)[0].cosines[kept, :17])
    assert len(look_at(table.assign(subset="observational"))) == len(table)


def test_a_group_that_the_paper_does_not_compare_is_an_error():
    with pytest.raises(
        ValueError, match="race 'lime' is not among teal, violet, amber; give the set"
    ):
        look_at(table_of().replace({"race": {"amber": "lime"}}))


# --- who is in a list


def crowd():
    """Unequal groups, of whom some are children, and others whom the paper leaves out."""
    rng = np.random.default_rng(3)
    hues = rng.choice(["teal", "violet", "amber", "lime"], 900, p=[0.4, 0.3, 0.1, 0.2])
    crests = np.where(rng.random(900) < 0.6, "eared", "budded")
    years = np.where(rng.random(900) < np.where(hues == "teal", 0.5, 0.1), 10.0, 30.0)
    years[:3] = 20.0, 19.9, 20.0
    return pd.DataFrame({"race": hues, "gender": crests, "years": years})


def test_lists_are_all_or_equal_or_within_quotas():
    faces = crowd()
    three = faces["race"] != "lime"
    used = np.flatnonzero(three & (faces["years"] >= 20))
    assert metrics.sample(faces, "all", WHO, seed=0).tolist() == list(range(len(used)))

    cells = faces["race"] + faces["gender"]
    equal = used[metrics.sample(faces, "equal", WHO, seed=0)]
    assert set(cells[equal].value_counts()) == {cells[used].value_counts().min()}
    assert len(cells[equal].unique()) == 6

    # the quota is of all of the three races, and drawn before children are left out
    ages = faces.drop(columns="years")
    drawn = np.flatnonzero(three)[metrics.sample(ages, "quota", WHO, seed=0)]
    whole, quota = cells[three].value_counts(), three.sum() // 6
    assert whole.min() < quota < whole.max()
    assert cells[drawn].value_counts().to_dict() == whole.clip(upper=quota).to_dict()
    kept = used[metrics.sample(faces, "quota", WHO, seed=0)]
    assert kept.tolist() == [row for row in drawn if faces["years"][row] >= 20]
    for rule in ("equal", "quota"):
        rows = metrics.sample(faces, rule, WHO, seed=0)
        assert rows.tolist() == sorted(set(rows))
        assert rows.tolist() != metrics.sample(faces, rule, WHO, seed=1).tolist()
        assert rows.tolist() == metrics.sample(faces, rule, WHO, seed=0).tolist()


def test_equal_groups_stay_whole_under_every_rule_and_an_unknown_rule_is_an_error():
    for rule in metrics.RULES:
        assert metrics.sample(table_of(), rule, WHO, seed=0).tolist() == list(range(30))
    with pytest.raises(ValueError, match="rule='rarest'; there are all, equal, quota"):
        metrics.sample(table_of(), "rarest", WHO, seed=0)


# --- Table S.1


def slow_table(one, rows, lists, pairs, k):
    """Table S.1 image by image, rank by rank, text by text."""
    found = {}
    for axis, levels in CAUSALFACE.groups.items():
        group = np.asarray(one.group[axis])
        mine = {level: [r for r in rows if group[r] == CALLED[level]] for level in levels}
        for level in levels:
            hits = sum(one.neutral[r] > one.own[axis][r] for r in mine[level])
            found["markedness", level] = 100 * hits / len(mine[level])
            found["cosine", level] = 100 * np.mean(
                [one.raw.loc[r, sorted(POSITIVE)].mean() for r in mine[level]]
            )
        compared = [pair for pair in metrics.PAIRS if pair[0] in levels]
        for first, second in compared:
            by_dimension = {}
            for text, dimension in enumerate(one.dimension):
                a, b = (
                    [one.words[r, text] for r in pairs if group[r] == CALLED[level]]
                    for level in (first, second)
                )
                d = (np.mean(a) - np.mean(b)) / np.std([*a, *b], ddof=1)
                by_dimension.setdefault(dimension, []).append(d)
            found["sc_weat", f"{first}_{second}"] = np.mean(
                [np.mean(own) for own in by_dimension.values()]
            )
        uniform = {CALLED[level]: 1 / len(levels) for level in levels}
        skews, widest, ndkls = {level: [] for level in levels}, [], []
        for dimension in DIMENSIONS:
            order = sorted(lists, key=lambda r: -one.raw.loc[r, dimension])
            ranked = group[order].tolist()
            top = {level: ranked[:k].count(CALLED[level]) or 0.5 for level in levels}
            own = {level: np.log(top[level] / k * len(levels)) for level in levels}
            for level in levels:
                skews[level].append(own[level])
            widest.append(max(own.values()))
            ndkls.append(oracles.ndkl(range(0, -len(ranked), -1), ranked, uniform))
        found |= {("skew", level): np.mean(own) for level, own in skews.items()}
        found |= {("maxskew", axis): np.mean(widest), ("ndkl", axis): np.mean(ndkls)}
    return found


@pytest.mark.parametrize("drawn", [False, True])
def test_table_s1_is_the_slow_one(drawn):
    """And where an image that is drawn twice counts twice."""
    one, rng = look_at(), np.random.default_rng(5)
    lists, pairs = (np.sort(rng.choice(30, size, replace=False)) for size in (22, 26))
    times = rng.integers(0, 3, 30) if drawn else np.ones(30, int)
    choice = {"lists": lists, "pairs": pairs, "k": 3, "times": times if drawn else None}
    found = metrics.table_s1(one, WHO, **choice)
    slow = slow_table(one, *(np.repeat(own, times[own]) for own in (range(30), lists, pairs)), 3)
    assert set(found.index) == set(slow)
    assert len(slow) == 5 + 5 + 4 + 5 + 2 + 2
    for entry, value in slow.items():
        assert found[entry] == pytest.approx(value), entry
    zero = metrics.table_s1(one, WHO, **choice, unmatched="gender")
    changed = found[~np.isclose(found, zero)]
    assert set(changed.index) <= {("markedness", "male"), ("markedness", "female")}
    assert len(changed)
    assert zero["markedness"][["male", "female"]].eq(0).all()


# --- claims


def as_printed():
    """Values by which every statement of the paper holds."""
    rows = {
        ("markedness", "white"): [51, 54, 50.5],
        ("cosine", "white"): [23.5, 23, 22],
        ("skew", "white"): [-0.6, 0, 0.1],
    }
    rows |= {("markedness", group): [1, 4, 3] for group in ("black", "asian", "male", "female")}
    rows |= {("cosine", "black"): [23.2, 22.6, 21.9], ("cosine", "asian"): [24, 23.4, 22.7]}
    rows |= {("skew", "black"): [-1, -1.4, -0.5], ("skew", "asian"): [0.7, 0.5, -0.2]}
    rows |= {("sc_weat", "male_female"): [-0.11, -0.08, -0.36]}
    rows |= {("maxskew", "gender"): [0.1, 0.1, 0.2], ("maxskew", "race"): [0.7, 0.6, 0.3]}
    rows |= {("ndkl", "gender"): [0.01, 0, 0.02], ("ndkl", "race"): [0.17, 0.1, 0.04]}
    return pd.DataFrame(rows, index=["CausalFace", "FairFace", "UTKFace"], dtype=float).T


BREAKS = [
    ("ndkl-nonnegative", ("ndkl", "gender"), "FairFace", -0.01),
    ("race-over-gender", ("ndkl", "race"), "UTKFace", 0.01),
    ("race-over-gender", ("maxskew", "race"), "CausalFace", 0.1),
    ("white-marked", ("markedness", "male"), "UTKFace", 50.6),
    ("black-asian-marked", ("markedness", "asian"), "FairFace", 50.0),
    ("white-default", ("markedness", "black"), "FairFace", 54.0),
    ("white-preferred", ("markedness", "white"), "UTKFace", 50.0),
    ("white-middle", ("markedness", "white"), "CausalFace", 55.0),
    ("cosine-order", ("cosine", "black"), "FairFace", 23.1),
    ("cosine-order", ("cosine", "asian"), "UTKFace", 21.95),
    ("sc_weat.utkface-lower", ("sc_weat", "male_female"), "FairFace", -0.4),
    ("skew-asian", ("skew", "asian"), "FairFace", -0.1),
    ("skew-black", ("skew", "black"), "UTKFace", 0.1),
    ("skew-white-causalface", ("skew", "white"), "CausalFace", 0.1),
]


# --- laws between the printed numbers


def lawful():
    """Three columns in which every law holds exactly: cosines 20 to 24, shares .5 .3 .2 and .6 .4,
    d that add up."""
    people = [level for levels in CAUSALFACE.groups.values() for level in levels]
    pairs = ["_".join(pair) for pair in metrics.PAIRS]
    own = {
        # 1001, 30 and 5 images of 2,000; 87 and 198 of 3,000
        "markedness": dict(zip(people, [50.05, 1.5, 0.25, 2.9, 6.6], strict=True)),
        "cosine": dict(zip(people, [20.0, 24.0, 22.0, 21.5, 22.5], strict=True)),
        "sc_weat": dict(zip(pairs, [0.3, 0.7, 0.4, -0.1], strict=True)),
        "skew": dict(
            zip(people, np.log([3 * 0.5, 3 * 0.3, 3 * 0.2, 2 * 0.6, 2 * 0.4]), strict=True)
        ),
    }
    column = pd.Series({(metric, one): v for metric, row in own.items() for one, v in row.items()})
    return pd.DataFrame({name: column for name in ("CausalFace", "FairFace", "UTKFace")})


def broken(values):
    found = metrics.laws(values).query("not holds")
    return set(zip(found["law"], found["set"], strict=True))


def test_lawful_numbers_break_no_law_and_each_law_is_broken_alone():
    assert broken(lawful()) == set()
    assert len(metrics.laws(lawful())) == 3 * 4 + 1
    for law, entry, step in (
        ("balanced", ("cosine", "black"), 0.04),
        ("additive", ("sc_weat", "asian_white"), -0.02),
        ("shares race", ("skew", "asian"), 0.02),
        ("shares gender", ("skew", "male"), 0.02),
        ("counts", ("markedness", "male"), 0.014),
    ):
        name = "CausalFace" if law == "counts" else "UTKFace"
        values = lawful()
        values.loc[entry, name] += step
        assert broken(values) == {(law, name)}


def test_rounding_is_allowed_for_and_no_more():
    for entry, law, slack in (
        (("cosine", "male"), "balanced", 2 * 0.01),
        (("sc_weat", "asian_black"), "additive", 0.015),
    ):
        for step, holds in ((0.99, True), (1.01, False)):
            values = lawful()
            values.loc[entry, "FairFace"] += step * slack
            assert (broken(values) == set()) is holds, (law, step)
    values = lawful()
    values.loc[("skew", "white"), "FairFace"] += 0.0099  # half a digit in each of three skews
    assert broken(values) == set()
    values.loc["skew", "FairFace"] = values.loc["skew", "FairFace"].to_numpy() + 0.0051
    assert broken(values) == {("shares race", "FairFace"), ("shares gender", "FairFace")}


def test_the_printed_table_breaks_the_laws_that_the_page_names():
    claims = vb.ledger.table("causalface/metrics").set_index("claim")["printed"]
    values = lawful()
    for (metric, subject), name in itertools.product(values.index, values):
        cell = claims[f"metrics.{metric}.{name.lower()}.{subject}"].replace("−", "-")
        values.loc[(metric, subject), name] = float(cell)
    unequal = {("balanced", "FairFace"), ("balanced", "UTKFace")}
    assert broken(values) == unequal | {("additive", "CausalFace")}


def test_every_statement_holds_of_the_printed_pattern():
    found = metrics.claims(as_printed())
    assert all(found.values())
    assert set(found) >= metrics.NAMES_NO_GROUP | {claim for claim, *_ in BREAKS}


@pytest.mark.parametrize(("claim", "entry", "name", "value"), BREAKS)
def test_every_statement_can_fail_and_with_it_its_earlier_version(claim, entry, name, value):
    values = as_printed()
    values.loc[entry, name] = value
    found = metrics.claims(values)
    assert found[claim] is False
    earlier = f"appendix.{claim.removesuffix('-causalface')}"
    assert found.get(earlier, False) is False
