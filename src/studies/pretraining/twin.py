"""A simulated twin of the released table of effect sizes: the real models and tests, the printed
results, and all other values drawn.

What is published is in it exactly: how many models there are of each architecture and data family
(with their parameters, and data sizes as far as they are known), per cell the mean and SD of d and
its correlation with performance, and, for the families, coefficients over all rows. Not known, and
set here: performance (see `generate`); n of the instruments' pictures; the sizes of WebLI and
Merged-2B; the architectures of four LAION models; that tests pooled in a cell have one mean; and
how much of a model's deviations its tests share. Every model is called "simulated", so that no
table passes for the released one.
"""

from collections.abc import Mapping

import numpy as np
import pandas as pd
from scipy import stats
from scipy.optimize import brentq
from scipy.special import expit

from studies.pretraining import upstream
from vlmbias import ledger
from vlmbias.external.study_table import (
    COLUMNS,
    ORDERS,
    PICTURES,
    SIMULATED,
    TEXT_FILES,
    architecture_family,
    dataset_family,
    name_of_test,
)


def _numbers(listed: str) -> dict[str, float]:
    """A list of names, each with a number, as a mapping."""
    return {name: float(number) for name, number in map(str.split, listed.split(","))}


SIZES = _numbers("""
laion80m 80, laion400m 400, laion2b 2000, laion5b 5000, laion_aesthetic 900,
mscoco_finetuned_laion2b 2000, metaclip_400m 400, metaclip_fullcc 2500, openai_wit 400,
datacomp_s 1.4, datacomp_m 14, datacomp_l 140, datacomp1b 1400, webli 10000,
webli_multilingual 10000, commonpool_s 12.8, commonpool_m 128, commonpool_l 1280,
commonpool_xl 13000, commonpool_xl_clip_filtered 3800, commonpool_xl_laion_filtered 1300,
dfn2b 2000, dfn5b 5000, yfcc15m 15, cc12m 12, merged2b 2000
""")
"""Millions of pairs of each of the 26 data sets."""
_PARAMETERS = _numbers("""
RN50 102.01, RN101 119.69, RN50x4 178.30, RN50x16 290.98, RN50x64 623.26, ViT-B-32 151.28,
ViT-B-32-256 151.29, ViT-B-32-quickgelu 151.28, ViT-B-16 149.62, ViT-B-16-quickgelu 149.62,
ViT-B-16-plus-240 208.38, ViT-L-14 427.62, ViT-L-14-336 427.94, ViT-L-14-quickgelu 427.62,
ViT-H-14 986.11, ViT-H-14-quickgelu 986.11, ViT-H-14-378-quickgelu 986.71, ViT-g-14 1366.68,
ViT-bigG-14 2539.57, ViT-L-14-CLIPA 414.21, ViT-L-14-CLIPA-336 414.54, ViT-H-14-CLIPA 968.24,
ViT-H-14-CLIPA-336 968.64, ViT-bigG-14-CLIPA 2517.22, ViT-bigG-14-CLIPA-336 2517.76,
ViT-B-16-SigLIP 203.16, ViT-B-16-SigLIP-256 203.20, ViT-B-16-SigLIP-i18n-256 370.63,
ViT-B-16-SigLIP-384 203.45, ViT-B-16-SigLIP-512 203.79, ViT-L-16-SigLIP-256 652.15,
ViT-L-16-SigLIP-384 652.48, ViT-SO400M-14-SigLIP 877.36, ViT-SO400M-14-SigLIP-384 877.96,
coca_ViT-B-32 253.56, coca_ViT-L-14 638.45, convnext_base 151.52, convnext_base_w 179.39,
convnext_base_w_320 179.39, convnext_large_d 351.77, convnext_large_d_320 351.77,
EVA01-g-14 1136.44, EVA01-g-14-plus 1366.62, EVA02-B-16 149.69, EVA02-L-14 427.76,
EVA02-L-14-336 428.08, EVA02-E-14 4704.59, EVA02-E-14-plus 5044.89, roberta-ViT-B-32 212.72,
xlm-roberta-base-ViT-B-32 366.12, xlm-roberta-large-ViT-H-14 1193.01, nllb-clip-base 501.89,
nllb-clip-large 1399.22, nllb-clip-base-siglip 507.47, nllb-clip-large-siglip 1195.50
""")
"""Millions of parameters of each of the 55 architectures, as open_clip has them."""
_MODELS = """
laion80m: ViT-B-32*3 ViT-B-16*3 ViT-L-14*3
laion400m: ViT-B-32*4 ViT-B-16*4 ViT-L-14*4 ViT-B-16-plus-240 convnext_base EVA01-g-14
laion2b: ViT-B-32*4 ViT-B-16*3 ViT-L-14*3 ViT-H-14*2 ViT-g-14*2 ViT-bigG-14 ViT-H-14-CLIPA-336 convnext_base_w*2
laion2b: convnext_large_d convnext_large_d_320*2 coca_ViT-B-32 coca_ViT-L-14 roberta-ViT-B-32 EVA02-E-14 EVA02-E-14-plus
laion_aesthetic: convnext_base_w convnext_base_w_320*2
mscoco_finetuned_laion2b: coca_ViT-B-32 coca_ViT-L-14
laion5b: xlm-roberta-base-ViT-B-32 xlm-roberta-large-ViT-H-14
metaclip_400m: ViT-B-32-quickgelu ViT-B-16-quickgelu ViT-L-14-quickgelu
metaclip_fullcc: ViT-B-32-quickgelu ViT-B-16-quickgelu ViT-L-14-quickgelu ViT-H-14-quickgelu
openai_wit: RN50 RN101 RN50x4 RN50x16 RN50x64 ViT-B-32 ViT-B-16 ViT-L-14 ViT-L-14-336 nllb-clip-base nllb-clip-large
datacomp_s: ViT-B-32
datacomp_m: ViT-B-32
datacomp_l: ViT-B-16
datacomp1b: ViT-B-32 ViT-B-32-256 ViT-B-16 ViT-L-14 ViT-L-14-CLIPA ViT-L-14-CLIPA-336 ViT-H-14-CLIPA ViT-H-14-CLIPA-336
datacomp1b: ViT-bigG-14-CLIPA ViT-bigG-14-CLIPA-336
webli: ViT-B-16-SigLIP ViT-B-16-SigLIP-256 ViT-B-16-SigLIP-384 ViT-B-16-SigLIP-512 ViT-L-16-SigLIP-256
webli: ViT-L-16-SigLIP-384 ViT-SO400M-14-SigLIP ViT-SO400M-14-SigLIP-384 nllb-clip-base-siglip nllb-clip-large-siglip
webli_multilingual: ViT-B-16-SigLIP-i18n-256
commonpool_s: ViT-B-32*6
commonpool_m: ViT-B-32*6
commonpool_l: ViT-B-16*6
commonpool_xl: ViT-L-14
commonpool_xl_clip_filtered: ViT-L-14
commonpool_xl_laion_filtered: ViT-L-14
dfn2b: ViT-B-16 ViT-L-14-quickgelu
dfn5b: ViT-H-14-quickgelu ViT-H-14-378-quickgelu
yfcc15m: RN50 RN101
cc12m: RN50
merged2b: EVA01-g-14-plus EVA02-B-16 EVA02-L-14 EVA02-L-14-336
"""  # a data set: its models' architectures, *k where k models share one  # noqa: E501
_PICTURES = {"flower-insect": 35, "instrument-weapon": 7, "race": 6, "gender": 40, "age": 6}
_SENTENCES = dict(zip(TEXT_FILES, (350, 330, 256, 128, 195, 64, 80, 64), strict=True))
_ROUNDS, _NEAR = 5_000, 0.001


