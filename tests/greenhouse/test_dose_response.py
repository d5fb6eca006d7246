"""A miniature study from its plan to the tables and back: rejected networks replaced, the same
bytes each time."""

import json
from dataclasses import replace

import jobs
import numpy as np
import pandas as pd
import pytest
import yaml
from miniature import few_pictures

from greenhouse import campaign, panel, retrained
from greenhouse import study as studies
from greenhouse.train import gates, held_out, produce
from greenhouse.train import model as models
from greenhouse.train.recipe import Recipe
from greenhouse.world import faces, grid, pairing, truth
from greenhouse.world.bias import DATA

SHIPPED_DEFAULT = DATA / "default"


@pytest.fixture(scope="module")
def study(tmp_path_factory, tiny):
    """Three networks of two kinds, and a fourth that failed a gate; where all is kept."""
    place = tmp_path_factory.mktemp("study")
    with few_pictures() as patch:
        measure, judged = gates.measure, []

        def measured(*given, **rest):
            judged.append(1)
            return measure(*given, **rest) | ({"age_r": -3.0} if len(judged) == 1 else {})

        patch.setattr(gates, "measure", measured)
        patch.setenv("VLMBIAS_ROOT", str(place))
        patch.setattr(studies, "DATA", place / "data")
        patch.setattr(studies, "RETRAINED", place / "data" / "retrained")
        (place / "tiny.yaml").write_text(yaml.safe_dump(tiny.model_dump(exclude={"name"})))
        small = studies.plan(
            {
                "recipe": str(place / "tiny.yaml"),
                "checkpoints": {"default": ("b1", 0), "b0": ("b0", 1)},
                "kinds": [
                    {"name": "b0", "models": 2, "shows": 1, "captions": {"b": 0.0}},
                    {
                        "name": "b1",
                        "models": 1,
                        "captions": {"b": 1.0, "arms": {"neutral": 0.5}},
                        "pairing": "plain",
                    },
                ],
            }
        )
        with pytest.raises(
            ValueError, match="0 of 2 networks of kind 'b0' are there; run `vlmbias campaign dose"
        ):
            studies.collect(small)
        assert not (place / "data").exists()
        while missing := small.missing():
            jobs.run(missing)
        studies.collect(small)
        yield small, place


def folder_of(small, kind, seed):
    slot = small.kinds[kind]
    return slot.job(seed - slot.seed).folder


@pytest.fixture
def shipped(study):
    return study[1] / "data" / "retrained"


def test_a_rejected_network_is_listed_and_replaced_by_the_next_seed(shipped):
    every, kept = (
        retrained.networks(shipped, pairing=None, rejected=rejected) for rejected in (True, False)
    )
    assert every["kind"].tolist() == ["b0", "b0", "b0", "b1"]
    assert every["seed"].tolist() == [0, 1, 2, 1000]
    assert every["accepted"].tolist() == every["kept"].tolist() == [False, True, True, True]
    assert every["age_r"].iloc[0] == -3 and kept["seed"].tolist() == [1, 2, 1000]
    assert kept["b"].tolist() == [0, 0, 1] and kept["shows"].tolist() == [True, False, False]
    assert kept["condition"].tolist() == ["none", "none", "neutral"]
    assert kept["condition_strength"].tolist() == [0, 0, 0.5]
    about = json.loads((shipped / "study.json").read_text(encoding="utf-8"))
    assert about["networks"] == 3 and about["rejected"] == 1


def test_every_network_drew_its_pairing_or_is_plain_as_asked_and_the_drawn_are_read(shipped):
    every = retrained.networks(shipped, pairing=None)
    assert every["pairing"].tolist() == ["drawn", "drawn", "plain"]
    for row in every.to_dict("records"):
        expected = pairing.Pairing() if row["kind"] == "b1" else pairing.random_pairing(row["seed"])
        assert tuple(row[f"paint_{hue}"] for hue in grid.HUES) == expected.paints
        assert tuple(row[f"drawing_{crest}"] for crest in grid.CRESTS) == expected.drawings
    for reader in (retrained.networks, retrained.gaps, retrained.recovery):
        assert set(reader(shipped)["seed"]) == {1, 2}
        assert set(reader(shipped, pairing="plain")["seed"]) == {1000}
    with pytest.raises(ValueError, match="pairing='fixed'"):
        retrained.networks(shipped, pairing="fixed")


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
    assert study[0].missing() == []
    every = [job for kind in study[0].kinds.values() for job, _ in kind.finished()]
    assert jobs.run(every) == [] and len(every) == 4  # asked for again: at once
    studies.collect(study[0])
    assert contents() == before


def test_checkpoints_are_the_accepted_networks_that_the_plan_names(study):
    small, place = study
    for name, kind, seed in (("default", "b1", 1000), ("b0", "b0", 2)):
        folder = folder_of(small, kind, seed)
        files = {path.name: path.read_bytes() for path in (place / "data" / name).iterdir()}
        assert set(files) == set(campaign.CHECKPOINT_FILES)
        assert not (folder / "partial.safetensors").exists()  # the state of a run that ended
        assert all((folder / file).read_bytes() == content for file, content in files.items())
        assert json.loads(files["card.json"])["seed"] == seed


def test_vectors_read_back_within_half_a_step(study, shipped, spoken):
    read = retrained.vectors(shipped)
    assert read.networks["seed"].tolist() == [1, 2]  # an arm's networks have none
    assert len(read.images) == len(panel.images())
    assert len(read.words) == len(panel.words(spoken)[0])
    sentences = panel.words(spoken)[1]
    for row, network in enumerate(read.networks.to_dict("records")):
        folder = folder_of(study[0], "b0", network["seed"])
        model, one = models.load(folder)[0], pairing.random_pairing(network["seed"])
        seen = models.embed_pictures(model, panel.pictures(one, 32))
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


