"""What printed digits give away, and lines fitted by scipy."""

import numpy as np
import pandas as pd
import pytest
from scipy import stats
from test_smiling import faces_of, seen_of

import vlmbias as vb
from studies.causalface import smiling
from vlmbias.papers import CAUSALFACE

PRINTED = vb.ledger.table("causalface/smiling").set_index("claim")["printed"]


def test_rounding_is_carried_to_its_ends():
    texts = {"se": "5.0e-01", "const.se": "1.0e+00"}
    found = smiling.implied(
        {f"smiling.table_b1.a.{part}": text for part, text in texts.items()}, "a"
    )
    assert (found["rms_low"], found["rms_high"]) == pytest.approx((0.95 / 0.505, 1.05 / 0.495))


def test_the_table_was_made_over_the_levels_that_its_rows_name_but_for_lighting():
    levels = {"smile_positive": smiling.SMILES, "smile_negative": smiling.SMILES}
    levels |= {"pose_left": (-3, -1.5, 0), "pose_right": (0, 1.5, 3), "lighting": range(-1, 7)}
    for row, own in levels.items():
        found = smiling.implied(PRINTED, row)
        fits = found["rms_low"] <= smiling.rms(own) <= found["rms_high"]
        assert fits == (row != "lighting"), row
    found = smiling.implied(PRINTED, "lighting")  # the number of the row stood for the level
    assert found["rms_low"] < smiling.rms(range(153_600)) < found["rms_high"]
    with pytest.raises(ValueError, match="'about one' is printed, and is no number"):
        altered = {"smiling.table_b1.pose_left.const.se": "about one"}
        smiling.implied(dict(PRINTED) | altered, "pose_left")


def test_the_number_of_pairs_follows_from_r_and_p():
    for r, n in ((0.4, 5), (-0.54, 10), (0.7, 6)):
        p = 2 * stats.t.sf(abs(r) * np.sqrt((n - 2) / (1 - r**2)), n - 2)
        assert smiling.cases_that_fit(f"{r:.4f}", f"{p:.4f}") == [n]
    size, n = np.linspace(0.095, 0.105, 2_001)[:, None], np.arange(3, 200)
    p = 2 * stats.t.sf(size * np.sqrt((n - 2) / (1 - size**2)), n - 2)
    fitting = n[((p >= 0.325) & (p <= 0.335)).any(axis=0)].tolist()
    assert smiling.cases_that_fit("0.10", "0.33") == fitting
    assert len(fitting) > 3
    assert smiling.cases_that_fit("0.10", "0.33", most=fitting[2]) == fitting[:3]


def test_the_printed_p_values_fit_ten_smiles_and_five_poses():
    fitting = {}
    for name in ("smiling.communion", "pose.belief"):  # the only p that are printed as numbers
        r, p = (PRINTED[f"smiling.table_s2.{name}.{part}"] for part in ("r", "p"))
        fitting[name] = smiling.cases_that_fit(r, p)
    assert fitting == {"smiling.communion": [10], "pose.belief": [5]}


def test_lines_go_through_level_means_or_through_every_word_of_an_image():
    seen = seen_of(faces_of())
    delta, table = seen.delta(), smiling.lines(seen)
    per_word = seen.cosines - seen.neutral()[:, None]
    sides = [name for name in delta if name not in ("warmth", "competence")]
    negative = [name for name in delta if name not in CAUSALFACE.positive]
    chosen = {
        "smile_positive": ("smiling", list(CAUSALFACE.positive), -9, 9),
        "smile_negative": ("smiling", negative, -9, 9),
        "lighting": ("lighting", sides, -9, 9),
        "pose_left": ("pose", sides, -9, 0),
        "pose_right": ("pose", sides, 0, 9),
    }
    assert table.index.tolist() == list(chosen)
    for name, (attribute, dimensions, low, high) in chosen.items():
        used = seen.table["subset"].isin([attribute, "prototype"])
        used &= seen.table[attribute].between(low, high)
        x = seen.table.loc[used, attribute]
        if attribute == "smiling":  # a mean per level and theory
            parts = [[n for n in dimensions if (n in sides) == of] for of in (False, True)]
            means = [delta.loc[used, own].mean(axis=1).groupby(x).mean() for own in parts if own]
            y = pd.concat(means)
        else:
            words = seen.words["dimension"].isin(dimensions).to_numpy()
            each = pd.DataFrame(per_word[used][:, words], index=x)
            y = each.melt(ignore_index=False)["value"]
        fit, n = stats.linregress(y.index, y), len(y)
        t = abs(fit.intercept / fit.intercept_stderr)
        own = {"coef": fit.slope, "se": fit.stderr, "p": fit.pvalue, "r2": fit.rvalue**2, "n": n}
        own |= {"const.coef": fit.intercept, "const.se": fit.intercept_stderr}
        own["const.p"] = 2 * stats.t.sf(t, n - 2)
        assert table.loc[name].to_dict() == pytest.approx(own)


def test_a_slope_is_that_of_the_levels_asked_for():
    own = smiling.trajectory(100 * seen_of(faces_of()).delta(), faces_of(), "smiling")
    means = own.mean()[["warmth", "competence"]].mean(axis=1)
    for low, high in ((-np.inf, np.inf), (-np.inf, 0), (0, np.inf)):
        part = means[(means.index >= low) & (means.index <= high)]
        found = smiling.slope(own, ["warmth", "competence"], low=low, high=high)
        assert found == pytest.approx(np.polyfit(part.index, part, 1)[0])
