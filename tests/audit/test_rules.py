"""Audit rules: numbers computed from data, then rounded, are consistent; altered ones are not."""

from itertools import combinations

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from scipy import stats

from audit.printed import parse
from audit.rules import LARGEST_SD_RATIO, RULES, TAILS, welch_p

seeds = st.integers(0, 10**6)
quick = settings(max_examples=25, deadline=None)


def number(value, digits=None, **options):
    return parse(str(value) if digits is None else f"{value:.{digits}f}", **options)


def significant(p):
    return parse(f"{p:.1e}")


def fits(rule, about, **others):
    """Whether the verdict is consistent; else it is inconsistent, and no third one."""
    return {"consistent": True, "inconsistent": False}[RULES[rule](about, **others).verdict]


def sizes(*values):
    return dict(zip(("n_x", "n_y"), (number(v) for v in values), strict=True))


# d and p ------------------------------------------------------------------------------------------
@pytest.mark.parametrize("tail", TAILS)
@pytest.mark.parametrize("ratio", [0.5, 3.0])
def test_welch_p_is_scipys(tail, ratio):
    n_x, n_y, mean = 183, 109, 0.4
    sd_y = 1.0
    pooled = np.sqrt(((n_x - 1) * ratio**2 + (n_y - 1) * sd_y**2) / (n_x + n_y - 2))
    expected = stats.ttest_ind_from_stats(
        mean, ratio, n_x, 0, sd_y, n_y, equal_var=False, alternative=tail
    ).pvalue
    d = number(mean / pooled, tolerance=0)
    low, high = welch_p(d, n_x, n_y, tail=tail, ratios=ratio)
    assert low[0] <= expected <= high[0]
    assert high[0] / low[0] < 1.2  # ddof only


@quick
@given(
    seeds,
    st.integers(8, 200),
    st.integers(8, 200),
    st.floats(-1, 1),
    st.floats(0.5, 2),
    st.booleans(),
)
def test_d_and_p_from_data_are_consistent(seed, n_x, n_y, gap, scale, two_sided):
    rng = np.random.default_rng(seed)
    x, y = rng.normal(gap, scale, n_x), rng.normal(0, 1, n_y)
    assume(1 / LARGEST_SD_RATIO < x.std(ddof=1) / y.std(ddof=1) < LARGEST_SD_RATIO)
    pooled = np.sqrt(((n_x - 1) * x.var(ddof=1) + (n_y - 1) * y.var(ddof=1)) / (n_x + n_y - 2))
    d = (x.mean() - y.mean()) / pooled
    tail = "two-sided" if two_sided else "greater" if d > 0 else "less"
    p = stats.ttest_ind(x, y, equal_var=False, alternative=tail).pvalue
    assert fits("d_p", number(d, 2), p=significant(p), **sizes(n_x, n_y))


@quick
@given(seeds, st.integers(60, 200), st.floats(0.3, 1))
def test_an_altered_d_is_inconsistent(seed, n, gap):
    rng = np.random.default_rng(seed)
    x, y = rng.normal(gap, 1, n), rng.normal(0, 1, n)
    d = (x.mean() - y.mean()) / np.sqrt((x.var(ddof=1) + y.var(ddof=1)) / 2)
    p = significant(stats.ttest_ind(x, y, equal_var=False).pvalue)
    assert not fits("d_p", number(d + 1, 2), p=p, **sizes(n, n))


@pytest.mark.parametrize(("d", "n_y"), [("−.97", 109), ("−1.09", 108)])
def test_a_bound_no_data_can_give_is_inconsistent(d, n_y):
    bound = parse("< 10⁻³⁰")
    group = {**sizes(183, n_y), "pooled": number(1)}  # the paper prints the pooled formula
    assert not fits("d_p", parse(d), p=bound, **group)
    assert fits("d_p", parse(d), p=parse("< 10⁻¹²"), **sizes(183, n_y))


def test_the_plainest_reading_is_named():
    found = RULES["d_p"](parse(".46"), p=parse("< 10⁻³"), **sizes(183, 109))
    assert found.reading == "two-sided"
    unequal = RULES["d_p"](parse(".64"), p=parse("< 10⁻⁸"), **sizes(183, 109))
    assert "the first group's SD" in unequal.reading


