"""Tables 3 to 5 with made-up cells, phrases and networks; each function against a slow version of
it."""

from itertools import product
from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest
import worlds
from scipy import stats

import vlmbias as vb
from audit.printed import parse
from studies import associations
from studies.american_white import traits
from vlmbias.ledger import claims

SIZES = {"n-white": "90", "n-asian": "50", "n-black": "120", "n-latina": "40"}
# per trait, network and group: d, p
CELLS = {
    "patriotism": {
        "blip": [(".60", "< 10⁻²"), (".80", "< .05"), (".50", "n.s.")],
        "clip": [(".02", "n.s."), (".70", "< 10⁻⁹"), ("−.55", "< .01")],
        "slip": [(".90", "< 10⁻⁵"), (".40", "< 10⁻¹"), (".24", "< 10⁻¹")],
    },
    "egalitarianism": {
        "blip": [("−.97", "< 10⁻³⁰"), ("−2.0", "< 10⁻³⁰"), ("−.30", "< .05")],
        "clip": [("−.50", "< 10⁻²"), ("−.70", "< 10⁻⁹"), ("−.55", "< .01")],
        "slip": [(".90", "< 10⁻⁵"), ("1.40", "< 10⁻³"), (".01", "n.s.")],
    },
    "nativism": {
        network: [("−1.00", "< 10⁻³"), ("−.20", "n.s."), ("−1.20", "< 10⁻⁵")]
        for network in ("blip", "clip", "slip")
    },
}


def claim(name):
    """As `vb.ledger.claim`."""
    if (key := name.removeprefix("we_they.")) in SIZES:
        return SimpleNamespace(value=SIZES[key], printed=parse(SIZES[key]), subject="")
    _, trait, network, group, quantity = name.split(".")
    value = CELLS[trait][network]["abl".index(group[1])]["dp".index(quantity)]
    return SimpleNamespace(value=value, printed=parse(value), subject=f"{trait} {network} {group}")


@pytest.fixture(scope="module")
def cells():
    return traits.tables(claim)


def welch(d, n_x, n_y, ratio, tail="greater"):
    """Welch's p from summaries, with the SD of the first group `ratio` times that of the second."""
    pooled = np.sqrt(((n_x - 1) * ratio**2 + n_y - 1) / (n_x + n_y - 2))
    return stats.ttest_ind_from_stats(
        d * pooled, ratio, n_x, 0, 1, n_y, equal_var=False, alternative=tail
    ).pvalue


# --- what is printed


def test_the_tables_have_27_cells_in_the_papers_order(cells):
    assert cells["cell"].tolist() == [
        f"{trait} {network} w{letter}"
        for trait in ("patriotism", "egalitarianism", "nativism")
        for network in ("blip", "clip", "slip")
        for letter in "abl"
    ]
    assert cells["trait"].tolist() == [
        cell.split()[0] for cell in cells["cell"]
    ] and cells.index.tolist() == list(range(27))
    assert cells.loc[:3, "bound"].fillna(0).tolist() == [0.01, 0.05, 0, 0] and cells.loc[
        :1, "power"
    ].fillna(0).tolist() == [-2, 0]


@pytest.mark.parametrize(
    ("d", "n_x", "n_y"),
    [(0.97, 183, 109), (-1.09, 183, 108), (0.3, 40, 90), (1.5, 12, 9), (2, 30, 30)],
)
def test_no_two_sds_give_a_p_below_the_bound_and_some_come_near(d, n_x, n_y):
    searched = min(welch(abs(d), n_x, n_y, ratio) for ratio in np.geomspace(1e-4, 1e4, 3001))
    bound = traits.smallest_p(d, n_x, n_y)
    assert bound <= searched * (1 + 1e-9)
    # with t at its limit and the degrees of freedom that it then has, the search is met
    larger = max(n_x, n_y)
    t = abs(d) * np.sqrt(larger * (larger - 1) / (n_x + n_y - 2))
    if n_x == n_y:
        assert bound == pytest.approx(welch(d, n_x, n_y, 1.0)) == pytest.approx(searched)
    elif abs(d) > 0.9 and n_x > 100:
        assert searched == pytest.approx(stats.t.sf(t, larger - 1), rel=0.05)
        assert bound == pytest.approx(stats.t.sf(t, n_x + n_y - 2))


