"""A miniature study from its plan to the tables and back: rejected networks replaced, the same
bytes each time."""

import json

import numpy as np
import pandas as pd
import pytest
import yaml

from greenhouse import retrained
from greenhouse.study import dose_response, plan, scores, vectors
from greenhouse.study.plan import Kind, Plan
from greenhouse.train import calibration, gates, held_out, produce, readout, starts, warm
from greenhouse.train import model as models
from greenhouse.train.recipe import Recipe
from greenhouse.world import faces, grid, pairing, truth

SMALL = [
    (held_out, {"SEEDS": 8, "SERIES_SEEDS": 2, "PEOPLE": 6, "ICONS_PER_KIND": 2}),
    (gates, {"SERIES_SEEDS": 2}),
    (readout, {"SERIES_SEEDS": 2}),
    (calibration, {"SERIES_SEEDS": 2, "PAIRS": 20}),
    (scores, {"SERIES_SEEDS": 2, "LEAK_SEEDS": 1, "SAMPLE": 12}),
    (vectors, {"PORTRAIT_SEEDS": 3, "SERIES_SEEDS": 2, "ICONS_PER_KIND": 2}),
]
CACHED = (
    held_out.table,
    held_out.things,
    held_out._pictures,
    scores.images,
    scores.pictures,
    vectors.images,
    truth._base,
)


def run(small):
    """What Snakemake does, here and at once: the jobs that are missing, until none is. Returns the
    names of each round."""
    rounds = []
    while targets := dose_response.prepare(small):
        rounds.append([target.split("/")[-2] for target in targets])
        for name in rounds[-1]:
            starts.train(json.loads(record_of(name).read_text())["start"])
            dose_response.train(small, name)
            assert (dose_response.workshop() / name / dose_response.LAST).is_file()
    return rounds


def record_of(name):
    return dose_response.paths.build() / "inputs" / "dose_response" / f"{name}.json"


@pytest.fixture(scope="module")
def study(tmp_path_factory, tiny):
    """Three networks of two kinds, and a fourth that failed a gate; where all is kept."""
    place, people = tmp_path_factory.mktemp("study"), truth.population
    with pytest.MonkeyPatch.context() as patch:
        for module, sizes in SMALL:
            for name, size in sizes.items():
                patch.setattr(module, name, size)
        patch.setattr(truth, "population", lambda n=300, **rest: people(n, **rest))
        for function in CACHED:
            function.cache_clear()
        patch.setattr(gates, "THRESHOLDS", dict.fromkeys(gates.THRESHOLDS, -2.0))
        measure, judged = gates.measure, []

        def measured(*given, **rest):
            judged.append(1)
            return measure(*given, **rest) | ({"age_r": -3.0} if len(judged) == 1 else {})

        patch.setattr(gates, "measure", measured)
        patch.setenv("VLMBIAS_ROOT", str(place))
        patch.setattr(dose_response, "DATA", place / "data")
        patch.setattr(dose_response, "RETRAINED", place / "data" / "retrained")
        (place / "tiny.yaml").write_text(yaml.safe_dump(tiny.model_dump(exclude={"name"})))
        small = Plan(
            recipe=str(place / "tiny.yaml"),
            checkpoints={"default": ("b1", 0), "b0": ("b0", 1)},
            kinds=(
                Kind(name="b0", models=2, shows=1, captions={"b": 0.0}),
                Kind(
                    name="b1",
                    models=1,
                    captions={"b": 1.0, "arms": {"neutral": 0.5}},
                    pairing="plain",
                ),
            ),
        )
        with pytest.raises(
            ValueError, match="0 of 2 networks of kind 'b0' are there; run `vlmbias greenhouse dose"
        ):
            dose_response.collect(small)
        assert not (place / "data").exists()
        run(small)
        dose_response.collect(small)
        yield small, place
    for function in CACHED:
        function.cache_clear()


@pytest.fixture
def shipped(study):
    return study[1] / "data" / "retrained"


def test_a_rejected_network_is_listed_and_replaced_by_the_next_seed(shipped):
    every, kept = (
        retrained.networks(shipped, pairing=None, rejected=rejected) for rejected in (True, False)
    )
    assert every[["kind", "seed"]].to_numpy().tolist() == [
        ["b0", 0],
        ["b0", 1],
        ["b0", 2],
        ["b1", 1000],
    ]
    assert every["accepted"].tolist() == every["kept"].tolist() == [False, True, True, True]
    assert every["age_r"].iloc[0] == -3 and kept["seed"].tolist() == [1, 2, 1000]
    assert kept["b"].tolist() == [0, 0, 1] and kept["condition"].tolist() == [
        "none",
        "none",
        "neutral",
    ]
    assert kept["condition_strength"].tolist() == [0, 0, 0.5] and kept["shows"].tolist() == [
        True,
        False,
        False,
    ]
    about = json.loads((shipped / "study.json").read_text(encoding="utf-8"))
    assert about["networks"] == 3 and about["rejected"] == 1


