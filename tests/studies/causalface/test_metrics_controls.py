"""Made-up sets and networks in which every group, dimension and network differs; slow versions go
one by one."""

from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest
import worlds
from measures import oracles
from test_metrics import CALLED, DIMENSIONS, WHO, crowd

from studies.causalface import metrics
from studies.causalface import metrics_controls as foils

CRESTS = ("eared", "budded")


def portraits(networks=4, images=40, seed=1):
    """Networks that saw faces of four hues, columns in another order than the dimensions."""
    rng = np.random.default_rng(seed)
    groups = [f"{hue} {crest}" for hue in ("teal", "violet", "amber", "lime") for crest in CRESTS]
    faces = worlds.faces(images // 8, groups, rng=rng)
    models = worlds.networks(np.arange(networks) / networks, rng=rng)
    return worlds.panel(faces, models, ("neutral", *reversed(DIMENSIONS), "adjectives"), rng=rng)


# --- empty groups


# --- base rates


def test_rankings_at_random_show_the_base_rates_of_a_list():
    faces = crowd()
    found = foils.base_rates(faces, WHO, share=0.5, n=300, seed=2)
    three = faces[faces["race"] != "lime"].reset_index(drop=True)
    cells, quota = three["race"] + three["gender"], len(three) // 6
    kept = cells.value_counts().clip(upper=quota)
    by_quota = found[found["step"] == "quotas"].set_index("group")
    for name in CALLED.values():
        own = sum(size for cell, size in kept.items() if name in cell)
        row = by_quota.loc[name]
        assert row["images"] == own and row["base"] == pytest.approx(own / kept.sum())
        assert row["expected"] == pytest.approx(
            np.log(own / kept.sum() * (2 if name in ("eared", "budded") else 3))
        )
    after = found[found["step"] == "adults"].set_index("group")
    used = np.flatnonzero(three["years"] >= 20)
    list_ = three.iloc[used[metrics.sample(three, "quota", WHO, seed=2)]]
    assert after["images"].to_dict() == {
        name: (list_[["race", "gender"]] == name).any(axis=1).sum() for name in after.index
    }
    assert (
        set(after.index) == set(CALLED.values())
        and after["images"].sum() < by_quota["images"].sum()
    )
    assert (
        np.allclose(found["uniform"], found["expected"], atol=0.03)
        and np.abs(found["own"]).max() < 0.03
    )
    assert found["expected"].abs().max() > 0.2


def test_how_deep_the_random_rankings_are_read():
    faces = crowd()
    whole = foils.base_rates(faces, WHO, share=1.0, n=2, seed=2)
    assert np.allclose(whole["uniform"], whole["expected"]) and np.allclose(whole["own"], 0)
    assert not np.allclose(
        (some := foils.base_rates(faces, WHO, share=0.2, n=2, seed=2))["uniform"], some["expected"]
    )


def test_thinning_takes_as_many_as_the_shares_allow():
    group = np.array(["a"] * 50 + ["b"] * 30 + ["c"] * 40)
    rows = foils.thinned(group, {"a": 0.5, "b": 0.3, "c": 0.2}, seed=0)
    assert pd.Series(group[rows]).value_counts().to_dict() == {"a": 50, "b": 30, "c": 20}
    assert (
        rows.tolist()
        == sorted(set(rows))
        != foils.thinned(group, {"a": 0.5, "b": 0.3, "c": 0.2}, seed=1).tolist()
    )
    rows = foils.thinned(group, {"a": 0.25, "b": 0.25, "c": 0.5}, seed=0)
    assert pd.Series(group[rows]).value_counts().to_dict() == {"c": 40, "a": 20, "b": 20}


# --- networks


def test_cosines_are_scaled_and_in_the_order_of_the_dimensions():
    given = portraits()
    one = foils.cosines(given, WHO)
    kept = np.flatnonzero(given.images["race"] != "lime")
    assert one.faces["race"].tolist() == given.images["race"].iloc[kept].tolist() and len(kept) < 40
    for network, scale in enumerate(given.networks["logit_scale"]):
        for place, name in enumerate(DIMENSIONS):
            scores = given.scores[network, kept, given.columns.index(name)]
            assert np.allclose(one.raw[network, :, place], scale * scores)


def test_what_is_reported_of_a_network_is_the_mean_over_dimensions():
    one = foils.cosines(portraits(), WHO)
    hue = one.faces["race"].to_numpy()
    found = foils.reported(one.raw, hue, 6)
    for network in range(4):
        widest, ndkl = [], []
        for place in range(8):
            ranked = hue[np.argsort(-one.raw[network, :, place])].tolist()
            top = [ranked[:6].count(name) or 0.5 for name in set(hue)]
            widest.append(max(np.log(3 * count / 6) for count in top))
            uniform = dict.fromkeys(set(hue), 1 / len(set(hue)))
            ndkl.append(oracles.ndkl(range(0, -len(ranked), -1), ranked, uniform))
        assert found.loc[network].tolist() == pytest.approx([np.mean(widest), np.mean(ndkl)])


# --- markedness


def test_margins_are_scaled_differences_of_named_and_neutral():
    rng = np.random.default_rng(6)
    images = pd.DataFrame(
        {
            "kind": ["face"] * 8 + ["icon"] * 2,
            "race": [*["teal", "amber"] * 4, None, None],
            "gender": [*["eared"] * 4, *["budded"] * 4, None, None],
        }
    )
    texts = {
        ("teal", "race"): [0],
        ("amber", "race"): [1, 2],
        ("eared", "gender"): [3],
        ("budded", "gender"): [4],
        ("neutral", None): [5, 6],
    }
    every = rng.normal(0.2, 0.02, (3, 10, 7))
    vectors = SimpleNamespace(
        images=images,
        networks=pd.DataFrame({"logit_scale": [20.0, 30.0, 50.0]}),
        words_of=lambda axis, slot=None: np.array(texts[axis, slot]),
        cosines=lambda rows, words: every[:, rows][:, :, words],
    )
    found = foils.margins(
        vectors, {"race": ["teal", "amber", "violet", "lime"][:2], "gender": ["eared", "budded"]}
    )
    for row in found.itertuples():
        own = [k for k in range(8) if images[row.axis][k] == row.group]
        margin = np.array(
            [
                [
                    scale
                    * (
                        np.mean([every[n, k, w] for w in texts[row.group, row.axis]])
                        - every[n, k, 5:].mean()
                    )
                    for k in own
                ]
                for n, scale in enumerate([20, 30, 50])
            ]
        )
        assert row.margin == pytest.approx(margin.mean()) and row.markedness == pytest.approx(
            100 * np.mean(margin < 0)
        )
        assert row.sd_networks == pytest.approx(np.std([one.mean() for one in margin], ddof=1))
        assert row.sd_faces == pytest.approx(np.mean([np.std(one, ddof=1) for one in margin]))
        assert row.share == 0.5 and row.expected == pytest.approx(np.log(2))
    assert (
        found["group"].tolist() == ["teal", "amber", "eared", "budded"]
        and 0 < found["markedness"].mean() < 100
    )


def test_base_rates_alone_keep_markedness_below_one_half():
    shares, rng = np.array([0.05, 0.25, 0.5, 0.9, 0.99]), np.random.default_rng(0)
    found = foils.marked(shares, spread=0.4)
    assert (
        (np.diff(found) > 0).all()
        and (found < 50).all()
        and foils.marked(1.0, spread=0.4) == pytest.approx(50)
    )
    noise = rng.normal(0, 0.4, 400_000)
    assert found[3] == pytest.approx(100 * np.mean(np.log(1 / 0.9) + noise < 0), abs=0.3)
    # left unnamed 1.5 times as often: the margin is ln(1/share) - ln(1.5)
    assert foils.marked(0.6, spread=0.4, unnamed=1.5) == pytest.approx(
        100 * np.mean(np.log(1 / 0.6 / 1.5) + noise < 0), abs=0.3
    )
    assert foils.marked(0.9, spread=0.4, unnamed=1.5) > 50