def test_floors_try_the_ends_of_what_is_printed(cells):
    ratios = np.geomspace(1e-3, 1e3, 301)
    found = traits.floors(cells, ratios=ratios).set_index("cell")
    assert len(found) == cells["bound"].notna().sum() < 27
    for row in found.itertuples():
        slack = np.sqrt(min(row.n_x, row.n_y) / (min(row.n_x, row.n_y) - 1))
        far = max(abs(row.d.low), abs(row.d.high)) * slack
        assert row.equal == pytest.approx(welch(far, row.n_x, row.n_y, 1.0))
        assert row.searched == pytest.approx(
            min(welch(far, row.n_x, row.n_y, ratio) for ratio in ratios)
        )
        assert row.least == pytest.approx(
            traits.smallest_p(far, row.n_x, row.n_y)
        ) and row.least <= row.searched * (1 + 1e-9)
        assert row.possible == (row.least < row.bound)
    assert not found.loc["egalitarianism blip wa", "possible"] and found["possible"].sum() > 10


def test_on_the_ledgers_own_claims_two_cells_are_impossible():
    least = traits.floors(
        traits.tables(vb.ledger.claim), ratios=np.geomspace(1e-3, 1e3, 201)
    ).set_index("cell")
    barred = {
        f"egalitarianism, BLIP, White − {group}": d
        for group, d in (("Asian", -0.97), ("Latina/o", -1.09))
    }
    assert least.index[~least["possible"]].tolist() == list(barred)
    assert least.loc[list(barred), "number"].tolist() == list(barred.values())
    assert (least.loc[list(barred), "searched"] > 1e-25).all()


# --- the paper's statements


def sizes(printed=True):
    """d and p of the paper's own tables, p at half of the bound."""
    table = traits.tables(vb.ledger.claim)
    keys = list(product(traits.TRAITS, ("blip", "clip", "slip"), "abl"))
    p = table["bound"].fillna(1.0) / 2
    return dict(zip(keys, table["number"], strict=True)), dict(zip(keys, p, strict=True))


def test_the_statements_come_out_as_the_ledgers_audit_has_them():
    found = traits.claims(*sizes())
    checks = vb.ledger.audit("american_white")
    for name, value in found.items():
        own = checks[(checks["claim"] == f"traits.{name}") & (checks["rule"] != "same")]
        if isinstance(value, bool):
            assert value == (own["verdict"] == "consistent").all(), name
        else:
            assert vb.ledger.claim(f"traits.{name}").printed.meets(value, value)
    assert {type(value) for value in found.values()} == {bool, float} and {True, False} <= set(
        found.values()
    )


CHANGES = {  # a cell, its new d and p → what is then said otherwise
    ("patriotism", "clip", "a"): (
        -0.1,
        0.01,
        {
            "abstract-patriotism",
            "intro-patriotism",
            "results-patriotism",
            "patriotism",
            "without-exception",
            "patriotism-smallest",
        },
    ),
    ("patriotism", "slip", "l"): (0.15, 0.01, {"patriotism-one", "patriotism-smallest"}),
    ("patriotism", "slip", "b"): (1.4, 1e-9, {"patriotism-largest"}),
    ("patriotism", "blip", "b"): (0.32, 0.2, {"patriotism-one"}),
    ("egalitarianism", "clip", "b"): (0.1, 0.01, {"egalitarianism", "egalitarianism-caption"}),
    ("egalitarianism", "clip", "l"): (-0.9, 0.01, {"egalitarianism-strongly"}),
    ("egalitarianism", "blip", "l"): (-1.0, 0.3, {"egalitarianism-caption"}),
    ("egalitarianism", "slip", "l"): (-0.1, 0.3, {"egalitarianism-slip"}),
    ("nativism", "slip", "b"): (
        -0.1,
        0.3,
        {"abstract-nativism", "intro-nativism", "results-nativism"},
    ),
    ("nativism", "blip", "b"): (-1.5, 0.3, {"nativism-black-blip"}),
    ("nativism", "clip", "b"): (-0.9, 0.3, {"nativism-black", "nativism-small"}),
    ("nativism", "slip", "l"): (-0.7, 0.01, {"nativism"}),
    ("nativism", "clip", "a"): (-1.2, 0.3, {"nativism-caption"}),
}


