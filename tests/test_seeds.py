"""Another seed, another result; the same seed, the same result: for every public function that
takes one."""

import ast
import importlib
import inspect
import pkgutil
from functools import cache

import numpy as np
import pandas as pd
import pytest

import greenhouse
import studies
import vlmbias as vb
from greenhouse import association_tests, linear_probe
from greenhouse.train import pool
from greenhouse.train.recipe import PicturePool
from greenhouse.world import grid, nuisance, pairing, truth
from studies import associations
from studies.american_white import implicit_bias, reported, states
from studies.causalface import age, stimuli
from studies.causalface import smiling as course
from studies.greenhouse import null_tests, recovery
from studies.pretraining import downstream, effect_sizes, twin, upstream
from vlmbias.inference import clustered, resampling
from vlmbias.measures import tails

NAMES = {"seed", "rng"}
_RNG = np.random.default_rng(0)
X, Y = _RNG.normal(0.4, 1, (12, 6)), _RNG.normal(0, 1, (11, 6))
A, B = _RNG.normal(size=(9, 6)), _RNG.normal(size=(8, 6))
SCORES, OTHERS = _RNG.normal(0.3, 1, 30), _RNG.normal(0, 1, 25)
GROUPS = np.repeat(["amber", "lime", "teal"], [9, 8, 13])
CENSUS = pd.DataFrame(_RNG.dirichlet([2, 1, 4], 6), columns=["amber", "lime", "teal"])
DESIGN = pd.DataFrame({"Intercept": 1.0, "u": _RNG.normal(size=30), "v": _RNG.normal(size=30)})
TABLE = pd.DataFrame(
    {
        "group": np.tile(["a", "b"], 40),
        "level": np.repeat(range(4), 20),
        "age": np.repeat(range(4), 20),
        "warmth": _RNG.normal(size=80),
    }
)
FOUND = {"hue": _RNG.normal(0.1, 1, (14, 3, 4)), "crest": _RNG.normal(0.1, 1, (14, 3, 2))}
TESTS = {"one": vb.eat(X, Y, A, B, n_permutations=50)}
FACES = pd.DataFrame(
    {
        "seed": np.repeat(range(8), 3),
        "smile": np.tile([0.0, 1, 2], 8),
        "subset": "smile",
        "race": "teal",
        "gender": "plain",
    }
)

# the function, and a call of it with a seed; where it takes a generator, one of that seed
CALLS = {
    clustered.bootstrap: lambda s: clustered.bootstrap(
        SCORES, DESIGN, GROUPS, n_resamples=4, seed=s
    ),
    clustered.joint: lambda s: (
        clustered.joint(SCORES, DESIGN, ["u"], n_permutations=199, seed=s).p_permuted
    ),
    resampling.cluster_weights: lambda s: vb.cluster_weights(GROUPS, n_resamples=4, seed=s),
    vb.AssociationTest.confidence_interval: lambda s: TESTS["one"].confidence_interval(
        n_resamples=40, seed=s
    ),
    vb.eat: lambda s: vb.eat(X, Y, A, B, n_permutations=500, seed=s).p_value,
    vb.sc_eat: lambda s: vb.sc_eat(X[0], A, B, n_permutations=500, seed=s).p_value,
    tails.permutation_tail: lambda s: vb.measures.permutation_tail(
        SCORES, 12, n_permutations=500, seed=s
    ),
    states.balanced: lambda s: states.balanced(GROUPS, size=5, n=4, seed=s),
    implicit_bias.simulated: lambda s: implicit_bias.simulated(
        {"a": SCORES}, slopes={"a": 1.0}, n=2, seed=s
    ),
    reported.from_probabilities: lambda s: (
        reported.from_probabilities(
            pd.Series(np.linspace(0.2, 0.8, 30)), pd.Series(GROUPS), seed=s
        ).groups
    ),
    reported.printed: lambda s: reported.printed(vb.ledger.claim, seed=s).groups,
    associations.with_intervals: lambda s: associations.with_intervals(
        TESTS, scale=1.0, n_resamples=40, seed=s
    ),
    associations.different_people: lambda s: associations.different_people(
        _fixed((4, 24)), np.arange(12).reshape(6, 2), np.arange(12, 24).reshape(6, 2), rng=rng(s)
    ),
    associations.misfiled: lambda s: associations.misfiled(
        SCORES, OTHERS, [0.2], n_draws=9, seed=s, pooled=True
    ),
    age.equal_per_age: lambda s: age.equal_per_age(TABLE["age"] % 3, min_count=2, seed=s),
    stimuli.by_chance: lambda s: stimuli.by_chance(np.sign(_fixed((8, 6, 6))), n=3, seed=s),
    recovery.exchanged: lambda s: recovery.exchanged(FOUND, rng=rng(s)),
    recovery.false_positive_rates: lambda s: recovery.false_positive_rates(
        FOUND, [4], seed=s, n_subsets=9, n_draws=30
    ),
    recovery.likeness: lambda s: recovery.likeness(FOUND, seed=s, n_draws=30),
    downstream.families: lambda s: downstream.families(list("aabbbc"), n_resamples=4, seed=s),
    effect_sizes.interval: lambda s: effect_sizes.interval(
        [SCORES, OTHERS], [np.arange(30), np.arange(25)], ddof=1, n_resamples=40, seed=s
    ),
    association_tests.tails: lambda s: association_tests.tails(
        _fixed((4, 30)), 12, n_permutations=300, seed=s
    ),
    linear_probe.sample: lambda s: linear_probe.sample(40, first_seed=5, seed=s),
    pool.people: lambda s: pool.people(PicturePool(faces=64), seed=s),
    truth.population: lambda s: truth.population(40, seed=s),
    grid.observational: lambda s: grid.observational("fairface", 40, s),
    grid.fairface: lambda s: grid.fairface(40, s),
    grid.utkface: lambda s: grid.utkface(40, s),
    course.trajectory: lambda s: course.trajectory(
        pd.DataFrame({"warmth": SCORES[:24]}), FACES, "smile", n=4, seed=s
    ),
    downstream.over_models: lambda s: downstream.over_models(printed(), n_resamples=40, seed=s),
    downstream.explained: lambda s: downstream.explained(
        CENSUS.assign(performance=SCORES[:6]), {"amber": ["amber"]}, n_resamples=9, seed=s
    ),
    twin.generate: lambda s: twin.generate(*cells(), seed=s),
    upstream.joint: lambda s: upstream.joint(
        upstream.prepared(printed()), n_permutations=99, seed=s
    ),
    null_tests.permuted_means: lambda s: (
        null_tests.permuted_means(
            {"hue": list(_fixed((2, 3, 6, 4, 2, 3)))}, rng=rng(s), n_permutations=99
        ).picture
    ),
    nuisance.uniform: lambda s: nuisance.uniform(s, "x"),
    nuisance.spread: lambda s: nuisance.spread(s, "x"),
    nuisance.tint: lambda s: nuisance.tint(s, "x", 0, 1),
    nuisance.noise: lambda s: nuisance.noise(s, "x", 8),
    pairing.random_pairing: lambda s: [pairing.random_pairing(10 * s + k) for k in range(4)],
}