def test_every_network_drew_its_own_pairing_but_those_that_are_to_be_plain(shipped):
    every = retrained.networks(shipped, pairing=None)
    assert every["pairing"].tolist() == ["drawn", "drawn", "plain"]
    for row in every.to_dict("records"):
        expected = pairing.Pairing() if row["kind"] == "b1" else pairing.random_pairing(row["seed"])
        assert tuple(row[f"paint_{hue}"] for hue in grid.HUES) == expected.paints
        assert tuple(row[f"drawing_{crest}"] for crest in grid.CRESTS) == expected.drawings


def test_a_study_that_is_there_is_not_trained_again_and_collects_to_the_same_bytes(
    study, shipped, monkeypatch
):
    def contents():
        return {
            path.relative_to(study[1]).as_posix(): path.read_bytes()
            for path in (study[1] / "data").rglob("*")
            if path.is_file()
        }

    before = contents()
    monkeypatch.setattr(
        produce, "produce", lambda *_, **__: pytest.fail("a finished network was trained again")
    )
    assert run(study[0]) == [] == dose_response.missing(study[0])
    for name in (path.name for path in dose_response.workshop().iterdir()):
        assert dose_response.train(study[0], name)["seed"] >= 0  # asked for again: at once
    dose_response.collect(study[0])
    assert contents() == before
    assert {path.name for path in shipped.iterdir()} == {
        "networks.csv",
        "score_images.csv",
        "vector_images.csv",
        "vector_words.csv",
        "vectors.npz",
        "scores.npz",
        "gaps.csv.gz",
        "recovery.csv.gz",
        "study.json",
    }


def test_checkpoints_are_the_accepted_networks_that_the_plan_names(study):
    small, place = study
    for name, kind, seed in (("default", 1, 1000), ("b0", 0, 2)):
        folder = dose_response.folder_of(small, small.kinds[kind], seed)
        files = {path.name: path.read_bytes() for path in (place / "data" / name).iterdir()}
        assert set(files) == set(dose_response.CHECKPOINT_FILES)
        assert all((folder / file).read_bytes() == content for file, content in files.items())
        assert json.loads(files["card.json"])["seed"] == seed


def test_vectors_read_back_within_half_a_step(study, shipped, spoken):
    read = retrained.vectors(shipped)
    assert read.networks["seed"].tolist() == [1, 2]  # an arm's networks have none
    assert len(read.images) == len(vectors.images()) and len(read.words) == len(
        vectors.words(spoken)[0]
    )
    sentences = vectors.words(spoken)[1]
    for row, network in enumerate(read.networks.to_dict("records")):
        folder = dose_response.folder_of(study[0], study[0].kinds[0], network["seed"])
        model, one = models.load(folder)[0], pairing.random_pairing(network["seed"])
        seen = models.embed_pictures(model, vectors.pictures(one, 32))
        step = np.abs(seen).max(axis=1, keepdims=True) / 127
        # half a step of rounding, and what making rows of unit length again adds: d components,
        # each off by it at most
        assert (
            np.abs(read.image_vectors[row] - seen)
            <= 0.5 * step * (1 + seen.shape[1] ** 0.5 * np.abs(seen))
        ).all()
        for k in range(0, len(sentences), 97):
            said = models.embed_tokens(model, spoken.vocabulary.encode(sentences[k])).mean(axis=0)
            assert (
                np.abs(read.word_vectors[row, k] - said).max()
                <= 0.5001 * np.abs(said).max() / 127 + 1e-7
            )