def test_one_tail_finds_the_pair_that_rules_a_tail_out():
    bound = parse("< 10⁻⁴")
    groups = {"n_x": [number(100)] * 2, "n_y": [number(100)] * 2}
    found = RULES["one_tail"](None, d=[parse(".9"), parse("−.9")], p=[bound, bound], **groups)
    assert found.verdict == "consistent" and found.reading == "two-sided"
    assert "greater: not −.9" in found.reason and "less: not .9" in found.reason


def test_one_tail_says_what_else_it_takes():
    def judged(d, p):
        sizes_ = {"n_x": [number(183)] * len(d), "n_y": [number(197)] * len(d)}
        both = {"d": [parse(one) for one in d], "p": [parse(one) for one in p]}
        return RULES["one_tail"](None, **both, **sizes_, pooled=number(1))

    found = judged([".34", ".49"], ["< 10⁻³", "< 10⁻⁶"])
    assert "two-sided: all fit; .49 only with the power of ten" in found.reason
    assert (found.verdict, found.reading) == ("consistent", "greater")  # there both are bounds
    found = judged([".34", ".49", "−.9"], ["< 10⁻³", "< 10⁻⁶", "< 10⁻⁴"])
    assert found.verdict == "inconsistent" and (found.exceptions, found.cases) == ((".49",), 3)
    assert found.reading.startswith("two-sided; .49 only with")


def test_one_tail_of_r_names_the_bounds_that_are_powers_of_ten():
    n, r = number(51), [parse(".72"), parse(".71"), parse(".90")]
    p = [parse("< 10⁻⁸"), parse("< 10⁻⁹"), parse("< 10⁻¹⁸")]
    found = RULES["one_tail_of_r"](None, r=r, p=p, n=n)
    assert (found.verdict, found.exceptions, found.cases) == ("inconsistent", (".71",), 3)
    assert (
        "two-sided: all fit; .71 only with the power of ten" in found.reason
        and "less: not .72" in found.reason
    )
    assert fits("one_tail_of_r", None, r=r[:1], p=p[:1], n=n)
    never = RULES["one_tail_of_r"](None, r=[parse(".10")], p=[parse("< 10⁻⁹")], n=n)
    assert never.verdict == "inconsistent" and not never.exceptions


def exact_permutation(scores, n):
    total = len(scores)
    observed = scores[:n].mean()
    draws = [scores[list(c)].mean() for c in combinations(range(total), n)]
    return np.mean([draw >= observed - 1e-12 for draw in draws])


@quick
@given(seeds, st.integers(3, 5), st.integers(3, 5), st.floats(-3, 3))
def test_an_exact_permutation_p_is_consistent_and_an_impossible_one_is_not(seed, n_x, n_y, gap):
    scores = np.random.default_rng(seed).normal(size=n_x + n_y)
    scores[:n_x] += gap
    d = (scores[:n_x].mean() - scores[n_x:].mean()) / scores.std(ddof=1)
    p = exact_permutation(scores, n_x)
    printed = number(d, 12)
    assert fits("permutation_p", printed, p=number(p, tolerance=1e-12), **sizes(n_x, n_y))
    between = number(p - 0.5 / len(list(combinations(range(n_x + n_y), n_x))), tolerance=1e-12)
    assert not fits("permutation_p", printed, p=between, **sizes(n_x, n_y))


@pytest.mark.parametrize(
    ("d", "p", "holds"),
    [
        ("1.50", ".20", False),
        ("1.50", ".10", True),
        ("-1.50", ".80", False),
        ("-1.50", ".90", True),
    ],
)
def test_cantellis_inequality_bounds_a_positive_d_from_above_and_a_negative_one_from_below(
    d, p, holds
):
    """z = 1.5 · √2.5 = 2.37, so p ≤ 1/(1 + z²) = .151, or p ≥ .849 where d is negative."""
    found = fits("permutation_p", parse(d), p=parse(p), draws=number(1000), **sizes(5, 5))
    assert found is holds


# r, coefficients ----------------------------------------------------------------------------------
@quick
@given(seeds, st.integers(8, 300), st.floats(-2, 2))
def test_r_and_p_from_data_are_consistent(seed, n, slope):
    rng = np.random.default_rng(seed)
    x = rng.normal(size=n)
    found = stats.pearsonr(x, slope * x + rng.normal(size=n))
    assert fits("r_p", number(found[0], 2), p=significant(found[1]), n=number(n))


