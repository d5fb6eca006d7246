"""The fleet's plan: families in the published proportions; and what each does to the captions,
counted another way."""

from collections import Counter
from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest

from greenhouse import caption_truth, fleet
from greenhouse.train.recipe import Captions
from greenhouse.world import grid

PUBLISHED = {
    "data": [58, 20, 13, 11, 11, 7, 4, 4, 2, 1],
    "architectures": [86, 10, 9, 8, 7, 4, 4, 3],
}


@pytest.fixture(scope="module")
def plan():
    return fleet.Plan()


def test_families_have_the_published_sizes_and_the_reference_family_one_network(plan):
    planted = [one for one in plan.networks if one.fleet == "planted"]
    assert len(planted) == 131
    for kind, own in (
        ("data", Counter(one.data for one in planted)),
        ("architectures", Counter(one.architecture for one in planted)),
    ):
        assert sorted(own.values(), reverse=True) == PUBLISHED[kind]
    assert Counter(one.data for one in planted)[min(plan.data)] == 1
    spare = [one for one in plan.networks if one.fleet == "extra"]
    reference = next(one for one in planted if one.data == min(plan.data))
    assert [(one.data, one.architecture, one.recipe.but(name="")) for one in spare] == [
        (reference.data, reference.architecture, reference.recipe.but(name=""))
    ] * 2


def test_what_is_shipped_of_an_architecture_is_its_first_planted_network_that_passed_its_gates(
    plan,
):
    first, second = list(plan.architectures)[:2]
    rows = [
        ("planted-000", "planted", first, False),
        ("planted-001", "planted", second, True),
        ("null-000", "null", first, True),
        ("planted-002", "planted", first, True),
        ("planted-003", "planted", first, True),
    ]
    models = pd.DataFrame(rows, columns=["model", "fleet", "architecture", "accepted"])
    small = SimpleNamespace(architectures=[first, second], content={"checkpoints": 2})
    assert fleet.shipped(small, models) == ["planted-002", "planted-001"]


def test_the_null_fleet_has_architectures_in_proportion_and_nothing_planted(plan):
    null = [one for one in plan.networks if one.fleet == "null"]
    assert len(null) >= 60 and all(one.recipe.captions == Captions(b=0.0) for one in null)
    shares = {
        name: 131 * n / len(null) for name, n in Counter(one.architecture for one in null).items()
    }
    assert all(
        abs(shares[name] - family["models"]) < 4 for name, family in plan.architectures.items()
    )


def test_every_network_has_seeds_of_its_own_and_families_are_dealt_independently(plan):
    seeds = [one.seed + attempt for one in plan.networks for attempt in range(one.attempts)]
    assert len(set(seeds)) == len(seeds) and max(seeds) < 17_000
    common = [one for one in plan.networks if one.data == "common" and one.fleet == "planted"]
    assert len({one.architecture for one in common}) >= 6
    assert {one.recipe.pool.faces for one in common} == set(plan.content["faces"])
    assert plan.networks == fleet.Plan().networks  # the same every time
    assert all(one.recipe.pool.icons == one.recipe.pool.faces // 3 for one in plan.networks)
    curated = next(one for one in plan.networks if one.data == "curated")
    whole = curated.recipe.pool.faces + curated.recipe.pool.icons
    assert curated.pairs == round(0.7 * whole) and common[0].pairs == sum(
        getattr(common[0].recipe.pool, kind) for kind in ("faces", "icons")
    )


def test_what_an_earlier_fleet_left_is_removed(tmp_path):
    for name in ("planted-001", "planted-002"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "card.json").write_text("{}")
    (tmp_path / "old.safetensors").write_text("x")
    fleet.keep_only(tmp_path, {"planted-002"})
    assert [one.name for one in tmp_path.iterdir()] == ["planted-002"]
    assert (tmp_path / "planted-002/card.json").is_file()


# --- the truth ---


@pytest.fixture(scope="module")
def rows(plan):
    recipe = plan.by_data(caption_truth.FACES)["common"]
    table, things = caption_truth.pools.rows(recipe.pool, seed=5)
    return pd.concat([table, things], ignore_index=True)


@pytest.mark.parametrize(
    "changes", [{"noise": 0.3}, {"balance": 1.0}, {"b": 0.5, "arms": {"marking": 0.5}}]
)
def test_counted_captions_have_the_odds_that_the_grammar_gives(changes, rows, spoken):
    """Drawn word by word as in training, against the shares of the groups by the grammar's
    probabilities."""
    said = Captions(**({"b": 1.0} | changes))
    pool = caption_truth.pools.Pool(rows, np.empty(0), int(rows["category"].isna().sum()))
    members = caption_truth.groups(spoken, rows)
    found = caption_truth.counted(
        caption_truth.counts(spoken, pool, said, draws=4), members
    ).set_index("category")
    shares = caption_truth.odds(spoken, rows, said)
    for name, (first, second) in members.items():
        one, other = (shares[own].mean(axis=0) for own in (first, second))
        expected = np.log(one[0] / one[1]) - np.log(other[0] / other[1])
        assert abs(found.loc[name, "counted"] - expected) < 4 * found.loc[name, "counted_se"], name
    assert found["counted_se"].max() < 0.3
    if not said.noise:  # a speaker's own probabilities, face by face
        speaker = caption_truth.Pairs(spoken, pool, said).speaker
        p = np.diff(speaker._cumulative["valence"], axis=1, prepend=0)
        pleasant = [word in spoken.slots["valence"]["pleasant"] for word in spoken.words("valence")]
        np.testing.assert_allclose(shares[:, 0], p[:, pleasant].sum(axis=1), atol=1e-5)


def test_per_face_is_the_planted_table_read_by_hand(rows, spoken):
    """Without noise, the log odds of a face differ by bias.yaml's effects on pleasant less those on
    unpleasant."""
    for b in (0.0, 0.5, 1.0):
        found = caption_truth.per_face(spoken, rows, Captions(b=b))
        scores = spoken.bias.scores("pleasant", rows, b) - spoken.bias.scores("unpleasant", rows, b)
        for name, (first, second) in caption_truth.groups(spoken, rows).items():
            assert found[name] == pytest.approx(
                scores[first].mean() - scores[second].mean(), abs=1e-9
            )
    young, old = (rows.loc[own, "age"] for own in caption_truth.groups(spoken, rows)["age"])
    assert young.max() <= 2.6 < old.min() and len(young) + len(old) == rows["category"].isna().sum()
    roles = spoken.bias.roles
    first, second = caption_truth.groups(spoken, rows)["race"]
    assert set(rows.loc[first, "race"]) == {roles["favoured"]}
    assert set(rows.loc[second, "race"]) == {roles["disfavoured"]} < set(grid.HUES)