@pytest.mark.parametrize("cell", CHANGES)
def test_each_statement_depends_on_its_own_cells(cell):
    (d, p), (new_d, new_p, changed) = sizes(), CHANGES[cell]
    before, after = traits.claims(d, p), traits.claims(d | {cell: new_d}, p | {cell: new_p})
    assert {name for name in before if before[name] != after[name]} == changed


def test_no_one_is_said_to_treat_all_equally_once_slip_agrees():
    d, p = sizes()
    d |= {("egalitarianism", "slip", letter): -0.5 for letter in "abl"}
    found = traits.claims(d, p)
    assert (
        found["abstract-egalitarianism"]
        and found["intro-egalitarianism"]
        and found["results-egalitarianism"]
    )


def outcomes(networks):
    d, p = sizes()
    return {
        key: SimpleNamespace(effect_size=d[key], p_value=p[key]) for key in d if key[1] in networks
    }


def test_with_one_network_only_its_cells_are_recorded():
    found = traits.records(outcomes(["clip"]))
    assert len(found) == 18 and all(about == ["clip"] for *_, about in found)
    values = {name: value for name, value, _ in found}
    assert values["egalitarianism.clip.wl.d"] == -0.37 and values[
        "patriotism.clip.wb.p"
    ] == pytest.approx(5e-8)


def test_every_claim_but_those_about_phrases_and_the_tail_is_recorded_with_the_networks_it_names():
    found = traits.records(outcomes(["slip", "clip", "blip"]))
    ledger = {
        name: one
        for name, one in claims.claims("american_white").items()
        if name.startswith("traits.")
    }
    left = set(ledger) - {f"traits.{name}" for name, *_ in found}
    assert {name.split(".")[1].split("-")[0] for name in left} == {
        "tail",
        "phrase",
        "phrases",
        "characteristics",
    }
    named = {
        "blip": "blip/itm-base-coco",
        "clip": "ViT-B-32-quickgelu/openai",
        "slip": "slip/vitb16-100ep",
    }
    for name, value, about in found:
        claim = ledger[f"traits.{name}"]
        assert ", ".join(named[one] for one in about) == claim.model, name
        assert isinstance(value, bool) == (claim.unit == "statement")


# --- faces, phrases and networks


def test_a_phrase_is_ranked_among_the_others():
    rng = np.random.default_rng(3)
    gap, others = rng.normal(size=6), rng.normal(size=(6, 11))
    for value, rest, p in zip(gap, others, associations.over_phrases(gap, others), strict=True):
        every = [value, *rest]
        centre = sum(every) / 12
        assert p == pytest.approx(
            sum(abs(one - centre) >= abs(value - centre) for one in every) / 12
        )
    assert associations.over_phrases([9.0], np.zeros((1, 4)))[0] == pytest.approx(0.2)
    assert associations.over_phrases([0.5], np.full((1, 4), 0.5))[0] == 1


def test_the_rank_of_one_phrase_more_is_uniform():
    drawn = np.random.default_rng(4).normal(size=(20_000, 20)) + 3
    p = associations.over_phrases(drawn[:, 0], drawn[:, 1:])
    assert (p <= 0.05).mean() == pytest.approx(0.05, abs=0.006) and (
        p <= 0.5
    ).mean() == pytest.approx(0.5, abs=0.015)