def test_scores_read_back_as_mean_cosines_with_nothing_where_a_set_was_not_shown(
    study, shipped, spoken
):
    read = retrained.scores("grid", shipped, pairing=None)
    assert (
        read.scores.shape == (3, len(read.images), len(retrained.COLUMNS))
        and read.networks["shows"].any()
    )
    everywhere = (read.images["set"] == "grid").to_numpy()
    assert set(read.images["set"]) == {"grid", "leak", "fairface", "utkface"}
    assert np.isfinite(read.scores[:, everywhere]).all()
    for row, shows in enumerate(read.networks["shows"]):
        assert np.isfinite(read.scores[row, ~everywhere]).all() == shows
        assert np.isnan(read.scores[row, ~everywhere]).all() != shows
    people = retrained.scores("people", shipped, pairing=None)
    assert (
        people.scores.shape == (3, 6 * 8, len(retrained.AXES)) and np.isfinite(people.scores).all()
    )
    model = models.load(dose_response.folder_of(study[0], study[0].kinds[0], 1))[0]
    for found, which in ((people, "people"), (read, "grid")):
        rows = np.flatnonzero(found.images["set"] == which)[::17]
        table = found.images.iloc[rows].drop(columns="photo")
        seen = models.embed_pictures(
            model, faces.render(table, 32, pairing=pairing.random_pairing(1))
        )
        for k, name in enumerate(found.columns):
            words = retrained.COLUMNS[:8] if name == "adjectives" else [name]
            texts = (
                truth.neutral_prompts(spoken)
                if name == "neutral"
                else dict.fromkeys(text for word in words for text in truth.prompts(spoken, word))
            )
            cosine = (seen @ models.embed_tokens(model, spoken.vocabulary.encode(texts)).T).mean(
                axis=1
            )
            np.testing.assert_allclose(
                found.scores[0, rows, k], cosine, atol=retrained.QUANTUM, err_msg=name
            )
    scale = people.networks["logit_scale"].to_numpy()[:, None]
    k, neutral = people.columns.index("we"), people.columns.index("neutral")
    np.testing.assert_allclose(
        people.delta("we"),
        scale * (people.scores[..., k] - people.scores[..., neutral]),
        rtol=1e-4,
        atol=1e-6,
    )


def test_gaps_and_recovery_have_every_network_axis_and_pair(study, shipped, spoken):
    gaps, cells = (reader(shipped, pairing=None) for reader in (retrained.gaps, retrained.recovery))
    pairs = 6 + 1  # of four hues, and of two crests
    assert len(gaps) == 3 * len(truth.CONTRASTS) * pairs and len(cells) == 3 * len(truth.CONTRASTS)
    assert set(gaps["seed"]) == set(cells["seed"]) == {1, 2, 1000}
    people = held_out.table().query("set == 'people'")
    for (seed, b), part in gaps.groupby(["seed", "b"]):
        arms = {"neutral": 0.5} if seed == 1000 else {}
        for column in ("race", "gender"):
            table = truth.counted(spoken, people, column, b, arms=arms)
            for row in part.loc[part["first"].isin(table.index)].to_dict("records"):
                expected = (
                    table.loc[row["first"], row["axis"]] - table.loc[row["second"], row["axis"]]
                )
                assert row["counted"] == pytest.approx(expected, abs=1e-4)
    measured = retrained.scores("people", shipped)
    shown = pd.DataFrame({"hue": measured.images["race"], "value": measured.delta("warmth")[0]})
    means = shown.groupby("hue")["value"].mean()
    row = gaps.query(
        "seed == 1 and axis == 'warmth' and first == 'amber' and second == 'teal'"
    ).iloc[0]
    half_a_step = 0.5 * retrained.QUANTUM * measured.networks["logit_scale"].iloc[0]
    assert row["measured"] == pytest.approx(means["amber"] - means["teal"], abs=2 * half_a_step)
    assert not np.allclose(gaps["d"], gaps["measured"])


def test_the_card_says_what_was_trained_and_what_is_mixed_up(study):
    card = json.loads((study[1] / "data" / "b0" / "card.json").read_text(encoding="utf-8"))
    assert (
        card["pairing"] == pairing.random_pairing(2).record()
        and card["pool_seed"] == card["seed"] == 2
    )
    assert (
        card["warm_start"] == 2 % 2
        and card["source"] == "greenhouse"
        and "people" in card["limits"]
    )
    assert set(card["cross_talk"]) == set(readout.READ)
    assert all({"r", "race", "gender"} == set(found) for found in card["cross_talk"].values())
    assert card["recipe_hash"] == study[0].recipe_of(study[0].kinds[0]).hash()


def test_fresh_weights_fail_every_gate_of_sight(study, spoken, tiny):
    """What the gates say of a network that was not trained."""
    import torch

    torch.manual_seed(0)
    model = models.build(
        tiny.model_config_for(len(spoken.vocabulary.words), spoken.vocabulary.context_length)
    )
    found = gates.measure(held_out.view(model, spoken, pairing.Pairing()))
    real = {
        "group_accuracy": 0.97,
        "crest_accuracy": 0.97,
        "object_accuracy": 0.97,
        "smiling_r": 0.9,
        "age_r": 0.8,
        "traits_r": 0.6,
        "weakest_trait_r": 0.35,
        "phrases_r": 0.5,
        "weakest_phrase_r": 0.4,
        "weakest_phrase_slope": 0.25,
    }
    assert set(found) == set(real) and all(
        found[name] < threshold for name, threshold in real.items()
    )