def models() -> pd.DataFrame:
    """The 131 models: architecture and data set, their families, parameters, dataset_size."""
    listed = (line.partition(": ") for line in _MODELS.strip().splitlines())
    each = [
        (dataset, *one.partition("*")) for dataset, _, all_of in listed for one in all_of.split()
    ]
    named = [(dataset, name) for dataset, name, _, times in each for _ in range(int(times or 1))]
    table = pd.DataFrame(named, columns=["dataset_name", "architecture_name"])
    table["model"] = [f"{SIMULATED}-{number:03d}" for number in range(1, len(table) + 1)]
    table["architecture"] = table["architecture_name"].map(architecture_family)
    table["dataset"] = table["dataset_name"].map(dataset_family)
    table["parameters"] = table["architecture_name"].map(_PARAMETERS)
    table["dataset_size"] = table["dataset_name"].map(SIZES)
    return table


def tests() -> pd.DataFrame:
    """The 26 tests: test, category, order, targets, n_x, n_y; text_file, the first of its category
    for pictures."""
    rows = []
    for order in ORDERS.values():
        written, seen = order in ("all-text", "text-target"), set()
        for file, (category, called) in TEXT_FILES.items():
            if written or category not in seen:
                seen.add(category)
                targets, n = (
                    (called, _SENTENCES[file])
                    if written
                    else (PICTURES[category], _PICTURES[category])
                )
                rows.append(
                    [name_of_test(category, order, targets), category, order, targets, n, n, file]
                )
    return pd.DataFrame(
        rows, columns=["test", "category", "order", "targets", "n_x", "n_y", "text_file"]
    )