def test_phrases_of_one_network_are_tested_over_faces_and_among_each_other():
    rng = np.random.default_rng(5)
    values, group = rng.normal(size=(60, 9)), np.repeat(["p", "q", "r"], 20)
    values[:20, 1] += 3
    plain, names = np.array([0, 0, 1, 1, 1, 1, 1, 1, 1], bool), list("uvabcdefg")
    found = traits.among_phrases(values, group, [("p", "q"), ("p", "r")], names, plain)
    assert found[["first", "second", "phrase"]].to_numpy().tolist() == [
        [*pair, one] for pair in ("pq", "pr") for one in "uv"
    ]
    for row in found.itertuples():
        x, y = values[group == row.first], values[group == row.second]
        k = names.index(row.phrase)
        gap = np.array([vb.effect_size(x[:, j], y[:, j], pooled=True) for j in range(9)])
        every = np.r_[gap[k], gap[plain]]
        assert row.d == pytest.approx(gap[k])
        assert row.p_faces == pytest.approx(
            stats.ttest_ind(x[:, k], y[:, k], equal_var=False).pvalue
        )
        assert row.p_phrases == pytest.approx(
            np.mean(abs(every - every.mean()) >= abs(every[0] - every.mean()) - 1e-12)
        )
    assert found.loc[found["phrase"] == "v", "p_phrases"].max() == pytest.approx(1 / 8)


AXES, B = ("loyal", "base", "calm"), [0.0] * 5 + [1.0] * 4 + [0.0]


@pytest.fixture(scope="module")
def panel():
    """Twelve people in three groups, ten networks; the last has an arm of the study and must not be
    used."""
    rng = np.random.default_rng(6)
    models = worlds.networks(B, rng=rng, condition=["none"] * 9 + ["neutral"])
    planted = pd.DataFrame({"loyal": {"p": 3.0}, "calm": {"q": 1.0}})
    faces = worlds.faces(12, "pqr", rng=rng)
    return worlds.panel(faces, models, AXES, rng=rng, planted=planted, between=0.5)


@pytest.fixture(scope="module")
def vectors(panel):
    """As `greenhouse.retrained.Vectors`, for the same ten networks."""
    rng = np.random.default_rng(7)
    images = pd.DataFrame({"race": list("pqr") * 4, "subset": ["prototype"] * 9 + ["age"] * 3})
    seen, said = rng.normal(size=(10, 12, 6)), rng.normal(size=(10, 7, 6))
    listed = ["calm", "loyal", "dull", "dull", "plain", "plain", "dull"]

    def part(mask):
        kept = np.flatnonzero(mask)
        return SimpleNamespace(
            networks=panel.networks.iloc[kept].reset_index(drop=True),
            images=images,
            where=part,
            words_of=lambda axis: np.flatnonzero([one == axis for one in listed]),
            cosines=lambda faces, words: np.einsum(
                "kid,kwd->kiw", seen[kept][:, faces], said[kept][:, words]
            ),
        )

    return part(np.ones(10, bool))


def differences(panel, axis, first, second, beyond=None):
    """Network by network, with loops."""
    found = []
    for k in range(9):
        value = panel.scores[k, :, AXES.index(axis)] - (
            panel.scores[k, :, AXES.index(beyond)] if beyond else 0
        )
        mean = {
            one: np.mean(
                [v for v, race in zip(value, panel.images["race"], strict=True) if race == one]
            )
            for one in "pqr"
        }
        found.append(panel.networks["logit_scale"][k] * (mean[first] - mean[second]))
    return np.array(found)


def test_a_phrase_is_worth_its_cosine_times_the_scale(panel):
    values, table = traits.phrase_logits(panel, "calm")
    assert values.shape == (9, 36) and table["b"].tolist() == B[:9]
    assert values[4, 7] == pytest.approx(panel.networks["logit_scale"][4] * panel.scores[4, 7, 2])