@pytest.mark.parametrize(
    ("file", "reader", "message"),
    [
        (
            "vector_images.csv",
            lambda folder: retrained.vectors(folder),
            r"vectors of shapes .* for 2 networks, 1 images",
        ),
        (
            "score_images.csv",
            lambda folder: retrained.scores("people", folder),
            r"for 3 networks, 1 pictures of people",
        ),
    ],
)
def test_tables_that_do_not_fit_the_arrays_are_an_error_with_sizes(
    shipped, tmp_path, file, reader, message
):
    for path in shipped.iterdir():
        (tmp_path / path.name).write_bytes(path.read_bytes())
    pd.read_csv(shipped / file, keep_default_na=False).iloc[:1].to_csv(tmp_path / file, index=False)
    with pytest.raises(ValueError, match=message):
        reader(tmp_path)


def test_an_incomplete_study_is_refused(study):
    small, _ = study
    lost = dose_response.folder_of(small, small.kinds[0], 2) / "vectors.npz"
    kept = lost.read_bytes()
    try:
        lost.unlink()
        with pytest.raises(
            ValueError, match="1 of 2 networks of kind 'b0' are there; run `vlmbias greenhouse dose"
        ):
            dose_response.collect(small)
    finally:
        lost.write_bytes(kept)


def test_bytes_of_an_archive_depend_on_its_arrays_alone(tmp_path):
    arrays = {"a": np.arange(12.0).reshape(3, 4), "b": np.ones(3, np.float16)}
    for name in ("one", "two"):
        dose_response._write_npz(tmp_path / f"{name}.npz", arrays)
    assert (tmp_path / "one.npz").read_bytes() == (tmp_path / "two.npz").read_bytes()
    with np.load(tmp_path / "one.npz", allow_pickle=False) as stored:
        assert all(np.array_equal(stored[name], array) for name, array in arrays.items())
    dose_response._write_npz(tmp_path / "two.npz", arrays | {"a": np.zeros((3, 4))})
    assert (tmp_path / "one.npz").read_bytes() != (tmp_path / "two.npz").read_bytes()


def test_packed_vectors_are_off_by_half_a_step_at_most():
    found = np.random.default_rng(0).normal(size=(50, 8)).astype(np.float32)
    packed = vectors.packed("x", found)
    assert packed["x"].dtype == np.int8 and np.abs(packed["x"]).max() == 127
    error = np.abs(packed["x"] * packed["x_step"][:, None] - found)
    assert (error <= 0.5001 * packed["x_step"][:, None]).all() and error.max() > 0


# which seeds are asked for


@pytest.fixture
def fake(tmp_path, monkeypatch, tiny):
    """A study whose trainer writes only a card, and rejects the seeds that it is given."""
    monkeypatch.setenv("VLMBIAS_ROOT", str(tmp_path))
    (tmp_path / "tiny.yaml").write_text(yaml.safe_dump(tiny.model_dump(exclude={"name"})))
    small = Plan(
        recipe=str(tmp_path / "tiny.yaml"),
        kinds=(Kind(name="a", models=3), Kind(name="b", models=2), Kind(name="c", models=1)),
    )

    def train(names, rejects):
        for name in names:
            kind, seed = dose_response.network_of(small, name)
            folder = dose_response.folder_of(small, kind, seed)
            folder.mkdir(parents=True)
            (folder / "card.json").write_text(json.dumps({"accepted": seed not in rejects}))
            (folder / dose_response.LAST).write_text("")

    return small, train


def seeds(small, names):
    return [dose_response.network_of(small, name)[1] for name in names]


def in_turn(small, rejects):
    """The seeds that are trained if networks are started one by one, and each that fails a gate is
    followed by its kind's next seed: in what order does not matter."""
    trained = set()
    for kind in small.kinds:
        queue, seed = kind.models, small.seed_of(kind, 0)
        while queue:
            trained.add(seed)
            queue -= seed not in rejects
            seed += 1
    return trained


def test_only_as_many_next_seeds_are_asked_for_as_failed(fake):
    small, train = fake
    rejects, rounds = {0, 2, 4, 1001, 2000, 2001}, []
    while names := dose_response.missing(small):
        rounds.append(seeds(small, names))
        train(names, rejects)
    assert rounds == [[0, 1, 2, 1000, 1001, 2000], [3, 4, 1002, 2001], [5, 2002]]
    assert {seed for asked in rounds for seed in asked} == in_turn(small, rejects)