@quick
@given(st.floats(0.2, 0.6), st.integers(150, 400))
def test_an_altered_r_is_inconsistent(r, n):
    p = significant(2 * stats.t.sf(r * np.sqrt((n - 2) / (1 - r**2)), n - 2))
    assert not fits("r_p", number(r + 0.25, 2), p=p, n=number(n))


def test_an_exponent_printed_as_a_bound_is_a_reading_of_its_own():
    found = RULES["r_p"](parse(".71"), p=parse("< 10⁻⁹"), n=number(51))
    assert found.verdict == "consistent" and "order of magnitude" in found.reading


def printed_row(value, se):
    z, reach = value / se, 1.959964 * se
    values = {
        "se": se,
        "z": z,
        "p": 2 * stats.norm.sf(abs(z)),
        "low": value - reach,
        "high": value + reach,
    }
    return number(value, 3), {name: number(one, 3) for name, one in values.items()}


@quick
@given(st.floats(-1, 1), st.floats(0.02, 0.5))
def test_a_regression_row_is_consistent_until_one_number_is_altered(value, se):
    about, others = printed_row(value, se)
    assert fits("coefficient", about, **others)
    for name in ("low", "high"):
        altered = {**others, name: number(others[name].number + 0.1, 3)}
        assert not fits("coefficient", about, **altered)
    altered = {**others, "p": number(min(others["p"].number * 3 + 0.05, 1.5), 3)}
    assert not fits("coefficient", about, **altered)
    assume(abs(value) > 0.01)
    turned = {**others, "z": number(-others["z"].number, 3)}
    assert not fits("coefficient", about, **turned)


def a_line(seed, levels, each, slope=0.03):
    """Constant and slope of a fitted line, each as printed: coefficient, standard error, p; R²;
    number of cases."""
    x = np.repeat(np.asarray(levels, float), each)
    y = 1 + slope * x + np.random.default_rng(seed).normal(0, 0.2, x.size)
    design = np.column_stack([np.ones_like(x), x])
    values, rest, *_ = np.linalg.lstsq(design, y, rcond=None)
    errors = np.sqrt(np.diag(np.linalg.inv(design.T @ design)) * rest[0] / (x.size - 2))
    p = stats.linregress(x, y).pvalue
    rows = [
        tuple(parse(f"{one:.1e}") for one in row)
        for row in zip(values, errors, (0, p), strict=True)
    ]
    return *rows, parse(f"{np.corrcoef(x, y)[0, 1] ** 2:.1e}"), number(x.size)


LEVELS = (-2.5, -1.5, -0.5, 0, 0.5, 1, 1.5, 2, 3, 4)


@quick
@given(seeds, st.integers(2, 30), st.floats(0.02, 0.2))
def test_a_line_belongs_to_its_n_and_to_its_levels(seed, each, steep):
    (_, const_se, _), (slope, se, p), r2, n = a_line(seed, LEVELS, each, steep)
    assert fits("regression", slope, se=se, p=p, n=n, r2=r2)
    assume(abs(slope.number / se.number) > 4)
    assert not fits("regression", slope, se=se, p=p, n=number(20 * n.number), r2=r2)
    errors = {"const": const_se, "slope": se}
    assert fits("predictor", None, **errors, levels=[number(one) for one in LEVELS])
    rows = [number(row) for row in range(int(n.number))]  # a running row number is no smile
    assert not fits("predictor", None, **errors, levels=rows)


# sums ---------------------------------------------------------------------------------------------
@quick
@given(st.integers(1, 5000), st.data(), st.integers(0, 3))
def test_a_percentage_is_that_of_a_count(n, data, digits):
    k = data.draw(st.integers(0, n))
    assert fits("percent_count", number(100 * k / n, digits), of=number(n))
    few, between = n % 40 + 1, 100 * (k % (n % 40 + 1) + 0.5) / (n % 40 + 1)
    assert not fits("percent_count", number(between, 2), of=number(few))


def test_no_share_of_a_count_exceeds_all_of_it_and_none_is_cut_off():
    assert not fits("percent_count", parse("101%"), of=parse("183"))
    cut_off = RULES["percent_count"](parse("66%"), of=parse("3"))
    assert cut_off.verdict == "inconsistent" and "2 of 3 are 66.67 %" in cut_off.reason


