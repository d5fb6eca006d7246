"""Slow, obvious versions of the measures: the definitions, spelt out in Python loops."""

from __future__ import annotations

import itertools
import math
import statistics

import pandas as pd


def cosine(u, v):
    dot = math.fsum(float(a) * float(b) for a, b in zip(u, v, strict=True))
    return dot / (
        math.sqrt(math.fsum(float(a) ** 2 for a in u))
        * math.sqrt(math.fsum(float(b) ** 2 for b in v))
    )


def association(w, A, B):
    return statistics.fmean(cosine(w, a) for a in A) - statistics.fmean(cosine(w, b) for b in B)


def sd(values, ddof):
    centre = statistics.fmean(values)
    return math.sqrt(math.fsum((v - centre) ** 2 for v in values) / (len(values) - ddof))


def effect_size(x, y, *, pooled=False, ddof=1):
    difference = statistics.fmean(x) - statistics.fmean(y)
    if not pooled:
        return difference / sd([*x, *y], ddof)
    within = (len(x) - 1) * sd(x, ddof) ** 2 + (len(y) - 1) * sd(y, ddof) ** 2
    return difference / math.sqrt(within / (len(x) + len(y) - 2))


def exact_p(x, y, alternative):
    """Count every split."""
    pool, observed = [*x, *y], statistics.fmean(x) - statistics.fmean(y)
    tie, hits, splits = 1e-10 * max(map(abs, pool)), 0, 0
    for chosen in itertools.combinations(range(len(pool)), len(x)):
        inside = [pool[i] for i in chosen]
        outside = [pool[i] for i in range(len(pool)) if i not in chosen]
        difference = statistics.fmean(inside) - statistics.fmean(outside)
        hits += {
            "greater": difference >= observed - tie,
            "less": difference <= observed + tie,
            "two-sided": abs(difference) >= abs(observed) - tie,
        }[alternative]
        splits += 1
    return hits / splits


def cosines(images, prompts, table):
    """{(image, dimension, word): mean of the cosines with the word's templates}"""
    found: dict = {}
    for i, image in enumerate(images):
        for row, prompt in zip(table.itertuples(), prompts, strict=True):
            found.setdefault((i, row.dimension, row.word), []).append(cosine(image, prompt))
    return {key: statistics.fmean(values) for key, values in found.items()}


def delta_cos(images, prompts, table, *, relative=False):
    """{(image, dimension): mean over words, minus the neutral prompts}"""
    neutral_words = {(row.dimension, row.word) for row in table.itertuples() if row.neutral}
    by_word, deltas = cosines(images, prompts, table), {}
    for i in range(len(images)):
        neutral = statistics.fmean(by_word[i, d, w] for d, w in neutral_words)
        for dimension in dict.fromkeys(table.dimension[~table.neutral]):
            words = [
                v
                for (j, d, w), v in by_word.items()
                if (j, d) == (i, dimension) and (d, w) not in neutral_words
            ]
            delta = statistics.fmean(words) - neutral
            deltas[i, dimension] = 100 * delta / neutral if relative else delta
    return deltas


def partners(table: pd.DataFrame, row: int, by: str, attributes, min_gap=None) -> list[int]:
    """Row numbers that differ from `row` in `by`, enough, and agree in the other attributes."""
    records, found = table.to_dict("records"), []
    here = records[row]
    for j, there in enumerate(records):
        agree = all(here[a] == there[a] for a in attributes if a != by)
        if (
            agree
            and here[by] != there[by]
            and (min_gap is None or abs(here[by] - there[by]) > min_gap + 1e-9)
        ):
            found.append(j)
    return found


def ranked(scores, groups):
    """The groups from the highest score down; equal scores as they came."""
    places = sorted(range(len(scores)), key=lambda i: (-scores[i], i))
    return [groups[i] for i in places]


def skew_at_k(scores, groups, k, desired, zero=-math.inf):
    top = ranked(scores, groups)[:k]
    found = {}
    for group in desired:
        share = sum(g == group for g in top) / k
        found[group] = math.log(share / desired[group]) if share else zero
    return found


def ndkl(scores, groups, desired):
    in_order, total, z = ranked(scores, groups), 0.0, 0.0
    for i in range(1, len(in_order) + 1):
        divergence = 0.0
        for group in desired:
            share = sum(g == group for g in in_order[:i]) / i
            if share:
                divergence += share * math.log(share / desired[group])
        total += divergence / math.log2(i + 1)
        z += 1 / math.log2(i + 1)
    return total / z
