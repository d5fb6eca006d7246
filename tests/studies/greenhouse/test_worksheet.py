"""The worksheets' data and answers, against arithmetic with fractions and a loop over rows."""

from fractions import Fraction
from itertools import permutations
from math import sqrt

import numpy as np
import pytest
from scipy import stats

from greenhouse import retrained
from studies.calibration import ieat
from studies.greenhouse import null_tests, worksheet
from vlmbias import ledger


@pytest.fixture(scope="module")
def portraits():
    return retrained.scores("grid")


@pytest.fixture(scope="module")
def table(portraits):
    return worksheet.perceptions(portraits)


def test_the_eight_scores_by_hand():
    """As the worksheet tells a reader to do it, in whole numbers and fractions."""
    flowers, insects = ([a - b for a, b in own.values()] for own in worksheet.INVENTED.values())
    found = worksheet.by_hand()
    gap = Fraction(sum(flowers), 4) - Fraction(sum(insects), 4)
    middle = Fraction(sum(flowers + insects), 8)
    around_all = sum((one - middle) ** 2 for one in flowers + insects)
    around_own = sum(
        (one - Fraction(sum(own), 4)) ** 2 for own in (flowers, insects) for one in own
    )
    assert (found["mean_x"], found["mean_y"]) == (sum(flowers) / 4, sum(insects) / 4)
    assert found["d"] == pytest.approx(float(gap) / sqrt(around_all / 7))
    assert found["d_within"] == pytest.approx(float(gap) / sqrt(around_own / 6))
    orders = [sum(order[:4]) >= sum(flowers) for order in permutations(flowers + insects)]
    assert found["p"] == pytest.approx(np.mean(orders))
    assert found["splits"] == 70


def test_the_table_has_the_columns_of_its_codebook_and_every_picture_once(table):
    assert list(table) == list(worksheet.CODEBOOK)
    cells = table.groupby(["network", "identity", "hue", "picture"]).size()
    assert len(cells) == 8 * 10 * 2 * 5
    assert (cells == 1).all()
    assert not table.isna().any().any()
    assert len(table.to_csv(index=False)) < 50_000


def test_a_row_of_the_table_is_a_picture_of_the_shipped_scores(portraits, table):
    """One cell looked up step by step: the fifth network, the seventh individual, amber, its
    broadest smile."""
    networks, images = portraits.networks, portraits.images
    fifth = networks.index[(networks["condition"] == "none") & (networks["b"] == 0)][4]
    smiling = images[(images["set"] == "grid") & (images["subset"] == "smiling")]
    own = smiling[smiling["seed"] == sorted(smiling["seed"].unique())[6]]
    own = own.query("race == 'amber' and gender == 'eared'")
    seen = portraits.scores[fifth, own["smiling"].idxmax()].astype(float)
    gap = seen[portraits.columns.index("warmth")] - seen[portraits.columns.index("neutral")]
    cell = "network == 5 and identity == 7 and hue == 'amber' and picture == 'smile'"
    assert table.query(cell)["warmth"].item() == pytest.approx(100 * gap, abs=0.006)


def test_the_planted_misprint_is_the_only_impossible_row():
    """What pairs are to find by hand: one p that is no whole number of splits."""
    printed = ledger.table("calibration/ieat").set_index("claim")["printed"].astype(float)
    assert ieat.limits(printed)["whole"].all()
    name = worksheet.MISPRINT[0]
    changed = worksheet.misprinted(printed[name])
    shown = [sorted(f"{value:.6f}") for value in (printed[name], changed)]
    assert shown[0] == shown[1]
    assert f"{changed:.6f}" != f"{printed[name]:.6f}"
    printed[name] = changed
    rows = ieat.limits(printed)
    assert (~rows["whole"]).sum() == 1
    assert rows["within"].all()
    counted = changed * 924  # rounding to six digits moves it by less than a thousandth
    assert 0.01 < counted % 1 < 0.99


def test_at_a_stricter_level_fewer_results_are_significant_and_most_networks_keep_one(portraits):
    """As the notes on the fourth task of session 3 say, for the medians over kinds of test."""
    networks = portraits.networks
    nulls = null_tests.pictures(portraits, (networks["condition"] == "none") & (networks["b"] == 0))
    answers = null_tests.ask(nulls, seed=0, n_permutations=100, n_resamples=20)
    within = {
        alpha: null_tests.within_networks(answers, alpha=alpha)
        .groupby("unit")[["significant", "rate"]]
        .median()
        for alpha in (0.05, 0.01)
    }
    assert (within[0.01]["significant"] < within[0.05]["significant"]).all()
    assert within[0.01].loc["identity", "rate"] > 0.5
    over = null_tests.over_networks(
        answers, [len(nulls.prototypes)], seed=0, alpha=0.01, n_draws=50
    )
    assert over["rate"].median() <= 0.01


@pytest.mark.parametrize("dimension", worksheet.DIMENSIONS)
def test_the_answers_are_those_of_a_reader_with_a_sheet_or_a_spreadsheet(table, dimension):
    """On paper the middle two sizes, and the sum over the rows; in a spreadsheet paired t-tests,
    and over networks against zeros."""
    solved = worksheet.in_one_network(table, dimension)
    for change, values in worksheet.sheet(table, dimension).items():
        sizes, half = [abs(value) for value in values], len(values) // 2
        assert sizes == sorted(sizes)
        assert solved.loc[change, ["up", "down", "pairs"]].tolist() == [
            sum(one > 0 for one in values),
            sum(one < 0 for one in values),
            len(values),
        ]
        assert solved.loc[change, "absdiff"] == pytest.approx((sizes[half - 1] + sizes[half]) / 2)
        assert solved.loc[change, "signed"] == pytest.approx(sum(values) / len(values))
    value = table.set_index(["network", "identity", "hue", "picture"])[dimension]
    amber, teal = (
        np.array([[value[n, who, hue, "neutral"] for who in range(1, 11)] for n in range(1, 9)])
        for hue in ("amber", "teal")
    )
    assert solved.loc["hue", "signed"] == pytest.approx(np.mean(amber[0] - teal[0]))
    smiles = value.xs("smile", level="picture")[1] - value.xs("frown", level="picture")[1]
    assert solved.loc["smile", "signed"] == pytest.approx(smiles.mean())
    over = worksheet.over_identities(table, dimension).set_index("network")
    assert over["p"].tolist() == pytest.approx(stats.ttest_rel(amber, teal, axis=1).pvalue)
    means = (amber - teal).mean(axis=1)
    mean, p = worksheet.over_networks(table, dimension)
    assert (mean, p) == pytest.approx((means.mean(), stats.ttest_rel(means, np.zeros(8)).pvalue))
    half = stats.t.ppf(0.975, 7) * means.std(ddof=1) / sqrt(8)
    assert worksheet.interval_over_networks(table, dimension) == pytest.approx(
        (mean - half, mean + half)
    )
    wrong = stats.ttest_rel(amber.ravel(), teal.ravel()).pvalue
    assert worksheet.all_in_one(table, dimension) == pytest.approx(wrong)
    assert wrong < 0.05 < p, "the sheet says that they differ here"
