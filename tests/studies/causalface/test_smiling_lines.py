"""Lines whose rows are known: their printed digits must give them away, and fits are compared with
numpy's."""

import numpy as np
import pandas as pd
import pytest
from scipy import stats
from test_smiling import faces_of, seen_of

import vlmbias as vb
from studies.causalface import smiling, smiling_lines
from vlmbias.papers import CAUSALFACE

PRINTED = vb.ledger.table("causalface/smiling").set_index("claim")["printed"]


def printed_line(x, digits, seed=1):
    """What Table B.1 would print of a line with noise over x."""
    y = -0.02 + 0.004 * x + np.random.default_rng(seed).normal(scale=0.02, size=len(x))
    fit = stats.linregress(x, y)
    values = {
        "coef": fit.slope,
        "se": fit.stderr,
        "const.se": fit.intercept_stderr,
        "r2": fit.rvalue**2,
    }
    return {f"smiling.table_b1.a.{part}": f"{value:.{digits}e}" for part, value in values.items()}


@pytest.mark.parametrize("n", [10, 240])
@pytest.mark.parametrize("slope", [1, -1])
def test_printed_digits_give_away_rows_and_predictor(n, slope):
    x = slope * np.random.default_rng(n).uniform(-2, 5, n)
    size = np.sqrt((x**2).sum() / n)
    widths = []
    for digits in (1, 3, 7):
        found = smiling_lines.implied(printed_line(x, digits), "a")
        assert (
            found["n_low"] <= n <= found["n_high"] and found["rms_low"] <= size <= found["rms_high"]
        )
        widths.append((found["n_high"] - found["n_low"], found["rms_high"] - found["rms_low"]))
    assert widths[0] > widths[1] > widths[2] and widths[2] < (0.01, 0.001)


def test_rounding_is_carried_to_its_ends():
    texts = {"coef": "-2.0e+00", "se": "5.0e-01", "const.se": "1.0e+00", "r2": "5.0e-01"}
    found = smiling_lines.implied(
        {f"smiling.table_b1.a.{part}": text for part, text in texts.items()}, "a"
    )
    assert found["n_low"] == pytest.approx((1.95 / 0.505) ** 2 * 0.495 / 0.505 + 2)
    assert found["n_high"] == pytest.approx((2.05 / 0.495) ** 2 * 0.505 / 0.495 + 2)
    assert (found["rms_low"], found["rms_high"]) == pytest.approx((0.95 / 0.505, 1.05 / 0.495))


def test_the_table_was_made_from_what_its_rows_say_but_for_lighting():
    table = smiling_lines.audit(PRINTED).set_index("row")
    assert table["n_fits"].all() and table["rms_fits"].to_dict() == {
        name: name != "lighting" for name in table.index
    }
    assert (
        table.loc["lighting", "rms_low"]
        < smiling_lines.rms(range(153_600))
        < table.loc["lighting", "rms_high"]
    )
    assert table.loc["smile_positive", "rms"] == pytest.approx(np.sqrt(41.25 / 10))
    altered = dict(PRINTED) | {"smiling.table_b1.pose_left.const.se": "1.2e-04"}
    assert not smiling_lines.audit(altered).set_index("row").loc["pose_left", "rms_fits"]
    altered = dict(PRINTED) | {"smiling.table_b1.pose_left.r2": "5.5e-02"}
    assert not smiling_lines.audit(altered).set_index("row").loc["pose_left", "n_fits"]


def test_the_number_of_pairs_follows_from_r_and_p():
    for r, n in ((0.4, 5), (-0.54, 10), (0.7, 6)):
        p = 2 * stats.t.sf(abs(r) * np.sqrt((n - 2) / (1 - r**2)), n - 2)
        assert smiling_lines.cases_that_fit(f"{r:.4f}", f"{p:.4f}") == [n]
    size, n = np.linspace(0.095, 0.105, 2_001)[:, None], np.arange(3, 200)
    p = 2 * stats.t.sf(size * np.sqrt((n - 2) / (1 - size**2)), n - 2)
    fitting = n[((p >= 0.325) & (p <= 0.335)).any(axis=0)].tolist()
    assert smiling_lines.cases_that_fit("0.10", "0.33") == fitting and len(fitting) > 3
    assert smiling_lines.cases_that_fit("0.10", "0.33", most=fitting[2]) == fitting[:3]


def test_printed_correlations_have_the_intervals_of_their_levels():
    table = smiling_lines.correlations(PRINTED).set_index(["attribute", "pair"])
    assert table["n"].groupby("attribute").first().to_dict() == {
        "smiling": 10,
        "lighting": 8,
        "pose": 5,
    }
    for (attribute, pair), row in table.iterrows():
        assert row["r"] == float(PRINTED[f"smiling.table_s2.{attribute}.{pair}.r"])
        assert (row["low"], row["high"]) == vb.correlations.interval(row["r"], row["n"])
    fitting = table.loc[table["fitting"].map(len) > 0, "fitting"].to_dict()
    assert fitting == {("smiling", "communion"): (10,), ("pose", "belief"): (5,)}
    with pytest.raises(ValueError, match="'about one' is printed, and is no number"):
        smiling_lines.correlations(dict(PRINTED) | {"smiling.table_s2.pose.belief.r": "about one"})