@quick
@given(st.integers(1, 300), st.data())
def test_a_percentage_printed_twice_is_one_count(n, data):
    k = data.draw(st.integers(0, n))
    once, twice = number(100 * k / n, 0), number(100 * k / n, 2)
    assert fits("percent_count", once, of=number(n), again=[twice])
    other = number(int(once.number) + 2)  # by 1, and 0.5 would print as both
    assert not fits("percent_count", other, of=number(n), again=[twice])


@quick
@given(st.lists(st.integers(1, 50), min_size=2, max_size=5), st.integers(0, 2))
def test_shares_of_one_whole_sum_to_at_most_all_of_it(counts, digits):
    parts = [number(100 * count / sum(counts), digits) for count in counts]
    assert fits("percent_total", None, parts=parts)
    assert not fits("percent_total", None, parts=[*parts, number(10, 0)])


def groups_of(seed, count):
    rng = np.random.default_rng(seed)
    return [
        rng.normal(rng.normal(), rng.uniform(0.2, 1), rng.integers(10, 60)) for _ in range(count)
    ]


@quick
@given(seeds, st.integers(2, 6))
def test_means_and_spreads_of_parts(seed, count):
    groups = groups_of(seed, count)
    means = [number(g.mean(), 3, n=len(g)) for g in groups]
    spreads = [number(g.std(ddof=1), 3, n=len(g)) for g in groups]
    whole = np.concatenate(groups)
    parts = {"means": means, "spreads": spreads}
    assert fits("mean_of", number(whole.mean(), 3), parts=means)
    assert fits("spread_of", number(whole.std(ddof=1), 3), **parts)
    assert fits("variance_of", number(whole.var(ddof=1), 3), **parts)
    assert not fits("spread_of", number(whole.std(ddof=1) + 0.02, 3), **parts)
    assert not fits("variance_of", number(whole.var(ddof=1) + 0.03 + whole.std(), 3), **parts)
    far = whole.mean() + 0.01 + abs(whole.mean() - np.mean([g.mean() for g in groups]))
    assert not fits("mean_of", number(far, 3), parts=means)


def falling(seed, kinds=1):
    """Variances before and after, of each kind by itself and of all, and the means and SDs they are
    printed with."""
    before, after = groups_of(seed, 4), groups_of(seed + 1, 4)
    parts = {}
    for name, groups in (("", after), ("_before", before)):
        parts[f"means{name}"] = [number(g.mean(), 4, n=len(g)) for g in groups]
        parts[f"spreads{name}"] = [number(g.std(ddof=1), 4, n=len(g)) for g in groups]
    pairs = [
        (np.concatenate(before[k::kinds]).var(ddof=1), np.concatenate(after[k::kinds]).var(ddof=1))
        for k in range(kinds)
    ]
    return pairs, parts


@quick
@given(seeds)
def test_a_fall_of_variance_from_parts(seed):
    ((before, after),), parts = falling(seed)
    percent = 100 * (1 - after / before)
    assert fits("variance_fall", number(percent, 1), **parts)
    assert not fits("variance_fall", number(percent + 8 + abs(percent), 1), **parts)


@quick
@given(seeds)
def test_a_fall_of_rounded_variances_is_a_reading_of_its_own(seed):
    ((before, after),), parts = falling(seed)
    coarse = 100 * (1 - round(after, 1) / round(before, 1)) if round(before, 1) else 0
    assume(abs(coarse - 100 * (1 - after / before)) > 1)
    assume(
        min(abs(10 * one % 1 - 0.5) for one in (before, after)) > 0.05
    )  # not at the edge of two digits
    assert not fits("variance_fall", number(coarse, 2), **parts)
    found = RULES["variance_fall"](number(coarse, 2), **parts, digits=number(1))
    assert found.verdict == "consistent" and "rounded to 1 digits" in found.reading


@quick
@given(seeds, st.sampled_from([2, 4]))
def test_a_mean_fall_goes_order_by_order(seed, kinds):
    pairs, parts = falling(seed, kinds)
    percent = float(np.mean([100 * (1 - after / before) for before, after in pairs]))
    assert fits("mean_fall", number(percent, 1), **parts, orders=number(kinds))
    off = RULES["mean_fall"](number(percent + 10 + abs(percent), 1), **parts, orders=number(kinds))
    rising = sum(after > before for before, after in pairs)
    assert off.verdict == "inconsistent"
    assert off.exceptions[0].startswith(
        f"{rising} of {kinds} orders, in which the variance rises (by "
    )