@cache
def cells():
    claims = vb.ledger.load("pretraining")
    return effect_sizes.cells(claims), downstream.printed(claims)["r"].to_dict()


@cache
def printed():
    """A study table with the printed means and correlations."""
    return twin.generate(*cells(), seed=0)


def rng(seed):
    return np.random.default_rng(seed)


def _fixed(shape):
    return np.random.default_rng(5).normal(size=shape)


def fingerprint(found):
    """Whatever a function returned, as text in which every number has all its digits."""
    if isinstance(found, pd.DataFrame | pd.Series):
        return found.to_csv()
    if isinstance(found, np.ndarray):
        return f"{found.shape}{found.tolist()}"
    if isinstance(found, dict):
        return {name: fingerprint(value) for name, value in found.items()}
    if isinstance(found, list | tuple):
        return [fingerprint(value) for value in found]
    if hasattr(found, "__dict__"):
        return fingerprint(vars(found))
    return repr(found)


@pytest.mark.parametrize(
    "function", CALLS, ids=lambda function: f"{function.__module__}.{function.__qualname__}"
)
def test_a_result_depends_on_the_seed_and_on_nothing_else(function):
    found = [fingerprint(CALLS[function](seed)) for seed in (1, 1, 2)]
    assert found[0] == found[1], "the same seed, another result"
    assert any(fingerprint(CALLS[function](seed)) != found[0] for seed in (2, 3, 4)), (
        "the seed is ignored"
    )


def seeded():
    """Every function of the packages, public or not, that takes a seed or a generator, with the
    source of its module."""
    for package in (vb, studies, greenhouse):
        for module in pkgutil.walk_packages(package.__path__, f"{package.__name__}."):
            if module.name.endswith("__main__"):
                continue
            of = importlib.import_module(module.name)
            for node in ast.walk(ast.parse(inspect.getsource(of))):
                if isinstance(node, ast.FunctionDef):
                    given = {one.arg for one in [*node.args.args, *node.args.kwonlyargs]} & NAMES
                    if given:
                        yield f"{module.name}.{node.name}", node, given.pop()


EVERY = {name: (node, given) for name, node, given in seeded()}


def test_a_seed_that_is_asked_for_is_used():
    """Read in the body, and no generator is made there of constants alone."""
    for name, (node, given) in EVERY.items():
        body = [inner for part in node.body for inner in ast.walk(part)]
        names = [inner for inner in body if isinstance(inner, ast.Name)]
        read = {one.id for one in names if isinstance(one.ctx, ast.Load)}
        assert given in read, f"{name} asks for {given} and does not use it"
        for call in (inner for inner in body if isinstance(inner, ast.Call)):
            called = ast.unparse(call.func).rpartition(".")[2]
            if called in ("default_rng", "manual_seed", "RandomState", "Generator"):
                used = {one.id for one in ast.walk(call) if isinstance(one, ast.Name)}
                assert used - {"np", "torch"}, f"{name}: {ast.unparse(call)} ignores the seed"