def test_two_units_report_their_own_p(panel, vectors):
    plain = np.array([2, 3, 4, 5, 6])
    found = traits.in_two_units(vectors, ("p", "r"), "loyal", plain)
    assert found["unit"].unique().tolist() == ["faces", "phrases"] and len(found) == 18
    assert found["b"].tolist() == B[:9] * 2
    by = {unit: own.reset_index(drop=True) for unit, own in found.groupby("unit")}
    for k in range(9):
        cosines = vectors.cosines(np.arange(9), np.arange(7))[k]
        x, y = cosines[[0, 3, 6]], cosines[[2, 5, 8]]
        each = [vb.effect_size(x[:, j], y[:, j], pooled=True) for j in range(7)]
        assert by["faces"].loc[k, "difference"] == pytest.approx(each[1])
        assert by["phrases"].loc[k, "difference"] == pytest.approx(each[1])
        assert by["faces"].loc[k, "p"] == pytest.approx(
            stats.ttest_ind(x[:, 1], y[:, 1], equal_var=False).pvalue
        )
        every = np.r_[each[1], np.array(each)[plain]]
        far = abs(every - every.mean())
        assert by["phrases"].loc[k, "p"] == pytest.approx((far >= far[0] - 1e-12).mean())


def test_plain_phrases_are_tested_over_faces_in_each_network(vectors):
    words = np.array([2, 3, 4, 5, 6])
    found = traits.false_positive_rates(vectors, [("p", "q"), ("p", "r")], words, b=0.0)
    null = np.flatnonzero((vectors.networks["b"] == 0) & (vectors.networks["condition"] == "none"))
    assert len(found) == 2 * len(null) and found["n"].eq(3).all()
    prototypes = vectors.images["subset"] == "prototype"
    for row in found.itertuples():
        hits = []
        for word in words:
            x, y = (
                [
                    vectors.cosines(np.array([k]), np.array([word]))[null[row.network], 0, 0]
                    for k in np.flatnonzero(prototypes & (vectors.images["race"] == name))
                ]
                for name in (row.first, row.second)
            )
            hits.append(stats.ttest_ind(x, y, equal_var=False).pvalue <= 0.05)
        assert row.share == pytest.approx(np.mean(hits))


@pytest.mark.parametrize("beyond", ["", "base"])
def test_what_was_planted_stands_beside_the_mean_over_networks(panel, beyond):
    planted = {
        ("loyal", "p − q"): 1.0,
        ("loyal", "p − r"): 2.0,
        ("calm", "p − q"): 3.0,
        ("calm", "p − r"): 4.0,
    }
    table = traits.recovered(
        panel, [("p", "q"), ("p", "r")], ["loyal", "calm"], planted, beyond=beyond
    )
    assert table["planted"].to_dict() == planted and (table["n"] == 4).all()
    for axis, pair in planted:
        expected = differences(panel, axis, *pair.split(" − "), beyond or None)[5:9]
        assert table.loc[(axis, pair), "mean"] == pytest.approx(expected.mean())
        assert table.loc[(axis, pair), "p"] == pytest.approx(stats.ttest_1samp(expected, 0).pvalue)


def test_each_phrase_is_tested_by_itself():
    rng = np.random.default_rng(5)
    values, group = rng.normal(size=(30, 4)), np.repeat(["a", "b", "c"], [12, 10, 8])
    found = traits.each_phrase(values, group, "a", "c")
    for phrase, row in found.iterrows():
        x, y = values[:12, phrase], values[22:, phrase]
        assert row["d"] == pytest.approx(vb.effect_size(x, y, pooled=True))
        assert row["p"] == pytest.approx(stats.ttest_ind(x, y, equal_var=False).pvalue)


@pytest.mark.parametrize(
    ("p", "sentence"),
    [
        ([0.05, 0.05, 0.05], "all 3 traits lie farther out than every plain phrase."),
        ([0.05, 0.3, 0.05], "a and c lie farther out than every plain phrase; b does not."),
        ([0.3, 0.05, 0.2], "b lies farther out than every plain phrase; a and c do not."),
        ([0.3, 0.1, 0.2], "no trait lies farther out than every plain phrase."),
    ],
)
def test_traits_that_lie_outside_are_named(p, sentence):
    assert traits.outliers(pd.Series(p, list("abc")), 0.05) == sentence