@quick
@given(st.lists(st.floats(0.1, 10), min_size=1, max_size=6), st.integers(0, 3))
def test_totals_products_and_extremes(values, digits):
    parts = [number(value, digits) for value in values]
    unit = 10.0**-digits
    for rule, exact in (("total", sum), ("product", np.prod), ("smallest", min), ("largest", max)):
        assert fits(rule, number(exact(values), digits), parts=parts)
    off = sum(values) + unit * (len(values) + 2)
    assert not fits("total", number(off, digits), parts=parts)
    assert not fits("largest", number(max(values) + 2.5 * unit, digits), parts=parts)
    assert not fits("smallest", number(min(values) - 2.5 * unit, digits), parts=parts)


def test_products_of_counts_are_exact():
    def count(text):
        return parse(text, tolerance=0)

    assert fits("product", count("3,406"), parts=[count("131"), count("26")])
    assert not fits("product", count("3,407"), parts=[count("131"), count("26")])


@given(st.floats(-100, 100), st.integers(0, 4), st.integers(0, 4))
def test_a_number_is_the_same_only_at_the_same_last_digit_or_as_a_rounding(value, digits, more):
    fine, coarse = number(value, digits + more), number(value, digits)
    assert fits("same", coarse, parts=[fine]) and fits("same", fine, parts=[coarse])
    neighbour = number(coarse.number + 10.0**-digits, digits)
    assert not fits("same", coarse, parts=[neighbour])
    assert not fits(
        "same", number(fine.number + 1.6 * 10.0**-digits, digits + more), parts=[coarse]
    )


@pytest.mark.parametrize(
    ("one", "other", "options", "holds"),
    [
        (".33", ".34", {}, False),  # one rule rounds .335 one way
        ("more than 53%", "53.2", {}, True),
        ("more than 53%", "52.8", {}, False),
        ("100", "102", {"tolerance": 50}, True),
    ],
)
def test_bounds_tolerances_and_counts_are_compared_as_intervals(one, other, options, holds):
    assert fits("same", parse(one, **options), parts=[parse(other, **options)]) is holds


@quick
@given(
    st.lists(st.floats(1, 500), min_size=1, max_size=4),
    st.lists(st.floats(1, 500), min_size=1, max_size=3),
)
def test_a_ratio_of_sums(parts, over):
    given_ = {"parts": [number(one, 1) for one in parts], "over": [number(one, 1) for one in over]}
    assert fits("ratio", number(sum(parts) / sum(over), 3), **given_)
    assert not fits("ratio", number(1.3 * sum(parts) / sum(over) + 1, 3), **given_)
    assert fits("ratio", parse(f"more than {0.5 * sum(parts) / sum(over):.3f}"), **given_)


def test_one_set_of_cases_has_one_mean():
    parts = [parse(one) for one in ("23.55", "23.22", "24.07")]
    for last, holds in (("23.74", True), ("23.78", False)):
        others = [parse("23.48"), parse(last)]
        assert fits("equal_means", None, parts=parts, others=others) is holds


@pytest.mark.parametrize(
    ("rule", "before", "after", "percent", "holds"),
    [
        ("fall", ".62", ".59", "4.8%", True),
        ("fall", ".62", ".59", "9.8%", False),
        ("rise", "134.84", "181.89", "35%", True),
        ("rise", "134.84", "181.89", "26%", False),  # of the second
        ("rise", "1", "2", "399%", True),  # .5 to 1.5 and 1.5 to 2.5: from 0 to 400 %
        ("rise", "1", "2", "402%", False),
        ("rise", "10", "15", "38%", True),  # from 14.5 / 10.5: 38.1 %
        ("rise", "10", "15", "37%", False),
    ],
)
def test_a_change_between_two_printed_numbers(rule, before, after, percent, holds):
    pair = {"before": parse(before), "after": parse(after)}
    assert fits(rule, parse(percent), **pair) is holds


@quick
@given(seeds, st.integers(2, 4), st.integers(1, 8))
def test_mean_log_ratios_of_shares_leave_room_for_one_another(seed, groups, dimensions):
    drawn = np.random.default_rng(seed).dirichlet(np.ones(groups), dimensions)
    skews = np.log(drawn * groups).mean(axis=0)
    assert fits("shares", None, skews=[number(skew, 2) for skew in skews])
    altered = [number(skew + 1.1 + abs(skew), 2) for skew in skews]
    assert not fits("shares", None, skews=altered)