def test_a_line_is_that_of_scipy_and_clusters_are_identities():
    rng = np.random.default_rng(2)
    clusters, x = np.repeat(np.arange(12), 5), np.tile([-2.0, 0.0, 1.0, 3.0, 4.0], 12)
    y = 0.3 * x + np.repeat(rng.normal(size=12), 5) + rng.normal(size=60)
    found, fit = smiling_lines.line(y, x, clusters), stats.linregress(x, y)
    expected = [
        fit.slope,
        fit.stderr,
        fit.pvalue,
        fit.intercept,
        fit.intercept_stderr,
        fit.rvalue**2,
    ]
    assert [
        found[part] for part in ("coef", "se", "p", "const.coef", "const.se", "r2")
    ] == pytest.approx(expected)
    t = fit.intercept / fit.intercept_stderr
    assert found["const.p"] == pytest.approx(2 * stats.t.sf(abs(t), 58)) and found["n"] == 60
    design = np.column_stack([np.ones(60), x])
    left = (y - design @ [fit.intercept, fit.slope])[:, None] * design
    scores = np.array([left[clusters == k].sum(axis=0) for k in range(12)])
    bread = np.linalg.inv(design.T @ design)
    sandwich = bread @ scores.T @ scores @ bread * (12 / 11) * (59 / 58)
    assert found["clustered"] == pytest.approx(np.sqrt(sandwich[1, 1]))
    assert np.isnan(smiling_lines.line(y, x)["clustered"])


def test_lines_are_fitted_over_level_means_images_and_words():
    seen = seen_of(faces_of())
    delta, table = seen.delta(), smiling_lines.lines(seen).set_index(["row", "unit"])
    assert len(table) == 16 and table["claimed"].sum() == 5
    per_word = seen.cosines - seen.neutral()[:, None]
    chosen = {
        "smile_positive": ("smiling", CAUSALFACE.positive, -9, 9),
        "lighting": ("lighting", smiling_lines.ABC, -9, 9),
        "smile_negative": ("smiling", [n for n in delta if n not in CAUSALFACE.positive], -9, 9),
        "pose_left": ("pose", smiling_lines.ABC, -9, 0),
        "pose_right": ("pose", smiling_lines.ABC, 0, 9),
    }
    for name, (attribute, dimensions, low, high) in chosen.items():
        used = seen.table["subset"].isin([attribute, "prototype"]) & seen.table[attribute].between(
            low, high
        )
        x, words = (
            seen.table.loc[used, attribute],
            seen.words["dimension"].isin(list(dimensions)).to_numpy(),
        )
        each = pd.DataFrame(per_word[used][:, words], index=x)
        images = stats.linregress(x, each.mean(axis=1))
        long = each.melt(ignore_index=False)["value"]
        wide = stats.linregress(long.index, long)
        for unit, fit, n in (("images", images, len(each)), ("images × words", wide, len(long))):
            row = table.loc[(name, unit)]
            assert (row["coef"], row["se"], row["n"]) == pytest.approx((fit.slope, fit.stderr, n))
        parts = [
            part
            for part in (["warmth", "competence"], list(smiling_lines.ABC))
            if set(part) & set(dimensions)
        ]
        theories = [
            delta.loc[used, [one for one in part if one in dimensions]]
            .mean(axis=1)
            .groupby(x)
            .mean()
            for part in parts
        ]
        means = pd.concat(theories)
        row, fit = table.loc[(name, "level means")], stats.linregress(means.index, means)
        assert (row["coef"], row["r2"], row["n"]) == pytest.approx(
            (fit.slope, fit.rvalue**2, len(means))
        )
        assert table.loc[name].index[table.loc[name, "claimed"]].tolist() == [
            "level means" if attribute == "smiling" else "images × words"
        ]
    counter = table.loc[("lighting", "images × words, row number for x")]
    used = (
        seen.table[smiling.series(seen.table, "lighting")]
        .sort_values("lighting", kind="stable")
        .index
    )
    values = per_word[used][:, seen.words["dimension"].isin(smiling_lines.ABC).to_numpy()].ravel()
    assert counter["coef"] == pytest.approx(stats.linregress(np.arange(len(values)), values).slope)


def test_a_slope_is_that_of_the_levels_asked_for():
    own = smiling.trajectory(100 * seen_of(faces_of()).delta(), faces_of(), "smiling")
    means = own.mean()[["warmth", "competence"]].mean(axis=1)
    for low, high in ((-np.inf, np.inf), (-np.inf, 0), (0, np.inf)):
        part = means[(means.index >= low) & (means.index <= high)]
        found = smiling_lines.slope(own, ["warmth", "competence"], low=low, high=high)
        assert found == pytest.approx(np.polyfit(part.index, part, 1)[0])