def test_vectors_are_chosen_by_network_picture_and_word(shipped):
    read = retrained.vectors(shipped)
    one, pictures, words = read.where(read.networks["seed"] == 2), [5, 1], [2, 0, 7]
    assert one.networks["seed"].tolist() == [2] and len(one.images) == len(read.images)
    expected = read.image_vectors[1, pictures] @ read.word_vectors[1, words].T
    found = one.cosines(np.array(pictures), np.array(words))
    np.testing.assert_allclose(found, expected[None], atol=1e-6)
    for axis in ("warmth", "positive_communion"):  # a word may stand under several axes
        assert "trustworthy" in set(read.words["word"].iloc[read.words_of(axis)])
    kin = read.words.iloc[read.words_of("teal", slot="race_kin")]
    assert set(kin["slot"]) == {"race_kin"} and kin["axes"].str.contains("teal").all()
    assert read.words["word"].iloc[-1] == ""  # the neutral prompts: not a missing word


def test_scores_read_back_as_mean_cosines_with_nothing_where_a_set_was_not_shown(
    study, shipped, spoken
):
    read = retrained.scores("grid", shipped, pairing=None)
    assert read.scores.shape == (3, len(read.images), len(retrained.COLUMNS))
    assert read.networks["shows"].any()
    everywhere = (read.images["set"] == "grid").to_numpy()
    assert set(read.images["set"]) == {"grid", "leak", "fairface", "utkface"}
    assert np.isfinite(read.scores[:, everywhere]).all()
    for row, shows in enumerate(read.networks["shows"]):
        assert np.isfinite(read.scores[row, ~everywhere]).all() == shows
        assert np.isnan(read.scores[row, ~everywhere]).all() != shows
    people = retrained.scores("people", shipped, pairing=None)
    assert people.scores.shape == (3, 6 * 8, len(retrained.AXES))
    assert np.isfinite(people.scores).all()
    model = models.load(folder_of(study[0], "b0", 1))[0]
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


def test_fresh_weights_fail_every_gate(study, spoken, tiny):
    """Gates of the study let everything through: thresholds are read from the shipped card."""
    import torch

    torch.manual_seed(0)
    size = len(spoken.vocabulary.words), spoken.vocabulary.context_length
    view = held_out.view(models.build(tiny.model_config_for(*size)), spoken, pairing.Pairing())
    found = gates.measure(view)
    printed = json.loads((SHIPPED_DEFAULT / "card.json").read_text())["gates"]
    assert all(found[name] < gate["threshold"] for name, gate in printed.items())


@pytest.fixture
def fake(tmp_path, monkeypatch, tiny):
    """A study whose trainer writes only that it is done, and rejects the seeds that it is given."""
    monkeypatch.setenv("VLMBIAS_ROOT", str(tmp_path))
    (tmp_path / "tiny.yaml").write_text(yaml.safe_dump(tiny.model_dump(exclude={"name"})))
    kinds = [{"name": name, "models": n} for name, n in (("a", 3), ("b", 2), ("c", 1))]
    small = studies.plan({"recipe": str(tmp_path / "tiny.yaml"), "kinds": kinds, "checkpoints": {}})

    def train(some, rejects):
        for job in some:
            job.folder.mkdir(parents=True)
            accepted = job.about["seed"] not in rejects
            (job.folder / campaign.DONE).write_text(json.dumps({"accepted": accepted}))

    return small, train


def seeds(some):
    return [job.about["seed"] for job in some]


def in_turn(small, rejects):
    """The seeds that are trained if networks are started one by one, and each that fails a gate is
    followed by its kind's next seed: in what order does not matter."""
    trained = set()
    for slot in small.kinds.values():
        queue, seed = slot.wanted, slot.seed
        while queue:
            trained.add(seed)
            queue -= seed not in rejects
            seed += 1
    return trained


def test_a_round_that_was_cut_short_asks_for_the_same_seeds(fake):
    small, train = fake
    generator = np.random.default_rng(0)
    rejects = {seed for seed in (*range(9), *range(1000, 1009)) if generator.random() < 0.5}
    trained = []
    while missing := small.missing():
        some = generator.permutation(len(missing))[: generator.integers(1, len(missing) + 1)]
        train([missing[k] for k in some], rejects)
        trained += seeds([missing[k] for k in some])
    assert len(trained) == len(set(trained)) and set(trained) == in_turn(small, rejects)


def test_after_the_last_attempt_no_other_seed_is_asked_for(fake):
    small, train = fake
    slot, rounds = replace(small.kinds["c"], attempts=2), []
    while missing := slot.missing():
        rounds.append(seeds(missing))
        train(missing, {2000, 2001})
    assert rounds == [[2000], [2001]] and [done["accepted"] for _, done in slot.finished()] == [
        False,
        False,
    ]


def test_jobs_are_prepared_with_the_warm_starts_that_they_begin_from(fake):
    small, _ = fake
    some = small.missing()
    targets = campaign.prepare(some)
    assert targets == [f"_build/campaign/dose-response/{job.name}/done.json" for job in some]
    starts = {campaign.read("dose-response", job.name)["begins_from"] for job in some}
    assert len(starts) == 2
    for name in starts:
        about = campaign.read("starts", name)
        recipe = Recipe().but(architecture=about["architecture"], start=about["start"])
        assert campaign.start_of(recipe, about["number"]).name == name
    for unknown in ("a-seed0-x", "../a"):
        with pytest.raises(ValueError, match=f"nobody asked for the job '{unknown}'"):
            campaign.run("dose-response", unknown, pytest.fail)
