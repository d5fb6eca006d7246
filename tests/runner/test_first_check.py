"""The first check of a model: planted causes are named, and noise agrees no more than by chance."""

import numpy as np
import pandas as pd
import pytest

from vlmbias.battery import first_check, listed

NAME = "ViT-B-32-quickgelu/openai"


@pytest.fixture(scope="module")
def values():
    return first_check.published("seat-ieat").query(f"table == {first_check.SHIPPED!r}")


def of(values, model="ViT-B-32_openai"):
    return values[values["model"] == model].set_index("test")


def checked(values, d, *, model=NAME, n=None, **changed):
    """The check of a model that has these effect sizes."""
    about = listed().set_index("test").loc[d.index].reset_index()
    sizes = of(values).loc[d.index, "n"].to_numpy() if n is None else n
    rows = about.assign(effect_size=d.to_numpy(), n_x=sizes, n_y=sizes).to_dict("records")
    return first_check.check({"model": model, "stimuli": "seat-ieat", "rows": rows}, values)


def test_published_values_are_those_of_the_tests_listed_by_hand(values):
    own = of(values)["d"]
    by_hand = {  # read off the three tables; the gender test there has men first
        "gender/all-image": 0.7250783,
        "age/all-image": 0.17784211,
        "instrument-weapon/all-text": 1.215982437133789,
        "race/all-text/half of the names": -0.6402212977409363,
        "race/image-target": -0.25489596,
        "race/text-target/terms": 0.42910144,
        "age/text-target": -0.25569814,
    }
    assert {test: own[test] for test in by_hand} == pytest.approx(by_hand)
    assert len(own) == 18 and values["model"].nunique() == 9
    assert not values.duplicated(["model", "test"]).any()
    assert of(values, "ViT-L-14-336_openai").loc["flower-insect/all-text", "n"] == 350


def test_the_published_model_agrees_with_itself_and_says_so(values):
    found = checked(values, of(values)["d"] + 0.004)
    assert found.agree == 18 and found.tests["explained"].eq("").all()
    assert "18 of 18 tests agree" in found.summary() and "\n" not in found.summary()
    assert found.published_as == "ViT-B-32_openai"
    assert checked(values, of(values)["d"], model="ViT-B-32/random") is None  # nobody published it


def scores(seed, n=6):
    rng = np.random.default_rng(seed)
    return rng.normal(0.4, 1, n), rng.normal(0, 1, n)


@pytest.mark.parametrize(
    ("planted", "how"),
    [
        (lambda x, y: (y.mean() - x.mean()) / np.r_[x, y].std(ddof=1), first_check.EXCHANGED),
        (lambda x, y: (x.mean() - y.mean()) / np.r_[x, y].std(ddof=0), first_check.DIVISOR),
        (
            lambda x, y: (x.mean() - y.mean()) / np.sqrt((x.var(ddof=1) + y.var(ddof=1)) / 2),
            first_check.WITHIN,
        ),
    ],
)
def test_a_planted_cause_is_named(values, planted, how):
    """Values published with another convention, computed from scores and not from d."""
    tests = list(of(values).index)
    pairs = [scores(seed) for seed in range(len(tests))]
    here = pd.Series([(x.mean() - y.mean()) / np.r_[x, y].std(ddof=1) for x, y in pairs], tests)
    theirs = pd.DataFrame(
        {"model": "a_openai", "test": tests, "n": 6, "d": [planted(*one) for one in pairs]}
    ).assign(table="by hand")
    found = checked(pd.concat([theirs, values]), here, model="a/openai", n=6)
    missed = found.tests[~found.tests["agrees"]]
    assert len(missed) > 5 and found.settled and (missed["explained"] == how).mean() > 0.9
    assert f"With {how}, " in found.summary()


def test_pictures_and_sentences_exchanged_are_recognised(values):
    d = of(values)["d"].copy()
    d["age/image-target"], d["age/text-target"] = d["age/text-target"], d["age/image-target"]
    found = checked(values, d)
    assert found.agree == 16
    exchanged = found.tests.loc[["age/image-target", "age/text-target"], "explained"]
    assert exchanged.eq(first_check.OTHER_ORDER).all()


def test_values_of_another_model_are_recognised(values):
    found = checked(values, of(values, "RN50_openai")["d"])
    assert "18 agree with RN50_openai: are these its weights?" in found.summary()


def test_random_weights_agree_nowhere_beyond_chance(values):
    """d of sides that do not differ, as random weights give it."""
    rng, own = np.random.default_rng(0), of(values)
    spread = np.sqrt(2 / own["n"])
    agree = []
    for _ in range(30):
        found = checked(values, pd.Series(rng.normal(0, spread), own.index))
        agree.append(found.agree)
        assert not found.settled
        assert "these are not the weights" in found.summary() or found.agree > found.by_chance
    assert np.mean(agree) < 1


def test_known_reasons_stand_where_no_formula_fits(values):
    rn50 = of(values).reset_index().assign(model="RN50_cc12m")
    d = of(values)["d"] + np.where(np.arange(18) < 12, 0, 0.2)
    found = checked(pd.concat([rn50, values]), d, model="RN50-quickgelu/cc12m")
    assert found.agree == 12 and "another activation" in found.summary()
    assert "train mode" in found.summary()