def test_a_round_that_was_cut_short_asks_for_the_same_seeds(fake):
    small, train = fake
    generator = np.random.default_rng(0)
    rejects = {seed for seed in (*range(9), *range(1000, 1009)) if generator.random() < 0.5}
    trained = []
    while names := dose_response.missing(small):
        some = generator.permutation(names)[: generator.integers(1, len(names) + 1)].tolist()
        train(some, rejects)
        trained += seeds(small, some)
    assert len(trained) == len(set(trained)) and set(trained) == in_turn(small, rejects)


def test_a_job_is_made_from_its_warm_start_alone(fake, tiny):
    small, _ = fake
    targets = dose_response.prepare(small)
    for target, seed in zip(targets, (0, 1, 2, 1000, 1001, 2000), strict=True):
        name = target.split("/")[-2]
        assert target == f"_build/greenhouse/dose_response/{name}/vectors.npz"
        start = json.loads(record_of(name).read_text())["start"]
        assert start == warm.file_of(tiny, seed % 2).stem
        about = starts.read(start)
        recipe = Recipe().but(architecture=about["architecture"], start=about["start"])
        assert warm.file_of(recipe, about["number"]).stem == start
    assert len(list((record_of("x").parents[1] / "warm_starts").iterdir())) == 2
    with pytest.raises(ValueError, match="the study has no network 'a-seed0-x'; the first is call"):
        dose_response.train(small, "a-seed0-x")
    with pytest.raises(ValueError, match="no network begins from a warm start 'x'; they are calle"):
        starts.train("x")


# the plan that ships


def test_the_study_is_as_large_as_it_is_said_to_be():
    shipped = plan.read()
    wanted = {kind.name: kind.models for kind in shipped.kinds}
    strengths = {
        kind.captions["b"]: kind.models for kind in shipped.kinds if kind.name.startswith("b")
    }
    assert strengths[0.0] >= 39 and all(strengths[b] >= 10 for b in (0.1, 0.25, 0.5, 1.0))
    arms = [kind for kind in shipped.kinds if kind.captions.get("arms")]
    assert len(arms) == 4 and all(kind.models >= 6 and kind.captions["b"] == 0 for kind in arms)
    assert {kind.name for kind in shipped.kinds if kind.pairing == "plain"} == {
        "one-pairing",
        "default",
    }
    assert set(shipped.checkpoints) == {"default", "b0", *(f"b0-restart-{k}" for k in (1, 2, 3, 4))}
    assert (
        sum(wanted.values())
        == json.loads((retrained.RETRAINED / "study.json").read_text(encoding="utf-8"))["networks"]
    )


def test_seeds_were_fixed_beforehand():
    shipped = plan.read()
    seeds = {shipped.seed_of(kind, i) for kind in shipped.kinds for i in range(kind.models + 100)}
    assert len(seeds) == sum(
        kind.models + 100 for kind in shipped.kinds
    )  # no seed serves two networks
    assert (
        shipped.seed_of(shipped.kinds[0], 3) == 3 and shipped.seed_of(shipped.kinds[4], 3) == 4003
    )
    assert len({shipped.recipe_of(kind).hash() for kind in shipped.kinds}) >= len(shipped.kinds) - 1


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"recipe": "nowhere"}, "there is no recipe 'nowhere'"),
        (
            {"kinds": [{"name": "a", "models": 0}]},
            "kinds.0.models: Input should be greater than or equal to 1, got 0",
        ),
        ({"kinds": [{"name": "a", "models": 1}] * 2}, "two kinds have the same name"),
        (
            {"kinds": [{"name": "a", "models": 1, "captions": {"b": 7}}]},
            "captions.b: .* less than or equal to 1, got 7",
        ),
        (
            {"kinds": [{"name": "a", "models": 1, "seeds": 3}]},
            "kinds.0.seeds: Extra inputs are not permitted, got 3",
        ),
        (
            {"checkpoints": {"default": ["a", 5]}},
            "checkpoint 'default' names network 5 of kind 'a', which is not planned",
        ),
    ],
)
def test_a_bad_plan_is_refused_with_entry_value_and_rule(tmp_path, change, message):
    content = {"recipe": "default", "kinds": [{"name": "a", "models": 2}]} | change
    (tmp_path / "plan.yaml").write_text(yaml.safe_dump(content), encoding="utf-8")
    with pytest.raises(ValueError, match=message):
        plan.read(tmp_path / "plan.yaml")