def generate(
    cells: pd.DataFrame,
    correlations: Mapping[tuple[str, str], float],
    *,
    stimuli: str = "new",
    shared: float = 0.0,
    seed: int = 0,
) -> pd.DataFrame:
    r"""A study table with the printed results in it.

    A cell *c* is a category in an order. The value of model *i* in test *t* starts as

    .. math:: d_{it} = m_c + s_c\, x_i'\beta + r_c\, \sigma_c\, z_i + e_{it}

    where *m*, :math:`\sigma`, *r* and :math:`\beta` are printed, *x* holds the families and the
    standardised logarithms of size and parameters, centred, :math:`s_c` is :math:`\sigma_c` over
    its mean over rows, *z* is standardised performance and *e* is drawn. Performance rises with
    both logarithms and flattens, with noise; families are placed so that, given *x*, it has on
    average over rows nothing to do with d: all that the printed correlations add up to goes through
    *x*. Then three things are set right in turn, until all hold: no value may exceed the largest d
    of so many items; over all rows, a regression on *x* gives :math:`\beta`; each cell has its
    mean, SD and correlation.

    Parameters
    ----------
    cells : as `effect_sizes.cells`: columns stimuli, category, order, n, mean, sd.
    correlations : (category, order) → r of d with performance.
    stimuli : whose cells, "new" or "old". Correlations and coefficients are printed for the new
        ones alone.
    shared : share of the variance of *e* as drawn that a model's tests have in common, from 0 to 1;
        the published regression takes it to be 0.
    seed : of performance and *e*.

    Returns
    -------
    131 × 26 rows: a study table (gap is NaN), then architecture_name, dataset_name, text_file,
    origin and stimuli.

    Raises
    ------
    ValueError
        For a share outside 0 to 1, or printed values that no such table can have.
    """
    if not 0 <= shared <= 1:
        raise ValueError(f"shared is the share of a variance, from 0 to 1, got {shared}")
    who, what, rng = models(), tests(), np.random.default_rng([seed, 2])
    printed = cells[cells["stimuli"] == stimuli].set_index(["category", "order"])
    own = what.set_index(["category", "order"]).index
    mean, sd = (printed[name].loc[own].to_numpy() for name in ("mean", "sd"))
    r, cell = np.array([correlations[one] for one in own]), own.factorize()[0]
    limits = np.sqrt(4 - 2 / what["n_x"].to_numpy())
    design, beta = _design(who)
    who["performance"] = _performance(
        who, design @ beta, (r * sd).mean(), np.random.default_rng([seed, 1])
    )
    z = stats.zscore(who["performance"].to_numpy())

    common, alone = rng.normal(size=(len(z), 1)), rng.normal(size=(len(z), len(what)))
    e = sd * (np.sqrt(shared) * common + np.sqrt(1 - shared) * alone)
    values = mean + np.outer(design @ beta, sd / sd.mean()) + np.outer(z, r * sd) + e
    for _ in range(_ROUNDS):
        values = _with_cells(_with_families(values, design, beta, z), cell, mean, sd, r, z)
        found = np.linalg.lstsq(design, values.mean(axis=1), rcond=None)[0]
        if (np.abs(values) <= limits).all() and np.abs(found - beta).max() < _NEAR:
            table = who.merge(what, how="cross").assign(effect_size=values.ravel(), gap=np.nan)
            table["origin"] = SIMULATED
            table["stimuli"] = f"{SIMULATED}/" + {"new": "nrc-oasis", "old": "seat-ieat"}[stimuli]
            return table[
                [*COLUMNS, "architecture_name", "dataset_name", "text_file", "origin", "stimuli"]
            ]
        values = np.clip(values, -0.99 * limits, 0.99 * limits)
    raise ValueError(
        f"no table has these means, SDs, correlations and coefficients at once (after {_ROUNDS}"
        " rounds)"
    )


def _design(who: pd.DataFrame) -> tuple[np.ndarray, np.ndarray]:
    """What the published regression explains d by, centred, `(models × terms)`, and the printed
    coefficient of each term."""
    logs = {
        name: stats.zscore(np.log(who[column].to_numpy()))
        for name, column in zip(upstream.NUMBERS, ("parameters", "dataset_size"), strict=True)
    }
    terms = upstream.design(who.assign(**logs)).drop(columns="Intercept")
    printed = upstream.printed(ledger.load("pretraining"))["coef"]
    design = np.column_stack([terms[name] for name in terms])
    return design - design.mean(axis=0), printed[terms.columns.map(upstream.claim_of)].to_numpy()


def _performance(
    who: pd.DataFrame, fitted: np.ndarray, slope: float, rng: np.random.Generator
) -> np.ndarray:
    """Performance between 0 and 1 on which what the families and sizes say of d has this slope, per
    SD."""
    rise = 0.455 * np.log(who["dataset_size"] / 12.8) + 0.3 * np.log(who["parameters"] / 150)
    drawn = 0.7 * expit(rise.to_numpy() - 1.4 + rng.normal(scale=0.3, size=len(who)))

    def placed(much: float) -> np.ndarray:
        return drawn + much * fitted

    def off(much: float) -> float:
        return float(stats.zscore(placed(much)) @ fitted / len(who) - slope)

    if off(-1.0) * off(1.0) > 0:
        raise ValueError(
            "the correlations and coefficients ask for a performance that no family could have;"
            f" they give a slope of {slope:.3f} per SD"
        )
    return np.clip(placed(float(brentq(off, -1.0, 1.0))), 0.01, 0.99)


def _with_families(
    values: np.ndarray, design: np.ndarray, beta: np.ndarray, z: np.ndarray
) -> np.ndarray:
    """The values, each model's shifted so that the regression over all rows gives `beta`, and
    nothing correlates with z otherwise than before."""
    shifts = design - np.outer(z, z @ design) / (z @ z)
    wrong = design.T @ (design @ beta - values.mean(axis=1))
    return values + (shifts @ np.linalg.solve(design.T @ shifts, wrong))[:, None]


def _with_cells(
    values: np.ndarray,
    cell: np.ndarray,
    mean: np.ndarray,
    sd: np.ndarray,
    r: np.ndarray,
    z: np.ndarray,
) -> np.ndarray:
    """The values, moved and stretched so that each cell, all its tests together, has its mean, SD
    and correlation."""
    found = np.empty_like(values)
    for number in range(cell.max() + 1):
        own = np.flatnonzero(cell == number)
        first, n = own[0], len(z) * len(own)
        rest = values[:, own] - values[:, own].mean()
        rest = rest - z[:, None] * (z @ rest).sum() / n
        rest *= np.sqrt((n - 1) * (1 - r[first] ** 2) / (rest**2).sum())
        found[:, own] = mean[first] + sd[first] * (
            rest + r[first] * np.sqrt((n - 1) / n) * z[:, None]
        )
    return found
